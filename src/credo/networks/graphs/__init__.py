"""Structure only, no numbers."""
