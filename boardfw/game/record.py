"""The record of one game, written by its ``Recorder`` alone; what was undone stays as history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from boardfw.game.clock import TimeControl, format_control
from boardfw.game.file_annotations import add_annotations
from boardfw.notation.fen import format_fen
from boardfw.notation.opening_names import opening_of
from boardfw.notation.pgn import Game, Spot
from boardfw.notation.pgn.tags import OPENING_TAGS
from boardfw.notation.san import numbered_san
from boardfw.rules.move import Move
from boardfw.rules.outcome import Outcome
from boardfw.rules.position import Position

MS_US = 1000
TERMINATIONS = {"time": "time forfeit", "abandoned": "abandoned"}
"""How a game ended, in PGN's words; all other ends are normal."""


@dataclass(frozen=True, slots=True)
class Undone:
    """Plies that stood after ``ply`` and were taken back or replaced at ``t_us``."""

    t_us: int
    ply: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Ruled:
    """An arbiter has made a decision about the game."""

    t_us: int
    ply: int
    """The ply after which it is told; 0: before the first."""
    who: str
    why: str
    what: str
    """The decision in words, with the plies that stood there before."""

    @property
    def told(self) -> str:
        """All of it in one line."""
        return f"{self.what}, by {self.who}: {self.why}"


class ClockSet(NamedTuple):
    """An arbiter has set the clocks."""

    presses: int
    """How often the clock had been pressed by then."""
    left_us: tuple[int, int]
    """White's time and Black's."""
    periods: tuple[int, int]
    """Periods of byo-yomi that they have left."""


class PlyTime(NamedTuple):
    """Times of a ply. A game from a file may lack either, which is None then."""

    left_us: int | None
    """What the mover's clock showed when it was pressed."""
    took_us: int | None

    @classmethod
    def of_ms(cls, left_ms: int | None, took_ms: int | None) -> PlyTime:
        """The same times in milliseconds."""
        return cls(*(None if time is None else time * MS_US for time in (left_ms, took_ms)))

    @property
    def left_ms(self) -> int | None:
        """What the mover's clock showed, in milliseconds."""
        return None if self.left_us is None else self.left_us // MS_US

    @property
    def took_ms(self) -> int | None:
        """How long the ply took, in milliseconds."""
        return None if self.took_us is None else self.took_us // MS_US


UNTIMED = PlyTime(None, None)


@dataclass(slots=True)
class Record:
    """One game as it stands now, and what it was before."""

    start: Position
    started_us: int
    moves: tuple[Move, ...] = ()
    times_us: tuple[int, ...] = ()
    """When each ply became known."""
    outcome: Outcome | None = None
    history: list[Undone] = field(default_factory=list)
    control: TimeControl | None = None
    """The time control agreed on; None if they play without a clock."""
    ply_times: tuple[PlyTime, ...] = ()
    """Times of each ply, as far as the clock was pressed, or as a file has them."""
    rulings: list[Ruled] = field(default_factory=list)
    """What arbiters have decided, in its order."""
    clock_sets: tuple[ClockSet, ...] = ()
    annotations: Game | None = None
    """What the file of an imported game says about its moves; None: nothing."""
    let_stand: frozenset[tuple[Move, ...]] = frozenset()
    """Games up to a ply against the rules that an arbiter has let stand."""

    @property
    def illegal(self) -> frozenset[int]:
        """Indices of the plies that were against the rules and stand.

        Also of those that were taken back and are there again after all.
        """
        stand = (game for game in self.let_stand if self.moves[: len(game)] == game)
        return frozenset(len(game) - 1 for game in stand)

    @property
    def took_us(self) -> tuple[int, ...]:
        """How long each ply took that was pressed on the clock."""
        return tuple(time.took_us for time in self.ply_times if time.took_us is not None)

    def positions(self) -> list[Position]:
        """The positions of the mainline, the start first."""
        positions = [self.start]
        for move in self.moves:
            positions.append(positions[-1].play_unchecked(move))
        return positions

    def to_pgn(self, tags: dict[str, str]) -> Game:
        """The game with its tags, times and annotations, taken-back plies as comments.

        The opening is added if no tag names it. PGN cannot hold a move against the rules: the game
        is written from behind the last one, and what was played before is told in words.
        """
        result = self.outcome.result if self.outcome else "*"
        positions = self.positions()
        begin = max(self.illegal, default=-1) + 1
        game = Game(dict(tags), positions[begin], self.moves[begin:], result)
        if not tags.keys() & OPENING_TAGS and (opening := opening_of(positions)):
            game.tags |= opening.tags
        how = self.outcome.termination if self.outcome else ""
        if how:  # the end of a game from a file is known from its tags alone
            game.tags["Termination"] = TERMINATIONS.get(how, "normal")
        if self.control is not None:
            game.tags["TimeControl"] = format_control(self.control)
        for node, time in zip(game.mainline(), self.ply_times[begin:], strict=False):
            node.elapsed_ms, node.clock_ms = time.took_ms, time.left_ms
        if self.annotations is not None and not begin:
            add_annotations(game, self.annotations)
        spots: list[Spot] = [game, *game.mainline()]
        if begin:
            game.comments += (self._played_before(begin),)
        for ply, comment in self._comments(positions):
            spots[min(max(ply - begin, 0), len(spots) - 1)].comments += (comment,)
        return game

    def _played_before(self, begin: int) -> str:
        start = "" if self.start == Position.start() else f"from {format_fen(self.start)} "
        positions = self.positions()
        against = [
            numbered_san(positions[ply], self.moves[ply : ply + 1]) for ply in sorted(self.illegal)
        ]
        text = numbered_san(self.start, self.moves[:begin])
        return f"played before: {start}{text}; against the rules: {' '.join(against)}"

    def _comments(self, positions: list[Position]) -> Iterator[tuple[int, str]]:
        """What is said after a ply (0 = before the first)."""
        for undone in self.history:
            if undone.ply < len(positions) and _legal_from(positions[undone.ply], undone.moves):
                text = numbered_san(positions[undone.ply], undone.moves)
                yield undone.ply, f"taken back: {text}"
        for ruled in self.rulings:
            yield ruled.ply, ruled.told


def _legal_from(position: Position, moves: tuple[Move, ...]) -> bool:
    """Whether the plies are still legal there: the plies before them may have been amended."""
    for move in moves:
        if move not in position.legal_moves():
            return False
        position = position.play_unchecked(move)
    return True
