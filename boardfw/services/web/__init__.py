"""The board on a web page: what is shown, to whom, and what may be asked of it."""
