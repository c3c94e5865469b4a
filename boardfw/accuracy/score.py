"""The score of one game: the record, and what stood in it from when to when, against the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from boardfw.accuracy.ghosts import Scans, ghosts
from boardfw.accuracy.stand import Stand
from boardfw.accuracy.truth import GameTruth
from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Finalised,
    Moved,
    NewGame,
    Stuck,
    TakenBack,
)
from boardfw.squares import Orientation


@dataclass(frozen=True, slots=True)
class Undoing:
    """A ply was taken back or amended; ``final``: it had been called final."""

    t_us: int
    ply: int
    uci: str
    final: bool


class Fold:
    """The first game that the actions tell, as anybody knows it who hears nothing else."""

    def __init__(self) -> None:
        self.record: list[str] = []
        self.games = 1
        self.stands: list[Stand] = []
        self.provisional = 0
        self.amended: list[Undoing] = []
        self.taken_back: list[tuple[Undoing, ...]] = []
        """One entry each time plies were taken back."""
        self.asked: list[Asked] = []
        self.finals: list[Finalised] = []
        self.stuck: list[Stuck] = []
        self._since_us: list[int] = []
        self._final: dict[int, str] = {}

    def hear(self, said: Sequence[Action]) -> None:
        """What was said at once: in between, nothing stood."""
        before = list(self.record)
        for action in said:
            if self.games == 1:
                self._take(action)
        self._compare(before, said[-1].t_us)

    def close(self, t_us: int) -> None:
        """Nothing more is said: what stands stood until this instant."""
        for ply, uci in enumerate(self.record):
            self.stands.append(Stand(ply, uci, self._since_us[ply], t_us))

    def _take(self, action: Action) -> None:
        match action:
            case Moved(uci=uci, provisional=provisional):
                self.record.append(uci)
                self.provisional += provisional
            case Amended(t_us=t_us, ply=ply, uci=uci):
                self.amended.append(self._undone(t_us, ply - 1))
                self.record[ply - 1] = uci
            case TakenBack(t_us=t_us, plies=plies):
                first = len(self.record) - plies
                undone = [self._undone(t_us, ply) for ply in range(first, len(self.record))]
                self.taken_back.append(tuple(undone))
                del self.record[first:]
            case Finalised(ply=ply, uci=uci):
                self.finals.append(action)
                self._final[ply - 1] = uci
            case Asked():
                self.asked.append(action)
            case Stuck():
                self.stuck.append(action)
            case NewGame() if self.record:
                self.games += 1

    def _undone(self, t_us: int, ply: int) -> Undoing:
        final = self._final.pop(ply, None) is not None
        return Undoing(t_us, ply, self.record[ply], final)

    def _compare(self, before: list[str], t_us: int) -> None:
        """Note which moves stand no longer, and since when others do."""
        for ply, uci in enumerate(before):
            if self.record[ply : ply + 1] != [uci]:
                self.stands.append(Stand(ply, uci, self._since_us[ply], t_us))
                self._since_us[ply] = t_us
        since = self._since_us[: len(self.record)]
        self._since_us = since + [t_us] * (len(self.record) - len(since))


LONG_US = 1_000_000
"""A wrong ply that stands for so long counts as seen and believed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time of a game and of its slowest event, in microseconds."""

    total_us: int = 0
    slowest_us: int = 0


@dataclass(frozen=True, slots=True)
class Wrong:
    """A move that was said of ply ``ply`` (1 = the first) and was not played; ``played`` was.

    ``played`` is empty where the game had ended before.
    """

    ply: int
    uci: str
    played: str
    t_us: int
    stood_us: int = 0


@dataclass(frozen=True, slots=True)
class Parting:
    """Where the record first differs from the game; a move is empty where there is none."""

    ply: int
    played: str
    recorded: str
    tags: tuple[str, ...]
    asked: bool
    """Whether the board ever named the move played among those it asked about."""


@dataclass(frozen=True, slots=True)
class GameScore:
    """One game: what was recorded of it, how soon, and what was said wrong meanwhile."""

    kind: str
    number: int
    name: str
    seed: int
    plies: int
    plies_exact: int
    """Plies of the final record that are the game's."""
    games: int
    """Games that were recorded; more than one is wrong."""
    parting: Parting | None
    is_unseen: bool
    """Whether nothing can tell which game it was: it differs from the record in one ply alone, a
    capture that no switch has seen or a promotion that a lost contact has changed, and the board
    asked about it."""
    provisional: int
    amended: int
    take_backs: int
    unmade: int
    """Take-backs among them that were not made."""
    asked: int
    finals: int
    """How often a ply was called final."""
    wrong_finals: tuple[Wrong, ...]
    finals_undone: int
    wrong_long: tuple[Wrong, ...]
    """Wrong moves that stood for a second or longer."""
    ghosts: tuple[Wrong, ...]
    """Plies that stood for more than half a second though the board never showed them."""
    stuck_wrong: int
    """How often a switch was called stuck that works."""
    delays_us: tuple[int, ...]
    """For each ply recorded right: from its last contact until it was there to stay."""
    cost: Cost = field(default=Cost(), compare=False)

    @property
    def label(self) -> str:
        """Which game it was, for the names of its files."""
        return f"{self.kind}-{self.number:04}"

    @property
    def is_good(self) -> bool:
        """Whether nothing wrong was recorded or called final."""
        return self.exact and not self.wrong_finals

    @property
    def exact(self) -> bool:
        """Whether the record is the game, to the last ply, and one game."""
        return self.parting is None and self.games == 1


def score_game(
    truth: GameTruth,
    said: Iterable[Sequence[Action]],
    cost: Cost | None = None,
    scans: Scans = (),
) -> GameScore:
    """The score of a game. ``said``: what was said at each event that anything was said at.

    ``scans``: what the switches read; without them nothing is known of ghosts.
    """
    fold = Fold()
    for together in said:
        fold.hear(together)
    fold.close(truth.end_us)
    parting = _parting(truth, fold)
    undoings = [undoing for together in fold.taken_back for undoing in together]
    return GameScore(
        kind=truth.kind,
        number=truth.number,
        name=truth.name,
        seed=truth.seed,
        plies=len(truth.plies),
        plies_exact=sum(a == b for a, b in zip(fold.record, truth.moves, strict=False)),
        games=fold.games,
        parting=parting,
        is_unseen=parting is not None and _is_unseen(truth, fold, parting),
        provisional=fold.provisional,
        amended=len(fold.amended),
        take_backs=len(fold.taken_back),
        unmade=sum(not all(_is_made(truth, u) for u in back) for back in fold.taken_back),
        asked=len(fold.asked),
        finals=len(fold.finals),
        wrong_finals=tuple(_wrong_finals(truth, fold.finals)),
        finals_undone=sum(u.final and not _is_made(truth, u) for u in undoings + fold.amended),
        wrong_long=tuple(_wrong_long(truth, fold.stands)),
        ghosts=tuple(_ghosts(truth, fold.stands, scans)),
        stuck_wrong=sum(not _is_broken(truth, stuck) for stuck in fold.stuck),
        delays_us=_delays(truth, fold),
        cost=cost or Cost(),
    )


def _parting(truth: GameTruth, fold: Fold) -> Parting | None:
    played, recorded = truth.moves, tuple(fold.record)
    if played == recorded:
        return None
    longest = max(len(played), len(recorded))
    ply = next(n for n in range(longest) if played[n : n + 1] != recorded[n : n + 1])
    there = truth.at(ply)
    move = "" if there is None else there.uci
    begin_us = truth.end_us if there is None else there.begin_us
    asked = any(move in ask.candidates and ask.t_us >= begin_us for ask in fold.asked)
    tags = () if there is None else there.tags
    return Parting(ply + 1, move, "".join(recorded[ply : ply + 1]), tags, asked)


def _is_unseen(truth: GameTruth, fold: Fold, parting: Parting) -> bool:
    played, recorded = list(truth.moves), list(fold.record)
    here = slice(parting.ply - 1, parting.ply)
    recorded[here] = played[here]
    is_one_ply = len(fold.record) == len(played) and recorded == played and fold.games == 1
    is_hidden = "never_open" in parting.tags or (
        "contact_lost" in parting.tags and parting.played[:4] == parting.recorded[:4]
    )
    return is_one_ply and parting.asked and is_hidden


def _is_made(truth: GameTruth, undoing: Undoing) -> bool:
    """Whether hands really undid this."""
    return truth.was_undone(undoing.ply, undoing.uci, undoing.t_us)


def _played(truth: GameTruth, ply: int) -> str:
    return "".join(truth.moves[ply : ply + 1])


def _wrong_finals(truth: GameTruth, finals: Iterable[Finalised]) -> Iterator[Wrong]:
    for final in finals:
        ply, uci = final.ply - 1, final.uci
        if not (truth.is_played(ply, uci) or truth.was_shown(ply, uci, final.t_us)):
            yield Wrong(final.ply, uci, _played(truth, ply), final.t_us)


def _wrong_long(truth: GameTruth, stands: Iterable[Stand]) -> Iterator[Wrong]:
    for stand in stands:
        excused_us = truth.excused_us(stand.ply, stand.uci, stand.until_us)
        since_us = max(stand.since_us, excused_us)
        stood_us = stand.until_us - since_us
        if stood_us >= LONG_US and not truth.is_played(stand.ply, stand.uci):
            yield Wrong(stand.ply + 1, stand.uci, _played(truth, stand.ply), since_us, stood_us)


def _is_broken(truth: GameTruth, stuck: Stuck) -> bool:
    return bool(truth.broken >> Orientation.AS_WIRED.switch(stuck.square) & 1)


def _ghosts(truth: GameTruth, stands: Iterable[Stand], scans: Scans) -> Iterator[Wrong]:
    for stand in ghosts(truth, stands, scans) if scans else ():
        played, stood_us = _played(truth, stand.ply), stand.until_us - stand.since_us
        yield Wrong(stand.ply + 1, stand.uci, played, stand.since_us, stood_us)


def _delays(truth: GameTruth, fold: Fold) -> tuple[int, ...]:
    """The last stand of a ply is the one that lasts to the end."""
    last = {stand.ply: stand for stand in sorted(fold.stands, key=lambda stand: stand.until_us)}
    return tuple(
        max(0, last[n].since_us - ply.contact_us)
        for n, ply in enumerate(truth.plies)
        if fold.record[n : n + 1] == [ply.uci]
    )
