"""Every route there is, with the right that it needs and the types of its bodies.

The server answers nothing that is not in ``ROUTES``; ``openapi.py`` describes the same table, and a
test walks it with every role.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from boardfw.services.web import api
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Right
from boardfw.services.web.state import BoardState

USUAL_BODY = 64_000
"""Bytes of a body, where nothing else is said."""
PGN_BODY = 8_000_000
PREFIX = "/api/v1"


FRONT = frozenset({"page", "plain", "static", "describe"})


class Route(NamedTuple):
    """One path with one method. ``does``: the name of what answers it, in ``handlers.py`` or in
    ``front.py``."""

    method: str
    path: str
    right: Right
    does: str
    says: str
    body: Any = None
    """The type of what is sent; None: nothing of it is read."""
    answer: type[Any] | None = None
    """None: what comes is no JSON."""
    most_bytes: int = USUAL_BODY
    asks_code: bool = False
    """Whether a code, or a knock, is asked for again where the last one is too long ago."""

    @property
    def is_stream(self) -> bool:
        """Whether a WebSocket is opened."""
        return self.does == "stream"

    @property
    def is_front(self) -> bool:
        """Whether it is answered without the board (``front.py``)."""
        return self.does in FRONT


def _api(method: str, path: str, right: Right, does: str, says: str, **more: Any) -> Route:
    return Route(method, PREFIX + path, right, does, says, **more)


PAGES = ("/", "/new", "/games", "/games/{id}", "/learn", "/board", "/settings", "/kiosk", "/pair")
ROUTES: tuple[Route, ...] = (
    *(Route("GET", path, Right.NOTHING, "page", "A page.") for path in PAGES),
    Route("GET", "/plain", Right.WATCH, "plain", "The board without script."),
    Route("GET", "/s/{hash}/{name}", Right.NOTHING, "static", "A file of the pages."),
    Route("GET", "/openapi.json", Right.NOTHING, "describe", "This description."),
    _api("GET", "/state", Right.WATCH, "state", "The board now.", answer=BoardState),
    _api("GET", "/stream", Right.WATCH, "stream", "The board from now on (WebSocket)."),
    _api(
        "POST",
        "/table/{button}",
        Right.PLAY,
        "press",
        "Press a button of the table.",
        body=api.Command,
        answer=api.Said,
    ),
    _api(
        "POST",
        "/hand",
        Right.PLAY,
        "hand",
        "Move a piece of a simulated board.",
        body=api.HandAct,
        answer=api.Said,
    ),
    _api("GET", "/setup", Right.PLAY, "choices", "What a game may be.", answer=api.GameChoices),
    _api(
        "POST",
        "/setup",
        Right.PLAY,
        "set_up",
        "Begin another game.",
        body=api.GameWish,
        answer=api.Said,
    ),
    _api("GET", "/games", Right.PLAY, "games", "The games that are kept.", answer=api.GameList),
    _api(
        "POST",
        "/games",
        Right.OWN,
        "keep",
        "Keep games from elsewhere.",
        body=api.PgnText,
        answer=api.Imported,
        most_bytes=PGN_BODY,
    ),
    _api("GET", "/games.pgn", Right.PLAY, "all_pgn", "All games that are asked for, as PGN."),
    _api("GET", "/games/{number}.pgn", Right.PLAY, "pgn", "A game as PGN."),
    _api("GET", "/games/{number}", Right.PLAY, "game", "A game.", answer=api.KeptGame),
    _api("DELETE", "/games/{number}", Right.OWN, "delete", "Remove a game.", answer=api.Said),
    _api(
        "POST",
        "/games/{number}/restore",
        Right.OWN,
        "restore",
        "Do not remove it after all.",
        answer=api.Said,
    ),
    _api(
        "GET",
        "/games/{number}/explain/{ply}",
        Right.PLAY,
        "explain",
        "Why a ply was taken for this move.",
        answer=api.Explained,
    ),
    _api("GET", "/learn", Right.PLAY, "courses", "What can be learnt.", answer=api.CourseList),
    _api(
        "POST",
        "/learn/start",
        Right.PLAY,
        "teach",
        "Begin a lesson.",
        body=api.LessonWish,
        answer=api.Said,
    ),
    *(
        _api(
            "POST",
            f"/learn/{what}",
            Right.PLAY,
            f"{what}_lesson",
            says,
            body=api.Command,
            answer=api.Said,
        )
        for what, says in (
            ("skip", "Go on to the next exercise."),
            ("again", "Ask the exercise once more."),
            ("leave", "End the lesson."),
        )
    ),
    _api(
        "GET",
        "/arbiter/rulings",
        Right.RULE,
        "rulings",
        "What was decided about the game.",
        answer=api.RulingList,
    ),
    _api(
        "POST",
        "/arbiter/ruling",
        Right.RULE,
        "rule",
        "Decide about the game.",
        body=api.RulingWish,
        answer=api.Said,
    ),
    _api(
        "POST",
        "/arbiter/names",
        Right.RULE,
        "call",
        "Let the players be called so.",
        body=api.Calling,
        answer=api.Said,
    ),
    _api("GET", "/board/health", Right.PLAY, "health", "How it is.", answer=api.BoardHealth),
    _api(
        "POST",
        "/board/doctor",
        Right.OWN,
        "examine",
        "Let the doctor look at the board.",
        body=api.NoKeys,
        answer=api.Examined,
    ),
    _api("GET", "/settings", Right.OWN, "settings", "The settings.", answer=api.SettingList),
    _api(
        "PUT",
        "/settings",
        Right.OWN,
        "change",
        "Change settings.",
        body=dict[str, bool | int | float | str],
        answer=api.SettingList,
    ),
    _api(
        "GET",
        "/session",
        Right.NOTHING,
        "session",
        "Who I am to this board.",
        answer=api.SessionAnswer,
    ),
    _api("DELETE", "/session", Right.NOTHING, "log_out", "End my session.", answer=api.Said),
    _api(
        "DELETE",
        "/session/{id}",
        Right.OWN,
        "revoke",
        "End another session.",
        answer=api.Said,
        asks_code=True,
    ),
    _api(
        "POST",
        "/session/prove",
        Right.OWN,
        "prove",
        "Show once more, by a code, that an owner is here.",
        body=api.CodeAgain,
        answer=api.Said,
    ),
    _api("GET", "/links", Right.OWN, "links", "The spectators' links.", answer=api.LinkList),
    _api(
        "POST",
        "/links",
        Right.OWN,
        "let_in",
        "Make an address for somebody else.",
        body=api.LinkWish,
        answer=api.NewLink,
        asks_code=True,
    ),
    _api(
        "DELETE",
        "/links/{id}",
        Right.OWN,
        "end_link",
        "End a link of spectators.",
        answer=api.Said,
        asks_code=True,
    ),
    _api(
        "POST",
        "/pair",
        Right.NOTHING,
        "pair",
        "Swap a code for a session.",
        body=api.PairCode,
        answer=api.SessionAnswer,
    ),
    _api(
        "POST",
        "/pair/knock",
        Right.NOTHING,
        "knock",
        "Ask for a session by touching squares.",
        body=api.Naming,
        answer=api.KnockAnswer,
    ),
    _api(
        "GET",
        "/pair/knock",
        Right.NOTHING,
        "knocked",
        "How far that has come.",
        answer=api.KnockProgress,
    ),
)


NUMBERS = frozenset({"id", "number", "ply"})
"""Parts of a path that are numbers; others are names."""


def _pattern(path: str) -> re.Pattern[str]:
    def part(found: re.Match[str]) -> str:
        letters = "[0-9]{1,9}" if found[1] in NUMBERS else "[A-Za-z0-9._-]{1,64}"
        return f"(?P<{found[1]}>{letters})"

    return re.compile(re.sub(r"\\{(\w+)\\}", part, re.escape(path)))


_PATTERNS = tuple((_pattern(route.path), route) for route in ROUTES)


def find(method: str, path: str) -> tuple[Route, dict[str, str]]:
    """The route of a request, and what its path says. Raises RefusedError where there is none."""
    allowed: list[str] = []
    for pattern, route in _PATTERNS:
        found = pattern.fullmatch(path)
        if found is not None and route.method == method:
            return route, found.groupdict()
        if found is not None:
            allowed.append(route.method)
    if allowed:
        raise RefusedError(405, f"only {' or '.join(sorted(allowed))} is possible here")
    raise RefusedError(404, "there is nothing at this address", where="path")
