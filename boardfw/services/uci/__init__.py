"""UCI, the protocol of chess engines: its lines as values, and engines as processes."""
