"""How data gets in."""
