"""What a game is: its vocabulary, its record, and the sans-IO heart that keeps it."""
