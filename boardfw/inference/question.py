"""The question to the players: which of several games was it?

When several games explain the board equally well, the board asks instead of guessing.
"""

from __future__ import annotations

from boardfw.inference.evidence import EQUAL, PATIENCE_US, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.rivals import is_guessed, near, rival_captures, rivals_at_last, same_hands
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move
from boardfw.rules.move import common
from boardfw.sensing.debounce import Blip, Edge
from boardfw.squares import Switch


class Question:
    """What is being asked at the moment."""

    def __init__(self) -> None:
        self.candidates: tuple[Move, ...] = ()
        """The moves among which the players are asked to choose; empty if nothing is asked."""
        self._ply = 0
        """Which ply is asked about, 0 = the first."""
        self._touched: set[Switch] = set()
        """Switches that have answered: a piece fidgeted with answers once."""

    def watch(self, tracker: Tracker, final: int) -> None:
        """Find out, at rest, what has to be asked.

        The first ``final`` plies are not asked about any more.
        """
        games = _equals(tracker)
        if len(games) == 1 and not self.candidates:
            return  # nearly always
        self._ply = min((common(games[0].moves, game.moves) for game in games[1:]), default=0)
        is_open = len(games) > 1 and self._ply >= final
        moves = {game.moves[self._ply] for game in games} if is_open else set()
        candidates = tuple(sorted(moves, key=lambda move: move.uci()))
        if candidates != self.candidates:
            self.candidates = candidates
            self._touched.clear()

    def answer(self, index: int, tracker: Tracker) -> None:
        """The players have chosen a candidate, 0 = the first; there may be fewer."""
        if index < len(self.candidates):
            chosen = self.candidates[index]
            games = [
                hypothesis
                for hypothesis in tracker.hypotheses
                if self._move_of(hypothesis) == chosen
            ]
            for game in games:
                *_, (_, asked) = game.plies_since(self._ply)
                asked.state.note(Reason.CHOSEN)
            if games:
                tracker.keep([game.with_state(game.state) for game in games])
            self.candidates = ()

    def touch(self, known: Edge | Blip, tracker: Tracker) -> None:
        """A piece lifted from a lit square answers, unless it goes on to make a reply."""
        if isinstance(known, Blip) or known.closed or known.switch in self._touched:
            return
        for hypothesis in tracker.hypotheses:
            if self._is_asked_about(hypothesis, known.switch):
                hypothesis.state.note(Reason.ANSWERED, known.switch, known.t_us)
        self._touched.add(known.switch)

    def _is_asked_about(self, hypothesis: Hypothesis, switch: Switch) -> bool:
        """Whether the piece over a switch is the one that came there by a move asked about."""
        move = self._move_of(hypothesis)
        if (
            move is None
            or move not in self.candidates
            or switch not in [target for _, target in hypothesis.steps(move)]
            or any(same_hands(other, move) for other in self.candidates if other != move)
        ):
            return False  # what a pawn became, no lift can say
        return not any(
            later.touched >> move.target & 1 for later in hypothesis.moves[self._ply + 1 :]
        )

    def _move_of(self, hypothesis: Hypothesis) -> Move | None:
        return hypothesis.moves[self._ply] if self._ply < len(hypothesis.moves) else None


def _equals(tracker: Tracker) -> list[Hypothesis]:
    """The best game and those of the same length that are as credible.

    Before an opponent that is not at the board is told of a capture that was not seen, all that the
    piece may have captured instead count: nothing else will decide between them.
    """
    best = tracker.best
    others = [
        hypothesis
        for hypothesis in near(tracker, EQUAL)
        if not hypothesis.owed
        and len(hypothesis.moves) == len(best.moves)
        and hypothesis.moves != best.moves
    ]
    at_last: list[Hypothesis] = []
    if best.is_told and tracker.now_us - tracker.trace.t_us >= PATIENCE_US:
        others = at_last = rivals_at_last(tracker)
    if best.is_told and is_guessed(best):
        captures = rival_captures(tracker)
        others = [*captures, *(one for one in at_last if one not in captures)]
    return [best, *others]
