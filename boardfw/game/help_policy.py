"""The help policy: who is helped now, how often help was of use, and when to offer a level less.

A player who has hardly used the help for some games is offered a lower level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from boardfw.game.coach import Coach, CoachQuestion
from boardfw.game.events import Action, CoachAsked, CoachRests, Doubted, HelpOffered, Notified
from boardfw.game.help import ALIKE, COACH, DWELL_US, GUARD, Doubt, Help, Helps, doubt
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.session import Session
from boardfw.game.view import View
from boardfw.rules import BLACK, WHITE, Color, Move
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.move import alike, common
from boardfw.squares import Square

GAMES = 5
"""With hardly any help in this many games in a row, a lower level is offered."""
MOVES_PER_USE = 10
"""One use in this many moves is hardly any."""
LEAST_MOVES = 10
"""A game in which a player moved less often does not count."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game of one player, and how often the help was of use."""

    level: int
    moves: int
    uses: int

    @property
    def counts(self) -> bool:
        """Whether the game is long enough to tell anything."""
        return self.moves >= LEAST_MOVES

    @property
    def was_alone(self) -> bool:
        """Whether the player needed hardly any help."""
        return self.uses * MOVES_PER_USE <= self.moves


def offered(games: Sequence[Played], help_: Help) -> int | None:
    """The level to offer after these games, the newest last; None for no change."""
    latest = [game for game in games if game.counts][-GAMES:]
    if help_.is_locked or not help_.level or len(latest) < GAMES:
        return None
    alone = all(game.level == help_.level and game.was_alone for game in latest)
    return help_.level - 1 if alone else None


class HelpPolicy:
    """Watches one session; ``helps`` is the help at its beginning, and is kept up to date."""

    def __init__(self, helps: Helps = ALIKE) -> None:
        self.helps = helps
        self.games: tuple[list[Played], list[Played]] = ([], [])
        """The games of each colour, the oldest first. They are not stored beyond a run."""
        self.doubt: Doubt | None = None
        """What the board asks about the last ply; None if nothing."""
        self.coach = Coach()
        self.is_rated = False
        """Whether the games are rated: then nobody is coached."""
        self._record: Record | None = None
        self._first: Color = WHITE
        """The side that moved first in that game."""
        self._moves: tuple[Move, ...] = ()
        self._until_us = 0
        self._is_counted = False
        self.uses = [0, 0]
        self._helped: set[Square] = set()
        self._looked: set[Square] = set()

    def help_with(self, color: Color, square: Square) -> Help:
        """The help for a player who holds the piece of a square."""
        given = self.helps[color]
        is_spent = 0 < given.budget <= len(self._helped - {square})
        return Help(level=0) if is_spent else given

    def choose(self, color: Color, level: int) -> str:
        """Set a player's level from now on; the reason why not, or empty."""
        if self.helps[color].is_locked:
            name = COLOR_NAMES[color].lower()
            return f"the level of {name} is locked: see 'help.{name}.locked' in the configuration"
        white, black = self.helps
        chosen = replace(self.helps[color], level=level)
        self.helps = (white, chosen) if color else (chosen, black)
        return ""

    def lock(self) -> None:
        """Lock both levels for good; nothing is offered."""
        white, black = (replace(given, is_locked=True) for given in self.helps)
        self.helps = white, black

    # --- after every event

    def follow(self, session: Session) -> list[Action]:
        """Take in what was played; return what is to be said about it."""
        record = session.record
        said: list[Action] = []
        if record is not self._record:
            self._begin(record)
        elif not alike(record.moves, self._moves):
            self._begin_turn(record.moves)
            said = self._warn(session)
        self._wait(session)
        return said + self._conclude(session.t_us, record)

    def note(self, view: View) -> None:
        """Remember what was shown."""
        is_helped = view.destinations or (view.reason is not None and not view.extra)
        if view.in_hand is not None and is_helped:
            self._helped.add(view.in_hand)
        if view.looked_at is not None:
            self._looked.add(view.looked_at)

    # --- the coach

    def consult(self, t_us: int, session: Session, view: View) -> list[Action]:
        """Let the coach ask what it has to know of what is going on now."""
        coach, before = self.coach, self.coach.asked
        if self._is_coached(session, view):
            hints = self.helps[view.position.turn].hints
            coach.ask(_question(session, view), hints)
        else:
            coach.rest()
        asked = coach.asked
        if asked == before:
            return []
        if asked is None:
            return [CoachRests(t_us)]
        return [CoachAsked(t_us, len(asked.moves), asked.square)]

    def want_hint(self, t_us: int, session: Session, view: View) -> list[Action]:
        """The button for a hint was pressed; why there is none, if so."""
        given = self.helps[view.position.turn]
        if not self._is_coached(session, view):
            why = "rated games have no hints" if self.is_rated else "hints come with help level 4"
            return [Notified(t_us, why)]
        if given.hints and not self.coach.left(view.position.turn, given.hints):
            return [Notified(t_us, "no hints are left in this game")]
        self.coach.want_hint(_question(session, view))
        return []

    def _is_coached(self, session: Session, view: View) -> bool:
        """Whether the player to move has a coach, and a move to make."""
        turn, game = view.position.turn, session.game
        is_played = view.phase is GamePhase.PLAY and view.outcome is None
        is_free = is_played and session.away.side.color != turn and not self.is_rated
        return is_free and self.helps[turn].level >= COACH and game.moves == session.record.moves

    def deadline_us(self, t_us: int) -> int | None:
        """When a doubtful ply is taken as meant."""
        return self._until_us if self.doubt and t_us < self._until_us else None

    # --- turn by turn

    def _begin(self, record: Record) -> None:
        self._record, self._moves, self._first = record, record.moves, record.start.turn
        self.uses, self._is_counted = [0, 0], record.outcome is not None
        self.coach.begin()
        self._forget_turn()

    def _begin_turn(self, moves: tuple[Move, ...]) -> None:
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

    # --- the warning

    def _warn(self, session: Session) -> list[Action]:
        game, record = session.game, session.record
        plies = len(record.moves)
        if game.moves != record.moves or game.parent is None or plies - 1 in record.illegal:
            return []
        if record.outcome is not None or self.helps[game.parent.position.turn].level < GUARD:
            return []
        move = game.moves[-1]
        self.doubt = doubt(game.parent.position, move)
        if self.doubt is None:
            return []
        self._until_us = session.t_us + DWELL_US
        return [Doubted(session.t_us, plies, move.uci(), self.doubt.text)]

    def _wait(self, session: Session) -> None:
        """Drop the doubt if the ply stands, or if an enemy piece was lifted: it was meant."""
        if self.doubt is None:
            return
        game = session.game
        away = game.position.occupied & ~game.orientation.squares(session.standing)
        is_answered = bool(away & game.position.pieces(game.position.turn))
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
        games.clear()  # a player who keeps the level is asked again after as many games
        return [HelpOffered(t_us, COLOR_NAMES[color].lower(), level)]


def _question(session: Session, view: View) -> CoachQuestion:
    """What is to be known of the position, and of the piece in the hand if it may go anywhere."""
    game, square = session.record, view.in_hand if view.destinations else None
    return CoachQuestion(game.start, game.moves, square)
