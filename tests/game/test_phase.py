"""The table of phases: the page that explains it says what the program does."""

from __future__ import annotations

from pathlib import Path

from boardfw.game.phase import NEXT, GamePhase

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_the_page_shows_the_phases_as_they_are() -> None:
    rows = [
        f"| {table.name} | {cause.name.lower().replace('_', ' ')} | {then.name} |"
        for (table, cause), then in NEXT.items()
    ]
    assert "\n".join(rows) in PAGE.read_text(encoding="utf-8")


def test_every_state_can_be_reached_and_left() -> None:
    assert set(NEXT.values()) == set(GamePhase)
    assert {table for (table, _), then in NEXT.items() if then is not table} == set(GamePhase)
