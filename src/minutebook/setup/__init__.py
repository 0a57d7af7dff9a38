"""How a repository gets its memory, and an entry its template."""
