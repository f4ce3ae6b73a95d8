"""Numbers that can be trusted."""
