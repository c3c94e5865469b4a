"""Results: ``1-0``, ``( ½ - ½ )`` and other spellings, as PGN writes them."""

from __future__ import annotations

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Every result of PGN; ``*`` means no result yet."""

_SPELLINGS = {
    **{result: result for result in RESULTS},
    "1:0": "1-0",
    "0:1": "0-1",
    "1/2": "1/2-1/2",
    "1/2:1/2": "1/2-1/2",
    "0.5-0.5": "1/2-1/2",
}
_LOOKALIKES = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "½": "1/2", "⁄": "/"})
_BRACKETS = (("(", ")"), ("[", "]"))
_LONGEST = 40
"""Characters of the longest spelling, including blanks."""


def parse_result(text: str) -> str | None:
    """The result in PGN's spelling, or None if the text is no result.

    Blanks, one pair of brackets, dashes of any length and ``½`` are read; ``1/2`` alone is a draw.
    """
    if len(text) > _LONGEST:
        return None
    core = "".join(text.translate(_LOOKALIKES).split())
    for opening, closing in _BRACKETS:
        if core.startswith(opening) and core.endswith(closing):
            core = core[1:-1]
            break
    return _SPELLINGS.get(core)
