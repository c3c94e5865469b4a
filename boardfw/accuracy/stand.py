"""A move that stood in the record for a while."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stand:
    """One move that stood in the record as ply ``ply`` (0 = the first)."""

    ply: int
    uci: str
    since_us: int
    until_us: int
