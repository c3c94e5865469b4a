"""What tests of the reader on trial share."""

from __future__ import annotations

import pytest

from boardfw.game import course
from boardfw.game.setup import planned_game
from boardfw.inference.reading.game_reader import GameReader
from boardfw.inference.reading.starting import StartingGames


@pytest.fixture
def on_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sessions read their games with the reader on trial."""
    monkeypatch.setattr(course, "SwitchReader", GameReader)
    monkeypatch.setattr(planned_game, "StartingGames", StartingGames)
