"""EPD: suites are read, and what is written reads the same, here and by the oracle."""

from __future__ import annotations

from random import Random
from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.notation.epd import Operand, format_epd, parse_epd, read_epds
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import Move, Position
from tests.sizes import sized

BRATKO = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";'
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def test_a_line_of_a_suite() -> None:
    position, operations = parse_epd(BRATKO)
    assert format_fen(position).startswith("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1")
    assert operations == {"bm": (parse_uci(position, "d6d1"),), "id": "BK.01"}
    assert format_epd(position, operations) == BRATKO


@pytest.mark.parametrize(
    ("written", "operations"),
    [
        ("", {}),
        (
            "acd 12; ce -35; acs 4.5; draw_offer;",
            {"acd": 12, "ce": -35, "acs": 4.5, "draw_offer": None},
        ),
        (" ;D1 20 ;D2 400 ;D3 8902", {"D1": 20, "D2": 400, "D3": 8902}),
        ("0 1 ;D1 20", {"D1": 20}),
        ('c0 "a; b"; c1 "say \\"no\\"\\\\\\n";', {"c0": "a; b", "c1": 'say "no"\\\n'}),
        ("hmvc 7; fmvn 30;", {"hmvc": 7, "fmvn": 30}),
        ("noop some words", {"noop": "some words"}),
        ("bm;", {"bm": ()}),
        ("acd 1e3; eps 1e-07", {"acd": 1000.0, "eps": 1e-07}),
    ],
)
def test_operations(written: str, operations: dict[str, Operand]) -> None:
    epd = parse_epd(f"{START} {written}")
    assert epd.operations == operations
    assert parse_epd(format_epd(epd.position, operations)).operations == operations


def test_moves_of_operations_are_those_of_the_position() -> None:
    position, operations = parse_epd(f"{START} bm Nf3 e2e4; am h4; pm d4; pv e4 e5 Nf3; sm c4;")

    def moves(*texts: str) -> tuple[Move, ...]:
        return tuple(parse_uci(position, text) for text in texts)

    assert operations["bm"] == moves("g1f3", "e2e4")
    assert operations["am"] == moves("h2h4")
    assert (operations["pm"], operations["sm"]) == moves("d2d4", "c2c4")
    line = operations["pv"]
    assert isinstance(line, tuple)
    assert [move.uci() for move in line] == ["e2e4", "e7e5", "g1f3"]
    assert format_epd(position, operations).endswith(
        "bm Nf3 e4; am h4; pm d4; pv e4 e5 Nf3; sm c4;"
    )


def test_the_counters_are_those_of_the_line() -> None:
    for counters in ("hmvc 7; fmvn 30;", "7 30", "7 30 ;D1 5", "0 1 ; hmvc 7; fmvn 30"):
        position = parse_epd(f"{START} {counters}").position
        assert (position.halfmove_clock, position.fullmove_number) == (7, 30)
    position = parse_epd(START).position
    assert (position.halfmove_clock, position.fullmove_number) == (0, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "0 fields; write four"),
        ("8/8/8/8/8/8/8/8 w -", "3 fields; write four"),
        ("8/8/8/8/8/8/8/8 w - -", "White has no king"),
        (f"{START} bm Ke2;", "EPD, 'bm': Ke2"),
        (f"{START} pv e4 e4;", "EPD, 'pv': e4"),
        (f'{START} id "open', "operation 'id \"open': write an opcode"),
        (f"{START} hmvc x;", "halfmove clock 'x'"),
    ],
)
def test_a_bad_line_gives_an_error_of_one_line(text: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_epd(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_of_a_suite_that_cannot_be_read_is_left_out() -> None:
    lines = ["# a suite", "", BRATKO, "nonsense", f"{START} D1 20"]
    told: list[str] = []
    found = list(read_epds(lines, "suite.epd", on_fault=told.append))
    assert [list(epd.operations) for epd in found] == [["bm", "id"], ["D1"]]
    assert [fault.partition(": ")[0] for fault in told] == ["suite.epd:4"]
    with pytest.raises(NotationError, match=r"^suite\.epd:4: EPD 'nonsense': 1 fields"):
        list(read_epds(lines, "suite.epd"))


def test_positions_that_no_game_can_reach_are_read_where_that_is_asked_for() -> None:
    line = "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - D1 17;"
    with pytest.raises(NotationError, match="9 pawns"):
        parse_epd(line)
    told: list[str] = []
    epd = parse_epd(line, ignore=["too-many"], tell=told.append)
    assert len(epd.position.legal_moves()) == 17
    assert told == ["ignored (too-many): White has 9 pawns: take off 1"]


@pytest.mark.parametrize("opcode", ["", "-", "two words", "b;m", 'b"m'])
def test_what_is_no_opcode_is_not_written(opcode: str) -> None:
    with pytest.raises(ValueError, match="not an EPD opcode"):
        format_epd(Position.start(), {opcode: 1})


def test_a_number_that_is_not_finite_is_not_written() -> None:
    with pytest.raises(ValueError, match="EPD has no such number"):
        format_epd(Position.start(), {"ce": float("inf")})


# ---------------------------------------------------------------------------- against the oracle


def rival(board: chess.Board, operand: Operand) -> Any:
    match operand:
        case Move():
            return chess.Move.from_uci(operand.uci())
        case tuple():
            return [chess.Move.from_uci(move.uci()) for move in operand]
        case _:
            return operand


OPERANDS = st.one_of(
    st.none(),
    st.integers(-(10**15), 10**15),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.text(st.characters(min_codepoint=32, max_codepoint=400) | st.sampled_from('\t\r\n";\\')),
)


@given(
    st.integers(0, 2**32),
    st.dictionaries(
        st.from_regex(r"[a-ln-oq-z][a-z0-9_]{0,5}", fullmatch=True), OPERANDS, max_size=4
    ),
)
@settings(max_examples=sized(40, 200), deadline=None)
def test_what_is_written_reads_the_same_here_and_by_the_oracle(
    seed: int, told: dict[str, Operand]
) -> None:
    chance, board = Random(seed), chess.Board()
    for _ in range(chance.randrange(80)):
        if not (choice := list(board.legal_moves)):
            break
        board.push(chance.choice(choice))
    position = parse_fen(board.fen())
    operations = {k: v for k, v in told.items() if k not in ("am", "bm", "hmvc", "fmvn")}
    if legal := position.legal_moves():
        best = chance.sample(legal, min(3, len(legal)))
        line = [chance.choice(legal)]
        if answers := position.play(line[0]).legal_moves():
            line.append(chance.choice(answers))
        operations |= {"bm": tuple(best), "pv": tuple(line), "sm": best[0]}
    operations |= {"hmvc": position.halfmove_clock, "fmvn": position.fullmove_number}
    text = format_epd(position, operations)
    assert parse_epd(text).position == position
    theirs = {key: rival(board, value) for key, value in operations.items()}
    assert board.epd(**theirs) == text
    again = chess.Board()
    read = again.set_epd(text)
    if "bm" in theirs:
        assert {*read.pop("bm")} == {*theirs.pop("bm")}  # type: ignore[misc]
    assert read == theirs
    assert again.fen() == board.fen()
    ours = parse_epd(text).operations
    assert {*ours.pop("bm", ())} == {*operations.pop("bm", ())}  # type: ignore[misc]
    assert ours == operations
