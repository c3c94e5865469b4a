"""How a game begins or goes on: what is planned, and how pieces are set up."""
