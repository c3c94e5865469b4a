"""Opponents that are not at the board: engines as programs of their own, and our own player."""
