"""The seat: everything that a user at the terminal can do, on the screen or in line mode.

A user who touches the board takes over from the simulated hands. Every method answers with one
line for the user, empty where the board itself says enough.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path

from boardfw.errors import NotationError
from boardfw.game.phase import GamePhase
from boardfw.learning.lesson import Phase
from boardfw.notation.errors import UnreadableMove
from boardfw.notation.pgn import MainLine
from boardfw.notation.san import format_san
from boardfw.phrase import Phrase
from boardfw.players.game_player import Player, pieces_on, read_game, read_move
from boardfw.ports import BUTTONS, Clock, Pressed, button_named
from boardfw.rules import PAWN, Color, Piece, Position
from boardfw.shell.desk import Desk
from boardfw.shell.taught_desk import TaughtDesk
from boardfw.squares import BY_NAME, NAMES, Square, Switch
from boardfw.terminal.drawn_board import (
    is_settled,
    pieces_as_asked,
    pieces_on_real,
    pieces_on_simulated,
    promoted_pieces,
    visitor,
)
from boardfw.terminal.hand import Hand, Held
from boardfw.terminal.messages import piece_name
from hardware.sim.hand_profiles import HAND_PROFILES

LEGAL_ONLY = "the hands make legal moves only; lift a piece and put it down to try another"
WAITS = "the hands wait until the pieces stand as before; type a piece's square to lift it"
SHOWN_US = 800_000
"""Simulated hands make the opponent's move once its lights have been seen for so long."""
FOLLOW_US = 1_000_000
"""The board may ask for pieces this long after a button, and for more this long after the last."""
SETTING_UP = Phrase("The simulator is setting up the pieces")
REAL_BOARD = "this board is moved by real hands; the screen only shows it"


class Seat:
    """The user's hand at a board, and the simulated hands that can play instead."""

    def __init__(self, desk: Desk, clock: Clock, player: Player | None) -> None:
        """``player``: the hands of a simulated board; None: a real board."""
        self._desk = desk
        self._clock = clock
        self.player = player
        self.board = None if player is None else player.board
        """The simulated board; None: a real board."""
        self._hand = None if player is None else Hand(player.board, clock)
        self._later: deque[str] = deque()
        self.tells_why = True
        """Whether the answer to an illegal typed move gives the reason."""
        self.shows_squares = False
        """Whether a piece shows a typed empty square, instead of moving there."""
        self.is_led_home = False
        """Whether pieces have to go back before anything else is played."""
        self.others_stop: Callable[[], str] = lambda: ""
        """Called before the seat moves a piece; returns a line if other hands must finish first."""
        self._follows = False
        """Whether the simulator sets up the pieces that the board asks for."""
        self._commands: dict[str, Callable[[str], str]] = {
            "box": self._box,
            "claim": self._claim,
            "take": self._box,
            "hands": self._choose_hands,
            "lift": self._lift,
            "load": self._load,
            "press": self._press,
            "setup": self._set_up,
        }
        self._was_taught = False
        """Whether a tutor led the pieces when that was looked at last."""
        self.press: Callable[[Pressed], None] = lambda _: None
        """Tells the board that a button was pressed, whether or not it is wired."""
        self._then: Callable[[], None] | None = None
        """Called when the hands have finished setting up; None: nothing is to be done."""
        self._follow_until_us = 0
        """Until then the board may still begin to ask for pieces."""
        self._moved_us = 0
        """When the hands last moved a piece during set-up."""
        self._shown_us: int | None = None
        """Since when the opponent's move could be made; None: there is none, or it is made."""
        self._placed: Mapping[Switch, str] = {}
        """The pieces that the hands are to put in place, and no others; empty: they do not."""

    # --- what is seen

    @property
    def pieces(self) -> dict[Switch, str]:
        """Switch -> label of the piece drawn over it."""
        view = self._desk.view
        if self.board is None:
            return pieces_on_real(view)
        promoted = promoted_pieces(self._desk.session.record.moves)
        return pieces_on_simulated(self.board.pieces, view, promoted)

    @property
    def held(self) -> list[str]:
        """The pieces in any hand; the last one is the next to be put down."""
        return [piece.label for piece in self.lifted]

    @property
    def lifted(self) -> list[Held]:
        """The same with where each came from; None: out of the box, or by other hands."""
        if self._hand is None or self.player is None:
            return []
        air = self.player.in_the_air(self._clock.now_us())
        return [*self._hand.held, *(Held(label, None) for label in air)]

    @property
    def box(self) -> Counter[str]:
        """The pieces beside the board."""
        return Counter() if self.board is None else Counter(self.board.box) - Counter(self.held)

    @property
    def sets_up(self) -> bool:
        """Whether the simulated hands set up what the board asks for, until a user touches it."""
        return self._follows

    @property
    def to_go(self) -> int:
        """Squares on which simulated hands have yet to put a piece, or to take one off."""
        view = self._desk.view
        if self._follows and view.phase is GamePhase.SETUP:
            return view.to_go
        if self.board is None or not (self._placed and self.is_busy):
            return 0
        stands, wanted = self.board.pieces, self._placed
        return sum(stands.get(one) != wanted.get(one) for one in stands.keys() | wanted.keys())

    @property
    def is_demo(self) -> bool:
        """Whether simulated hands play a game by themselves, and no user has touched it."""
        return self.player is not None and self.player.has_game

    @property
    def mover(self) -> str:
        """In words, whose hand moves the pieces."""
        if self.player is None:
            return "a real board"
        playing = self.player.is_playing(self._clock.now_us())
        return f"{self.player.kind} hands play" if playing else "your hand"

    # --- what is done

    def watch(self, game: MainLine) -> None:
        """Let the hands play a game from the pieces as they stand."""
        if self.player is not None:
            self.player.begin(game.start, game.moves, self._clock.now_us())

    def keep_up(self) -> str:
        """Let the hands go on; to be called some twenty times a second."""
        if self.player is None:
            return ""
        now_us = self._clock.now_us()
        self._heed_tutor()
        self.player.keep_up(now_us)
        if self.player.is_playing(now_us):
            self._moved_us = now_us
        else:
            self._go_on()
            self._make_owed(now_us)
        may_go_on = self.shows_squares or is_settled(self.pieces, self._desk.view)
        if self._later and may_go_on and not self._waits(now_us):
            return self.obey(self._later.popleft())
        return ""

    def touch(self, switch: Switch, *, aside: bool = False) -> str:
        """Lift, drop or capture over a switch; ``aside``: put the piece into the box."""

        def act(hand: Hand) -> bool:
            if not aside:
                return hand.touch(switch, self.pieces, self._to_move())
            return (bool(hand.held) or hand.lift(switch, self.pieces)) and hand.into_box()

        return self._by_hand(act, self._empty_message(switch))

    def take(self, label: str) -> str:
        """Take a piece out of the box."""
        none = f"no {piece_name(Piece.of(label))} in the box"
        return self._by_hand(lambda hand: hand.take(label), none)

    def set_up_pieces(
        self, pieces: Mapping[Switch, str], then: Callable[[], None] | None = None
    ) -> str:
        """Let the hands set up these pieces and no others, then call ``then``."""
        if self.player is None or self._hand is None:
            return REAL_BOARD
        self._take_over()
        self._hand.held.clear()
        self.player.set_up(pieces, self._clock.now_us())
        self._then, self._placed = then, pieces
        return SETTING_UP

    def put_in_place(self) -> str:
        """Let the hands set up what the board asks for, or put right what stands otherwise."""
        view = self._desk.view
        if self.board is None:
            return REAL_BOARD
        if view.problems:
            return "no game can start like this; 'new' starts one from the usual position"
        if view.phase is GamePhase.OVER:
            return "the game is over: a new one asks for its pieces"
        if view.phase is GamePhase.PLAY:
            return self._put_right()
        self.follow()
        return SETTING_UP

    def end_demo(self) -> str:
        """End the game that the hands play by themselves; another one is set up."""
        if not self.is_demo:
            return "the hands play no game"
        return self._begin_another()

    def _begin_another(self) -> str:
        """Ask for a new game, unless that is done, and let the hands set it up."""
        if not self._desk.session.course.is_asked:
            self.press("new_game")
        self.follow()
        return SETTING_UP

    @property
    def is_busy(self) -> bool:
        """Whether simulated hands move pieces, or will."""
        return self.player is not None and self.player.is_playing(self._clock.now_us())

    def put_into_box(self) -> str:
        """Put the piece in the hand into the box."""
        return self._with_piece(Hand.into_box)

    def put_back(self) -> str:
        """Put the piece in the hand back where it came from."""
        return self._with_piece(Hand.put_back)

    def turn_over(self) -> str:
        """Make another piece in the hand the next to be put down."""
        return self._with_piece(lambda hand: hand.turn_over() or True)

    def obey(self, text: str) -> str:
        """A typed line: a square, a move or a command."""
        if self._hand is None or self.player is None:
            return REAL_BOARD
        word, _, rest = text.strip().partition(" ")
        command = self._commands.get(word.lower())
        if command is not None:
            return command(rest.strip())
        if self._waits(self._clock.now_us()) and not self.player.has_game:
            self._later.append(text)  # typed ahead: wait until the hands are ready
            return ""
        square = BY_NAME.get(text.strip().lower())
        if square is not None and self._touches(square):
            return self.touch(self._under(square))
        if square is not None and self.shows_squares:
            return self._show(square)
        return self._play(text.strip())

    # --- how it is done

    def _waits(self, now_us: int) -> bool:
        """Whether hands move pieces, or are about to pick up the next ones to set up."""
        is_between = self._follows and now_us - self._moved_us < FOLLOW_US
        return is_between or self._owes or self.is_busy

    @property
    def _owes(self) -> bool:
        """Whether the hands make the opponent's move, or will in a moment."""
        if self.board is None or (self._hand and self._hand.held) or self._desk.view.owed is None:
            return False
        return is_settled(self.pieces, self._desk.view) or (self.is_busy and not self._placed)

    def _by_hand(self, act: Callable[[Hand], bool], otherwise: str) -> str:
        """Let the user's hand act; ``otherwise``: what is said where it cannot."""
        if self._hand is None:
            return REAL_BOARD
        if self._owes:
            return Phrase("first the hands make the opponent's move")
        return self._take_over() or ("" if act(self._hand) else otherwise)

    def _with_piece(self, act: Callable[[Hand], bool]) -> str:
        if told := self._by_hand(lambda hand: bool(hand.held), Phrase("your hand is empty")):
            return told
        return self._by_hand(act, Phrase("that square is occupied now; put it down elsewhere"))

    def _take_over(self) -> str:
        """Stop the hands that play; a line if this hand now holds pieces of theirs."""
        if self._hand is None or self.player is None:
            return ""
        if told := self.others_stop():
            return told
        self._follows, self._then, self._placed = False, None, {}
        now_us = self._clock.now_us()
        if not self.player.is_playing(now_us):
            return ""
        self._later.clear()
        air = self.player.take_over(now_us)
        self._hand.hold(air)
        names = ", ".join(piece_name(Piece.of(label)) for label in air)
        return f"you have taken over; in your hand: {names}" if air else ""

    def _to_move(self) -> Color | None:
        view = self._desk.view
        return view.position.turn if view.phase is GamePhase.PLAY else None

    def _touches(self, square: Square) -> bool:
        """Whether a typed square is a touch; else it may be a pawn's move in SAN."""
        if self._hand is None:
            return False
        if self._hand.held or self._under(square) in self.pieces:
            return True
        if self.shows_squares:
            return False
        moves = self._desk.view.position.legal_moves()
        return not any(move.piece_type == PAWN and move.target == square for move in moves)

    def _make_owed(self, now_us: int) -> None:
        """Make the opponent's move once nothing else is done: pieces may stand wrong before."""
        view = self._desk.view
        if view.owed is None or not self._owes:
            self._shown_us = None
        elif self._shown_us is None:
            self._shown_us = now_us
        elif self.player and now_us >= self._shown_us + SHOWN_US:
            self._shown_us, self._placed = None, {}
            self.player.play_one(view.position, view.owed, now_us, view.orientation)

    def _show(self, square: Square) -> str:
        if told := self._take_over():
            return told
        switch = self._under(square)
        piece = visitor(self.pieces, self._desk.view, switch)
        if self.player is None or piece is None:
            return self._empty_message(switch)
        self.player.show(piece, switch, self._clock.now_us())
        return f"the hands show {NAMES[square]}"

    def _under(self, square: Square) -> Switch:
        return self._desk.view.orientation.switch(square)

    def _empty_message(self, switch: Switch) -> str:
        return Phrase("{0} is empty", NAMES[self._desk.view.orientation.square(switch)])

    def _claim(self, move: str) -> str:
        """Claim a draw, as the board stands or with a move: then the hands make it."""
        if move:
            return self._play(move, claims=True)
        self.press("claim")
        return ""

    def _play(self, text: str, *, claims: bool = False) -> str:
        if self._hand is None or self.player is None:
            return REAL_BOARD
        position = self._desk.view.position
        waits = self.is_led_home or not is_settled(self.pieces, self._desk.view)
        try:
            move = read_move(position, text)
        except UnreadableMove:
            return f"{text[:20]!a}: not a square, move or command; type help"
        except NotationError as error:
            return WAITS if waits else str(error) if self.tells_why else LEGAL_ONLY
        if told := self._take_over():
            return told
        if self.held:
            return "put down the piece in your hand first"
        if waits:
            return WAITS
        if claims:
            self.press("claim")
        now_us = self._clock.now_us()
        self.player.play_one(position, move, now_us, self._desk.view.orientation)
        # The board itself says whether the claim is correct.
        return "" if claims else f"{self.player.kind} hands play {format_san(position, move)}"

    def _lift(self, name: str) -> str:
        square = BY_NAME.get(name.lower())
        if square is None:
            return f"lift {name[:10]}: not a square; write one like e2"
        switch = self._under(square)
        return self._by_hand(
            lambda hand: hand.lift(switch, self.pieces), self._empty_message(switch)
        )

    def _box(self, letter: str) -> str:
        if not letter:
            return self.put_into_box()
        if letter not in "PNBRQKpnbrqk" or len(letter) > 1:
            return f"box {letter[:10]}: not a piece; write one of PNBRQK, or pnbrqk for Black's"
        return self.take(letter)

    def _choose_hands(self, kind: str) -> str:
        if kind not in HAND_PROFILES or self.player is None:
            return f"hands {kind[:20]}: no such hands; there are {', '.join(HAND_PROFILES)}"
        self.player.change_hands(kind, self._clock.now_us())
        return f"{kind} hands"

    def _set_up(self, _: str) -> str:
        view = self._desk.view
        if self.board is not None and view.phase is GamePhase.OVER and not view.problems:
            return self._begin_another()
        return self.put_in_place()

    def _put_right(self) -> str:
        """Let the hands put the pieces where they stand in the game."""
        view = self._desk.view
        if not self._hand or (not self._hand.held and is_settled(self.pieces, view)):
            return "the pieces stand as in the game; 'new' starts another game"
        return self.set_up_pieces(pieces_on(view.position, view.orientation))

    def follow(self) -> None:
        """Let the simulator set up the pieces that the board asks for now or in a moment."""
        if self.player is None or self._hand is None:
            return
        self._take_over()
        self._hand.held.clear()
        self._later.clear()  # what was typed ahead was meant for the pieces as they stood
        self._follows = True
        self._moved_us = self._clock.now_us()
        self._follow_until_us = self._moved_us + FOLLOW_US

    @property
    def _is_task(self) -> bool:
        """Whether a tutor waits for the user's answer: simulated hands do not give it."""
        lesson = self._desk.lesson if isinstance(self._desk, TaughtDesk) else None
        return lesson is not None and lesson.phase is Phase.ASKED

    def _heed_tutor(self) -> None:
        """Let the simulator lead the pieces to where a tutor asks from, and the words be those of a
        lesson meanwhile: the reason why a move is illegal may be the answer."""
        desk = self._desk
        if not isinstance(desk, TaughtDesk):
            return
        lesson, is_asked = desk.lesson, self._is_task
        exercise = lesson.exercise if lesson is not None else None
        self.tells_why = lesson is None
        self.shows_squares = is_asked and exercise is not None and exercise.type == "find"
        self.is_led_home = lesson is not None and bool(lesson.way_home)
        is_free = not (self._follows or self.held or self.is_busy)
        if lesson is not None and (self.is_demo or (is_free and lesson.phase is Phase.SETUP)):
            self.follow()
        elif lesson is None and self._was_taught:
            self.follow()  # a new game comes next
        self._was_taught = lesson is not None

    def _go_on(self) -> None:
        """The hands have done what they were told last."""
        then, self._then = self._then, None
        if then is not None:
            then()
        elif self._follows:
            self._follow_the_lights()

    def _follow_the_lights(self) -> None:
        view = self._desk.view
        is_asked = view.phase is GamePhase.SETUP and not view.problems and not self._is_task
        self._follows = is_asked or self._clock.now_us() < self._follow_until_us
        if self.board and self.player and is_asked:
            self._follow_until_us = 0
            self.player.set_up(pieces_as_asked(self.board.pieces, view), self._clock.now_us())
        elif not self._follows and view.phase is GamePhase.PLAY:
            self._put_right()  # a game may begin although a piece or two are missing

    def _press(self, text: str) -> str:
        name = text.replace(" ", "_")
        button = button_named(name)
        if button is None or self.board is None:
            near = get_close_matches(name, BUTTONS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(BUTTONS)}"
            return f"press {name[:20]}: no such button; {hint}"
        self.board.press(button)
        return f"pressed {button}"

    def _load(self, name: str) -> str:
        try:
            game = read_game(str(Path(name).expanduser()) if name else "famous")
        except NotationError as error:
            return str(error)
        if self.board is None or self.player is None or self._hand is None:
            return REAL_BOARD
        fresh = self._desk.view.position == game.start and is_settled(self.pieces, self._desk.view)
        if not fresh and game.start != Position.start():
            return f"this game starts from another position; use boardfw run --play {name}"
        self._take_over()
        self._hand.held.clear()
        now_us = self._clock.now_us()
        if fresh:
            self.player.begin(game.start, game.moves, now_us)
        else:
            self.press("new_game")
            self.player.restart(game.start, game.moves, now_us)
        title = " - ".join(game.tags.get(side, "?") for side in ("White", "Black"))
        return f"{self.player.kind} hands play {title}"
