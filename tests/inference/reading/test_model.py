"""The parts of the model by themselves: what they cost, and what they learn."""

from __future__ import annotations

from math import exp

import pytest

from boardfw.inference.reading import constants
from boardfw.inference.reading.beam import Beam
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.finality import p_truth_missing, passing
from boardfw.inference.reading.habits import Durations, Habits, PlayerHabits
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.sliding import odds_to_pass, p_slid
from boardfw.inference.reading.standing import held_price, price_of, watch_board
from boardfw.inference.reading.touches import Kind, Touch, Touches
from boardfw.notation.uci import parse_uci
from boardfw.rules import Position
from boardfw.sensing.debounce import Blip
from boardfw.squares import BY_NAME, START, Orientation, Switch
from tests.inference.reading.table import Table, table_after

S = 1_000_000
G1, F3, E2, E4 = (BY_NAME[name] for name in ("g1", "f3", "e2", "e4"))


def start() -> Hypothesis:
    return Hypothesis(Position.start(), 0.0, None, None)


def beam_after(*touches: tuple[str, Kind]) -> Beam:
    """The hypotheses after these touches, half a second apart."""
    beam, shown = Beam([start()], int(START), 0), int(START)
    for n, (square, kind) in enumerate(touches, 1):
        shown ^= 1 << BY_NAME[square]
        beam.take(Touch(n * S // 2, BY_NAME[square], kind), shown, n * S // 2, Habits())
    beam.weigh(len(touches) * S // 2)
    return beam


def test_a_held_piece_costs_more_with_time_and_never_more_than_a_long_thought() -> None:
    game, shown = start(), int(START) & ~(1 << G1)
    watch_board(game, int(START), shown, 0, 0)
    prices = [held_price(game, shown, t_us) for t_us in (0, S, 10 * S, 100 * S, 1_000 * S)]
    assert prices == sorted(prices)
    assert prices[0] == 0
    assert prices[-1] == pytest.approx(cost(constants.P_HELD_FOR_EVER))


def test_what_was_held_is_paid_once_the_board_shows_the_position_again() -> None:
    game, shown = start(), int(START) & ~(1 << G1)
    watch_board(game, int(START), shown, 0, 0)
    held = price_of(game, shown, 4 * S, 0)
    watch_board(game, shown, int(START), 4 * S, 0)
    assert game.paid == pytest.approx(held)
    assert price_of(game, int(START), 9 * S, 4 * S) == 0


def test_a_capture_that_is_slowly_taken_back_costs_no_more_than_a_held_piece() -> None:
    prices = []
    for wait_ms in (300, 60_000):
        table = table_after("e2e4 e7e5 g1f3 b8c6 f3e5").touch("e5 f3").wait(wait_ms).touch("e5")
        assert table.moves == "e2e4 e7e5 g1f3 b8c6"
        prices.append(table.reader.price)
    assert prices[1] - prices[0] < cost(constants.P_HELD_FOR_EVER)


def test_a_stray_piece_costs_more_than_a_held_one() -> None:
    game = start()
    held, stray = int(START) & ~(1 << G1), int(START) | 1 << E4
    assert price_of(game, stray, S, 0) > price_of(game, held, S, 0)


def test_a_ply_uses_up_its_touches() -> None:
    beam = beam_after(("e2", Kind.LIFT), ("e4", Kind.LAND))
    assert [move.uci() for move in beam.best.moves()] == ["e2e4"]
    assert beam.best.loose == ()
    before = next(game for game in beam.games if game.depth == 0)
    assert [touch.square for touch in before.loose] == [E2, E4]


def test_a_touch_belongs_to_one_ply_only() -> None:
    table = table_after("e2e4 d7d5").touch("e4 d5 d5 d8").wait(200)
    assert table.moves == "e2e4 d7d5 e4d5"
    for game in table.reader._beam.games:
        used = 2 * game.depth + sum(move.captured is not None for move in game.moves())
        assert used + len(game.loose) <= 8 + 2 * game.is_unseen


def test_weights_are_the_exponents_of_prices() -> None:
    beam = beam_after(("e2", Kind.LIFT), ("e4", Kind.LAND))
    first, second = beam.weights()[:2]
    assert first / second == pytest.approx(exp(beam.prices[1] - beam.prices[0]))


def test_stops_are_learnt_from_a_prior() -> None:
    habits = PlayerHabits()
    assert habits.stop_us == pytest.approx(constants.STOP_US)
    for _ in range(40):
        habits.add_ply(S, (600_000,))
    assert habits.stop_us > 500_000


def test_slides_are_learnt_from_a_prior() -> None:
    habits, step = PlayerHabits(), parse_uci(Position.start(), "e2e3")
    before = p_slid(step, 0, 150_000, habits)
    for _ in range(20):
        habits.carries.add(120_000)
    assert p_slid(step, 0, 150_000, habits) < before
    for _ in range(20):
        habits.gaps.add(180_000)
        habits.add_way(slid=1.0)
    assert p_slid(step, 0, 150_000, habits) > before


def test_times_are_learnt_from_a_broad_prior() -> None:
    times = Durations(100_000)
    assert times.longer(100_000) == pytest.approx(0.5)
    assert times.longer(1_000_000) > 1e-3
    for _ in range(40):
        times.add(400_000)
    assert times.longer(300_000) > 0.9
    assert times.longer(500_000) < 0.05


def test_a_later_ply_may_be_certain_while_an_earlier_one_is_not() -> None:
    table = table_after("e2e4 d7d5 d1g4 h7h6").touch("g4").wait(1_500).touch("a7 a6").wait(3_000)
    captured, reply = table.read.plies[4:]
    assert captured.doubt > 0.1, "the queen took on c8 or on g7"
    assert reply.doubt < 0.02
    assert reply.final_for == 0


def test_each_square_beyond_is_as_likely_the_goal_of_a_slide() -> None:
    position = Position.start().play(parse_uci(Position.start(), "e2e4"))
    position = position.play(parse_uci(position, "e7e5"))
    odds = [
        odds_to_pass(position.legal_moves(), parse_uci(position, f"f1{to}"), 1.0)
        for to in ("e2", "a6")
    ]
    assert odds == [4.0, 0.0]


def test_a_king_that_may_castle_goes_on() -> None:
    position = table_after("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5").position
    assert odds_to_pass(position.legal_moves(), parse_uci(position, "e1f1"), 1.0) > 100


def test_unseen_captures_are_learnt() -> None:
    habits = Habits()
    before = habits.unseen_price
    assert before == pytest.approx(cost(constants.P_UNSEEN))
    habits.add_capture(unseen=True)
    assert habits.unseen_price < before - 2
    for _ in range(100):
        habits.add_capture(unseen=False)
    assert habits.unseen_price < before


def test_players_have_habits_of_their_own() -> None:
    table = Table()
    for move, reply in (("a2", "a7"), ("b2", "b7"), ("c2", "c7"), ("d2", "d7")):
        file = move[0]
        table.touch(f"{move} {file}3 {file}3 {file}4", every_ms=350).wait(3_000)
        table.touch(f"{reply} {file}5", every_ms=350).wait(3_000)
    white, black = (table.reader._habits.of(color) for color in (0, 1))
    assert white.stops == 4
    assert black.stops == 0
    assert white.stop_us > black.stop_us


def test_a_pawn_that_was_slid_one_square_may_go_on_and_a_carried_one_hardly() -> None:
    slid = Table().touch("e2 e3", every_ms=60).reader.game
    carried = Table().touch("e2 e3", every_ms=600).reader.game
    habits = PlayerHabits()
    assert passing(slid, 0, habits) > 0.3
    assert passing(carried, 0, habits) < 0.1
    assert passing(carried, 0, habits) > passing(Table().touch("g1 f3").reader.game, 0, habits)
    assert passing(slid, 5 * S, habits) < 1e-4


def test_the_truth_is_likelier_missing_the_more_the_game_pays() -> None:
    position = Position.start()
    move = parse_uci(position, "e2e4")
    game = Hypothesis(position.play(move), 3.0, start(), move)
    usual = p_truth_missing(game, 3.0, 0, 2.5)
    assert usual < 1e-8
    assert p_truth_missing(game, 15.0, 0, 2.5) > 1e3 * usual
    assert p_truth_missing(game, 100.0, 0, 2.5) == 1.0


def test_noise_of_one_scan_is_no_touch_and_a_longer_blink_is_one() -> None:
    for length_us, kind in ((2_000, None), (9_000, Kind.BLINK)):
        touch = Touches(Orientation.AS_WIRED).touch(
            Blip(S, Switch(G1), closed=False, length_us=length_us)
        )
        assert (touch and touch.kind) is kind


def test_games_that_differ_in_a_ply_stay_rivals_though_they_lead_to_one_position() -> None:
    games = []
    for moves in ("g1f3 g8f6 b1c3", "b1c3 g8f6 g1f3"):
        game = start()
        for uci in moves.split():
            move = parse_uci(game.position, uci)
            game = Hypothesis(game.position.play(move), 0.0, game, move)
        games.append(game)
    assert games[0].position == games[1].position
    beam = Beam(games, games[0].occupied, 0)
    beam.grow(S, Habits())
    assert len(beam.games) == 2
