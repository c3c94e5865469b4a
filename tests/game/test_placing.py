"""Any position is set up by following the lights; what stands wrong is told."""

from __future__ import annotations

from random import Random

from hypothesis import assume, example, given

from boardfw.game.build_view import look
from boardfw.game.events import Misplaced, Ready, Wanted
from boardfw.game.phase import GamePhase
from boardfw.game.setup.placing import ORDER
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.rules import BLACK, KING, WHITE, Piece
from boardfw.squares import (
    ALL,
    NAMES,
    NO_SWITCHES,
    START,
    Occupancy,
    Orientation,
    half_turned,
    names_of,
    squares_in,
)
from tests.dances import Table
from tests.game.placings import (
    HOME,
    POSITIONS,
    ROOK_ENDING,
    any_position,
    first_ply,
    follow_the_lights,
    sampled,
    standing_rightly,
)

# ------------------------------------------------------------------------- following the lights


@sampled
@given(POSITIONS)
def test_following_the_lights_puts_every_piece_once(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    table = Table(format_fen(position), standing=NO_SWITCHES)
    assert follow_the_lights(table, random) == position.occupied.bit_count()
    assert table.heard(Misplaced) == []
    assert not look(table.session).orientation.is_turned
    assert table.heard(Ready) == ["ready"]
    first_ply(table, random)


@sampled
@given(POSITIONS)
def test_pieces_of_the_usual_start_stay_only_where_they_are_wanted(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    assume(position.occupied != START)
    table = Table(format_fen(position), standing=START)
    stay = standing_rightly(position)
    assert look(table.session).surplus == int(START) & ~stay
    assert follow_the_lights(table, random) == (position.occupied & ~stay).bit_count()
    assert not look(table.session).orientation.is_turned
    first_ply(table, random)


@sampled
@given(POSITIONS)
def test_setting_up_from_the_other_side_turns_the_board_round(seed: int) -> None:
    """The hands put the piece that is asked for where it belongs as they see the board."""
    position, random = any_position(seed), Random(seed)
    table, left = Table(format_fen(position), standing=0, turned=True), position.occupied
    while table.session.phase.kind is GamePhase.SETUP:
        asked = look(table.session).asked
        assert asked is not None
        square = random.choice([*squares_in(position.pieces_of(*asked.piece) & left)])
        table.play(f"+{NAMES[square]}")
        left &= ~(1 << square)
        assert look(table.session).orientation.is_turned or not left
        assert not look(table.session).surplus
    assert not left
    assert table.heard(Misplaced) == []
    first_ply(table, random)


@sampled
@given(POSITIONS)
@example(356)  # now and then a piece comes where the other way round would have asked for it
def test_setting_up_in_an_order_of_ones_own_does_not_turn_the_board(seed: int) -> None:
    """But it does not begin where, seen from the other side, the kings belong."""
    position, random = any_position(seed), Random(seed)
    table, names = Table(format_fen(position), standing=NO_SWITCHES), names_of(position.occupied)
    random.shuffle(names)
    kings = {NAMES[Orientation.TURNED.switch(position.king(color))] for color in (WHITE, BLACK)}
    assume(names[0] != NAMES[Orientation.TURNED.switch(position.king(WHITE))])
    assume(not kings <= {*names[: 2 + len(names) // 2]})
    table.play(" ".join(f"+{name}" for name in names))
    assert table.heard(Misplaced) == []
    assert not look(table.session).orientation.is_turned
    first_ply(table, random)
    assert not look(table.session).orientation.is_turned


def test_the_pieces_are_asked_for_kind_after_kind_and_white_before_black() -> None:
    table = Table(standing=NO_SWITCHES)
    follow_the_lights(table, Random(1))
    heard = table.heard(Wanted)
    assert [word[0] for word in heard] == list("KkQqRrBbNnPp")
    assert heard[:2] == ["K e1", "k e8"]
    assert heard[-2] == "P a2 b2 c2 d2 e2 f2 g2 h2"
    assert [piece.letter for piece in ORDER] == list("KkQqRrBbNnPp")


@sampled
@given(POSITIONS)
def test_what_is_asked_for_is_missing_and_of_one_kind(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    table = Table(
        format_fen(position), standing=Occupancy(position.occupied & random.getrandbits(64))
    )
    view = look(table.session)
    if view.phase is not GamePhase.SETUP or view.orientation.is_turned:
        return
    assert view.asked is not None
    assert view.asked.squares == position.pieces_of(*view.asked.piece) & view.wanted
    earlier = ORDER[: ORDER.index(view.asked.piece)]
    assert not any(position.pieces_of(*piece) & view.wanted for piece in earlier)


# ----------------------------------------------------------------------------- what stands wrong


@sampled
@given(POSITIONS)
def test_a_piece_on_a_square_that_stays_empty_is_told_at_once(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    assume(position.occupied.bit_count() > 3)
    table = Table(format_fen(position), standing=NO_SWITCHES)
    for _ in range(2):  # the kings, so that it is clear which way round the board lies
        asked = look(table.session).asked
        assert asked is not None
        table.play(f"+{NAMES[next(squares_in(asked.squares))]}")
    elsewhere = ALL & ~(position.occupied | half_turned(position.occupied))
    wrong = random.choice(names_of(elsewhere))
    before = look(table.session)
    table.play(f"+{wrong} 20")
    assert table.heard(Misplaced) == [f"misplaced {wrong}"]
    assert names_of(look(table.session).surplus) == [wrong]
    assert look(table.session).asked == before.asked
    table.play(f"-{wrong}")
    assert look(table.session).surplus == 0
    follow_the_lights(table, random)
    assert not look(table.session).orientation.is_turned


def test_a_piece_on_another_wanted_square_is_not_wrong() -> None:
    table = Table(ROOK_ENDING, standing=NO_SWITCHES)
    table.play("+a2 +b3")
    view = look(table.session)
    assert view.surplus == 0
    assert view.asked == (Piece(KING, WHITE), 1 << 7)
    assert table.heard(Misplaced) == []


def test_a_piece_lifted_again_is_asked_for_again() -> None:
    table = Table(ROOK_ENDING, standing=NO_SWITCHES)
    table.play("+h1 +g7 -h1")
    assert table.heard(Wanted) == ["K h1", "k g7", "R f3", "K h1"]


def test_another_piece_than_wanted_has_to_leave_even_if_its_square_is_wanted() -> None:
    """Of the usual start only the king, the knights and the bishop may stay."""
    table = Table("4k3/8/8/8/8/8/8/RNN1K1BN w - - 0 1", standing=START)
    marked = names_of(look(table.session).surplus)
    assert {"c1", "g1", "h1"} <= set(marked)
    assert not {"a1", "b1", "e1", "e8"} & set(marked)
    others = [name for name in marked if name not in ("c1", "g1", "h1")]
    table.play(" ".join(f"-{name}" for name in others) + " 5000")
    assert table.session.phase.kind is GamePhase.SETUP, (
        "all squares are right, three pieces are not"
    )
    table.play("-c1 +c1 -g1 +g1 -h1")
    assert table.heard(Ready) == []
    table.play("+h1")
    assert table.heard(Ready) == ["ready"]


def test_a_piece_of_the_usual_start_is_led_to_where_its_type_is_wanted() -> None:
    """A pawn, which switches cannot tell apart, would have the shorter path to c3."""
    table = Table("4k3/8/8/8/8/2R5/8/4K3 w - - 0 1", standing=START)
    *cleared, moved = look(table.session).repair
    assert moved == (NAMES.index("a1"), NAMES.index("c3"))
    assert all(target is None for _, target in cleared)


@sampled
@given(POSITIONS)
def test_no_piece_is_led_to_where_another_one_is_wanted(seed: int) -> None:
    position = any_position(seed)
    assume(position.occupied != START)
    table = Table(format_fen(position), standing=START)
    for origin, target in look(table.session).repair:
        if origin is not None and target is not None:
            assert HOME.piece_at(origin) == position.piece_at(target)


def test_a_few_pieces_are_waited_for_however_long_it_takes() -> None:
    table = Table(ROOK_ENDING, standing=parse_fen(ROOK_ENDING).occupied & ~(1 << NAMES.index("a2")))
    assert table.session.phase.kind is GamePhase.SETUP
    table.play("600000")
    assert table.session.phase.kind is GamePhase.SETUP
    assert table.heard(Wanted) == ["r a2"]


def test_a_player_may_say_that_what_stands_counts() -> None:
    """The contact of a2 is poor: it closes only later."""
    table = Table(ROOK_ENDING, standing=NO_SWITCHES)
    pieces = names_of(parse_fen(ROOK_ENDING).occupied)
    table.play(" ".join(f"+{name}" for name in pieces if name != "a2") + " 5000 !pause")
    assert table.session.phase.kind is GamePhase.PLAY
    assert table.move("f3f7") == ["move 1 f3f7"]
    other = Table(ROOK_ENDING, standing=NO_SWITCHES)
    other.play("+h1 +g7 +a2 !pause")
    assert other.session.phase.kind is GamePhase.SETUP
