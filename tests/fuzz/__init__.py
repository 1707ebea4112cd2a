"""Changed files for all readers, chosen by the code that they reach."""
