"""Any body is read or refused in one line, in a time that grows with its length."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import MOST_QUOTED
from boardfw.services.web.core import body_of
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.routes import ROUTES, USUAL_BODY, Route
from tests.growth import MOST_GROWTH, growth

BODIES = {route.path: route for route in ROUTES if route.body is not None}
SETUP, SETTINGS, GAMES = (BODIES[f"/api/v1/{name}"] for name in ("setup", "settings", "games"))
MOST_SAID = MOST_QUOTED + 80


def refusal(route: Route, body: bytes) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        body_of(route, body)
    return caught.value


@pytest.mark.parametrize(
    ("body", "what", "where"),
    [
        (b'{"st\\r\\nrt": 1}', r"Object contains unknown field 'st\r\nrt'", "body"),
        (b'{"opponent": {"x": 1}}', "Object contains unknown field 'x'", "$.opponent"),
        (b'{"start": "x\\ny"}', r"Invalid enum value 'x\ny'", "$.start"),
        (b'{"number": 960}', "Expected `int` <= 959", "$.number"),
        (b"[" * 5000, "Expected `object`, got `array`", "body"),
    ],
)
def test_a_body_is_refused_in_one_line(body: bytes, what: str, where: str) -> None:
    said = refusal(SETUP, body).refusal
    assert (said.what, said.where) == (what, where)


@pytest.mark.parametrize("body", [b'{"%s": 1}', b'{"start": "%s"}'])
def test_a_refusal_quotes_little_of_the_body(body: bytes) -> None:
    said = refusal(SETUP, body % (b"x\\n" * 20_000)).refusal.what
    assert "x" * 3 not in said
    assert len(said) < MOST_SAID


@given(
    st.sampled_from([*BODIES.values()]), st.binary() | st.text('{}[]":,\\un0aeid ').map(str.encode)
)
def test_any_body_is_read_or_refused(route: Route, body: bytes) -> None:
    with suppress(RefusedError):
        body_of(route, body)


PIECES = (b"[", b'{"a":', b'{"id":"a","id":', b'"a', b'"\\n', b"1", b"0,", b" ", b"[[],", b"\xff")


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_length_of_a_body(piece: bytes) -> None:
    def read(body: bytes) -> None:
        with suppress(RefusedError):
            body_of(GAMES, body)
        for route in (SETUP, SETTINGS):
            with suppress(RefusedError):
                body_of(route, body[:USUAL_BODY])

    assert growth(read, partial(repeated, piece)) < MOST_GROWTH


def repeated(piece: bytes, size: int) -> bytes:
    return piece * (size // len(piece))
