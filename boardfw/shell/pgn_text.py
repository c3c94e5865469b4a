"""The games of a session as PGN text, with the tags that the owner and the calendar give them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from boardfw.game.record import Record
from boardfw.game.resuming import Unfinished
from boardfw.notation.pgn import format_game
from boardfw.shell.config import Settings
from boardfw.shell.dates import Dating

UNKNOWN_DATE = "????.??.??"


def tags_of(settings: Settings, began: datetime | None) -> dict[str, str]:
    """The tags of a game that began then; None: nobody knows when."""
    tags = settings.tags
    return {
        "Event": tags.event,
        "Site": tags.site,
        "Date": UNKNOWN_DATE if began is None else f"{began.astimezone():%Y.%m.%d}",
        "Round": tags.round,
        "White": tags.white,
        "Black": tags.black,
        **_in_utc(began),
    }


def _in_utc(began: datetime | None) -> dict[str, str]:
    """The same instant for readers elsewhere (PGN standard, 9.5)."""
    if began is None:
        return {}
    utc = began.astimezone(UTC)
    return {"UTCDate": f"{utc:%Y.%m.%d}", "UTCTime": f"{utc:%H:%M:%S}"}


class TagsNow(Mapping[str, str]):
    """The tags of a game that begins at the instant at which they are read."""

    def __init__(self, settings: Settings, now: Callable[[], datetime | None]) -> None:
        self._settings = settings
        self._now = now
        self._tags = tags_of(settings, None)

    def __getitem__(self, name: str) -> str:
        return self._tags[name]

    def __iter__(self) -> Iterator[str]:
        self._tags = tags_of(self._settings, self._now())  # reading begins here
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)


class Pgn:
    """The games of a session as PGN text; a finished game is put into words once."""

    def __init__(
        self, settings: Settings, dating: Dating, unfinished: Unfinished | None = None
    ) -> None:
        """``unfinished``: the game that was taken up again; it has its tags already."""
        self._settings = settings
        self._dating = dating
        self._unfinished = unfinished
        self._began: list[tuple[Record, datetime]] = []
        self._finished: list[str] = []

    def text(self, games: Sequence[Record]) -> str:
        """All games; one without a ply only where it is the only one."""
        for record in games[len(self._finished) : -1]:
            self._finished.append(self.game(record))
        last = games[-1]
        shown = last.moves or last.outcome or len(games) == 1
        return "".join([*self._finished, self.game(last) if shown else ""])

    def game(self, record: Record) -> str:
        """One of them."""
        return format_game(record.to_pgn(self.tags(record)))

    def tags(self, record: Record) -> dict[str, str]:
        """The tags of one of them."""
        if self._unfinished is not None and record is self._unfinished.record:
            return dict(self._unfinished.tags)
        return tags_of(self._settings, self._began_at(record))

    def _began_at(self, record: Record) -> datetime | None:
        """When the first ply was: a board may be switched on for weeks before it.

        Asked for again until somebody knows, and never after that: clocks are set.
        """
        for dated, began in self._began:
            if dated is record:
                return began
        began_at = self._dating(record.times_us[0]) if record.moves else None
        if began_at is not None:
            self._began.append((record, began_at))
        return began_at
