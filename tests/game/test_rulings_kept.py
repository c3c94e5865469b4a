"""What is written down of rulings tells the very game again."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.game.build_view import look
from boardfw.game.chronicle import chronicle
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Action, Event
from boardfw.game.journal import Begun, Entry, Plies, from_json, to_json
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.rulings.decision import parse_decision
from boardfw.game.rulings.post_game import ruled_entries
from boardfw.game.rulings.ruling import judge
from boardfw.game.session import Session
from boardfw.notation.san import format_san, move_number, numbered_san
from boardfw.recording import START_FEN
from boardfw.squares import names_of, squares_in
from tests.game.arbiters import SPANISH, Arbiter
from tests.game.test_resuming import random_game
from tests.game.test_ruling import read
from tests.sizes import sized


def test_a_move_against_the_rules_stands_again_when_it_was_taken_back_by_mistake() -> None:
    table = Arbiter()
    table.move(SPANISH)
    table.play("-a7 +a6 -e1 +e3")
    table.rule("illegal 4.e1e3")
    table.play("-e3 +e1")
    assert table.session.record.illegal == frozenset()
    table.play("-e1 +e3 2000")
    assert table.moves.endswith("a7a6 e1e3")
    assert table.session.record.illegal == {6}
    table.check()


def test_a_ruling_is_one_entry_of_its_game() -> None:
    table = Arbiter()
    table.move(SPANISH)
    before = len(table.entries)
    table.rule("3.Bc4")
    (number, entry), *more = table.entries[before:]
    assert (number, more) == (0, [])
    assert b'"type":"ruled"' in entry


def actions_of(events: list[Event], clock: ClockUse | None) -> list[Action]:
    session = Session(clock=clock)
    return [action for event in events for action in session.handle(event)]


SEEDS = st.integers(0, 1 << 32)
KINDS = ("", "insert", "drop", "illegal", "clocks", "result")
RESULTS = ("1-0 time", "0-1 resignation", "1/2-1/2 agreement", "*")
RULINGS = st.lists(st.tuples(st.sampled_from(KINDS), SEEDS.map(Random)), max_size=6)


def random_ruling(record: Record, kind: str, random: Random) -> str:
    """A ruling that may or may not be possible."""
    positions = record.positions()
    ply = random.randint(1, len(record.moves) + 1)
    number = move_number(record.start, ply)
    if kind == "clocks":
        return f"clocks {random.randint(1, 59)}:00 {random.randint(1, 59)}:30"
    if kind == "result":
        return f"result {random.choice(RESULTS)}"
    before = positions[ply - 1]
    if kind == "drop":
        return f"drop {number}"
    if kind == "illegal":
        origin = random.choice([*squares_in(before.pieces(before.turn))])
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


@settings(max_examples=sized(12, 60), deadline=None)
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
        while table.session.phase.kind is GamePhase.SETUP:
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


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(SEEDS, st.integers(0, 10), RULINGS)
def test_whatever_is_ruled_at_the_board_is_played_on_and_told(
    seed: int, plies: int, rulings: list[tuple[str, Random]]
) -> None:
    check_at_the_board(seed, plies, rulings)
