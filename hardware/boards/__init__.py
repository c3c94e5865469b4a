"""Board files: what may stand in one, what in it cannot be true, and the wiring it gives."""
