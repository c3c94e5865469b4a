"""How games end: on the board, by resignation, on time."""

from __future__ import annotations

import pytest

from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, WHITE, Color, Outcome, Position
from boardfw.rules.outcome import flag_fell, outcome, resigned
from boardfw.rules.position import Key
from tests.rules.boards import board

DRAWN = "1/2-1/2"
ENDS = [
    ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", ("0-1", "checkmate")),
    ("8/6Qk/5K2/8/8/8/8/8 b - - 0 1", ("1-0", "checkmate")),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (DRAWN, "stalemate")),
    ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", (DRAWN, "insufficient_material")),
    ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", (DRAWN, "insufficient_material")),
    ("8/8/4kb2/8/8/4K1B1/8/8 w - - 0 1", (DRAWN, "insufficient_material")),
    ("7k/8/8/8/8/8/R7/K7 w - - 150 80", (DRAWN, "seventyfive_moves")),
    ("7k/8/8/8/8/8/R7/K7 w - - 149 80", None),
    ("8/6Qk/5K2/8/8/8/8/8 b - - 150 90", ("1-0", "checkmate")),
    ("8/6Qk/5K2/8/8/8/8/8 b - - 149 90", ("1-0", "checkmate")),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 150 1", (DRAWN, "stalemate")),
    ("8/2k5/8/1p2p2p/1P2P2P/8/4K3/8 w - - 0 1", (DRAWN, "dead_position")),
    ("8/2k5/8/1p2p2p/1P2P2P/8/4K3/8 w - - 150 90", (DRAWN, "dead_position")),
    ("7k/8/8/8/8/8/1q6/K7 w - - 0 1", (DRAWN, "dead_position")),
    ("7k/8/8/8/8/2p5/1q6/K7 w - - 0 1", ("0-1", "checkmate")),
    ("8/8/4kb2/8/8/4KB2/8/8 w - - 0 1", None),
    ("8/8/4k3/8/8/3NKN2/8/8 w - - 0 1", None),
    ("8/8/4kn2/8/8/4KN2/8/8 w - - 0 1", None),
    ("8/8/4k3/8/8/4KNB1/8/8 w - - 0 1", None),
    ("8/8/4k3/8/8/4KP2/8/8 w - - 0 1", None),
]


@pytest.mark.parametrize(("fen", "end"), ENDS)
def test_ends_on_the_board(fen: str, end: tuple[str, str] | None) -> None:
    assert outcome(parse_fen(fen)) == (end and Outcome(*end))


def shuffled(times: int) -> tuple[Position, list[Key]]:
    """The start after ``times`` rounds of knights going out and home."""
    position, earlier = Position.start(), list[Key]()
    for uci in ("g1f3", "g8f6", "f3g1", "f6g8") * times:
        earlier.append(position.key)
        position = position.play(parse_uci(position, uci))
    return position, earlier


@pytest.mark.parametrize("times", [1, 2, 3, 4, 5])
def test_five_times_the_same_position_ends_the_game(times: int) -> None:
    end = Outcome(DRAWN, "fivefold_repetition") if times >= 4 else None
    assert outcome(*shuffled(times)) == end


# --- ended by the players or on time


@pytest.mark.parametrize(("color", "result"), [(WHITE, "0-1"), (BLACK, "1-0")])
def test_resigning_or_running_out_of_time_loses(color: Color, result: str) -> None:
    assert resigned(color, Position.start()) == Outcome(result, "resignation")
    assert flag_fell(color, Position.start()) == Outcome(result, "time")


@pytest.mark.parametrize(
    ("diagram", "turn"),
    [
        ("8 k.......\n1 K......R", "w"),  # Black's lone king
        ("6 ....k.n.\n3 ...QK...", "w"),  # queens do not help a knight
        ("8 .......k\n3 .......P\n2 .q......\n1 K.......", "w"),  # White has to take the queen
    ],
)
def test_it_is_a_draw_against_a_side_that_cannot_win(diagram: str, turn: str) -> None:
    position = board(diagram, turn)
    assert resigned(WHITE, position) == Outcome(DRAWN, "resignation")
    assert flag_fell(WHITE, position) == Outcome(DRAWN, "time")
    assert resigned(BLACK, position) == Outcome("1-0", "resignation")
    assert flag_fell(BLACK, position) == Outcome("1-0", "time")


def test_a_blockade_is_a_draw_for_both() -> None:
    position = board("7 ..k.....\n5 .p..p..p\n4 .P..P..P\n2 ....K...")
    assert {flag_fell(color, position) for color in (WHITE, BLACK)} == {Outcome(DRAWN, "time")}


def test_a_side_that_is_not_proved_unable_to_win_wins() -> None:
    wall = "8 ....k...\n5 .p.p.p.p\n4 pPpPpPpP\n3 P.P.P.P.\n1 ....K..R"
    assert flag_fell(BLACK, board(wall)) == Outcome("1-0", "time")
