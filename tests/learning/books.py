"""Repertoires made by chance: walks over legal moves, in which positions meet again."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise

from boardfw.learning.trainers.line_choice import Line, fork
from boardfw.learning.trainers.repertoire import Book, read_book
from boardfw.learning.trainers.sentences import card_of
from boardfw.notation.pgn import Game, Spot, format_game
from boardfw.rules import WHITE, Color, Move, Position
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.planner import plan

DEEPEST = 24
"""Plies of the longest line."""
TWO_MOVES, MEETING = 0.1, 0.5
"""How often you may choose, and how often lines meet if they can."""

KINGS_PAWN = """[Event "King's pawn"]
[Repertoire "White"]

1. e4 e5 (1... c5 {Sicilian} 2. Nf3 (2. f4?! {playable}) (2. Qh5? {too early} Nf6) 2... d6 3. d4)
2. Nf3 {attacks e5} (2. Nc3 Nf6 3. Nf3 Nc6) Nc6 3. Nc3 {[%cal Gb1c3] four knights} Nf6 4. Bb5 *
"""


def book(text: str, you: Color | None = None) -> Book:
    return read_book({"book.pgn": text}, you)


def made(seed: int, cards: int, you: Color = WHITE) -> str:
    """The PGN of a repertoire with so many cards.

    You have one move in most positions, the opponent up to four; where a move leads to a position
    that is known already it is often taken, so that lines meet.
    """
    chance = random.Random(seed)
    game = Game({"Repertoire": COLOR_NAMES[you]})
    spots: list[tuple[Spot, Position, int]] = [(game, game.start, 0)]
    known: set[str] = set()
    asked: set[str] = set()
    while len(asked) < cards:
        spot, position, ply = chance.choice(spots)
        is_yours = position.turn == you
        most = 4 if not is_yours else 2 if chance.random() < TWO_MOVES else 1
        moves = _moves(chance, position, known, {node.move for node in spot.children})
        if ply == DEEPEST or len(spot.children) >= most or not moves:
            continue
        there = position.play(moves[0])
        spots.append((spot.add(moves[0]), there, ply + 1))
        known.add(card_of(there))
        if is_yours:
            asked.add(card_of(position))
    return format_game(game)


def _moves(
    chance: random.Random, position: Position, known: set[str], played: set[Move]
) -> list[Move]:
    """Moves that are not in the book here, in any order; often those first that meet a line."""
    moves = [move for move in position.legal_moves() if move not in played]
    chance.shuffle(moves)
    if chance.random() < MEETING:
        moves.sort(key=lambda move: card_of(position.play(move)) not in known)
    return moves


def hand_actions(found: Iterable[Line]) -> int:
    """How many pieces are carried while these lines are played one after the other.

    The board stands where the first one begins.
    """
    found = [*found]
    played = sum(
        len(plan(one.placement, other.placement))
        for here, line in _visited(found)
        for one, other in pairwise(line[here:])
    )
    return played + take_back_actions(found)


def take_back_actions(found: Iterable[Line]) -> int:
    """How many of them lead back to where the next line leaves the one before."""
    return sum(
        len(plan(last[-1].placement, line[here].placement))
        for (_, last), (here, line) in pairwise(_visited(found))
    )


def _visited(found: Iterable[Line]) -> Iterable[tuple[int, list[Position]]]:
    """The positions of each line, and at which of them it leaves the line before."""
    path: list[str] = []
    for line in found:
        here = fork(path, line)
        last = line[-1].position.play(line[-1].move)
        yield here, [*(ply.position for ply in line), last]
        path = [*(ply.card for ply in line), card_of(last)]
