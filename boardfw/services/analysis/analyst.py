"""An engine that weighs positions, each within a bound of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from boardfw.errors import ConfigError, NotationError, ServiceError
from boardfw.notation.uci import format_uci, parse_uci
from boardfw.rules import Move, Position
from boardfw.services.analysis.judgement import winning_chance
from boardfw.services.opponents import INSTALL, OWN, Wish, missing
from boardfw.services.uci.commands import Go, SetPosition, needs_chess960
from boardfw.services.uci.conversation import Search
from boardfw.services.uci.engine import Broken, Engine
from boardfw.services.uci.engine_player import unlimited
from boardfw.services.uci.program import find_program, usual_program
from boardfw.services.uci.replies import Info, Score

TRIES = 2
"""An answer that did not come is asked for once more."""
SLOWEST_NPS = 10_000
"""Nodes a second of the slowest machine that is waited for; a search beyond that is cut short."""
LEAST_US = 2_000_000

MATED, DRAWN = Score(mate=0), Score(cp=0)


class Weighed(NamedTuple):
    """What a position, or a move in it, was found to be worth for the side to move."""

    score: Score
    line: tuple[Move, ...]
    """The best that both can do, as far as it was looked; empty: there is no legal move."""

    @property
    def chance(self) -> float:
        """To win, 0..1."""
        return winning_chance(self.score)


class Analyst:
    """Weighs positions; to be made and used in a running loop, and closed."""

    def __init__(self, command: Sequence[str], name: str, wish: Wish | None = None) -> None:
        """``wish``: threads, hash and options of the engine; None: as the machine has."""
        wish = wish or Wish()
        options = wish.engine_options()
        self._engine = Engine(command, name, options=options, patience=wish.patience)

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        return self._engine.name

    async def weigh(
        self, start: Position, moves: tuple[Move, ...], nodes: int, only: Move | None = None
    ) -> Weighed:
        """The position after these moves; with ``only``, what this move is worth there.

        Raises ServiceError if the engine fails twice.
        """
        moves_asked = () if only is None else (only,)
        time_us = LEAST_US + nodes * 1_000_000 // SLOWEST_NPS
        lines = await self._search(start, moves, Go(nodes=nodes), time_us, moves_asked, 1)
        return lines[0] if lines else _ended(_after(start, moves))

    async def best(
        self, start: Position, moves: tuple[Move, ...], nodes: int, count: int
    ) -> list[Weighed]:
        """The best moves after these, up to ``count``, the best first. Raises ServiceError."""
        time_us = LEAST_US + nodes * 1_000_000 // SLOWEST_NPS
        return await self._search(start, moves, Go(nodes=nodes), time_us, (), count)

    async def quickly(
        self,
        start: Position,
        moves: tuple[Move, ...],
        bounds: tuple[int, int],
        among: tuple[Move, ...] = (),
    ) -> list[Weighed]:
        """What each of these moves is worth, the best first; without any: the best move alone.

        ``bounds``: of its time, milliseconds, and of its nodes. Raises ServiceError if the engine
        fails twice.
        """
        time_ms, nodes = bounds
        go, count = Go(movetime=time_ms, nodes=nodes), max(1, len(among))
        return await self._search(start, moves, go, 1000 * time_ms, among, count)

    async def _search(
        self,
        start: Position,
        moves: tuple[Move, ...],
        go: Go,
        time_us: int,
        among: tuple[Move, ...],
        count: int,
    ) -> list[Weighed]:
        """Empty: there is no legal move. Raises ServiceError."""
        position = _after(start, moves)
        if not position.legal_moves():
            return []
        chess960 = needs_chess960(start)
        game = SetPosition(start, moves, chess960)
        asked = tuple(format_uci(move, chess960=chess960) for move in among)
        go, broken = replace(go, searchmoves=asked), ""
        for _ in range(TRIES):
            if failed := await self._engine.start():
                if failed.cannot_start:
                    raise ServiceError(failed.text)
                broken = failed.text
                continue
            options = {
                "MultiPV": str(count),
                "UCI_Chess960": "true" if chess960 else "false",
                **unlimited(self._engine.offered),
            }
            found = await self._engine.search(Search(game, go, time_us, options))
            if isinstance(found, Broken):
                broken = found.text
                continue
            if weighed := list(_weighed(position, found.lines, among)):
                return weighed
            broken = self._engine.condemn("tells no worth of a legal move").text
        raise ServiceError(f"{broken}, also when started again; choose another engine")

    def launch(self) -> None:
        """Start the engine, and do not wait: loading takes a while."""
        self._engine.launch()

    async def close(self) -> None:
        """Let the engine leave."""
        await self._engine.close()


def find_analyst(name: str = "", wish: Wish | None = None) -> Analyst:
    """The engine with this name or path, or the usual one, as an analyst; ``wish`` as of it.

    Raises ConfigError where there is none.
    """
    if name == OWN:
        raise ConfigError(f"the board's own player does not judge well enough; {INSTALL}")
    program = find_program(name) if name else usual_program()
    if program is None and name:
        raise ConfigError(missing(name))
    if program is None:
        raise ConfigError(
            "no engine is installed, and the board's own player does not judge well enough; "
            + INSTALL
        )
    return Analyst((str(program),), program.name, wish)


def _weighed(
    position: Position, lines: Iterable[Info], among: tuple[Move, ...]
) -> Iterable[Weighed]:
    for info in lines:
        line = _legal_line(position, info.pv)
        if line and info.score is not None and (not among or line[0] in among):
            yield Weighed(info.score, line)


def _legal_line(position: Position, words: Sequence[str]) -> tuple[Move, ...]:
    """The moves of a line, up to the first that is not legal."""
    line: list[Move] = []
    for word in words:
        try:
            line.append(parse_uci(position, word))
        except NotationError:
            break
        position = position.play_unchecked(line[-1])
    return tuple(line)


def _ended(position: Position) -> Weighed:
    return Weighed(MATED if position.is_check() else DRAWN, ())


def _after(start: Position, moves: tuple[Move, ...]) -> Position:
    for move in moves:
        start = start.play_unchecked(move)
    return start
