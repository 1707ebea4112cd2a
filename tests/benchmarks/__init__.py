"""Our speed beside that of other pathfinding libraries, on the same questions."""
