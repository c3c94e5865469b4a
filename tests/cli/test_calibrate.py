"""``boardfw calibrate`` on simulated boards whose wires are not as the firmware believes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import main
from boardfw.players.game_player import FAMOUS, read_game
from boardfw.squares import NAMES
from hardware.board_url import parse_url
from hardware.boards.board_file import find_wiring, load_wiring
from hardware.datasheets import DATASHEETS
from hardware.sim.i2c.options import i2c_options
from hardware.sim.wiring_mistakes import Mistake, Reality
from hardware.wiring import Wiring
from tests.cli.tapes import games, moves
from tests.sizes import sized

TOO_MANY_DEAD = "sim-i2c:?stuck_open=e4,d7,a1,h8"
BOARDS = ("reference", "tca9555", "pcf8575", "matrix")
QUICK = ("--quick",)[: sized(1, 0)]
"""The slow suite calibrates in full: it does not believe the board file."""


def calibrate(url: str, out: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", "--board", url, "--out", str(out), *options])


@pytest.mark.slow
def test_a_board_that_is_wired_as_believed_is_learnt_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    result = calibrate("sim-i2c:", out)
    assert result.exit_code == 0, result.output
    assert load_wiring(out) == find_wiring("reference")
    assert result.stdout == f"board file: {out}\n"


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_a_wholly_unknown_wiring_is_learnt_with_chips_found_on_the_bus(
    board: str, tmp_path: Path
) -> None:
    check(f"{board}?wiring_seed=11", tmp_path / "mine.toml", "--find-chips")


@pytest.mark.slow
def test_the_quick_way_comes_to_the_same(tmp_path: Path) -> None:
    check("tca9555?seed=5&mistakes=2", tmp_path / "mine.toml", "--quick")


@pytest.mark.slow
def test_where_no_file_can_be_made_the_old_one_stays(tmp_path: Path) -> None:
    out = tmp_path / "mine.toml"
    out.write_text("what was there\n")
    refused = calibrate(TOO_MANY_DEAD, out)
    assert refused.exit_code == 2
    assert "is there already, and is not what boardfw writes" in refused.output
    result = calibrate(TOO_MANY_DEAD, out, "--force", *QUICK)
    assert result.exit_code == 1
    assert out.read_text() == "what was there\n"
    assert "e4: nothing closes under a piece" in result.stdout
    assert result.stdout.endswith("fix what is named above, then calibrate again\n")


@pytest.mark.slow
@pytest.mark.parametrize("wiring", ["wiring_seed=7&", ""])
def test_a_board_with_a_dead_switch_gets_a_file_and_plays_by_it(
    wiring: str, tmp_path: Path
) -> None:
    out, pgn = tmp_path / "mine.toml", tmp_path / "game.pgn"
    made = calibrate(f"sim-i2c:?{wiring}stuck_open=e4,d7", out, *QUICK)
    assert made.exit_code == 0, made.output
    assert "e4: nothing closes under a piece" in made.stdout
    assert made.stdout.endswith(
        f"e4, d7: dead in the board file; the board plays without\nboard file: {out}\n"
    )
    board = f"sim-i2c:{out}?stuck_open=e4,d7&seed=3"
    options = ["--play", FAMOUS, "--speed", "max", "--pgn", str(pgn), "--hands", "careful"]
    played = CliRunner().invoke(main, ["run", "--board", board, *options])
    assert played.exit_code == 0, played.output
    (game,) = games(pgn)
    assert moves(game) == [move.uci() for move in read_game(FAMOUS).moves]


@pytest.mark.parametrize("url", ["sim:", "replay:x"])
def test_a_board_without_wires_is_one_line(url: str, tmp_path: Path) -> None:
    result = calibrate(url, tmp_path / "mine.toml")
    assert result.exit_code == 2
    assert "write i2c:BOARD or sim-i2c:BOARD" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
def test_random_wirings_are_learnt_or_their_faults_are_named(tmp_path: Path, full: bool) -> None:
    for seed in range(100 if full else 6):
        url = f"{BOARDS[seed % 4]}?wiring_seed={seed}&seed={seed}&mistakes={seed % 5}"
        options = [["--find-chips"], ["--quick"], []][seed % 3]
        check(url, tmp_path / f"{seed}.toml", *options)


def check(rest: str, out: Path, *options: str) -> None:
    """The file is right or the fault is named."""
    url = f"sim-i2c:{rest}"
    result = calibrate(url, out, "--json", *options)
    assert result.exit_code in (0, 1), result.output
    said = json.loads(result.stdout)
    believed = find_wiring(rest.partition("?")[0])
    reality = i2c_options(parse_url(url)).reality(believed)
    assert out.exists() == (result.exit_code == 0) == (said["board_file"] is not None), url
    for mistake in reality.mistakes:
        assert is_named(mistake, said["faults"], believed, reality), (url, mistake, said["faults"])
    if out.exists():
        assert_true(load_wiring(out), believed, reality)
    else:
        assert {mistake.kind for mistake in reality.mistakes} - {"swapped", "led order"}, url


def is_named(
    mistake: Mistake, faults: list[dict[str, Any]], believed: Wiring, reality: Reality
) -> bool:
    """Whether a line speaks of this mistake, with its squares, pins or LEDs."""
    names = {NAMES[square] for square in mistake.squares}
    texts = {kind: [f["text"] for f in faults if f["kind"] == kind] for kind in ("dark", "stuck")}
    if mistake.kind in ("swapped", "led order"):
        return True  # in an unknown wiring there is nothing to be exchanged
    if mistake.kind == "dark":
        return any(tells_dark(text, mistake.leds[0] + 1) for text in texts["dark"])
    pins = shorted_pins(believed, reality) if mistake.kind == "stuck" else []
    if not all(pin in " ".join(texts["stuck"]) for pin in pins):
        return False
    kind = "missing" if mistake.kind == "stuck" else mistake.kind
    return any(fault["kind"] == kind and names <= {*fault["squares"]} for fault in faults)


def tells_dark(text: str, led: int) -> bool:
    """Whether a line says that this LED is dark: alone, or with all behind the first dark one."""
    first = re.search(r"dark from LED (\d+)", text)
    return f"LED {led} " in text if first is None else int(first[1]) <= led


def shorted_pins(believed: Wiring, reality: Reality) -> list[str]:
    chips = [(believed.chips[chip], at) for chip, at in reality.shorted]
    return [f"{chip.address:#04x} {DATASHEETS[chip.kind].inputs[at].pin}" for chip, at in chips]


def assert_true(learnt: Wiring, believed: Wiring, reality: Reality) -> None:
    """Each square's input is closed by that square alone, and its LEDs light it."""
    number = {chip.address: at for at, chip in enumerate(believed.chips)}
    for chip in learnt.chips:
        for at, square in enumerate(chip.squares):
            if square is not None and not learnt.dead >> square & 1:
                assert reality.inputs[number[chip.address]][at] == 1 << square
                assert (number[chip.address], at) not in reality.shorted
    for led, square in enumerate(reality.strip):
        if square is not None:
            assert learnt.leds.squares[led] == square
