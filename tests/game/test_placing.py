"""Any position is put up by following the lights, from either side; what stands wrong is told."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boardfw.game.events import Misplaced, Ready, Wanted
from boardfw.game.look import look
from boardfw.game.placing import ORDER
from boardfw.game.record import Record
from boardfw.game.resuming import Unfinished
from boardfw.game.session import Session
from boardfw.game.table import Table as At
from boardfw.notation.fen import format_fen, parse_fen, parse_setup
from boardfw.rules import BLACK, KING, PAWN, WHITE, Move, Piece, Position
from boardfw.rules.chess960 import start_position
from boardfw.squares import (
    ALL,
    HALF_TURN,
    NAMES,
    START,
    Occupancy,
    names_of,
    squares_in,
    turned_occupancy,
)
from tests.dances import Table, plain
from tests.rules.scrambles import scramble

HOME = Position.start()
ROOK_ENDING = "8/5pk1/6p1/8/8/1P3R2/r5PP/7K w - - 0 40"
BISHOPS = parse_fen("4k3/8/8/8/8/5N2/8/1NB1K1N1 w - - 0 1")


def any_position(seed: int) -> Position:
    """Scrambled, or out of a game, perhaps of Chess960; somebody may move."""
    random = Random(seed)
    setup = parse_setup(scramble(seed).fen())
    if seed % 3 == 0 and not setup.problems() and plies(setup.position()):
        return setup.position()
    position = HOME if seed % 3 == 1 else start_position(random.randrange(960))
    for _ in range(random.randrange(60)):
        after = position.play(random.choice(plies(position)))
        position = after if plies(after) else position
    return position


def plies(position: Position) -> list[Move]:
    """Legal moves, without those in which a man goes to a square that another has to leave."""
    return [move for move in position.legal_moves() if not move.is_castling]


POSITIONS = st.integers(0, 1_000_000)
"""Seeds of positions, and of what else is left to chance."""
sampled = settings(max_examples=30)


def standing_rightly(position: Position) -> Occupancy:
    """Squares on which the men of the usual start are those of this position, too."""
    shared = squares_in(START & position.occupied)
    return sum(1 << s for s in shared if HOME.piece_at(s) == position.piece_at(s))


def first_ply(table: Table, random: Random) -> None:
    """The game has begun: it takes the next ply."""
    assert table.session.table is not At.SETUP  # it may be drawn already
    position = table.session.line.position
    move = random.choice(plies(position))
    table.play(plain(move))
    assert table.moves == move.uci()


def follow_the_lights(table: Table, random: Random) -> int:
    """Do what the lights say until play begins; how many men were put."""
    put = 0
    while table.session.table is At.SETUP:
        view = look(table.session)
        if view.surplus:
            table.play(f"-{NAMES[random.choice([*squares_in(view.surplus)])]}")
            continue
        assert view.asked is not None
        assert put < 64
        table.play(f"+{NAMES[random.choice([*squares_in(view.asked.squares)])]}")
        put += 1
    return put


# ------------------------------------------------------------------------- following the lights


@sampled
@given(POSITIONS)
def test_who_follows_the_lights_puts_every_man_once(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    table = Table(format_fen(position), standing=0)
    assert follow_the_lights(table, random) == position.occupied.bit_count()
    assert table.heard(Misplaced) == []
    assert not look(table.session).turned
    assert table.heard(Ready) == ["ready"]
    first_ply(table, random)


@sampled
@given(POSITIONS)
def test_men_of_the_usual_start_stay_only_where_they_are_wanted(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    assume(position.occupied != START)
    table = Table(format_fen(position), standing=START)
    stay = standing_rightly(position)
    assert look(table.session).surplus == START & ~stay
    assert follow_the_lights(table, random) == (position.occupied & ~stay).bit_count()
    assert not look(table.session).turned
    first_ply(table, random)


@sampled
@given(POSITIONS)
def test_who_puts_the_men_up_from_the_other_side_turns_the_board_round(seed: int) -> None:
    """The hands put the man who is asked for where he belongs as they see the board."""
    position, random = any_position(seed), Random(seed)
    table, left = Table(format_fen(position), standing=0, turned=True), position.occupied
    while table.session.table is At.SETUP:
        asked = look(table.session).asked
        assert asked is not None
        square = random.choice([*squares_in(position.men_of(*asked.man) & left)])
        table.play(f"+{NAMES[square]}")
        left &= ~(1 << square)
        assert look(table.session).turned or not left
        assert not look(table.session).surplus
    assert not left
    assert table.heard(Misplaced) == []
    first_ply(table, random)


@sampled
@given(POSITIONS)
def test_who_puts_the_men_up_in_an_order_of_his_own_does_not_turn_the_board(seed: int) -> None:
    """But he does not begin where, seen from the other side, the first king belongs."""
    position, random = any_position(seed), Random(seed)
    table, names = Table(format_fen(position), standing=0), names_of(position.occupied)
    random.shuffle(names)
    assume(names[0] != NAMES[position.king(WHITE) ^ HALF_TURN])
    table.play(" ".join(f"+{name}" for name in names))
    assert table.heard(Misplaced) == []
    assert not look(table.session).turned
    first_ply(table, random)
    assert not look(table.session).turned


def test_the_men_are_asked_for_kind_after_kind_and_white_before_black() -> None:
    table = Table(standing=0)
    follow_the_lights(table, Random(1))
    heard = table.heard(Wanted)
    assert [word[0] for word in heard] == list("KkQqRrBbNnPp")
    assert heard[:2] == ["K e1", "k e8"]
    assert heard[-2] == "P a2 b2 c2 d2 e2 f2 g2 h2"
    assert [man.letter for man in ORDER] == list("KkQqRrBbNnPp")


@sampled
@given(POSITIONS)
def test_what_is_asked_for_is_missing_and_of_one_kind(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    table = Table(format_fen(position), standing=position.occupied & random.getrandbits(64))
    view = look(table.session)
    if view.table is not At.SETUP or view.turned:
        return
    assert view.asked is not None
    assert view.asked.squares == position.men_of(*view.asked.man) & view.wanted
    earlier = ORDER[: ORDER.index(view.asked.man)]
    assert not any(position.men_of(*man) & view.wanted for man in earlier)


# ----------------------------------------------------------------------------- what stands wrong


@sampled
@given(POSITIONS)
def test_a_man_where_nobody_belongs_is_told_at_once(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    assume(position.occupied.bit_count() > 3)
    table = Table(format_fen(position), standing=0)
    for _ in range(2):  # the kings, so that it is clear which way round the board lies
        asked = look(table.session).asked
        assert asked is not None
        table.play(f"+{NAMES[next(squares_in(asked.squares))]}")
    elsewhere = ALL & ~(position.occupied | turned_occupancy(position.occupied))
    wrong = random.choice(names_of(elsewhere))
    before = look(table.session)
    table.play(f"+{wrong} 20")
    assert table.heard(Misplaced) == [f"misplaced {wrong}"]
    assert names_of(look(table.session).surplus) == [wrong]
    assert look(table.session).asked == before.asked
    table.play(f"-{wrong}")
    assert look(table.session).surplus == 0
    follow_the_lights(table, random)
    assert not look(table.session).turned


def test_a_man_on_another_wanted_square_is_not_wrong() -> None:
    table = Table(ROOK_ENDING, standing=0)
    table.play("+a2 +b3")
    view = look(table.session)
    assert view.surplus == 0
    assert view.asked == (Piece(KING, WHITE), 1 << 7)
    assert table.heard(Misplaced) == []


def test_a_man_lifted_again_is_asked_for_again() -> None:
    table = Table(ROOK_ENDING, standing=0)
    table.play("+h1 +g7 -h1")
    assert table.heard(Wanted) == ["K h1", "k g7", "R f3", "K h1"]


def test_another_man_than_wanted_has_to_leave_even_if_his_square_is_wanted() -> None:
    """Of the usual start only the king, the knights and the bishop may stay."""
    table = Table("4k3/8/8/8/8/8/8/RNN1K1BN w - - 0 1", standing=START)
    marked = names_of(look(table.session).surplus)
    assert {"c1", "g1", "h1"} <= set(marked)
    assert not {"a1", "b1", "e1", "e8"} & set(marked)
    others = [name for name in marked if name not in ("c1", "g1", "h1")]
    table.play(" ".join(f"-{name}" for name in others) + " 5000")
    assert table.session.table is At.SETUP, "all squares are right, three men are not"
    table.play("-c1 +c1 -g1 +g1 -h1")
    assert table.heard(Ready) == []
    table.play("+h1")
    assert table.heard(Ready) == ["ready"]


def test_a_few_men_are_waited_for_however_long_it_takes() -> None:
    table = Table(ROOK_ENDING, standing=parse_fen(ROOK_ENDING).occupied & ~(1 << NAMES.index("a2")))
    assert table.session.table is At.SETUP
    table.play("600000")
    assert table.session.table is At.SETUP
    assert table.heard(Wanted) == ["r a2"]


def test_somebody_may_say_that_what_stands_counts() -> None:
    """The contact of a2 is poor: it closes only later."""
    table = Table(ROOK_ENDING, standing=0)
    men = names_of(parse_fen(ROOK_ENDING).occupied)
    table.play(" ".join(f"+{name}" for name in men if name != "a2") + " 5000 !pause")
    assert table.session.table is At.PLAY
    assert table.move("f3f7") == ["move 1 f3f7"]
    other = Table(ROOK_ENDING, standing=0)
    other.play("+h1 +g7 +a2 !pause")
    assert other.session.table is At.SETUP


# ------------------------------------------------------------------------------ from either side


@pytest.mark.parametrize("first", ["e2e4", "g1f3", "d2d4"])
def test_the_very_first_game_may_be_played_from_either_side(first: str) -> None:
    table = Table(turned=True)
    assert table.move(first) == [f"move 1 {first}"]
    assert look(table.session).turned
    table.move("e7e5")
    assert table.moves == f"{first} e7e5"


@pytest.mark.parametrize("number", [0, 518, 959])
@pytest.mark.parametrize("turned", [False, True])
def test_chess960_from_either_side(number: int, *, turned: bool) -> None:
    table = Table(format_fen(start_position(number)), turned=turned)
    table.move("e2e4 d7d5 e4d5")
    assert table.moves == "e2e4 d7d5 e4d5"
    assert look(table.session).turned is turned


@pytest.mark.parametrize("turned", [False, True])
def test_men_who_stand_already_may_stand_from_either_side(*, turned: bool) -> None:
    table = Table(ROOK_ENDING, turned=turned)
    assert look(table.session).turned is turned
    assert table.move("f3f7") == ["move 1 f3f7"]


def test_the_board_turns_back_if_the_men_say_so() -> None:
    """Somebody puts the black pawn first, just where the white king is seen from the other side."""
    fen = "4k3/8/8/8/8/3p4/8/3R1K1R w - - 0 1"
    table = Table(fen, standing=0)
    table.play("+e8")  # it is not asked for, and from the other side it is d1
    assert not look(table.session).turned
    table.play("+f1 +d1 +h1 +d3")
    assert table.session.table is At.PLAY
    assert table.move("f1f2") == ["move 1 f1f2"]


# ----------------------------------------------------------------------------- what cannot be so

NO_KING = "4k3/8/8/8/8/8/8/3Q4 w - - 0 1"
PAWN_ON_8 = "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"
TAKES_KING = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "squares"), [(NO_KING, ""), (PAWN_ON_8, "a8"), (TAKES_KING, "e2 e8")]
)
def test_from_an_impossible_position_no_game_begins_but_the_usual_one(
    fen: str, squares: str
) -> None:
    setup = parse_setup(fen)
    table = Table(standing=setup.placement[0] | setup.placement[7])
    table = Table(standing=START, problems=setup.problems())
    view = look(table.session)
    assert view.table is At.SETUP
    assert view.problems == setup.problems()
    told = 0
    for problem in view.problems:
        told |= problem.squares
    assert names_of(told) == squares.split()
    assert (view.wanted, view.surplus, view.asked) == (0, 0, None)
    table.play("-e2 +e4 -e4 +e2 5000 !pause 900")
    assert table.moves == ""
    assert table.heard(Wanted) == []
    assert table.play("!new_game") == ["new_game"]
    assert look(table.session).problems == ()
    assert table.move("e2e4") == ["move 1 e2e4"]


# -------------------------------------------------------------------------------- games that go on


@sampled
@given(POSITIONS, st.booleans())
def test_a_game_from_any_position_that_was_cut_off_is_put_up_again(seed: int, turned: bool) -> None:
    start, random = any_position(seed), Random(seed)
    move = random.choice(plies(start))
    record = Record(start, 0)
    record.change(0, (move,))
    after = start.play(move)
    assume(plies(after))
    unfinished = Unfinished(record, HALF_TURN if turned else 0)
    table = Table(unfinished=unfinished, standing=0, turned=turned)
    assert follow_by_name(table, after) == after.occupied.bit_count()
    ply = random.choice(plies(after))
    table.play(plain(ply))
    assert table.moves == f"{move.uci()} {ply.uci()}"
    assert look(table.session).turned is turned


def follow_by_name(table: Table, position: Position) -> int:
    """Put every man who is asked for where he belongs in the position; how many there were."""
    put, left = 0, position.occupied
    while table.session.table is At.SETUP:
        asked = look(table.session).asked
        assert asked is not None
        square = next(squares_in(position.men_of(*asked.man) & left))
        table.play(f"+{NAMES[square]}")
        left &= ~(1 << square)
        put += 1
    return put


# ---------------------------------------------------------------------------- the usual new game


def test_the_button_leads_to_the_usual_start_in_the_same_order() -> None:
    table = Table(ROOK_ENDING)
    table.move("f3f7")
    table.play("!new_game")
    assert table.heard(Wanted) == ["K e1"]
    assert look(table.session).asked == (Piece(KING, WHITE), 1 << 4)
    random = Random(3)
    follow_the_lights(table, random)
    assert table.told[-1] == "new_game"
    assert table.heard(Ready) == []
    table.move("e2e4")
    assert table.moves == "e2e4"


@sampled
@given(POSITIONS)
def test_after_any_game_only_men_who_stand_at_home_stay(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    assume(position.occupied != START)
    table = Table(format_fen(position))
    table.play("1000 !new_game")
    assert table.session.table is At.SETUP
    stay = standing_rightly(position)
    assert look(table.session).surplus == position.occupied & ~stay
    assert follow_the_lights(table, random) == (START & ~stay).bit_count()
    assert table.told[-1] == "new_game"
    table.move("e2e4")
    assert table.moves == "e2e4"


def test_pressed_again_it_leads_to_what_was_wished_before() -> None:
    table = Table(ROOK_ENDING, standing=0)
    table.play("!new_game !new_game")
    assert table.heard(Wanted) == ["K h1", "K e1", "K h1"]


def test_a_session_that_has_seen_nothing_yet_asks_for_nothing() -> None:
    assert look(Session()).asked == (Piece(KING, WHITE), 1 << 4)
    assert [one for one, other in pairwise(ORDER) if one.kind < other.kind] == []
    assert {man.color for man in ORDER} == {WHITE, BLACK}
    assert {man.kind for man in ORDER} == set(range(PAWN, KING + 1))
