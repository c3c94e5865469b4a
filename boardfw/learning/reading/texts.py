"""The file of texts: below the id of a lesson what is said of it, and of its exercises."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from boardfw.document import Place, Trouble, named, unknown_key

ABOUT_LESSON = ("name", "goal")
ABOUT_EXERCISE = ("say", "hint1", "hint2", "solved")


def texts_of(
    values: dict[str, Any], place: Place, keys: tuple[str, ...]
) -> tuple[Mapping[str, str], list[Trouble]]:
    """The texts with these keys below a heading, and what is wrong with them."""
    table: Any = values
    for step in place:
        table = table.get(step, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        return {}, [(place, f"{named(place)} is a section; write [{_dotted(place)}]")]
    found = {key: table[key] for key in keys if is_text(table.get(key))}
    wanted = ", ".join(keys)
    if not table:
        return {}, [(place, f"[{_dotted(place)}] is missing; write it, with {wanted}")]
    missing = [key for key in keys if key not in found]
    what = "must be a text of one line in quotes"
    return found, [((*place, key), f"{named((*place, key))} {what}") for key in missing]


def strays(values: dict[str, Any], lessons: Mapping[str, Collection[str]]) -> Iterator[Trouble]:
    """Texts of lessons and exercises that are not there; ``lessons``: exercises by lesson."""
    for id_, table in values.items():
        if id_ not in lessons:
            yield (id_,), f"there is no lesson {id_!r}; remove its texts, or write it"
        elif isinstance(table, dict):
            yield from _strays_of(id_, table, lessons[id_])


def _strays_of(id_: str, table: dict[str, Any], exercises: Collection[str]) -> Iterator[Trouble]:
    for key, value in table.items():
        place = (id_, key)
        if key in exercises and isinstance(value, dict):
            known = [f"{id_}.{key}.{name}" for name in ABOUT_EXERCISE]
            for name in value:
                if name not in ABOUT_EXERCISE:
                    yield (*place, name), unknown_key(f"{id_}.{key}.{name}", known)
        elif key not in ABOUT_LESSON and key not in exercises:
            yield place, f"lesson {id_!r} has no exercise {key!r}; remove its texts, or write it"


def is_text(value: object) -> bool:
    """Whether there is something to be said, on one line."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _dotted(place: Place) -> str:
    return ".".join(map(str, place))
