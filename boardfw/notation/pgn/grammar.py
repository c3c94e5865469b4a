"""The grammar of a game: words are read one by one and handed to a builder.

A game never fails as a whole. What cannot be read is a ``Fault``, the moves before it are kept, and
so is the text behind it, as a comment that begins with ``unread``; reading goes on with the
variation that follows, or the next game. Move numbers are not needed to read a game, but wrong ones
show that moves are missing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.notation.move_text import FOUND_BY, LONGEST, fitting, read
from boardfw.notation.nag import parse_nag
from boardfw.notation.pgn import tokens
from boardfw.notation.pgn.builders import Builder
from boardfw.notation.pgn.faults import FaultBook
from boardfw.notation.pgn.tags import START, Heading, begins_game, parse_tag
from boardfw.notation.pgn.tree import NULL, after
from boardfw.notation.result import parse_result
from boardfw.notation.san import move_number, parse_san
from boardfw.rules.position import Position


class Numbers:
    """Compares the move numbers of a game with its moves and reports the first that is wrong."""

    def __init__(self, report: FaultBook) -> None:
        self._report = report
        self._ahead = 0
        """How far the position's number is ahead of the text's: many games that start from a
        position are numbered from 1."""
        self._is_told = False

    def check(self, number: str, position: Position, line: int = 0, *, is_first: bool) -> None:
        """A number in front of the next move, or of the first; digits only."""
        due = str(position.fullmove_number - self._ahead)
        if self._is_told or number.lstrip("0") == due:
            return
        if is_first and number == "1":
            self._ahead = position.fullmove_number - 1
            return
        self._is_told = True
        self._report(
            f"move number {number[:9]} where {due} is expected; "
            "moves are missing or superfluous here, or the number is wrong",
            line,
        )


T = TypeVar("T")


class Reading(Generic[T]):
    """One game while it is being read.

    A line of moves is *live* while its moves can be played. It is dead after a fault, after the
    result, and in a variation that the builder skips; its words are then counted, not played.
    """

    def __init__(self, builder: Callable[[], Builder[T]], name: str) -> None:
        self.book = self._fault = FaultBook(name)
        self.is_live = True
        self._builder = builder()
        self._add = self._builder.move
        self._comment = self._builder.comment
        self._heading = Heading(self._fault)
        self._numbers = Numbers(self._fault)
        self._position = START
        self._before: Position | None = None
        """The position before the last move of this line; None: no move yet."""
        self._text: tuple[str, int] | None = None
        """The first word that is no tag, comment or plain move, and its line in the text."""
        self._early_number = ""
        """A move number before any move."""
        self._skipped = False
        """Whether a word has been left out since the last move."""
        self._is_said = False
        """Whether there is a comment, or a text that became one."""
        self._result: str | None = None
        self._result_line = 0
        self._inner_result: str | None = None
        """A result at the end of a variation, which may be that of the game; else None."""
        self._outer: list[tuple[Position, Position, int]] = []
        """For each variation we are in: where it branches off, and the text line of its (."""
        self._aside = 0
        """The text line of the ( of a variation that is skipped as a whole; 0: none is."""
        self._depth = 0
        """Number of open variations since the line became dead."""
        self._is_broken = False
        """Whether the line is dead because of a fault: its words are kept as text."""

    @property
    def is_game(self) -> bool:
        """Whether there is anything that makes a game: a tag, a move, a comment."""
        return bool(self._before or self._heading.tags or self._is_said or self._outer)

    @property
    def moves(self) -> int:
        """How many moves this line has so far, from the start of the game."""
        return self._position.fullmove_number - self._heading.start.fullmove_number

    @property
    def plies(self) -> int:
        """How many plies the main line has so far."""
        start, end = self._heading.start, self._outer[0][0] if self._outer else self._position
        return 2 * (end.fullmove_number - start.fullmove_number) + end.turn - start.turn

    def use_letters(self, language: str) -> None:
        """The letters of the pieces are those of this language."""
        self._builder.letters(language)

    def number(self, word: str) -> None:
        """A move number before the next move."""
        if self._skipped and word != str(self._position.fullmove_number):
            self._break(word, "is missing: the word that was left out may have been that move")
            return
        if word != str(self._position.fullmove_number):
            self._numbers.check(word, self._position, is_first=self._before is None)

    def play(self, word: str) -> None:
        """A word that should be a move."""
        position = self._position
        move = FOUND_BY[word](position) if len(word) <= LONGEST else None
        if move is None:
            form = read(word)
            found = fitting(position, form) if form is not None else ()
            if len(found) != 1:
                self._take_other(word)
                return
            move = found[0]
        self._before = position
        self._position = position.play_unchecked(move)
        self._skipped = False
        self._add(move)
        if (
            word[-1] in tokens.JUDGING
            and (number := parse_nag(tokens.glued_sign(word))) is not None
        ):
            self._builder.nag(number)

    def is_over_with(self, word: str) -> bool:
        """Whether this word begins the next game."""
        sort = word[0]
        if sort == "[":
            return self._is_next_tag(word)
        if sort == tokens.PARAGRAPH:
            is_inside = bool(self._outer or self._depth)
            is_movetext = self._moves_begun and self.is_game
            return is_movetext and (not is_inside or self._inner_result is not None)
        is_behind = self._result is not None and sort not in tokens.AFTER_RESULT
        return is_behind and parse_result(word) is None

    @property
    def _moves_begun(self) -> bool:
        return self._text is not None or self._before is not None

    def _is_next_tag(self, word: str) -> bool:
        if self._before is not None or self._outer:
            is_over = self._result is not None
            return parse_tag(word) is not None or begins_game(word, is_over=is_over)
        if self._text is None:
            return self._heading.repeats_event(word)
        if not self.is_game:
            return False
        is_apart = self._result is not None and self.book.line > self._result_line + 1
        return is_apart or not self._heading.tags or not self._heading.goes_on_with(word)

    def take(self, word: str) -> None:
        """Any word of this game."""
        sort = word[0]
        if sort == tokens.PARAGRAPH:
            return
        if sort == "[":
            self._take_tag(word)
        elif sort == "{":
            self.take_comment(word)
        else:
            self._text = self._text or (word, self.book.line)
            if self.is_live or self._result is not None:
                self._take_sign(sort, word)
            else:
                self._pass_over(word)

    def take_comment(self, word: str) -> None:
        """A comment, or what should be one."""
        self._is_said = True
        text = word[1:-1]
        if word[-1] != "}":
            text = word[1:]
            swallows_moves = self._result is None
            self._fault("this comment is never closed; add a }", breaks=swallows_moves)
        elif "{" in text:
            self._fault("this comment contains another {; close the first with a }")
        if self.is_live or self._result is not None or not self._moves_begun:
            self._comment(text)
        elif self._is_broken:
            self._builder.unread(f"({text})")

    def finish(self) -> T:
        """The game that has been read."""
        opened = self._aside or (self._outer[-1][2] if self._outer else 0)
        if opened:
            self._fault("this variation is never closed; add a )", opened, breaks=True)
        for _ in self._outer:
            self._builder.close()
        result = self._result or self._inner_result
        tag = self._heading.result()
        if result is None and tag not in (None, "*"):
            self._fault(f"the game has no result at its end, but tag Result is {tag}; add {tag}")
        if result in (None, "*"):
            result = tag
        heading = self._heading
        if self._early_number and self._text:
            self._numbers.check(self._early_number, heading.start, self._text[1], is_first=True)
        return self._builder.game(
            heading.tags, heading.start, result or "*", tuple(self._fault.faults)
        )

    def drop(self) -> None:
        """Report words that make no game."""
        self._tell_stray()

    # --- tags

    def _take_tag(self, word: str) -> None:
        if self._text:
            self._tell_stray()
            self._text = self._result = None
            self._early_number = ""
            self._revive()
        if self._heading.take(word):
            self._position = self._heading.start
        else:
            self._keep(word)
        if self._heading.is_startless:
            self.is_live, self._is_broken = False, True

    def _tell_stray(self) -> None:
        """Report text where only tags may be, unless a fault has already reported it."""
        if self._text and not self._is_broken and not self._fault.has(self._text[1]):
            word, line = self._text
            self._fault(f"{quoted(word)} is between tags or games; remove it", line)

    # --- live lines

    def _take_sign(self, sort: str, word: str) -> None:
        if sort in "$!?":
            self._take_nag(word)
        elif sort == "(" and len(word) == 1:
            self._open()
        elif sort == ")":
            self._close()
        elif sort in "}]":
            self._fault(f"{quoted(word)} has no place in a game; remove it")
        elif result := parse_result(word):
            self._take_result(result)
        elif not tokens.NUMBER.fullmatch(word):
            self.play(word)
        elif self._before is None and not self._outer:
            self._early_number = self._early_number or word.rstrip(".…")
        elif number := word.rstrip(".…"):
            self.number(number)

    def _take_nag(self, word: str) -> None:
        number = parse_nag(word)
        if number is None:
            self._fault(f"{quoted(word)} is not a NAG; write one of $0 to $255, or ! ? !! ?? !? ?!")
        else:
            self._builder.nag(number)

    def _take_other(self, word: str) -> None:
        """A word that was no legal move."""
        self._text = self._text or (word, self.book.line)
        if word in tokens.NULLS and (self._outer or self._before):
            self._take_null(word)
        elif (number := parse_nag(word)) is not None:
            self._builder.nag(number)
        elif result := parse_result(word):
            self._take_result(result)
        elif word.lower() in tokens.SILENT and self._before is not None:
            return
        elif self._before is None or tokens.MOVE_LIKE.search(word):
            self._break(word, self._why(word))
        else:
            self._skip(word)

    def _why(self, word: str) -> str:
        """Why a word is no legal move; empty if nobody is going to read it."""
        decides = not (self._fault.ends_game or self._outer)
        if self._fault.is_full and not decides:  # it names legal moves: that takes time
            return ""
        try:
            parse_san(self._position, word)
        except NotationError as error:
            return str(error)
        return ""

    def _skip(self, word: str) -> None:
        """Leave out a word that cannot have been meant as a move; the moves after it are read."""
        number = move_number(self._position)
        self._fault(f"at move {number} {quoted(word)} is neither a move nor a sign; it is left out")
        self._skipped = True
        self._keep(word)

    def _take_null(self, word: str) -> None:
        position = self._position
        if not self._outer:
            number = move_number(position)
            self._fault(f"move {number} {word}: a player cannot pass; the game is read up to here")
            self._die(f"{number} {word}")
            return
        if position.is_check():
            self._break(word, f"{word}: a side in check cannot pass; write a move")
            return
        self._before = position
        self._position = after(position, NULL)
        self._add(NULL)

    def _take_result(self, result: str) -> None:
        if self._outer:
            self._inner_result = result
            self._builder.comment(result)
            return
        if self._result is not None or not self.is_game:
            self._fault(f"the result {result} belongs to no game; remove it")
            return
        self._result, self._result_line = result, self.book.line
        self.is_live = False
        self._builder.end()
        tag = self._heading.result()
        if tag not in (result, "*", None):
            self._fault(f"the game ends with {result}, but tag Result is {tag}; make them the same")

    def _open(self) -> None:
        if self._before is None:
            self._fault("a variation needs a move before it, to which it is an alternative")
            self._die("(", aside=True)
        elif self._builder.open():
            self._outer.append((self._position, self._before, self.book.line))
            self._position, self._before = self._before, None
        else:
            self.is_live = self._is_broken = False
            self._aside, self._depth = self.book.line, 1

    def _close(self) -> None:
        if not self._outer:
            self._fault("this ) closes no variation; remove it")
            return
        self._builder.close()
        self._position, self._before, _ = self._outer.pop()
        self._revive()

    # --- dead lines

    def _break(self, word: str, text: str) -> None:
        """End the moves of this line with a fault."""
        number = move_number(self._position)
        self._fault(f"move {number} {text}", breaks=True, is_inner=bool(self._outer))
        self._die(f"{number} {word}")

    def _die(self, word: str, *, aside: bool = False) -> None:
        self.is_live, self._is_broken = False, True
        self._aside, self._depth = (self.book.line, 1) if aside else (0, 0)
        self._keep(word)

    def _keep(self, word: str) -> None:
        self._builder.unread(word)
        self._is_said = True

    def _revive(self) -> None:
        self.is_live, self._is_broken = True, False
        self._aside = self._depth = 0
        self._inner_result = None

    def _pass_over(self, word: str) -> None:
        """A word of a dead line."""
        if word == ")" and not self._depth and self._outer:
            self._close()
            return
        result = parse_result(word)
        if result and not self._depth and not self._outer:
            self._take_result(result)
            return
        self._inner_result = result
        if self._is_broken:
            self._builder.unread(word)
        if word == "(":
            self._depth += 1
        elif word == ")" and self._depth:
            self._depth -= 1
            if self._aside and not self._depth:
                self._revive()
