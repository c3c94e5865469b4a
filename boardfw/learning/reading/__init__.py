"""From the files of lessons to exercises: what an author writes, and what the rules make of it."""
