"""What holds for every view, even for views that no session would make."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.help import Doubt
from boardfw.game.setup.placing import ORDER, NextPieces
from boardfw.game.setup.seat_choice import Picking
from boardfw.game.view import View
from boardfw.lights.cue import Cue
from boardfw.lights.scene import MAX_IDEAS, scene
from boardfw.notation.fen import parse_fen
from boardfw.rules import (
    BISHOP,
    KNIGHT,
    QUEEN,
    ROOK,
    Move,
    Outcome,
    Position,
)
from boardfw.rules.faults import Problem
from boardfw.rules.reasons import why_none, why_not
from boardfw.squares import ALL, EVERY_SQUARE, Orientation, squares_in
from tests.lights.cue_compatibility import may_meet
from tests.lights.shown import cues_of
from tests.lights.test_scene import FENS

occupancies = st.one_of(st.just(0), st.integers(0, ALL))


pickings = st.builds(Picking, occupancies, occupancies, occupancies, st.booleans())


@st.composite
def objections(draw: st.DrawFn, position: Position) -> View:
    """One piece was put where it may not go, or is held and cannot go anywhere."""
    origin = draw(st.sampled_from([*squares_in(position.occupied)]))
    target = draw(st.sampled_from([square for square in EVERY_SQUARE if square != origin]))
    held = why_none(position, origin)
    if held is not None and draw(st.booleans()):
        return View(position, in_hand=origin, reason=held, tried=origin)
    reason, step = why_not(position, origin, target), (target, origin)
    one, other = 1 << origin, 1 << target
    return View(position, missing=one, extra=other, repair=(step,), reason=reason, tried=origin)


@st.composite
def views(draw: st.DrawFn) -> View:
    """Views of every kind, even ones that no session would make."""
    position = parse_fen(draw(st.sampled_from(FENS)))
    legal = position.legal_moves()
    move: st.SearchStrategy[Move | None] = st.one_of(st.none(), st.sampled_from(legal))
    origin = draw(st.one_of(st.none(), st.sampled_from([m.origin for m in legal])))
    if draw(st.integers(0, 3)) == 0:
        return draw(objections(position))
    square = st.one_of(st.none(), st.integers(0, 63))
    wrong = draw(st.booleans())
    return View(
        position,
        orientation=draw(st.sampled_from(Orientation)),
        picking=draw(st.one_of(st.none(), st.none(), pickings)),
        in_hand=origin,
        destinations=tuple(m for m in legal if m.origin == origin),
        dangers=draw(occupancies) if draw(st.booleans()) else 0,
        attackers=draw(occupancies) if draw(st.booleans()) else 0,
        defenders=draw(occupancies) if draw(st.booleans()) else 0,
        hanging=draw(occupancies) if draw(st.booleans()) else 0,
        doubted=draw(st.none() | st.just(Doubt(legal[0], position, legal[0]))),
        last_move=draw(move),
        provisional=draw(st.booleans()),
        standing=draw(st.one_of(st.just(position.occupied), occupancies)),
        stuck=draw(occupancies),
        missing=draw(occupancies) if wrong else 0,
        extra=draw(occupancies) if wrong else 0,
        repair=tuple(draw(st.lists(st.tuples(square, square), max_size=2))) if wrong else (),
        candidates=tuple(draw(st.lists(st.sampled_from(legal), max_size=3))),
        promotion=draw(st.sampled_from((None, None, QUEEN, KNIGHT, ROOK, BISHOP))),
        wanted=draw(occupancies) if draw(st.booleans()) else 0,
        asked=draw(st.none() | st.builds(NextPieces, st.sampled_from(ORDER), occupancies)),
        problems=tuple(draw(st.lists(st.builds(Problem, st.just("x"), occupancies), max_size=2))),
        surplus=draw(occupancies) if draw(st.booleans()) else 0,
        outcome=draw(st.sampled_from((None, None, Outcome("1-0", "kings"), Outcome("*", "x")))),
    )


@given(views())
def test_no_scene_says_more_than_three_things_or_two_on_one_square(view: View) -> None:
    shown = scene(view)
    ideas = {cue.idea for cue, _ in shown.lit} - {""}
    assert len(ideas) <= MAX_IDEAS
    assert sum(where.bit_count() for _, where in shown.lit) == len(cues_of(shown))
    assert len({cue for cue, _ in shown.lit}) == len(shown.lit)


@given(views())
def test_the_way_back_is_seen_whatever_the_reason(view: View) -> None:
    if view.reason is not None and view.repair:
        ((origin, target),) = view.repair
        shown = scene(view)
        assert origin is not None
        assert target is not None
        assert (shown[origin], shown[target]) == (Cue.REPAIR_FROM, Cue.REPAIR_TO)


@given(views())
def test_only_cues_that_may_meet_are_seen_together(view: View) -> None:
    shown = [cue for cue, _ in scene(view).lit]
    for number, one in enumerate(shown):
        assert all(may_meet(one, other) for other in shown[:number])
