"""Damaged maps for all readers, chosen by chance or by the code that they reach."""
