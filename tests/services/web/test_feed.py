"""Each role's deltas lead from any of its snapshots to any later one, whatever was missed."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.web.feed import MOST_EVENTS, RING, RING_BYTES, Feed
from boardfw.services.web.fold import fold
from boardfw.services.web.roles import Role
from tests.services.web.watched import TAGS, game

KINDS = ("careful", "club", "blitz", "child")
GAMES = [
    (seed, kind, {"rated": bool(seed % 2), "clock": ("none", "1+2")[seed // 2]})
    for seed, kind in enumerate(KINDS)
]


class Viewer:
    """A page: what it has, and how it keeps up."""

    def __init__(self) -> None:
        self.state: dict[str, Any] | None = None

    def keep_up(self, feed: Feed, role: Role) -> None:
        channel = feed.channel(role)
        tag = f"{self.state['boot']}:{self.state['seq']}" if self.state else ""
        deltas = channel.since_tag(tag)
        if self.state is None or deltas is None:
            self.state = json.loads(channel.snapshot)
            return
        for delta in deltas:
            self.state = fold(self.state, json.loads(delta))


@given(st.data())
def test_a_snapshot_and_deltas_make_any_later_snapshot(data: st.DataObject) -> None:
    seed, kind, how = data.draw(st.sampled_from(GAMES))
    steps = game(seed, kind, **how)
    role = data.draw(st.sampled_from(Role))
    publishes = data.draw(st.sets(st.integers(1, len(steps) - 1)))
    looks = data.draw(st.sets(st.integers(1, len(steps) - 1)))
    feed, viewer, waiting = Feed("boot", steps[0][0]), Viewer(), list[dict[str, Any]]()
    viewer.keep_up(feed, role)
    for at, (state, events) in enumerate(steps):
        waiting += events
        if at in publishes:  # what comes too quickly is told together
            feed.publish(state, waiting)
            waiting = []
        if at in looks:
            viewer.keep_up(feed, role)
            assert viewer.state == json.loads(feed.channel(role).snapshot)


@pytest.mark.slow
def test_they_do_in_a_thousand_games(full: bool) -> None:
    for seed in range(1000 if full else 20):
        chance = Random(seed)
        steps = game(seed, chance.choice(KINDS), 30, rated=seed % 3 == 0)
        feed, viewers = Feed("boot", steps[0][0]), {role: Viewer() for role in Role}
        waiting: list[dict[str, Any]] = []
        for state, events in steps:
            waiting += events
            if chance.random() < 0.5:
                feed.publish(state, waiting)
                waiting = []
            for role, viewer in viewers.items():
                if chance.random() < 0.1:
                    viewer.keep_up(feed, role)
                    assert viewer.state == json.loads(feed.channel(role).snapshot)


def test_the_game_of_the_deltas_is_told_by_events_alone() -> None:
    """Few deltas of a game carry all of it: a ply is told by its event."""
    steps = game(3, "careful", 40)
    feed = Feed("boot", steps[0][0])
    channel = feed.channel(Role.PLAYER)
    for state, events in steps[1:]:
        feed.publish(state, events)
    deltas = [json.loads(delta) for delta in channel.since(1) or []]
    plies = [delta for delta in deltas if any(e["event"] == "move" for e in delta["e"])]
    assert len(plies) >= 40
    assert sum("game" in delta["set"] for delta in plies) == 0


def test_who_has_missed_too_much_gets_a_snapshot() -> None:
    (first, _), *_ = game(3, "careful", 12)
    feed = Feed("boot", first)
    channel = feed.channel(Role.PLAYER)
    for number in range(RING):
        feed.publish({**first, "box": str(number)}, [])
    assert len(channel.since(1) or []) == RING
    feed.publish({**first, "box": "one more"}, [])
    assert channel.since(1) is None
    assert channel.since(channel.seq) == []
    assert channel.since(channel.seq + 1) is None
    for tag in ("", "boot", "boot:", "other:2", f"{channel.boot}:x", f"{channel.boot}:-1"):
        assert channel.since_tag(tag) is None
    assert channel.since_tag(channel.tag) == []


def test_what_would_be_too_much_to_be_told_is_not_kept() -> None:
    (first, _), *_ = game(3, "careful", 12)
    feed = Feed("boot", first)
    channel = feed.channel(Role.PLAYER)
    for number in range(RING):
        feed.publish({**first, "box": f"{number} {'q' * (RING_BYTES // 10)}"}, [])
        assert sum(map(len, channel.since(channel.seq - min(number, 8)) or [])) <= RING_BYTES
    assert channel.since(channel.seq - 20) is None
    feed.publish({**first, "box": "q" * 2 * RING_BYTES}, [])
    assert len(channel.since(channel.seq - 1) or []) == 1  # the newest is always there


def test_another_run_or_another_role_is_no_past_of_this_one() -> None:
    (first, _), *_ = game(3, "careful", 12)
    channels = [Feed(boot, first).channel(role) for boot in ("one", "two") for role in Role]
    for one in channels:
        for other in channels:
            assert (one.since_tag(other.tag) is None) == (one is not other)


def test_what_is_not_new_is_not_told() -> None:
    (first, _), *_ = game(3, "careful", 12)
    feed = Feed("boot", first)
    assert not feed.publish({**first, "box": "Q"}, [])  # nobody watches
    channel = feed.channel(Role.OWNER)
    assert not feed.publish({**first, "box": "Q"}, [])
    assert feed.publish({**first, "box": "q"}, [])
    assert channel.changed_since(1) == frozenset({"box"})
    assert channel.changed_since(0) is None


def test_a_flood_of_events_is_told_as_a_state() -> None:
    steps = game(3, "careful", 12)
    (first, _), (last, _) = steps[0], steps[-1]
    feed, viewer = Feed("boot", first), Viewer()
    viewer.keep_up(feed, Role.PLAYER)
    feed.publish(last, [{"event": "lift", "square": "e2"}] * (MOST_EVENTS + 1))
    (delta,) = feed.channel(Role.PLAYER).since(1) or [b"{}"]
    assert json.loads(delta)["e"] == []
    viewer.keep_up(feed, Role.PLAYER)
    assert viewer.state == json.loads(feed.channel(Role.PLAYER).snapshot)


def test_a_rated_game_helps_nobody_who_plays_or_looks_on() -> None:
    (first, _), *_ = game(3, "careful", 12)
    helping = {**first, "rated": True, "doubt": "really?", "cues": {"quiet": ["e4"]}}
    for role in Role:
        feed = Feed("boot", {**first, "rated": True})
        channel = feed.channel(role)
        feed.publish(helping, [{"event": "doubt", "text": "really?"}, {"event": "lift"}])
        told = b"".join([channel.snapshot, *(channel.since(1) or [])])
        sees_all = role in (Role.ARBITER, Role.OWNER)
        assert (b"really?" in told) == sees_all
        assert (b"quiet" in told) == sees_all
        assert (channel.state["lights"] is None) != sees_all


def test_names_are_for_those_who_belong_to_the_board() -> None:
    (first, _), *_ = game(3, "careful", 12)
    opponent = {"name": "Eve", "side": "b", "owed": None, "thinking": False}
    for role in Role:
        feed = Feed("boot", {**first, "opponent": opponent})
        channel = feed.channel(role)
        feed.publish(
            {**first, "opponent": opponent, "box": "q"}, [{"event": "ruling", "who": "Eve"}]
        )
        told = b"".join([channel.snapshot, *(channel.since(1) or [])]).decode()
        for name in (*TAGS.values(), "Eve"):
            assert (name in told) == (role is not Role.SPECTATOR)
