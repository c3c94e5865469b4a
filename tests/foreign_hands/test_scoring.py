"""The score notices what is wrong with a record, and nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

import chess

from tests.foreign_hands.scoring import Case, case, ghosts, is_exact, wrong_finals


@cache
def _played() -> Case:
    return case("hall", 7, 0)


def _another(uci: str) -> str:
    """Return a first move that was not played."""
    return "a2a4" if uci != "a2a4" else "b2b4"


def _move(t_us: int, uci: str, event: str = "move") -> dict[str, Any]:
    san = chess.Board().san(chess.Move.from_uci(uci))
    return {"t": t_us, "event": event, "ply": 1, "uci": uci, "san": san}


def test_a_game_is_exact_if_each_ply_is_there() -> None:
    moves = [ply.uci for ply in _played().games[0]]

    def pgn(some: list[str]) -> str:
        line = chess.Board().variation_san([chess.Move.from_uci(uci) for uci in some])
        return f'[Result "*"]\n\n{line} *\n'

    assert is_exact(_played(), pgn(moves))
    assert not is_exact(_played(), pgn(moves[:-1]))
    assert not is_exact(_played(), pgn(moves) + "\n" + pgn(moves))


def test_a_final_ply_that_was_not_played_is_wrong() -> None:
    first = _played().games[0][0]
    t_us = first.let_go_us + 2_000_000
    right = {"t": t_us, "event": "final", "ply": 1, "uci": first.uci}

    assert wrong_finals(_played(), [right]) == []
    assert len(wrong_finals(_played(), [{**right, "uci": _another(first.uci)}])) == 1


def test_a_ply_without_a_trace_is_a_ghost_if_it_stands() -> None:
    first = _played().games[0][0]
    wrong = _move(first.let_go_us, _another(first.uci))
    amended = _move(first.let_go_us + 300_000, first.uci, "amend")
    later = _move(first.let_go_us + 900_000, first.uci, "amend")

    assert ghosts(_played(), [_move(first.let_go_us, first.uci)]) == []
    assert ghosts(_played(), [wrong, amended]) == []
    assert len(ghosts(_played(), [wrong, later])) == 1
    assert len(ghosts(_played(), [wrong])) == 1
