"""Plays a story on a session, with a setting's switches, and tells what it got wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from boardfw.game.build_view import look
from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Checked,
    Ended,
    Finalised,
    MismatchCleared,
    Mismatched,
    Moved,
    NewGame,
    TakenBack,
)
from boardfw.lights.patterns import STEP_US
from boardfw.lights.render import render
from boardfw.lights.scene import scene
from boardfw.notation.fen import format_fen
from boardfw.recording import Press
from boardfw.rules import Move
from boardfw.squares import EVERY_SWITCH, NAMES, Square, squares_in
from tests.dance_words import word
from tests.dances import Table
from tests.lights.shown import squares_of
from tests.panels import known_button
from tests.stories.reading import CUES
from tests.stories.story import (
    Button,
    Chosen,
    Heard,
    Lit,
    Says,
    SoFar,
    Story,
    Turn,
)
from tests.stories.switches import REST_US, Setting, read_by

SHOWN_US = 2_000_000
"""A light that blinks or breathes is seen within this time."""

RARE = ("ask", "mismatch", "take back", "new game", "result")
"""Said only where the story is about them, and as often as it says."""

KINDS: dict[type[Action], str] = {
    Moved: "move",
    Amended: "amend",
    Finalised: "final",
    TakenBack: "take back",
    Asked: "ask",
    Mismatched: "mismatch",
    MismatchCleared: "cleared",
    Ended: "result",
    NewGame: "new game",
    Checked: "check",
}

Look: TypeAlias = Button | Chosen | Turn | Says | SoFar | Lit

SWAPPED = {"1-0": "0-1", "0-1": "1-0", "white": "black", "black": "white"}


def troubles(story: Story, setting: Setting) -> list[str]:
    """What goes wrong when the story is played at a setting; each names its line."""
    return _Play(story, setting).troubles()


class _Play:
    def __init__(self, story: Story, setting: Setting) -> None:
        self._story = story
        self._setting = setting
        self._flip = setting.flip
        self._looked = 0
        self._wrong: list[str] = []
        start = story.start
        fen = format_fen(start)
        self._table = Table(
            mirrored_fen(fen) if setting.mirrored else fen,
            standing=setting.set(start.occupied),
            first_us=0,
        )

    def troubles(self) -> list[str]:
        looks = [
            h
            for h in self._story.happenings
            if isinstance(h, Button | Chosen | Turn | Says | SoFar | Lit)
        ]
        scans = list(read_by(self._setting, self._story))
        looked = 0
        try:
            for t_us, occupancy in scans:
                while looked < len(looks) and looks[looked].t_us < t_us:
                    self._look(looks[looked])
                    looked += 1
                self._table.scan(t_us, occupancy)
            for look_ in looks[looked:]:
                self._look(look_)
            self._table.wait(self._story.end_us + REST_US - self._table.t_us)
            self._table.finish()
        except AssertionError as error:  # what the table's own fold finds wrong
            return [*self._wrong, f"{self._story.file}: the board contradicts itself: {error}"]
        return self._wrong + self._at_the_end()

    # --- what is to be looked at on the way

    def _look(self, happening: Look) -> None:
        self._table.wait(happening.t_us - self._table.t_us)
        if isinstance(happening, Button):
            button = known_button(self._swapped(happening.name, "_"))
            self._table.take(Press(happening.t_us, button))
        elif isinstance(happening, Chosen):
            self._answer(happening)
        elif isinstance(happening, Turn):
            pass  # the switches tell
        elif isinstance(happening, Says):
            self._listen(happening)
        elif isinstance(happening, SoFar):
            now, told = self._table.moves, self._game(happening.game)
            if now != told:
                self._wrong.append(f"{_at(happening)}: the record is {now or 'empty'}, not {told}")
        else:
            self._wrong += [f"{_at(happening)}: {trouble}" for trouble in self._dark(happening)]

    def _answer(self, chosen: Chosen) -> None:
        """Press the button of a move: which it is depends on the names of the other candidates."""
        uci = self._name(chosen.origin) + self._name(chosen.target)
        asked = [a.candidates for a in self._table.actions if isinstance(a, Asked)]
        candidates = asked[-1] if asked else ()
        if uci in candidates:
            button = known_button(f"answer_{candidates.index(uci) + 1}")
            self._table.take(Press(chosen.t_us, button))
        else:
            asks = " ".join(candidates) or "about nothing"
            self._wrong.append(f"{_at(chosen)}: {uci} is no answer; the board asks {asks}")

    def _listen(self, says: Says) -> None:
        begin_us = self._story.begin_us
        said = [a for a in self._table.actions[self._looked :] if a.t_us >= begin_us]
        self._looked = len(self._table.actions)
        if says.words:
            missing = self._missing(says.words, said)
            if missing is not None:
                self._wrong.append(
                    f"{_at(says)}: {self._told(missing)} was not said, but {_all(said)}"
                )
        elif _all(said) != "nothing":
            self._wrong.append(f"{_at(says)}: not silence, but {_all(said)}")

    def _dark(self, lit: Lit) -> Iterator[str]:
        shown = scene(look(self._table.session))
        for cue, squares in lit.cues:
            wanted = {square ^ self._flip for square in squares}
            there = set(squares_in(squares_of(shown, CUES[cue]))) if cue else self._glowing()
            if there != wanted:
                yield f"{cue or 'light'} is on {_names(there)}, not on {_names(wanted)}"

    def _glowing(self) -> set[Square]:
        """Squares whose light is seen, blinking or not."""
        shown = scene(look(self._table.session))
        glowing = set()
        for t_us in range(self._table.t_us, self._table.t_us + SHOWN_US, STEP_US):
            pixels = render(shown, t_us).pixels
            glowing |= {lamp for lamp in EVERY_SWITCH if any(pixels[3 * lamp : 3 * lamp + 3])}
        return set(map(shown.orientation.square, glowing))

    # --- what is to be looked at when all is over

    def _at_the_end(self) -> list[str]:
        story, wrong, said = self._story, [], self._table.actions
        games = [self._game(game) for game in story.games if game]
        if self._table.games != games:
            wrong.append(
                f"game {' | '.join(self._table.games) or 'empty'}, not {' | '.join(games)}"
            )
        result = self._swapped(story.result, " ")
        if self._table.result != result:
            wrong.append(f"result {self._table.result}, not {result}")
        missing = self._missing(story.says, said)
        if missing is not None:
            wrong.append(f"{self._told(missing)} was not said in its turn, but {_all(said)}")
        wrong += self._rare(said)
        wrong += self._wrong_finals(said)
        return [f"{story.file}: {trouble}" for trouble in wrong]

    def _rare(self, said: list[Action]) -> Iterator[str]:
        for kind in RARE:
            if kind in self._story.may_say:
                continue
            heard = sum(KINDS.get(type(action)) == kind for action in said)
            wanted = sum(word.kind == kind for word in self._story.words)
            if kind == "result" and not wanted:
                wanted = self._story.result != "*"
            if heard != wanted:
                yield f"{kind} was said {heard} times, not {int(wanted)}: {_all(said)}"

    def _wrong_finals(self, said: list[Action]) -> Iterator[str]:
        """A ply that was never played may not become final, whatever is said of it later."""
        played = {
            (ply, self._uci(move))
            for game in [*self._story.games, *self._story.once]
            for ply, move in enumerate(game, 1)
        }
        for action in said:
            if isinstance(action, Finalised) and (action.ply, action.uci) not in played:
                yield f"{word(action)} at {action.t_us / 1e6:.2f} s was never played"

    def _missing(self, words: tuple[Heard, ...], said: list[Action]) -> Heard | None:
        """The first word that was not said after those before it."""
        rest = iter(said)
        return next((w for w in words if not any(self._is(action, w) for action in rest)), None)

    def _is(self, action: Action, heard: Heard) -> bool:
        amends = heard.kind == "move" and isinstance(action, Amended)
        if KINDS.get(type(action)) != heard.kind and not amends:
            return False
        told = word(action).split()
        if heard.move is not None:
            return told[1:] == [heard.about, self._uci(heard.move)]
        if heard.squares and isinstance(action, Mismatched):
            signs = {"missing": "-", "extra": "+"}
            wanted = {signs[sign] + self._name(square) for sign, square in heard.squares}
            return set(told[1:]) == wanted
        if heard.squares and isinstance(action, Asked):
            steps = [self._name(square) + piece for piece, square in heard.squares]
            return set(told[1:]) == {a + b for a, b in zip(steps[::2], steps[1::2], strict=True)}
        if heard.squares:
            return told[1:] == [self._name(heard.squares[0][1])]
        about = self._swapped(heard.about, " ").split()
        return told[-len(about) :] == about if about else True

    def _told(self, heard: Heard) -> str:
        squares = " ".join(f"{sign} {self._name(square)}" for sign, square in heard.squares)
        move = self._uci(heard.move) if heard.move else ""
        return " ".join(filter(None, (heard.kind, heard.about, move, squares)))

    # --- colours

    def _game(self, moves: tuple[Move, ...]) -> str:
        return " ".join(map(self._uci, moves))

    def _uci(self, move: Move) -> str:
        return self._name(move.origin) + self._name(move.target) + move.uci()[4:]

    def _name(self, square: Square) -> str:
        return NAMES[square ^ self._flip]

    def _swapped(self, text: str, separator: str) -> str:
        if not self._setting.mirrored:
            return text
        return separator.join(SWAPPED.get(part, part) for part in text.split(separator))


def mirrored_fen(fen: str) -> str:
    """The same position with the colours changed."""
    pieces, turn, castling, passing, *counts = fen.split()
    pieces = "/".join(reversed(pieces.split("/"))).swapcase()
    castling = "".join(sorted(castling.swapcase()))
    return " ".join(
        [pieces, "b" if turn == "w" else "w", castling, passing.translate(_RANKS), *counts]
    )


_RANKS = str.maketrans("36", "63")


def _at(happening: Says | SoFar | Lit | Chosen) -> str:
    return f"{happening.line.file}:{happening.line.number}"


def _names(squares: set[Square]) -> str:
    return " ".join(NAMES[square] for square in sorted(squares)) or "no square"


def _all(said: list[Action]) -> str:
    told = [
        word(action)
        for action in said
        if type(action) in KINDS and not isinstance(action, Checked | Finalised)
    ]
    return "; ".join(told) or "nothing"
