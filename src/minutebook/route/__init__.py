"""From candidates to a plan, by each type's write policy."""
