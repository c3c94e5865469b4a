"""The opponent that is not at the board: when it is asked, what it answered, and what it is owed.

It is told final plies only. Its move is owed until the hands have made it on the board: until then
no other move of its side is legal, so whatever else is done with its pieces is a mismatch.
"""

from __future__ import annotations

from boardfw.game.course import Course
from boardfw.game.ending import automatic_end
from boardfw.game.events import Action, Consulted, Notified, Offered, Owed, Released
from boardfw.game.opponent import (
    AcceptsDraw,
    Answer,
    Chosen,
    Gone,
    Plays,
    RefusesDraw,
    Replied,
    Resigns,
    Situation,
    Stumbles,
    Times,
)
from boardfw.game.phase import Playing
from boardfw.inference import AwaySide
from boardfw.notation.san import format_san
from boardfw.rules import Color, Move
from boardfw.rules.move import alike, common
from boardfw.rules.outcome import agreed, resigned


class Away:
    """One side of a game, played by an opponent that is not at the board."""

    def __init__(self, chosen: Chosen | None = None, replied: Replied | None = None) -> None:
        """``chosen``, ``replied``: of the game that goes on; None if there is no such thing."""
        self.chosen = chosen
        """Who plays it; None while both players are at the board."""
        self._next = chosen
        """Who plays the next game, None as above."""
        self.can_be_chosen = False
        """Whether there is a seat for an opponent at all."""
        self.side = AwaySide(chosen.color if chosen else None)
        """Which side that is, and the moves that it has made."""
        self._asked: Situation | None = None
        """What it has been asked and has not answered; None if nothing."""
        self._told: tuple[Move, ...] = ()
        """The plies of which it knows."""
        self._is_offered = False
        """Whether the player has offered a draw that is not answered."""
        self._offers: tuple[Move, ...] | None = None
        """The game in which the opponent offers a draw; None if it does not."""
        self._is_taken_up = replied is not None
        """Whether it is still to be said which move it owes since before the game was cut off."""
        if replied is not None:
            self.side.game = self._told = replied.game
            self._offers = replied.game if replied.offers_draw else None

    @property
    def replied(self) -> Replied | None:
        """Its last move in this game; None if it has made none."""
        game = self.side.game
        return Replied(game, offers_draw=self._offers is game) if game else None

    def then(self, chosen: Chosen | None) -> None:
        """Let this opponent play from the next game on; None as of ``seat``."""
        self._next = chosen

    def begin(self) -> None:
        """Another game begins, of which it has not been told."""
        self.seat(self._next)
        self.side.game = self._told = ()
        self._is_offered, self._offers, self._is_taken_up = False, None, False

    def seat(self, chosen: Chosen | None) -> None:
        """Let this opponent play from now on; None: nobody who is not at the board."""
        if chosen != self.chosen:
            self._asked = None  # it was somebody else
        self.chosen = self._next = chosen
        self.side.color = chosen.color if chosen else None

    def owed(self, course: Course) -> Move | None:
        """The move that it has made and the hands have not; None if there is none."""
        game = course.game
        if not isinstance(course.phase, Playing) or game.position.turn != self.side.color:
            return None
        return next(iter(self.side.moves_after(game.moves)), None)

    # --- what it is told

    def follow(self, t_us: int, course: Course) -> list[Action]:
        """Ask it, or let it off, as the game stands now."""
        owed = self.owed(course)
        if course.time:
            ply = None if owed is None else len(course.game.moves)
            course.time.wait_for_hands(t_us, ply)
        if owed is not None and self._is_taken_up:
            self._is_taken_up = False
            position = course.game.position
            return [Owed(t_us, len(self.side.game), owed.uci(), format_san(position, owed))]
        wanted = self._wanted(t_us, course)
        if wanted is None:
            if self._asked is None:
                return []
            self._asked = None
            return [Released(t_us)]
        asked = self._asked
        if asked and asked.is_same_turn(wanted) and asked.draw_offered == wanted.draw_offered:
            return []
        self._asked, self._told = wanted, wanted.moves
        return [Consulted(t_us, wanted)]

    def _wanted(self, t_us: int, course: Course) -> Situation | None:
        """What it is to be asked now; None if nothing."""
        color, record = self.side.color, course.record
        if color is None or not isinstance(course.phase, Playing):
            return None
        is_its_turn = (record.start.turn ^ len(record.moves) & 1) == color
        if not is_its_turn and not self._is_offered:
            return None
        if not course.is_certain or self.side.moves_after(record.moves):
            # What is asked already goes on while the last ply is only touched.
            return self._asked if self._asked and self._asked.moves == record.moves else None
        if automatic_end(course.game) is not None:
            return None  # which is told once the board has been at rest
        return Situation(
            record.start,
            record.moves,
            color,
            Times.of(course.clock, t_us) if course.clock else None,
            draw_offered=self._is_offered,
            taken_back=len(self._told) - common(self._told, record.moves),
        )

    def offer_draw(self, t_us: int, course: Course) -> list[Action]:
        """The player offers a draw, or accepts the one that is offered."""
        if self._offers is not None and alike(self._offers, course.record.moves):
            return course.decide(t_us, agreed())
        self._is_offered = True
        return [Offered(t_us)]

    # --- what it answers

    def hear(self, t_us: int, answer: Answer, course: Course) -> list[Action]:
        """Take an answer; one to what is asked no longer is none."""
        asked = self._asked
        if isinstance(answer, Stumbles | Gone):
            return [Notified(t_us, answer.text)]
        if answer.to is not None and not (asked and asked.is_same_turn(answer.to)):
            return []
        if isinstance(answer, Plays):
            return [] if asked is None else self._play(t_us, answer, asked, course)
        self._asked = None
        if isinstance(answer, Resigns):
            return course.decide(t_us, resigned(self._color, course.game.position))
        was_offered, self._is_offered = self._is_offered, False
        if isinstance(answer, AcceptsDraw) and was_offered:
            return course.decide(t_us, agreed())
        refused = was_offered and isinstance(answer, RefusesDraw)
        return [Notified(t_us, "the opponent does not want a draw")] if refused else []

    @property
    def _color(self) -> Color:
        if self.side.color is None:
            raise ValueError("both players are at the board")
        return self.side.color

    def _play(self, t_us: int, answer: Plays, asked: Situation, course: Course) -> list[Action]:
        move, position = answer.move, asked.position
        if move not in position.legal_moves():
            return [Notified(t_us, f"the opponent's {move.uci()} is not legal: it is asked again")]
        self._asked, self._is_offered, self._is_taken_up = None, False, False
        self.side.game = self._told = (*asked.moves, move)
        said: list[Action] = [
            Owed(t_us, len(self.side.game), move.uci(), format_san(position, move))
        ]
        if answer.offers_draw:
            self._offers = self.side.game
            said.append(Notified(t_us, "the opponent offers a draw"))
        course.reader.try_again()
        return said + course.follow(t_us)
