"""Learning how a board is wired, from a person who puts a piece where it is asked for.

``procedure`` asks and is answered, ``owners`` and ``conclude`` make a wiring and faults of it,
``measures`` judges the switches. They know no bus, no clock and no screen.
"""
