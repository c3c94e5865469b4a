"""How a running board is: a small file below /run, for whoever wants to know."""
