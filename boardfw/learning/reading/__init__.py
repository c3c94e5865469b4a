"""From the files of lessons to exercises: what an author writes, and what the rules make of it."""

from boardfw.learning.reading.draft import Draft, DraftedExercise, Fault, read_lesson

__all__ = ["Draft", "DraftedExercise", "Fault", "read_lesson"]
