"""Every number of the model that is not learnt: probabilities, and durations in microseconds.

Each names its source: *sheet* (a data sheet), *measured* (on traces with known truth), or *guess*.
A probability p costs ``cost(p)`` = -ln p nats. Modules read these as ``constants.NAME``, so that a
tool may halve and double each of them.
"""

from __future__ import annotations

from math import log

# ------------------------------------------------------------------------------- switches

SETTLE_US = 20_000
"""A switch that kept its level for so long has settled. Reeds bounce for 0.2-5 ms (sheet); hands
open a switch for 60 ms and more, but for the quickest swap (measured)."""
GLITCH_US = 3_000
"""A shorter change is noise on the wire: one scan at the usual 500 Hz (measured)."""
SLACK_US = 250_000
"""A piece that is slid holds both switches closed for at most so long, usually (measured)."""
BURST_US = 250_000
"""Switches that change within so short a time may have one cause (guess)."""
BURST_SWITCHES = 6
"""Two hands that play touch fewer squares in that time, castling and a reply included (guess)."""

# ------------------------------------------------------------------------- what hands do

P_ADJUST = 1 / 400
"""A given piece is lifted and put back during a ply: once in 20 plies, one of 20 pieces (guess).
It is the price of a lift and a landing that no ply explains."""
P_ADJUST_VICTIM = 1e-3
"""... this much rarer where the piece is just what another one in the hand may capture (guess)."""
P_BLINK = 0.005
"""A switch changes for less than ``SETTLE_US`` without a cause (guess)."""
P_BURST = 1e-3
"""A bump, a sleeve or a trick begins during a ply (guess)."""
P_BURST_TOUCH = 0.78
"""What each touch of a burst still costs (guess)."""
P_PLY = 0.22
"""This ply, given that its piece is lifted: some five targets each (measured)."""
P_UNSEEN = 6e-4
"""A captured piece leaves without opening its switch: 2-8 % of captures by quick hands, hardly
ever by calm ones (measured). Learnt."""
P_PUSHED = 6e-3
"""... where the capturing piece was seen to slide up to it (guess)."""
FAINT = 1.5
"""Power by which an exchange is less likely the shorter the switch is open, below ``SETTLE_US``
(guess)."""
P_EARLY = 0.5
"""The next player's hand is there before the ply has landed (measured, quick hands)."""
P_BACKWARD = 0.0025
"""The target closed long before the origin opened (guess)."""
P_MINGLED = 0.05
"""A ply is never shown alone: its player lifts another piece, or its reply is there (guess)."""

# ------------------------------------------------------------- what is not finished yet

HOLD_US = 2_000_000
"""Scale of the time for which a piece is held: P(longer than t) = 1 / (1 + t / scale) (guess)."""
P_HELD_FOR_EVER = 0.05
"""... but never less than this: some think with a piece in the hand for minutes (guess)."""
P_ANOTHER_HELD = 0.37
"""One more piece of the same player is in the hand (guess)."""
P_OUT_OF_TURN = 0.018
"""A piece of the player who is not to move is in the hand, and none can capture it; or a player
moves the piece of their last ply again without the rest that is usual (guess)."""
HANDLING_US = 250_000
"""A stray piece that stays costs one nat in each such time (guess)."""
P_HANDLING = 1e-6
"""... but never more than handling does (guess)."""

# ------------------------------------------------------------------------ faults of a board

P_DEAD = 1e-6
"""A given switch is stuck. Boards are worse than that; but stray pieces are never less likely
(``P_HANDLING``), so that time alone makes no fault of them (guess)."""
P_BREAKS = 1e-2
"""... this much rarer where the switch has worked in this game (guess)."""
P_LINE = 1e-5
"""A chip, a row or a wire fails during a game (guess)."""
P_SAME_SCAN = 0.01
"""Two switches that hands move at about the same time change in the same scan (guess)."""
P_LINE_FOR_DEAD = 0.1
"""A switch is stuck because all of its line is (guess)."""
P_MIRRORED = 1e-5
"""A board is wired with its files the other way round, and nobody has calibrated it (guess)."""
P_SWAPPED = 1e-7
"""Two given wires of it are exchanged (guess)."""
P_REVIVED = 1e-3
"""A switch that was taken to be stuck works after all (guess)."""
P_UNPROVED = 0.1
"""Each further ply that makes sense leaves so much of the doubt about a fault (guess)."""
P_FALSE_ALARM = 1e-4
"""A fault is named once it is no more likely than this to be none (guess)."""
P_HIDDEN = 0.02
"""A piece that was lifted goes to a square which no switch shows, and is there by now (guess)."""

# ---------------------------------------------------------------------------- finality

P_MIND = 1 / 100
"""A player changes their mind: puts the piece elsewhere, or takes plies back (guess; learnt)."""
MIND_US = 450_000
"""Scale of the rest before a mind is changed (measured); its tail falls as ``MIND_SHAPE``."""
MIND_SHAPE = 4.3
"""Power by which that tail falls (measured)."""
P_STOP = 0.45
"""A piece that was slid to a square only passes it (guess; learnt)."""
STOP_US = 150_000
"""Mean length of such a stop (guess; learnt)."""
LONG_STOP = 1.5
"""Stops may become so much longer than they were, for safety (guess)."""
P_MORE_TO_COME = 0.3
"""A rook's move was castling, or a new queen is still to be exchanged (guess)."""
P_REPLY_LIFTED = 0.03
"""What is left of the doubt about a ply once its reply is lifted; and again when it has landed
(guess)."""
REACTION_US = 200_000
"""A hand that moves sooner does not answer what it saw: human reaction time (sheet). Replies that
are lifted too early are so by about as much (measured)."""
P_TRUTH_MISSING = 1e-9
"""The truth is among no hypotheses, in a game that costs what it usually costs (guess)."""


# ------------------------------------------------------------------------- learning

PRIOR = 5
"""What is learnt begins with a prior that counts as so many plies, or stops (guess)."""
PRIOR_CAPTURES = 100
"""The prior of unseen captures counts as so many captures (guess)."""
USUAL_REST_US = 3_000_000
"""Rest between two plies of a player (measured; learnt, and never longer than this)."""
HASTE = 3
"""A piece moves on in haste after less than this part of the usual rest (guess)."""
USUAL_PRICE = 2.5
"""What a ply costs, in nats (measured; learnt)."""


def cost(probability: float) -> float:
    """Return the price of something this likely, in nats."""
    return -log(probability)
