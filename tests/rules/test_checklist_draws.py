"""Checklist of the rules, 69 to 80: draws."""

from __future__ import annotations

import pytest

from boardfw.notation.san import parse_san
from boardfw.rules import BLACK, WHITE, Outcome, Position
from boardfw.rules.claim import FIFTY, THREEFOLD, can_claim, claims
from boardfw.rules.outcome import agreed, flag_fell, outcome, resigned
from tests.dances import Table
from tests.rules.boards import board, history, line, play

DRAWN = "1/2-1/2"
KNIGHTS_OUT_AND_HOME = "Nf3 Nf6 Ng1 Ng8 "
ROOK_ENDING = """
    8 .......k
    2 R.......
    1 K.......
"""


def claimed(start: Position, moves: str, intended: str | None = None) -> list[str]:
    """What the side to move may claim after these moves, perhaps with another one."""
    position, earlier = history(start, moves)
    move = None if intended is None else parse_san(position, intended)
    return [claim.kind for claim in claims(position, earlier, move)]


def ended(diagram: str) -> str | None:
    end = outcome(board(diagram))
    return end and end.termination


def test_checklist_069_a_draw_by_agreement() -> None:
    assert agreed() == Outcome(DRAWN, "agreement")
    # On the board itself: offered, and offered back.
    table = Table()
    assert table.play("!draw") == ["offer"]
    assert table.play("!draw") == [f"result {DRAWN} agreement"]


def test_checklist_070_stalemate_draws_at_once() -> None:
    # On the move, no legal move, not attacked.
    stalemate = board(
        """
        8 ....R...
        6 .......B
        5 ....b...
        4 ....k.P.
        1 ...Q...K
        """,
        turn="b",
        clock=100,
    )
    assert outcome(stalemate) == Outcome(DRAWN, "stalemate")
    assert claims(stalemate) == ()  # there is no game left to claim in
    # Attacked, the same king is mated.
    assert outcome(board("8 R.....k.\n7 .....ppp\n1 K.......", "b")) == Outcome("1-0", "checkmate")


def test_checklist_071_the_same_position_for_the_third_time() -> None:
    start = Position.start()
    assert claimed(start, KNIGHTS_OUT_AND_HOME) == []
    third = KNIGHTS_OUT_AND_HOME * 2
    assert claimed(start, third) == [THREEFOLD]
    # The game goes on unless a player claims, and the chance passes.
    assert outcome(*history(start, third)) is None
    assert claimed(start, third + "e4") == []
    # The three need not follow one another.
    wandering = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8"
    assert claimed(start, wandering) == [THREEFOLD]
    # The side to move claims with the move that would bring it about.
    assert claimed(start, third.rsplit(maxsplit=1)[0], "Ng8") == [THREEFOLD]
    assert claimed(start, third.rsplit(maxsplit=1)[0], "Ne4") == []
    position, earlier = history(start, third.rsplit(maxsplit=1)[0])
    home = parse_san(position, "Ng8")
    assert [claim.move for claim in claims(position, earlier, home)] == [home]
    # By FIDE's Laws the fifth time ends the game without a claim.
    assert outcome(*history(start, KNIGHTS_OUT_AND_HOME * 3)) is None
    assert outcome(*history(start, KNIGHTS_OUT_AND_HOME * 4)) == Outcome(
        DRAWN, "fivefold_repetition"
    )


def test_checklist_072_moves_repeated_are_no_position_repeated() -> None:
    # Rook and king go to and fro, but Black's pawn comes on.
    start = board("8 .......k\n7 p.......\n2 .R......\n1 K.......")
    assert claimed(start, "Rb3 a6 Rb2 a5 Rb3 a4 Rb2 a3 Rb3 Kg8 Rb2 Kh8") == []
    # The same pieces on the same squares with the other side to move are another position.
    triangle = "Rb3 Kg8 Rb4 Kh8 Rb2 Kg8 Ka2 Kh8 Ka1 "
    assert claimed(board("8 .......k\n2 .R......\n1 K......."), triangle) == []


def test_checklist_073_other_castling_rights_are_another_position() -> None:
    start = board("8 r...k..r\n1 R...K..R", castling="KQkq")
    round_trip = "Ra2 Ra7 Ra1 Ra8 "
    assert claimed(start, round_trip * 2) == []
    assert claimed(start, round_trip * 3) == [THREEFOLD]


def test_checklist_074_another_chance_en_passant_is_another_position() -> None:
    start = board("8 ....k...\n4 .p......\n2 P.......\n1 ....K..R")
    round_trip = "Kd8 Kd1 Ke8 Ke1 "
    assert claimed(start, "a4 " + round_trip * 2) == []
    assert claimed(start, "a4 " + round_trip * 3) == [THREEFOLD]
    # Where no capture is possible, the double step leaves no en passant square.
    exposed = board("8 ....k...\n7 p.......\n2 P.......\n1 ....K..R")
    assert claimed(exposed, "a4 " + round_trip * 2) == [THREEFOLD]
    # Nor where the capture would expose the king.
    pinned = board("4 kp.....R\n2 ..P.....\n1 ....K...")
    assert play(pinned, "c4").en_passant is None


def test_checklist_075_bare_kings_or_one_minor_piece_are_drawn() -> None:
    for pieces in ("....K...", "....KB..", "....KN.."):
        assert ended(f"6 ....k...\n3 {pieces}") == "insufficient_material"
        black = pieces.replace("K", "k").lower()
        assert ended(f"6 {black}\n3 ....K...") == "insufficient_material"
    for piece in "PRQ":
        assert ended(f"6 ....k...\n3 ....K{piece}..") is None
    # A side that cannot mate wins neither on time nor by resignation.
    rook = board("6 ....k...\n3 ....KR..")
    for give_up, reason in ((flag_fell, "time"), (resigned, "resignation")):
        assert give_up(WHITE, rook) == Outcome(DRAWN, reason)
        assert give_up(BLACK, rook) == Outcome("1-0", reason)
    # Nor does a side behind a blockade.
    assert (
        ended("""
        8 ....k...
        5 p.p.p.p.
        4 PpPpPpPp
        3 .P.P.P.P
        1 ....K...
    """)
        == "dead_position"
    )


def test_checklist_076_two_minor_pieces_are_no_draw_by_themselves() -> None:
    for pieces in ("..BBK...", "...NKB..", "...NKN.."):
        assert ended(f"6 ....k...\n3 {pieces}") is None
    # Two bishops, or bishop and knight, force mate; two knights cannot, but may mate.
    for mate in (
        "8 k.......\n6 .K.B....\n4 ....B...",
        "8 k.......\n6 NK......\n4 ....B...",
        "8 k.......\n7 ..N.....\n6 NK......",
    ):
        assert outcome(board(mate, "b")) == Outcome("1-0", "checkmate")


def test_checklist_077_bishops_of_one_colour_cannot_mate() -> None:
    assert ended("6 ....kb..\n3 ....K.B.") == "insufficient_material"
    assert ended("6 ....kb..\n3 ....KB..") is None
    assert ended("6 ....k...\n4 B.......\n3 ....K.B.") is None
    assert ended("6 ....kb.b\n3 ....K.B.\n1 ......B.") == "insufficient_material"


@pytest.mark.parametrize("side", ["w", "b"])
def test_checklist_078_fifty_moves_without_capture_or_pawn_move(side: str) -> None:
    def fifty(clock: int, intended: str | None = None) -> bool:
        return claimed(board(ROOK_ENDING, side, clock=clock), "", intended) == [FIFTY]

    quiet = "Rb2" if side == "w" else "Kg8"
    assert fifty(100)
    assert not fifty(99)
    assert can_claim(board(ROOK_ENDING, side, clock=99))
    assert not can_claim(board(ROOK_ENDING, side, clock=98))
    assert fifty(99, quiet)
    position = board(ROOK_ENDING, side, clock=99)
    move = parse_san(position, quiet)
    assert [claim.move for claim in claims(position, [], move)] == [move]
    assert not fifty(98, quiet)


def test_checklist_078_what_restarts_the_count() -> None:
    pieces = "8 .......k\n7 p.......\n3 .R.....r\n2 P.......\n1 K......."
    assert claimed(board(pieces, clock=99), "Rb2") == [FIFTY]
    assert claimed(board(pieces, clock=99), "Rxh3+") == []
    assert claimed(board(pieces, clock=99), "a3") == []
    assert claimed(board(pieces, "b", clock=99), "a6") == []
    assert [p.halfmove_clock for p in line(board(pieces), "Rb2 Rh4 Rb3 a5 Rb2")] == [
        0,
        1,
        2,
        3,
        0,
        1,
    ]
    # A claim is a player's: after 75 moves the Laws themselves draw.
    assert outcome(board(ROOK_ENDING, clock=100)) is None
    assert outcome(board(ROOK_ENDING, clock=149)) is None
    assert outcome(board(ROOK_ENDING, clock=150)) == Outcome(DRAWN, "seventyfive_moves")


def test_checklist_079_perpetual_check_is_no_draw_of_its_own() -> None:
    start = board("""
        8 ......k.
        7 .....pp.
        4 .......Q
        2 q.......
        1 .......K
    """)
    check = "Qd8+ Kh7 Qh4+ Kg8 "
    for times in (0, 1):
        assert outcome(*history(start, check * times)) is None
        assert claimed(start, check * times) == []
    assert claimed(start, check * 2) == [THREEFOLD]
    assert outcome(*history(start, check * 2)) is None


def test_checklist_080_a_record_of_the_moves_backs_a_claim() -> None:
    position, earlier = history(Position.start(), "e4 e5 " + KNIGHTS_OUT_AND_HOME * 2)
    (claim,) = claims(position, earlier)
    # The position stood after Black's 1st, 3rd and 5th move.
    assert claim.plies == (2, 6, 10)
    # A game may begin with Black.
    black = board("8 ....k..n\n1 ....K..N", "b")
    position, earlier = history(black, "Ng6 Ng3 Nh8 Nh1 " * 2)
    (claim,) = claims(position, earlier)
    assert claim.plies == (0, 4, 8)
    position, earlier = history(Position.start(), "e4 e5 " + "Nf3 Nf6 Ng1 Ng8 " * 25)
    (fifty,) = [claim for claim in claims(position, earlier) if claim.kind == FIFTY]
    assert fifty.plies == (3, 102)
