"""Three versions of one file of memory into one: what the merge driver decides, as values."""
