"""The lawful moves: plans that take a text out, split a log, or let one entry take another's place."""
