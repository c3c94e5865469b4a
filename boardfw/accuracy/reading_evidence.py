"""Re-estimates the constants of the reader of hands from recordings of games that are known.

The reader explains a recording; only the plies that were really played count. Each says something
about some constants: that a capture was seen or not, for how long a piece was held. Nothing is
learnt by machine here: a person compares the estimate with the value, and asks why they differ.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from math import exp, log
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from boardfw.inference.reading import ScanReader, constants
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.sliding import squares_beyond
from boardfw.inference.reading.touches import Kind, Touch, Touches
from boardfw.notation.fen import parse_fen
from boardfw.recording import Recording, Scan
from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import KING, KNIGHT, ROOK
from boardfw.sensing.debounce import Debounce
from boardfw.squares import NO_SWITCHES, Bitboard, Occupancy, Orientation, Square, switches_in

PIECES = 20
"""Pieces on a board on average, each of which may be adjusted."""
SURE = 0.95
"""A piece counts as slid, or as carried, if the reader is so sure of it."""
LONG_HELD = 19
"""Times ``HOLD_US``: the usual tail would leave 5 % of pieces in the hand for longer."""
LONG_REST_US = 500_000
"""Another move that rested for longer was no part of the movement: its player changed their mind"""

Evidence = tuple[str, float]
"""The name of a constant, and what one case says of it: 0 or 1 for a probability, or a value."""


class Constant(NamedTuple):
    """A constant as it is in the code."""

    name: str
    value: float
    unit: str
    source: str
    class_of: str
    """The constant whose value it takes, if it has none of its own: ``UNUSUAL``; else empty."""


class Estimate(NamedTuple):
    """What cases say of a constant."""

    value: float
    cases: int


def constants_in_use() -> list[Constant]:
    """Return the constants of the reader, with the source that the sentence after each names."""
    body = ast.parse(Path(constants.__file__).read_text(encoding="utf-8")).body
    found = []
    for named, told in pairwise(body):
        if not isinstance(named, ast.Assign) or not isinstance(named.targets[0], ast.Name):
            continue
        name = named.targets[0].id
        text = str(told.value.value) if isinstance(told, ast.Expr) else ""  # type: ignore[attr-defined]
        sources = re.findall(r"sheet|measured|guess|contract", text)
        source = "/".join(dict.fromkeys(sources)) + (", learnt" if "earnt)" in text else "")
        unit = "us" if name.endswith("_US") else "probability" if name.startswith("P_") else ""
        class_of = named.value.id if isinstance(named.value, ast.Name) else ""
        found.append(Constant(name, getattr(constants, name), unit, source, class_of))
    return found


def _quantile(part: float) -> Callable[[Sequence[float]], float]:
    return lambda cases: sorted(cases)[min(len(cases) - 1, int(part * len(cases)))]


def _middle(cases: Sequence[float]) -> float:
    return exp(mean(log(max(case, 1e-9)) for case in cases))


def _odds(cases: Sequence[float]) -> float:
    return sum(cases) / max(1.0, len(cases) - sum(cases))


STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "SETTLE_US": _quantile(0.999),
    "SLACK_US": _quantile(0.99),
    "BURST_SWITCHES": _quantile(0.999),
    "P_PLY": _middle,
    "GAP_US": _middle,
    "CARRY_US": _middle,
    "HOLD_US": median,
    "CASTLES": _odds,
    "USUAL_REST_US": median,
}
"""What is made of the cases of a constant; of all others the mean."""


def estimate(cases: Mapping[str, Sequence[float]]) -> dict[str, Estimate]:
    """Return what the cases of each constant say of it."""
    return {
        name: Estimate(STATISTICS.get(name, mean)(found), len(found))
        for name, found in cases.items()
        if found
    }


class GameEvidence:
    """One recording, and what it says of the constants. ``moves``: the game played, in UCI."""

    def __init__(self, recording: Recording, moves: Sequence[str]) -> None:
        self._recording = recording
        self._moves = moves
        self._touches: list[Touch] = []
        self._announced: list[tuple[Hypothesis, int]] = []
        """Each ply when it was announced, and for how long it was."""
        self._plies = self._read()
        self._shown = self._shown_boards()

    def __iter__(self) -> Iterator[Evidence]:
        """Yield what each ply, switch and announcement says."""
        yield from self._of_switches()
        for node, later in zip(self._plies, [*self._plies[1:], None], strict=True):
            yield from self._of_pieces(node)
            yield from self._of_ways(node)
            if later is not None:
                yield from self._of_reply(node, later)
        for node, rested_us in self._announced:
            yield from self._of_announced(node, rested_us)

    def _read(self) -> list[Hypothesis]:
        """Read the recording; return the plies that are those of the game."""
        scans = [entry for entry in self._recording.entries if isinstance(entry, Scan)]
        start, first = parse_fen(self._recording.start_fen), scans[0].occupancy
        reader, senses = ScanReader(start, first), Debounce(first, constants.SETTLE_US)
        touches = Touches(Orientation.AS_WIRED)
        game, since_us = reader.game, scans[0].t_us
        for scan in [*scans[1:], None]:
            until_us = self._recording.end_us if scan is None else scan.t_us
            while (due_us := reader.deadline_us) is not None and due_us <= until_us:
                reader.pass_time(due_us)
                game, since_us = self._note(reader, game, since_us, due_us)
            known = senses.advance(until_us)
            if scan is not None:
                reader.feed(scan.t_us, scan.occupancy, scan.since_us)
                known += senses.feed(scan.t_us, scan.occupancy, scan.since_us)
            self._touches += filter(None, map(touches.touch, known))
            game, since_us = self._note(reader, game, since_us, until_us)
        found = [reader.game.at(depth) for depth in range(1, reader.game.depth + 1)]
        return [node for node in found if self._is_played(node)]

    def _note(
        self, reader: ScanReader, game: Hypothesis, since_us: int, now_us: int
    ) -> tuple[Hypothesis, int]:
        if reader.game is game:
            return game, since_us
        if game.move is not None:
            self._announced.append((game, now_us - since_us))
        return reader.game, now_us

    def _is_played(self, node: Hypothesis) -> bool:
        played = [move.uci() for move in node.moves()]
        return played == list(self._moves[: node.depth])

    def _shown_boards(self) -> tuple[list[int], list[Bitboard]]:
        """Return when the settled board changed, and to what."""
        settled = sorted((t.t_us, t.square) for t in self._touches if t.is_settled)
        first = parse_fen(self._recording.start_fen).occupied
        boards = accumulate((1 << square for _, square in settled), int.__xor__, initial=first)
        return [0, *(t_us for t_us, _ in settled)], list(boards)

    def _of_switches(self) -> Iterator[Evidence]:
        """Contacts that bounce, switches that change at once, and touches without a ply."""
        yield from (("SETTLE_US", length_us) for length_us in self._bounces_us())
        plies, touches = max(1, len(self._plies)), self._touches
        moved = {square for node in self._plies for square in _squares(node)}
        blinks = sum(not t.is_settled and t.square not in moved for t in touches)
        used = sum(_touches_of(node) for node in self._plies)
        settled = sum(touch.is_settled for touch in touches)
        for _ in range(plies):
            yield "P_ADJUST", max(0, settled - used) / 2 / plies / PIECES
            yield "P_BLINK", blinks / plies
        for n, touch in enumerate(touches):
            near = {touch.square}
            near |= {t.square for t in touches[max(0, n - 9) : n] if _within_burst(t, touch)}
            yield "BURST_SWITCHES", len(near) + 1

    def _bounces_us(self) -> Iterator[int]:
        """Yield for how long each switch was unsteady at each of its changes."""
        unsteady: dict[int, tuple[int, int]] = {}
        raw: Occupancy | None = None
        for scan in self._recording.entries:
            if not isinstance(scan, Scan):
                continue
            changed = NO_SWITCHES if raw is None else scan.occupancy ^ raw
            for switch in switches_in(changed):
                since_us, last_us = unsteady.get(switch, (scan.t_us, scan.t_us))
                if scan.t_us - last_us > constants.SETTLE_US:
                    yield last_us - since_us
                    since_us = scan.t_us
                unsteady[switch] = since_us, scan.t_us
            raw = scan.occupancy

    def _of_pieces(self, node: Hypothesis) -> Iterator[Evidence]:
        """What a ply says of holding and capturing, and what the next rests say."""
        move, before = node.move, node.before
        if move is None or before is None:
            return
        yield "USUAL_PRICE", node.paid - before.paid
        legal = before.position.legal_moves()
        yield "P_PLY", 1 / sum(other.origin == move.origin for other in legal)
        if before.before is not None and before.before.move is not None:
            yield "USUAL_REST_US", node.landed_us - before.before.landed_us
        left_us = self._last_us(move.origin, Kind.LIFT, node.landed_us + constants.SLACK_US)
        if left_us is not None and left_us < node.landed_us:
            held_us = node.landed_us - left_us
            yield "HOLD_US", held_us
            yield "P_HELD_FOR_EVER", held_us > LONG_HELD * constants.HOLD_US
        if move.captured is not None and not move.is_en_passant:
            way = BETWEEN[move.origin][move.target]
            is_pushed = bool(way) and not way & ~node.way.passed
            yield "P_PUSHED" if is_pushed else "P_UNSEEN", node.is_unseen
        elif left_us is not None and len(move.steps()) == 1:
            yield "P_BACKWARD", left_us - node.landed_us > constants.SLACK_US
        if node.choice is not None:
            yield "P_MORE_TO_COME", node.choice.put_back > 0

    def _of_ways(self, node: Hypothesis) -> Iterator[Evidence]:
        """What a ply says of pieces that are slid."""
        yield from (("STOP_US", stop_us) for stop_us in node.way.stops_us)
        move = node.move
        if move is None or move.captured is not None or move.piece_type == KNIGHT:
            return
        slid = node.goes_on.slid if node.goes_on else 0.0
        yield "P_SLIDE", slid
        if slid > SURE:
            yield "GAP_US", max(1_000, node.away_us)
            yield "SLACK_US", max(0, -node.away_us)
        elif slid < 1 - SURE:
            yield "CARRY_US", node.away_us

    def _of_reply(self, node: Hypothesis, reply: Hypothesis) -> Iterator[Evidence]:
        """What a ply and the next one say of hands that overlap."""
        if reply.move is None or reply.depth != node.depth + 1:
            return
        left_us = self._last_us(reply.move.origin, Kind.LIFT, reply.landed_us)
        is_early = left_us is not None and left_us < node.landed_us
        yield "P_EARLY", is_early
        if is_early and left_us is not None:
            yield "REACTION_US", node.landed_us - left_us
        times_us, boards = self._shown
        begin = bisect_right(times_us, node.landed_us - constants.SETTLE_US) - 1
        end = bisect_right(times_us, reply.landed_us)
        yield "P_MINGLED", node.occupied not in boards[max(0, begin) : end]

    def _of_announced(self, node: Hypothesis, rested_us: int) -> Iterator[Evidence]:
        """What became of a ply that was announced: was it played, or did the hand go on?"""
        move, before = node.move, node.before
        if move is None or before is None or (before.move and not self._is_played(before)):
            return
        is_wrong = not self._is_played(node)
        yield "P_MIND", is_wrong and rested_us > LONG_REST_US
        if is_wrong and rested_us > LONG_REST_US:
            return
        beyond = squares_beyond(before.hand_moves(), move)
        if move.piece_type == KING and beyond:
            yield "CASTLES", is_wrong
        elif not beyond and move.piece_type != ROOK:
            yield "P_CARRIED_ON", is_wrong
        elif beyond and node.goes_on and node.goes_on.slid < 1 - SURE:
            yield "P_LOW", is_wrong

    def _last_us(self, square: Square, kind: Kind, until_us: int) -> int | None:
        for touch in reversed(self._touches):
            if touch.square == square and touch.kind is kind and touch.t_us <= until_us:
                return touch.t_us
        return None


def cases_of(games: Iterator[tuple[Recording, Sequence[str]]]) -> dict[str, list[float]]:
    """Return all cases for each constant, of recordings and the games that were played."""
    cases: dict[str, list[float]] = defaultdict(list)
    for name, case in chain.from_iterable(GameEvidence(*game) for game in games):
        cases[name].append(float(case))
    return cases


def _squares(node: Hypothesis) -> Iterator[Square]:
    if node.move is not None:
        for step in node.move.steps():
            yield from step


def _touches_of(node: Hypothesis) -> int:
    """Return how many settled touches a ply and its stops explain."""
    if node.move is None:
        return 0
    captured = node.move.captured is not None and not node.is_unseen
    put_back = 2 * node.choice.put_back if node.choice else 0
    return 2 * (len(node.move.steps()) + len(node.way.stops_us)) + captured + put_back


def _within_burst(earlier: Touch, touch: Touch) -> bool:
    return touch.t_us - earlier.t_us < constants.BURST_US
