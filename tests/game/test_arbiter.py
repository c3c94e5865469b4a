"""An arbiter rules on a game at the board: what is said, who leads the men, and what is kept."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.game.afterwards import ruled_entries
from boardfw.game.chronicle import Chronicle, chronicle
from boardfw.game.clock import parse_control
from boardfw.game.decision import parse_decision
from boardfw.game.events import Action, Event, Ruled, Ruling, Unruled
from boardfw.game.journal import Begun, Entry, Journal, Plies, from_json, to_json
from boardfw.game.look import look
from boardfw.game.record import Record
from boardfw.game.ruling import judge
from boardfw.game.session import Session
from boardfw.game.table import Table as At
from boardfw.game.timekeeper import ClockUse
from boardfw.notation.san import format_san, move_number, numbered_san
from boardfw.recording import START_FEN
from boardfw.squares import names_of, squares_in
from tests.dances import Table
from tests.game.clocked import shown, times
from tests.game.test_resuming import random_game
from tests.game.test_ruling import read

SPANISH = "e2e4 e7e5 g1f3 b8c6 f1b5"
MINUTE_US = 60_000_000


class Arbiter(Table):
    """A table with an arbiter beside it, and a journal that is written as it would be."""

    def __init__(self, control: str = "", **others: bool) -> None:
        clock = ClockUse(parse_control(control), **others) if control else None
        self.events: list[Event] = []
        self.entries: list[tuple[int, bytes]] = []
        self.journal: Journal | None = None
        super().__init__(clock=clock)

    def take(self, event: Event) -> None:
        said = len(self.actions)
        self.events.append(event)
        super().take(event)
        self.journal = self.journal or Journal(self.session, {"White": "Anna"})
        noted = self.journal.take(self.session, self.actions[said:])
        self.entries += [(number, to_json(entry)) for number, entry in noted]

    def rule(self, text: str) -> str:
        """Rule; what was said of it."""
        decision = parse_decision(self.session.record.start, text)
        self.take(Ruling(self.t_us, "Berg", "both say so", decision))
        said = [action for action in self.actions if isinstance(action, Ruled | Unruled)][-1]
        return said.text if isinstance(said, Unruled) else said.what

    @property
    def written(self) -> Chronicle:
        """What the journal tells of the last game, read back."""
        last = self.entries[-1][0]
        return chronicle(from_json(entry) for number, entry in self.entries if number == last)

    def check(self) -> None:
        """What is written is what is recorded."""
        record, told = self.session.record, self.written
        assert told.record.moves == record.moves
        assert told.record.times_us == record.times_us
        assert told.record.illegal == record.illegal
        assert told.record.rulings == record.rulings
        assert told.record.clock_sets == record.clock_sets
        assert told.record.outcome == record.outcome
        assert told.took_us == tuple(time.took_us for time in record.ply_times)
        assert told.timed().ply_times == record.ply_times


def actions_of(events: list[Event], clock: ClockUse | None) -> list[Action]:
    session = Session(clock=clock)
    return [action for event in events for action in session.handle(event)]


# --- moves


def test_a_correction_leads_the_man_and_play_goes_on() -> None:
    table = Arbiter()
    table.move(SPANISH)
    assert table.rule("3.Bc4") == "3.Bc4 instead of 3.Bb5"
    assert table.told[-3:] == ["take_back 1", "move 5 f1c4", "ruled 3.Bc4 instead of 3.Bb5"]
    view = look(table.session)
    assert view.table is At.SETUP
    assert (names_of(view.wanted), names_of(view.surplus)) == (["c4"], ["b5"])
    table.play("-b5 +c4")
    assert table.session.table is At.PLAY
    table.move("g8f6")
    assert table.moves == "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6"
    table.check()


def test_where_the_men_stand_so_already_play_goes_on_at_once() -> None:
    """The board took the slide of a bishop for another one, and it is put right while it stands."""
    table = Arbiter()
    table.move(SPANISH)
    table.play("-a7 +a6 -b5 +a4")
    assert table.rule("drop 3.") == "3.Bb5 a6 4.Ba4 dropped"
    assert table.rule("3.Bb5 a6 4.Ba4") == "3.Bb5 a6 4.Ba4 added"
    assert table.session.table is At.PLAY
    table.move("g8f6")
    assert table.moves == f"{SPANISH} a7a6 b5a4 g8f6"
    table.check()


def test_a_ruling_of_the_start_counts_before_any_ply() -> None:
    table = Arbiter()
    assert table.rule("1.e4 e5") == "1.e4 e5 added"
    table.play("-e2 +e4 -e7 +e5")
    table.move("g1f3")
    assert table.moves == "e2e4 e7e5 g1f3"
    table.check()


def test_a_ruling_may_be_ruled_over_before_the_men_stand() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.rule("3.Bd3")
    assert table.rule("3.Bb5") == "3.Bb5 instead of 3.Bd3"
    assert table.session.table is At.PLAY
    assert len(table.session.record.rulings) == 2
    table.check()


def test_plies_of_before_a_ruling_can_be_taken_back() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.rule("2...Nf6")
    table.play("-c6 +b8 -g8 +f6")
    table.play("-b5 +f1 -f6 +g8")
    table.move("d7d6")
    assert table.moves == "e2e4 e7e5 g1f3 d7d6"
    table.check()


@pytest.mark.parametrize("turned", [False, True])
def test_whichever_way_the_board_stands(turned: bool) -> None:
    table = Table(turned=turned)
    table.move(SPANISH)
    decision = parse_decision(table.session.record.start, "3.Bc4")
    table.take(Ruling(table.t_us, "Berg", "so", decision))
    table.play("-b5 +c4")
    assert table.session.table is At.PLAY
    assert look(table.session).turned is turned
    table.move("g8f6")
    assert table.moves.endswith("f1c4 g8f6")


def test_games_before_it_stay() -> None:
    table = Arbiter()
    table.move("e2e4 e7e5")
    table.play("!resign_white !new_game -e4 +e2 -e5 +e7")
    table.move("d2d4")
    table.rule("1.c4")
    table.play("-d4 +d2 -c2 +c4")
    table.move("g8f6")
    assert table.games == ["e2e4 e7e5", "c2c4 g8f6"]
    assert {number for number, _ in table.entries} == {0, 1}
    table.check()


def test_a_ruling_that_cannot_be_is_told_and_changes_nothing() -> None:
    table = Arbiter()
    table.move(SPANISH)
    entries = list(table.entries)
    assert table.rule("3.Bh6").startswith("Bh6: not legal here")
    assert table.moves == SPANISH
    assert table.session.table is At.PLAY
    assert table.entries == entries


def test_where_no_game_is_played_there_is_nothing_to_rule_on() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("!new_game")
    assert "no game is being played" in table.rule("3.Bc4")
    assert table.moves == SPANISH
    empty = Table(standing=0)
    decision = parse_decision(empty.session.record.start, "1.e4")
    empty.take(Ruling(empty.t_us, "Berg", "so", decision))
    assert "no game is being played" in empty.told[-1]


# --- against the rules


def test_a_move_against_the_rules_stands_and_play_goes_on_from_it() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("-e8 +e6")
    assert table.told[-1] == "mismatch -e8 +e6"
    table.rule("3...a6")
    table.play("-e6 +e8 -a7 +a6")
    table.play("-e1 +e3")
    assert table.rule("illegal 4.e1e3") == "4.Ke3 added, against the rules"
    assert table.session.table is At.PLAY
    assert table.session.record.illegal == {6}
    table.move("g8f6 e3e2")
    assert table.moves == f"{SPANISH} a7a6 e1e3 g8f6 e3e2"
    table.check()
    assert [move.uci() for move in read(table.session.record).mainline_moves()] == ["g8f6", "e3e2"]


def test_it_can_be_taken_back_on_the_board_as_any_ply() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.move("a7a6")
    table.play("-e1 +e3")
    table.rule("illegal 4.e1e3")
    table.play("-e3 +e1")
    assert table.told[-1] == "take_back 1"
    assert table.session.record.illegal == frozenset()
    table.move("b5a4")
    assert table.moves == f"{SPANISH} a7a6 b5a4"
    table.check()


# --- the end


def test_a_mate_that_was_none_is_undone_and_play_goes_on() -> None:
    table = Arbiter()
    table.move("f2f3 e7e5 g2g4 d8h4")
    assert table.result == "0-1 checkmate"
    table.rule("2...Qg5")
    assert (table.result, table.session.table) == ("*", At.SETUP)
    table.play("-h4 +g5")
    table.move("h2h4")
    assert table.moves == "f2f3 e7e5 g2g4 d8g5 h2h4"
    table.check()


def test_a_mate_that_is_found_ends_the_game() -> None:
    table = Arbiter()
    table.move("f2f3 e7e5 g2g4 d8g5")
    table.rule("2...Qh4")
    assert (table.result, table.session.table) == ("0-1 checkmate", At.OVER)
    table.check()


def test_a_game_that_somebody_resigned_stays_so() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("!resign_black")
    table.rule("3.Bc4")
    assert (table.result, table.session.table) == ("1-0 resignation", At.OVER)
    table.play("-b5 +c4")
    assert table.moves.endswith("f1c4")
    table.check()


# --- clocks


def test_clocks_are_set_and_stand_until_play_goes_on() -> None:
    table = Arbiter("300+3")
    table.move(SPANISH)
    said = table.rule("clocks 2:00 1:30")
    assert said == "White's clock set to 0:02:00, Black's clock set to 0:01:30"
    table.wait(20_000_000)
    assert shown(table) == [120_000, 90_000]
    table.play("!pause 5000")
    assert shown(table) == [120_000, 85_000]
    table.move("a7a6")
    table.wait(10_000_000)
    assert shown(table)[0] < 111_000
    table.check()


def test_a_correction_leaves_the_clocks_as_they_are() -> None:
    table = Arbiter("300+3")
    table.move(SPANISH)
    table.wait(7_000_000)
    before = shown(table)
    table.rule("3.Bc4")
    table.wait(7_000_000)
    assert shown(table) == before
    table.rule("drop 3.")
    assert shown(table) == before
    table.check()


def test_a_ply_taken_back_gives_back_what_the_arbiter_set() -> None:
    table = Arbiter("300")
    table.move(SPANISH)
    table.rule("clocks 2:00 1:30")
    table.play("!pause 5000")
    table.move("a7a6")
    table.play("10000 -a6 +a7")
    assert shown(table)[0] == 120_000
    assert 80_000 < shown(table)[1] <= 90_000
    table.check()


def test_one_clock_alone_may_be_set() -> None:
    table = Arbiter("300")
    table.move(SPANISH)
    white, _ = shown(table)
    table.rule("clocks - 10:00")
    assert shown(table) == [white, 600_000]
    table.check()


def test_byo_yomi_keeps_its_periods() -> None:
    table = Arbiter("10y3x30")
    table.move(SPANISH)
    table.wait(50_000_000)
    clock = table.session.course.time.clock
    assert clock is not None
    periods = clock.periods(1, table.t_us)
    table.rule("3.Bc4")
    clock = table.session.course.time.clock
    assert clock is not None
    assert clock.periods(1, table.t_us) == periods < 3
    table.check()


def test_a_game_lost_on_time_goes_on_when_the_clocks_are_set() -> None:
    table = Arbiter("20")
    table.move("e2e4 e7e5")
    table.wait(MINUTE_US)
    assert table.result == "0-1 time"
    table.rule("clocks 5:00 5:00")
    assert (table.result, table.session.table) == ("*", At.PLAY)
    table.move("g1f3")
    assert table.moves == "e2e4 e7e5 g1f3"
    assert table.result == "*"
    table.check()


def test_times_of_plies_are_kept_in_a_correction() -> None:
    table = Arbiter("300")
    table.move(SPANISH)
    before = times(table)
    table.rule("3.Bc4")
    assert times(table) == before


def test_who_presses_a_button_has_not_pressed_because_of_a_ruling() -> None:
    table = Arbiter("300", by_button=True)
    table.move("e2e4")
    table.rule("1.d4")
    assert table.session.record.ply_times == ()
    table.check()


# --- what is kept


def test_after_a_power_cut_the_ruled_game_goes_on() -> None:
    table = Arbiter("300+3")
    table.move(SPANISH)
    table.play("-a7 +a6 -e1 +e3")
    table.rule("illegal 4.e1e3")
    table.rule("clocks 2:00 1:30")
    table.rule("3.Bc4")
    again = Table(unfinished=table.written.unfinished())
    assert shown(again) == [120_000, 90_000]
    assert again.session.table is At.PLAY
    assert again.session.record.illegal == {6}
    assert [one.what for one in again.session.record.rulings] == [
        "4.Ke3 added, against the rules",
        "White's clock set to 0:02:00, Black's clock set to 0:01:30",
        "3.Bc4 instead of 3.Bb5",
    ]
    again.move("g8f6")
    assert again.moves.endswith("f1c4 a7a6 e1e3 g8f6")


def test_a_ruling_is_one_entry_of_its_game() -> None:
    table = Arbiter()
    table.move(SPANISH)
    before = len(table.entries)
    table.rule("3.Bc4")
    (number, entry), *more = table.entries[before:]
    assert (number, more) == (0, [])
    assert b'"type":"ruled"' in entry


# --- properties

SEEDS = st.integers(0, 1 << 32)
KINDS = ("", "insert", "drop", "illegal", "clocks")
RULINGS = st.lists(st.tuples(st.sampled_from(KINDS), SEEDS.map(Random)), max_size=6)


def random_ruling(record: Record, kind: str, random: Random) -> str:
    """A ruling that may or may not be possible."""
    positions = record.positions()
    ply = random.randint(1, len(record.moves) + 1)
    number = move_number(record.start, ply)
    if kind == "clocks":
        return f"clocks {random.randint(1, 59)}:00 {random.randint(1, 59)}:30"
    before = positions[ply - 1]
    if kind == "drop":
        return f"drop {number}"
    if kind == "illegal":
        origin = random.choice([*squares_in(before.men(before.turn))])
        target = random.choice([square for square in range(64) if square != origin])
        return f"illegal {number}{names_of(1 << origin)[0]}{names_of(1 << target)[0]}"
    words = []
    for _ in range(random.randint(1, 2)):
        if legal := before.legal_moves():
            move = random.choice(legal)
            words.append(format_san(before, move))
            before = before.play(move)
    return f"{kind} {number}{' '.join(words)}".strip()


def check_record(record: Record) -> None:
    """Legal but for what stands against the rules, and readable to others."""
    for ply, (position, move) in enumerate(zip(record.positions(), record.moves, strict=False)):
        assert ply in record.illegal or move in position.legal_moves()
    game = read(record)
    begin = max(record.illegal, default=-1) + 1
    assert [move.uci() for move in game.mainline_moves()] == [
        move.uci() for move in record.moves[begin:]
    ]
    text = " ".join(" ".join(node.comment.split()) for node in [game, *game.mainline()])
    for ruled in record.rulings:
        assert ruled.told in text


def plies_of(seed: int, plies: int) -> str:
    return " ".join(move.uci() for move in random_game(Random(seed), plies))


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(0, 24), RULINGS)
def test_whatever_is_ruled_of_a_stored_game_is_told_by_its_journal(
    seed: int, plies: int, rulings: list[tuple[str, Random]]
) -> None:
    ucis = plies_of(seed, plies).split()
    entries: list[Entry] = [Begun(START_FEN, {}, "300+3"), Plies(9, 0, ucis, [*range(len(ucis))])]
    for kind, random in rulings:
        told = chronicle(entries)
        text = random_ruling(told.record, kind, random)
        try:
            judged = judge(told.record, parse_decision(told.record.start, text))
        except NotationError:
            continue
        gone = told.record.moves[judged.splice.at :][: judged.splice.gone]
        names = numbered_san(told.record.positions()[judged.splice.at], gone)
        more, what = ruled_entries(told, text, "Berg", "so")
        entries += [from_json(to_json(entry)) for entry in more]
        again = chronicle(entries)
        assert again.record.moves == judged.moves == told.record.moves
        assert again.record.illegal == judged.illegal
        assert again.record.outcome == judged.outcome
        assert again.record.rulings == told.record.rulings
        assert again.record.clock_sets == told.record.clock_sets
        assert again.took_us == told.took_us
        assert names in what
        check_record(again.record)


def check_at_the_board(seed: int, plies: int, rulings: list[tuple[str, Random]]) -> None:
    """Ruled, led and played on, the game is what was judged; and the same events say the same."""
    table = Arbiter("300+3")
    table.move(plies_of(seed, plies))
    for kind, random in rulings:
        record = table.session.record
        text = random_ruling(record, kind, random)
        try:
            judged = judge(record, parse_decision(record.start, text))
        except NotationError:
            judged = None
        before = record.moves
        if judged is not None:
            assert table.rule(text) == judged.what
        assert table.session.record is record
        assert record.moves == (before if judged is None else judged.moves)
        while table.session.table is At.SETUP:
            origin, target = look(table.session).repair[0]
            table.play(
                ("" if origin is None else f"-{names_of(1 << origin)[0]} ")
                + ("" if target is None else f"+{names_of(1 << target)[0]}")
            )
        assert record.moves == (before if judged is None else judged.moves)
        if record.rulings:
            table.check()
            check_record(record)
    assert actions_of(table.events, ClockUse(parse_control("300+3"))) == table.actions


@settings(max_examples=12, deadline=None)
@given(SEEDS, st.integers(0, 10), RULINGS)
def test_whatever_is_ruled_at_the_board_is_played_on_and_told(
    seed: int, plies: int, rulings: list[tuple[str, Random]]
) -> None:
    check_at_the_board(seed, plies, rulings)


def test_the_start_is_on_the_way_of_the_men_and_no_new_game_but_by_the_button() -> None:
    table = Arbiter()
    table.move("e2e4")
    table.rule("1.d4")
    table.play("-e4 +e2 5000")
    assert table.session.table is At.SETUP
    table.play("!new_game")
    assert table.told[-1] == "new_game"
    table.move("c2c4")
    assert table.games == ["d2d4", "c2c4"]


def test_the_board_is_not_taken_for_turned_round_where_that_would_look_right() -> None:
    """A white pawn on c4 is, seen from the other side, a black one on f5."""
    table = Arbiter()
    table.move("c2c4")
    table.rule("1.Nf3 f5 2.Ng1")
    assert not look(table.session).turned
