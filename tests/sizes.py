"""How much is tried: a few of everything in `make test`, more in `make test-slow`."""

from __future__ import annotations

import os


def _is_set(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


IS_FULL = _is_set("BOARDFW_FULL")
"""True for `make test-slow FULL=1`."""
IS_SLOW = IS_FULL or _is_set("BOARDFW_SLOW")
"""True for `make test-slow`."""


def sized(few: int, more: int, most: int | None = None) -> int:
    """Return how many a test tries: few in the fast suite, more in the slow one.

    A test that asks carries `@pytest.mark.both`, which lets it run in both suites.
    ``most``: with FULL=1; None: no more than without it.
    """
    if IS_FULL and most is not None:
        return most
    return more if IS_SLOW else few
