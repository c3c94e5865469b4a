"""Lessons on a board: their files, their desk, and what is kept of the answers."""
