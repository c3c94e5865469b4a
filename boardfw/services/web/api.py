"""What pages and programs send and get at ``/api/v1``: a type for each body, nothing else.

``openapi.py`` describes the same types to the world; a field that is there stays.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from boardfw.services.web.state import Languages, Side

SquareName = Annotated[str, Meta(pattern="^[a-h][1-8]$", description="a square, such as e4")]
Place = Annotated[str, Meta(pattern="^([a-h][1-8]|box)$", description="a square, or the box")]
PieceLetter = Annotated[str, Meta(pattern="^[PNBRQKpnbrqk]$", description="a letter of FEN")]
Line = Annotated[str, Meta(max_length=255)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
MOST_PLIES = 400
"""Spectators wait for no more; longer than any game that somebody waits for."""
HelpLevel = Annotated[int, Meta(ge=0, le=4)]


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is sent."""


class NoKeys(Body, frozen=True, kw_only=True):
    """An empty object."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered."""


class Command(Body, frozen=True, kw_only=True):
    """A press of a button. ``id``: the same again is not done again. ``seq``: what was seen."""

    id: CommandId
    seq: Annotated[int, Meta(ge=0)]


class HandAct(Body, frozen=True, kw_only=True):
    """One thing that a hand does on a simulated board; exactly one of its keys is given."""

    lift: SquareName | None = None
    drop: Place | None = None
    take: PieceLetter | None = None
    """Out of the box."""
    touch: SquareName | None = None
    """A click: lift, drop or capture, whichever it can be."""
    back: bool | None = None
    """Put the piece in the hand back."""
    set_up: bool | None = None
    """Let simulated hands put all pieces where they are wanted."""
    end_demo: bool | None = None
    """End the game that simulated hands play by themselves, and set up another one."""
    id: CommandId | None = None


class OpponentWish(Body, frozen=True, kw_only=True):
    """An opponent that is not at the board."""

    side: Side
    level: Annotated[int, Meta(ge=1, le=11)] = 3
    engine: Line = ""
    """One of ``GameChoices.opponents``; empty: the usual one."""


class GameWish(Body, frozen=True, kw_only=True):
    """A new game."""

    start: Literal["usual", "fen", "960"] = "usual"
    fen: Line = ""
    number: Annotated[int, Meta(ge=0, le=959)] | None = None
    """Of a Chess960 start; None: by chance."""
    white: Line | None = None
    black: Line | None = None
    clock: Line | None = None
    """Such as ``5+3``, in minutes and seconds; None: no clock."""
    help: tuple[HelpLevel, HelpLevel] | None = None
    """White's and Black's level; None: as it is."""
    opponent: OpponentWish | None = None
    """None: both players are at the board."""
    now: datetime | None = None
    """What time it is, with its time zone, for a board that asks (``GameChoices.asks_date``); None:
    it is not told."""
    id: CommandId | None = None


class LessonWish(Body, frozen=True, kw_only=True):
    """A lesson that is to be given."""

    lesson: Annotated[str, Meta(max_length=64)] | None = None
    """Its id; None: what is due, then the course from where the learner is."""
    profile: Annotated[str, Meta(max_length=64)] = "guest"
    """Whose answers are kept."""
    id: CommandId | None = None


class RulingWish(Body, frozen=True, kw_only=True):
    """A decision of an arbiter about the game that is played."""

    what: Annotated[str, Meta(max_length=1_000)]
    """As in docs/rulings.md: ``12.Nf3``, ``clocks 1:20:00 -``, ``result 1-0 time``."""
    why: Line
    who: Line = ""
    """Empty: as the device is called."""
    id: CommandId | None = None


class Calling(Body, frozen=True, kw_only=True):
    """How the players of the game are called; None: as before."""

    white: Line | None = None
    black: Line | None = None
    id: CommandId | None = None


class Naming(Body, frozen=True, kw_only=True):
    """How a device that asks for a session is called."""

    name: Line = ""


class PairCode(Naming, frozen=True, kw_only=True):
    """A code that is swapped for a session."""

    code: Line


class LinkWish(Body, frozen=True, kw_only=True):
    """An address for somebody else: for spectators as often as they like, for others once."""

    role: Literal["spectator", "player", "arbiter", "owner"] = "spectator"
    name: Line = ""
    delay_plies: Annotated[int, Meta(ge=0, le=MOST_PLIES)] = 0
    """How many plies late spectators see a game that is played."""


class CodeAgain(Body, frozen=True, kw_only=True):
    """A code that shows once more that an owner is here."""

    code: Line


class Said(Answer, frozen=True, kw_only=True):
    """It is done; ``text``: what the board has to say to it, mostly nothing."""

    text: str
    seq: int
    also: Languages = {}
    """The text in other languages, as far as it is known there."""


class SessionInfo(Answer, frozen=True, kw_only=True):
    """A session in a list."""

    id: int
    name: str
    role: str
    last: int
    """Unix time in milliseconds."""
    mine: bool


class SessionAnswer(Answer, frozen=True, kw_only=True):
    """Who the asking page is to this board. ``role``: None: nobody yet."""

    role: Literal["spectator", "player", "arbiter", "owner"] | None
    name: str
    board: str
    claimed: bool
    can_knock: bool
    simulated: bool
    lang: Literal["en", "de"]
    sessions: list[SessionInfo]


class KnockAnswer(Answer, frozen=True, kw_only=True):
    """The squares to be touched, and for how long."""

    squares: list[str]
    left_ms: int


class KnockProgress(Answer, frozen=True, kw_only=True):
    """How far a knock has come."""

    state: Literal["none", "waiting", "done", "failed"]
    seen: int = 0
    left_ms: int = 0
    tries_left: int = 0


class LevelInfo(Answer, frozen=True, kw_only=True):
    """A level of opponents."""

    number: int
    name: str


class GameChoices(Answer, frozen=True, kw_only=True):
    """What a new game may be, and how the last one was."""

    levels: list[LevelInfo]
    clocks: list[str]
    opponents: list[str]
    help: tuple[int, int]
    white: str
    black: str
    rated: bool
    opponent: OpponentWish | None = None
    """As it was chosen last; None: both players are at the board."""
    asks_date: bool = False
    """Whether nothing but a person's word vouches for the board's date."""


class GameRow(Answer, frozen=True, kw_only=True):
    """A game in a list."""

    id: int
    date: str
    white: str
    black: str
    result: str
    plies: int
    opening: str
    first_moves: str


class GameList(Answer, frozen=True, kw_only=True):
    """Some of the games; ``total``: how many there are of the kind."""

    games: list[GameRow]
    total: int


class KeptGame(Answer, frozen=True, kw_only=True):
    """A game of the collection."""

    id: int
    start_fen: str
    tags: dict[str, str]
    plies: list[tuple[str, str, Literal["p", "f"], int | None]]
    placements: list[str]
    """The board field of FEN before the first ply and after each."""
    comments: dict[str, str]
    """By ply; "0": before the first."""
    result: str
    history: list[tuple[int, str, str]]


class PgnText(Body, frozen=True, kw_only=True):
    """Games to be kept."""

    pgn: str


class RefusedGame(Answer, frozen=True, kw_only=True):
    """A game, or a part of one, that could not be read."""

    line: int
    why: str


class Imported(Answer, frozen=True, kw_only=True):
    """What became of games that were sent. ``known``: those that were kept before.

    ``shortened``: those kept without their comments, signs and variations, which were too long.
    """

    kept: int
    known: int
    shortened: int
    refused: list[RefusedGame]


class Explained(Answer, frozen=True, kw_only=True):
    """Why a ply was taken for this move, for a person to read."""

    text: str


class SwitchHealth(Answer, frozen=True, kw_only=True):
    """How one switch has behaved since the board was switched on."""

    touches: int
    bounce_us: int
    """Its usual bounce of late."""
    longest_bounce_us: int
    short: int
    """Openings too short to be a lift."""
    verdict: str
    """In words: "good", or what is wrong."""
    stuck: bool


class BoardHealth(Answer, frozen=True, kw_only=True):
    """How the board is."""

    squares: dict[str, SwitchHealth]
    scan_hz: int
    bus_errors: dict[str, int]
    notes: list[str]


class Examined(Answer, frozen=True, kw_only=True):
    """What the doctor says, as a table for a person to read; ``is_well``: nothing has failed."""

    text: str
    is_well: bool


class SettingInfo(Answer, frozen=True, kw_only=True):
    """A setting, and what it may be."""

    key: str
    value: bool | int | float | str
    kind: Literal["bool", "number", "text", "choice"]
    choices: list[str]
    min: float | None
    max: float | None
    says: str
    """What it must be, in words."""
    needs_restart: bool
    """Whether it is read from the file at the start only; then a page cannot change it."""
    also: Languages = {}
    """``says``."""


class SettingList(Answer, frozen=True, kw_only=True):
    """The settings that a page may change."""

    settings: list[SettingInfo]


class LessonInfo(Answer, frozen=True, kw_only=True):
    """A lesson, and how far a learner is in it."""

    id: str
    title: str
    goal: str
    """What a learner knows after it."""
    done: float
    """The share of its exercises that were solved, 0 to 1."""
    passed: bool
    gold: bool
    """Whether each exercise was solved once without an error and without help."""
    open: bool
    """Whether the lessons before it are passed; any lesson can be begun all the same."""
    also: Languages = {}
    """``title`` and ``goal``."""


class CourseInfo(Answer, frozen=True, kw_only=True):
    """Lessons in the order in which they can be learnt."""

    id: str
    title: str
    lessons: list[LessonInfo]


class CourseList(Answer, frozen=True, kw_only=True):
    """What there is to learn, and how far a learner is."""

    courses: list[CourseInfo]
    due: int
    """Exercises that are due for repetition."""
    next: str | None
    """The lesson that comes next; None: all are passed, and nothing is due."""
    profile: str
    profiles: list[str]
    """All who learn here; the first is the guest."""


class Decided(Answer, frozen=True, kw_only=True):
    """A decision that was made; ``ply``: after which it is told, 0: before the first."""

    ply: int
    what: str
    who: str
    why: str


class RulingList(Answer, frozen=True, kw_only=True):
    """What arbiters have decided about the game, oldest first."""

    rulings: list[Decided]


class NewLink(Answer, frozen=True, kw_only=True):
    """An address, which is told only now. ``id``: None: it counts once."""

    id: int | None
    path: str
    """Behind the address of the board."""
    ends_ms: int | None
    """For how long it counts; None: until it is ended."""


class LinkInfo(Answer, frozen=True, kw_only=True):
    """A link for spectators."""

    id: int
    name: str
    delay_plies: int
    since: int
    """Unix time in milliseconds."""
    watching: int
    """Sessions that came by it."""


class LinkList(Answer, frozen=True, kw_only=True):
    """The links for spectators."""

    links: list[LinkInfo]
