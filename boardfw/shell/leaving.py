"""How a board is shut down: its good-bye, and whether the machine is to be switched off with it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from boardfw.lights.patterns import RINGS
from boardfw.shell.files import write_whole

STEPS = len(RINGS)
STEP_S = 0.25
"""Of the good-bye: a second in all, long enough to be seen by who looks up."""
MARK = "power-off"
"""The file in the service's directory below /run that asks for the machine to be switched off."""


def ask_for_power_off(environment: Mapping[str, str] = os.environ) -> bool:
    """Leave word for the stopping script, which has more rights. False: it is not there.

    Raises BoardError where the word cannot be left.
    """
    directory = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    if not directory:
        return False
    write_whole(Path(directory) / MARK, "")
    return True
