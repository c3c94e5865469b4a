"""Which lesson comes after which: ids that are there, once each, and no circles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from boardfw.learning.reading import Draft, Fault


def double_faults(drafts: Sequence[Draft]) -> dict[int, Fault]:
    """By their numbers, the drafts whose id another one has taken before."""
    found: dict[int, Fault] = {}
    first: dict[str, Draft] = {}
    for number, draft in enumerate(drafts):
        if (other := first.setdefault(draft.sheet.id, draft)) is not draft:
            path = other.document.path
            what = f"lesson {draft.sheet.id!r} is in {path} already; give this one another id"
            found[number] = Fault(draft.document, ("id",), what)
    return found


def graph_faults(draft: Draft, drafts: Iterable[Draft], unread: Collection[str]) -> Iterator[Fault]:
    """What is wrong with a lesson's ids, and with what it comes after."""
    needed = {other.sheet.id: other.sheet.after for other in drafts}
    yield from _unknown(draft, {*needed, *unread})
    yield from _circles(draft, needed)
    yield from _twice(draft)


def _unknown(draft: Draft, known: Collection[str]) -> Iterator[Fault]:
    for item, id_ in enumerate(draft.sheet.after):
        if id_ not in known:
            what = f"there is no lesson {id_!r} to come after; write it, or remove it here"
            yield Fault(draft.document, ("after", item), what)


def _circles(draft: Draft, needed: Mapping[str, Sequence[str]]) -> Iterator[Fault]:
    for item, id_ in enumerate(draft.sheet.after):
        if draft.sheet.id in _all_needed(id_, needed):
            what = f"{draft.sheet.id!r} and {id_!r} come after each other; remove one 'after'"
            yield Fault(draft.document, ("after", item), what)


def _all_needed(id_: str, needed: Mapping[str, Sequence[str]]) -> list[str]:
    """A lesson, and all that have to be passed before it."""
    queue = [id_]
    for here in queue:
        queue += [before for before in dict.fromkeys(needed.get(here, ())) if before not in queue]
    return queue


def _twice(draft: Draft) -> Iterator[Fault]:
    ids = [sheet.id for sheet in draft.sheet.exercise]
    for number, id_ in enumerate(ids):
        if id_ in ids[:number]:
            what = f"exercise {id_!r} is there already; give this one another id"
            yield Fault(draft.document, ("exercise", number, "id"), what)
