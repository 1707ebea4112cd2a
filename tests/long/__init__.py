"""Long runs that look for faults: one command, and a module for each kind of run."""
