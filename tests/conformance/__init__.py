"""Ways checked against lengths that others have published."""
