"""Traces played through the firmware, and its record held against the truth."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.pgn

from boardfw.recording import parse_trace
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from tests.foreign_hands.sitting import PlayedGame, Sitting, sit
from tests.foreign_hands.trace import (
    PlyTruth,
    Scans,
    scan,
    trace_text,
    truth,
    was_closed,
    was_open,
)

GHOST_US = 500_000
"""A wrong ply that goes sooner misleads nobody."""
ASK_US = 1_500_000
"""The board asks when the switches have been still for a moment, which quick players delay."""
TOUCH_US = 1_000_000
"""A piece may be touched so long before the ply two before it is recorded."""


@dataclass(frozen=True, slots=True)
class Case:
    """One sitting, its trace, and the truth of its games."""

    sitting: Sitting
    scans: Scans
    text: str
    games: list[list[PlyTruth]]


@dataclass(slots=True)
class Score:
    """What the firmware made of one trace."""

    name: str
    exact: bool
    wrong_finals: list[str] = field(default_factory=list)
    """Each with its time and ply."""
    ghosts: list[str] = field(default_factory=list)
    plies: int = 0


def case(kind: str, seed: int, number: int) -> Case:
    """Return the trace and the truth of a sitting. The same arguments, the same case."""
    sitting = sit(kind, seed, number)
    scans = scan(sitting)
    end_us = round(sitting.end_s * 1e6)
    games = [truth(game, scans, end_us) for game in sitting.games]
    return Case(sitting, scans, trace_text(sitting, scans), games)


def score(case: Case) -> Score:
    """Play a trace as `boardfw replay` does, and score what was recorded and said."""
    name = case.sitting.name
    replay = Replay(parse_trace(case.text.encode(), name), Settings())
    replay.play()
    events = [json.loads(line) for line in replay.events]
    return Score(
        name,
        is_exact(case, replay.pgn()),
        wrong_finals(case, events),
        ghosts(case, events),
        sum(map(len, case.games)),
    )


def recorded(pgn: str) -> list[tuple[list[str], str]]:
    """Return the games of a PGN that have a ply: the moves, UCI, and the result."""
    games, file = [], io.StringIO(pgn)
    while (game := chess.pgn.read_game(file)) is not None:
        moves = [move.uci() for move in game.mainline_moves()]
        if moves:
            games.append((moves, game.headers["Result"]))
    return games


def is_exact(case: Case, pgn: str) -> bool:
    """Return True if each game was recorded move for move, with the result the kings showed."""
    games = recorded(pgn)
    if len(games) != len(case.games):
        return False
    return all(
        _same(_without_king_step(moves, played), plies, clock=bool(case.sitting.presses))
        and played.result in ("*", result)
        for (moves, result), plies, played in zip(
            games, case.games, case.sitting.games, strict=True
        )
    )


def _without_king_step(moves: list[str], played: PlayedGame) -> list[str]:
    """Return the moves without the way of a king to the centre, which may have been final."""
    steps = [tried.uci for tried in played.tried if tried.ply == len(played.plies) + 1]
    has_step = len(moves) == len(played.plies) + 1 and moves[-1] in steps
    return moves[:-1] if has_step else moves


def _same(moves: list[str], plies: list[PlyTruth], *, clock: bool) -> bool:
    if plies[-1].unseen and not clock and len(moves) == len(plies) - 1:
        plies = plies[:-1]  # it becomes a ply when the reply has landed, and there was none
    return len(moves) == len(plies) and all(
        uci == ply.uci or uci in ply.others for uci, ply in zip(moves, plies, strict=True)
    )


def wrong_finals(case: Case, events: list[Mapping[str, Any]]) -> list[str]:
    """Return the final plies that were neither played nor shown at rest when they became final."""
    wrong, number = list[str](), 0
    begun = False
    for event in events:
        if event["event"] == "new_game" and begun:
            number, begun = number + 1, False
        elif event["event"] == "move":
            begun = True
        elif event["event"] == "final" and not _was_true(case, number, event):
            wrong.append(f"{event['t'] / 1e6:.2f} s: ply {event['ply']} {event['uci']}")
    return wrong


def _was_true(case: Case, number: int, event: Mapping[str, Any]) -> bool:
    if number >= len(case.games):
        return False
    plies, ply = case.games[number], event["ply"]
    if ply <= len(plies) and event["uci"] in (plies[ply - 1].uci, *plies[ply - 1].others):
        return True
    return any(
        (tried.ply, tried.uci) == (ply, event["uci"])
        and tried.from_s - 0.5 <= event["t"] / 1e6 <= tried.to_s + 0.5
        for tried in case.sitting.games[number].tried
    )


@dataclass(slots=True)
class _Standing:
    """A ply of the record, from when to when it was in it."""

    ply: int
    uci: str
    is_capture: bool
    since_us: int
    touched_from_us: int
    until_us: int


def ghosts(case: Case, events: list[Mapping[str, Any]]) -> list[str]:
    """Return the plies that stood for more than half a second without a trace of them.

    Their origin was never read open, or their target was never read closed (a capture: never
    open). A capture whose victim the switches missed is none once the reply has landed or a clock
    was pressed; if it was another capture by the same piece, the board must have asked.
    """
    end_us = round(case.sitting.end_s * 1e6)
    found = []
    for standing in _standings(events, end_us):
        seen_us = standing.since_us + GHOST_US
        if standing.until_us <= seen_us or _left_a_trace(case, standing, seen_us):
            continue
        asked = any(
            event["event"] == "ask" and standing.uci in event["candidates"]
            for event in events
            if standing.touched_from_us <= event["t"] <= standing.since_us + ASK_US
        )
        if not _was_due(case, standing, seen_us, asked=asked):
            found.append(f"{standing.since_us / 1e6:.2f} s: ply {standing.ply} {standing.uci}")
    return found


def _left_a_trace(case: Case, standing: _Standing, seen_us: int) -> bool:
    move = chess.Move.from_uci(standing.uci)
    window = standing.touched_from_us, seen_us
    if not was_open(case.scans, move.from_square, *window):
        return False
    if standing.is_capture:
        return was_open(case.scans, move.to_square, *window)
    return was_closed(case.scans, move.to_square, *window)


def _was_due(case: Case, standing: _Standing, seen_us: int, *, asked: bool) -> bool:
    """Return True if an unseen capture was played, and was answered or followed by a clock."""
    presses = [round(t_s * 1e6) for t_s, _ in case.sitting.presses]
    for plies in case.games:
        if not standing.is_capture or standing.ply > len(plies):
            continue
        played = plies[standing.ply - 1]
        if standing.uci != played.uci and not (asked and standing.uci[:2] == played.uci[:2]):
            continue
        answers = [ply.let_go_us for ply in plies[standing.ply : standing.ply + 1]]
        answers += [t_us for t_us in presses if t_us >= played.let_go_us]
        if any(answer <= seen_us for answer in answers):
            return True
    return False


def _standings(events: list[Mapping[str, Any]], end_us: int) -> list[_Standing]:
    """Return every ply that was ever in the record."""
    record, all_ = list[_Standing](), list[_Standing]()
    for event in events:
        t_us = event["t"]
        if event["event"] in ("move", "amend"):
            at = event["ply"] - 1
            # Plies that were recorded at once may have been played since the one before them.
            earlier = [ply.since_us for ply in record[: max(0, at - 1)] if ply.since_us < t_us]
            before = earlier[-1] - TOUCH_US if earlier else 0
            if at < len(record):
                record[at].until_us = t_us
            capture = "x" in event["san"]
            standing = _Standing(at + 1, event["uci"], capture, t_us, before, end_us)
            record[at : at + 1] = [standing]
            all_.append(standing)
        elif event["event"] in ("take_back", "new_game"):
            kept = max(0, len(record) - event["plies"]) if event["event"] == "take_back" else 0
            for standing in record[kept:]:
                standing.until_us = t_us
            del record[kept:]
    return all_


def table(scores: Mapping[str, Iterable[Score]]) -> str:
    """Return the scores as a table of Markdown, a row for each kind."""
    rows = ["| kind | games | plies | exact | wrong finals | ghosts |", "|---|---|---|---|---|---|"]
    for kind, some in scores.items():
        of_kind = list(some)
        finals = sum(len(score.wrong_finals) for score in of_kind)
        phantoms = sum(len(score.ghosts) for score in of_kind)
        exact = sum(score.exact for score in of_kind)
        plies = sum(score.plies for score in of_kind)
        rows.append(f"| {kind} | {len(of_kind)} | {plies} | {exact} | {finals} | {phantoms} |")
    return "\n".join(rows)
