"""Games that come with the board, for its hands to play."""
