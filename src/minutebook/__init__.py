"""Keeps the long-term memory of coding agents as plain files in git, and keeps it honest."""

__version__ = "0.1.0"
