"""Pages and pictures that are made from the code: tables in Markdown, and files written anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with these heads of its columns."""
    first, *others = (f"| {' | '.join(map(str, cells))} |" for cells in (head, *rows))
    return "\n".join([first, f"|{'---|' * len(head)}", *others])


def between(text: str, name: str, table: str) -> str:
    """The text with this table between the two marks of its name; ValueError without them."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    head = text.index(start) + len(start)
    return f"{text[:head]}{table}\n{text[text.index(end, head) :]}"


def write(files: Mapping[Path, str]) -> None:
    """Write these texts."""
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
