"""Chooses the reader that plays: ours, or the one on trial if the environment asks for it.

``BOARDFW_READER=trial`` does so, for tests and experiments alone; it is no setting for users.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING or os.environ.get("BOARDFW_READER") != "trial":
    from boardfw.inference.starting_games import StartingGames
    from boardfw.inference.switch_reader import SwitchReader
else:
    from boardfw.inference.reading.game_reader import GameReader as SwitchReader
    from boardfw.inference.reading.starting import StartingGames

__all__ = ["StartingGames", "SwitchReader"]
