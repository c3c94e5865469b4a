"""Trainers: streams of exercises beyond the lessons. Each is a ``Source``; none reads a file."""
