"""A Raspberry Pi 3 with chips on its bus, a strip and a header: whole games, and what goes wrong.

The models of the chips are ours (``chips/``), from their data sheets. One game goes on from test to
test, in their order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from signal import SIGTERM

import pytest

from tests.pi.board import SQUARES, START, WiredBoard
from tests.pi.card import card
from tests.pi.debians import need
from tests.pi.emulator import with_chips
from tests.pi.machine import Machine, Program, machine
from tests.pi.wires import INTERRUPT, PARTS, STRANGERS, TAKE_BACK

pytestmark = pytest.mark.pi

ROOT = Path(__file__).parents[2]
MIXED = Path(__file__).parent / "mixed.toml"


@pytest.fixture(scope="module")
def pi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    need()
    with machine(with_chips(), card(), tmp_path_factory.mktemp("pi"), PARTS) as there:
        yield there


@pytest.fixture(scope="module")
def board(pi: Machine) -> WiredBoard:
    board = WiredBoard(pi, ROOT / "hardware/boards/reference.toml")
    board.place(START)
    return board


@pytest.fixture(scope="module")
def game(pi: Machine, board: WiredBoard) -> Program:
    """A game on the reference board, which goes on from test to test."""
    files = "--record /tmp/games.db --pgn /tmp/game.pgn"
    playing = pi.start(f"boardfw run --board i2c:reference {files}")
    board.is_read("chip-24")
    return playing


def edges(pi: Machine) -> int:
    """How often the line of INT has interrupted the kernel."""
    lines = pi.run("cat /proc/interrupts").splitlines()
    (counts,) = [line.split()[1:5] for line in lines if f"pinctrl-bcm2835  {INTERRUPT} " in line]
    return sum(map(int, counts))


def test_the_doctor_finds_all_well_and_names_strangers(pi: Machine, board: WiredBoard) -> None:
    told = pi.tried("boardfw doctor --board i2c:reference --json")
    findings = {one["name"]: one for one in json.loads(told.said)["findings"]}
    assert [name for name, one in findings.items() if one["state"] == "failed"] == []
    for address in range(0x20, 0x25):
        assert findings[f"chip {address:#x}"]["state"] == "passed"
    assert findings["INT line"]["state"] == "passed"
    strangers = findings["other chips"]["found"]
    assert all(f"{address:#x}" in strangers for address in STRANGERS)
    assert "32" in findings["switches"]["found"]


def test_a_lifted_piece_shows_where_it_may_go(
    pi: Machine, board: WiredBoard, game: Program
) -> None:
    before = edges(pi)
    board.touch("-g1")
    pi.wait("no square is lit", lambda: {"f3", "h3"} <= board.lit())
    assert not board.lit() & {square for square in SQUARES if square[1] in "45678"}
    board.touch("+g1")
    assert edges(pi) >= before + 2, "INT gave no edges"


def test_a_game_with_every_kind_of_move(pi: Machine, board: WiredBoard, game: Program) -> None:
    board.touch("-e2 +e4 -d7 +d5 -e4 +e5 -f7 +f5")
    board.touch("-e5 -f5 +f6 -b8 +c6 -g7 -f6 +g7 -g8 +f6")  # en passant
    board.touch("-h8 -g7 +h8 -d8 +d6 -g1 +f3 -c8 +e6 -f1 +e2")  # a promotion
    board.touch("-e8 +c8 -a8 +d8 -e1 +g1 -h1 +f1")  # castling on both sides
    game.heard("8.O-O")


def test_a_button_takes_back(pi: Machine, board: WiredBoard, game: Program) -> None:
    pi.set("header", "tapped", 1 << TAKE_BACK)
    game.heard("taken back: 1")
    board.touch("-f1 +h1 -g1 +e1")
    board.touch("-e1 +g1 -h1 +f1")


def test_stopped_for_a_while_it_knows_when_the_switches_changed(
    pi: Machine, board: WiredBoard, game: Program
) -> None:
    pi.run(f"kill -STOP $(cat {game.log}.pid); sleep 10")
    board.move("-h7")
    pi.run(f"sleep 1; kill -CONT $(cat {game.log}.pid)")
    said = game.heard("was not read for")
    unseen = re.search(r"was not read for ([\d.]+) s", said)
    assert unseen is not None
    assert float(unseen[1]) < 6, "the kernel's time of the edge was not heeded"
    board.touch("+h7")


def test_a_chip_without_its_supply_comes_back(
    pi: Machine, board: WiredBoard, game: Program
) -> None:
    pi.set("chip-21", "powered", False)
    game.heard("chip 0x21: no acknowledgement")
    pi.wait("its squares are dark", lambda: {"a3", "g4"} <= board.lit())
    pi.set("chip-21", "powered", True)
    game.heard("the switches can be read again")
    board.touch("-h7 +h5")
    game.heard("8...h5")


def test_a_chip_that_lost_its_registers_is_configured_again(
    pi: Machine, board: WiredBoard, game: Program
) -> None:
    pi.ask("stop")  # so nobody reads it meanwhile
    pi.set("chip-23", "powered", False)
    pi.set("chip-23", "powered", True)
    pi.ask("cont")
    game.heard("chip 0x23 had lost its registers and was configured again")
    board.touch("-a2 +a3")
    game.heard("9.a3")


def test_a_bus_that_is_held_low_is_freed_by_reset(
    pi: Machine, board: WiredBoard, game: Program
) -> None:
    pi.set("chip-22", "holding", True)
    pi.wait("RESET was not pulled", lambda: not pi.get("chip-22", "holding"))
    board.touch("-h5 +h4")
    game.heard("9...h4")


def test_all_of_it_was_recorded(pi: Machine, game: Program) -> None:
    assert game.ended(SIGTERM) == 0
    moves = "1. e4 d5 2. e5 f5 3. exf6 Nc6 4. fxg7 Nf6 5. gxh8=Q Qd6 6. Nf3 Be6 7. Be2 O-O-O"
    pgn = " ".join(pi.run("cat /tmp/game.pgn").split())
    assert f"{moves} {{taken back: 8.O-O}} 8. O-O h5 9. a3 h4 *" in pgn


def test_a_board_of_tca9555(pi: Machine) -> None:
    board = WiredBoard(pi, MIXED)
    board.place(START)
    pi.write("/srv/mixed.toml", MIXED.read_text("utf-8"))
    files = "--record /tmp/mixed.db --pgn /tmp/mixed.pgn"
    game = pi.start(f"boardfw run --board i2c:/srv/mixed.toml {files}")
    board.is_read("chip-25")
    board.touch("-e2 +e4 -e7 +e5 -g1 +f3")
    pi.set("chip-26", "powered", False)
    game.heard("chip 0x26: no acknowledgement")
    pi.set("chip-26", "powered", True)
    game.heard("the switches can be read again")
    board.touch("-b8 +c6")
    game.heard("2...Nc6")
    pi.set("chip-27", "holding", True)  # and has no RESET
    game.heard("reads 0x00")
    pi.set("chip-27", "holding", False)
    board.touch("-f1 +b5")
    game.heard("3.Bb5")
    assert game.ended(SIGTERM) == 0
    assert "1. e4 e5 2. Nf3 Nc6 3. Bb5 *" in pi.run("cat /tmp/mixed.pgn")
