"""The QR code of a page's address, as signs of a terminal."""

from __future__ import annotations

import pytest

from boardfw.shell.web import qr_code
from boardfw.shell.web.qr_code import QUIET, qr_lines

ADDRESS = "http://board.local:8080/pair#" + "Ab-_" * 11
UPPER, LOWER = str.maketrans(" ▀▄█", "0101"), str.maketrans(" ▀▄█", "0011")
FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")
"""In three corners, by which a reader finds the code (ISO/IEC 18004)."""


def modules(lines: list[str]) -> list[str]:
    """The rows of modules, 1 for dark ones."""
    return [line.translate(half) for line in lines for half in (UPPER, LOWER)]


def test_a_phone_finds_the_code_and_its_quiet_border() -> None:
    rows = modules(qr_lines(ADDRESS))
    size = len(rows[0])
    assert {len(row) for row in rows} == {size}
    assert size <= len(rows) <= size + 1
    assert (size - 2 * QUIET - 17) % 4 == 0  # a version has 17 + 4n modules
    first, last = QUIET, size - QUIET - len(FINDER)
    for top, left in ((first, first), (first, last), (last, first)):
        found = tuple(row[left : left + 7] for row in rows[top : top + 7])
        assert found == FINDER
    border = [*rows[:QUIET], *rows[size - QUIET :]]
    assert set("".join(border)) == {"0"}
    assert {row[:QUIET] + row[-QUIET:] for row in rows} == {"0" * 2 * QUIET}
    assert len(rows) // 2 <= 22  # a terminal of 24 lines shows it whole


def test_other_addresses_have_other_codes() -> None:
    assert qr_lines(ADDRESS) != qr_lines(ADDRESS[:-1] + "x")


def test_an_address_that_no_phone_can_open_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert qr_lines("http://localhost:8080/pair#x") == []
    assert qr_lines("page/pair#x") == []
    monkeypatch.setattr(qr_code, "find_spec", lambda _: None)
    assert qr_lines(ADDRESS) == []  # without the library it is told in words alone
