"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes depends on who else uses the machine, and says nothing about what is right.
settings.register_profile("credo", deadline=None)
settings.load_profile("credo")
