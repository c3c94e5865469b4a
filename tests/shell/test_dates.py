"""Dates: only vouched-for ones, and none made up when the clock is set meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.events import Tick
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import Unfinished
from boardfw.recording import Scan
from boardfw.shell.config import Settings
from boardfw.shell.dates import (
    AGAIN_S,
    EARLIEST,
    LATEST,
    SET_BY_BATTERY,
    SYNCHRONIZED,
    Calendar,
    Vouchers,
    is_synchronised,
    is_vouched_for,
)
from boardfw.shell.desk import Desk
from boardfw.shell.pgn_file import UNKNOWN_DATE, Names, Pgn, PgnFile, PgnFollower, TagsNow
from boardfw.shell.places import numbered
from boardfw.shell.store.record_writer import RunRecord
from boardfw.squares import START, SWITCH_BY_NAME, Occupancy
from hardware.clock import VirtualClock

S = 1_000_000
TODAY = datetime(2026, 11, 22, 12, tzinfo=UTC)
LONG_AGO = datetime(1970, 1, 1, 0, 1, tzinfo=UTC)
E2, E4, E5, E7 = (1 << SWITCH_BY_NAME[name] for name in ("e2", "e4", "e5", "e7"))
FIRST, SECOND = START ^ E2 ^ E4, START ^ E2 ^ E4 ^ E7 ^ E5


class Machine:
    """A machine with a clock that tests set."""

    def __init__(self, now: datetime = TODAY, *, is_right: bool = True) -> None:
        self.time, self.is_right = now, is_right
        self.asked = 0

    def vouch(self) -> bool:
        self.asked += 1
        return self.is_right

    def calendar(self) -> Calendar:
        return Calendar("auto", self.vouch, lambda: self.time)


def test_nobody_vouches_for_the_clock_of_a_bare_machine(tmp_path: Path) -> None:
    assert not is_vouched_for(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "is_right"),
    [(SYNCHRONIZED, "", True), (SET_BY_BATTERY, "1\n", True), (SET_BY_BATTERY, "0\n", False)],
)
def test_a_time_server_or_a_battery_vouches(
    tmp_path: Path, name: str, text: str, *, is_right: bool
) -> None:
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(text)
    assert is_vouched_for(tmp_path) == is_right


def test_the_owner_has_the_last_word() -> None:
    assert Calendar("always", lambda: False, lambda: TODAY).now() == TODAY
    assert Calendar("never", lambda: True, lambda: TODAY).now() is None


@given(st.datetimes(timezones=st.just(UTC)))
def test_no_clock_is_right_that_is_older_than_the_program(now: datetime) -> None:
    machine = Machine(now)
    known = machine.calendar().now()
    assert known == (now if now >= EARLIEST else None)
    assert (machine.calendar().now_ms() is None) == (known is None)


def test_a_clock_that_was_right_once_stays_so() -> None:
    machine = Machine()
    calendar = machine.calendar()
    assert calendar.now()
    machine.is_right = False  # no server was heard for hours
    assert calendar.now()
    assert machine.asked == 1


@pytest.mark.parametrize(
    ("command", "is_right"),
    [
        (("echo", "yes"), True),
        (("echo", "no"), False),
        (("echo", ""), False),
        (("false",), False),
        (("no-such-program-at-all",), False),
    ],
)
def test_what_the_system_calls_synchronised_is_right_whoever_set_it(
    command: tuple[str, ...], *, is_right: bool
) -> None:
    """So chrony vouches as well, of which no file tells."""
    assert is_synchronised(command) == is_right


def test_the_system_is_asked_beside_the_game_and_again_after_a_while() -> None:
    asked: list[float] = []
    times = [0.0]
    answers = iter([False, False, True])

    def system() -> bool:
        asked.append(times[-1])
        return next(answers)

    vouchers = Vouchers(lambda: False, system, lambda: times[-1])
    for now_s in (0.0, 1.0, AGAIN_S, AGAIN_S + 1, 2 * AGAIN_S):
        times.append(now_s)
        vouchers()
        vouchers.wait()
    assert asked == [0.0, AGAIN_S, 2 * AGAIN_S]
    assert vouchers()
    assert len(asked) == 3, "who has vouched once is not asked again"


def test_where_a_file_vouches_the_system_is_not_asked() -> None:
    vouchers = Vouchers(lambda: True, lambda: pytest.fail("asked"))
    assert vouchers()
    vouchers.wait()


@given(st.datetimes(timezones=st.just(UTC)))
def test_the_users_word_counts_unless_it_cannot_be(moment: datetime) -> None:
    calendar = Calendar("auto", lambda: False, lambda: LONG_AGO)
    assert calendar.may_be_told
    assert calendar.tell() is None, "no clock is right that is older than the program"
    known = Calendar("auto", lambda: False, lambda: LONG_AGO).tell(moment)
    assert (known is None) == (not EARLIEST <= moment < LATEST)
    assert known is None or known - moment < timedelta(seconds=60)


def test_where_no_dates_are_wanted_nobody_is_asked_for_one() -> None:
    calendar = Calendar("never", lambda: False, lambda: TODAY)
    assert not calendar.may_be_told
    assert calendar.tell(TODAY) is None


class Table:
    """A session, its clock, and its games in words."""

    def __init__(self, machine: Machine, unfinished: Unfinished | None = None) -> None:
        self.clock = VirtualClock()
        self.session = Session(unfinished=unfinished)
        self.words = Pgn(Settings(), machine.calendar().dating(self.clock), unfinished)

    def play(self, *occupancies: Occupancy) -> None:
        for occupancy in occupancies:
            self.clock.advance_to(self.clock.now_us() + S)
            self.session.handle(Scan(self.clock.now_us(), occupancy))
            self.clock.advance_to(self.clock.now_us() + S)
            self.session.handle(Tick(self.clock.now_us()))

    def tags(self) -> dict[str, str]:
        self.words.text(self.session.games)
        return self.words.tags(self.session.record)


def test_a_game_has_the_day_on_which_it_began() -> None:
    table = Table(Machine())
    table.play(START, START ^ E2, FIRST)  # it is known now
    tags = table.tags()
    assert tags["Date"] == f"{TODAY.astimezone():%Y.%m.%d}"
    assert (tags["UTCDate"], tags["UTCTime"]) == ("2026.11.22", "12:00:00")


def test_without_a_clock_that_is_right_it_has_none() -> None:
    table = Table(Machine(is_right=False))
    table.play(START, START ^ E2, FIRST)
    assert table.tags()["Date"] == UNKNOWN_DATE
    assert "UTCDate" not in table.tags()


@given(st.integers(-60 * 365, 60 * 365), st.integers(0, 7 * 86_400))
def test_a_clock_that_jumps_changes_no_date_and_one_set_late_tells_the_right_one(
    days: int, late_s: int
) -> None:
    machine = Machine(LONG_AGO, is_right=False)
    table = Table(machine)
    table.play(START, START ^ E2, FIRST)
    assert table.tags()["Date"] == UNKNOWN_DATE
    machine.time, machine.is_right = TODAY, True  # a server was heard at last
    table.clock.advance_to(table.clock.now_us() + late_s * S)
    began = TODAY - timedelta(seconds=late_s)
    tags = table.tags()
    assert (tags["UTCDate"], tags["UTCTime"]) == (f"{began:%Y.%m.%d}", f"{began:%H:%M:%S}")
    machine.time += timedelta(days=days)
    table.play(FIRST ^ E7, SECOND)
    assert table.tags() == tags
    assert len(table.session.record.moves) == 2


def test_a_game_that_goes_on_keeps_its_day(tmp_path: Path) -> None:
    machine, path = Machine(), tmp_path / "games.db"
    calendar = machine.calendar()
    books, first = RunRecord(path, calendar.now_ms), Table(machine)
    books.begin(first.session, TagsNow(Settings(), calendar.now))
    first.play(START, START ^ E2, FIRST)
    books.take(first.session, [])
    books.close()
    machine.time += timedelta(days=30)
    books = RunRecord(path, machine.calendar().now_ms)
    unfinished = books.take_up()
    books.close()
    table = Table(machine, unfinished)
    table.play(FIRST, FIRST ^ E7, SECOND)
    assert len(table.session.record.moves) == 2
    assert table.tags()["UTCDate"] == "2026.11.22"


@given(st.lists(st.tuples(st.booleans(), st.integers(-20_000, 20_000)), max_size=5))
def test_tags_can_be_read_while_the_clock_jumps(jumps: list[tuple[bool, int]]) -> None:
    times = iter([*jumps, *[(True, 0)] * 20])

    def now() -> datetime | None:
        is_known, days = next(times)
        return TODAY + timedelta(days=days) if is_known else None

    tags = TagsNow(Settings(), now)
    for _ in range(3):
        read = dict(tags)
        assert (read["Date"] == UNKNOWN_DATE) == ("UTCDate" not in read)


def test_what_somebody_says_of_the_players_is_written_down_with_the_game(tmp_path: Path) -> None:
    names, path = Names(), tmp_path / "games.db"
    table = Table(Machine())
    words = Pgn(Settings(), lambda _: TODAY, None, names)
    books = RunRecord(path, lambda: None)
    books.begin(table.session, TagsNow(Settings(), lambda: TODAY, names))
    names.say(table.session.record, {"White": "Ann"})
    assert books.number() is None, "a game without a ply is not kept"
    table.play(START, START ^ E2, FIRST)
    books.take(table.session, [])
    assert books.number() == 1
    names.say(table.session.record, {"Black": "Bob"})
    books.take(table.session, [])
    books.close()
    assert '[White "Ann"]\n[Black "Bob"]' in words.text(table.session.games)
    books = RunRecord(path, lambda: None)
    unfinished = books.take_up()
    books.close()
    assert unfinished is not None
    assert (unfinished.tags["White"], unfinished.tags["Black"]) == ("Ann", "Bob")
    again = Names()
    again.say(unfinished.record, {"White": "Eve"})
    tags = Pgn(Settings(), lambda _: TODAY, unfinished, again).tags(unfinished.record)
    assert (tags["White"], tags["Black"]) == ("Eve", "Bob")


# ------------------------------------------------------------------------ the file of a run


def test_a_run_without_a_ply_leaves_no_file_and_one_with_a_ply_does(tmp_path: Path) -> None:
    (tmp_path / "undated.pgn").touch()
    file = PgnFile(tmp_path, lambda: "undated")
    table, follower = Table(Machine()), PgnFollower(file, Table(Machine()).words)
    desk = Desk(table.session, Settings())
    follower.start(desk)
    assert not file.is_named
    table.play(START, START ^ E2, FIRST)
    follower.stop()
    assert file.path == tmp_path / "undated-2.pgn"
    assert "1. e4" in file.path.read_text("utf-8")

    other = PgnFollower(PgnFile(tmp_path, lambda: "other"), table.words)
    other.start(Desk(Session(), Settings()))
    other.stop()
    assert {path.name for path in tmp_path.iterdir()} == {"undated.pgn", "undated-2.pgn"}


def test_names_that_are_alike_are_numbered() -> None:
    names = numbered(Path("games/undated.trace.jsonl"))
    assert [next(names).name for _ in range(2)] == ["undated.trace.jsonl", "undated-2.trace.jsonl"]
