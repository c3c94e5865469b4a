"""A chessboard made of arithmetic: the default back-end, behind the same ports as any other."""
