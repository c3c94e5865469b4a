"""Paragraphs for debian/copyright of the libraries that the package carries, and no others.

``python3 debian/licences.py DIRECTORY`` prints them: of each library in a directory of installed
ones its authors and the licence that it came with, word for word.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

OWN = "boardfw"
"""Whose licence debian/copyright says itself."""
LICENCE = re.compile(r"(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)
HOLDER = re.compile(
    r"^\W*((?!.*Free Software Foundation)copyright\b.*\d.*|©.*)$", re.IGNORECASE | re.MULTILINE
)
"""The Free Software Foundation holds the rights of its licences' texts, not of the libraries."""
COMMON = {"Apache License": ("2.0", "Apache-2.0"), "LESSER GENERAL PUBLIC": ("2.1", "LGPL-2.1")}
"""Licences whose text Debian wants once a machine: how it begins, its version, and its file."""
HERE = (
    "On Debian systems the text of version {} of this licence is in\n/usr/share/common-licenses/{}."
)


def paragraphs(site: Path) -> Iterator[str]:
    """One paragraph for the files of each library, one for its licence."""
    for library in sorted(distributions(path=[str(site)]), key=_name):
        if _name(library) != OWN:
            yield from _paragraphs(library)


def _name(library: Distribution) -> str:
    return library.metadata["Name"].lower().replace("_", "-")


def _paragraphs(library: Distribution) -> Iterator[str]:
    name, version = _name(library), library.version
    texts = [file.read_text() for file in library.files or () if LICENCE.search(str(file))]
    said = library.metadata["License-Expression"] or library.metadata["License"] or "see below"
    holders = dict.fromkeys(match[1].strip() for text in texts for match in HOLDER.finditer(text))
    whole = "\n\n".join(_in_short(text) for text in texts) or _classified(library)
    if not whole:
        sys.exit(f"{name} {version} brings no licence, and may not be given away with boardfw")
    named = library.metadata["Author"] or library.metadata["Author-email"]
    authors = list(holders) or [named or f"the authors of {name}"]
    short = f"{name}-licence"
    yield f"Files: usr/lib/boardfw/lib/python3*/site-packages/{_folder(library)}*"
    yield f"Comment: {name} {version}; its authors say: {said.splitlines()[0]}"
    yield "Copyright: " + "\n ".join(authors)
    yield f"License: {short}\n{_indented(whole)}\n"


def _folder(library: Distribution) -> str:
    """The first directory or module of the library."""
    tops = {file.parts[0] for file in library.files or () if ".." not in file.parts}
    return min(top for top in tops if not top.endswith((".dist-info", "__pycache__")))


def _in_short(text: str | None) -> str:
    text = (text or "").replace("\f", "\n").strip()
    for name, (version, file) in COMMON.items():
        if name in text and version in text and len(text) > 9000:
            return HERE.format(version, file)
    return text


def _classified(library: Distribution) -> str:
    """What a library says that names its licence and does not bring its text."""
    named = [
        classifier.rpartition(":: ")[2]
        for classifier in library.metadata.get_all("Classifier") or ()
        if classifier.startswith("License ::")
    ]
    named += [library.metadata["License-Expression"] or library.metadata["License"] or ""]
    return " / ".join(dict.fromkeys(filter(None, named)))


def _indented(text: str) -> str:
    """As a field of several lines is written: a dot for an empty line."""
    text = text.expandtabs()
    lines = (textwrap.dedent(line).rstrip() for line in text.splitlines())
    return "\n".join(f" {line}" if line else " ." for line in lines)


if __name__ == "__main__":
    print("\n".join(["", *paragraphs(Path(sys.argv[1]))]))
