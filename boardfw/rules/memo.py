"""A table that computes its entries when they are first needed, and is emptied when full."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V]):
    """``memo[key]`` is ``build(key)``, remembered. Holds at most ``limit`` entries.

    A dict subclass rather than ``lru_cache`` because a hit is then a plain subscript: the move
    generator does some thirty of them a position. Emptying instead of evicting keeps hits free
    of book-keeping; a board runs for years, so every memo has a limit.
    """

    __slots__ = ("_build", "limit")

    def __init__(self, build: Callable[[K], V], limit: int) -> None:
        super().__init__()
        self._build = build
        self.limit = limit

    def __missing__(self, key: K) -> V:
        value = self._build(key)
        if len(self) >= self.limit:
            self.clear()
        self[key] = value
        return value
