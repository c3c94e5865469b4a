"""``boardfw doctor``: what is well with a board and the machine under it, what is not, and why.

``machine`` is the view of the machine and ``patient`` the board, as far as it can be had; each
other file holds checks, which are functions of these two.
"""
