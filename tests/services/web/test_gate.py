"""Which names are this board's, whatever a Host header says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.web.gate import (
    OUR_HEADER,
    OUR_VALUE,
    check_change,
    check_host,
    host_of,
    is_ours,
)
from boardfw.services.web.refusals import RefusedError

NAMES = frozenset({"b7", "b7.local"})
LOCAL = "192.168.1.20"


def may_come(host: str, local: str = LOCAL) -> bool:
    try:
        check_host({"Host": host}, NAMES, local)
    except RefusedError:
        return False
    return True


def test_our_names_and_the_address_that_was_reached_are_ours() -> None:
    for host in ("localhost", "b7", "B7.local", "127.0.0.1", "127.9.9.9", "[::1]", LOCAL):
        assert may_come(host)
        assert may_come(f"{host}:8080")
    assert may_come("[fe80::1]:80", "fe80::1%eth0")
    assert may_come(LOCAL, f"::ffff:{LOCAL}")  # a socket for both kinds of addresses
    assert not may_come("192.168.1.21")
    assert not may_come("192.168.1.21", f"::ffff:{LOCAL}")
    assert not may_come(LOCAL, "10.0.0.1")
    for broken in ("[::1", "[::1]x", "[]", "[b7]", "::1"):
        assert not may_come(broken)


def change(**headers: str) -> int:
    """Return the status of a change from a page of ours, but for these headers; 0: it may be."""
    ours = {
        "Host": "b7",
        "Origin": "http://b7",
        "Content-Type": "application/json; charset=utf-8",
        OUR_HEADER: OUR_VALUE,
        "Sec-Fetch-Site": "same-origin",
    }
    sent = {name: text for name, text in {**ours, **headers}.items() if text}
    try:
        check_change(sent, "http")
    except RefusedError as refused:
        return refused.refusal.status
    return 0


def test_only_a_page_of_ours_changes_something() -> None:
    assert change() == 0
    assert change(**{"Sec-Fetch-Site": ""}) == 0  # browsers leave it out on http://board.local
    for site in ("same-site", "cross-site", "none"):
        assert change(**{"Sec-Fetch-Site": site}) == 403
    for origin in ("", "null", "https://b7", "http://b7:8080", "http://evil.example"):
        assert change(Origin=origin) == 403
    for kind in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert change(**{"Content-Type": kind}) == 415
    for value in ("", f"{OUR_VALUE}x"):
        assert change(**{OUR_HEADER: value}) == 403


def test_who_is_sent_away_is_told_so() -> None:
    with pytest.raises(RefusedError) as refused:
        check_host({"Host": "evil.example"}, NAMES, LOCAL)
    assert refused.value.refusal.status == 421


@given(st.text(max_size=30))
def test_no_other_text_is(text: str) -> None:
    host = host_of(text)
    assert may_come(text) == (host is not None and is_ours(host, NAMES, LOCAL))
    assert host is None or host in text.lower()
    if may_come(text):
        assert host in {"localhost", *NAMES, LOCAL} or (host or "").startswith(("127.", "::1"))


@given(
    st.sampled_from(("localhost", "127.0.0.1", "b7.local", LOCAL)),
    st.text("abcdefgh.-:0/@[]%", min_size=1, max_size=12),
    st.booleans(),
)
def test_what_only_looks_like_one_is_not(name: str, more: str, before: bool) -> None:
    text = more + name if before else name + more
    host = host_of(text)
    if may_come(text):
        assert host in {"localhost", "b7", *NAMES, LOCAL, "127.0.0.1"} or (host or "").startswith(
            "127."
        )
