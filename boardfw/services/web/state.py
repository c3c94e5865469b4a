"""The state of a board as a page sees it: the types of the snapshot, as JSON has them.

Squares are squares of the game, by name; times are milliseconds of the board's clock; sides are
``w`` and ``b``. None means that there is nothing of the kind now.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Side = Literal["w", "b"]
PhaseName = Literal["setup", "play", "over"]
Ply = tuple[str, str, Literal["p", "f"], int | None]
"""UCI, SAN, provisional or final, and what the mover's clock showed."""
Languages = dict[str, dict[str, str]]
"""What the board's English words are in other languages: by ``de``, then by their keys."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the state."""


class Game(Part, frozen=True, kw_only=True):
    """The game that is played, or was played last."""

    id: int | None = None
    """Its number in the collection; None: it is not kept, or has no ply yet."""
    start_fen: str
    tags: dict[str, str]
    plies: list[Ply]
    result: str = "*"
    termination: str = ""
    can_look_back: bool = False
    """Whether the button ``hint`` shows where it turned, or gives that up: it is over."""


class Clock(Part, frozen=True, kw_only=True):
    """Both times as they were at an instant; the page counts on from there."""

    w: int
    b: int
    runs: Side | None
    at: int


class Candidate(Part, frozen=True, kw_only=True):
    """One of the moves that explain the board; the button ``answer_N`` chooses it."""

    n: int
    uci: str
    san: str
    squares: list[str]


class ChoosingPiece(Part, frozen=True, kw_only=True):
    """A promoted pawn that may still become another piece; letters are small."""

    square: str
    piece: str
    then: str


class Mismatch(Part, frozen=True, kw_only=True):
    """What stands otherwise than in the game, and the way back; None in it is the box."""

    missing: list[str]
    extra: list[str]
    repair: list[tuple[str | None, str | None]]
    why: str | None
    also: Languages = {}
    """``why``."""


class Setup(Part, frozen=True, kw_only=True):
    """How far the pieces of the next game stand; ``next`` is a letter of FEN."""

    wanted: list[str]
    surplus: list[str]
    next: str | None
    next_squares: list[str]
    problems: list[str]
    helped: bool = False
    """Whether simulated hands put the pieces there."""


class Opponent(Part, frozen=True, kw_only=True):
    """Who plays a side without being at the board."""

    name: str
    side: Side
    owed: str | None
    """The move that is to be made for it, in UCI."""
    owed_san: str | None = None
    """The same in SAN."""
    thinking: bool


class Lesson(Part, frozen=True, kw_only=True):
    """The exercise that is asked."""

    title: str
    """Of the lesson; empty where turning points of a game are shown."""
    text: str
    """The task; empty while the pieces are set up for it."""
    say: str
    """What was said of it last."""
    hints_left: int
    done: int
    """Exercises of the lesson that were solved, now or earlier."""
    of: int
    step: Literal["setup", "asked", "solved"] = "asked"
    trouble: str = ""
    """Why answers wait in memory; empty: none does."""
    also: Languages = {}
    """``title``, ``text`` and ``say``."""


class BoardState(Part, frozen=True, kw_only=True):
    """Everything that a page shows of a board."""

    v: Literal[1] = 1
    board: str
    boot: str = ""
    seq: int = 0
    role: Literal["spectator", "player", "arbiter", "owner"] = "owner"
    simulated: bool
    demo: bool = False
    """Whether simulated hands play a game by themselves, for those who watch."""
    to_go: int = 0
    """Squares on which simulated hands have yet to put a piece, or to take one off."""
    mono: bool
    rated: bool
    turned: bool
    phase: PhaseName
    turn: Side
    game: Game
    history: list[tuple[int, str, str]]
    """Plies that were taken back or replaced: number, UCI, SAN."""
    occ: str
    """Squares whose switch is closed: 16 digits, bit 0 is a1."""
    placement: str
    shown: str | None
    """What stands on a simulated board; None: only the game knows the pieces."""
    hand: list[tuple[str, str | None]]
    """Letter and square of each lifted piece, the next to be put down last."""
    box: str
    cues: dict[str, list[str]] | None
    """What the lights mean; None: not shown to this role."""
    lights: str | None
    """The frame when the cues last changed; None: not shown to this role."""
    clock: Clock | None
    check: str | None
    ask: list[Candidate] | None
    choosing: ChoosingPiece | None
    mismatch: Mismatch | None
    setup: Setup | None
    stuck: list[str]
    blind: list[str]
    late: list[str]
    doubt: str | None
    unwritten: str
    opponent: Opponent | None
    lesson: Lesson | None
    health: str
    also: Languages | None = None
    """``doubt``, and nothing that anybody may see: it is hidden with that. None: there is none."""


def as_json(state: BoardState) -> dict[str, Any]:
    """The state as JSON has it."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(state))
    return plain
