"""What is written down of a game tells the very game again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.game.chronicle import chronicle
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Action, Tick
from boardfw.game.journal import (
    Annotated,
    Begun,
    Clocked,
    Entry,
    Journal,
    Noted,
    Plies,
    Questioned,
    Resumed,
    Shown,
    Tagged,
    from_json,
    to_json,
)
from boardfw.game.session import Session
from boardfw.notation.pgn import format_movetext
from boardfw.players.game_player import FAMOUS, hand_moves, read_game
from boardfw.recording import START_FEN, Scan
from boardfw.rules import Position
from boardfw.squares import SWITCH_BY_NAME, Occupancy, occupancy_of
from hardware.sim.board import pieces_of
from hardware.sim.record import simulate

SECOND = 1_000_000
TAGS = {"White": "Anna", "Black": "Ben"}
GAMES = st.tuples(st.sampled_from(["careful", "club", "blitz", "child"]), st.integers(0, 999))


class Writing:
    """A session whose journal is written, entry by entry, as text."""

    def __init__(self, clock: ClockUse | None = None) -> None:
        self.session = Session(clock=clock)
        self.journal = Journal(self.session, TAGS)
        self.noted: list[Noted] = []

    def take(self, said: list[Action]) -> None:
        self.noted += self.journal.take(self.session, said)

    def play(self, kind: str, seed: int) -> None:
        moves = list(hand_moves(Position.start(), read_game(FAMOUS).moves))
        simulated = simulate(moves, kind, seed, pieces_of(START_FEN))
        for t_us, occupancy in simulated.scans:
            while (due_us := self.session.deadline_us) is not None and due_us < t_us:
                self.take(self.session.handle(Tick(due_us)))
            self.take(self.session.handle(Scan(t_us, occupancy)))
        self.take(self.session.finish())


@pytest.mark.slow
@settings(max_examples=15)
@given(GAMES)
def test_a_game_is_told_as_it_was_with_all_that_was_taken_back(game: tuple[str, int]) -> None:
    writing = Writing()
    writing.play(*game)
    entries = [from_json(to_json(entry)) for number, entry in writing.noted if number == 0]
    told, record = chronicle(entries), writing.session.games[0]
    assert told.tags == TAGS
    assert (told.record.moves, told.record.times_us) == (record.moves, record.times_us)
    assert told.record.outcome == record.outcome
    assert told.record.history == record.history


@pytest.mark.slow
@settings(max_examples=5)
@given(GAMES)
def test_so_is_its_clock(game: tuple[str, int]) -> None:
    writing = Writing(ClockUse(parse_control("40/5400:1800")))
    writing.play(*game)
    told = chronicle(entry for number, entry in writing.noted if number == 0)
    record = writing.session.games[0]
    assert told.record.control == record.control
    assert told.took_us == tuple(time.took_us for time in record.ply_times)


def noted_of(*ucis: str) -> list[Noted]:
    """What is noted of a game that was cut off after these plies, and goes on with f2f4."""
    plies = Plies(1_000, 0, list(ucis), [1_000] * len(ucis))
    entries: list[Entry] = [Begun(START_FEN, TAGS), plies]
    session = Session(unfinished=chronicle(entries).unfinished())
    journal = Journal(session, TAGS, resumed=True)
    standing = Occupancy(session.game.position.occupied)
    noted = journal.take(session, session.handle(Scan(0, standing)))
    for t_us, now in [
        (SECOND, standing),
        (2 * SECOND, standing ^ occupancy_of([SWITCH_BY_NAME["f2"]])),
        (3 * SECOND, standing ^ occupancy_of([SWITCH_BY_NAME["f2"], SWITCH_BY_NAME["f4"]])),
    ]:
        noted += journal.take(session, session.handle(Scan(t_us, now)))
        while (due_us := session.deadline_us) is not None and due_us < t_us + SECOND:
            noted += journal.take(session, session.handle(Tick(due_us)))
    return noted


def test_a_game_that_goes_on_is_no_new_one() -> None:
    noted = noted_of("e2e4", "e7e5")
    (begun, first), (same, ply) = noted[:2]
    assert (begun, first, same) == (0, Resumed(), 0)
    assert isinstance(ply, Plies)
    assert (ply.kept, ply.moves) == (2, ["f2f4"])
    assert {number for number, _ in noted} == {0}


def test_what_stood_wrong_and_what_was_asked_is_kept_too() -> None:
    from tests.dances import Table

    table, journal = Table(), None
    journal = Journal(table.session, TAGS)
    table.move("e2e4 e7e5")
    table.play("-g1 +g4 1000 -g4 +g1")
    kinds = [type(entry) for _, entry in journal.take(table.session, table.actions)]
    assert Shown in kinds


def test_a_question_without_an_answer_stays_open() -> None:
    begun, ply = Begun(START_FEN, {}), Plies(1, 0, ["e2e4"], [1])
    asked = Questioned(2, ["e2e3", "e2e4"])
    unfinished = chronicle([begun, ply, asked]).unfinished()
    assert [move.uci() for move in unfinished.asked] == ["e2e3", "e2e4"]
    reply = Plies(3, 1, ["e7e5"], [3])
    assert chronicle([begun, ply, asked, reply]).unfinished().asked == ()


def test_a_game_without_a_ply_was_none() -> None:
    writing = Writing()
    writing.take(writing.session.handle(Scan(0, Occupancy(Position.start().occupied))))
    assert writing.noted == []


def test_what_the_owner_says_of_a_game_counts_and_earlier_words_are_still_told() -> None:
    entries: list[Entry] = [
        Begun(START_FEN, TAGS),
        Tagged({"White": "Zoë", "Event": "Club"}),
        Tagged({"Black": ""}),
    ]
    assert chronicle([from_json(to_json(entry)) for entry in entries]).tags == {
        "White": "Zoë",
        "Event": "Club",
    }


def test_times_of_a_game_from_a_file_are_in_its_pgn() -> None:
    entries: list[Entry] = [
        Begun(START_FEN, {"TimeControl": "300"}),
        Plies(0, 0, ["e2e4", "e7e5", "g1f3"], [0, 0, 0]),
        Clocked([None, 299_000], [None, 1_000]),
    ]
    told = chronicle([from_json(to_json(entry)) for entry in entries])
    nodes = list(told.timed().to_pgn(told.tags).mainline())
    assert [(node.clock_ms, node.elapsed_ms) for node in nodes] == [
        (None, None),
        (299_000, 1_000),
        (None, None),
    ]
    with pytest.raises(NotationError, match="2 times of the clock, 1 of plies"):
        chronicle([Begun(START_FEN, {}), Clocked([1, 2], [1])])


def test_annotations_of_a_game_from_a_file_are_in_its_pgn_as_far_as_they_fit() -> None:
    entries: list[Entry] = [
        Begun(START_FEN, {}),
        Plies(0, 0, ["e2e4", "e7e5"], [0, 0]),
        Annotated("{so} 1. e4 $1 {good} (1. d4) 1... e5 * {end}"),
    ]
    told = chronicle([from_json(to_json(entry)) for entry in entries])
    text = format_movetext(told.record.to_pgn({}))
    assert text == "{so} 1. e4 $1 {good} (1. d4) 1... e5 * {end}"
    changed = chronicle([*entries, Plies(0, 1, ["c7c5"], [0])])
    text = format_movetext(changed.record.to_pgn({}))
    assert text == "{so} 1. e4 $1 {good} {taken back: 1...e5} (1. d4) 1... c5 *"
    with pytest.raises(NotationError, match="annotations of a game cannot be read"):
        chronicle([*entries, Annotated("1. e4 e4 *")])


def test_the_times_of_a_game_that_was_played_are_those_of_its_record() -> None:
    writing = Writing(ClockUse(parse_control("300+3")))
    writing.play("club", 1)
    told = chronicle(entry for number, entry in writing.noted if number == 0)
    assert told.timed().ply_times == writing.session.games[0].ply_times
    assert told.record.ply_times


@pytest.mark.parametrize("text", [b"", b"{}", b'{"type":"plies"}', b'{"type":"move","t_us":1}'])
def test_what_is_no_entry_is_refused(text: bytes) -> None:
    with pytest.raises(NotationError, match="no entry of a journal"):
        from_json(text)


def test_entries_that_tell_no_game_are_refused() -> None:
    with pytest.raises(NotationError, match="empty"):
        chronicle([])
    with pytest.raises(NotationError, match="does not begin"):
        chronicle([Resumed()])
