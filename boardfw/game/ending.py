"""How a game ends: by the rules, by the kings shown in the centre, or by a button."""

from __future__ import annotations

from typing import TypeAlias

from boardfw.game.events import Action, Claimed, Offered
from boardfw.game.final import SLID_US, made, wait_us
from boardfw.game.record import Record
from boardfw.inference.choice import open_until_us
from boardfw.inference.evidence import PATIENCE_US
from boardfw.inference.hypothesis import Line
from boardfw.inference.kings_result import (
    before_kings,
    comes_to_the_centre,
    is_kings_step,
    kings_result,
    lifts_first_king,
)
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move, Outcome
from boardfw.rules.board import BLACK, WHITE
from boardfw.rules.claim import can_claim, claims, stood_after
from boardfw.rules.move import alike, common
from boardfw.rules.outcome import DRAW, outcome, resigned
from boardfw.rules.position import Key
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import distance

AUTOMATIC = frozenset(
    {
        "checkmate",
        "stalemate",
        "insufficient_material",
        "dead_position",
        "fivefold_repetition",
        "seventyfive_moves",
    }
)
"""Ends that the rules decide; they are undone when their last ply is. All others people decide."""
RESIGNATIONS = {"resign_white": WHITE, "resign_black": BLACK}
Said: TypeAlias = tuple[list[Action], Outcome | None]
"""What is to be said, and the end of the game, if it is one."""


PLAYED_ON = 4
"""Plies that have become final after an end was taken back: the game goes on, nobody sets up."""


ROOM_US = 3_000_000
"""A piece that makes room for a king leaves no longer than this before a king is lifted."""


class Ending:
    """How one game has ended, if it has."""

    def __init__(self) -> None:
        self.line: Line | None = None
        """The game as it was when it ended; None: it goes on."""
        self.is_decided = False
        """Whether people have ended it: then nothing more is recorded."""
        self._claimed: tuple[Move, ...] | None = None
        """The game as it was when a draw was claimed with the move to come."""
        self._told: tuple[Move, ...] = ()
        """The game that was told when the first king was lifted,"""
        self._touched_us = 0
        """and when that was."""
        self._judged: tuple[Line, int, bool, bool] | None = None
        self._by_rules: tuple[Line, Outcome | None] | None = None

    def touch(self, edge: Edge, tracker: Tracker, told: tuple[Move, ...]) -> None:
        """A switch is about to change, and so far this game was told."""
        if lifts_first_king(tracker.best, edge, tracker.trace):
            self._told, self._touched_us = told, edge.t_us

    def is_ending(self, tracker: Tracker, told: tuple[Move, ...]) -> bool:
        """Whether the game that is told has ended, or the kings may be about to show its end."""
        return self.stands(told) or any(
            alike(line.moves, told) and comes_to_the_centre(line, tracker.trace)
            for line in tracker.lines
        )

    def shown(
        self, t_us: int, tracker: Tracker, stood: Line, final: tuple[Move, ...]
    ) -> Outcome | None:
        """How the board, at rest, shows the game to have ended: asked once as it stands so.

        ``stood``: the game that it showed at rest before; ``final``: the plies that are final.
        """
        line, trace = tracker.best, tracker.trace
        choosing_us = open_until_us(line, trace)
        is_chosen = choosing_us is None or choosing_us <= t_us
        is_long = t_us - trace.t_us >= PATIENCE_US
        judged = (line, trace.t_us, is_chosen, is_long)
        if judged == self._judged:
            return None
        self._judged = judged
        kings = self._shown_by_kings(tracker, stood, final)
        if kings is not None:
            tracker.decide(kings[0])
            return kings[1]
        return self._automatic(line) if is_chosen else None

    def _shown_by_kings(
        self, tracker: Tracker, stood: Line, final: tuple[Move, ...]
    ) -> tuple[Line, Outcome] | None:
        """The game whose result the kings show, and that result.

        It tells all ``final`` plies, and blames no switch without need. A step on the way to the
        centre that was taken for a king's move is none, unless it is final.
        """
        shown = []
        for line in dict.fromkeys((tracker.best, *tracker.lines)):  # handling may outbid the best
            is_odd = line is not tracker.best and not line.has_told()
            if line.owed or is_odd or not line.begins_with(final):
                continue
            before = before_kings(line, tracker.trace)
            results = (
                kings_result(one, tracker.trace, tracker.now_us) for one in (line, before) if one
            )
            if result := next(filter(None, results), None):
                game = _without_kings_steps(line, stood, len(final), tracker.trace)
                shown.append((game, Outcome(result, "kings")))
        return max(
            shown,
            key=lambda one: (-one[0].ledger.dead.bit_count(), self._was_played(one[0])),
            default=None,
        )

    def _was_played(self, line: Line) -> int:
        """How well a game agrees with what was told before the kings were touched.

        Of games that agree alike the most credible one counts.
        """
        told = self._told
        if len(line.moves) == len(told) + 1 and line.begins_with(told):
            # Who makes room for a king goes on with it; who has taken somebody unseen does not.
            return 2 if line.ledger.left_us + ROOM_US < self._touched_us else 0
        return int(line.moves == told)

    def _automatic(self, line: Line) -> Outcome | None:
        """``automatic_end``, asked once for each line: the board rests many times in between."""
        if self._by_rules is None or self._by_rules[0] is not line:
            self._by_rules = line, automatic_end(line)
        return self._by_rules[1]

    def press(self, t_us: int, button: str, record: Record, line: Line) -> Said:
        """What is to be said of a button, and the end that it puts to the game, if it does."""
        if button in RESIGNATIONS:
            return [], resigned(RESIGNATIONS[button], line.position)
        if button == "draw":
            agreed = record.draw_offered(len(line.moves))
            return [] if agreed else [Offered(t_us)], agreed
        if button == "claim":
            claimed = claim(t_us, line, may_move=True)
            self._claimed = line.moves if claimed.awaits_move else None
            return _answered(claimed)
        return [], None

    def judge_claim(self, t_us: int, line: Line, final: int) -> Said:
        """The same of a claim with the move to come, once that is final.

        The claim is void where the plies before it were taken back and others played.
        """
        before = self._claimed
        if before is None or final <= len(before):
            return [], None
        self._claimed = None
        if line.moves[: len(before)] != before:
            return [], None
        return _answered(claim(t_us, _after(line, len(before) + 1)))

    @property
    def by_rules(self) -> Line | None:
        """The game as it was when the rules ended it, unless people have decided it since."""
        return None if self.is_decided else self.line

    def enter(self, line: Line, outcome: Outcome) -> None:
        """The game has ended so."""
        self.line, self.is_decided = line, is_decision(outcome)

    def stands(self, moves: tuple[Move, ...]) -> bool:
        """Whether the game has ended and nobody has played on."""
        return self.line is not None and moves == self.line.moves

    def is_undone(self, moves: tuple[Move, ...]) -> bool:
        """Whether the ply that ended the game was taken back."""
        return self.line is not None and moves[: len(self.line.moves)] != self.line.moves

    def play_on(self, moves: tuple[Move, ...], final: int) -> None:
        """So many plies are final: forget an end after which play has long gone on."""
        if self.line is not None and final >= common(moves, self.line.moves) + PLAYED_ON:
            self.line = None


def is_decision(outcome: Outcome) -> bool:
    """Whether people have ended a game so, and not the rules."""
    return outcome.termination not in AUTOMATIC


def _without_kings_steps(line: Line, stood: Line, final: int, trace: Trace) -> Line:
    """The game without king's moves at its end that may have been on the way to the centre."""
    while line.parent is not None and len(line.moves) > final:
        has_stood = stood.begins_with(line.moves) and not _went_on(line, trace)
        if not is_kings_step(line, has_stood=has_stood):
            break
        line = line.parent
    return line


def _went_on(line: Line, trace: Trace) -> bool:
    """Whether the piece of the last ply was slid on to the next square before it could be final."""
    square, landed_us, wait = line.moves[-1].target, line.ledger.landed_us, wait_us(made(line))
    left_us = trace.opened_next(line.switch(square), landed_us)
    if left_us is None or wait is None or left_us - landed_us >= wait:
        return False
    beside = (s for s in range(64) if distance(s, square) == 1)
    closed = (trace.closed(line.switch(s), landed_us) for s in beside)
    return any(closed_us is not None and closed_us - left_us < SLID_US for closed_us in closed)


def automatic_end(line: Line) -> Outcome | None:
    """The end that the rules put to this game without anybody's claim."""
    return outcome(line.position, _earlier(line))


def _answered(claimed: Claimed) -> Said:
    return [claimed], Outcome(DRAW, claimed.kind) if claimed.kind else None


def claim(t_us: int, line: Line, *, may_move: bool = False) -> Claimed:
    """What a claim to a draw is worth, as the board stands; or whether a move may yet back it."""
    position, earlier = line.position, _earlier(line)
    backed = claims(position, earlier)
    first = len(line.moves) - len(earlier)
    stood = (*stood_after(position, earlier), len(earlier))
    kind = backed[0].kind if backed else ""
    plies = tuple(first + ply for ply in stood)
    awaits_move = may_move and not kind and can_claim(position, earlier)
    return Claimed(t_us, kind, plies, position.halfmove_clock, awaits_move)


def _after(line: Line, plies: int) -> Line:
    """The game as it was after so many plies, or as it is where it has fewer."""
    while line.parent is not None and len(line.moves) > plies:
        line = line.parent
    return line


def _earlier(line: Line) -> list[Key]:
    """Repetition keys of the positions that may have come again in the last, oldest first."""
    keys: list[Key] = []
    ancestor = line.parent
    while ancestor is not None and len(keys) < line.position.halfmove_clock:
        keys.append(ancestor.position.key)
        ancestor = ancestor.parent
    return keys[::-1]
