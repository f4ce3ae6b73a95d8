"""Public contracts."""
