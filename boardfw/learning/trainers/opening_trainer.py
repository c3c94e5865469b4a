"""Trainer of openings: the opponent's ply by lights, then yours out of your book."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardfw.learning.course import Exercise, Remark, Words
from boardfw.learning.lesson import Result
from boardfw.learning.task import Line as LineTask
from boardfw.learning.task import OneMove
from boardfw.learning.trainers.line_choice import Line, Ply, fork, line_from, lines
from boardfw.learning.trainers.repertoire import Book
from boardfw.learning.trainers.sentences import (
    card_of,
    narrower,
    nudge,
    numbered,
    plays,
    sentences,
    shown,
)
from boardfw.notation.opening_names import name_of, opening_of
from boardfw.notation.san import format_san
from boardfw.rules import Move, Position
from boardfw.rules.board import COLOR_NAMES


class OpeningTrainer:
    """Asks each due card of a book once; a ``Source``.

    After an answer the line goes on from what was played, if more due cards can be reached from
    there; else with the next line, of which the beginning that has been played stays.
    """

    def __init__(self, book: Book, due: Iterable[str]) -> None:
        """``due``: cards; those that are not in the book are passed over."""
        self._book = book
        self._due = {*book.cards} & {*due}
        self._path: list[Position] = []
        """All positions that led to what stands, which is the last one."""
        self._line: Line = ()
        self._at = 0
        """How many plies of the line have been played."""
        self._asked = self._found = 0

    def next(self, last: Result | None, /) -> Exercise | None:
        """The next ply to be shown, or to be answered."""
        if last is not None and self._line:
            self._go_on(last)
        if self._at == len(self._line):
            self._begin_line()
        return self._exercise() if self._line else None

    def closing(self) -> str:
        """The result: said when there is nothing more to ask."""
        return f"{self._found} of {self._asked} answers right at once."

    # --- where it goes

    @property
    def _plies(self) -> Sequence[Ply]:
        """The plies of this exercise: one, or the opponent's and your answer."""
        line, at = self._line, self._at
        is_answered = not line[at].is_asked and at + 1 < len(line) and line[at + 1].is_asked
        return line[at : at + 1 + is_answered]

    def _go_on(self, last: Result) -> None:
        """An exercise is over; one that was skipped goes on as the line does."""
        plies = self._plies
        answer = plies[-1]
        if answer.is_asked:
            self._due.discard(answer.card)
            self._asked += 1
            self._found += last.is_solved and not last.errors and not last.helps
        self._path += [ply.position for ply in plies[1:]]
        played = _played(last, len(plies)) or answer.move
        self._path.append(answer.position.play(played))
        self._at += len(plies)
        if played != answer.move:
            self._line, self._at = line_from(self._book, self._due, self._path[-1]), 0

    def _begin_line(self) -> None:
        path = [card_of(position) for position in self._path]
        planned = lines(self._book, self._due, path)
        self._line = planned[0] if planned else ()
        self._at = fork(path, self._line)
        self._path = [ply.position for ply in self._line[: self._at + 1]]

    # --- what is asked

    def _exercise(self) -> Exercise:
        *before, ply = self._plies
        if not ply.is_asked:
            return shown(ply.position, ply.move, self._book.you, after=self._said(ply))
        moves = (ply.move, *(move for move in self._accepted(ply) if move != ply.move))
        task = LineTask(((before[0].move,), moves), self._book.you) if before else OneMove(moves)
        words = self._words(before, ply)
        others = (move for move in ply.position.legal_moves() if move not in moves)
        return Exercise(
            ply.card,
            (before or [ply])[0].position,
            task,
            words,
            you=self._book.you,
            remarks={move: self._remark(ply.position, move) for move in others},
        )

    def _remark(self, position: Position, move: Move) -> Remark:
        """What the book says of a legal move that is not right.

        A move that it does not have is no error if it leads to an opening with a name.
        """
        entry, san = self._book.places[card_of(position)].find(move), format_san(position, move)
        if entry is not None:
            return Remark(sentences(f"The book calls {san} a mistake.", entry.said), is_error=True)
        opening = name_of(position.play(move))
        known = "" if opening is None else f", though it has a name: {opening.name}"
        return Remark(sentences(f"{san} is not in your book{known}."), is_error=opening is None)

    def _accepted(self, ply: Ply) -> list[Move]:
        return [entry.move for entry in self._book.right(ply.card)]

    def _words(self, before: Sequence[Ply], ply: Ply) -> Words:
        how_many = len(self._accepted(ply))
        return Words(
            say=sentences(
                f"You are {COLOR_NAMES[self._book.you]}.",
                *(f"{plays(one.position, one.move)}: make it, then answer." for one in before),
                "" if before else "Play a move of your book.",
                f"{how_many} moves are right." if how_many > 1 else "One move is right.",
            ),
            hint1=nudge(ply.move),
            hint2=narrower(ply.move),
            solved=sentences(
                f"Your book has {self._choices(ply)}.",
                self._name_of_line(),
                self._said(ply),
                *map(self._said, before),
            ),
        )

    def _choices(self, ply: Ply) -> str:
        sans = [format_san(ply.position, move) for move in self._accepted(ply)]
        if len(sans) == 1:
            return numbered(ply.position, ply.move)
        return f"{', '.join(sans[:-1])} and {sans[-1]}"

    def _said(self, ply: Ply) -> str:
        """The book's comment on a ply of the line."""
        entry = self._book.places[ply.card].find(ply.move)
        return "" if entry is None else entry.said

    def _name_of_line(self) -> str:
        """What the opening is called, where the line ends."""
        line = self._line
        if self._at + len(self._plies) < len(line):
            return ""
        positions = [*self._path, *(ply.position for ply in line[self._at + 1 :])]
        opening = opening_of([*positions, line[-1].position.play(line[-1].move)])
        return "" if opening is None else f"This is {opening.name}."


def _played(last: Result, plies: int) -> Move | None:
    """What was played as the last of so many plies; None: the exercise was skipped."""
    return last.played[plies - 1] if last.is_solved and len(last.played) >= plies else None
