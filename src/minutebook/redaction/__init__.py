"""Secrets are found and replaced before anything else sees a text."""
