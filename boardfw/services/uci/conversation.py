"""The conversation with one engine, as a table of states; it owns no process and no clock.

What happens goes in with its time, and what is to be done comes out. All that an engine may do
wrong in time is decided here: each state in which it owes something has a time after which it is
given up, so a stuck engine costs that much and no more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from boardfw.notation.errors import quoted
from boardfw.services.uci.commands import (
    IS_READY,
    NEW_GAME,
    QUIT,
    STOP,
    UCI,
    Command,
    Go,
    SetOption,
    SetPosition,
    format_command,
)
from boardfw.services.uci.lines import Overlong
from boardfw.services.uci.options import Option
from boardfw.services.uci.replies import (
    BestMove,
    Identity,
    Info,
    Nonsense,
    ReadyOk,
    Reply,
    UciOk,
    parse_reply,
)

State: TypeAlias = Literal[
    "starting", "preparing", "ready", "thinking", "called", "stopping", "gone"
]
"""``called``: its time is over, and its move was asked for; ``stopping``: its move will be thrown
away; ``preparing``: it was told options, and has to say that it is ready."""

Sign: TypeAlias = Literal["uciok", "readyok", "bestmove", "go", "prepare", "stop", "overdue"]

TABLE: Mapping[tuple[State, Sign], State] = {
    ("starting", "uciok"): "preparing",
    ("starting", "overdue"): "gone",
    ("preparing", "readyok"): "ready",
    ("preparing", "overdue"): "gone",
    ("ready", "prepare"): "preparing",
    ("ready", "go"): "thinking",
    ("thinking", "bestmove"): "ready",
    ("thinking", "overdue"): "called",
    ("thinking", "stop"): "stopping",
    ("called", "bestmove"): "ready",
    ("called", "overdue"): "gone",
    ("called", "stop"): "stopping",
    ("stopping", "bestmove"): "ready",
    ("stopping", "overdue"): "gone",
}
"""What is not in it changes nothing. Whatever the state, an engine that ends is gone."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an engine may owe something, microseconds."""

    start_us: int = 20_000_000
    """To load: a network of 40 MB from a slow SD card takes some seconds."""
    ready_us: int = 5_000_000
    """To do what it was told before a search: to clear its memory takes a slow board a second."""
    grace_us: int = 3_000_000
    """Beyond the time it was given to think: a machine under load is slow."""
    stop_us: int = 3_000_000
    """To answer ``stop``."""


MOST_LINES, MOST_BYTES = 50_000, 64_000_000
"""That an engine may say before it does what it owes; an hour of thinking is a tenth of this."""


@dataclass(frozen=True, slots=True)
class Search:
    """What an engine is to think about."""

    game: SetPosition
    go: Go
    time_us: int
    """How long it may take for it; the patience comes on top."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options that it needs, by name; those that the engine does not offer are left out."""


@dataclass(frozen=True, slots=True)
class Send:
    """A line for the engine."""

    line: str


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search."""

    search: Search
    best: BestMove
    lines: tuple[Info, ...]
    """The last of each principal variation that had a score, the best first."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The engine is given up, its process has to go; ``text``: what it did, for a person."""

    text: str


Effect: TypeAlias = Send | Found | Failed


class Conversation:
    """All that is known of an engine that runs. Times are microseconds that never run backwards."""

    def __init__(
        self,
        name: str,
        options: Mapping[str, str] | None = None,
        patience: Patience | None = None,
    ) -> None:
        """``name``: what it is called until it says so; ``options``: set once, at the start."""
        self.name = name
        self.state: State = "starting"
        self.deadline_us: int | None = None
        """When ``wait`` is due; None: the engine owes nothing."""
        self.offered: dict[str, Option] = {}
        """The options that it has announced, by their names in small letters."""
        self.nonsense: Nonsense | None = None
        """The last line that could not be read."""
        self._standing = dict(options or {})
        self._patience = patience or Patience()
        self._set: dict[str, str] = {}
        self._wanted: Search | None = None
        """What is asked for, until its answer has come."""
        self._prepared: Search | None = None
        self._game: SetPosition | None = None
        self._lines: dict[int, Info] = {}
        self._heard_lines = self._heard_bytes = 0

    # --- what we want

    def begin(self, t_us: int) -> list[Effect]:
        """The process runs: greet it."""
        self._enter("starting", t_us)
        return [_send(UCI)]

    def search(self, t_us: int, search: Search) -> list[Effect]:
        """Let it think about this, and no longer about anything else."""
        stopping = self.stop(t_us)
        self._wanted = search
        return [*stopping, *self._go_on(t_us)]

    def stop(self, t_us: int) -> list[Effect]:
        """What it thinks about is no longer wanted; its move for it will be thrown away."""
        self._wanted = None
        was_called = self.state == "called"
        if not self._step("stop", t_us):
            return []
        return [] if was_called else [_send(STOP)]

    def quit(self) -> list[Effect]:
        """Say good-bye; nothing is answered after it."""
        said = [_send(STOP)] if self.state in ("thinking", "stopping") else []
        self._give_up()
        return [*said, _send(QUIT)]

    # --- what happens

    def hear(self, t_us: int, line: str | Overlong) -> list[Effect]:
        """The engine has said a line."""
        if self.state == "gone":
            return []
        if isinstance(line, Overlong):
            self.nonsense = Nonsense(line.beginning, "the line is too long")
            return []
        self._heard_lines += 1
        if self._heard_lines > MOST_LINES:
            return self._fail("talks without end")
        return self._take_in(t_us, parse_reply(line))

    def _take_in(self, t_us: int, reply: Reply) -> list[Effect]:
        match reply:
            case Identity(field="name", text=name) if name:
                self.name = _shown(name)
            case Option() as option if self.state == "starting":
                self.offered[option.name.lower()] = option
            case Info() as info if self.state in ("thinking", "called"):
                self._note(info)
            case UciOk() if self._step("uciok", t_us):
                return [*self._set_options(self._standing), _send(IS_READY)]
            case ReadyOk() if self._step("readyok", t_us):
                return self._go_on(t_us)
            case BestMove() as best:
                return self._take(t_us, best)
            case Nonsense() as nonsense:
                self.nonsense = nonsense
                if nonsense.text.startswith("bestmove"):
                    return self._take_unreadable(t_us, nonsense)
            case _:
                pass  # out of its turn, or nothing to us
        return []

    def count(self, size: int) -> list[Effect]:
        """So many bytes have come from the engine, whatever they are."""
        self._heard_bytes += size
        is_over = self._heard_bytes > MOST_BYTES and self.state != "gone"
        return self._fail("talks without end") if is_over else []

    def wait(self, t_us: int) -> list[Effect]:
        """Time has passed."""
        if self.deadline_us is None or t_us < self.deadline_us:
            return []
        before = self.state
        self._step("overdue", t_us)
        return [_send(STOP)] if self.state == "called" else self._fail(_OVERDUE[before])

    def ended(self, why: str = "") -> list[Effect]:
        """The process has ended, or closed its output; ``why``: what it said last, if anything."""
        if self.state == "gone":
            return []
        return self._fail("has ended" + (f", saying {quoted(why)}" if why else ""))

    def condemn(self, text: str) -> list[Effect]:
        """Give it up for what it answered; ``text`` completes a sentence about it."""
        return self._fail(text)

    # --- how it is done

    def _step(self, sign: Sign, t_us: int) -> bool:
        """Take a step of the table; False: there is none, and nothing has changed."""
        after = TABLE.get((self.state, sign))
        if after is None:
            return False
        self._enter(after, t_us)
        return True

    def _enter(self, state: State, t_us: int) -> None:
        self.state = state
        patience = self._patience
        think_us = self._prepared.time_us if self._prepared else 0
        owed: dict[State, int] = {
            "starting": patience.start_us,
            "preparing": patience.ready_us,
            "thinking": think_us + patience.grace_us,
            "called": patience.stop_us,
            "stopping": patience.stop_us,
        }
        self.deadline_us = t_us + owed[state] if state in owed else None
        self._heard_lines = self._heard_bytes = 0

    def _go_on(self, t_us: int) -> list[Effect]:
        """With what is wanted, if the engine is free for it.

        Between an old answer and a new question always stands an ``isready`` that is answered: a
        second ``bestmove`` of an earlier search, which some engines send, comes before that.
        """
        wanted = self._wanted
        if wanted is None or self.state != "ready":
            return []
        if self._prepared is not wanted:
            self._prepared = wanted
            self._step("prepare", t_us)
            is_new = self._game is None or not _goes_on(wanted.game, self._game)
            self._game = wanted.game
            said = [_send(NEW_GAME)] if is_new else []
            return [*said, *self._set_options(wanted.options), _send(IS_READY)]
        self._lines = {}
        self._step("go", t_us)
        return [_send(wanted.game), _send(wanted.go)]

    def _set_options(self, wanted: Mapping[str, str]) -> list[Effect]:
        said: list[Effect] = []
        for name, value in wanted.items():
            option = self.offered.get(name.lower())
            fitting = option.fitting(value) if option else None
            if option is None or fitting is None or self._set.get(option.name) == fitting:
                continue
            self._set[option.name] = fitting
            said.append(_send(SetOption(option.name, fitting or None)))
        return said

    def _note(self, info: Info) -> None:
        is_exact = info.score is not None and not info.score.bound
        if is_exact and info.pv:
            self._lines[info.multipv or 1] = info

    def _take(self, t_us: int, best: BestMove) -> list[Effect]:
        counts = self.state in ("thinking", "called")
        if not self._step("bestmove", t_us):
            return []
        self._prepared = None  # what is asked next, be it the same again, is prepared again
        search = self._wanted
        if not counts or search is None:
            return self._go_on(t_us)
        self._wanted = None
        lines = tuple(self._lines[number] for number in sorted(self._lines))
        return [Found(search, best, lines)]

    def _take_unreadable(self, t_us: int, nonsense: Nonsense) -> list[Effect]:
        if self.state in ("thinking", "called"):
            return self._fail(f"says {quoted(nonsense.text)}, which is not a move")
        return self._take(t_us, BestMove(None))

    def _fail(self, text: str) -> list[Effect]:
        name, said = self.name, ""
        if self.state == "starting" or not self.offered:
            said = f"; it said {quoted(self.nonsense.text)}" if self.nonsense else ""
        self._give_up()
        return [Failed(f"{name} {text}{said}")]

    def _give_up(self) -> None:
        self.state, self.deadline_us, self._wanted = "gone", None, None


_OVERDUE: Mapping[State, str] = {
    "starting": "does not start as a UCI engine",
    "preparing": "does not get ready",
    "called": "has not moved in time",
    "stopping": "does not stop thinking",
}


LONGEST_NAME = 60


def _shown(name: str) -> str:
    """A name as it may stand in a sentence."""
    return "".join(letter for letter in name if letter.isprintable())[:LONGEST_NAME]


def _send(command: Command) -> Send:
    return Send(format_command(command))


def _goes_on(game: SetPosition, earlier: SetPosition) -> bool:
    """Whether this is the same game as before, further on or with plies taken back."""
    is_beginning = len(game.moves) < 2 or not earlier.moves
    return game.start == earlier.start and not is_beginning and game.moves[0] == earlier.moves[0]
