"""Plan, then run."""
