"""Lines as the journal of a service wants them: with a priority, and without a time of their own.

A line that begins with <3> is filed as an error, <4> as a warning (sd-daemon(3)); the journal
takes the mark off, colours the line, and finds it with ``journalctl -p``.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping
from typing import TextIO

import click

ERROR, WARNING, INFO = 3, 4, 6
"""Priorities of syslog(3)."""


def is_journal(stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a stream leads straight into the journal; JOURNAL_STREAM of systemd.exec(5) says."""
    try:
        status = os.fstat(stream.fileno()) if stream is not None else None
    except OSError:  # closed, or a test's
        return False
    return status is not None and environment.get("JOURNAL_STREAM") == (
        f"{status.st_dev}:{status.st_ino}"
    )


def marked(priority: int, text: str) -> str:
    """A text of one line or several with its priority."""
    return "\n".join(f"<{priority}>{line}" for line in text.splitlines())


def complain(text: str) -> None:
    """Say on standard error what is wrong."""
    click.echo(marked(ERROR, text) if is_journal(sys.stderr) else text, err=True)


class JournalFormatter(logging.Formatter):
    """What is logged, with its priority."""

    def format(self, record: logging.LogRecord) -> str:
        """As the journal wants it."""
        return marked(_priority(record.levelno), super().format(record))


def _priority(level: int) -> int:
    if level >= logging.ERROR:
        return ERROR
    return WARNING if level >= logging.WARNING else INFO


def log_to(stream: TextIO) -> None:
    """Let whatever is logged be said there, a line each; the journal hears more and sorts it."""
    is_filed = is_journal(stream)
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JournalFormatter() if is_filed else logging.Formatter())
    logging.basicConfig(level=logging.INFO if is_filed else logging.WARNING, handlers=[handler])
