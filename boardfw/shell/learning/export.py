"""The log of a learner for other programs: CSV, or values for JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from boardfw.learning.log import Answered

COLUMNS = (*Answered._fields[:2], "asked_at", *Answered._fields[3:])
"""As in the log; instants in ISO 8601, as the machine's clock showed them."""


def as_values(log: Iterable[Answered]) -> list[dict[str, Any]]:
    """An object a row."""
    return [dict(zip(COLUMNS, _values(answered), strict=True)) for answered in log]


def as_csv(log: Iterable[Answered]) -> str:
    """A line a row, below the names of the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for exercise, variant, asked_at, first, errors, helps, result, unsure in map(_values, log):
        writer.writerow((exercise, variant, asked_at, first, errors, helps, result, int(unsure)))
    return text.getvalue()


def _values(answered: Answered) -> tuple[Any, ...]:
    exercise, variant, asked_at_ms, *plain, result, unsure = answered
    return exercise, variant, _instant(asked_at_ms), *plain, result.value, unsure


def _instant(at_ms: int) -> str:
    """To the second."""
    try:
        return f"{datetime.fromtimestamp(at_ms // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (OverflowError, ValueError, OSError):  # a clock that is badly wrong
        return ""
