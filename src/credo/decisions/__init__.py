"""From beliefs to actions."""
