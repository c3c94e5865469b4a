"""What an engine says: each line is read into a value, and written back from it.

A line that cannot be read is a value too, ``Nonsense``, and never an exception: a broken engine
must not break the board. Words within a line that are not known are skipped, as the protocol asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import takewhile
from typing import Literal, TypeAlias

from boardfw.services.uci.options import EMPTY, MOST_DIGITS, OPTION_TYPES, Option, OptionType


@dataclass(frozen=True, slots=True)
class Nonsense:
    """A line that is not a line of the protocol, and why."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Identity:
    """``id name`` or ``id author``."""

    field: Literal["name", "author"]
    text: str


@dataclass(frozen=True, slots=True)
class UciOk:
    """``uciok``: all options are announced."""


@dataclass(frozen=True, slots=True)
class ReadyOk:
    """``readyok``: all that was said before is done."""


@dataclass(frozen=True, slots=True)
class Permission:
    """``copyprotection`` or ``registration``: whether the engine may be used."""

    of: Literal["copyprotection", "registration"]
    state: str
    """``checking``, ``ok`` or ``error``."""


MATE_CP = 32_000
"""What a mate on the board is worth, in hundredths of a pawn; each move before it takes one off."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a position is worth for the side to move."""

    cp: int | None = None
    """Hundredths of a pawn; None: it is a mate."""
    mate: int | None = None
    """Moves to the mate, negative if the side to move is mated; None: it is not a mate."""
    bound: Literal["", "lowerbound", "upperbound"] = ""
    """Whether the true value is at least or at most this."""

    @property
    def worth_cp(self) -> int:
        """Any score as hundredths of a pawn."""
        if self.mate is None:
            return self.cp or 0
        return MATE_CP - self.mate if self.mate > 0 else -MATE_CP - self.mate


@dataclass(frozen=True, slots=True)
class Info:
    """What a search has found so far; None: not said."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    score: Score | None = None
    wdl: tuple[int, int, int] | None = None
    """Chances to win, draw and lose, in thousandths."""
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    """In thousandths."""
    tbhits: int | None = None
    time: int | None = None
    """Milliseconds."""
    currmove: str | None = None
    currmovenumber: int | None = None
    pv: tuple[str, ...] = ()
    """Moves in UCI, unchecked."""
    string: str | None = None
    """Words for a person."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """The end of a search. Moves are in UCI, unchecked; None: there is none."""

    move: str | None
    ponder: str | None = None


Reply: TypeAlias = Identity | UciOk | ReadyOk | Permission | Option | Info | BestMove | Nonsense

NO_MOVE = "(none)"
_NO_MOVES = (NO_MOVE, "0000", "NULL", "none")
"""How engines say that there is no move."""
_MOVE = re.compile("[a-h][1-8][a-h][1-8][nbrq]?")


def parse_reply(line: str) -> Reply:
    """The value of a line that an engine has sent."""
    words = line.split()
    if not words:
        return Nonsense("", "an empty line")
    read = _READERS.get(words[0])
    if read is None:
        return Nonsense(line, "it does not begin with a word of the protocol")
    return read(line, words[1:])


def format_reply(reply: Reply) -> str:
    """The line of a value; ``parse_reply`` reads it back."""
    match reply:
        case Option():
            return " ".join(_option_words(reply))
        case Info():
            return " ".join(_info_words(reply))
        case _:
            return _simple_text(reply)


# --------------------------------------------------------------------------------- simple lines


def _simple_text(reply: Identity | UciOk | ReadyOk | Permission | BestMove | Nonsense) -> str:
    match reply:
        case Identity():
            return f"id {reply.field} {reply.text}".rstrip()
        case UciOk():
            return "uciok"
        case ReadyOk():
            return "readyok"
        case Permission():
            return f"{reply.of} {reply.state}"
        case BestMove():
            ponder = f" ponder {reply.ponder}" if reply.ponder else ""
            return f"bestmove {reply.move or NO_MOVE}{ponder}"
        case Nonsense():
            return reply.text


def _identity(line: str, words: Sequence[str]) -> Reply:
    if not words or words[0] not in ("name", "author"):
        return Nonsense(line, "'id' is followed by 'name' or 'author'")
    return Identity("name" if words[0] == "name" else "author", " ".join(words[1:]))


def _permission(line: str, words: Sequence[str]) -> Reply:
    if len(words) != 1 or words[0] not in ("checking", "ok", "error"):
        return Nonsense(line, "the permission is 'checking', 'ok' or 'error'")
    of = line.split(maxsplit=1)[0]
    return Permission("registration" if of == "registration" else "copyprotection", words[0])


def _best_move(line: str, words: Sequence[str]) -> Reply:
    if not words:
        return Nonsense(line, "'bestmove' is followed by a move")
    move = _move(words[0])
    if move is None and words[0] not in _NO_MOVES:
        return Nonsense(line, "what follows 'bestmove' is not a move")
    has_ponder = len(words) > 2 and words[1] == "ponder"
    return BestMove(move, _move(words[2]) if has_ponder else None)


def _move(word: str) -> str | None:
    """A move in UCI as it should be written: some engines write the promotion as a capital."""
    small = word.lower()
    return small if _MOVE.fullmatch(small) else None


# -------------------------------------------------------------------------------------- options

_OPTION = re.compile(rf"option\s+name\s+(.*?)\s*\btype\s+({'|'.join(OPTION_TYPES)})\b(.*)")
_FIELD = re.compile(r"(?:^|\s)(default|min|max|var)(?=\s|$)")


def _option(line: str, _: Sequence[str]) -> Reply:
    found = _OPTION.fullmatch(line.strip())
    if found is None:
        return Nonsense(line, "an option has a name and one of five types")
    name, kind, rest = " ".join(found[1].split()), found[2], found[3].strip()
    if not name:
        return Nonsense(line, "the option has no name")
    of_type: OptionType = next(one for one in _TYPES if one == kind)
    if of_type == "string":  # the text may hold any word
        has_default = rest == "default" or rest.startswith("default ")
        return Option(name, "string", _text(rest.removeprefix("default")) if has_default else None)
    default: str | None = None
    bounds: dict[str, int] = {}
    choices: list[str] = []
    for key, value in _option_fields(rest):
        if key == "default":
            default = value
        elif key == "var":
            choices.append(value)
        elif (number := _integer(value)) is None:
            return Nonsense(line, f"{key} is not a number")
        else:
            bounds[key] = number
    return Option(name, of_type, default, bounds.get("min"), bounds.get("max"), tuple(choices))


_TYPES: tuple[OptionType, ...] = ("check", "spin", "combo", "button", "string")


def _option_fields(text: str) -> Iterator[tuple[str, str]]:
    _, *parts = _FIELD.split(text)
    for key, value in zip(parts[::2], parts[1::2], strict=True):
        yield key, _text(value)


def _text(value: str) -> str:
    words = " ".join(value.split())
    return "" if words == EMPTY else words


def _option_words(option: Option) -> Iterator[str]:
    yield f"option name {option.name} type {option.type}"
    if option.default is not None:
        yield f"default {option.default or EMPTY}"
    if option.least is not None:
        yield f"min {option.least}"
    if option.most is not None:
        yield f"max {option.most}"
    for choice in option.choices:
        yield f"var {choice or EMPTY}"


# ----------------------------------------------------------------------------------------- info

Part: TypeAlias = tuple[object, int]
"""What was read, None for nothing, and how many words it took."""


def _info(_: str, words: Sequence[str]) -> Reply:
    known: dict[str, object] = {}
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word == "string":
            known[word] = " ".join(words[place:])
            break
        if read := _INFO_READERS.get(word):
            value, used = read(words, place)
            place += used
            if value is not None:
                known[word] = value
    return Info(**known)  # type: ignore[arg-type]  # each was read as what its name says


def _number_part(words: Sequence[str], place: int) -> Part:
    number = _number_at(words, place)
    return number, number is not None


def _move_part(words: Sequence[str], place: int) -> Part:
    move = _move(words[place]) if place < len(words) else None
    return move, move is not None


def _moves_part(words: Sequence[str], place: int) -> Part:
    following = (words[at] for at in range(place, len(words)))
    moves = tuple(takewhile(bool, map(_move, following)))
    return moves, len(moves)


def _chances_part(words: Sequence[str], place: int) -> Part:
    numbers = tuple(map(_integer, words[place : place + 3]))
    return (numbers, 3) if len(numbers) == 3 and None not in numbers else (None, 0)


def _score_part(words: Sequence[str], place: int) -> Part:
    value: dict[str, int] = {}
    bound: Literal["", "lowerbound", "upperbound"] = ""
    at = place
    while at < len(words):
        word = words[at]
        if word == "lowerbound":
            bound = "lowerbound"
        elif word == "upperbound":
            bound = "upperbound"
        elif word in ("cp", "mate") and (number := _number_at(words, at + 1)) is not None:
            value[word] = number
            at += 1
        else:
            break
        at += 1
    score = Score(value.get("cp"), value.get("mate"), bound) if len(value) == 1 else None
    return score, at - place


_INFO_READERS: dict[str, Callable[[Sequence[str], int], Part]] = {
    "depth": _number_part,
    "seldepth": _number_part,
    "multipv": _number_part,
    "nodes": _number_part,
    "nps": _number_part,
    "hashfull": _number_part,
    "tbhits": _number_part,
    "time": _number_part,
    "currmovenumber": _number_part,
    "currmove": _move_part,
    "pv": _moves_part,
    "wdl": _chances_part,
    "score": _score_part,
}


def _info_words(info: Info) -> Iterator[str]:
    yield "info"
    for name in _INFO_FIELDS:
        value = getattr(info, name)
        if value is None or value == ():
            continue
        match value:
            case Score():
                kind, number = ("cp", value.cp) if value.mate is None else ("mate", value.mate)
                yield f"score {kind} {number} {value.bound}".rstrip()
            case tuple():
                yield f"{name} {' '.join(map(str, value))}"
            case _:
                yield f"{name} {value}".rstrip()


_INFO_FIELDS = tuple(field.name for field in fields(Info))


def _number_at(words: Sequence[str], place: int) -> int | None:
    return _integer(words[place]) if place < len(words) else None


def _integer(word: str) -> int | None:
    digits = word.removeprefix("-").removeprefix("+")
    is_number = digits.isascii() and digits.isdigit() and len(digits) < MOST_DIGITS
    return int(word) if is_number and len(word) - len(digits) < 2 else None


_READERS: dict[str, Callable[[str, Sequence[str]], Reply]] = {
    "id": _identity,
    "uciok": lambda _, __: UciOk(),
    "readyok": lambda _, __: ReadyOk(),
    "copyprotection": _permission,
    "registration": _permission,
    "option": _option,
    "info": _info,
    "bestmove": _best_move,
}
