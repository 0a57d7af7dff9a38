"""The verbs: one module each, a function of the same name."""
