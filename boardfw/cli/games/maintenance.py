"""``boardfw games tag``, ``rule``, ``delete`` and ``rescue``."""

from __future__ import annotations

import re
from contextlib import closing
from difflib import get_close_matches
from pathlib import Path

import click

from boardfw.cli.games.listing import table
from boardfw.cli.games.open_collection import bring_up_to_date
from boardfw.cli.interaction import is_meant
from boardfw.errors import BoardError
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.store.database import open_as_it_is
from boardfw.shell.store.game_store import wall_ms
from boardfw.shell.store.record_lock import Mark, left_word, own
from boardfw.shell.store.rescue import is_ours, mend


def tag_game(number: int, tags: tuple[str, ...], place: Path) -> None:
    """Tag a game, as ``tag`` says. Raises BoardError."""
    parsed = dict(map(_parsed, tags))
    with closing(Collection.to_write(place)) as collection:
        collection.tag(number, parsed, wall_ms())
        bring_up_to_date(collection)


def _parsed(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise BoardError(f"{text!r} is not a tag; write NAME=VALUE, for example White='Anna Berg'")
    if name not in _USUAL_TAGS and (near := _usual_tag_like(name)):
        raise BoardError(f"there is no tag {name!r}; did you mean {near!r}?")
    form, how = _FORMS.get(name, (_ANY, ""))
    if value and not form.fullmatch(value):
        raise BoardError(f"{name}={value!r} cannot be right; write {how}")
    return name, value


_USUAL_TAGS = (
    *("Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo"),
    *("WhiteTitle", "BlackTitle", "WhiteTeam", "BlackTeam", "WhiteFideId", "BlackFideId"),
    *("EventDate", "UTCDate", "UTCTime", "Time", "TimeControl", "Termination", "Annotator"),
    *("ECO", "Opening", "Variation", "Section", "Stage", "Board", "Mode", "Source"),
)
"""What the PGN standard and chess programs write. Another name is fine where it is no spelling
mistake."""


_ANY = re.compile(".*", re.DOTALL)
_DATE = (
    re.compile(r"(\d{4}|\?{4})\.(\d\d|\?\?)\.(\d\d|\?\?)"),
    "2026.11.28, or ? for each unknown digit",
)
_ELO = re.compile(r"\d{1,4}|-|\?"), "a number, or - for a player without one"
_FORMS = dict.fromkeys(("Date", "EventDate", "UTCDate"), _DATE) | dict.fromkeys(
    ("WhiteElo", "BlackElo"), _ELO
)


def _usual_tag_like(name: str) -> str:
    """Return the usual tag for which this is a spelling mistake; empty: there is none."""
    by_letters = {tag.casefold(): tag for tag in _USUAL_TAGS}
    near = get_close_matches(name.casefold(), by_letters, n=1, cutoff=0.8)
    return by_letters[near[0]] if near else ""


def rule_on_game(number: int, words: tuple[str, ...], who: str, why: str, place: Path) -> None:
    """Let an arbiter correct a game, as ``rule`` says. Raises BoardError."""
    with closing(Collection.to_write(place)) as collection:
        told = collection.rule(number, " ".join(words), who, why, wall_ms())
        bring_up_to_date(collection)
    click.echo(f"game {number}: {told}")


def delete_games(numbers: tuple[int, ...], yes: bool, place: Path) -> None:
    """Delete games, if that is really meant. Raises BoardError."""
    numbers = tuple(dict.fromkeys(numbers))
    with closing(Collection.to_write(place)) as collection:
        collection.check(numbers)
        bring_up_to_date(collection)
        rows = collection.rows(Filters(numbers=numbers))
        if yes or is_meant("Delete for good?", "\n".join(table(rows))):
            collection.delete(numbers)
            click.echo(f"deleted: {' '.join(map(str, numbers))}")
        else:
            click.echo("nothing was deleted")


def rescue_record(place: Path) -> None:
    """Rescue the games of a record, if it is in need of it. Raises BoardError."""
    if not place.exists() and left_word(place) is None:
        raise BoardError(f"{place}: there is no such file; name another one with --record")
    with own(place) as owned:
        rescued = mend(place, owned.mark, thoroughly=True)
        if rescued and place.exists():
            with closing(open_as_it_is(place)) as connection:
                owned.leave_word(Mark.of(connection))
        elif rescued:
            owned.leave_word(None)
        if not rescued and not is_ours(place):
            raise BoardError(f"{place}: not a file of boardfw; name another one")
    click.echo(rescued.told(place) if rescued else f"{place}: is sound; nothing was done")
