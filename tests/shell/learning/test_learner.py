"""The log of a learner: opened before anybody answers, and ready then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OPENED = """
import sys
from pathlib import Path
from boardfw.learning.course import Course
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answers import Answers
from boardfw.shell.learning.learner import Log

log = Log(Answers(Path(sys.argv[1])), "guest", Calendar(), Course())
print("fsrs" in sys.modules)
log.close()
"""


def test_nothing_is_left_to_be_loaded_when_the_first_answer_comes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPENED, str(tmp_path / "games.db")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True\n"
