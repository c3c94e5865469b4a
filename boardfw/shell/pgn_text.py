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


class Names:
    """What the players are called, where somebody says so at the board.

    It counts for the game that is being played or has just ended, and for those after it.
    """

    def __init__(self) -> None:
        self._said: list[tuple[Record, dict[str, str]]] = []

    def say(self, record: Record, tags: Mapping[str, str]) -> None:
        """From this game on the players are called so; tags as in PGN."""
        self._said.append((record, self.of(record) | dict(tags)))

    def of(self, record: Record) -> dict[str, str]:
        """What was said of the players of a game, as tags; empty: nothing."""
        said = [tags for since, tags in self._said if since.started_us <= record.started_us]
        return dict(said[-1]) if said else {}

    @property
    def last(self) -> dict[str, str]:
        """What was said last."""
        return dict(self._said[-1][1]) if self._said else {}


class TagsNow(Mapping[str, str]):
    """The tags of a game that begins at the instant at which they are read."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime | None],
        names: Names | None = None,
    ) -> None:
        self._settings = settings
        self._names = names or Names()
        self._now = now
        self._tags = tags_of(settings, None)

    def __getitem__(self, name: str) -> str:
        return self._names.last.get(name) or self._tags[name]

    def __iter__(self) -> Iterator[str]:
        self._tags = tags_of(self._settings, self._now())  # reading begins here
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)


class Pgn:
    """The games of a session as PGN text; a finished game is put into words once."""

    def __init__(
        self,
        settings: Settings,
        dating: Dating,
        unfinished: Unfinished | None = None,
        names: Names | None = None,
    ) -> None:
        """``unfinished``: the game that was taken up again; it has its tags already."""
        self._settings = settings
        self._dating = dating
        self._unfinished = unfinished
        self._names = names or Names()
        self._began: list[tuple[Record, datetime]] = []
        self._finished: list[tuple[Record, str]] = []

    def text(self, games: Sequence[Record]) -> str:
        """All games; one without a ply only where it is the only one."""
        return "".join(self.texts(games))

    def texts(self, games: Sequence[Record]) -> tuple[str, ...]:
        """The same, a game each: those that are over are put into words once."""
        while self._finished and not self._is_over(len(self._finished) - 1, games):
            self._finished.pop()  # a new game was begun, and taken back
        for record in games[len(self._finished) : -1]:
            self._finished.append((record, self.game(record)))
        last = games[-1]
        shown = last.moves or last.outcome or len(games) == 1
        over = (text for _, text in self._finished)
        return (*over, self.game(last)) if shown else tuple(over)

    def _is_over(self, number: int, games: Sequence[Record]) -> bool:
        """Whether a game that was put into words is still followed by another one."""
        return number < len(games) - 1 and games[number] is self._finished[number][0]

    def game(self, record: Record) -> str:
        """One of them."""
        return format_game(record.to_pgn(self.tags(record)))

    def tags(self, record: Record) -> dict[str, str]:
        """The tags of one of them."""
        if self._unfinished is not None and record is self._unfinished.record:
            return dict(self._unfinished.tags) | self._names.of(record)
        return tags_of(self._settings, self._began_at(record)) | self._names.of(record)

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
