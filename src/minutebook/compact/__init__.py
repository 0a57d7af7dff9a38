"""Old notes into summaries, closed entries into the archive."""
