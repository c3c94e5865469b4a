"""The story of each ply of a recorded game: what the switches did, what it was taken for, and
which other games were considered at that moment.

The trace is played through the same session as a live board; whenever it says a ply, the
tracker is asked for its reasons before anything else happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Finalised,
    MismatchCleared,
    Mismatched,
    Moved,
    NewGame,
    Stuck,
    TakenBack,
    Unstuck,
)
from boardfw.game.record import Record
from boardfw.inference.account import Term, account, chain_of, distrust, less, step_of, total, worth
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.notation.san import format_san, numbered_san
from boardfw.recording import Recording
from boardfw.rules.move import common
from boardfw.sensing.debounce import Blip, Edge
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.shell.touches import Touch, did, known_of, touches
from boardfw.squares import NAMES, names_of

CHANGES = 3
"""Changes of switches told as what changed the board's mind; the last ones matter."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that the board said about a ply."""

    t_us: int
    event: str
    text: str


class Remarks:
    """Everything that was said of the plies of one game."""

    def __init__(self) -> None:
        self._of: dict[int, list[Remark]] = {}

    def of(self, ply: int) -> list[Remark]:
        """What was said of a ply, in order."""
        return self._of.get(ply, [])

    def since_us(self, ply: int) -> int:
        """When something was said of a ply last; -1: nothing yet."""
        said = self._of.get(ply)
        return said[-1].t_us if said else -1

    def hear_ply(self, action: Moved | Amended, changed: Iterable[str]) -> None:
        """A ply is this move now; ``changed``: what the switches did since the last word of it."""
        if isinstance(action, Moved):
            doubt = ", provisional" if action.provisional else ""
            self._note(action.ply, Remark(action.t_us, "move", f"said: {action.san}{doubt}"))
            return
        told = ", ".join([*changed][-CHANGES:]) or "nothing else moved"
        self._note(action.ply, Remark(action.t_us, "amend", f"amended to: {action.san}, as {told}"))

    def hear_taken_back(self, t_us: int, ply: int, san: str) -> None:
        """A ply was undone on the board."""
        self._note(ply, Remark(t_us, "take_back", f"taken back: {san}"))

    def hear(self, action: Action, record: Record, sans: list[str]) -> None:
        """Note whatever else is said of a ply; ``sans``: the plies as they were said."""
        t_us, last = action.t_us, len(sans)
        match action:
            case Finalised(ply=ply):
                self._note(ply, Remark(t_us, "final", f"final: {sans[ply - 1]}"))
            case Asked(candidates=candidates):
                ply, names = _question(record, candidates)
                self._note(ply, Remark(t_us, "ask", f"asked: {' or '.join(names)}?"))
            case Mismatched(missing=missing, extra=extra):
                text = f"stands wrong: missing {_list(missing)}, too many {_list(extra)}"
                self._note(last + 1, Remark(t_us, "mismatch", text))
            case MismatchCleared():
                self._note(last + 1, Remark(t_us, "mismatch_cleared", "stands right again"))
            case Stuck(square=square, closed=closed):
                verb = "open" if closed else "close"
                text = f"found out: the switch of {NAMES[square]} does not {verb}"
                self._note(last, Remark(t_us, "stuck", text))
            case Unstuck(square=square):
                text = f"found out: the switch of {NAMES[square]} works"
                self._note(last, Remark(t_us, "unstuck", text))

    def _note(self, ply: int, said: Remark) -> None:
        self._of.setdefault(ply, []).append(said)


def _question(record: Record, candidates: tuple[str, ...]) -> tuple[int, Iterable[str]]:
    """The ply that is asked for, the last one that could be all of these moves, and their SAN."""
    positions = record.positions()
    for ply in range(len(record.moves), 0, -1):
        position = positions[ply - 1]
        legal = {move.uci(): move for move in position.legal_moves()}
        if legal.keys() >= set(candidates):
            return ply, [format_san(position, legal[uci]) for uci in candidates]
    return len(record.moves), candidates


def _list(squares: int) -> str:
    return " ".join(names_of(squares)) or "nothing"


RIVALS = 3
"""Rival games told of a ply; those further behind would bore."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A game that was considered too: where it parts from the one believed, and why it lost."""

    moves: str
    uci: tuple[str, ...]
    behind: float
    why: tuple[Term, ...]


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
    """When the first piece left: zero of the story."""
    touches: tuple[Touch, ...] = ()
    terms: tuple[Term, ...] = ()
    rivals: tuple[Rival, ...] = ()
    said: list[Remark] = field(default_factory=list)

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
        self._known = list(known_of(recording, self._settle_us))
        self._told: list[PlyStory] = []
        self._game: list[PlyStory] = []
        self._games = 1
        self._remarks = Remarks()

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
            case TakenBack(t_us=t_us, plies=plies):
                self._taken_back(t_us, plies)
            case NewGame():
                self._close_game()
            case _:
                sans = [story.san for story in self._game]
                self._remarks.hear(action, self._replay.desk.session.record, sans)

    def _heard_ply(self, action: Moved | Amended) -> None:
        self._remarks.hear_ply(action, self._changes(action))
        story = self._story(action)
        self._game[action.ply - 1 : action.ply] = [story]

    def _taken_back(self, t_us: int, plies: int) -> None:
        for story in self._game[len(self._game) - plies :]:
            self._remarks.hear_taken_back(t_us, story.ply, story.san)
        del self._game[len(self._game) - plies :]

    def _changes(self, action: Moved | Amended) -> Iterator[str]:
        """What the switches did since this ply was last spoken of."""
        hypothesis = self._replay.desk.session.game
        since_us = self._remarks.since_us(action.ply) - self._settle_us
        for known in self._known_by(action.t_us):
            if known.t_us > since_us and isinstance(known, Edge):
                yield f"{NAMES[hypothesis.orientation.square(known.switch)]} {did(known)}"

    def _known_by(self, t_us: int) -> list[Edge | Blip]:
        """What the switches had done, as far as it was known at an instant."""
        return [known for known in self._known if known.t_us + self._settle_us <= t_us]

    def _close_game(self) -> None:
        if not self._game:
            return
        for story in self._game:
            story.said = self._remarks.of(story.ply)
        self._told += self._game
        self._games += 1
        self._game, self._remarks = [], Remarks()

    def _story(self, action: Moved | Amended) -> PlyStory:
        tracker, ply = self._replay.desk.session.course.reader.tracker, action.ply
        best = tracker.best
        story = PlyStory(
            self._games, ply, action.san, action.san, action.uci, action.t_us, action.t_us
        )
        if len(best.moves) < ply or best.moves[ply - 1].uci() != action.uci:
            return story  # said as the game before ended: its tracker has gone
        chain = chain_of(best, ply - 1)
        before, after, *later = chain
        story.name = numbered_san(before.position, after.moves[-1:])
        story.left_us = after.state.left_us
        story.touches = tuple(touches(self._known_by(action.t_us), chain))
        story.terms = (*distrust(before, after), *worth(after, later[0] if later else None))
        story.rivals = tuple(islice(self._rivals(tracker, ply), RIVALS))
        return story

    def _rivals(self, tracker: Tracker, ply: int) -> Iterator[Rival]:
        """Other games in which this ply is another one or has not been played."""
        best, seen = tracker.best, set()
        for hypothesis in tracker.hypotheses:
            shared = common(hypothesis.moves, best.moves)
            same_ply = hypothesis.moves[ply - 1 : ply] == best.moves[ply - 1 : ply]
            first = (shared, *hypothesis.moves[shared : shared + 1])
            if shared >= ply or same_ply or first in seen:
                continue
            seen.add(first)
            yield self._rival(hypothesis, tracker, shared)

    def _rival(self, hypothesis: Hypothesis, tracker: Tracker, shared: int) -> Rival:
        best = tracker.best
        mine, others = (account(one, tracker, shared) for one in (hypothesis, best))
        moves = hypothesis.moves[shared:]
        position = _before(best, shared).position
        name = numbered_san(position, moves) if moves else _nothing(best, shared)
        behind = tracker.score_of(best) - tracker.score_of(hypothesis)
        why = less(mine, others)
        return Rival(name, tuple(move.uci() for move in moves), behind, tuple(why))


def _nothing(best: Hypothesis, shared: int) -> str:
    """The name of the game in which nothing was played after the plies shared."""
    if not shared:
        return "no move yet"
    last = numbered_san(_before(best, shared - 1).position, best.moves[shared - 1 : shared])
    return f"nothing yet after {last}"


def _before(hypothesis: Hypothesis, ply: int) -> Hypothesis:
    """The hypothesis before its ply with this index."""
    return step_of(hypothesis, ply + 1)[0]
