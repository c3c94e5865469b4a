"""What is true of a position is true of its image: legal moves, queries, reaches, verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boardfw.learning import queries
from boardfw.learning.course import Exercise
from boardfw.learning.lone_piece import way
from boardfw.learning.queries import reach, state
from boardfw.learning.task import (
    All,
    Find,
    Goal,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.learning.variant import VARIANTS, Variant
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.rules import Position
from boardfw.squares import BY_NAME, EVERY_SQUARE, Square, bitboard_of
from tests.rules.walks import walk

BOTH_SIDES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9"
MOVE_QUERIES = ("legal", "check", "mate", "capture", "safe", "en_passant", "best_capture")
SQUARE_QUERIES = ("checkers", "pinned", "attacked_own", "hanging_enemy", "kind:N")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_the_rules_hold_in_every_image(variant: Variant) -> None:
    for position, _, _ in walk(seed=11, plies=50):
        if not variant.suits(position):
            continue
        image = variant.position(position)
        assert variant.position(image) == position
        assert parse_fen(format_fen(image), strict=True) == image
        for query in MOVE_QUERIES:
            mapped = {variant.move(move) for move in queries.moves(position, query)}
            assert mapped == set(queries.moves(image, query)), query
        for query in SQUARE_QUERIES:
            mapped_squares = variant.squares(queries.squares(position, query))
            assert mapped_squares == queries.squares(image, query), query
        assert state(image) is state(position)
        for square in EVERY_SQUARE:
            assert reach(image, variant.square(square)) == variant.squares(reach(position, square))


def test_colours_keep_the_rights_to_castle_and_mirrors_lose_them() -> None:
    position = parse_fen(BOTH_SIDES)
    image = VARIANTS["colours"].position(position)
    assert format_fen(image) == "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9"
    castlings = set(queries.moves(image, "castle"))
    assert {VARIANTS["colours"].move(m) for m in queries.moves(position, "castle")} == castlings
    for name in ("mirror", "both"):
        assert not VARIANTS[name].suits(position)
        with pytest.raises(ValueError, match="castle"):
            VARIANTS[name].position(position)


def test_stars_are_as_far_in_the_image() -> None:
    position = parse_fen("7k/8/3n4/4b3/3r4/4P3/8/K7 w - - 0 1")
    stars = bitboard_of(BY_NAME[name] for name in ("d4", "e5", "d6"))
    for variant in VARIANTS.values():
        found = way(variant.position(position), variant.squares(stars))
        assert found is not None
        assert len(found) == 3


START = Position.start()
E4 = START.find(BY_NAME["e2"], BY_NAME["e4"])
assert E4 is not None
TASKS: list[Task] = [
    Find((Square(28), Square(35))),
    Place(guided=True, proof=(8, 4096)),
    Touch(2),
    Reach(Square(8), 65536),
    Stars(65536, 1),
    OneMove((E4,)),
    All((E4,)),
    May(Square(12), Square(28), is_allowed=True),
    Verdict(State.GOES_ON),
    Line(((E4,),), 0),
    Line(((E4,),), None, claims=True),
    Play(Goal.GAME, 0, 60),
]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: type(task).__name__)
@pytest.mark.parametrize("name", VARIANTS)
def test_every_task_has_an_image_and_comes_back_from_it(task: Task, name: str) -> None:
    bare = Position(START.placement, START.turn)
    exercise = Exercise("pawn.first", bare, task)
    variant = VARIANTS[name]
    image = variant.exercise(exercise)
    assert image.variant == name
    assert image.you == variant.color(0)
    assert replace(variant.exercise(image), variant="") == exercise
    if not isinstance(task, Verdict | Play):
        assert image.task != task


@pytest.mark.parametrize(("you", "image"), [(0, 1), (1, 0), (None, None)])
def test_whose_plies_are_asked_for_changes_with_the_colours(
    you: int | None, image: int | None
) -> None:
    assert VARIANTS["colours"].task(Line((), you)) == Line((), image)
    assert VARIANTS["mirror"].task(Line((), you)) == Line((), you)
