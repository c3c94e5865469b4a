"""Reads one game for the rooms above: changes and time in, an ``Interpretation`` out.

It has the door of ``SwitchReader``, so it can take its place. What was played is read by
``Reader``; here is only what a game at a board needs beside its plies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from boardfw.inference.evidence import REST_US
from boardfw.inference.interpretation import (
    AtRest,
    AwaySide,
    Choosing,
    Interpretation,
    LiftedPiece,
    ReadGame,
    RecordedPlies,
    RivalGame,
)
from boardfw.inference.reading.constants import SETTLE_US
from boardfw.inference.reading.differing import (
    CARRY_US,
    capture_against_the_rules,
    hides_plies,
    is_half_way,
)
from boardfw.inference.reading.either_way import EitherWay
from boardfw.inference.reading.faults import squares_of
from boardfw.inference.reading.hypothesis import CHOICE_US, Hypothesis
from boardfw.inference.reading.kings import are_in_the_centre
from boardfw.inference.reading.last_shown import (
    IN_THE_AIR,
    SWEPT,
    LastShown,
    in_the_air,
    is_played_on,
)
from boardfw.inference.reading.promoting import PROMOTIONS
from boardfw.inference.reading.read_game import Game, game_of
from boardfw.inference.reading.reader import LIMITS, Reader
from boardfw.inference.reading.starting import StartingGames
from boardfw.ports import earliest
from boardfw.rules.board import Color
from boardfw.rules.move import alike, common
from boardfw.sensing.debounce import Blip, Edge
from boardfw.squares import Bitboard, Occupancy, Switch, squares_in

CREDIBLE = 0.05
"""A rival of this probability makes a ply provisional."""
HANDS_OFF_US = 2_000_000
"""A board that rested for so long when it was left shows what was played, and no held piece."""
LEFT_US = 8_000_000
"""For so long nothing would have changed any more."""


class GameReader:
    """Reads one game until another begins. Times are those of the session."""

    def __init__(
        self,
        games: StartingGames,
        t_us: int,
        standing: Occupancy,
        recorded: RecordedPlies,
        away: AwaySide | None = None,
    ) -> None:
        """``standing``: the switches that are closed; ``away``: the side not at the board."""
        self._readers = EitherWay(
            Reader(roots, standing, t_us=t_us, final=recorded.final)
            for roots in games.hypotheses(away)
        )
        self._standing = standing
        self._t_us = self._changed_us = t_us
        self._edges_us: dict[Switch, int] = {}
        """When each switch last changed."""
        self._moves = recorded.moves
        self._final = self._certain = recorded.final
        self._doubted_until_us = 0
        self._is_clouded = False
        self._bridge_us: int | None = None
        """When to look for plies that were made while nobody watched; None: not at all."""
        self._shown = LastShown(self._game)
        self._ended: Game | None = None
        """The game that the kings have ended; None if they have not, or it has been played on."""
        self._judged: object = None
        self._now: Interpretation | None = None

    # --- what is read

    @property
    def now(self) -> Interpretation:
        """Return everything that has been read by now."""
        if self._now is None:
            self._now = self._interpretation()
        return self._now

    def deadline_us(self, t_us: int) -> int | None:
        """Return the time at which the reader next wants to be told the time; None if never."""
        choosing = self._choosing()
        return earliest(
            self._changed_us + REST_US,
            self._readers.deadline_us(t_us),
            choosing.until_us if choosing else None,
            self._doubted_until_us,
            self._bridge_us,
            after_us=t_us,
        )

    # --- what the hands do, and time

    def note_change(self, known: Edge | Blip, *, is_play: bool, is_answer: bool) -> None:  # noqa: ARG002
        """Take in what a switch did.

        ``is_play``: it may belong to a ply; ``is_answer``: it may answer what is asked.
        """
        self._now = None
        self._t_us = max(self._t_us, known.t_us)
        if isinstance(known, Edge):
            if is_play or self._ended:
                rested_us = known.t_us - self._changed_us
                self._shown.note_rest(rested_us, self._game, self._believed)
            bit = 1 << known.switch
            self._standing = self._standing | bit if known.closed else self._standing & ~bit
            self._changed_us = max(self._changed_us, known.t_us)
            self._edges_us[known.switch] = known.t_us
        if is_play or self._ended:  # kings may go on, or home, and the game may be played on
            self._readers.note_changes(self._t_us, [known])
            self._shown.note_change(self._game, self._believed)

    def pass_gap(
        self, since_us: int, until_us: int, before: Occupancy, after: Occupancy, *, is_play: bool
    ) -> bool:
        """The board was not watched; return True if several plies may have been made meanwhile.

        ``before``, ``after``: the switches settled until then, and what was read after it.
        """
        if until_us - since_us < CARRY_US or not is_play:
            return False
        squares = self._game.orientation.squares
        if not hides_plies(self._game.node, squares(before), squares(after)):
            return False
        self._is_clouded, self._now = True, None
        self._bridge_us = until_us + SETTLE_US
        return True

    def wait(self, t_us: int) -> None:
        """Let time pass: find out which game the switches tell by now."""
        self._now, self._t_us = None, max(self._t_us, t_us)
        if self._bridge_us is not None and t_us >= self._bridge_us:
            self._bridge_us = None
            self._readers.bridge_gap(t_us)
        self._readers.pass_time(t_us)

    def update_plies(self, t_us: int, *, is_over: bool) -> None:  # noqa: ARG002  # it is a door
        """Let the plies that are told be those of the best game.

        ``is_over``: the rules have ended the game after these plies.
        """
        self.wait(t_us)
        game, old = self._game, self._moves
        if alike(game.moves, old):
            return
        self._moves = game.moves
        kept = common(old, game.moves)
        self._final, self._certain = min(self._final, kept), min(self._certain, kept)

    def finalise(self, t_us: int) -> None:
        """Find the plies that have become final by now."""
        self.wait(t_us)
        if self._is_clouded:
            return
        most = common(self._moves, self._game.moves)
        if t_us < self._doubted_until_us:
            most = min(most, len(self._moves) - 1)
        certain, *_, final = (min(plies, most) for plies in self._readers.best.final)
        self._certain = max(self._certain, certain)
        if self._readers.doubt < LIMITS[-1]:  # an engine need not know which way the board lies
            self._final = max(self._final, final)
        self._now = None

    def doubt(self, until_us: int) -> bool:
        """Do not let the last ply become final by standing before this instant; True if new."""
        before, self._doubted_until_us = self._doubted_until_us, until_us
        return before != until_us

    def change_seats(self) -> None:
        """Another side is away from now on, or none: other moves are legal by hand."""
        self.try_again()

    def try_again(self) -> None:
        """The side that is away has made its move: the hands may have been quicker."""
        self._now = None
        self._readers.try_again(self._t_us)

    # --- what is asked

    def ask(self, t_us: int) -> None:
        """Find out, with the hands off the board, what the players have to be asked."""
        self.wait(t_us)

    def answer(self, index: int) -> None:
        """The players have chosen a candidate, 0 = the first; there may be fewer."""
        self._now = None
        self._readers.answer(index)

    def press_clock(self, color: Color) -> None:
        """This player has pressed the clock, so their piece is not in the hand any more."""
        self._now = None
        self._readers.press_clock(color)

    # --- how it ends

    def look_at_rest(self, t_us: int) -> AtRest | None:
        """Read what the board at rest shows; None if that has been read before."""
        choosing = self._choosing()
        is_chosen = choosing is None or choosing.until_us <= t_us
        result = self._readers.best.result
        judged = (self._game, self._changed_us, is_chosen, result)
        if judged == self._judged:
            return None
        self._judged = judged
        if result is not None:
            self._ended = self._game
        return AtRest(result, is_chosen)

    def kings_result(self, t_us: int) -> str | None:
        """The result that the kings show on the board at rest; None if they show none."""
        self.wait(t_us)
        return self._readers.best.result

    def withdraw_result(self, t_us: int) -> bool:
        """Withdraw the result that the kings have shown if the game is played on; True then.

        Both sides have made a final ply since, and not just put pieces where they stand at the
        start.
        """
        self.wait(t_us)
        reader, ended = self._readers.best, self._ended
        if ended is None or reader.result is not None or self.now.is_clearing:
            return False
        if not is_played_on(ended, self._game, reader.final[-1]):
            return False
        self._ended = None
        return True

    def finish(self, t_us: int) -> bool:
        """The board is no longer watched: believe what time would have made credible.

        False: nothing, since a piece cleared away, or in a hand, has captured nothing.
        """
        self.wait(t_us)
        if self.now.is_clearing or t_us - self._changed_us < HANDS_OFF_US:
            return False
        self.wait(t_us + LEFT_US)
        self._readers.best.leave()
        return True

    def abandoned(self, *, is_asked: bool) -> ReadGame:
        """The game as it was when its players stopped, and set the pieces up again.

        ``is_asked``: they have asked for a new game.
        """
        return self._shown.abandoned(self._game, self._final, is_asked=is_asked)

    def decide(self, game: ReadGame) -> None:
        """Let it be this game, which this reader has read."""
        self._now = None
        self._readers.restart(cast("Game", game).node)

    def conclude(self) -> None:
        """Let the plies of a decided game be final, but for those that are guessed."""
        if self._is_clouded or self._readers.doubt > LIMITS[-1]:
            return
        self._now = None
        shared = common(self._moves, self._game.moves)
        self._final = max(self._final, min(self._readers.best.undisputed, shared))

    # --- how it is put together

    @property
    def _game(self) -> Game:
        return game_of(self._readers.best.game)

    @property
    def _believed(self) -> Occupancy:
        """The switches that are closed, dead ones as the game has them."""
        game = self._game
        if not game.node.dead:
            return self._standing
        turn = game.orientation
        return turn.switches(game.node.as_shown(turn.squares(self._standing)))

    def _interpretation(self) -> Interpretation:
        reader, game = self._readers.best, self._game
        shown, occupied = game.orientation.squares(self._believed), game.position.occupied
        missing = occupied & ~shown
        return Interpretation(
            game=game,
            moves=self._moves,
            final=self._final,
            certain=max(self._final, self._certain),
            rivals=self._rivals(),
            standing=self._standing,
            changed_us=self._changed_us,
            missing=missing,
            lifted=self._lifted(missing) if missing else (),
            extra=shown & ~occupied,
            is_half_way=(
                is_half_way(game.node, shown)
                or are_in_the_centre(game.node, shown)
                or any(one.occupied == shown for one, _ in self._credible(CREDIBLE))
            ),
            capture=capture_against_the_rules(game.node, shown) if missing else None,
            dead=game.orientation.switches(game.node.dead),
            stuck=game.orientation.switches(squares_of(reader.faults)),
            is_handling=reader.is_handling,
            is_clearing=self._is_clearing(game),
            shown=self._shown.game,
            was_set_up=self._shown.was_set_up,
            is_clouded=self._is_clouded,
            choosing=self._choosing(),
            candidates=reader.question.moves if reader.question else (),
        )

    def _is_clearing(self, game: Game) -> bool:
        """True if more pieces are off the board than any play lifts."""
        least = IN_THE_AIR if self._t_us - self._changed_us >= REST_US else SWEPT
        return in_the_air(game, self._believed) >= least

    def _rivals(self) -> tuple[RivalGame, ...]:
        reader, game = self._readers.best, self._readers.best.game
        best = next((weight for one, weight in reader.credible if one is game), 0.0)
        return tuple(
            RivalGame(game_of(one), best - weight)
            for one, weight in self._credible(CREDIBLE)
            if game.shared_with(one) < min(game.depth, one.depth)
        )

    def _credible(self, least: float) -> Iterator[tuple[Hypothesis, float]]:
        """Yield the games that are at least so probable, and how probable each is."""
        return ((one, weight) for one, weight in self._readers.best.credible if weight >= least)

    def _lifted(self, missing: Bitboard) -> tuple[LiftedPiece, ...]:
        switch = self._game.orientation.switch
        return tuple(
            LiftedPiece(square, self._edges_us.get(switch(square)))
            for square in squares_in(missing)
        )

    def _choosing(self) -> Choosing | None:
        choice = self._readers.best.game.choice
        if choice is None:
            return None
        then = PROMOTIONS[choice.put_back % len(PROMOTIONS)]
        return Choosing(then, choice.dropped_us + CHOICE_US, choice.put_back > 0)
