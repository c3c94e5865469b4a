"""The validator: what is wrong with lessons, what of the rules they teach, what could be better."""
