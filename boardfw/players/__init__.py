"""Simulated players: hands that play games and solve exercises on the simulated board."""
