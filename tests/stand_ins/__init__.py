"""Local servers that speak the protocol of what can't be reached in a test, and refuse what the real ones refuse."""
