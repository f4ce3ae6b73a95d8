"""The honest comparison."""
