"""Who sees the board late learns nothing of what was played since."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardfw.notation.fen import parse_fen
from boardfw.services.web.delay import delayed
from boardfw.services.web.feed import Feed
from boardfw.services.web.fold import fold
from boardfw.services.web.roles import Role
from boardfw.services.web.state import Opponent
from tests.services.web.watched import game

KINDS = ("careful", "child", "blitz")


@pytest.mark.parametrize(("seed", "kind"), list(enumerate(KINDS)))
@pytest.mark.parametrize("plies", [1, 2, 5])
def test_what_is_shown_follows_from_the_plies_that_are_shown(
    seed: int, kind: str, plies: int
) -> None:
    by_count: dict[int, dict[str, Any]] = {}
    for state, _ in game(seed, kind, 16, clock="5+0"):
        shown = dict(delayed(state, plies))
        kept = shown["game"]["plies"]
        assert [ply[:2] for ply in kept] == [ply[:2] for ply in state["game"]["plies"][:-plies]]
        position = parse_fen(shown["placement"] + f" {shown['turn']} - - 0 1")
        assert position.occupied == int(shown["occ"], 16)
        if kept:
            first = by_count.setdefault(len(kept), shown)
            if [ply[:3] for ply in first["game"]["plies"]] == [ply[:3] for ply in kept]:
                # Whatever happens on the board meanwhile, nothing of it is told.
                assert shown == first
    assert len(by_count) > 8


def test_a_game_that_is_over_is_shown_as_it_is() -> None:
    state = game(0, "careful")[-1][0]
    assert state["game"]["result"] == "*"
    over = {**state, "game": {**state["game"], "result": "1-0"}}
    assert delayed(over, 6) == over
    assert delayed(state, 0) == state


def test_of_an_opponent_only_name_and_side_are_told() -> None:
    state = game(0, "careful")[-1][0]
    thinks = dict.fromkeys(Opponent.__struct_fields__, True) | {"name": "Eve", "side": "b"}
    rests = dict.fromkeys(Opponent.__struct_fields__) | {"name": "Eve", "side": "b"}
    shown = [delayed({**state, "opponent": one}, 4)["opponent"] for one in (thinks, rests)]
    assert shown[0] == shown[1]
    assert (shown[0]["name"], shown[0]["thinking"]) == ("Eve", False)


@pytest.mark.parametrize("seed", range(3))
def test_deltas_of_a_late_channel_lead_to_its_snapshots_and_say_each_move_once(seed: int) -> None:
    first, *steps = game(seed, KINDS[seed], 16)
    feed = Feed("boot", first[0])
    channel = feed.channel(Role.SPECTATOR, 4)
    state, moves = json.loads(channel.snapshot), list[str]()
    for newest, events in steps:
        feed.publish(newest, events)
        for delta in map(json.loads, channel.since(state["seq"]) or []):
            moves += [event["uci"] for event in delta["e"] if event["event"] == "move"]
            assert all(event["event"] == "move" for event in delta["e"])
            state = fold(state, delta)
        assert state == json.loads(channel.snapshot)
    shown = [ply[0] for ply in state["game"]["plies"]]
    assert set(shown) <= set(moves)
    if KINDS[seed] == "careful":  # who takes nothing back
        assert shown == moves
    assert len(shown) >= len(steps[-1][0]["game"]["plies"]) - 4


def test_a_late_channel_that_nobody_watches_is_forgotten() -> None:
    feed = Feed("boot", game(0, "careful")[0][0])
    late, own = feed.channel(Role.SPECTATOR, 4), feed.channel(Role.SPECTATOR)
    feed.keep({(Role.SPECTATOR, 4)})
    assert feed.channel(Role.SPECTATOR, 4) is late
    feed.keep([])
    assert feed.channel(Role.SPECTATOR, 4) is not late
    assert feed.channel(Role.SPECTATOR) is own
