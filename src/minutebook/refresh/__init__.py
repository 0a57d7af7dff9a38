"""What stopped being true, and what to propose about it."""
