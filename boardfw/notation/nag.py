"""NAGs: what an annotator thinks, as ``$1`` in PGN and as ``!`` on a score sheet."""

from __future__ import annotations

import re

SIGNS: dict[str, int] = {
    "!": 1,
    "?": 2,
    "!!": 3,
    "??": 4,
    "!?": 5,
    "?!": 6,
    "□": 7,
    "=": 10,
    "∞": 13,
    "⩲": 14,
    "⩱": 15,
    "±": 16,
    "∓": 17,
    "+-": 18,
    "-+": 19,
    "⨀": 22,
    "↑": 36,
    "→": 40,
    "⇆": 132,
    # Other spellings of the signs above.
    "‼": 3,
    "⁇": 4,
    "⁉": 5,
    "⁈": 6,
    "+/=": 14,
    "+=": 14,
    "=/+": 15,
    "=+": 15,
    "+/-": 16,
    "-/+": 17,
}
"""Numbers by sign; of several signs for one number the first is written."""

HIGHEST = 255
"""The PGN standard (8.2.4) has NAGs from 0 to 255, and (10) meanings up to 139."""

_WRITTEN = {number: sign for sign, number in reversed(SIGNS.items())}
_NUMBER = re.compile(r"\$([0-9]{1,3})")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_LONGEST = 12
"""Characters of the longest sign, including blanks."""

_SINGLE = (
    "no remark",
    "good move",
    "mistake",
    "brilliant move",
    "blunder",
    "interesting move",
    "dubious move",
    "forced move",
    "only reasonable move",
    "worst move",
    "drawish position",
    "equal chances, quiet",
    "equal chances, lively",
    "unclear position",
)
_FOR_EACH_SIDE = (
    "is slightly better",
    "is clearly better",
    "is winning",
    "is crushing",
    "is in zugzwang",
    "has a little more space",
    "has clearly more space",
    "has decisively more space",
    "is slightly ahead in development",
    "is clearly ahead in development",
    "is decisively ahead in development",
    "has the initiative",
    "has a lasting initiative",
    "has the attack",
    "has too little for the material given",
    "has enough for the material given",
    "has more than enough for the material given",
    "controls the centre a little better",
    "controls the centre clearly better",
    "controls the centre decisively",
    "controls the king's side a little better",
    "controls the king's side clearly better",
    "controls the king's side decisively",
    "controls the queen's side a little better",
    "controls the queen's side clearly better",
    "controls the queen's side decisively",
    "has a vulnerable first rank",
    "has a well protected first rank",
    "has a badly protected king",
    "has a well protected king",
    "has a badly placed king",
    "has a well placed king",
    "has very weak pawns",
    "has rather weak pawns",
    "has rather strong pawns",
    "has very strong pawns",
    "has a badly placed knight",
    "has a well placed knight",
    "has a badly placed bishop",
    "has a well placed bishop",
    "has a badly placed rook",
    "has a well placed rook",
    "has a badly placed queen",
    "has a well placed queen",
    "has pieces that work badly together",
    "has pieces that work well together",
    "has played the opening very badly",
    "has played the opening badly",
    "has played the opening well",
    "has played the opening very well",
    "has played the middlegame very badly",
    "has played the middlegame badly",
    "has played the middlegame well",
    "has played the middlegame very well",
    "has played the ending very badly",
    "has played the ending badly",
    "has played the ending well",
    "has played the ending very well",
    "has a little counterplay",
    "has clear counterplay",
    "has decisive counterplay",
    "is rather short of time",
    "is very short of time",
)
"""Each for White and then for Black."""

MEANINGS: tuple[str, ...] = _SINGLE + tuple(
    f"{side} {state}" for state in _FOR_EACH_SIDE for side in ("White", "Black")
)


def parse_nag(text: str) -> int | None:
    """The number of ``$3``, ``!!``, ``+-`` or ``- +``; None if the text is no NAG."""
    if len(text) > _LONGEST:
        return None
    sign = "".join(text.translate(_DASHES).split())
    if number := _NUMBER.fullmatch(sign):
        value = int(number[1])
        return value if value <= HIGHEST else None
    return SIGNS.get(sign)


def format_nag(number: int, *, signs: bool = False) -> str:
    """``$3``, or with ``signs`` a sign such as ``!!`` where the number has one.

    Raises ValueError for a number beyond 0..255.
    """
    if not 0 <= number <= HIGHEST:
        raise ValueError(f"{number} is not a NAG: they run from 0 to {HIGHEST}")
    plain = f"${number}"
    return _WRITTEN.get(number, plain) if signs else plain


def meaning(number: int) -> str:
    """What a NAG means, in words, or that the standard gives it no meaning."""
    if 0 <= number < len(MEANINGS):
        return MEANINGS[number]
    return f"${number}: no meaning in the PGN standard"
