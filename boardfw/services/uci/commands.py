"""What an engine is told: each line as a value, written and read.

Moves of a game are moves of our rules here, so what is written is legal, and what is read is
checked. In Chess960 castling is written king takes rook, and rights to castle by the rooks' files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

from boardfw.errors import NotationError
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.uci import format_uci, parse_uci
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.rules.board import HOME_RANK
from boardfw.rules.move import KINGS_FILE, ROOKS_FILES
from boardfw.services.uci.options import MOST_DIGITS
from boardfw.services.uci.replies import Nonsense
from boardfw.squares import file_of, squares_in


@dataclass(frozen=True, slots=True)
class Plain:
    """A command of one word: one of ``PLAIN``."""

    word: str


UCI, IS_READY, NEW_GAME = Plain("uci"), Plain("isready"), Plain("ucinewgame")
STOP, PONDER_HIT, QUIT = Plain("stop"), Plain("ponderhit"), Plain("quit")
PLAIN = {one.word: one for one in (UCI, IS_READY, NEW_GAME, STOP, PONDER_HIT, QUIT)}


@dataclass(frozen=True, slots=True)
class Debug:
    """``debug on`` or ``debug off``."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetOption:
    """``setoption``: name and value of any number of words; None for a button."""

    name: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class SetPosition:
    """``position``: a game from its start."""

    start: Position
    moves: tuple[Move, ...] = ()
    chess960: bool = False
    """Whether castling is written king takes rook; not said on the line."""

    @property
    def position(self) -> Position:
        """The position after all moves."""
        position = self.start
        for move in self.moves:
            position = position.play_unchecked(move)
        return position


@dataclass(frozen=True, slots=True)
class Go:
    """``go``: how long and at what to think; times in milliseconds, None: not said."""

    searchmoves: tuple[str, ...] = ()
    """In UCI, unchecked; empty: all moves."""
    ponder: bool = False
    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: int | None = None
    infinite: bool = False


Command: TypeAlias = Plain | Debug | SetOption | SetPosition | Go


def needs_chess960(start: Position) -> bool:
    """Whether a king or a rook that may castle does not stand where it does in standard chess."""
    for color in (WHITE, BLACK):
        rooks = start.castling & HOME_RANK[color]
        if rooks and file_of(start.king(color)) != KINGS_FILE:
            return True
        if any(file_of(rook) not in ROOKS_FILES for rook in squares_in(rooks)):
            return True
    return False


# -------------------------------------------------------------------------------------- writing


def format_command(command: Command) -> str:
    """The line of a command."""
    match command:
        case Plain():
            return command.word
        case Debug():
            return f"debug {'on' if command.on else 'off'}"
        case SetOption():
            value = "" if command.value is None else f" value {command.value}"
            return f"setoption name {command.name}{value}".rstrip()
        case SetPosition():
            return _position_text(command)
        case Go():
            return _go_text(command)


def _position_text(command: SetPosition) -> str:
    start = command.start
    is_usual = start == Position.start() and not command.chess960
    fen = format_fen(start, shredder=command.chess960)
    text = "position startpos" if is_usual else f"position fen {fen}"
    if command.moves:
        moves = (format_uci(move, chess960=command.chess960) for move in command.moves)
        text = f"{text} moves {' '.join(moves)}"
    return text


def _go_text(go: Go) -> str:
    words = ["go"]
    for name in _GO_FIELDS[1:]:
        value = getattr(go, name)
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            words += [name, str(value)]
    if go.searchmoves:  # at the end: its moves have no other end
        words += ["searchmoves", *go.searchmoves]
    return " ".join(words)


_GO_FIELDS = tuple(field.name for field in fields(Go))
_GO_FLAGS = ("ponder", "infinite")


# -------------------------------------------------------------------------------------- reading


def parse_command(line: str, *, chess960: bool = False) -> Command | Nonsense:
    """The command of a line; ``chess960``: what UCI_Chess960 was set to."""
    words = line.split()
    match words:
        case []:
            return Nonsense("", "an empty line")
        case [word] if word in PLAIN:
            return PLAIN[word]
        case ["debug", "on" | "off" as state]:
            return Debug(state == "on")
        case ["setoption", "name", name, *rest]:
            return _set_option([name, *rest])
        case ["position", kind, *rest]:
            return _position(line, kind, rest, chess960=chess960)
        case ["go", *rest]:
            return _go(line, rest)
        case _:
            return Nonsense(line, "it is not a command of the protocol")


def _set_option(words: Sequence[str]) -> SetOption:
    if "value" not in words[1:]:
        return SetOption(" ".join(words))
    place = words.index("value", 1)
    return SetOption(" ".join(words[:place]), " ".join(words[place + 1 :]))


def _position(
    line: str, kind: str, words: Sequence[str], *, chess960: bool
) -> SetPosition | Nonsense:
    end = words.index("moves") if "moves" in words else len(words)
    try:
        if kind == "startpos" and end == 0:
            start = Position.start()
        elif kind == "fen":
            start = parse_fen(" ".join(words[:end]))
        else:
            return Nonsense(line, "'position' is followed by 'startpos' or 'fen'")
        moves: list[Move] = []
        position = start
        for word in words[end + 1 :]:
            moves.append(parse_uci(position, word))
            position = position.play_unchecked(moves[-1])
    except NotationError as error:
        return Nonsense(line, str(error))
    return SetPosition(start, tuple(moves), chess960)


def _go(line: str, words: Sequence[str]) -> Go | Nonsense:
    known: dict[str, object] = {}
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word in _GO_FLAGS:
            known[word] = True
        elif word == "searchmoves":
            end = place
            while end < len(words) and words[end] not in _GO_FIELDS:
                end += 1
            known[word] = tuple(words[place:end])
            place = end
        elif word in _GO_FIELDS:
            number = words[place] if place < len(words) else ""
            digits = number.removeprefix("-")
            if not (digits.isascii() and digits.isdigit() and len(digits) < MOST_DIGITS):
                return Nonsense(line, f"'{word}' is followed by a number")
            known[word] = int(number)
            place += 1
    return Go(**known)  # type: ignore[arg-type]  # each was read as what its name says
