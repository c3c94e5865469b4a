"""The installer restarts units by systemd."""

from __future__ import annotations

import pytest

import host


def test_the_page_is_restarted_also_where_the_service_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    restarted = []

    def runs(_program: str, *words: str) -> bool:
        if words[0] == "restart":
            restarted.append(words[1])
        return words != ("restart", host.SERVICE)

    monkeypatch.setattr(host, "_runs", runs)
    assert not host.restart()
    assert restarted == [host.SERVICE, host.PAGE]
