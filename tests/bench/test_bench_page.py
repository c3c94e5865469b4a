"""Figures for `make bench`: the board's page under load.

The board, with the server of its page, is a process of its own; so are those who watch. All times
are of the machine's one monotonic clock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from boardfw.services.web.roles import Role
from tests.bench.live_board import spread_ms
from tests.bench.page_load import Helper, Notes, growth, helper, page_board, ratio

pytestmark = pytest.mark.bench

HZ = 5.0
"""Edges a second: hands in great haste."""
BLOCK = 50
"""Edges between two looks at what was heard."""
REST_S = 0.5
"""After a block: whoever is told at all was told by then."""
EDGES, EDGES_FULL = 50, 1000
LOADED, LOADED_FULL = 300, 9000
"""A minute, and half an hour."""
QUIET, QUIET_FULL = 100, 500
"""Before and after."""
PLAYERS, SPECTATORS, STALLED, SLOW = 50, 50, 5, 5
WATCHERS = [(1, Role.PLAYER), (100, Role.PLAYER), (100, Role.SPECTATOR)]


@pytest.mark.parametrize(("count", "role"), WATCHERS)
def test_bench_from_an_edge_to_a_viewer(tmp_path: Path, full: bool, count: int, role: Role) -> None:
    notes = Notes()
    with page_board(tmp_path, "board") as board, viewers(tmp_path, "viewers") as some:
        watch(some, board, role, count)
        for played, heard in blocks(EDGES_FULL if full else EDGES, [board], [some]):
            notes.note(played[0], heard[0])
    print(f"\nedge to {count} x {role.value}: {spread_ms(notes.delays)}")
    print(
        f"  edge to light meanwhile: {spread_ms(notes.answers)}; late scans {notes.late}; "
        f"left out, as the machine stood still: {notes.left_out}"
    )


@pytest.mark.parametrize("pages", ["inside", "apart", "service"])
def test_bench_a_crowd_that_does_not_all_read(tmp_path: Path, full: bool, pages: str) -> None:
    """Half of the healthy ones are players, half look on; beside it a board that nobody watches.
    ``pages``: served in the board's process, in another, or in another with priorities as services.
    """
    loaded, quiet = (LOADED_FULL, QUIET_FULL) if full else (LOADED, QUIET)
    ours, theirs, alone, still, alone_still = (Notes() for _ in range(5))
    with (
        page_board(tmp_path, "board", pages) as board,
        page_board(tmp_path, "beside", pages) as beside,
        viewers(tmp_path, "players") as players,
        viewers(tmp_path, "spectators") as spectators,
    ):

        def without() -> None:
            for (one, other), _ in blocks(quiet, [board, beside], []):
                still.note(one)
                alone_still.note(other)

        without()
        watch(players, board, Role.PLAYER, PLAYERS)
        watch(spectators, board, Role.SPECTATOR, SPECTATORS)
        watch(spectators, board, Role.SPECTATOR, STALLED, "nothing")
        watch(spectators, board, Role.SPECTATOR, SLOW, "slowly")
        for (one, other), heard in blocks(loaded, [board, beside], [players, spectators]):
            ours.note(one, heard[0])
            theirs.note(one, heard[1])
            alone.note(other)
            report(ours, theirs, alone, still, alone_still)
        for some in (players, spectators):
            some.ask("leave")
        without()
    print("\nat the end:")
    report(ours, theirs, alone, still, alone_still)


def report(ours: Notes, theirs: Notes, alone: Notes, still: Notes, alone_still: Notes) -> None:
    """Print what was measured until now: players, spectators, the board beside, and both boards
    while nobody watches."""
    print(
        f"\n{len(ours.rss_kb) * BLOCK} edges at {HZ:g} Hz, {PLAYERS} players, {SPECTATORS} "
        f"spectators, {STALLED} that read nothing, {SLOW} that read 1 kB/s:\n"
        f"  edge to players:    {spread_ms(ours.delays)}\n"
        f"  edge to spectators: {spread_ms(theirs.delays)}\n"
        f"  what slow ones read is old: {spread_ms(theirs.ages)}; come again: {theirs.again}\n"
        f"  final plies {len(ours.finals)}, not told to a player {ours.lost}, to a spectator "
        f"{theirs.lost}; snapshots beside the first "
        f"{ours.snapshots - PLAYERS}, {theirs.snapshots - SPECTATORS}\n"
        f"  memory grows by {growth(ours.rss_kb)} kB, that of a board nobody watches by "
        f"{growth(alone.rss_kb)} kB; at its end {ours.rss_kb[-1]} and {alone.rss_kb[-1]} kB; the "
        f"process of the pages, 0: there is none, by {growth(ours.web_kb)} kB\n"
        f"  late scans {ours.late}, of the board nobody watches {alone.late}\n"
        f"  edge to light: {spread_ms(ours.answers)}\n"
        f"  ... of the board nobody watches, {spread_ms(alone.answers)}\n"
        f"  that is, watched to unwatched: {ratio(ours.answers, alone.answers)}; "
        f"the same boards when nobody is there: {ratio(still.answers, alone_still.answers)}; "
        f"watched to before and after: {ratio(ours.answers, still.answers)}\n"
        f"  left out, as the machine stood still: {ours.left_out}, {theirs.left_out}, "
        f"{alone.left_out}",
        flush=True,
    )


def blocks(
    edges: int, boards: Sequence[Helper], watching: Sequence[Helper]
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Let boards be played on, by the block; what they say, and what those say who watch."""
    for _ in range(edges // BLOCK):
        for board in boards:
            board.tell("play", edges=BLOCK, hz=HZ)
        played = [board.hear() for board in boards]
        time.sleep(REST_S)
        yield played, [some.ask("heard") for some in watching]


@contextmanager
def viewers(folder: Path, name: str) -> Iterator[Helper]:
    """Those who watch."""
    with helper(folder / f"{name}.log", "page_viewers") as some:
        yield some


def watch(some: Helper, board: Helper, role: Role, count: int, reads: str = "all") -> None:
    """Let so many pages with a role watch a board."""
    some.ask("watch", reads=reads, **board.ask("begin", role=role.value, count=count))
