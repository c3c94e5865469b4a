"""A trace passes through the very code that a board does, and says the very same."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest

from boardfw.errors import TraceError
from boardfw.game.events import Action, Moved, Outage, Restored
from boardfw.game.session import Session
from boardfw.players.game_player import Player, read_game
from boardfw.recording import START_FEN, End, Press, Recording, Scan, TraceWriter, read_trace
from boardfw.shell.config import LightSettings, Settings
from boardfw.shell.desk import Desk
from boardfw.shell.replay import Replay, event_line, load, start_of, stem_of
from boardfw.shell.virtual import VirtualLoop
from boardfw.squares import START, SWITCH_BY_NAME
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from hardware.spy import SpyBoard

G1, F3, H4 = (1 << SWITCH_BY_NAME[name] for name in ("g1", "f3", "h4"))
KNIGHT_LIFTED = START & ~G1
WRONG = Recording(
    START_FEN,
    [
        Scan(0, START),
        Scan(1_000_000, KNIGHT_LIFTED),
        Scan(1_400_000, KNIGHT_LIFTED | H4),
        End(6_000_000),
    ],
)


def frames(replay: Replay) -> list[tuple[int, str]]:
    replay.play()
    return [(line["t"], line["rgb"]) for line in map(json.loads, replay.frames)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "faults", "seed"),
    [("child", "wooden", 4), ("club", "reed", 2), ("blitz", "cable", 3), ("careful", "none", 1)][
        :4
    ],
)
def test_what_is_said_live_is_said_in_the_replay_of_the_recording(
    tmp_path: Path, kind: str, faults: str, seed: int
) -> None:
    clock, path = VirtualClock(), tmp_path / "g.trace.jsonl"
    source = SimBoard(clock, faults=PRESETS[faults], seed=seed)
    board = SpyBoard(source, TraceWriter(path), clock)
    game = read_game("famous")
    player = Player(source, kind, seed)
    player.begin(game.start, game.moves, 0)
    player.play_all()
    live: list[Action] = []
    VirtualLoop(board, source, clock, Desk(Session(), Settings()), [live.append]).run()
    board.close()
    replay = Replay(read_trace(path), Settings())
    replay.play()
    assert replay.events == [
        # A trace does not tell when the switches could not be read.
        event_line(action)
        for action in live
        if not isinstance(action, Outage | Restored)
    ]
    assert any(isinstance(action, Moved) for action in live)


def test_whoever_listens_hears_every_event_and_all_that_is_said() -> None:
    heard: list[list[Action]] = []
    replay = Replay(WRONG, Settings(), hear=heard.append)
    replay.play()
    assert [event_line(action) for said in heard for action in said] == replay.events
    assert len(heard) > len(WRONG.entries)  # deadlines of the session are events too


def test_lights_that_change_by_themselves_are_seen_in_steps_of_20_ms() -> None:
    shown = frames(Replay(WRONG, Settings(), frames=True))
    pulsing = [t_us for t_us, _ in shown if 2_000_000 < t_us < 6_000_000]
    assert len(pulsing) > 5
    assert all(t_us % 20_000 == 0 for t_us in pulsing)


def test_the_help_level_decides_whether_legal_squares_are_lit() -> None:
    lifted = Recording(START_FEN, [Scan(0, START), Scan(1_000_000, KNIGHT_LIFTED), End(2_000_000)])
    lit = {}
    for level in (0, 1):
        settings = Settings(lights=LightSettings(help_level=level))
        _, rgb = frames(Replay(lifted, settings, frames=True))[-1]
        lit[level] = rgb[6 * SWITCH_BY_NAME["f3"] :][:6] != "000000"
    assert lit == {0: False, 1: True}


def test_help_may_wait_a_while() -> None:
    lifted = Recording(START_FEN, [Scan(0, START), Scan(1_000_000, KNIGHT_LIFTED), End(4_000_000)])
    settings = Settings(lights=LightSettings(help_delay_ms=1_500))
    shown = frames(Replay(lifted, settings, frames=True))
    first_us = next(t for t, rgb in shown if rgb[6 * SWITCH_BY_NAME["f3"] :][:6] != "000000")
    assert 2_500_000 <= first_us <= 2_520_000


def test_without_frames_none_are_drawn() -> None:
    assert frames(Replay(WRONG, Settings())) == []


def test_a_button_is_pressed_at_its_time() -> None:
    recording = Recording(
        START_FEN, [Scan(0, START), Press(500_000, "resign_white"), End(1_000_000)]
    )
    replay = Replay(recording, Settings())
    replay.play()
    (said,) = map(json.loads, replay.events)
    assert (said["t"], said["event"], said["result"]) == (500_000, "result", "0-1")


@pytest.mark.slow
def test_a_game_leaves_no_reference_cycles() -> None:
    """While a board runs, they are hardly ever looked for."""
    clock = VirtualClock()
    source = SimBoard(clock, faults=PRESETS["wooden"], seed=5)
    game = read_game("famous")
    player = Player(source, "child", 5)
    player.begin(game.start, game.moves, 0)
    player.play_all()
    desk = Desk(Session(), Settings())
    gc.collect()
    gc.disable()
    try:
        VirtualLoop(source, source, clock, desk, []).run()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_recording_of_nothing_is_a_game_without_moves() -> None:
    replay = Replay(Recording(START_FEN), Settings(), frames=True)
    replay.play()
    assert replay.events == []
    assert '[Result "*"]' in replay.pgn()


def test_a_start_that_is_no_position_is_refused_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "g.trace.jsonl"
    path.write_text('{"boardfw_trace":1,"start_fen":"8/8/8/8/8/8/8/8 w - - 0 1"}\n')
    with pytest.raises(TraceError, match=r"g\.trace\.jsonl:1: start_fen: FEN"):
        load(path)
    with pytest.raises(TraceError, match=r"^x:1: start_fen: "):
        start_of(Recording("nonsense"), "x")


@pytest.mark.parametrize(
    ("name", "stem"),
    [("a.trace.jsonl", "a"), ("a.b.trace.jsonl", "a.b"), ("a.jsonl", "a.jsonl")],
)
def test_files_are_named_after_their_trace(name: str, stem: str) -> None:
    assert stem_of(Path("somewhere") / name) == stem
