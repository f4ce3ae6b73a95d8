"""Support vector machines."""

from __future__ import annotations

from credo.svm.classifier import SupportVectorClassifier

__all__ = ["SupportVectorClassifier"]
