"""Buttons of a live board: what they mean, and how one of them shuts it down."""

from __future__ import annotations

import asyncio
from pathlib import Path

import chess.pgn
import pytest

from boardfw.frame import DARK, Frame
from boardfw.game.events import Lifted, Moved
from boardfw.game.session import Session
from boardfw.lights.patterns import RINGS
from boardfw.ports import Pressed
from boardfw.recording import Press, TraceWriter, read_trace
from boardfw.shell import runtime as runtime_module
from boardfw.shell.config import Settings, load_config
from boardfw.shell.desk import Desk
from boardfw.shell.panel.buttons import LONG_US, UP_US, MeaningPanel, PanelSettings
from boardfw.shell.runtime import Runtime
from boardfw.shell.systemd import MARK, ask_for_power_off
from boardfw.squares import EVERY_SWITCH, SWITCH_BY_NAME, Occupancy, occupancy_of
from hardware.clock import MonotonicClock, VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from hardware.spy import SpyBoard
from hardware.strip import MemoryPanel
from tests.panels import HeldPanel
from tests.patience import PATIENCE_S
from tests.shell.boards import ScriptedLights, in_step

FAST = 20.0
"""Time of the board runs so many times as fast, for a press that is long."""


def settings_of(tmp_path: Path, text: str) -> PanelSettings:
    path = tmp_path / "boardfw.toml"
    path.write_text(text, encoding="utf-8")
    return load_config(path).panel


def meant(settings: PanelSettings, name: str, held_us: int) -> list[Pressed]:
    """What a press means that lasts so long."""
    inner, clock = HeldPanel(), VirtualClock()
    panel = MeaningPanel(inner, settings, clock)
    inner.hold(name)
    said = panel.presses()
    clock.advance_to(held_us)
    said += panel.presses()
    inner.release(name)
    said += panel.presses()
    clock.advance_to(held_us + UP_US)
    return said + panel.presses()


def test_two_buttons_are_enough_for_a_game() -> None:
    settings = PanelSettings()
    assert meant(settings, "new_game", 200_000) == ["new_game"]
    assert meant(settings, "new_game", LONG_US) == ["shut_down"]
    assert meant(settings, "draw", 200_000) == ["draw"]
    assert meant(settings, "draw", LONG_US) == ["claim"]


def test_the_owner_maps_buttons_and_keeps_the_others(tmp_path: Path) -> None:
    text = "[panel.short]\nhint = 'pause'\n[panel.long]\nhint = ''\ntake_back = 'resign_white'\n"
    settings = settings_of(tmp_path, text)
    assert meant(settings, "hint", LONG_US) == ["pause"]
    assert meant(settings, "take_back", LONG_US) == ["resign_white"]
    assert meant(settings, "new_game", LONG_US) == ["shut_down"]


def test_what_is_said_in_words_is_what_a_button_means_whatever_is_wired_and_is_recorded(
    tmp_path: Path,
) -> None:
    clock, path = VirtualClock(), tmp_path / "t.trace.jsonl"
    board = SimBoard(clock, faults=PRESETS["none"])
    spy = SpyBoard(board, TraceWriter(path), clock)
    settings = settings_of(tmp_path, "[panel.short]\ntake_back = 'resign_white'\n")
    panel = board.panel = MeaningPanel(MemoryPanel(), settings, clock)
    spy.sensor.read()
    panel.say("take_back")
    panel.say("draw")
    assert spy.panel.presses() == ["take_back", "draw"]
    assert spy.panel.presses() == []
    spy.close()
    recorded = [e.button for e in read_trace(path).entries if isinstance(e, Press)]
    assert recorded == ["take_back", "draw"]


def test_a_recording_holds_what_was_meant(tmp_path: Path) -> None:
    path = tmp_path / "t.trace.jsonl"
    clock, inner = VirtualClock(), HeldPanel()
    board = SimBoard(clock, faults=PRESETS["none"])
    spy = SpyBoard(board, TraceWriter(path), clock)
    board.panel = MeaningPanel(inner, PanelSettings(), clock)
    spy.sensor.read()
    for name in ("draw", "new_game"):
        inner.hold(name)
        spy.panel.presses()
        clock.advance_to(clock.now_us() + LONG_US)
        spy.panel.presses()
        inner.release(name)
        clock.advance_to(clock.now_us() + UP_US)
        spy.panel.presses()
    spy.close()
    recording = read_trace(path)
    assert [e.button for e in recording.entries if isinstance(e, Press)] == ["claim"]
    assert recording.warnings == []


def lit(frame: Frame) -> Occupancy:
    return occupancy_of(square for square in EVERY_SWITCH if any(frame[square]))


async def test_a_long_press_shuts_down_with_every_ply_kept_and_says_good_bye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = asyncio.Event()
    monkeypatch.setattr(runtime_module, "STEP_S", 0.3)  # each step is sent, at any load
    clock, loop = MonotonicClock(FAST), asyncio.get_running_loop()
    board, held = SimBoard(clock, faults=PRESETS["none"]), HeldPanel()
    board.panel = MeaningPanel(held, PanelSettings(), clock)

    def see(frame: Frame) -> None:
        loop.call_soon_threadsafe(seen.set)

    lights = ScriptedLights(see)
    board.lights = lights
    pgn = tmp_path / "g.pgn"
    runtime = Runtime(
        board, clock, Desk(Session(), Settings()), followers=[in_step(pgn)], speed=FAST
    )
    said: asyncio.Queue[object] = asyncio.Queue()
    runtime.listen(said.put_nowait)
    running = asyncio.create_task(runtime.run())
    async with asyncio.timeout(PATIENCE_S):
        await seen.wait()
        board.lift(SWITCH_BY_NAME["e2"])
        while not isinstance(await said.get(), Lifted):
            pass
        board.drop(SWITCH_BY_NAME["e4"], "P")
        while not isinstance(await said.get(), Moved):
            pass
        held.hold("new_game")
        await running
    assert runtime.is_shut_down
    with pgn.open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4"]
    assert [lit(frame) for frame in lights.shown if frame != DARK][-1] == RINGS[3]
    assert RINGS[0] in [lit(frame) for frame in lights.shown]


def test_word_for_the_machine_is_left_where_a_service_has_its_place(tmp_path: Path) -> None:
    assert ask_for_power_off({"RUNTIME_DIRECTORY": str(tmp_path)})
    assert (tmp_path / MARK).is_file()
    assert not ask_for_power_off({})
