"""What docs/draw_build.py draws with: pictures and tables of how a board is wired."""
