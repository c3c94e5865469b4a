"""What an arbiter's decision makes of a game, computed from the game before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from boardfw.errors import NotationError
from boardfw.game.clock import SECOND_US
from boardfw.game.ending import AUTOMATIC
from boardfw.game.record import Record
from boardfw.game.rulings.decision import ClocksSet, Decision, Replaced, ResultSet
from boardfw.notation.game_text import parse_either
from boardfw.notation.san import format_san, move_number, numbered_san
from boardfw.notation.unlawful import format_unlawful, parse_unlawful
from boardfw.rules import Move, Outcome, Position
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.outcome import outcome
from boardfw.rules.setup import Setup

_One = TypeVar("_One")


class Splice(NamedTuple):
    """From index ``at`` on, ``gone`` plies are replaced by ``new`` ones."""

    at: int
    gone: int
    new: int

    def of(self, values: Sequence[_One], fill: _One) -> tuple[_One, ...]:
        """The same change to values that belong to the plies one by one."""
        return (*values[: self.at], *(fill,) * self.new, *values[self.at + self.gone :])

    def pressed(self, took_us: Sequence[int]) -> tuple[int, ...]:
        """The same for times of plies: a corrected ply keeps its time, an added one takes none."""
        if len(took_us) < self.at:
            return tuple(took_us)
        there = tuple(took_us[self.at : self.at + self.gone])
        kept = (*there, *(0,) * (self.new - self.gone))[: self.new]
        return (*took_us[: self.at], *kept, *took_us[self.at + self.gone :])


@dataclass(frozen=True, slots=True)
class Judged:
    """The game as it is after a decision."""

    what: str
    """The decision in words."""
    ply: int
    """The ply after which it is told; 0: before the first."""
    moves: tuple[Move, ...]
    illegal: frozenset[int]
    splice: Splice
    outcome: Outcome | None
    left_us: tuple[int | None, int | None] = (None, None)
    """What the clocks show from now on; None leaves a clock unchanged."""


@dataclass(slots=True)
class _Played:
    """Moves played one after the other from a position, legal or not."""

    position: Position
    moves: list[Move] = field(default_factory=list)
    illegal: set[int] = field(default_factory=set)

    def play(self, move: Move) -> None:
        """Add a move; one made from a position against the rules counts as illegal as well."""
        if not _is_sound(self.position) or move not in self.position.legal_moves():
            self.illegal.add(len(self.moves))
        self.moves.append(move)
        self.position = self.position.play_unchecked(move)


def judge(record: Record, decision: Decision) -> Judged:
    """The game after this decision. Raises NotationError, one sentence, if it is impossible."""
    if isinstance(decision, ClocksSet):
        return _judge_clocks(record, decision)
    if isinstance(decision, ResultSet):
        return _judge_result(record, decision.outcome)
    splice = _splice(record, decision)
    positions = record.positions()
    played = _Played(positions[splice.at])
    for text in decision.moves:
        _play(played, text, decision)
    if not (decision.is_lawful or played.illegal):
        raise NotationError(f"{' '.join(decision.moves)}: legal; leave out 'illegal'")
    given = tuple(played.moves)
    tail, against = _tail(record, positions, splice, played.position)
    moves = (*record.moves[: splice.at], *given, *tail)
    if moves == record.moves:
        raise NotationError(f"{numbered_san(positions[splice.at], given)} is already recorded")
    illegal = frozenset(
        {
            *(ply for ply in record.illegal if ply < splice.at),
            *(splice.at + index for index in played.illegal),
            *against,
        }
    )
    _check_stands(record.start, moves, illegal)
    gone = record.moves[splice.at : splice.at + splice.gone]
    what = _in_words(positions[splice.at], gone, given, is_lawful=decision.is_lawful)
    ply = splice.at + bool(given)
    return Judged(what, ply, moves, illegal, splice, _outcome(record, moves))


def _splice(record: Record, decision: Replaced) -> Splice:
    there, at = len(record.moves), decision.first - 1
    last = there + bool(decision.moves)
    if not 1 <= decision.first <= last:
        plies = f"plies, up to {move_number(record.start, there)}" if there else "plies"
        raise NotationError(
            f"ply {decision.first} ({move_number(record.start, decision.first)}) is not in the "
            f"game: it has {there} {plies}"
            if decision.first > 0
            else f"the game begins with {move_number(record.start)}: nothing is before it"
        )
    gone = there - at if decision.plies is None else min(decision.plies, there - at)
    return Splice(at, gone, len(decision.moves))


def _play(played: _Played, text: str, decision: Replaced) -> None:
    try:
        move = parse_either(played.position, text)
    except NotationError:
        if decision.is_lawful:
            raise
        move = parse_unlawful(played.position, text)
    played.play(move)


def _check_stands(start: Position, moves: tuple[Move, ...], illegal: frozenset[int]) -> None:
    """Raises NotationError if no game can go on after the last move against the rules."""
    if not illegal:
        return
    position, last = start, max(illegal)
    for move in moves[: last + 1]:
        position = position.play_unchecked(move)
    if problems := _setup(position).problems():
        raise NotationError(
            f"{move_number(start, last + 1)}{moves[last].uci()} cannot stand: {problems[0].text}; "
            "if play has gone on since, add the moves until the position is sound again"
        )


def _is_sound(position: Position) -> bool:
    """Whether the rules accept it: the side that has moved is not in check."""
    return not position.attackers(position.king(1 - position.turn), position.turn)


def _setup(position: Position) -> Setup:
    names = Setup._fields
    return Setup(*(getattr(position, name) for name in names))


def _tail(
    record: Record, positions: list[Position], splice: Splice, position: Position
) -> tuple[tuple[Move, ...], set[int]]:
    """The plies behind, as they are now: the same squares, read in the new position."""
    played = _Played(position)
    begin = splice.at + splice.gone
    shift = splice.new - splice.gone
    for ply in range(begin, len(record.moves)):
        move = _again(played.position, record.moves[ply], ply in record.illegal)
        if move is None:
            number = move_number(record.start, ply + 1 + shift)
            san = format_san(positions[ply], record.moves[ply])
            raise NotationError(
                f"after that {number}{san}, as recorded, is no legal move; say what was played "
                "there too, or drop the plies from there on"
            )
        played.play(move)
    return tuple(played.moves), {begin + shift + index for index in played.illegal}


def _again(position: Position, move: Move, is_illegal: bool) -> Move | None:
    """The move with the same steps in another position; None if there is none."""
    text = format_unlawful(move) if is_illegal else move.uci()
    try:
        return parse_unlawful(position, text) if is_illegal else parse_either(position, text)
    except NotationError:
        return None


def _in_words(
    before: Position, gone: tuple[Move, ...], given: tuple[Move, ...], *, is_lawful: bool
) -> str:
    old, new = numbered_san(before, gone), numbered_san(before, given)
    if not given:
        return f"{old} dropped"
    against = "" if is_lawful else ", against the rules"
    return f"{new}{against and against + ','} instead of {old}" if gone else f"{new} added{against}"


def _outcome(record: Record, moves: tuple[Move, ...]) -> Outcome | None:
    """The outcome: a decision of the players stays, the rules are applied to the new moves."""
    if record.outcome is not None and record.outcome.termination not in AUTOMATIC:
        return record.outcome
    positions = [record.start]
    for move in moves:
        positions.append(positions[-1].play_unchecked(move))
    *earlier, last = positions
    return outcome(last, [position.key for position in earlier])


def _judge_clocks(record: Record, decision: ClocksSet) -> Judged:
    if record.control is None:
        raise NotationError("the game is played without a clock")
    plies = len(record.moves)
    told = [
        f"{COLOR_NAMES[color]}'s clock set to {_hours(left_us)}"
        for color, left_us in enumerate(decision.left_us)
        if left_us is not None
    ]
    is_time = record.outcome is not None and record.outcome.termination == "time"
    ended = None if is_time else record.outcome
    if ended is not None:
        raise NotationError("the game has ended; its clocks cannot be set any more")
    return Judged(
        ", ".join(told),
        plies,
        record.moves,
        record.illegal,
        Splice(plies, 0, 0),
        None,
        decision.left_us,
    )


def _judge_result(record: Record, ended: Outcome | None) -> Judged:
    if record.outcome is not None and record.outcome.termination in AUTOMATIC:
        raise NotationError("the rules have ended this game; correct its moves if it was not so")
    if ended == record.outcome:
        raise NotationError("this is the result already" if ended else "the game has not ended")
    what = f"{ended.result}, {ended.termination}" if ended else "the game has not ended"
    plies = len(record.moves)
    return Judged(what, plies, record.moves, record.illegal, Splice(plies, 0, 0), ended)


def _hours(left_us: int) -> str:
    minutes, seconds = divmod(left_us // SECOND_US, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
