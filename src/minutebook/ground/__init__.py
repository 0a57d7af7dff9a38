"""What everything stands on: the nouns, and how they are read and written. Imports nothing above it."""
