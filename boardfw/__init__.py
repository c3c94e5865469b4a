"""boardfw: firmware of an electronic chessboard that reads hands and answers with light."""

__version__ = "0.1.0"
