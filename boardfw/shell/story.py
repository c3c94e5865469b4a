"""The story of each ply of a recorded game: what the switches did, what it was taken for, and
which other games were considered at that moment.

The trace is played through the same session as a live board; whenever it says a ply, the
tracker is asked for its reasons before anything else happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Finalised,
    Mismatched,
    Moved,
    NewGame,
    TakenBack,
)
from boardfw.game.record import common
from boardfw.inference.account import Term, account, chain_of, less, step_of, total, worth
from boardfw.inference.finding import Reason
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.notation.san import numbered_san
from boardfw.recording import Button, Recording, Scan
from boardfw.rules import Position
from boardfw.rules.board import KIND_NAMES
from boardfw.sensing.debounce import Blip, Debounce, Edge
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.squares import NAMES, Square, names_of

COUNTED = {
    Reason.LEFT: "leaves",
    Reason.ARRIVED: "arrives",
    Reason.EMPTIED: "is taken off",
    Reason.REMOVED: "is taken off",
    Reason.RESTORED: "comes back",
    Reason.CAME_LATE: "follows",
}
"""What the edges mean that a ply counts."""
VICTIMS = frozenset({Reason.EMPTIED, Reason.REMOVED, Reason.RESTORED})
RIVALS = 3
"""Rival games told of a ply; those further behind would bore."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What a switch did; ``meaning`` is empty where the ply has no use for it."""

    t_us: int
    square: str
    did: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Rival:
    """A game that was considered too: where it parts from the one believed, and why it lost."""

    moves: str
    uci: tuple[str, ...]
    behind: float
    why: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that the board said about a ply."""

    t_us: int
    event: str
    text: str


@dataclass(slots=True)
class PlyStory:
    """One ply of one game; ``name`` is its SAN with the move number."""

    game: int
    ply: int
    name: str
    san: str
    uci: str
    t_us: int
    """When it was said to be this move."""
    left_us: int
    """When the first man left: zero of the story."""
    touches: tuple[Touch, ...] = ()
    terms: tuple[Term, ...] = ()
    rivals: tuple[Rival, ...] = ()
    said: list[Said] = field(default_factory=list)

    @property
    def points(self) -> float:
        """What the trace says for this ply, in settled edges."""
        return total(self.terms)


def tell(recording: Recording, settings: Settings) -> list[PlyStory]:
    """The stories of all plies that stand in the end, game by game."""
    return _Teller(recording, settings).tell()


class _Teller:
    """Hears what a replayed session says and notes why."""

    def __init__(self, recording: Recording, settings: Settings) -> None:
        self._replay = Replay(recording, settings, hear=self._hear)
        self._settle_us = settings.settle.square_us
        self._known = list(_known(recording, self._settle_us))
        self._told: list[PlyStory] = []
        self._game: list[PlyStory] = []
        self._games = 1
        self._said: dict[int, list[Said]] = {}

    def tell(self) -> list[PlyStory]:
        self._replay.play()
        self._close_game()
        return self._told

    def _hear(self, said: list[Action]) -> None:
        for action in said:
            self._note_action(action)

    def _note_action(self, action: Action) -> None:
        match action:
            case Moved() | Amended():
                self._heard_ply(action)
            case Finalised(t_us=t_us, ply=ply, uci=uci):
                self._note(ply, Said(t_us, "final", f"final: {uci}"))
            case TakenBack(t_us=t_us, plies=plies):
                self._taken_back(t_us, plies)
            case Asked(t_us=t_us, candidates=candidates):
                text = f"asked: {' or '.join(candidates)}"
                self._note(len(self._game), Said(t_us, "ask", text))
            case Mismatched(t_us=t_us, missing=missing, extra=extra):
                text = f"wrong: missing {_list(missing)}, too many {_list(extra)}"
                self._note(len(self._game) + 1, Said(t_us, "mismatch", text))
            case NewGame():
                self._close_game()

    def _heard_ply(self, action: Moved | Amended) -> None:
        is_new = isinstance(action, Moved)
        doubt = ", provisional" if isinstance(action, Moved) and action.provisional else ""
        verb = "said" if is_new else "amended to"
        text = f"{verb}: {action.san}{doubt}"
        self._note(action.ply, Said(action.t_us, "move" if is_new else "amend", text))
        story = self._story(action)
        self._game[action.ply - 1 : action.ply] = [story]

    def _taken_back(self, t_us: int, plies: int) -> None:
        for story in self._game[len(self._game) - plies :]:
            self._note(story.ply, Said(t_us, "take_back", f"taken back: {story.san}"))
        del self._game[len(self._game) - plies :]

    def _note(self, ply: int, said: Said) -> None:
        self._said.setdefault(ply, []).append(said)

    def _close_game(self) -> None:
        if not self._game:
            return
        for story in self._game:
            story.said = self._said.get(story.ply, [])
        self._told += self._game
        self._games += 1
        self._game, self._said = [], {}

    def _story(self, action: Moved | Amended) -> PlyStory:
        tracker, ply = self._replay.desk.session.tracker, action.ply
        best = tracker.best
        story = PlyStory(
            self._games, ply, action.san, action.san, action.uci, action.t_us, action.t_us
        )
        if len(best.moves) < ply or best.moves[ply - 1].uci() != action.uci:
            return story  # said as the game before ended: its tracker has gone
        before, after, *later = chain_of(best, ply - 1)
        move = after.moves[-1]
        story.name = numbered_san(before.position, (move,))
        story.left_us = after.ledger.left_us
        story.touches = tuple(self._touches(before, after, action.t_us))
        story.terms = tuple(worth(after, later[0] if later else None))
        story.rivals = tuple(islice(self._rivals(tracker, ply), RIVALS))
        return story

    def _touches(self, before: Line, after: Line, t_us: int) -> Iterator[Touch]:
        """What the switches did since the ply before, as far as it was known by then."""
        meanings = _meanings(before, after)
        own = before.touched_by(after.moves[-1])
        for known in self._known:
            if known.t_us + self._settle_us > t_us:
                break
            since_us = min(before.ledger.landed_us + 1, after.ledger.left_us)
            if known.square in own:
                since_us = min(since_us, before.used_us(known.square) + 1)
            if known.t_us >= since_us:
                meaning = meanings.get((known.square, known.t_us), "")
                yield Touch(known.t_us, NAMES[before.switch(known.square)], _did(known), meaning)

    def _rivals(self, tracker: Tracker, ply: int) -> Iterator[Rival]:
        """Other games in which this ply is another one or has not been played."""
        best, seen = tracker.best, set()
        for line in tracker.lines:
            shared = common(line.moves, best.moves)
            same_ply = line.moves[ply - 1 : ply] == best.moves[ply - 1 : ply]
            first = (shared, *line.moves[shared : shared + 1])
            if shared >= ply or same_ply or first in seen:
                continue
            seen.add(first)
            yield self._rival(line, tracker, shared)

    def _rival(self, line: Line, tracker: Tracker, shared: int) -> Rival:
        best = tracker.best
        mine, others = (account(one, tracker, shared) for one in (line, best))
        moves = line.moves[shared:]
        position = _before(best, shared).position
        name = numbered_san(position, moves) if moves else _nothing(best, shared)
        behind = tracker.credit(best) - tracker.credit(line)
        why = less(mine, others)
        return Rival(name, tuple(move.uci() for move in moves), behind, tuple(why))


def _known(recording: Recording, settle_us: int) -> Iterator[Edge | Blip]:
    """Everything that the switches of a recording did, in the order in which it was known."""
    debounce: Debounce | None = None
    for entry in recording.entries:
        if isinstance(entry, Scan) and debounce is None:
            debounce = Debounce(entry.occupancy, settle_us)
        elif isinstance(entry, Scan) and debounce is not None:
            yield from debounce.feed(entry.t_us, entry.occupancy)
        elif debounce is not None and not isinstance(entry, Button):
            yield from debounce.advance(entry.t_us)
    if debounce is not None:
        yield from debounce.advance(recording.end_us + settle_us)


def _did(known: Edge | Blip) -> str:
    level = "closed" if known.closed else "opened"
    if isinstance(known, Edge):
        return level
    return f"{level} for {known.length_us / 1000:.0f} ms"


def _meanings(before: Line, after: Line) -> dict[tuple[Square, int], str]:
    """What the ply makes of the edges that it counts, by switch and instant."""
    move, meanings = after.moves[-1], {}
    men = {square: _man(before.position, step[0]) for step in move.steps() for square in step}
    for finding in after.ledger.found:
        if finding.switch is None or finding.reason not in COUNTED:
            continue
        square = before.switch(finding.switch)
        man = men.get(square, "man")
        if finding.reason in VICTIMS and move.victim is not None:
            man = _man(before.position, move.victim)
        meanings[finding.switch, finding.t_us] = f"the {man} {COUNTED[finding.reason]}"
    return meanings


def _man(position: Position, square: Square) -> str:
    piece = position.piece_at(square)
    return "man" if piece is None else KIND_NAMES[piece.kind]


def _nothing(best: Line, shared: int) -> str:
    """The name of the game in which nothing was played after the plies shared."""
    if not shared:
        return "no move yet"
    last = numbered_san(_before(best, shared - 1).position, best.moves[shared - 1 : shared])
    return f"nothing after {last}"


def _before(line: Line, ply: int) -> Line:
    """The line before its ply with this index."""
    return step_of(line, ply + 1)[0]


def _list(squares: int) -> str:
    return " ".join(names_of(squares)) or "nothing"
