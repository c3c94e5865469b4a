"""From motions to a trace: the switches are scanned, and the truth is measured from the scans."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass

import chess

from tests.foreign_hands.motion import Motion
from tests.foreign_hands.sitting import PlayedGame, Sitting
from tests.foreign_hands.switches import Pose, Switches, near
from tests.foreign_hands.table import Table

JITTER_S = 0.0001
"""How late a scan may be (guess; a Raspberry Pi is no real-time system)."""
Scans = list[tuple[int, int]]
"""Times in microseconds, and what all switches read from then on."""


def scan(sitting: Sitting) -> Scans:
    """Scan the board during a whole sitting; return the scans in which anything changed."""
    board, table = sitting.person.board, sitting.table
    chance = random.Random(f"scan {sitting.name}")
    switches = Switches(board, chance)
    for thing, pose in enumerate(table.first):
        switches.place(thing, pose, table.things[thing].strength)
    switches.update(0.0, range(64), [])
    scans = [(0, switches.read(set()))]
    waiting = sorted(table.motions, key=lambda motion: motion.start, reverse=True)
    step_s = board.scan_ms / 1000
    round_, active = 0, list[Motion]()
    felt, unsteady = set[int](), set[int]()
    while waiting or active or felt or unsteady:
        if active or felt or unsteady:
            round_ += 1
        else:
            round_ = max(round_ + 1, math.ceil(waiting[-1].start / step_s))
        t_s = round_ * step_s + chance.uniform(0, JITTER_S)
        changed = _begin(t_s, waiting, active, switches) | felt
        changed |= _end(t_s, active, switches, table)
        poses = [(m.pose(t_s), table.things[m.thing].strength) for m in active]
        felt = {s for pose, _ in poses for s in _under(pose)}
        unsteady = switches.update(t_s, changed | felt | unsteady, poses)
        occupancy = switches.read(unsteady)
        if occupancy != scans[-1][1]:
            scans.append((round(t_s * 1e6), occupancy))
    return scans


def _under(pose: Pose) -> set[int]:
    return set(near(pose.x, pose.y)) if pose.z < 95 else set()


def _begin(t_s: float, waiting: list[Motion], active: list[Motion], switches: Switches) -> set[int]:
    """Let motions begin whose time has come; return the squares whose fields change."""
    changed = set[int]()
    while waiting and waiting[-1].start <= t_s:
        motion = waiting.pop()
        # The same thing may have ended a motion since the scan before.
        active[:] = [other for other in active if other.thing != motion.thing]
        active.append(motion)
        changed |= switches.lift(motion.thing)
    return changed


def _end(t_s: float, active: list[Motion], switches: Switches, table: Table) -> set[int]:
    """Let motions rest that are over; return the squares whose fields change."""
    changed = set[int]()
    for motion in [m for m in active if m.end <= t_s]:
        active.remove(motion)
        strength = table.things[motion.thing].strength
        changed |= switches.place(motion.thing, motion.pose(motion.end), strength)
    return changed


def trace_text(sitting: Sitting, scans: Scans) -> str:
    """Return the trace as a text in the format of the contract."""
    rows: list[tuple[int, dict[str, object]]] = [
        (t_us, {"t": t_us, "occ": f"{occupancy:016x}"}) for t_us, occupancy in scans
    ]
    for t_s, button in sitting.presses:
        t_us = round(t_s * 1e6)
        rows.append((t_us, {"t": t_us, "button": button}))
    rows.sort(key=lambda row: row[0])
    header: dict[str, object] = {"boardfw_trace": 1, "start_fen": chess.STARTING_FEN}
    end_us = max(rows[-1][0], round(sitting.end_s * 1e6))
    lines = [header, *(row for _, row in rows), {"t": end_us, "end": True}]
    return "".join(json.dumps(line) + "\n" for line in lines)


@dataclass(frozen=True, slots=True)
class PlyTruth:
    """What is true of a ply, times in microseconds."""

    uci: str
    touched_us: int
    let_go_us: int
    shown_us: tuple[int, int] | None
    """The longest time for which the switches showed its position and nothing else; None: never."""
    unseen: bool
    """True for a capture whose switch never read open."""
    others: tuple[str, ...]
    """Moves that the switches cannot tell from it, even if everything later is known."""
    did: tuple[str, ...]


def truth(game: PlayedGame, scans: Scans, end_us: int) -> list[PlyTruth]:
    """Return what is true of the plies of a game, as the raw scans showed them."""
    board, plies = chess.Board(), list[PlyTruth]()
    for number, ply in enumerate(game.plies):
        touched, let_go = round(ply.touched_s * 1e6), round(ply.let_go_s * 1e6)
        later = game.plies[number + 1 :]
        until = round(later[0].let_go_s * 1e6) if later else end_us
        move = chess.Move.from_uci(ply.uci)
        unseen = _is_unseen(board, move, scans, (touched, let_go))
        others = _others(board, move, [p.uci for p in later]) if unseen else ()
        board.push(move)
        shown = _longest(scans, int(board.occupied), (let_go - 100_000, until))
        plies.append(PlyTruth(ply.uci, touched, let_go, shown, unseen, others, ply.did))
    return plies


def was_open(scans: Scans, square: int, from_us: int, to_us: int) -> bool:
    """Return True if a switch read open at any time between two instants."""
    return _read(scans, square, from_us, to_us, closed=False)


def was_closed(scans: Scans, square: int, from_us: int, to_us: int) -> bool:
    """Return True if a switch read closed at any time between two instants."""
    return _read(scans, square, from_us, to_us, closed=True)


def _read(scans: Scans, square: int, from_us: int, to_us: int, *, closed: bool) -> bool:
    until = [t_us for t_us, _ in scans[1:]] + [to_us + 1]
    return any(
        t_us <= to_us and end_us > from_us and (occupancy >> square & 1) == closed
        for (t_us, occupancy), end_us in zip(scans, until, strict=True)
    )


def _longest(scans: Scans, occupancy: int, window: tuple[int, int]) -> tuple[int, int] | None:
    best: tuple[int, int] | None = None
    ends = [t_us for t_us, _ in scans[1:]] + [window[1]]
    for (t_us, read), end_us in zip(scans, ends, strict=True):
        begin, end = max(t_us, window[0]), min(end_us, window[1])
        if read == occupancy and end > begin and (best is None or end - begin > best[1] - best[0]):
            best = begin, end
    return best


def _is_unseen(board: chess.Board, move: chess.Move, scans: Scans, window: tuple[int, int]) -> bool:
    if not board.is_capture(move) or board.is_en_passant(move):
        return False
    return not was_open(scans, move.to_square, *window)


def _others(board: chess.Board, move: chess.Move, later: list[str]) -> tuple[str, ...]:
    """Return the other captures by the piece that moved after which the game could go on alike."""
    return tuple(
        other.uci()
        for other in board.legal_moves
        if other.from_square == move.from_square
        and other.to_square != move.to_square
        and board.is_capture(other)
        and not board.is_en_passant(other)
        and _goes_on(board, other, later)
    )


def _goes_on(board: chess.Board, move: chess.Move, later: list[str]) -> bool:
    """Return True if the rest of the game is legal after another move."""
    board = board.copy()
    board.push(move)
    for uci in later:
        following = chess.Move.from_uci(uci)
        if following not in board.legal_moves:
            return False
        board.push(following)
    return True
