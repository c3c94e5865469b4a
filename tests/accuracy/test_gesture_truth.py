"""What simulated hands really did, as the truth of a game tells it."""

from __future__ import annotations

import re

import pytest

from boardfw.accuracy.games import RANDOM, games_of
from boardfw.accuracy.gesture_truth import Walk, colours_of, truths
from boardfw.accuracy.playing import Circumstances, Task, play
from boardfw.accuracy.truth import GameTruth, Shown
from boardfw.game.clock import SECOND_US
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.players.game_player import hand_move
from boardfw.recording import START_FEN
from boardfw.rules import Move, Position
from boardfw.squares import SWITCH_BY_NAME, Occupancy
from hardware.sim.board import pieces_of
from hardware.sim.gesture import Gesture, HandAction
from hardware.sim.magnets import Point
from hardware.sim.record import Simulated

CLUMSY = Circumstances(chances=4.0)
"""Hands with four times the usual mishaps."""


def walked(game: str, ply: int, touches: str, start_fen: str = START_FEN) -> Walk:
    """A walk over touches like ``-e2 +Pe4``, one a second, after so many plies of the game."""
    positions, moves = [Position.start()], list[Move]()
    pieces = pieces_of(start_fen)
    for san in game.split():
        moves.append(parse_san(positions[-1], san))
        if len(moves) <= ply:
            for origin, target in hand_move(positions[-1], moves[-1]).steps:
                pieces[target] = pieces.pop(origin)
        positions.append(positions[-1].play(moves[-1]))
    walk = Walk(positions, moves, ply)
    for second, touch in enumerate(touches.split(), 1):
        if touch[0] == "-":
            del pieces[SWITCH_BY_NAME[touch[1:]]]
        else:
            pieces[SWITCH_BY_NAME[touch[2:]]] = touch[1]
        walk.see(second, colours_of(pieces))
    return walk


def test_a_move_that_is_simply_made_shows_nothing_else() -> None:
    walk = walked("e4 e5", 1, "-e7 +pe5")
    assert (walk.shown, walk.undone, walk.landed) == ([], [], {1: 2})


def test_a_piece_on_the_wrong_square_shows_that_move_until_he_stands_right() -> None:
    walk = walked("e4 e5", 1, "-e7 +pe6 -e6 +pe5")
    assert walk.shown == [Shown(1, "e7e6", 1, 4)]
    assert (walk.undone, walk.landed) == ([], {1: 4})


def test_a_piece_who_goes_where_none_may_shows_nothing() -> None:
    assert walked("e4 e5", 1, "-e7 +pd6 -d6 +pe7 -e7 +pe5").shown == []


def test_the_rook_before_the_king_shows_a_rook_move() -> None:
    game = "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O"
    walk = walked(game, 6, "-h1 +Rf1 -e1 +Kg1")
    assert walk.shown == [Shown(6, "h1f1", 1, 4)]
    assert walked(game, 6, "-e1 +Kg1 -h1 +Rf1").shown == []


def test_plies_taken_back_and_played_again_are_undone() -> None:
    walk = walked("e4 e5", 1, "-e7 +pe5 -e5 +pe7 -e4 +Pe2 -e2 +Pe4 -e7 +pe5")
    assert walk.undone == [(1, 3), (0, 5)]
    assert (walk.shown, walk.landed) == ([], {0: 8, 1: 10})


def test_plies_played_instead_are_shown_each_until_it_is_taken_back() -> None:
    walk = walked("e4 e5", 0, "-d2 +Pd4 -d7 +pd5 -d5 +pd7 -d4 +Pd2 -e2 +Pe4")
    assert walk.shown == [Shown(1, "d7d5", 3, 6), Shown(0, "d2d4", 1, 8)]
    assert walk.undone == []


def test_a_piece_that_rests_on_the_border_of_an_occupied_square_pushes_no_piece_off() -> None:
    """The queen goes from d3 to f5, with a rest on the corner of e3, and back before she plays."""
    start = parse_fen("4k3/8/8/8/8/3QP3/8/4K3 w - - 0 1")
    d3, f5 = SWITCH_BY_NAME["d3"], SWITCH_BY_NAME["f5"]
    there = [(1, 3.0, 2.0), (2, 3.5, 2.5), (9, 3.5, 2.5), (10, 5.0, 4.0)]
    way = tuple(Point(second * SECOND_US, x, y, 0.0) for second, x, y in there)
    actions = (
        HandAction(1 * SECOND_US, "lift", d3, "Q", way),
        HandAction(10 * SECOND_US, "drop", f5, "Q"),
        HandAction(20 * SECOND_US, "lift", f5, "Q"),
        HandAction(21 * SECOND_US, "drop", d3, "Q"),
        HandAction(22 * SECOND_US, "lift", d3, "Q"),
        HandAction(23 * SECOND_US, "drop", SWITCH_BY_NAME["d8"], "Q"),
    )
    gesture = Gesture(actions, 23 * SECOND_US, 24 * SECOND_US, showed_another=True)
    simulated = Simulated([(0, Occupancy(start.occupied))], 30 * SECOND_US, [gesture])
    _, shown = truths(start, [parse_san(start, "Qd8+")], simulated)
    assert [(one.ply, one.uci) for one in shown] == [(0, "d3f5")]


def truth_of(kind: str, seed: int) -> GameTruth:
    games = tuple(games_of([RANDOM], 1, seed))
    return play(Task(games, kind, 1, seed, CLUMSY)).truth


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_what_is_shown_and_undone_is_what_the_hands_say_they_did(seed: int) -> None:
    truth = truth_of("child", seed)
    text = " ".join(tag for ply in truth.plies for tag in ply.tags)
    instead = [int(plies) for plies in re.findall(r"instead take_back plies_back_(\d)", text)]
    back = [int(plies) for plies in re.findall(r"plies_back_(\d)", text)]
    assert instead
    assert len(back) > len(instead)
    assert sum(len(ply.undone_us) for ply in truth.plies) == sum(back) - sum(instead)
    assert len(truth.shown) >= sum(instead)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "blitz", "child"])
def test_the_times_of_a_ply_come_in_their_order(kind: str) -> None:
    truth = truth_of(kind, 3)
    for ply in truth.plies:
        assert 0 < ply.begin_us < ply.landed_us < truth.end_us
        assert ply.begin_us < ply.contact_us < truth.end_us
    for shown in truth.shown:
        assert shown.since_us < shown.until_us < truth.end_us
        assert not truth.is_played(shown.ply, shown.uci)
