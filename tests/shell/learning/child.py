"""A learner in a process of its own, to be killed or cut off: answers one exercise after the other.

``python -m tests.shell.learning.child RECORD`` prints ``kept N`` once answer N is kept.
"""

from __future__ import annotations

import sys
from pathlib import Path

from boardfw.learning.answer_log import Answered, Result
from boardfw.shell.learning.answer_store import Answers

WHO = "Anna"
LOG = tuple(
    Answered(f"lesson.{n % 7}", "", 1_790_000_000_000 + n, 900 * n, n % 4, 0, Result.SOLVED)
    for n in range(30)
)


def main(path: Path) -> None:
    """Answer from where the record has it to the end."""
    answers = Answers(path)
    if WHO not in answers.profiles():
        answers.add_profile(WHO, None)
    done = len(answers.rows(WHO))
    for number, answered in enumerate(LOG[done:], done + 1):
        answers.add(WHO, answered)
        sys.stdout.write(f"kept {number}\n")
        sys.stdout.flush()
    answers.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
