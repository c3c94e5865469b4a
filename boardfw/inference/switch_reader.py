"""Reads one game: edges and time in, an ``Interpretation`` out.

This is the door of the room. Whoever plays the game outside sees no hypothesis and no score, so
another reader with the same door can take this one's place.
"""

from __future__ import annotations

from typing import cast

from boardfw.inference.choice import is_exchanged, next_chosen, open_until_us
from boardfw.inference.differences import (
    CARRY_US,
    difference,
    hides_plies,
    is_on_a_border,
    unseen_capture,
)
from boardfw.inference.evidence import PATIENCE_US, REST_US
from boardfw.inference.hypothesis import Hypothesis
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
from boardfw.inference.kings_result import kings_result
from boardfw.inference.kings_shown import KingsShown
from boardfw.inference.question import Question
from boardfw.inference.rest import HANDS_OFF_US, Rest
from boardfw.inference.rivals import near, rivals
from boardfw.inference.starting_games import StartingGames
from boardfw.inference.told_game import ToldGame
from boardfw.inference.tracker import Tracker
from boardfw.ports import earliest
from boardfw.rules.board import Color
from boardfw.rules.move import alike
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import NO_SWITCHES, Bitboard, Occupancy, squares_in

PLIES_SAY = 4
"""Plies that make sense only with a dead switch before it is announced: a false alarm makes people
check a good switch."""


class SwitchReader:
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
        for hypothesis in games.hypotheses:
            hypothesis.play_against(away)
        self.trace = Trace(t_us, standing)
        """Edges and blips of all switches in this game."""
        self.tracker = Tracker(games.hypotheses, self.trace)
        """The rival games that the trace may tell. Only explanations of this reader look at it."""
        self.tracker.trust(recorded.moves[: recorded.final])
        self._told = ToldGame(recorded)
        self._rest = Rest(self.tracker.best)
        self._kings = KingsShown()
        self._question = Question()
        self._judged: tuple[Hypothesis, int, bool, bool] | None = None
        self._waited_us = 0
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
        return earliest(
            self.trace.t_us + REST_US,
            self.trace.t_us + PATIENCE_US,
            self.tracker.deadline_us,
            self._told.deadline_us,
            open_until_us(self.tracker.best, self.trace),
            after_us=t_us,
        )

    # --- what the hands do, and time

    def note_change(self, known: Edge | Blip, *, is_play: bool, is_answer: bool) -> None:
        """Take in what a switch did.

        ``is_play``: it may belong to a ply; ``is_answer``: it may answer what is asked.
        """
        tracker, self._now = self.tracker, None
        if isinstance(known, Edge):
            self._rest.before(known.t_us, tracker)
            self._kings.touch(known, tracker, self._told.moves, self._rest.stood.moves)
        if is_answer:
            self._question.touch(known, tracker)
        if is_play:
            tracker.feed(known)
        else:
            self.trace.append(known)
        if isinstance(known, Edge):
            self._rest.after(known, tracker)

    def pass_gap(
        self, since_us: int, until_us: int, before: Occupancy, after: Occupancy, *, is_play: bool
    ) -> bool:
        """The board was not watched; return whether several plies may have been made meanwhile.

        ``before``, ``after``: the switches settled until then, and what was read after it.
        """
        self.trace.unwatched_us, self._now = until_us, None
        if until_us - since_us < CARRY_US or not is_play:
            return False
        if not hides_plies(self.tracker.best, before, after):
            return False
        if self.trace.clouded_us is None:
            self.trace.clouded_us = since_us
        return True

    def wait(self, t_us: int) -> None:
        """Let time pass: find out which game the switches tell by now."""
        self._now, self._waited_us = None, 0
        if self._rest.watch(t_us, self.tracker):
            self.tracker.decide(self._stood)
        self.tracker.wait(t_us)

    def update_plies(self, t_us: int, *, is_over: bool) -> None:
        """Let the plies that are told be those of the best game.

        ``is_over``: the rules have ended the game after these plies.
        """
        moves = self._told.moves
        setting_up = not alike(self.tracker.best.moves, moves) and (
            (self._rest.was_set_up and t_us - self.trace.t_us < REST_US)
            or is_over
            or self._kings.is_ending(self.tracker, moves)
        )
        self._told.update(t_us, self.tracker, setting_up=setting_up)
        if self._told.moves is not moves:
            self._now = None

    def finalise(self, t_us: int) -> None:
        """Find the plies that have become final by now."""
        final = self._told.final
        self._told.finalise(t_us, self.tracker, self._waited_us)
        if self._told.final != final:
            self._now = None

    def doubt(self, until_us: int) -> bool:
        """Do not let the last ply become final by standing before this instant; True if new."""
        before, self._told.doubted_until_us = self._told.doubted_until_us, until_us
        return before != until_us

    def change_seats(self) -> None:
        """Another side is away from now on, or none: other moves are legal by hand."""
        self._now = None

    def try_again(self) -> None:
        """The side that is away has made its move: the hands may have been quicker."""
        self._now = None
        self.tracker.try_again()

    # --- what is asked

    def ask(self, t_us: int) -> None:
        """Find out, with the hands off the board, what the players have to be asked."""
        tracker, trace = self.tracker, self.trace
        if not self._waited_us:
            is_extra = tracker.best.wrong(trace.now) & trace.now
            is_handled = is_extra or tracker.is_disturbed or self._rest.clearing
            if t_us - trace.t_us < REST_US or is_handled:
                return
        before = self._question.candidates
        self._question.watch(tracker, self._told.final)
        if self._question.candidates is not before:
            self._now = None

    def answer(self, index: int) -> None:
        """The players have chosen a candidate, 0 = the first; there may be fewer."""
        self._now = None
        self._question.answer(index, self.tracker)

    def press_clock(self, color: Color) -> None:
        """A player has pressed the clock; this reader goes by time alone."""

    # --- how it ends

    def look_at_rest(self, t_us: int) -> AtRest | None:
        """Read what the board at rest shows; None if that has been read before.

        Where the kings show the result, the game is from now on the one that they end.
        """
        best, trace = self.tracker.best, self.trace
        choosing_us = open_until_us(best, trace)
        is_chosen = choosing_us is None or choosing_us <= t_us
        judged = (best, trace.t_us, is_chosen, t_us - trace.t_us >= PATIENCE_US)
        if judged == self._judged:
            return None
        self._judged, told = judged, self._told
        kings = self._kings.shown(self.tracker, self._rest.stood, told.moves[: told.final])
        if kings is None:
            return AtRest(None, is_chosen)
        self._now = None
        self.tracker.decide(kings[0])
        return AtRest(kings[1], is_chosen)

    def kings_result(self, t_us: int) -> str | None:
        """The result that the kings show on the board at rest; None if they show none."""
        return kings_result(self.tracker.best, self.trace, t_us)

    def withdraw_result(self, t_us: int) -> bool:  # noqa: ARG002  # it is a door
        """Return False: after a result by kings this reader reads no plies."""
        return False

    def finish(self, t_us: int) -> bool:
        """The board is no longer watched: believe what time would have made credible.

        False: nothing, since a piece cleared away, or in a hand, has captured nothing.
        """
        self._now = None
        self._rest.watch(t_us, self.tracker)
        if self._rest.clearing or t_us - self.trace.t_us < HANDS_OFF_US:
            return False
        self._waited_us = PATIENCE_US
        self.tracker.conclude(t_us + PATIENCE_US)
        return True

    def abandoned(self, *, is_asked: bool) -> ReadGame:
        """The game as it was when its players stopped, and set the pieces up again.

        ``is_asked``: they have asked for a new game.
        """
        told = self._told
        return self._rest.abandoned(self._stood, told.final, is_asked=is_asked)

    def decide(self, game: ReadGame) -> None:
        """Let it be this game, which this reader has read."""
        self._now = None
        self.tracker.decide(cast("Hypothesis", game))

    def conclude(self) -> None:
        """Let the plies of a decided game be final, but for those that are guessed."""
        self._now = None
        self._told.conclude(self.tracker)

    @property
    def _stood(self) -> Hypothesis:
        """The game as the board last showed it at rest, or as it became final since."""
        told = self._told
        return self._rest.last(self.tracker.best, told.moves[: told.final])

    # --- how it is put together

    def _interpretation(self) -> Interpretation:
        tracker, trace, best = self.tracker, self.trace, self.tracker.best
        missing, extra = difference(best, trace.now)
        return Interpretation(
            game=best,
            moves=self._told.moves,
            final=self._told.final,
            certain=self._told.final,
            rivals=self._rivals(),
            standing=trace.now,
            changed_us=trace.t_us,
            missing=missing,
            lifted=self._lifted(missing) if missing else (),
            extra=extra,
            is_half_way=bool(extra)
            and (tracker.hypotheses[0].owed or is_on_a_border(best, missing, extra)),
            capture=unseen_capture(best, trace, missing, extra) if missing else None,
            dead=best.state.dead,
            stuck=self._undoubted() if best.state.dead else NO_SWITCHES,
            is_handling=tracker.is_disturbed,
            is_clearing=self._rest.clearing is not None,
            shown=self._rest.stood,
            was_set_up=self._rest.was_set_up,
            is_clouded=trace.clouded_us is not None,
            choosing=self._choosing(),
            candidates=self._question.candidates,
        )

    def _rivals(self) -> tuple[RivalGame, ...]:
        score_of, best = self.tracker.score_of, self.tracker.best
        return tuple(RivalGame(one, score_of(best) - score_of(one)) for one in rivals(self.tracker))

    def _lifted(self, missing: Bitboard) -> tuple[LiftedPiece, ...]:
        switch, last_edge_us = self.tracker.best.orientation.switch, self.trace.last_edge_us
        return tuple(
            LiftedPiece(square, last_edge_us(switch(square))) for square in squares_in(missing)
        )

    def _choosing(self) -> Choosing | None:
        best, trace = self.tracker.best, self.trace
        until_us = open_until_us(best, trace)
        if until_us is None:
            return None
        return Choosing(next_chosen(best, trace), until_us, is_exchanged(best, trace))

    def _undoubted(self) -> Occupancy:
        """Switches that every credible game believes dead."""
        dead = self.tracker.best.state.dead
        if not self.tracker.best.has_told(PLIES_SAY):
            return NO_SWITCHES  # nearly always
        for hypothesis in near(self.tracker):
            dead &= hypothesis.state.dead
        return dead
