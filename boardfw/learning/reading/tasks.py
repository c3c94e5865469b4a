"""From what is written of a task to the task itself, with the answer that the rules give."""

from __future__ import annotations

from boardfw.errors import NotationError
from boardfw.learning import queries
from boardfw.learning.answers import may, reach, state
from boardfw.learning.reading.sheet import TaskSheet
from boardfw.learning.stars import way
from boardfw.learning.task import (
    NAMES,
    All,
    Find,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.notation.san import parse_san
from boardfw.rules import BLACK, WHITE, Color, Move, Position
from boardfw.rules.position import Key
from boardfw.squares import BY_NAME, Occupancy, Square, occupancy_of

BESIDE = {
    "proof": ("place",),
    "by": ("may",),
    "you": ("line", "play"),
    "notation": ("line",),
    "claims": ("line",),
    "plies": ("play",),
}
"""Keys beside those of the types, and the types that they belong to."""
_USUAL = TaskSheet()
_COLORS = {"white": WHITE, "black": BLACK}


def type_of(sheet: TaskSheet) -> str:
    """The type of a task. Raises NotationError if there is not exactly one, or a stray key."""
    if not sheet.types:
        raise NotationError(f"no type of task; write one of {', '.join(NAMES.values())}")
    if len(sheet.types) > 1:
        raise NotationError(f"{' and '.join(sheet.types)} are two tasks; keep one")
    (name,) = sheet.types
    for key, types in BESIDE.items():
        if getattr(sheet, key) != getattr(_USUAL, key) and name not in types:
            raise NotationError(f"{key!r} belongs to {' and '.join(types)}; remove it")
    return name


def task_of(position: Position, sheet: TaskSheet) -> Task:
    """The task. Raises NotationError: what in it cannot be asked in this position."""
    name = type_of(sheet)
    if name in ("find", "place", "touch", "reach", "stars"):
        return _shown(position, name, sheet)
    return _played(position, name, sheet)


def you_of(position: Position, sheet: TaskSheet) -> Color:
    """Who is asked: the side to move, unless the task says otherwise."""
    return position.turn if sheet.you is None else _COLORS.get(sheet.you, position.turn)


def _shown(position: Position, name: str, sheet: TaskSheet) -> Task:
    """Tasks answered by touching squares."""
    if name == "find":
        return Find(tuple(BY_NAME[square] for square in sheet.find))
    if name == "place":
        proof = tuple(_somebody(position, query) for query in sheet.proof)
        return Place(sheet.place == "guided", proof)
    if name == "touch":
        return Touch(queries.squares(position, sheet.touch))
    if name == "reach":
        origin = _own(position, sheet.reach)
        return Reach(origin, reach(position, origin))
    return _stars(position, [BY_NAME[square] for square in sheet.stars])


def _played(position: Position, name: str, sheet: TaskSheet) -> Task:
    """Tasks answered by moves, or by saying that there is none."""
    if name == "move":
        return OneMove(_moves(position, sheet.move))
    if name == "all":
        return All(_moves(position, sheet.all))
    if name == "may":
        return _may(position, sheet)
    if name == "verdict":
        return Verdict(state(position))
    if name == "line" or sheet.play is None:
        return _line(position, sheet)
    if not position.legal_moves():
        raise NotationError("nobody can move here; begin with a game that goes on")
    return Play(sheet.play, you_of(position, sheet), sheet.plies)


def _somebody(position: Position, query: str) -> Occupancy:
    found = queries.squares(position, query)
    if not found:
        raise NotationError(f"nobody is {query!r} here; ask for men who are there")
    return found


def _moves(position: Position, query: str) -> tuple[Move, ...]:
    found = queries.moves(position, query)
    if not found:
        raise NotationError(f"no legal move is {query!r} here; change the position or the task")
    return found


def _own(position: Position, square: str) -> Square:
    if not position.men(position.turn) >> BY_NAME[square] & 1:
        raise NotationError(f"nobody of the side to move stands on {square}; name his square")
    return BY_NAME[square]


def _stars(position: Position, squares: list[Square]) -> Stars:
    stars = occupancy_of(squares)
    found = way(position, stars)
    if found is None:
        raise NotationError("no moves visit all these stars; move a star, or add a man")
    return Stars(stars, len(found))


def _may(position: Position, sheet: TaskSheet) -> May:
    origin, target = _own(position, sheet.may[:2]), BY_NAME[sheet.may[2:]]
    allowed = may(position, origin, target, by_exchange=sheet.by == "exchange")
    return May(origin, target, allowed)


def _line(position: Position, sheet: TaskSheet) -> Line:
    you = None if sheet.you == "both" else you_of(position, sheet)
    plies: list[tuple[Move, ...]] = []
    earlier: list[Key] = []
    for word in sheet.line.split():
        plies.append(tuple(parse_san(position, san) for san in word.split("/")))
        earlier.append(position.key)
        position = position.play(plies[-1][0])
    if not plies:
        raise NotationError("no moves; write the line in SAN, such as 'e4 e5'")
    if len(plies) == 1 and you == position.turn:
        raise NotationError(f"no move of {sheet.you} in this line; change 'you' or the line")
    can_be_claimed = state(position, earlier) is State.CLAIM
    if sheet.claims is not None and sheet.claims is not can_be_claimed:
        end = "can be claimed" if can_be_claimed else "cannot be claimed"
        raise NotationError(f"a draw {end} after this line; change 'claims' or the line")
    return Line(tuple(plies), you, sheet.claims)
