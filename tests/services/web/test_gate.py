"""Which names are this board's, whatever a Host header says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.web.gate import check_host, host_of, is_ours
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
