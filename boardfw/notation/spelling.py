"""What all move notations share: numbers before a move, signs behind it, dashes and figurines."""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 60
"""Characters; no text of a single move is longer, and nothing longer is looked into."""

_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—−", "-"),
        "×": "x",
        "½": "1/2",
        **dict.fromkeys("♔♚", "K"),
        **dict.fromkeys("♕♛", "Q"),
        **dict.fromkeys("♖♜", "R"),
        **dict.fromkeys("♗♝", "B"),
        **dict.fromkeys("♘♞", "N"),
        **dict.fromkeys("♙♟", "P"),
        # Variation selectors: whether a figurine is shown as text or as a picture.
        "\ufe0e": None,
        "\ufe0f": None,
    }
)
_CHECK = r"\+\+|[+#†‡]|check\s?mate\.?|mate\.?|ch(?:eck)?\.?|(?:disc?|dbl|double)\.?"
_SIGN = rf"""\s*+(?:
    \(?e\.?\s?p\.?\)?                           # en passant
  | \+\s?/?-|-\s?/?\+|\+/=|=/\+|[±∓∞⩲⩱□⨀]|(?<=\s)=   # who stands better; before the signs of check
  | {_CHECK}
  | [!?‼⁇⁈⁉:]|\(=\)|\$[0-9]{{1,3}}              # how good it is, a capture, a draw offered, a NAG
)"""
# Patterns stay texts until they are asked: who only writes moves need not compile them.
# Possessive: a text of signs must not be tried in all its partitions.
_FORM = rf"\s*+(?:(?:[0-9]{{1,4}}\s?)?[.…][.…\s]*+)?(?P<core>.*?)(?P<signs>(?:{_SIGN})*+)\s*+"
_PASSING = r"\(?e\.?\s?p\.?\)?"
_LOOSELY = re.VERBOSE | re.IGNORECASE | re.DOTALL


class Bare(NamedTuple):
    """A move text without what stands around it, and what its signs said."""

    core: str
    is_check: bool
    is_en_passant: bool


def bare(text: str) -> Bare | None:
    """``7. ♘d5# !!`` is ``Nd5``, a check; None if nothing is left or the text is too long."""
    if len(text) > LONGEST:
        return None
    form = re.fullmatch(_FORM, text.translate(_LOOKALIKES), _LOOSELY)
    if form is None or not form["core"]:
        return None
    signs = [sign[0].strip() for sign in re.finditer(_SIGN, form["signs"], _LOOSELY)]
    return Bare(
        form["core"],
        any(re.fullmatch(_CHECK, sign, re.IGNORECASE) for sign in signs),
        any(re.fullmatch(_PASSING, sign, re.IGNORECASE) for sign in signs),
    )


def is_sign(text: str) -> bool:
    """Whether a text is nothing but signs that stand behind a move, such as ``e.p.`` or ``!?``."""
    if len(text) > LONGEST:
        return False
    form = re.fullmatch(_FORM, text.translate(_LOOKALIKES), _LOOSELY)
    return form is not None and not form["core"] and bool(form["signs"])
