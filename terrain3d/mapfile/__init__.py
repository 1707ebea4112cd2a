"""Maps outside the program: one module a format, and the one error they raise."""

from terrain3d.mapfile.error import MapFileError

__all__ = ["MapFileError"]
