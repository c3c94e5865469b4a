"""The status of a running board: a small file below /run."""
