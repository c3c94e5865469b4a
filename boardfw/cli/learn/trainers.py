"""Trainers: what each is made from, and where its answers are kept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from boardfw.cli.journal import complain
from boardfw.cli.learn import Place
from boardfw.cli.learn.lessons import Teaching, log_of
from boardfw.errors import BoardError, NotationError
from boardfw.given import read_given
from boardfw.learning.course import Course
from boardfw.learning.endings import value
from boardfw.learning.schedule import due
from boardfw.learning.trainers.ending_trainer import ending_trainer, starts
from boardfw.learning.trainers.game_trainers import GuessTrainer, ReplayTrainer
from boardfw.learning.trainers.mistake_trainer import Turns, ask, mistakes_of
from boardfw.learning.trainers.opening_trainer import OpeningTrainer
from boardfw.learning.trainers.repertoire import read_book
from boardfw.learning.trainers.setup_practice import read_positions, setup_trainer
from boardfw.notation.pgn import Game, read_file, read_games
from boardfw.players.game_player import FAMOUS, famous_game
from boardfw.shell.learning.learner import Log

COLOURS = ("white", "black")
"""As they are written, in the order of their numbers."""


def train_openings(
    place: Place,
    files: tuple[Path, ...],
    colour: str | None,
    new: int,
    profile: str,
    record: Path | None,
) -> int:
    """Ask what is due of a repertoire; the exit status. Raises BoardError."""
    you = None if colour is None else COLOURS.index(colour)
    book = read_book({str(path): _text(path) for path in files}, you)
    for fault in book.faults:
        complain(str(fault))
    with log_of(place, Course(), profile, record) as log:
        due = _due(book.cards, log, new)
        return Teaching(place, f"openings · {log.profile}").run(OpeningTrainer(book, due), log)


def _due(cards: Sequence[str], log: Log, new: int) -> list[str]:
    """Cards that are due by now, and some that were never asked."""
    schedule = log.progress.schedule
    now_ms, known = schedule.now_ms(log.now_ms()), schedule.cards
    waiting = {*due(known, now_ms)}
    asked = [card for card in cards if card in waiting]
    return [*asked, *islice((card for card in cards if card not in known), new)]


def learn_mistakes(
    place: Place,
    files: tuple[Path, ...],
    colour: str | None,
    new: int,
    show: bool,
    profile: str,
    record: Path | None,
) -> int:
    """Show mistakes, or ask for something better; the exit status. Raises BoardError."""
    games = [game for path in files for game in read_games(_text(path), str(path))]
    for fault in (fault for game in games for fault in game.faults):
        complain(str(fault))
    mistakes = mistakes_of(games, None if colour is None else COLOURS.index(colour))
    if not mistakes:
        raise NotationError(
            f"{files[0]}: no mistakes are marked there; 'boardfw games analyse N --out FILE' "
            "writes a game with its mistakes, and --as names the side"
        )
    if show:
        return Teaching(place, "turning points").run(Turns(mistakes))
    with log_of(place, Course(), profile, record) as log:
        due = _due([one.key for one in mistakes], log, new)
        return Teaching(place, f"mistakes · {log.profile}").run(ask(mistakes, due), log)


def replay_game(place: Place, pgn: str, number: int) -> int:
    """Play a game over; the exit status. Raises BoardError."""
    return Teaching(place, f"replay · {pgn}").run(ReplayTrainer(_game(pgn, number)))


def guess_game(place: Place, pgn: str, number: int, colour: str) -> int:
    """Guess one side of a game; the exit status. Raises BoardError."""
    trainer = GuessTrainer(_game(pgn, number), COLOURS.index(colour))
    return Teaching(place, f"guess · {pgn}").run(trainer)


def train_endings(place: Place, ending: str, count: int, profile: str, record: Path | None) -> int:
    """Win endings; the exit status. Raises BoardError."""
    won = starts(ending.upper(), lambda start: bool((known := value(start)) and known.is_won))
    trainer = ending_trainer(won, count)
    with log_of(place, Course(), profile, record) as log:
        return Teaching(place, f"{ending.upper()} · {log.profile}").run(trainer, log)


def practise_setting_up(
    place: Place, file: Path | None, alone: bool, profile: str, record: Path | None
) -> int:
    """Practise setting up positions; the exit status. Raises BoardError."""
    positions = () if file is None else read_positions(str(file), _text(file))
    trainer = setup_trainer(positions, guided=not alone)
    with log_of(place, Course(), profile, record) as log:
        return Teaching(place, f"setting up · {log.profile}").run(trainer, log)


def _text(path: Path) -> str:
    try:
        return read_given(path).decode("utf-8-sig")
    except OSError as error:
        raise BoardError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BoardError(f"{path}: is not UTF-8 text; save it in UTF-8") from error


def _game(name: str, number: int) -> Game:
    """A game of a file, or the built-in one. Raises BoardError."""
    games = read_games(famous_game()) if name == FAMOUS else read_file(Path(name))
    game = next(islice(games, number - 1, None), None)
    if game is None:
        raise NotationError(f"{name}: has no game {number}")
    for fault in game.faults:
        complain(str(fault))
    if not game.children:
        raise NotationError(f"{name}: game {number} has no moves")
    return game
