"""The prompter: who is helped now and how often help was of use, turn by turn and game by game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from boardfw.game.events import Action, Doubted, HelpOffered
from boardfw.game.record import Record
from boardfw.game.session import Session
from boardfw.game.view import View
from boardfw.rules import BLACK, KING, WHITE, Color, Move, Position
from boardfw.rules.board import COLOR_NAMES, KIND_NAMES, SIDE
from boardfw.rules.move import alike, common
from boardfw.rules.outcome import mates
from boardfw.rules.reasons import Reason, why_none
from boardfw.rules.static_exchange import contact, contacts, exchange, needless_loss
from boardfw.squares import NAMES, Occupancy, Square, occupancy_of

# FROM help.py: How much help each player is given: levels, what each of them shows, and when.

LEVELS = range(4)
LEGAL, EYES, GUARD = 1, 2, 3
"""What a level adds: where a man may go and why not; what hangs; a warning after the ply."""

CONTACT_US = 1_500_000
"""Who holds a man for so long asks who attacks and who guards him."""
HANGING_US = 2_000_000
"""Who holds his king for so long asks which of his men hang."""


@dataclass(frozen=True, slots=True)
class Help:
    """What one player is helped with."""

    level: int = LEGAL
    """0 nothing but repairs, 1 the rules, 2 eyes, 3 guard."""
    delay_us: int = 0
    """A man must be in the hand for so long."""
    budget: int = 0
    """So many men a turn are helped with; 0: all."""
    is_locked: bool = False
    """Nobody may change the level while the board runs."""


Helps: TypeAlias = tuple[Help, Help]
"""By colour."""
ALIKE: Helps = (Help(), Help())


def with_level(helps: Helps, color: Color, level: int) -> Helps:
    """The same, this colour at another level."""
    white, black = helps
    old = helps[color]
    new = Help(level, old.delay_us, old.budget, old.is_locked)
    return (white, new) if color else (new, black)


# FROM doubt.py: A ply that may have been a slip: what it lets the enemy do, and for how long the board asks.

DWELL_US = 2_000_000
"""A doubtful ply that stands for so long is meant."""


class Doubt(NamedTuple):
    """``reply``: what the enemy may do after ``move``, in the position ``after`` it."""

    move: Move
    after: Position
    reply: Move
    is_mate: bool = False

    @property
    def text(self) -> str:
        """``really? the queen on h5 can be taken: take it back, or let it stand``."""
        return f"really? {self._what()}: take it back, or let it stand"

    def _what(self) -> str:
        if self.is_mate:
            return "it allows mate in one"
        victim = None if self.reply.victim is None else self.after.piece_at(self.reply.victim)
        if victim is None or self.reply.victim is None:
            return f"the pawn on {NAMES[self.reply.origin]} gets through"
        return f"the {KIND_NAMES[victim.kind]} on {NAMES[self.reply.victim]} can be taken"


@lru_cache(maxsize=2)
def doubt(position: Position, move: Move) -> Doubt | None:
    """What speaks against a move, if another one would have been spared it."""
    after = position.play_unchecked(move)
    mating = mates(after)
    others = (other for other in position.legal_moves() if other is not move)
    if mating and any(not mates(position.play_unchecked(other)) for other in others):
        return Doubt(move, after, mating[0], is_mate=True)
    reply = needless_loss(position, move).reply
    return None if reply is None else Doubt(move, after, reply)


# FROM eyes.py: What a trained eye sees on the board: who is attacked, who is guarded, who would be lost.

REMEMBERED = 16
"""A man in a hand is looked at many times in between."""


class Seen(NamedTuple):
    """Who looks at a man."""

    attackers: Occupancy = 0
    guards: Occupancy = 0


@lru_cache(maxsize=REMEMBERED)
def dangers(position: Position, origin: Square) -> Occupancy:
    """Legal targets of a man on which he would be lost, wholly or in part."""
    moves = (move for move in position.legal_moves() if move.origin == origin)
    return occupancy_of(move.target for move in moves if exchange(position, move) < 0)


@lru_cache(maxsize=REMEMBERED)
def seen(position: Position, square: Square) -> Seen:
    """Who attacks and who guards the man of a square; of a king, whom all guard, nothing."""
    if position.placement[KING] >> square & 1:
        return Seen()
    found, _ = contact(position, square)
    return Seen(found.attackers, found.guards)


@lru_cache(maxsize=REMEMBERED)
def hanging(position: Position, color: Color) -> Occupancy:
    """The men of a colour that would be lost, wholly or in part, if the enemy might take now."""
    own = position.placement[SIDE[color]]
    found = (square for square, looks in contacts(position).items() if looks.loss > 0)
    return occupancy_of(found) & own


@lru_cache(maxsize=REMEMBERED)
def held_fast(position: Position, origin: Square) -> Reason | None:
    """Why a man of the side to move has no legal move; None: he has one."""
    return why_none(position, origin)


# FROM fading.py: Help that fades: who has hardly used it for some games is offered a level less.

GAMES = 5
"""So many games in a row with hardly any help are no accident."""
MOVES_PER_USE = 10
"""One use in so many moves is hardly any."""
LEAST_MOVES = 10
"""A game in which a player moved less often says nothing."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game of one player, and how often its help was of use to him."""

    level: int
    moves: int
    uses: int

    @property
    def counts(self) -> bool:
        """Whether it says anything."""
        return self.moves >= LEAST_MOVES

    @property
    def was_alone(self) -> bool:
        """Whether the player did nearly without."""
        return self.uses * MOVES_PER_USE <= self.moves


def offered(games: Sequence[Played], help_: Help) -> int | None:
    """The level to offer after these games, the newest last; None: stay where you are."""
    latest = [game for game in games if game.counts][-GAMES:]
    if help_.is_locked or not help_.level or len(latest) < GAMES:
        return None
    alone = all(game.level == help_.level and game.was_alone for game in latest)
    return help_.level - 1 if alone else None


class Prompter:
    """Watches one session; ``helps`` are what it begins with, and stand as they are now."""

    def __init__(self, helps: Helps = ALIKE) -> None:
        self.helps = helps
        self.games: tuple[list[Played], list[Played]] = ([], [])
        """What each colour's games were like, the oldest first. Nobody keeps them beyond a run."""
        self.doubt: Doubt | None = None
        """What the board asks about the last ply; None: nothing."""
        self._record: Record | None = None
        self._first: Color = WHITE
        """Who began that game."""
        self._moves: tuple[Move, ...] = ()
        self._until_us = 0
        self._is_counted = False
        self.uses = [0, 0]
        self._helped: set[Square] = set()
        self._looked: set[Square] = set()

    def help_with(self, color: Color, square: Square) -> Help:
        """What a player is helped with who holds the man of a square."""
        given = self.helps[color]
        is_spent = 0 < given.budget <= len(self._helped - {square})
        return Help(level=0) if is_spent else given

    def choose(self, color: Color, level: int) -> str:
        """Let a player have this level from now on; why not, or empty."""
        if self.helps[color].is_locked:
            name = COLOR_NAMES[color].lower()
            return f"the level of {name} is locked: see 'help.{name}.locked' in the configuration"
        self.helps = with_level(self.helps, color, level)
        return ""

    def lock(self) -> None:
        """Let both levels be as they are for good; nothing is offered."""
        white, black = (replace(given, is_locked=True) for given in self.helps)
        self.helps = white, black

    # --- after every event

    def follow(self, session: Session) -> list[Action]:
        """See what was played; what is to be said about it."""
        record = session.record
        said: list[Action] = []
        if record is not self._record:
            self._begin(record)
        elif not alike(record.moves, self._moves):
            self._turn(record.moves)
            said = self._guard(session)
        self._wait(session)
        return said + self._conclude(session.t_us, record)

    def note(self, view: View) -> None:
        """Remember what was shown."""
        is_helped = view.destinations or (view.reason is not None and not view.extra)
        if view.in_hand is not None and is_helped:
            self._helped.add(view.in_hand)
        if view.looked_at is not None:
            self._looked.add(view.looked_at)

    def deadline_us(self, t_us: int) -> int | None:
        """When a doubtful ply is taken as meant."""
        return self._until_us if self.doubt and t_us < self._until_us else None

    # --- turn by turn

    def _begin(self, record: Record) -> None:
        self._record, self._moves, self._first = record, record.moves, record.start.turn
        self.uses, self._is_counted = [0, 0], record.outcome is not None
        self._forget_turn()

    def _turn(self, moves: tuple[Move, ...]) -> None:
        """Another ply was played, or one was taken back."""
        before, self._moves = self._moves, moves
        if common(before, moves) < len(before):
            if self.doubt is not None:  # the warning was heeded
                self.uses[self._mover(len(before) - 1)] += 1
        else:
            lifted = {origin for origin, _ in moves[len(before)].steps()}
            helped = (self._helped - lifted) | self._looked
            self.uses[self._mover(len(before))] += len(helped)
        self._forget_turn()

    def _mover(self, ply: int) -> Color:
        return self._first ^ ply & 1

    def _forget_turn(self) -> None:
        self._helped, self._looked, self.doubt = set(), set(), None

    # --- the guard

    def _guard(self, session: Session) -> list[Action]:
        line, record = session.line, session.record
        plies = len(record.moves)
        if line.moves != record.moves or line.parent is None or plies - 1 in record.illegal:
            return []
        if record.outcome is not None or self.helps[line.parent.position.turn].level < GUARD:
            return []
        move = line.moves[-1]
        self.doubt = doubt(line.parent.position, move)
        if self.doubt is None:
            return []
        self._until_us = session.t_us + DWELL_US
        return [Doubted(session.t_us, plies, move.uci(), self.doubt.text)]

    def _wait(self, session: Session) -> None:
        """The ply stands, or a man of the enemy was lifted: it was meant."""
        if self.doubt is None:
            return
        line = session.line
        away = line.position.occupied & ~line.switches(session.trace.now)
        is_answered = bool(away & line.position.men(line.position.turn))
        is_in_hand = bool(away >> self.doubt.move.target & 1)
        if is_answered or (session.t_us >= self._until_us and not is_in_hand):
            self.doubt = None

    # --- game by game

    def _conclude(self, t_us: int, record: Record) -> list[Action]:
        if record.outcome is None or self._is_counted:
            return []
        self._is_counted = True
        return [said for color in (WHITE, BLACK) for said in self._count(t_us, record, color)]

    def _count(self, t_us: int, record: Record, color: Color) -> list[Action]:
        given, games = self.helps[color], self.games[color]
        moves = sum(self._mover(ply) == color for ply in range(len(record.moves)))
        games.append(Played(given.level, moves, self.uses[color]))
        level = offered(games, given)
        if level is None:
            return []
        games.clear()  # who stays where he is, is asked again when as many games have gone by
        return [HelpOffered(t_us, COLOR_NAMES[color].lower(), level)]
