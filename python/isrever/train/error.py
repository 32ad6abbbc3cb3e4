"""What can go wrong with a training."""

from __future__ import annotations


class InputError(ValueError):
    """A file or an option that cannot be used: the caller's mistake."""


class ExportError(RuntimeError):
    """The written file does not give the values that were trained."""
