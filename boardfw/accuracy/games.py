"""The games that hands are given to play: of files, famous ones, random ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import chain, count, cycle, islice
from random import Random

from boardfw.errors import NotationError
from boardfw.notation.fen import format_fen
from boardfw.notation.pgn import MainLine, scan_file, scan_games
from boardfw.recording import START_FEN
from boardfw.rules import Move, Position

FAMOUS = "famous"
"""Name of the built-in games."""
RANDOM = "random"
"""Name of games that chance plays."""
USUAL_COUNT = 30
"""How many games are played where no number and no file is given."""
RANDOM_PLIES = 80

CASTLING, PROMOTION, CAPTURE, QUIET = 12, 6, 4, 1
"""How much likelier a random player chooses such a move; by chance alone castling is rare."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game of chess as text, so that it can be handed to another process."""

    name: str
    start_fen: str
    moves: tuple[str, ...]


def games_of(names: Sequence[str], number: int | None, seed: int) -> list[Played]:
    """So many games of these files; where no number is given all of them, USUAL_COUNT random ones.

    Without names: the famous games, then random ones. Where more are wanted than there are, they
    come again, for other seeds of the hands. Raises NotationError.
    """
    if not names:
        return list(islice(chain(_famous(), _random_games(seed)), number or USUAL_COUNT))
    named = (_named(name, number, seed) for name in names)
    found = list(islice(chain.from_iterable(named), number))
    return found if number is None else list(islice(cycle(found), number))


def _named(name: str, number: int | None, seed: int) -> Iterable[Played]:
    if name == FAMOUS:
        return _famous()
    if name == RANDOM:
        return islice(_random_games(seed), number or USUAL_COUNT)
    return _games(scan_file(name), name)


def _famous() -> Iterator[Played]:
    file = resources.files("boardfw.accuracy").joinpath("classics.pgn")
    for game in scan_games(file.read_text(encoding="utf-8")):
        yield _played(game, game.tags["Event"])


def _games(games: Iterable[MainLine], name: str) -> Iterator[Played]:
    """Raises NotationError for a game whose moves break off, and where no game has any."""
    found = 0
    for number, game in enumerate(games, 1):
        for fault in game.faults:
            if fault.breaks:
                raise NotationError(str(fault))
        if game.moves:
            found += 1
            yield _played(game, f"{name} {number}")
    if not found:
        raise NotationError(f"{name}: holds no game with moves")


def _played(game: MainLine, name: str) -> Played:
    return Played(name, format_fen(game.start), tuple(move.uci() for move in game.moves))


def _random_games(seed: int) -> Iterator[Played]:
    for number in count(seed):
        moves = random_game(number, RANDOM_PLIES)
        yield Played(f"random {number}", START_FEN, tuple(move.uci() for move in moves))


def random_game(seed: int, plies: int, start: Position | None = None) -> list[Move]:
    """Legal moves of a player who likes to take, to castle and to promote."""
    chance, position = Random(seed), start or Position.start()
    moves: list[Move] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(chance.choices(legal, [_liking(move) for move in legal])[0])
        position = position.play_unchecked(moves[-1])
    return moves


def _liking(move: Move) -> int:
    if move.is_castling:
        return CASTLING
    if move.promotion:
        return PROMOTION
    return QUIET if move.captured is None else CAPTURE
