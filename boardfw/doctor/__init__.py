"""``boardfw doctor``: what works on a board and its machine, what does not, and why."""
