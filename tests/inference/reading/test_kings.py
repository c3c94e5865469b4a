"""The kings in the centre show the result, in any order and however far apart in time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boardfw.accuracy.games import random_game
from boardfw.notation.fen import parse_fen
from boardfw.rules import BLACK, WHITE, Position
from boardfw.squares import BY_NAME, NAMES
from tests.inference.reading.table import Table
from tests.sizes import sized

OPEN = "e2e4 e7e5"
ENDGAME = "8/8/3k4/8/8/3K4/7P/8 w - - 0 1"
CROWDED = "8/8/2k5/8/4n3/3K4/3P4/8 w - - 0 1"


def open_game() -> Table:
    return Table().play(OPEN).wait(5_000)


def dance(table: Table, steps: str, rest_ms: float = 5_000) -> Table:
    """Lift (``-e1``) and put down (``+e4``), 0.3 s each; a number waits so many milliseconds."""
    for step in steps.split():
        if step[0] in "+-":
            square = step[1:]
            is_closed = table.shows(square)
            assert is_closed == (step[0] == "-"), step
            table.touch(square)
        else:
            table.wait(int(step))
    return table.wait(rest_ms)


RESULTS = [
    ("-e1 -e8 -e4 +e4 +d5", "1-0"),
    ("-e1 -e8 -e4 +d5 +e4", "1-0"),
    ("-e8 -e1 -e4 1500 +e4 1500 +d5", "1-0"),
    ("-e1 -e8 -e5 +d4 +e5", "0-1"),
    ("-e1 -e8 500 +d4 -e5 500 +e5", "0-1"),
    ("-e1 -e8 -e4 -e5 +e4 +e5", "1/2-1/2"),
    ("-e1 -e8 +d4 +d5", "1/2-1/2"),
    ("-e1 +d4 60000 -e8 +d5", "1/2-1/2"),
    ("-e8 +d5 600000 -e1 +d4", "1/2-1/2"),
    ("-e4 -e1 -e8 +e4 +d5", "1-0"),  # the piece in the way left first
    ("-e4 60000 -e1 -e8 +e4 +d5", "1-0"),
    ("-e4 -e5 3000 -e1 +e4 -e8 +e5", "1/2-1/2"),
    ("-e1 +d4 -e8 -d4 +d4 -e5 +e5", "0-1"),  # the first king was straightened meanwhile
    ("-e1 +d4 5000 -e8 -e5 3000 +e5", "0-1"),
    ("-e4 3000 -e1 +e4 60000 -e8 +d5", "1-0"),
    ("-e1 -e4 +e4 300000 -e8 +d5", "1-0"),
]


@pytest.mark.parametrize(("steps", "result"), RESULTS)
def test_the_kings_show_the_result(steps: str, result: str) -> None:
    table = dance(open_game(), steps)
    assert table.reader.result == result
    assert table.moves == OPEN
    assert table.finals == (2, 2)
    assert len(table.seen) == 3, "nothing else was ever announced"


@pytest.mark.parametrize(
    "steps",
    [
        "-e1 -e8 +e8 +e1",  # both lifted and put back
        "-e1 -e8 +d4 60000",  # only one king stands
        "-e1 -e8 -a2 +d4 +d5",  # something else is missing
        "-e1 -e8 -a2 +b3 +d4 +d5",  # something else has moved
        "-e1 -e8 +d3 +d6",  # not in the centre
        "-e1 -e8 -e4 -e5 +e1 +e8 +e4 +e5",  # the kings stand at home again
        "-e1 60000 -e4 +e4",
        "-e8 -e1 -e5 +e5 60000",  # what may be pushed off is no king
    ],
)
def test_what_is_nearly_the_kings_result_is_none(steps: str) -> None:
    table = dance(open_game(), steps)
    assert table.reader.result is None
    assert table.moves == OPEN


@pytest.mark.parametrize(
    "steps", ["-d3 -d6 +e4 +d5", "-d3 +e4 100 -d6 3000 +d5", "-d6 -d3 +e4 +d5"]
)
def test_a_step_to_the_centre_that_could_be_a_move_is_withdrawn(steps: str) -> None:
    table = dance(Table(parse_fen(ENDGAME)), steps)
    assert table.reader.result == "1-0"
    assert table.moves == ""
    assert table.final[-1] == (0, 0)
    assert all(final[1] == 0 for final in table.final)


def test_a_move_to_the_centre_that_was_final_before_the_other_king_stays() -> None:
    table = dance(Table(parse_fen(ENDGAME)), "-d3 +e4 3000 -d6 +d5")
    assert table.reader.result == "1-0"
    assert table.moves == "d3e4"


def test_a_king_that_was_thought_with_does_not_make_the_step_final() -> None:
    table = dance(Table(parse_fen(ENDGAME)), "-d3 +e4 100 -d6 60000", rest_ms=0)
    assert table.finals[1] == 0
    assert dance(table, "+e6").moves == "d3e4 d6e6"
    assert table.finals == (2, 2)


def test_a_king_that_goes_back_has_shown_no_result() -> None:
    """White has moved, and Black's king only tried an illegal square."""
    table = dance(Table(parse_fen(ENDGAME)), "-d3 +e4 100 -d6 +d5")
    assert (table.reader.result, table.moves) == ("1-0", "")
    dance(table, "-d5 +d6")
    assert (table.reader.result, table.moves) == (None, "d3e4")
    assert table.play("d6e6").wait(4_000).moves == "d3e4 d6e6"
    assert table.finals == (2, 2)


def test_a_king_may_be_slid_to_the_centre() -> None:
    table = open_game().touch("e1 e2 e2 e3 e3 d4", every_ms=70).wait(1_000)
    assert dance(table, "-e8 +d5").reader.result == "1/2-1/2"
    assert table.moves == OPEN


@pytest.mark.parametrize(
    ("fen", "steps", "result"),
    [
        (CROWDED, "-d3 1378 -c6 1098 -e4 3706 +d4 1804 +e4", "1/2-1/2"),
        (CROWDED, "-d3 400 -c6 700 +d5 2000 +e5", "1/2-1/2"),
        ("4k3/8/8/8/8/8/4K3/8 w - - 0 1", "+e3 20 -e2 500 +e4 40 -e3 3000 -e8 1500 +d5", "1-0"),
        ("8/8/8/4k3/8/3K4/8/8 w - - 0 1", "-d3 -e5 +d4 +e5", "0-1"),
        ("8/4k3/8/8/8/8/4K3/7R w - - 0 1", "-e2 -e7 +d4 +e4", "1/2-1/2"),
    ],
)
def test_kings_show_a_result_in_an_endgame(fen: str, steps: str, result: str) -> None:
    table = dance(Table(parse_fen(fen)), steps)
    assert table.reader.result == result
    assert table.moves in ("", "e2e4")


def test_a_king_that_may_have_pushed_a_piece_off_is_no_result_by_time_alone() -> None:
    table = dance(Table(parse_fen(CROWDED)), "-d3 400 -c6 700 +d5 300000")
    assert table.reader.result is None
    assert dance(table, "+e5").reader.result == "1/2-1/2"


def test_a_king_that_rested_on_its_way_shows_another_result() -> None:
    table = dance(open_game(), "-e1 -e8 +d5 +d4 20000")
    assert table.reader.result == "1/2-1/2"
    dance(table, "-d4 -e4 +e4")
    assert table.reader.result == "1-0"
    assert table.moves == OPEN


@pytest.mark.parametrize("home", ["-e4 -d5 +e1 +e8 +e4", "-d5 +e8 -e4 +e4 -e4 +e1 +e4"])
@pytest.mark.parametrize("after_s", [1, 600])
def test_play_goes_on_in_the_same_game_when_the_kings_are_home(home: str, after_s: int) -> None:
    table = dance(open_game(), "-e1 -e8 -e4 +e4 +d5").wait(1_000 * after_s)
    assert dance(table, home).reader.result is None
    assert table.moves == OPEN
    assert table.play("g1f3 b8c6").wait(5_000).moves == OPEN + " g1f3 b8c6"
    assert table.finals == (4, 4)
    assert len(table.seen) == 5, "nothing else was ever announced"


def test_play_may_go_on_with_a_move_of_the_king_that_had_shown_a_result() -> None:
    """Black's king is in the hand, and a pawn beside White's was straightened."""
    table = dance(Table(parse_fen("8/8/1k6/3P4/3K4/8/8/8 b - - 0 1")), "-b6 -d5 +d5 5000")
    assert dance(table, "+a5").reader.result is None
    assert table.moves == "b6a5"


def test_the_kings_may_end_the_game_again_after_play_went_on() -> None:
    table = dance(open_game(), "-e1 -e8 -e4 +e4 +d5")
    dance(table, "-e4 -d5 +e1 +e8 +e4").play("g1f3 b8c6")
    assert dance(table, "-e8 -e1 +d5 +d4").reader.result == "1/2-1/2"
    assert table.moves == OPEN + " g1f3 b8c6"


def test_after_the_result_nothing_is_recorded() -> None:
    table = dance(open_game(), "-e1 -e8 -e4 +e4 +d5")
    for touches in ("g1 f3", "b8 c6", "a2 a4", "d5 e8", "a7", "b7", "d8", "f8"):
        table.touch(touches)
    assert table.wait(60_000).moves == OPEN
    assert table.reader.result == "1-0"


def test_a_last_move_that_had_just_been_made_is_kept() -> None:
    table = open_game().play("g1f3", rest_ms=1_500)
    assert dance(table, "-e8 -e1 +d5 +d4").reader.result == "1/2-1/2"
    assert table.moves == OPEN + " g1f3"
    assert table.finals == (3, 3)


def test_a_capture_that_was_not_seen_stays_asked_when_the_kings_end_the_game() -> None:
    table = Table(parse_fen("4k3/8/p7/3p1p2/4P3/8/8/4K3 w - - 0 1")).touch("e4").wait(2_000)
    table.touch("a6 a5").wait(2_000)
    question = table.reader.question
    assert question
    dance(table, "-e8 -e1 +d4 +e5", rest_ms=3_000)
    assert table.reader.result == "0-1"
    assert table.finals[1] == 0
    table.reader.answer(1)
    table.wait(1_000)
    assert (table.moves, table.reader.result) == ("e4f5 a6a5", "0-1")
    assert table.finals[1] == 2


# ------------------------------------------------------------------------------ any legal position

SHOWN = {"1-0": ("e4", "d5"), "0-1": ("d4", "e5"), "1/2-1/2": ("e4", "e5")}
PAUSES_MS = (100, 400, 3_000, 60_000)


def steps_to_the_centre(table: Table, result: str, random: Random) -> list[str]:
    """Any order in which hands may put the kings there, the pieces in the way taken off first."""
    homes = [NAMES[table.position.king(color)] for color in (WHITE, BLACK)]
    targets = list(SHOWN[result])
    random.shuffle(targets)
    steps, rooms = list[str](), [one for one in targets if table.shows(one) and one not in homes]
    if random.random() < 0.5:
        steps += [f"-{room}" for room in rooms]
        rooms = []
    pairs = [pair for pair in zip(homes, targets, strict=True) if pair[0] != pair[1]]
    random.shuffle(pairs)
    legal = {(NAMES[move.origin], NAMES[move.target]) for move in table.position.legal_moves()}
    # What is a move by itself would be final before the other king is lifted. So would a capture by
    # a king, unseen: what stands in the centre would be the captured piece, put down there.
    captures = any(
        move.captured is not None and NAMES[move.origin] in homes
        for move in table.position.legal_moves()
    )
    is_move = bool(legal & {*pairs} or {*targets} & {*homes}) or captures
    together = is_move or random.random() < 0.5
    if together:
        steps += [f"-{home}" for home, _ in pairs]
    for home, target in pairs:
        steps += [] if together else [f"-{home}"]
        steps += [f"-{target}"] if target in rooms else []
        steps += [str(random.choice(PAUSES_MS)), f"+{target}", str(random.choice(PAUSES_MS))]
    return steps


@pytest.mark.both
@settings(max_examples=sized(8, 80), deadline=None)
@given(seed=st.integers(0, 10_000), plies=st.integers(4, 60), result=st.sampled_from(list(SHOWN)))
def test_kings_show_any_result_in_any_game_and_go_home(seed: int, plies: int, result: str) -> None:
    position, random = Position.start(), Random(seed)
    for move in random_game(seed, plies):
        position = position.play_unchecked(move)
    # Room that is made by a piece that could capture on the other square looks like that capture.
    squares = {BY_NAME[square] for square in SHOWN[result]}
    assume(not any({move.origin, move.target} == squares for move in position.legal_moves()))
    table = Table(position)
    steps = steps_to_the_centre(table, result, random)
    dance(table, " ".join(steps), rest_ms=8_000)
    assert (table.moves, table.reader.result) == ("", result), steps
    back = [step for step in reversed(steps) if not step.isdigit()]
    dance(table, " ".join(f"{'-' if step[0] == '+' else '+'}{step[1:]}" for step in back))
    assert (table.moves, table.reader.result) == ("", None)
