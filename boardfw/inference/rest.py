"""When the board last stood still with every piece in its place, and what has happened since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from boardfw.inference.evidence import REST_US, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.rivals import near
from boardfw.inference.tracker import UPSET, Tracker
from boardfw.rules import Move, Piece, Position
from boardfw.rules.move import common
from boardfw.sensing.debounce import Edge
from boardfw.squares import Orientation, Switch

IN_THE_AIR = 3
"""This many pieces in the air are no ply and no take-back: the board is being set up."""
SWEPT = 6
"""This many are not in the air even when both players are at their quickest."""
HANDS_OFF_US = 2_000_000
"""Watched at rest for this long until it is cleared, a board shows what was played, and no held
piece."""
HALF_SEEN = frozenset(
    {Reason.UNTOUCHED, Reason.PUSHED, Reason.BLINKED, Reason.UNWATCHED, Reason.UNSEEN}
)
"""Plies with these may have closed no switch."""


@dataclass(slots=True)
class Clearing:
    """More pieces are off the board than any play lifts: it is cleared or set up."""

    before: Hypothesis
    """The game that was told when that began."""
    has_landed: bool = False
    """Whether a piece has been put down since,"""
    in_hand: list[Switch] = field(default_factory=list)
    """and which have been lifted since the last one."""

    def ends_with(self, edge: Edge, tracker: Tracker) -> bool:
        """Whether with this edge the board is whole again, or played on."""
        now, best = tracker.trace.now, tracker.best
        if self._is_played_on(edge) and best.wrong(now).bit_count() <= UPSET:
            return True
        # The first pieces that come to where they stand at the start are no ply while others are
        # still away.
        wrong = self.before.wrong(now)
        is_nearly_whole = (wrong & self.before.expected).bit_count() < IN_THE_AIR
        return is_nearly_whole and not (wrong & now and best.wrong(now))

    def _is_played_on(self, edge: Edge) -> bool:
        """Whether one piece, or two, have been lifted and one put down elsewhere, as in play.

        Setting up lifts more pieces than that, or takes them from the box.
        """
        if not edge.closed:
            self.in_hand.append(edge.switch)
            return False
        is_ply = self.has_landed and 1 <= len(self.in_hand) < IN_THE_AIR
        is_put_back = self.in_hand == [edge.switch]
        self.has_landed = True
        self.in_hand.clear()
        return is_ply and not is_put_back


class Rest:
    """The last moment at which the board stood as a game had it."""

    def __init__(self, hypothesis: Hypothesis) -> None:
        self.stood: Hypothesis = hypothesis
        """The game that the board showed when it last stood still."""
        self.taken_back: Hypothesis | None = None
        """The same before plies were taken back; None if others have been played since, other than
        such as bring pieces to where they stand at the start."""
        self._most_in_the_air = 0
        self._came_down = 0
        """How often a piece has come down since it stood still."""
        self.clearing: Clearing | None = None
        """None while the board is played on."""
        self._lifted = 0
        """How many more pieces were lifted than put down, since a piece was put down and the hands
        were off the board."""
        self._was_lift = False
        """Whether the last edge was a lift."""

    def before(self, t_us: int, tracker: Tracker) -> None:
        """Take note, before an edge is applied, whether the board was at rest until now."""
        self._watch(t_us, tracker)
        rested_us = t_us - tracker.trace.t_us
        if rested_us >= REST_US:
            self._lifted *= self._was_lift
            hypothesis = self._shown(tracker)
            if hypothesis and not self.clearing and self._is_played(hypothesis, tracker, rested_us):
                self._stand(hypothesis)

    def _shown(self, tracker: Tracker) -> Hypothesis | None:
        """The game that the board shows: exactly, or with one piece still in a hand."""
        settled, best = tracker.trace.now, tracker.best
        for hypothesis in (best, *near(tracker)):
            shows = not hypothesis.wrong(settled) and not hypothesis.owed
            if shows and not self._blames(hypothesis, best):
                return hypothesis
        wrong = best.wrong(settled)
        is_held = wrong.bit_count() <= 1 and not wrong & settled
        return best if is_held and not self._blames(best, best) else None

    def _blames(self, hypothesis: Hypothesis, best: Hypothesis) -> bool:
        """Whether a game other than what stood and was played on blames one more switch.

        With a switch to blame, anything can be read as plies.
        """
        is_other = hypothesis is not best or not hypothesis.begins_with(self.stood.moves)
        return is_other and bool(hypothesis.state.dead & ~self.stood.state.dead)

    def _is_played(self, hypothesis: Hypothesis, tracker: Tracker, rested_us: int) -> bool:
        """Whether pieces have come down often enough for the plies of a game since it stood.

        ``rested_us``: for how long the hands have been off the board. What it has shown for long
        was not undone, where it differs from what stood before, but read wrong on its way.
        """
        best = tracker.best
        kept = common(self.stood.moves, hypothesis.moves)
        if kept == len(self.stood.moves) == len(hypothesis.moves):
            return True
        if (
            rested_us >= HANDS_OFF_US
            and hypothesis is best
            and not (tracker.is_disturbed or hypothesis.wrong(tracker.trace.now))
        ):
            return True
        undone = len(self.stood.moves) - kept
        # A piece that takes another's place at once may come down unseen: its switch blinks.
        came_down = self._came_down + hypothesis.has_blinked
        if rested_us >= HANDS_OFF_US and hypothesis.has_lingered:
            came_down += 1  # its piece had come down before it left, as if to adjust another one
        return came_down >= max(undone, _plies_seen(hypothesis, kept), 1)

    def _stand(self, hypothesis: Hypothesis) -> None:
        """The board has stood still, and shown this game."""
        before = self.taken_back or self.stood
        kept = common(before.moves, hypothesis.moves)
        is_undone = kept < len(before.moves) and came_home(hypothesis, kept)
        self.taken_back = before if is_undone else None
        self.stood = hypothesis
        self._most_in_the_air = self._came_down = 0

    def last(self, hypothesis: Hypothesis, final: tuple[Move, ...]) -> Hypothesis:
        """The game that stood last; ``hypothesis`` cut to its ``final`` plies if newer."""
        if self.stood.begins_with(final):
            return solid(self.stood, len(final))
        known: Hypothesis | None = hypothesis
        while known is not None and known.moves != final:
            known = known.parent
        return known or self.stood

    def watch(self, t_us: int, tracker: Tracker) -> bool:
        """Let time pass; return whether the board is being cleared, beyond any doubt."""
        self._watch(t_us, tracker)
        return (
            self.clearing is not None
            and self._lifted >= SWEPT
            and _vanished(tracker, self.stood) >= SWEPT
        )

    def _watch(self, t_us: int, tracker: Tracker) -> None:
        """A piece that is still away is not merely on its path."""
        least = IN_THE_AIR if t_us - tracker.trace.t_us >= REST_US else SWEPT
        if self._lifted < least:
            return  # nearly always
        if not self.clearing and _vanished(tracker, self.stood) >= least:
            self.clearing = Clearing(tracker.best)

    def after(self, edge: Edge, tracker: Tracker) -> None:
        """Take note of an edge that has been applied."""
        self._came_down += edge.closed
        self._was_lift = not edge.closed
        self._lifted = max(self._lifted + (-1 if edge.closed else 1), 0)
        in_the_air = self.stood.expected.bit_count() - tracker.trace.now.bit_count()
        self._most_in_the_air = max(self._most_in_the_air, in_the_air)
        if self.clearing and self.clearing.ends_with(edge, tracker):
            self.clearing = None

    def abandoned(self, stood: Hypothesis, final: int, *, is_asked: bool) -> Hypothesis:
        """The game as it was when its players stopped, and set the pieces up again.

        ``stood``: as of ``last``; ``is_asked``: they have asked for a new game. Plies that were
        undone last, by putting pieces where they stand at the start and then all the others there
        too, were not taken back; nor was played what has brought a piece there and was not final
        yet. Where the players have asked for a new game, or have cleared the board first, nothing
        that looked like a ply was such a piece.
        """
        before = self.taken_back
        if before:
            kept = common(stood.moves, before.moves)
            is_set_up = kept < len(stood.moves) or left_home(before, kept)
            stood = before if is_set_up and final <= kept else stood
        if is_asked or self.was_set_up:
            return stood
        while len(stood.moves) > final and came_home(stood, len(stood.moves) - 1):
            stood = stood.parent or stood
        return stood

    @property
    def was_set_up(self) -> bool:
        """Whether more pieces have been in the air at once than any play lifts."""
        return self._most_in_the_air >= IN_THE_AIR


def solid(hypothesis: Hypothesis, final: int) -> Hypothesis:
    """The game without unseen captures at its end, but for the first ``final`` plies.

    A piece that is cleared away looks like one that has pushed another piece off its square.
    """
    for before, after in hypothesis.plies_since(final):
        if not _is_unseen_capture(after):
            return after
        hypothesis = before
    return hypothesis


def came_home(hypothesis: Hypothesis, since: int) -> bool:
    """Whether each piece that has moved after so many plies came to where it stands at the
    start."""
    moved = _moved(hypothesis, since)
    return all(_stands_at_start(piece, target) for piece, _, target in moved)


def left_home(hypothesis: Hypothesis, since: int) -> bool:
    """Whether each piece that has moved after so many plies came from where it stands at the start:
    so it does again where they are undone."""
    moved = _moved(hypothesis, since)
    return all(_stands_at_start(piece, origin) for piece, origin, _ in moved)


def _moved(hypothesis: Hypothesis, since: int) -> Iterator[tuple[Piece | None, Switch, Switch]]:
    """Each piece that has moved after so many plies, from which switch to which."""
    for before, after in hypothesis.plies_since(since):
        for origin, target in after.steps(after.moves[-1]):
            yield before.position.piece_at(before.orientation.square(origin)), origin, target


def _stands_at_start(piece: Piece | None, switch: Switch) -> bool:
    """Whether a piece stands over a switch at the start, whichever way round the next game lies."""
    start = Position.start()
    return any(piece == start.piece_at(way.square(switch)) for way in Orientation)


def _vanished(tracker: Tracker, stood: Hypothesis) -> int:
    """How many pieces are off the board, by the hypothesis that misses the fewest of them.

    That includes those that it has captured unseen since it ``stood``, and those on switches that
    it believes to have died since.
    """
    standing = tracker.trace.now
    if not tracker.best.wrong(standing) & tracker.best.expected:
        return 0  # nearly always
    return min(
        (hypothesis.wrong(standing) & hypothesis.expected).bit_count()
        + _unseen_captures(hypothesis, stood)
        + (hypothesis.state.dead & ~stood.state.dead).bit_count()
        for hypothesis in tracker.hypotheses
    )


def _unseen_captures(hypothesis: Hypothesis, since: Hypothesis) -> int:
    """How many unseen captures a game ends with, since it was another one."""
    plies = len(hypothesis.moves) - len(solid(hypothesis, len(since.moves)).moves)
    return max(plies, 0)


def _plies_seen(hypothesis: Hypothesis, since: int) -> int:
    """How many plies of a game after these have put a piece down on a switch that works."""
    return sum(
        not any(finding.reason in HALF_SEEN for finding in ply.state.found)
        for _, ply in hypothesis.plies_since(since)
    )


def _is_unseen_capture(hypothesis: Hypothesis) -> bool:
    is_untouched = any(finding.reason is Reason.UNTOUCHED for finding in hypothesis.state.found)
    return is_untouched and not hypothesis.has_blinked
