"""Hands do what they are told, in whatever order; only squares, no chess."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boardfw.recording import START_FEN
from boardfw.squares import EVERY_SWITCH, SWITCH_BY_NAME, Switch
from hardware.sim.between_games import kings_to_centre, set_up
from hardware.sim.board import pieces_of
from hardware.sim.gesture import Gesture, HandAction, perform
from hardware.sim.hand_profiles import EVERYBODY
from hardware.sim.hands import Hands
from hardware.sim.motion import line_between
from hardware.sim.moving import HandMove, undo

KINDS = st.sampled_from(sorted(EVERYBODY))
SEEDS = st.integers(0, 10**6)
SQUARES = st.sampled_from(EVERY_SWITCH)


def squares(names: str) -> list[Switch]:
    return [SWITCH_BY_NAME[name] for name in names.split()]


def steps(*names: str) -> tuple[tuple[Switch, Switch], ...]:
    return tuple((SWITCH_BY_NAME[name[:2]], SWITCH_BY_NAME[name[2:]]) for name in names)


def after(pieces: dict[Switch, str], actions: Iterable[HandAction]) -> dict[Switch, str]:
    standing = dict(pieces)
    perform(standing, actions)
    return standing


def played(pieces: dict[Switch, str], move: HandMove) -> dict[Switch, str]:
    """What a move means: which pieces leave, and where the others stand."""
    gone = set(move.removed) | {origin for origin, _ in move.steps}
    standing = {square: label for square, label in pieces.items() if square not in gone}
    standing |= {target: pieces[origin] for origin, target in move.steps}
    return standing


@st.composite
def situations(draw: st.DrawFn) -> tuple[dict[Switch, str], HandMove]:
    """Pieces anywhere, and a move of any shape that their squares allow."""
    where = draw(st.lists(SQUARES, min_size=6, max_size=20, unique=True))
    taken, pieces = where[:4], {square: draw(st.sampled_from("PNbrKq")) for square in where[2:]}
    one, two = where[2:4]
    shape = draw(st.sampled_from(["quiet", "capture", "aside", "two", "promotion", "crossing"]))
    if shape == "capture":
        return pieces, HandMove(((one, two),), (two,), draw(st.sampled_from([None, 0, 1, 2, 3])))
    if shape == "aside":
        return pieces, HandMove(((one, taken[0]),), (two,))
    if shape == "two":
        return pieces, HandMove(((one, taken[0]), (two, taken[1])))
    if shape == "crossing":
        return pieces, HandMove(((one, two), (two, one)))
    return pieces, HandMove(((one, taken[0]),), (), 0 if shape == "promotion" else None)


PAWNS = {Switch(number): "P" for number in range(2, 6)}


@given(situations(), KINDS, SEEDS)
@example((PAWNS, HandMove(((Switch(2), Switch(0)),), (), 0)), "postal", 1708)  # held, then promoted
def test_every_kind_of_hands_ends_where_the_move_ends(
    situation: tuple[dict[Switch, str], HandMove], kind: str, seed: int
) -> None:
    pieces, move = situation
    gesture = Hands(kind, seed).play(move, 1_000, pieces)
    assert after(pieces, gesture.actions) == played(pieces, move)
    times = [action.t_us for action in gesture.actions]
    assert times == sorted(times)
    assert times[0] == 1_000
    assert times[-1] <= gesture.end_us
    assert 1_000 < gesture.landed_us <= gesture.end_us


@given(situations(), KINDS, SEEDS)
def test_the_landing_closes_the_target_after_the_origin_opened(
    situation: tuple[dict[Switch, str], HandMove], kind: str, seed: int
) -> None:
    pieces, move = situation
    actions = Hands(kind, seed).play(move, 0, pieces).actions
    for origin, target in move.steps:
        opened = min(a.t_us for a in actions if (a.kind, a.square) == ("lift", origin))
        closed = max(a.t_us for a in actions if (a.kind, a.square) == ("drop", target))
        assert opened < closed


@given(situations(), KINDS, SEEDS)
def test_a_move_undone_leaves_what_stood_before(
    situation: tuple[dict[Switch, str], HandMove], kind: str, seed: int
) -> None:
    pieces, move = situation
    hands = Hands(kind, seed)
    now = after(pieces, hands.play(move, 0, pieces).actions)
    gesture = hands.do(partial(undo, move=move, before=pieces), 10**9, now)
    assert after(now, gesture.actions) == pieces


def by_tag(kind: str, move: HandMove, pieces: dict[Switch, str]) -> dict[str, list[Gesture]]:
    """Many gestures of the same move, by each of their tags."""
    found: dict[str, list[Gesture]] = {}
    for seed in range(300):
        gesture = Hands(kind, seed).play(move, 0, pieces)
        for tag in gesture.tags:
            found.setdefault(tag, []).append(gesture)
    return found


def touches(gesture: Gesture, square: Switch) -> list[tuple[str, int]]:
    return [(a.kind, a.t_us) for a in gesture.actions if a.square == square]


def test_captures_are_played_in_every_order() -> None:
    e4, d5 = squares("e4 d5")
    found = by_tag("blitz", HandMove(((e4, d5),), (d5,)), {e4: "P", d5: "p"})
    assert {"attacker_first", "captured_first", "two_hands", "swap", "push"} <= set(found)
    for gesture in found["captured_first"]:
        assert touches(gesture, d5)[0][1] < touches(gesture, e4)[-1][1]


def test_two_pieces_are_moved_in_every_order() -> None:
    e1, h1, g1, f1 = squares("e1 h1 g1 f1")
    found = by_tag("child", HandMove(((e1, g1), (h1, f1))), {e1: "K", h1: "R"})
    assert {"first_first", "second_first", "both_in_air"} <= set(found)
    for gesture in found["second_first"]:
        if "take_back" in gesture.tags:  # then it was played twice, perhaps in two orders
            continue
        assert touches(gesture, f1)[-1][1] < touches(gesture, g1)[-1][1]


def test_a_captured_beside_the_target_is_taken_off_before_during_or_after() -> None:
    e5, d5, d6 = squares("e5 d5 d6")
    found = by_tag("club", HandMove(((e5, d6),), (d5,)), {e5: "P", d5: "p"})
    assert {"before", "during", "after"} <= set(found)
    for gesture in found["after"]:
        assert touches(gesture, d5)[-1][1] > gesture.landed_us
    for gesture in found["before"]:
        assert touches(gesture, d5)[-1][1] < touches(gesture, e5)[-1][1]


def test_a_queen_is_promoted_by_leaving_the_pawn_exchanging_it_or_at_once() -> None:
    a7, a8 = squares("a7 a8")
    found = by_tag("club", HandMove(((a7, a8),), (), 0, "Q"), {a7: "P"})
    assert {len(touches(gesture, a8)) for gesture in found["standing"]} == {1}
    assert {len(touches(gesture, a8)) for gesture in found["exchange"]} == {3}
    assert {gesture.actions[-1].label for gesture in found["direct"]} == {"Q"}


def test_a_dragged_piece_stays_on_the_board_and_a_carried_one_does_not() -> None:
    a1, a8 = squares("a1 a8")
    dragged = carried = 0
    for seed in range(300):
        gesture = Hands("blitz", seed).play(HandMove(((a1, a8),)), 0, {a1: "R"})
        if not set(gesture.tags) <= {"slide", "pause"}:
            continue
        (path,) = [action.path for action in gesture.actions if action.path]
        height = max(point.z for point in path)
        assert height == 0 if "slide" in gesture.tags else height >= 0.3
        dragged += height == 0
        carried += height > 0
    assert min(dragged, carried) > 20


def test_no_piece_is_dragged_through_another() -> None:
    a1, a4, a8 = squares("a1 a4 a8")
    for seed in range(100):
        gesture = Hands("dragger", seed).play(HandMove(((a1, a8),)), 0, {a1: "R", a4: "p"})
        assert "slide" not in gesture.tags


def test_draggers_drag_knights_between_the_others() -> None:
    g1, f3 = squares("g1 f3")
    assert "slide" in by_tag("dragger", HandMove(((g1, f3),)), pieces_of(START_FEN))


def test_a_child_errs_in_every_way_and_an_illegal_target_may_be_named() -> None:
    e2, e4, e5 = squares("e2 e4 e5")
    pieces = pieces_of(START_FEN)
    found = by_tag("child", HandMove(((e2, e4),), illegal=(e5,)), pieces)
    assert {"wrong_square", "illegal", "take_back", "knock", "hesitate", "adjust"} <= set(found)
    for gesture in found["illegal"]:
        assert touches(gesture, e5)[0][0] == "drop"


@pytest.mark.parametrize(
    ("origin", "target", "passed"),
    [
        ("a1", "a4", "a2 a3"),
        ("h8", "e5", "g7 f6"),
        ("c3", "f3", "d3 e3"),
        ("g1", "f3", ""),
        ("e2", "e3", ""),
        ("a8", "d5", "b7 c6"),
    ],
)
def test_a_line_passes_the_squares_between(origin: str, target: str, passed: str) -> None:
    assert line_between(SWITCH_BY_NAME[origin], SWITCH_BY_NAME[target]) == squares(passed)


@given(KINDS, SEEDS)
def test_the_starting_position_is_set_up_with_several_pieces_in_the_air(
    kind: str, seed: int
) -> None:
    wanted = pieces_of(START_FEN)
    standing = after(wanted, [])
    perform(
        standing, [HandAction(0, "lift", Switch(12), "P"), HandAction(0, "drop", Switch(28), "P")]
    )
    perform(
        standing, [HandAction(0, "lift", Switch(62), "n"), HandAction(0, "drop", Switch(45), "n")]
    )
    gesture = Hands(kind, seed).do(partial(set_up, wanted=wanted), 5, standing)
    assert after(standing, gesture.actions) == wanted
    assert [action.kind for action in gesture.actions] == ["lift"] * 2 + ["drop"] * 2


@pytest.mark.parametrize(
    ("result", "centres"),
    [
        ("1-0", ["e4 d5"]),
        ("0-1", ["d4 e5"]),
        ("1/2-1/2", ["e4 d4", "e4 e5", "d5 d4", "d5 e5"]),
    ],
)
def test_kings_go_to_the_centre_squares_of_the_result(result: str, centres: list[str]) -> None:
    e4, d4, g8 = squares("e4 d4 g8")
    pieces = {e4: "K", d4: "p", g8: "k"}
    for seed in range(20):
        gesture = Hands("club", seed).do(
            partial(kings_to_centre, result=result, kings=(e4, g8)), 0, pieces
        )
        standing = after(pieces, gesture.actions)
        kings = {square for square, label in standing.items() if label in "Kk"}
        assert kings in [set(squares(centre)) for centre in centres]
        assert {action.label for action in gesture.actions} <= {"K", "k", "p"}
        assert (d4 in standing) == (d4 not in kings or standing[d4] in "Kk")


def test_no_kings_stand_for_a_game_that_goes_on() -> None:
    kings = {Switch(4): "K", Switch(60): "k"}
    with pytest.raises(ValueError, match="result"):
        Hands("club").do(partial(kings_to_centre, result="*", kings=kings), 0, kings)


def test_unknown_hands_are_refused() -> None:
    with pytest.raises(ValueError, match="careful"):
        Hands("clumsy")
