"""The rivals of the best game, and the question to the players when several are equally credible.

When several games explain the board equally well, the board asks instead of guessing.
"""

from __future__ import annotations

import operator

from boardfw.game.events import Action, Asked
from boardfw.inference.evidence import EQUAL, PATIENCE_US, RIVAL, RIVAL_OF_FINAL, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move
from boardfw.rules.move import common
from boardfw.sensing.debounce import Blip, Edge
from boardfw.squares import Switch


def near(tracker: Tracker, margin: float = RIVAL) -> list[Hypothesis]:
    """The hypotheses alive whose score is this near to the best one's, itself among them."""
    least = tracker.score_of(tracker.best) - margin
    return [
        hypothesis for hypothesis in tracker.hypotheses if tracker.score_of(hypothesis) >= least
    ]


def rivals(tracker: Tracker, margin: float = RIVAL) -> list[Hypothesis]:
    """Hypotheses that differ in the plies so far and are nearly as credible as the best."""
    told = tracker.best.moves
    return [hypothesis for hypothesis in near(tracker, margin) if not hypothesis.begins_with(told)]


def opposed(tracker: Tracker) -> bool:
    """Whether another game is too near for the last ply to be final.

    Games that differ only in what a pawn became do not count: put-backs decide that.
    """
    others = rivals(tracker, RIVAL_OF_FINAL)
    if not others:
        return False  # nearly always
    if tracker.best.is_told and tracker.now_us - tracker.trace.t_us >= PATIENCE_US:
        return bool(rivals_at_last(tracker))
    told = tracker.best.moves
    return contested(tracker) or any(
        not _by_the_same_hands(hypothesis.moves, told) for hypothesis in others
    )


def rivals_at_last(tracker: Tracker) -> list[Hypothesis]:
    """The rivals of a ply that the opponent who is to reply has to be told of.

    No reply will confirm it, so it is held against those only that are as long and want no piece
    to be moved yet: in the others one has been in a hand for longer than anybody thinks with it.
    What a pawn became is then what the put-backs have chosen.
    """
    told = tracker.best.moves
    return [
        one
        for one in rivals(tracker)
        if len(one.moves) == len(told) and not one.owed and not _by_the_same_hands(one.moves, told)
    ]


def same_hands(one: Move, other: Move) -> bool:
    """Whether two moves are the same by hand, whatever a pawn becomes."""
    return one is other or (one.steps(), one.captured) == (other.steps(), other.captured)


def _by_the_same_hands(moves: tuple[Move, ...], told: tuple[Move, ...]) -> bool:
    return len(moves) >= len(told) and all(map(same_hands, moves, told))


def told_alike(tracker: Tracker, told: tuple[Move, ...], final: int) -> int:
    """How many plies of ``told`` are the same in every game alive, beyond those that are final.

    Only a rival has to agree in what a pawn becomes as well.
    """
    near, fewest = rivals(tracker), len(told)
    for hypothesis in tracker.hypotheses:
        same = operator.is_ if hypothesis in near else same_hands
        alike, most = final, min(fewest, len(hypothesis.moves))
        while alike < most and same(told[alike], hypothesis.moves[alike]):
            alike += 1
        fewest = alike
    return fewest


def contested(tracker: Tracker) -> bool:
    """Whether the best hypothesis has a rival."""
    return bool(rivals(tracker))


class Question:
    """What is being asked at the moment."""

    def __init__(self) -> None:
        self.candidates: tuple[Move, ...] = ()
        """The moves among which the players are asked to choose; empty if nothing is asked."""
        self._ply = 0
        """Which ply is asked about, 0 = the first."""
        self._touched: set[Switch] = set()
        """Switches that have answered: a piece fidgeted with answers once."""

    def watch(self, t_us: int, tracker: Tracker, final: int) -> list[Action]:
        """At rest, ask if there is a new question.

        The first ``final`` plies are not asked about any more.
        """
        games = _equals(tracker)
        if len(games) == 1 and not self.candidates:
            return []  # nearly always
        self._ply = min((common(games[0].moves, game.moves) for game in games[1:]), default=0)
        is_open = len(games) > 1 and self._ply >= final
        moves = {game.moves[self._ply] for game in games} if is_open else set()
        candidates = tuple(sorted(moves, key=lambda move: move.uci()))
        if candidates == self.candidates:
            return []
        self.candidates = candidates
        self._touched.clear()
        return [Asked(t_us, tuple(move.uci() for move in candidates))] if candidates else []

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


def is_guessed(hypothesis: Hypothesis) -> bool:
    """Whether the last ply is a capture supported by nothing but its likelihood.

    Its square never opened, and its piece may be in a hand; later play or an answer decides.
    """
    answered = any(finding.reason is Reason.ANSWERED for finding in hypothesis.state.found)
    return hypothesis.is_unseen and not (answered or is_chosen(hypothesis))


def is_chosen(hypothesis: Hypothesis) -> bool:
    """Whether players have chosen the last ply by a button, asked which one it was."""
    return any(finding.reason is Reason.CHOSEN for finding in hypothesis.state.found)


def rival_captures(tracker: Tracker) -> list[Hypothesis]:
    """The games in which the piece of the last ply has captured another piece instead."""
    best = tracker.best
    return [
        one
        for one in tracker.hypotheses
        if len(one.moves) == len(best.moves)
        and one.parent is best.parent
        and one.moves[-1].origin == best.moves[-1].origin
        and one.moves[-1].captured not in (None, best.moves[-1].captured)
    ]


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
