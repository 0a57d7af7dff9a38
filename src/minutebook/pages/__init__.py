"""How things look: problems, plans, the index, the pull request."""
