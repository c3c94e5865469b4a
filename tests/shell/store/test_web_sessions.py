"""Owners, sessions and codes: in memory and in the file of the games alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import (
    ABSOLUTE_MS,
    CODE_MS,
    DAY_MS,
    PLAYER_MS,
    SLIDING_MS,
    InMemory,
    Keeper,
    Sessions,
    plain_name,
)
from boardfw.shell.store.web_sessions import SessionStore

NOW_MS = 1_796_000_000_000
"""A day of 2026."""


class Known:
    """Sessions at a time that a test sets."""

    def __init__(self, keeper: Keeper, wall_ms: int = NOW_MS) -> None:
        self.now_ms = 1_000_000
        """What a clock shows that nobody sets."""
        self.jump_ms = wall_ms - self.now_ms
        self.keeper = keeper
        self.sessions = Sessions(keeper, lambda: self.now_ms + self.jump_ms, lambda: self.now_ms)


@pytest.fixture(params=("in memory", "in a file"))
def known(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Known]:
    if request.param == "in memory":
        yield Known(InMemory())
        return
    store = SessionStore(tmp_path / "games.db")
    yield Known(store)
    store.close()


def test_a_token_is_known_until_its_session_ends(known: Known) -> None:
    token, holder = known.sessions.begin(Role.PLAYER, "phone")
    other, second = known.sessions.begin(Role.OWNER, "laptop")
    assert known.sessions.of(token) == holder
    assert (known.sessions.of(other), known.sessions.all()) == (second, [holder, second])
    for wrong in (None, "", token[:-1], token + "x", "\ud800"):
        assert known.sessions.of(wrong) is None
    assert known.sessions.end(holder.id)
    assert not known.sessions.end(holder.id)
    assert known.sessions.of(token) is None
    assert known.sessions.of(other) == second


def test_the_board_belongs_to_somebody_once_there_is_an_owner(known: Known) -> None:
    known.sessions.begin(Role.PLAYER, "phone")
    assert not known.sessions.is_claimed
    _, holder = known.sessions.begin(Role.OWNER, "laptop")
    assert known.sessions.is_claimed
    known.sessions.end(holder.id)
    assert known.sessions.is_claimed  # who has logged out owns it still


@pytest.mark.parametrize(
    ("role", "lasts_ms"),
    [(Role.OWNER, SLIDING_MS), (Role.PLAYER, PLAYER_MS), (Role.SPECTATOR, PLAYER_MS)],
)
def test_a_session_ends_when_it_is_not_used(known: Known, role: Role, lasts_ms: int) -> None:
    token, _ = known.sessions.begin(role, "phone")
    for _ in range(3):
        known.now_ms += lasts_ms - 1
        assert known.sessions.of(token)
    known.now_ms += lasts_ms
    assert known.sessions.all() == []
    assert known.sessions.of(token) is None


def test_a_session_ends_after_a_year_however_it_is_used(known: Known) -> None:
    token, _ = known.sessions.begin(Role.OWNER, "phone")
    for _ in range(ABSOLUTE_MS // (20 * DAY_MS)):
        known.now_ms += 20 * DAY_MS
        assert known.sessions.of(token)
    known.now_ms += 20 * DAY_MS
    assert known.sessions.of(token) is None


JUMPS_MS = [sign * ms for ms in (13 * 3_600_000, 31 * DAY_MS, 3 * 365 * DAY_MS) for sign in (1, -1)]


@pytest.mark.parametrize("jump_ms", JUMPS_MS)
def test_no_jump_of_the_clock_ends_a_session(known: Known, jump_ms: int) -> None:
    tokens = {role: known.sessions.begin(role, "phone")[0] for role in Role}
    for jumps in (jump_ms, -jump_ms, jump_ms):
        known.jump_ms += jumps
        for _ in range(11):
            known.now_ms += 3_600_000
            assert [holder.role for holder in known.sessions.all()] == list(tokens)
        assert all(map(known.sessions.of, tokens.values()))
    known.now_ms += PLAYER_MS
    assert known.sessions.of(tokens[Role.PLAYER]) is None, "their hours are counted all the same"
    assert known.sessions.of(tokens[Role.OWNER])


@pytest.mark.parametrize("jump_ms", JUMPS_MS)
def test_nor_does_one_while_the_board_is_off(tmp_path: Path, jump_ms: int) -> None:
    """What the board ran before counts, and the time in between does not."""
    path, tokens = tmp_path / "games.db", dict[Role, str]()
    for run in range(4):
        store = SessionStore(path)
        known = Known(store, NOW_MS + (jump_ms if run % 2 else 0))
        if not tokens:
            tokens = {role: known.sessions.begin(role, "phone")[0] for role in Role}
        elif run < 3:
            assert all(map(known.sessions.of, tokens.values())), run
        else:
            assert known.sessions.of(tokens[Role.OWNER])
            assert known.sessions.of(tokens[Role.PLAYER]) is None
        known.now_ms += PLAYER_MS // 2 if run < 2 else PLAYER_MS
        known.sessions.keep_time()
        store.close()


def test_a_code_lasts_no_longer_for_a_clock_that_is_set_back(known: Known) -> None:
    code = known.sessions.offer(Role.OWNER)
    known.jump_ms -= 13 * 3_600_000
    assert known.sessions.redeem(code) is None


def test_sessions_of_a_version_before_keep_their_ages(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = SessionStore(path)
    known = Known(store)
    old, _ = known.sessions.begin(Role.PLAYER, "phone")
    known.now_ms += PLAYER_MS
    used, _ = known.sessions.begin(Role.PLAYER, "phone")
    owner, _ = known.sessions.begin(Role.OWNER, "laptop")
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE web_session_ages")
        connection.execute("DROP TABLE web_time")
    connection.close()
    store = SessionStore(path)
    known = Known(store, NOW_MS + 3 * 365 * DAY_MS)
    assert known.sessions.of(old) is None
    assert known.sessions.of(used)
    assert known.sessions.of(owner)
    store.close()


def test_a_code_counts_once_and_not_for_long(known: Known) -> None:
    first, second = known.sessions.offer(Role.OWNER), known.sessions.offer(Role.PLAYER)
    lasting = known.sessions.offer(Role.OWNER, lasts_ms=None)
    assert known.sessions.redeem("wrong") is None
    assert known.sessions.redeem(first) is Role.OWNER
    assert known.sessions.redeem(first) is None
    known.now_ms += CODE_MS + 1
    assert known.sessions.redeem(second) is None
    assert known.sessions.redeem(lasting) is Role.OWNER


def test_a_link_counts_until_it_is_ended_and_its_sessions_with_it(known: Known) -> None:
    code, link = known.sessions.link("stream", 12)
    other, second = known.sessions.link("club", 0)
    assert known.sessions.links() == [link, second]
    begun = []
    for _ in range(3):
        way = known.sessions.way(code)
        assert way == (Role.SPECTATOR, link)
        begun.append(known.sessions.begin(Role.SPECTATOR, "tv", link))
    stays, of_other = known.sessions.begin(Role.SPECTATOR, "phone", second)
    token, holder = begun[0]
    assert known.sessions.of(token) == holder
    assert (holder.link, holder.delay_plies) == (link.id, 12)
    assert known.sessions.end_link(link.id) == [one.id for _, one in begun]
    assert known.sessions.end_link(link.id) is None
    assert known.sessions.way(code) is None
    assert [known.sessions.of(one) for one, _ in begun] == [None] * 3
    assert known.sessions.of(stays) == of_other
    assert known.sessions.way(other) == (Role.SPECTATOR, second)
    own = known.sessions.offer(Role.OWNER)
    assert known.sessions.way(own) == (Role.OWNER, None)
    assert known.sessions.way(own) is None


def test_sessions_survive_the_run_and_their_secrets_are_not_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    first = Known(SessionStore(path))
    token, holder = first.sessions.begin(Role.OWNER, "laptop")
    code = first.sessions.offer(Role.OWNER)
    first.keeper.close()  # type: ignore[attr-defined]
    second = Known(SessionStore(path))
    assert second.sessions.of(token) == holder
    assert second.sessions.is_claimed
    for file in tmp_path.iterdir():
        assert token.encode() not in file.read_bytes()
        assert code.encode() not in file.read_bytes()
    assert second.sessions.redeem(code) is Role.OWNER
    second.keeper.close()  # type: ignore[attr-defined]


def test_codes_of_a_run_end_with_it_and_an_owner_can_be_forgotten(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "games.db")
    known = Known(store)
    of_run, timed = (
        known.sessions.offer(Role.OWNER, lasts_ms=None),
        known.sessions.offer(Role.OWNER),
    )
    store.forget_codes()
    assert known.sessions.redeem(of_run) is None
    assert known.sessions.redeem(timed) is Role.OWNER
    token, _ = known.sessions.begin(Role.OWNER, "laptop")
    store.remove_owners()
    assert not known.sessions.is_claimed
    assert known.sessions.of(token) is None
    store.close()


def test_the_file_is_one_of_games(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    store = SessionStore(path)
    SessionStore(path).close()  # two programs may have it open
    store.add_owner("laptop", 7)
    store.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (0,)
    connection.close()


def test_a_devices_name_is_one_line_that_can_be_shown() -> None:
    assert plain_name("my\n phone\x1b[31m") == "my phone [31m"
    assert plain_name("\u202egnp") == "gnp"
    assert plain_name("") == plain_name("\x00") == "a device"
    assert len(plain_name("x" * 1000)) <= 60
