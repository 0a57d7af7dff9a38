"""The model extractor: a model reads a session in a loop, and code proves what it proposes."""
