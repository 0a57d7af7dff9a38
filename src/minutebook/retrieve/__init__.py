"""What a task needs to know: which entries, at which level, within a budget of tokens."""
