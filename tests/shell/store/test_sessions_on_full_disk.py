"""Devices become known while a disk takes nothing, and are known when it does again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Instant, Offer
from boardfw.shell.store.database import LOG_SUFFIXES
from boardfw.shell.store.web_sessions import SessionStore
from tests.shell.store.test_full_disk import disk, fill

__all__ = ["disk"]


@pytest.mark.parametrize("when", ["start", "mid-game"])
def test_who_pairs_while_the_disk_is_full_is_known_afterwards(disk: Path, when: str) -> None:
    path = disk / "games.db"
    with closing(SessionStore(path)) as before:
        before.add_owner("laptop", 1)
        ended = before.add(b"old", Role.OWNER, "laptop", Instant(1, 1))
        before.remove(ended)
        known = before.add(b"known", Role.OWNER, "laptop", Instant(1, 1))
    store = SessionStore(path) if when == "mid-game" else None
    filler = fill(disk)
    store = store or SessionStore(path)
    assert store.has_owner()
    store.offer(b"code", Offer(Role.PLAYER, None))
    assert store.redeem(b"code") == Offer(Role.PLAYER, None)
    assert store.redeem(b"code") is None
    link = store.add_link(b"link", "club", 0, 2)
    new = store.add(b"new", Role.PLAYER, "phone", Instant(2, 2))
    watching = store.add(b"watching", Role.SPECTATOR, "tv", Instant(2, 2), link)
    store.touch(known, Instant(7, 7))
    assert [one.id for one in store.all()] == [known, new, watching]
    assert "the disk is full" in store.trouble
    held = store.all()
    filler.unlink()
    store.close()
    with closing(SessionStore(path)) as after:
        assert after.all() == held
        assert after.trouble == ""
        assert after.has_owner()


def test_a_board_whose_file_cannot_be_read_belongs_to_somebody(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.mkdir()  # SQLite cannot open it
    with closing(SessionStore(path)) as store:
        assert store.has_owner()
        assert store.add(b"new", Role.PLAYER, "phone", Instant(2, 2)) > 1_000_000
        assert store.trouble


@pytest.mark.parametrize("what", ["deleted", "replaced"])
def test_where_the_record_is_written_again_sessions_go_on_in_it(tmp_path: Path, what: str) -> None:
    path, other = tmp_path / "games.db", tmp_path / "other.db"
    with closing(SessionStore(path)) as store:
        with closing(SessionStore(other)) as later:
            later.add_owner("laptop", 1)
        if what == "deleted":
            path.unlink()
            assert not store.has_owner()
        other.replace(path)
        for suffix in LOG_SUFFIXES:
            Path(f"{path}{suffix}").unlink()
        assert store.has_owner()
        store.add(b"new", Role.PLAYER, "phone", Instant(2, 2))
    with closing(SessionStore(path)) as after:
        assert [one.name for one in after.all()] == ["phone"]
