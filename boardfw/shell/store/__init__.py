"""The record of all games: one SQLite file, to which entries are only added."""
