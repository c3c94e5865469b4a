"""A role may do all that the one below it may, and each route asks for the right that it needs."""

from __future__ import annotations

from itertools import pairwise

from boardfw.services.web.roles import Right, Role, may
from boardfw.services.web.routes import PREFIX, ROUTES

API = [route for route in ROUTES if route.path.startswith(PREFIX)]
LADDER = (None, Role.SPECTATOR, Role.PLAYER, Role.ARBITER, Role.OWNER)
FIRST = {
    Right.NOTHING: None,
    Right.WATCH: Role.SPECTATOR,
    Right.PLAY: Role.PLAYER,
    Right.RULE: Role.ARBITER,
    Right.OWN: Role.OWNER,
}
"""The lowest role that has each right."""
WAY_IN = {
    ("GET", "/session"),
    ("DELETE", "/session"),
    ("POST", "/pair"),
    ("POST", "/pair/knock"),
    ("GET", "/pair/knock"),
}
"""What somebody without a session may ask of the API."""
OWNERS = {
    *("/settings", "/session/{id}", "/session/prove", "/board/doctor", "/links", "/links/{id}"),
    "/games/{number}/restore",
}


def test_rights_begin_with_a_role_and_no_higher_one_lacks_them() -> None:
    assert set(FIRST) == set(Right)
    for right, first in FIRST.items():
        for role in LADDER:
            assert may(role, right) == (LADDER.index(role) >= LADDER.index(first))
    for low, high in pairwise(LADDER):
        assert any(may(high, right) and not may(low, right) for right in Right)


def test_without_a_session_there_is_only_the_way_to_one() -> None:
    is_open = {
        (route.method, route.path.removeprefix(PREFIX))
        for route in API
        if route.right is Right.NOTHING
    }
    assert is_open == WAY_IN


def test_without_a_session_a_browser_gets_empty_pages_and_no_board() -> None:
    shows_board = {route.path for route in ROUTES if route not in API} - {
        route.path for route in ROUTES if may(None, route.right)
    }
    assert shows_board == {"/plain"}


def test_a_spectator_sees_the_board_and_nothing_that_is_kept() -> None:
    watched = {
        route.path.removeprefix(PREFIX)
        for route in API
        if may(Role.SPECTATOR, route.right) and not may(None, route.right)
    }
    assert watched == {"/state", "/stream"}


def test_a_player_is_no_arbiter_and_an_arbiter_is() -> None:
    rulings = [route for route in API if route.path.startswith(f"{PREFIX}/arbiter/")]
    assert rulings
    for route in rulings:
        assert not may(Role.PLAYER, route.right), route
        assert may(Role.ARBITER, route.right), route


def test_who_only_looks_on_changes_nothing_and_what_lasts_is_the_owners() -> None:
    for route in API:
        path = route.path.removeprefix(PREFIX)
        if (route.method, path) in WAY_IN:
            continue
        if route.method != "GET":
            assert not may(Role.SPECTATOR, route.right), route
        if path in OWNERS or route.method == "DELETE" or (route.method, path) == ("POST", "/games"):
            assert not may(Role.ARBITER, route.right), route
