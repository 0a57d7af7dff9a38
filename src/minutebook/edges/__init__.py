"""What talks to the world: git, the disk, SQLite, GitHub. Each stands on the ground and on git alone."""
