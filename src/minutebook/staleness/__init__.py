"""What `refresh` stands on: which entries have stopped being true, worked out anew only where a change can tell."""
