"""Claims to a draw with a move that has not been made yet (FIDE Laws 9.2.1, 9.3.1)."""

from __future__ import annotations

import pytest

from boardfw.game.events import Claimed, Ended
from boardfw.rules.claim import claims
from boardfw.rules.outcome import outcome
from tests.dances import Table, plain

NEARLY = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
"""With Ng8 the start stands for the third time; what stands now does so for the second."""
AGAIN = "claim threefold_repetition 0 4 8"
REPEATED, FIFTY = "1/2-1/2 threefold_repetition", "1/2-1/2 fifty_moves"
ROOK = "4k3/8/8/8/8/8/4P3/R3K3 w - - {} 80"
MATING = "k7/8/1K6/8/8/8/8/7R w - - 99 80"
LONG_MS = 8_000
"""A piece that could go on stands this long before its ply is final."""
NO_CLAIM = "e2e4 e7e5"


def at(moves: str = "", fen: str | None = None) -> Table:
    table = Table(fen)
    table.move(moves)
    return table


@pytest.mark.parametrize(
    ("moves", "dance", "said"),
    [
        # Before the piece is touched, while it is in the air, as it stands.
        (NEARLY, "!claim -f6 +g8", ["claim awaits 3 7", "move 8 f6g8", AGAIN]),
        (NEARLY, "!claim 9000 -f6 +g8", ["claim awaits 3 7", "move 8 f6g8", AGAIN]),
        (NEARLY, "-f6 !claim +g8", ["claim awaits 3 7", "move 8 f6g8", AGAIN]),
        (NEARLY, "-f6 +g8 !claim", ["move 8 f6g8", AGAIN]),
        # Another piece was adjusted in between.
        (NEARLY, "!claim -d8 +d8 900 -f6 +g8", ["claim awaits 3 7", "move 8 f6g8", AGAIN]),
        # Claimed twice, it is one claim.
        (NEARLY, "!claim !claim -f6 +g8", ["claim awaits 3 7"] * 2 + ["move 8 f6g8", AGAIN]),
    ],
)
def test_a_claim_is_right_if_the_move_that_follows_repeats_the_position(
    moves: str, dance: str, said: list[str]
) -> None:
    table = at(moves)
    assert table.play(dance) == [*said, f"result {REPEATED}"]
    assert table.moves == f"{NEARLY} f6g8"
    assert table.play("-e2 +e4") == [], "the game is over"


@pytest.mark.parametrize(
    "dance", ["!claim -f6 +e4", "-f6 !claim +e4", "!claim -f6 +g8 100 -g8 100 +h5 2000"]
)
def test_after_a_wrong_claim_the_move_stands_and_play_goes_on(dance: str) -> None:
    table = at(NEARLY)
    said = table.play(dance)
    assert said[-1].startswith("claim wrong 8")
    assert table.heard(Claimed)[0] == "claim awaits 3 7"
    assert table.heard(Ended) == []
    (move,) = table.moves.removeprefix(NEARLY).split()
    assert move in ("f6e4", "f6h5")
    assert table.move("e2e3") == ["move 9 e2e3"]


@pytest.mark.parametrize(
    ("fen", "dance", "verdict", "result"),
    [
        (ROOK.format(99), "-a1 +b1", "fifty_moves 1", FIFTY),
        (ROOK.format(99), "-e1 +d1", "fifty_moves 1", FIFTY),
        (ROOK.format(99), "-e2 +e3", "wrong 1", "*"),
        (MATING, "-h1 +h2", "fifty_moves 1", FIFTY),
        (MATING, "-h1 +h8", "wrong 1", "1-0 checkmate"),
    ],
)
def test_fifty_moves_are_full_with_a_quiet_move_alone(
    fen: str, dance: str, verdict: str, result: str
) -> None:
    table = at(fen=fen)
    assert table.play("!claim") == ["claim awaits 0"]
    table.play(f"{dance} {LONG_MS}")
    assert table.heard(Claimed)[-1] == f"claim {verdict}"
    assert table.result == result


@pytest.mark.parametrize(("moves", "fen"), [(NO_CLAIM, None), ("", ROOK.format(98))])
def test_a_claim_that_no_move_can_back_is_wrong_at_once(moves: str, fen: str | None) -> None:
    table = at(moves, fen)
    (said,) = table.play("!claim")
    assert said.startswith("claim wrong")
    legal = table.session.game.position.legal_moves()
    table.move(legal[0].uci())
    assert len(table.heard(Claimed)) == 1, "it is answered once"


@pytest.mark.parametrize("start", [(NEARLY, None), ("", ROOK.format(99)), ("", MATING)])
def test_whatever_move_follows_it_is_judged_as_the_laws_say(start: tuple[str, str | None]) -> None:
    session = at(*start).session
    position, record = session.game.position, session.record
    earlier = [before.key for before in record.positions()[:-1]]
    for move in position.legal_moves():
        table = at(*start)
        table.play(f"!claim {plain(move)} {LONG_MS}")
        backed, ended = claims(position, earlier, move), outcome(position.play(move))
        by_rules = f"{ended.result} {ended.termination}" if ended else "*"
        assert table.result == (f"1/2-1/2 {backed[0].kind}" if backed else by_rules)
        assert len(table.heard(Claimed)) == 2


def test_what_the_board_shows_already_is_claimed_although_a_piece_is_in_the_air() -> None:
    table = at(f"{NEARLY} f6g8")
    assert table.play("-e2 !claim 0") == [AGAIN, f"result {REPEATED}"]
    assert table.moves == f"{NEARLY} f6g8"


def test_a_quick_reply_does_not_undo_a_claim() -> None:
    table = at(fen=ROOK.format(99))
    table.play(f"!claim -a1 +b1 100 -e8 +d8 {LONG_MS}")
    assert table.heard(Claimed) == ["claim awaits 0", "claim fifty_moves 1"]
    assert (table.result, table.moves) == (FIFTY, "a1b1 e8d8")


def test_a_claim_is_judged_by_the_next_ply_alone() -> None:
    table = at(NEARLY)
    table.play("!claim")
    table.move("f6e4 g1f3 e4f6 f3g1 f6g8")
    assert table.heard(Claimed) == ["claim awaits 3 7", "claim wrong 8"]
    assert table.result == "*", "the position stands for the third time now, but needs a new claim"


def test_a_claim_outlives_a_ply_that_was_taken_back_and_made_again() -> None:
    table = at(NEARLY)
    table.play("!claim 900 -g1 +f3 900 -f3 +g1")
    assert table.move("f6g8")[-2:] == [AGAIN, f"result {REPEATED}"]


def test_a_claim_is_void_when_the_game_went_on_differently() -> None:
    table = at(NEARLY)
    table.play("!claim 900 -g1 +f3 900 -f3 +e5")
    table.move("f6g8")
    assert table.heard(Claimed) == ["claim awaits 3 7"]
    assert table.heard(Ended) == []
