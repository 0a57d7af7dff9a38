"""From an entry back to the words that it rests on, and whether they still stand where they were read; pure."""
