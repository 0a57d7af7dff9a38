"""The cases of the append-only promise: scenes, the ways they are judged in, and the table of both."""
