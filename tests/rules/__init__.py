"""Answers of the package compared with the plain rulebook on many random maps."""
