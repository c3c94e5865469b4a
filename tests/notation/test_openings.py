"""Names of openings: every line of the table, and well-known games."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.notation.fen import parse_fen
from boardfw.notation.opening_names import (
    Opening,
    Table,
    fingerprint,
    known,
    name_of,
    opening_of,
)
from boardfw.notation.san import parse_san
from boardfw.rules import Position
from boardfw.rules.position import Key
from docs.openings.make import Line, format_table, read_lines, table
from tests.rules.walks import position_of, walk

ROOT = Path(__file__).parents[2]
LARGEST = 100_000
"""Bytes of the table."""
LEAST = 5_000
"""Named positions."""
NAJDORF = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"
START_PRINT = 0x3F3961974B4491EC
WANDERED = list({position.key: position for position, _, _ in walk(1, 40)}.values())
"""Some positions, each once."""


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """Every opening of the table, and moves that lead to it."""
    return list(read_lines())


@pytest.fixture(scope="module")
def ends(lines: list[Line]) -> list[tuple[Opening, Position]]:
    """Every opening of the table, and the position to which its moves lead."""
    reached: dict[tuple[str, ...], Position] = {(): Position.start()}
    for _, moves in lines:
        for ply, move in enumerate(moves):
            if moves[: ply + 1] not in reached:
                before = reached[moves[:ply]]
                reached[moves[: ply + 1]] = before.play(parse_san(before, move))
    return [(opening, reached[moves]) for opening, moves in lines]


def positions(moves: str | Iterable[str], start: Position | None = None) -> list[Position]:
    found = [start or Position.start()]
    for move in moves.split() if isinstance(moves, str) else moves:
        found.append(found[-1].play(parse_san(found[-1], move)))
    return found


def called(moves: str) -> str:
    return " ".join(opening_of(positions(moves)) or ())


# ---------------------------------------------------------------------------- the table


def test_the_table_is_large_enough_and_small_enough() -> None:
    file = resources.files("boardfw.notation").joinpath("openings.bin")
    assert len(file.read_bytes()) <= LARGEST
    assert len(known()) >= LEAST


def test_the_table_is_not_read_before_a_name_is_needed() -> None:
    program = (
        "import boardfw.cli.run_game, boardfw.terminal.app\n"
        "from boardfw.notation.opening_names import known, name_of\n"
        "from boardfw.rules import Position\n"
        "assert known.cache_info().currsize == 0\n"
        "name_of(Position.start())\n"
        "assert known.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_moves_of_every_line_lead_to_its_name(ends: list[tuple[Opening, Position]]) -> None:
    wrong = [opening for opening, position in ends if name_of(position) != opening]
    assert wrong == []
    assert len(ends) == len(known()), "names that no line leads to"


def test_no_two_positions_of_the_table_look_alike(ends: list[tuple[Opening, Position]]) -> None:
    keys = {position.key for _, position in ends}
    prints = {fingerprint(position) for _, position in ends}
    assert len(prints) == len(keys) == len(ends)


def test_the_oracle_comes_to_the_same_positions(
    lines: list[Line],
) -> None:
    for opening, moves in lines[::10]:
        board = chess.Board()
        for move in moves:
            board.push_san(move)
        assert name_of(position_of(board)) == opening


def test_every_code_is_one_of_the_encyclopaedia_and_every_name_can_stand_in_a_tag(
    lines: list[Line],
) -> None:
    codes = {f"{volume}{number:02}" for volume in "ABCDE" for number in range(100)}
    assert {opening.code for opening, _ in lines} <= codes
    assert all(opening.name.isprintable() and opening.name.strip() for opening, _ in lines)
    assert all(name.strip() == name and '"' not in name for (_, name), _ in lines)


def test_two_names_for_one_position_are_refused() -> None:
    twice = [Line(Opening("B00", name), ("e4",)) for name in ("One", "Another")]
    with pytest.raises(ValueError, match="B00 Another: its position is already B00 One"):
        table(twice)


@given(
    st.dictionaries(
        st.integers(0, len(WANDERED) - 1),
        st.builds(Opening, st.sampled_from(("A00", "E99")), st.text("aé –:,", min_size=1)),
    )
)
def test_a_table_knows_what_was_written_and_nothing_else(named: dict[int, Opening]) -> None:
    known_ones = Table.parse(format_table({fingerprint(WANDERED[n]): named[n] for n in named}))
    assert len(known_ones) == len(named)
    for number, position in enumerate(WANDERED):
        assert known_ones.find(position) == named.get(number)


# ---------------------------------------------------------------------------- fingerprints


def test_a_fingerprint_is_the_same_on_every_machine() -> None:
    assert fingerprint(Position.start()) == START_PRINT


@pytest.mark.parametrize("seed", range(8))
def test_positions_look_alike_exactly_where_they_are_the_same(seed: int) -> None:
    prints: dict[Key, int] = {}
    for position, _, _ in walk(seed, 150):
        assert prints.setdefault(position.key, fingerprint(position)) == fingerprint(position)
    assert len(set(prints.values())) == len(prints) > 50


def test_the_side_to_move_castling_and_en_passant_tell_positions_apart() -> None:
    placement = "r3k2r/8/8/3pP3/8/8/8/R3K2R"
    states = ["w KQkq - 0 1", "b KQkq - 0 1", "w Kkq - 0 1", "w - - 0 1", "w KQkq d6 0 1"]
    prints = {fingerprint(parse_fen(f"{placement} {state}")) for state in states}
    assert len(prints) == len(states)
    counted = parse_fen(f"{placement} w KQkq - 9 30")
    assert fingerprint(counted) == fingerprint(parse_fen(f"{placement} w KQkq - 0 1"))


# ---------------------------------------------------------------------------- games


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("e4", "B00 King's Pawn Opening"),
        ("e4 e5 Nf3 Nc6 Bb5", "C60 Ruy Lopez"),
        ("e4 e5 Nf3 Nc6 Bc4 Bc5 b4", "C51 Evans Gambit"),
        ("e4 e6", "C00 French Defence"),
        ("e4 c6", "B10 Caro-Kann Defence"),
        (NAJDORF, "B90 Sicilian Defence: Najdorf Variation"),
        ("d4 d5 c4", "D06 Queen's Gambit"),
        ("d4 Nf6 c4 g6 Nc3 d5", "D80 Grünfeld Defence"),
        ("d4 Nf6 c4 e6 Nc3 Bb4", "E20 Nimzo-Indian Defence"),
        ("d4 f5", "A80 Dutch Defence"),
        ("c4", "A10 English Opening"),
        ("Nf3 d5 c4", "A09 Réti Opening: Réti Gambit"),
    ],
)
def test_openings_that_everybody_knows(moves: str, name: str) -> None:
    assert called(moves) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("d4 d5 c4 e6 Nc3 Nf6", "c4 Nf6 Nc3 e6 d4 d5"),
        ("e4 c5 Nf3", "Nf3 c5 e4"),
        ("d4 Nf6 c4 e6 Nf3 b6", "Nf3 b6 d4 Nf6 c4 e6"),
    ],
)
def test_another_order_of_moves_gives_the_same_name(one: str, other: str) -> None:
    assert called(one) == called(other) != ""


def test_the_start_has_no_name() -> None:
    assert name_of(Position.start()) is None
    assert opening_of([Position.start()]) is None
    assert opening_of([]) is None


def test_a_game_keeps_its_last_name_where_no_book_goes_on() -> None:
    beyond = positions(f"{NAJDORF} Rb1 Rg8 Ra1 Rh8")
    assert name_of(beyond[-1]) is None, "the castling rights differ"
    assert opening_of(beyond) == Opening("B90", "Sicilian Defence: Najdorf Variation")


def test_an_endgame_has_no_name() -> None:
    start = parse_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert opening_of(positions("e4 Ke7", start)) is None


def test_a_game_that_is_named_after_each_ply_looks_each_position_up_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Position] = []
    find = Table.find

    def counted(self: Table, position: Position) -> Opening | None:
        asked.append(position)
        return find(self, position)

    monkeypatch.setattr(Table, "find", counted)
    positions = [position for position, _, _ in walk(3, 150)]
    for plies in range(1, len(positions) + 1):
        opening_of(positions[:plies])
    assert len(asked) <= len(positions)
