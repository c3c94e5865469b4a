"""One game after the other on one board: how each is set up, begins, goes on and is left.

Another game begins when its pieces were set up, not played, to where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardfw.game.away import Away
from boardfw.game.board_trouble import StuckSwitches
from boardfw.game.clock import ClockUse
from boardfw.game.course import Course, WatchedBoard
from boardfw.game.events import Action, GameGiven, Given, NewGame, Ready, TakenBack
from boardfw.game.mismatch import UNFINISHED_US
from boardfw.game.phase import AnyPhase, Over, SettingUp
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.setup.placing import NEARLY, Placing, pieces_of, poor
from boardfw.game.setup.planned_game import PlannedGame, Unfinished
from boardfw.game.timekeeper import Pause
from boardfw.inference import REST_US, Blip, Edge, ReadGame, StartingGames
from boardfw.rules import Piece
from boardfw.squares import NO_SWITCHES, START, Occupancy, Orientation, Switch


class Series:
    """The games of one board. Each method is told the time of the session."""

    def __init__(
        self, planned: PlannedGame, away: Away, stuck: StuckSwitches, clock: ClockUse | None
    ) -> None:
        """``planned``: the first game; ``clock``: that of each game that begins."""
        self._first = planned
        self._has_begun = False
        """True if the board has been scanned."""
        self._clock = clock
        self.games: list[Record] = []
        """All games; the last one is being played."""
        self.blind = NO_SWITCHES
        """Switches that cannot be read: the game waits for them."""
        self._away = away
        self._stuck = stuck
        self._place(0, planned, NO_SWITCHES)

    @property
    def standing(self) -> Occupancy:
        """The switches that are closed, settled."""
        return self.course.read.standing

    @property
    def _known_pieces(self) -> Mapping[Switch, Piece]:
        """The piece on each switch, as far as the game or its set-up tells."""
        phase, game = self.course.phase, self.course.game
        if isinstance(phase, SettingUp):
            return phase.placing.pieces
        return pieces_of(game.position, self.standing, game.orientation)

    @property
    def has_game(self) -> bool:
        """True if a game is played, has just ended, or waits for its pieces to go on."""
        phase = self.course.phase
        is_waited_for = isinstance(phase, SettingUp) and phase.planned.unfinished is None
        return self._has_begun and not is_waited_for

    def blindfold(self, t_us: int, blind: Occupancy) -> None:
        """Let these switches be unreadable from now on."""
        self.blind = blind
        self.course.see(t_us, blind)

    # --- setting up

    def begin_first_game(self, t_us: int, standing: Occupancy) -> list[Action]:
        """The first scan says what stands."""
        self._has_begun, first = True, self._first
        phase = self._place(t_us, first, standing)
        if first.begins_with(standing) and not first.problems:
            return self._begin_planned(t_us, phase)
        return self.begin_if_set_up(t_us) or self.lead(t_us)

    def _place(
        self,
        t_us: int,
        planned: PlannedGame,
        standing: Occupancy,
        orientation: Orientation | None = None,
        known: Mapping[Switch, Piece] | None = None,
    ) -> SettingUp:
        """Begin to set up a game, this way round; None: as the board lay.

        ``known``: the piece on each switch now; None if that is in question.
        """
        del self.games[-1:]
        way = orientation or planned.orientation
        begun = planned.starting_games(t_us, way, self._stuck.known)
        self._watch(t_us, planned, begun, standing)
        if known is None and planned.unfinished is None:
            known = planned.stood.pieces or None
        return self.ask_for_pieces(planned, known)

    def ask_for_pieces(
        self,
        planned: PlannedGame,
        known: Mapping[Switch, Piece] | None = None,
        asked_in: AnyPhase | None = None,
    ) -> SettingUp:
        """Ask for the pieces; ``known`` as of ``Placing``, ``asked_in`` as of ``SettingUp``."""
        read = self.course.read
        placing = Placing(
            read.game.position if asked_in is None else planned.start,
            read.standing,
            orientation=read.game.orientation,
            dead=read.dead,
            known=known,
            may_reorient=not planned.is_ruled,
        )
        self.course.phase = phase = SettingUp(placing, planned, asked_in)
        return phase

    def _watch(
        self, t_us: int, planned: PlannedGame, begun: StartingGames, standing: Occupancy
    ) -> None:
        """Watch this game from now on."""
        watched = WatchedBoard(t_us, begun, standing)
        self.course = Course(planned, watched, self._clock, self._away.side)
        """The game being played, or the last one."""
        self.begun_as = self.course.game.orientation
        """How the board was believed to lie when it began, or went on."""
        self.games.append(self.course.record)
        self.course.see(t_us, self.blind)

    def lead(self, t_us: int, known: Edge | Blip | None = None) -> list[Action]:
        """Lead the setting up of pieces; ``known``: what a switch has just done."""
        course, phase = self.course, self.course.phase
        if not isinstance(phase, SettingUp):
            return []
        orientation = phase.placing.orientation
        if orientation != course.game.orientation and not phase.asked_in:
            self._place(t_us, phase.planned, self.standing, orientation)
            self.course.phase = phase
        put = known.switch if isinstance(known, Edge) and known.closed else None
        if phase.planned.problems:
            return []
        return phase.placing.lead(t_us, self.standing, put)

    def ask_for_new_game(self, t_us: int) -> None:
        """A player asks for a new game; asked once more it was a mistake, and this one goes on."""
        course, phase = self.course, self.course.phase
        asked_in = phase.asked_in if isinstance(phase, SettingUp) else None
        if course.time:
            (course.time.resume if asked_in else course.time.stop)(t_us, Pause.ASKED)
        if asked_in is None:
            game = course.game
            known = pieces_of(game.position, self.standing, game.orientation)
            self.ask_for_pieces(PlannedGame(), known, phase)
        elif isinstance(asked_in, SettingUp):
            self.ask_for_pieces(asked_in.planned)
        else:
            course.phase = asked_in

    # --- beginning and going on

    def begin_if_set_up(self, t_us: int) -> list[Action]:
        """Begin if the pieces stand as at the start of a game and were set up there."""
        course, phase = self.course, self.course.phase
        if not isinstance(phase, SettingUp) or phase.asked_in:
            last = self._game_before(t_us) if self._stands(START, t_us) else None
            return [] if last is None else self._begin_new_game(t_us, last)
        planned, placing = phase.planned, phase.placing
        if planned.problems:
            return []
        if not placing.has_strangers and self._stands(placing.switches, t_us):
            return self._begin_planned(t_us, phase)
        may_be_given_up = planned.unfinished is not None and not planned.is_ruled
        is_at_rest = t_us - course.read.changed_us >= REST_US
        is_given_up = may_be_given_up and self.standing == START and is_at_rest
        return self._begin_new_game(t_us, course.game) if is_given_up else []

    def _begin_planned(self, t_us: int, phase: SettingUp) -> list[Action]:
        """Begin the game whose pieces were set up: they stand."""
        placing, planned, now = phase.placing, phase.planned, self.standing
        begun = planned.begun(t_us, now, placing.orientation, self._stuck.known)
        return [Ready(t_us)] * placing.has_led + self._play(t_us, planned, begun)

    def begin_again(self, t_us: int) -> list[Action]:
        """Begin the game from the usual start once more: what was done on it was no play."""
        planned, way = PlannedGame(), self.begun_as
        begun = planned.begun(t_us, self.standing, way, self._stuck.known)
        return self._play(t_us, planned, begun)

    def count_what_stands(self, t_us: int, phase: SettingUp) -> list[Action]:
        """Play on from what stands, because a player says that it counts."""
        planned, now, way = phase.planned, self.standing, phase.placing.orientation
        counted = planned.counted(t_us, now, way, self._stuck.known)
        return self._play(t_us, planned, counted) if counted and not planned.problems else []

    def resume(
        self, t_us: int, game: Unfinished, known: Mapping[Switch, Piece] | None = None
    ) -> list[Action]:
        """Resume this game as soon as its pieces stand; ``known`` as of ``_place``.

        If it is over, touching the pieces is no play.
        """
        phase = self.course.phase
        before = phase.planned if isinstance(phase, SettingUp) else PlannedGame()
        planned = replace(before, unfinished=game)
        if game.record.outcome is not None:
            begun = planned.starting_games(t_us, game.orientation, self._stuck.known)
            return self._play(t_us, planned, begun)
        self._place(t_us, planned, self.standing, game.orientation, known)
        return self.begin_if_set_up(t_us) or self.lead(t_us)

    def _play(self, t_us: int, planned: PlannedGame, begun: StartingGames) -> list[Action]:
        """Play the planned game from now on."""
        self.games.pop()
        self._watch(t_us, planned, begun, self.standing)
        return self.course.follow(t_us)

    def _begin_new_game(self, t_us: int, last: ReadGame) -> list[Action]:
        """Begin another game, whose pieces stand, after the one that ``last`` tells."""
        course, planned, now = self.course, PlannedGame(), self.standing
        orientation = (
            course.orientation if isinstance(course.phase, SettingUp) else Orientation.AS_WIRED
        )
        said = course.close(t_us, last)
        if not course.record.moves and course.record.outcome is None:
            self.games.pop()  # a game without plies does not count
        begun = planned.begun(t_us, now, orientation, self._stuck.known)
        self._away.begin()
        self._watch(t_us, planned, begun, now)
        return [*said, NewGame(t_us)]

    def take_back(self, t_us: int) -> list[Action]:
        """Take the last ply back for the players; its pieces are led home.

        Against an opponent that is not at the board that is the player's own last ply.
        """
        course, record, away = self.course, self.course.record, self._away.side.color
        is_decided = isinstance(course.phase, Over) and course.phase.is_decided
        if is_decided or not (self.has_game and record.moves):
            return []
        # An arbiter may know better what stands where, players do not.
        known = self._known_pieces
        said = course.mismatch.clear(t_us)
        was_told = away == 1 - course.game.position.turn
        plies = 1 + (was_told and len(record.moves) > 1)
        for _ in range(plies):
            course.recorder.take_back(t_us)
        said.append(TakenBack(t_us, plies))
        return said + self.resume(t_us, course.interrupted(record.took_us), known)

    def take_over(self, t_us: int, given: GameGiven) -> list[Action]:
        """Let the game be one that is kept elsewhere."""
        course, record = self.course, self.course.record
        begun: list[Action] = []
        if given.is_new and (record.moves or record.outcome is not None):
            begun = course.mismatch.clear(t_us) + self._begin_new_game(t_us, course.game)
        kept = Record(given.start, t_us)
        Recorder(kept).change(t_us, given.moves)
        game = Unfinished(kept, self.course.game.orientation, is_ruled=True)
        planned = PlannedGame(given.start, game if given.moves else None)
        self._away.begin()
        taken = Given(t_us, len(given.moves))
        if not self._has_begun:
            self._first = planned
            self._place(t_us, planned, NO_SWITCHES)
            return [*begun, taken]
        said, known = self.course.mismatch.clear(t_us), self._known_pieces
        self._place(t_us, planned, self.standing, game.orientation, known)
        led = self.begin_if_set_up(t_us) or self.lead(t_us)
        return [*begun, *said, taken, *led]

    def use_clock(self, t_us: int, clock: ClockUse | None) -> None:
        """Play by this clock from now on; one that runs in a game already is not changed."""
        self._clock, course = clock, self.course
        if not (course.record.moves or course.record.outcome or course.is_asked):
            course.choose(t_us, clock)
            course.see(t_us, self.blind)

    # --- whether pieces were set up

    def _stands(self, wanted: Occupancy, t_us: int) -> bool:
        """True if these pieces stand; after a while of rest a poor contact or two do not count."""
        # What a game believes of pieces that are set up for another does not make a switch dead.
        phase, read = self.course.phase, self.course.read
        dead = phase.placing.dead if isinstance(phase, SettingUp) else read.dead
        wanted, standing = wanted & ~dead, read.standing & ~dead
        if wanted == standing:
            return True
        return t_us - read.changed_us >= UNFINISHED_US and bool(poor(wanted, standing))

    def _game_before(self, t_us: int) -> ReadGame | None:
        """The game after which the pieces, now standing, were set up again; None if they were not.

        What the hands have done since then was no play.
        """
        course, ended = self.course, self.course.phase.ended
        if course.is_asked or self._were_set_up(t_us):
            # Taking back plies of an ended game without playing others is putting the pieces home.
            played = course.record.moves
            is_over = ended is not None and ended.moves[: len(played)] == played
            return ended if is_over else course.reader.abandoned(is_asked=course.is_asked)
        return ended if ended is not None and ended.expected != START else None

    def _were_set_up(self, t_us: int) -> bool:
        """True if the pieces were set up, not played, to where they stand."""
        read, phase = self.course.read, self.course.phase
        if phase.reads_plies and not read.shown.moves:
            return False
        # When the players have ended a game, whatever goes home is set up for the next one.
        is_by_kings = isinstance(phase, Over) and phase.is_by_kings
        goes_home = is_by_kings or (not phase.reads_plies and read.game.expected != START)
        at_start = not (read.standing ^ START) & ~read.dead
        if at_start and (goes_home or read.was_set_up):
            return True
        is_at_rest = t_us - read.changed_us >= REST_US and phase.ended is None
        return is_at_rest and (read.missing | read.extra).bit_count() > NEARLY
