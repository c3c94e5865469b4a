"""Lessons, help and trainers: what the board teaches, asks and judges; pure."""
