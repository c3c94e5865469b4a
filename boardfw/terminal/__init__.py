"""The board in a terminal: a view of the session, and a hand where the board is simulated."""
