"""A game that was cut off goes on: as it stood, put right again, or a ply further."""

from __future__ import annotations

from random import Random

import pytest

from boardfw.game.build_view import look
from boardfw.game.clock import parse_control
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.setup.planned_game import Unfinished
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.squares import (
    EVERY_SWITCH,
    NAMES,
    START,
    SWITCH_BY_NAME,
    Occupancy,
    Orientation,
    occupancy_of,
)
from tests.dances import Table

SPANISH = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"


def cut_off(ucis: str, *, orientation: Orientation = Orientation.AS_WIRED) -> Unfinished:
    """A game of these plies, a second each, that has not ended."""
    record, position, moves = Record(Position.start(), -60_000_000), Position.start(), []
    for n, uci in enumerate(ucis.split()):
        moves.append(parse_uci(position, uci))
        position = position.play(moves[-1])
        Recorder(record).change(-1_000_000 * (60 - n), tuple(moves))
    return Unfinished(record, orientation)


def standing(unfinished: Unfinished) -> Occupancy:
    return Occupancy(unfinished.record.positions()[-1].occupied)


def random_game(random: Random, plies: int) -> list[Move]:
    """Legal moves from the start, fewer where the game is over before."""
    position, moves = Position.start(), list[Move]()
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(random.choice(legal))
        position = position.play(moves[-1])
    return moves


def squares(text: str) -> Occupancy:
    return occupancy_of(SWITCH_BY_NAME[name] for name in text.split())


@pytest.mark.parametrize("turned", [False, True])
def test_where_the_pieces_stand_as_they_stood_play_goes_on_at_once(turned: bool) -> None:
    unfinished = cut_off(SPANISH, orientation=Orientation.of(turned=turned))
    table = Table(unfinished=unfinished, turned=turned)
    assert table.session.phase.kind is GamePhase.PLAY
    assert look(table.session).orientation.is_turned is turned
    assert table.move("b5a4 g8f6") == ["move 7 b5a4", "move 8 g8f6"]
    assert table.moves == f"{SPANISH} b5a4 g8f6"
    assert len(table.games) == 1


def test_plies_of_before_can_be_taken_back_too() -> None:
    table = Table(unfinished=cut_off(SPANISH))
    table.play("-a6 +a7 -b5 +f1")
    table.move("f1c4")
    assert table.moves == "e2e4 e7e5 g1f3 b8c6 f1c4"


def test_times_of_the_record_go_on() -> None:
    table = Table(unfinished=cut_off(SPANISH))
    table.move("b5a4")
    times = table.session.record.times_us
    assert times == tuple(sorted(times))
    assert times[0] == -60_000_000
    assert times[-1] > 0


@pytest.mark.parametrize(
    ("recorded", "really", "said"),
    [("h1f1", "e1g1", ["take_back 1", "move 9 e1g1"]), ("h1f1", "", ["take_back 1"])],
)
def test_what_stands_may_be_another_last_ply_than_the_hands_had_come_to(
    recorded: str, really: str, said: list[str]
) -> None:
    """The power went when the rook of a castling stood and the king did not, or neither did."""
    unfinished = cut_off(f"{SPANISH} b5a4 g8f6 {recorded}")
    before = unfinished.record.positions()[-2]
    stands = before.play(parse_uci(before, really)) if really else before
    table = Table(unfinished=unfinished, standing=Occupancy(stands.occupied))
    assert table.play("!pause 700") == said
    assert table.session.phase.kind is GamePhase.PLAY


def test_one_of_several_is_asked_about() -> None:
    """A piece is gone from c6 and the bishop from b5: what it captured there was not seen."""
    unfinished = cut_off(SPANISH)
    before = standing(unfinished)
    table = Table(unfinished=unfinished, standing=before ^ squares("b5"))
    assert table.play("!pause 900") == ["move 7 b5a6", "ask b5a6 b5c6"]
    table.play("!answer_2")
    assert table.moves == f"{SPANISH} b5c6"


def test_a_question_that_was_open_is_asked_again() -> None:
    told = cut_off(f"{SPANISH} b5c6")
    taken = tuple(told.record.positions()[-2].legal_moves())
    asked = tuple(move for move in taken if move.uci() in ("b5a6", "b5c6"))
    table = Table(unfinished=Unfinished(told.record, asked=asked))
    assert table.told == ["ask b5a6 b5c6"]
    table.play("!answer_1")
    assert table.moves == f"{SPANISH} b5a6"


def test_clocks_show_what_they_showed_and_stand_until_play_goes_on() -> None:
    told = cut_off(SPANISH)
    told.record.control = parse_control("300+3")
    took_s = (0, 5, 7, 1, 2, 4)
    table = Table(unfinished=Unfinished(told.record, took_us=tuple(s * 1_000_000 for s in took_s)))

    def shown() -> tuple[float, float]:
        clock = table.session.course.clock
        assert clock is not None
        white, black = (clock.remaining_us(color, table.t_us) for color in (WHITE, BLACK))
        return white / 1_000_000, black / 1_000_000

    assert shown() == (303, 302)
    table.wait(20_000_000)
    assert shown() == (303, 302)
    table.play("!pause 5000")
    assert shown() == (298, 302)
    table.move("b5a4")
    assert 298 < shown()[0] < 301
    assert shown()[1] < 302


def test_what_no_ply_explains_is_led_back_whatever_is_said() -> None:
    unfinished = cut_off(SPANISH)
    table = Table(unfinished=unfinished, standing=standing(unfinished) ^ squares("d8 h8 d5"))
    assert table.play("!pause") == []
    assert table.session.phase.kind is GamePhase.SETUP
    assert table.moves == SPANISH


def test_pieces_set_up_for_a_new_game_begin_one() -> None:
    unfinished = cut_off(SPANISH)
    table = Table(unfinished=unfinished, standing=START)
    assert table.told == ["new_game"]
    table.move("d2d4")
    assert table.games == [SPANISH, "d2d4"]


def cut_off_at_random(random: Random) -> tuple[Unfinished, Move]:
    """A game that was cut off somewhere, and a legal ply to go on with."""
    moves = random_game(random, plies=random.randrange(2, 80))
    return cut_off(" ".join(move.uci() for move in moves[:-1])), moves[-1]


def check_a_ply_in_the_dark(seed: int) -> None:
    """It is found or asked about, and never another one recorded."""
    unfinished, ply = cut_off_at_random(Random(seed))
    after = unfinished.record.positions()[-1].play(ply)
    table = Table(unfinished=unfinished, standing=after.occupied)
    assert table.session.phase.kind is GamePhase.SETUP
    told = table.play("!pause 900")
    asked = [word.split()[1:] for word in told if word.startswith("ask ")]
    queened = ply.uci()[:4] + ("q" if ply.promotion else "")
    assert queened in (asked[0] if asked else table.moves.split()[-1:])


def check_a_disturbance(seed: int) -> None:
    """The lights lead the pieces back, one hand movement at a time, in the fewest possible."""
    random = Random(seed)
    unfinished, _ = cut_off_at_random(random)
    wanted = standing(unfinished)
    changed = occupancy_of(random.sample(EVERY_SWITCH, random.randrange(1, 7)))
    table = Table(unfinished=unfinished, standing=wanted ^ changed)
    missing, extra = wanted & changed, changed & ~wanted
    fewest, steps = max(missing.bit_count(), extra.bit_count()), 0
    while table.session.phase.kind is GamePhase.SETUP:
        assert steps < fewest, (seed, steps)
        origin, target = look(table.session).repair[0]
        lift = "" if origin is None else f"-{NAMES[origin]} "
        drop = "" if target is None else f"+{NAMES[target]}"
        table.play(lift + drop)
        steps += 1
    assert steps == fewest, seed
    assert table.moves == " ".join(move.uci() for move in unfinished.record.moves)


@pytest.mark.parametrize("seed", range(10))
def test_any_ply_in_the_dark_is_found_or_asked_about(seed: int) -> None:
    check_a_ply_in_the_dark(seed)


@pytest.mark.parametrize("seed", range(10))
def test_any_disturbance_is_led_back_in_the_fewest_steps(seed: int) -> None:
    check_a_disturbance(seed)


@pytest.mark.slow
def test_many_plies_in_the_dark_and_disturbances(*, full: bool) -> None:
    for seed in range(100, 300 if full else 150):
        check_a_ply_in_the_dark(seed)
        check_a_disturbance(seed)
