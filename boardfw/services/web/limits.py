"""How often something may be asked: a bucket that empties with each request and fills with time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

MOST_KEYS = 1024
"""Of one limit; the key that was quiet for longest is forgotten."""


class Rate(NamedTuple):
    """So many requests in so many seconds, all at once if they like."""

    most: int
    seconds: float


@dataclass(slots=True)
class _Bucket:
    left: float
    at_s: float


class Limit:
    """Each key has a bucket of its own for each rate."""

    def __init__(self, *rates: Rate) -> None:
        self._rates = rates
        self._buckets: OrderedDict[object, list[_Bucket]] = OrderedDict()

    def take(self, now_s: float, key: object = None) -> float:
        """Ask for one; 0: it may be, else for how many seconds it has to wait. Instants of
        ``now_s`` do not go back."""
        buckets = self._filled(now_s, key)
        waits = [
            (1 - bucket.left) * rate.seconds / rate.most
            for bucket, rate in zip(buckets, self._rates, strict=True)
            if bucket.left < 1
        ]
        if waits:
            return max(waits)
        for bucket in buckets:
            bucket.left -= 1
        return 0.0

    def give_back(self, now_s: float, key: object = None) -> None:
        """One that was asked for does not count after all."""
        for bucket in self._filled(now_s, key):
            bucket.left += 1

    def _filled(self, now_s: float, key: object) -> list[_Bucket]:
        buckets = self._buckets.pop(key, None)
        if buckets is None:
            buckets = [_Bucket(rate.most, now_s) for rate in self._rates]
            if len(self._buckets) >= MOST_KEYS:
                self._buckets.popitem(last=False)
        self._buckets[key] = buckets
        for bucket, rate in zip(buckets, self._rates, strict=True):
            more = (now_s - bucket.at_s) * rate.most / rate.seconds
            bucket.left, bucket.at_s = min(rate.most, bucket.left + more), now_s
        return buckets
