"""The terminal board at lessons: the task and the tutor's last sentences beside the board."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input

from boardfw.game.events import Tick
from boardfw.game.view import View
from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind, Phase, Told, latest
from boardfw.phrase import Table, translated
from boardfw.players.game_player import pieces_on
from boardfw.players.lesson_player import Learner
from boardfw.shell.learning.lesson_desk import LessonDesk
from boardfw.terminal.app import TerminalBoard
from boardfw.terminal.messages import situation, unwritten
from boardfw.terminal.panels import legend, lines_of
from boardfw.terminal.talk import WORDS, Talk
from boardfw.terminal.typing_line import Help, Line
from hardware.sim.hands import Hands

LESSON_HELP = """
[b]Lessons[/b]
  hint         a hint, then another one, then the answer
  skip         the next exercise
  say          the task, once more
  setup        the simulator sets up the pieces, if that is the task
  watch        the simulator shows the solution
  e4           with an empty hand, if the task asks for squares:
               a piece of yours shows e4 and goes back
  To answer with a piece, lift it, hold it for a second, put it back.
"""
GAMES_WORDS = ("load", "claim", *WORDS)
"""Words for games only."""
RECENT = 3
"""Sentences that stay on the screen below the task."""
MOST_LINES = 8
"""Lines that these may take together, so that nothing is cut off on a small screen."""


class LessonBoard(TerminalBoard):
    """A board in a terminal on which lessons are given.

    ``sets_up``: the simulator sets up the pieces for each exercise. ``table``: of the language in
    which lessons speak.
    """

    def __init__(
        self, talk: Talk, desk: LessonDesk, *, title: str, sets_up: bool, table: Table
    ) -> None:
        super().__init__(talk, Path(title))
        self._table = table
        self.seat.tells_why = False  # the reason may be the answer
        self._desk = desk
        self._sets_up = sets_up
        self._said: list[Told] = []
        self._lesson_seen: object = None
        self._is_setting_up = False
        """Whether the simulator is setting up all pieces, which is the task."""
        self._shower: Learner | None = None
        """Simulated hands that show the solution; None: none is being shown."""
        self._shows_on = True
        """Whether the demonstration goes on; False: it only finishes the move it has begun."""
        self.seat.others_stop = self._stop_showing
        desk.hear(self._note)

    def on_mount(self) -> None:
        """Hide the moves: there is no game here. The base class's ``on_mount`` is called, too."""
        self.query_one("#lower").display = False
        self.query_one(Line).placeholder = "e2, Nf3, hint, skip, say, help ..."
        self._situation.styles.height = "1fr"

    def look(self) -> None:
        """Draw whatever has changed."""
        self._let_hands_go_on()
        exercise, is_asked = self._desk.lesson.exercise, self._desk.lesson.phase is Phase.ASKED
        self.seat.shows_squares = is_asked and exercise is not None and exercise.type == "find"
        self.seat.is_led_home = bool(self._desk.lesson.way_home)
        super().look()
        seen = self._desk.lesson.phase, self._desk.scene, len(self._said)
        if seen != self._lesson_seen:
            self._lesson_seen = seen
            self._tell(self._desk.view)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Handle a typed line; lessons have some words of their own."""
        acts = {"hint": self._desk.hint, "skip": self._desk.skip, "say": self._say_again}
        acts |= {"watch": self._watch}
        if self._place() is not None:
            acts["setup"] = self._begin_set_up
        typed = event.value.strip().lower()
        act = acts.get(typed)
        if act is None and typed.partition(" ")[0] in GAMES_WORDS:
            act = self._refuse_word
        if act is None:
            return
        event.prevent_default()  # the base class does not know the word
        event.input.clear()
        act()
        self._runtime.tell(Tick(self._clock.now_us()))  # else the board would wait for a touch
        self.look()

    def action_help(self) -> None:
        """Show the help, with the words for lessons."""
        self.push_screen(Help(LESSON_HELP))

    def _refuse_word(self) -> None:
        self.say("that word is for games; lessons have hint, skip, say, watch and help")

    def _say_again(self) -> None:
        exercise = self._desk.lesson.exercise
        if exercise is not None:
            self.say(translated(exercise.words.say, self._table))

    # --- what the simulator does for the learner

    def _place(self) -> Exercise | None:
        """The exercise, if its task is to set up the pieces; else None."""
        exercise, is_asked = self._desk.lesson.exercise, self._desk.lesson.phase is Phase.ASKED
        return exercise if exercise and is_asked and exercise.type == "place" else None

    def _begin_set_up(self) -> None:
        self._is_setting_up = True

    def _watch(self) -> None:
        player = self.seat.player
        if player is None or self._desk.lesson.phase is not Phase.ASKED:
            self.say("nothing can be shown now")
            return
        self._desk.show()
        self._shows_on = True
        self._shower = Learner(self._desk.teacher, player.board, Hands(player.kind, 1))

    def _stop_showing(self) -> str:
        """The user takes over once the hands have put down their pieces; else say so."""
        self._shows_on = False
        sim = self.seat.board
        if self._shower is not None and sim is not None and sim.busy:
            return "the simulator puts down the pieces it holds; then the board is yours"
        self._shower = None
        return ""

    def _let_hands_go_on(self) -> None:
        if self._shower is not None:
            if self._desk.lesson.phase is not Phase.ASKED:
                self._shower = None
            elif self._shows_on:
                self._shower.keep_up(self._clock.now_us())
            else:
                self._stop_showing()
        exercise = self._place()
        if not self._is_setting_up or self.seat.is_busy:
            return
        marks = self._desk.lesson.marks
        self._is_setting_up = exercise is not None and bool(marks.surplus or marks.put)
        if exercise is not None and self._is_setting_up:
            wanted = {} if marks.surplus else pieces_on(exercise.position)
            self.say(self.seat.set_up_pieces(wanted))

    def _note(self, told: Told) -> None:
        if told.kind is Kind.ASK and any(one.exercise != told.exercise for one in self._said):
            self._said.clear()
        self._said.append(told)
        if self._shower is not None:
            self._shower.hear([told])
        if told.kind is Kind.HINT and self._desk.lesson.phase is Phase.SETUP:
            self.say(translated(told.text, self._table))  # it names the next piece
        if told.kind is Kind.SETUP and self._sets_up:
            self.call_later(self._set_up)

    def _set_up(self) -> None:
        self._shower = None
        self.say(self.seat.obey("setup"))

    def _tell(self, view: View) -> None:
        desk = self._desk
        cues = [cue for cue, _ in desk.scene.lit]
        lights = legend(cues, desk.settings.lights.palette(), self._squares.paint)
        self._situation.show(self._lines(view), lights)

    def _lines(self, view: View) -> list[str]:
        lesson, waiting = self._desk.lesson, [*unwritten(view, "answers"), *view.notes]
        if lesson.phase is Phase.SETUP:
            return [
                *situation(view._replace(unwritten="", notes=()), self._desk.session.record),
                *waiting,
            ]
        task = lesson.exercise.words.say if lesson.exercise else ""
        said = self._recent(MOST_LINES - sum(map(lines_of, waiting)))
        if lesson.phase is Phase.OVER:
            return ["The lesson is over", *said, *waiting, "q leaves"]
        return [translated(task, self._table), *said, *waiting]

    def _recent(self, most_lines: int) -> list[str]:
        """The last sentences, as far as there is room; the task is shown above them."""
        lesson = self._desk.lesson
        is_waited_for = bool(lesson.way_home or lesson.marks.surplus or lesson.marks.put)
        still = [told for told in self._said if is_waited_for or told.kind is not Kind.PUT]
        recent = [translated(text, self._table) for text in latest(still, RECENT)]
        while len(recent) > 1 and sum(map(lines_of, recent)) > most_lines:
            recent.pop(0)
        return recent
