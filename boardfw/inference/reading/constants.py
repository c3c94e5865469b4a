"""Every number of the model: probabilities, and durations in microseconds.

Each names its source: *sheet* (a data sheet), *measured* (on traces with known truth), or *guess*.
Numbers that are learnt begin with what stands here. A guess of how hands behave is one of five
classes: nobody knows it better before real boards have been recorded. A probability p costs
``cost(p)`` = -ln p nats. Modules read these as ``constants.NAME``, so that a tool may halve and
double each of them.
"""

from __future__ import annotations

from math import log

# ----------------------------------------------------------------------- how likely, at a guess

EVEN = 0.5
"""As often as not (guess)."""
UNUSUAL = 0.05
"""One time in twenty (guess)."""
SELDOM = 0.02
"""Once in some fifty plies; that often a piece comes low over a square (measured)."""
RARE = 1 / 400
"""A given piece is lifted and put back during a ply: once in 20 plies, one of 20 pieces (guess).
What hands do about as rarely is not known better."""
ABSURD = 1e-6
"""No hand that plays does so; nothing is impossible (guess)."""

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

P_ADJUST = RARE
"""A given piece is lifted and put back during a ply: once in 20 plies, one of 20 pieces (guess).
It is the price of a lift and a landing that no ply explains."""
P_ADJUST_VICTIM = RARE
"""... and so much rarer where it is just what another one in the hand may capture (guess)."""
P_BLINK = 0.005
"""A switch changes for less than ``SETTLE_US`` without a cause during a ply (guess; learnt)."""
P_BLINK_NOISY = EVEN
"""... but a switch that changes is never more likely noise than this (guess)."""
P_BURST = RARE
"""A bump, a sleeve or a trick begins during a ply (guess)."""
P_BURST_TOUCH = 0.78
"""What each touch of a burst still costs (guess)."""
P_PLY = 0.22
"""This ply, given that its piece is lifted: some five targets each (measured)."""
P_UNSEEN = 6e-4
"""A captured piece leaves without opening its switch: 2-8 % of captures by quick hands, hardly
ever by calm ones (measured; learnt)."""
P_UNWATCHED = UNUSUAL
"""A ply was made while nobody watched the board (guess)."""
P_PUSHED = RARE
"""... where the capturing piece was seen to slide up to it (guess)."""
FAINT = 1.5
"""Power by which an exchange is less likely the shorter the switch is open, below ``SETTLE_US``
(guess)."""
P_KINGS = SELDOM
"""Players end the game after this ply and show the result with the kings: once a game at most
(guess)."""
PUT_BACK_US = 190_000
"""A piece that rocks on its square loses contact for less than a hand needs to lift it and put it
back (measured)."""
PUT_BACK_SHAPE = 12
"""Power by which the odds between the two rise with the time: of contacts lost for half a second
there is one in 100,000 (guess)."""
P_OTHER_PIECE = ABSURD
"""A pawn became another piece than its put-backs have chosen (guess)."""
P_NOT_CHOSEN = RARE
"""... and is no queen although nobody has chosen: not everybody knows how (guess)."""
P_EARLY = EVEN
"""The next player's hand is there before the ply has landed (measured, quick hands)."""
P_BACKWARD = RARE
"""The target closed long before the origin opened (guess)."""
P_MINGLED = UNUSUAL
"""A ply is never shown alone: its player lifts another piece, or its reply is there (guess)."""

# ------------------------------------------------------------- what is not finished yet

HOLD_US = 2_000_000
"""Scale of the time for which a piece is held: P(longer than t) = 1 / (1 + t / scale) (guess)."""
P_HELD_FOR_EVER = UNUSUAL
"""... but never less than this: some think with a piece in the hand for minutes (guess)."""
P_ANOTHER_HELD = EVEN
"""One more piece of the same player is in the hand (guess)."""
P_OUT_OF_TURN = SELDOM
"""A piece of the player who is not to move is in the hand, and none can capture it; or a player
moves the piece of their last ply again without the rest that is usual (guess)."""
HANDLING_US = 80_000
"""A stray piece that stays costs one nat in each such time (guess)."""
BORDER_US = 600_000
"""... and one beside a piece that may have been slid half-way costs one in each such time: pieces
rest over a border for milliseconds to seconds (guess)."""
P_HANDLING = ABSURD
"""... but never more than handling does (guess)."""
P_TURNED = UNUSUAL
"""White sits where the board was wired for Black, or where Black sat before (guess)."""
P_BLACK_BEGINS = UNUSUAL
"""A first move from the side wired as Black's is Black's, out of turn (guess)."""

# ------------------------------------------------------------------------ faults of a board

P_DEAD = ABSURD
"""A given switch is stuck. Boards are worse than that; but stray pieces are never less likely
(``P_HANDLING``), so that time alone makes no fault of them (guess)."""
P_BREAKS = RARE
"""... this much rarer where the switch has worked in this game (guess)."""
P_LINE = ABSURD
"""A chip, a row or a wire fails during a game (guess)."""
P_SAME_SCAN = SELDOM
"""Two switches that hands move at about the same time change in the same scan (guess)."""
P_LINE_FOR_DEAD = UNUSUAL
"""A switch is stuck because all of its line is (guess)."""
P_MIRRORED = ABSURD
"""A board is wired with its files the other way round, and nobody has calibrated it (guess)."""
P_SWAPPED = ABSURD
"""Two given wires of it are exchanged (guess)."""
P_REVIVED = RARE
"""A switch that was taken to be stuck works after all (guess)."""
P_UNPROVED = UNUSUAL
"""Each further ply that makes sense leaves so much of the doubt about a fault (guess)."""
P_FALSE_ALARM = RARE
"""A fault is named once it is no more likely than this to be none (guess)."""
P_FALSE_STOP = ABSURD
"""... and a game is stopped for wrong wires, which never mend, only with less doubt (guess)."""
P_PARKED = SELDOM
"""A captured piece is put on an empty square of the board (guess)."""
P_HIDDEN = SELDOM
"""A piece that was lifted goes to a square which no switch shows, and is there by now (guess)."""

# ---------------------------------------------------------------------------- finality

P_MIND = 1 / 100
"""A player changes their mind: puts the piece elsewhere, or takes plies back (guess; learnt)."""
P_CARRIED_ON = 1 / 200
"""A piece touches its square, cannot be slid further, and is not let go all the same (guess;
measured a tenth of that, on hands that are guesses)."""
P_LOW = SELDOM
"""A carried piece comes low over the square before its goal (measured)."""
MIND_US = 450_000
"""Scale of the rest before a mind is changed (measured); its tail falls as ``MIND_SHAPE``."""
MIND_SHAPE = 4.3
"""Power by which that tail falls (measured)."""
P_SLIDE = 0.25
"""A piece is slid rather than carried (guess; learnt)."""
GAP_US = 50_000
"""A slid piece closes no switch for so long between two squares (guess; learnt)."""
CARRY_US = 350_000
"""A carried piece is in the air for so long (guess; learnt)."""
BREADTH = 2.5
"""Power by which the prior of both makes other times rarer (guess)."""
CASTLES = 240.0
"""A king that may castle over a square goes on so much likelier than it stops there (measured)."""
STOP_US = 150_000
"""Mean length of such a stop (guess; learnt)."""
LONG_STOP = 1.5
"""Stops may become so much longer than they were, for safety (guess)."""
P_MORE_TO_COME = EVEN
"""A rook's move was castling, or a new queen is still to be exchanged (guess)."""
P_REPLY_LIFTED = SELDOM
"""What is left of the doubt about a ply once its reply is lifted; and again when it has landed
(guess)."""
REACTION_US = 200_000
"""A hand that moves sooner does not answer what it saw: human reaction time (sheet). Replies that
are lifted too early are so by about as much (measured)."""
P_TRUTH_MISSING = 1e-9
"""The truth is among no hypotheses, in a game that costs what it usually costs (guess)."""


# ------------------------------------------------------------------------- learning

PRIOR = 2
"""What is learnt begins with a prior that counts as so many plies, or stops (guess)."""
PRIOR_NOISE = 20
"""The prior of changes without a cause counts as so many plies (guess)."""
PRIOR_CAPTURES = 100
"""The prior of unseen captures counts as so many captures (guess)."""
USUAL_REST_US = 3_000_000
"""Rest between two plies of a player, at most this long (measured; learnt)."""
HASTE = 3
"""A piece moves on in haste after less than this part of the usual rest (guess)."""
USUAL_PRICE = 2.5
"""What a ply costs, in nats (measured; learnt)."""


def cost(probability: float) -> float:
    """Return the price of something this likely, in nats."""
    return -log(probability)
