"""A whole game over a bus of registers and bits, whatever goes wrong on it."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from boardfw.accuracy.gesture_truth import truths
from boardfw.cli import main
from boardfw.game.events import Action, Finalised, Outage, Restored
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen
from boardfw.notation.pgn import MainLine, file_lines, scan_games
from boardfw.players.game_player import FAMOUS, Player, hand_moves, read_game
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.virtual import VirtualLoop
from boardfw.squares import EVERY_SWITCH, Switch, switches_in
from hardware.boards.board_file import find_wiring
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.i2c.controller import CONTROLLERS
from hardware.sim.i2c.faults import BusFaults, Fault, FaultKind, drawn
from hardware.sim.i2c_board import SimI2cBoard
from hardware.sim.record import simulate
from tests.cli.tapes import games, moves
from tests.sizes import IS_FULL, sized

BOARDS = ("reference", "tca9555", "pcf8575", "matrix")
TROUBLES = [kind for kind in FaultKind if kind is not FaultKind.LOST_EDGE]
"""A loop that jumps from change to change waits for no interrupt, so none can get lost."""
PAIRS = [*product(BOARDS, TROUBLES)][:: 1 if IS_FULL else 3]
"""Without FULL=1 a third of them, in which each board and each trouble occurs."""
EVENINGS = Path(__file__).with_name("evenings.pgn")
"""Twenty games of championships, from a dozen moves to more than eighty."""
HANDS = "club"
FAULTS = 20
FROM_US, UNTIL_US = 1_000_000, 130_000_000
"""Of the game."""
OFF_EVERY_US, OFF_US, TIRELESS = 1_500_000, 300_000, 20
"""Where no RESET line frees the bus, the supply is taken away, as the message says, and again
until that has helped."""


def made_by_hands(game: MainLine, seed: int) -> set[tuple[int, str]]:
    """(ply, UCI) of every ply that the hands make, those that they take back again among them."""
    moves, pieces = list(hand_moves(game.start, game.moves)), pieces_of(format_fen(game.start))
    _, shown = truths(game.start, game.moves, simulate(moves, HANDS, seed, pieces))
    made = {(ply, move.uci()) for ply, move in enumerate(game.moves, 1)}
    return made | {(one.ply + 1, one.uci) for one in shown}


def run(folder: Path, url: str) -> Result:
    pgn = str(folder / "game.pgn")
    options = ["--board", url, "--play", FAMOUS, "--speed", "max", "--pgn", pgn]
    return CliRunner().invoke(main, ["run", *options])


@pytest.mark.both
@pytest.mark.parametrize("controller", list(CONTROLLERS)[: sized(1, 2)])
@pytest.mark.parametrize("board", BOARDS[:: sized(len(BOARDS), 1)])
def test_a_game_is_recorded_over_every_chip_and_controller(
    tmp_path: Path, board: str, controller: str
) -> None:
    result = run(tmp_path, f"sim-i2c:{board}?controller={controller}&seed=3")
    assert result.exit_code == 0, result.output
    (game,) = games(tmp_path / "game.pgn")
    assert moves(game) == [move.uci() for move in read_game(FAMOUS).moves]


@pytest.mark.slow
def test_troubles_are_said_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    result = run(tmp_path, "sim-i2c:reference?trouble=gone&every_s=10&seed=3")
    assert result.exit_code == 0, result.output
    told = result.output.splitlines()
    assert any("wait please: /dev/i2c-1: chip 0x2" in line for line in told)
    assert sum("all switches can be read again: play on" in line for line in told) >= 5


class Evening:
    """A game on a board with troubles of one kind, and what was said of it."""

    def __init__(self, board: str, kind: FaultKind, seed: int, game: MainLine) -> None:
        self.said: list[Action] = []
        self._off: list[Fault] = []
        self._wiring = find_wiring(board)
        addresses = [chip.address for chip in self._wiring.chips]
        # A PCF8575 has no register that would tell right data from wrong: a scan's worth is borne.
        is_blunt = (board, kind) == ("pcf8575", FaultKind.WRONG_DATA)
        lasting = {"longest_us": 1} if is_blunt else {}
        random, span = Random(f"{kind} {seed}"), (FROM_US, UNTIL_US)
        self.faults = BusFaults(drawn(random, [kind], FAULTS, span, addresses, **lasting))
        clock = VirtualClock()
        pieces = SimBoard(clock, seed=seed)
        self.board = SimI2cBoard(
            self._wiring,
            clock,
            pieces,
            controller=list(CONTROLLERS.values())[seed % len(CONTROLLERS)],
            faults=self.faults,
        )
        player = Player(pieces, HANDS, seed)
        player.begin(game.start, game.moves, 0)
        player.play_all()
        self.desk = Desk(Session(), Settings())
        self.board.open()
        VirtualLoop(self.board, self.board, clock, self.desk, [self._hear, player.hear]).run()
        self.board.close()

    def _hear(self, action: Action) -> None:
        self.said.append(action)
        if isinstance(action, Outage):
            assert self._lit(action.t_us) >= set(switches_in(action.squares)), action
        elif isinstance(action, Restored):
            assert not self.desk.view.blind
        if isinstance(action, Outage) and self._wiring.lines.reset is None:
            times = [action.t_us + n * OFF_EVERY_US for n in range(1, TIRELESS)]
            self._off = [Fault(FaultKind.GONE, at_us=t_us, span_us=OFF_US) for t_us in times]
            self.faults.add(*self._off)
        elif isinstance(action, Restored):
            pending = self.faults.pending
            pending[:] = [fault for fault in pending if fault not in self._off]

    def _lit(self, from_us: int) -> set[Switch]:
        """The squares that are lit some time within the next second."""
        frames = [self.desk.frame(from_us + 50_000 * n) for n in range(20)]
        return {square for frame in frames for square in EVERY_SWITCH if any(frame[square])}

    @property
    def is_blind(self) -> bool:
        """Whether the switches could not be read in the end."""
        return bool(self.desk.view.blind)

    def told(self, kind: type[Action]) -> int:
        return sum(isinstance(action, kind) for action in self.said)


@pytest.mark.slow
@pytest.mark.parametrize(("board", "kind"), PAIRS)
def test_no_trouble_of_the_bus_costs_a_ply_or_makes_one(
    board: str, kind: FaultKind, *, full: bool
) -> None:
    evenings = scan_games(file_lines(EVENINGS), EVENINGS.name)
    for seed, game in enumerate(islice(evenings, None if full else 1)):
        evening = Evening(board, kind, seed, game)
        assert evening.desk.session.record.moves == tuple(game.moves), seed
        finals = {(a.ply, a.uci) for a in evening.said if isinstance(a, Finalised)}
        assert finals <= made_by_hands(game, seed), seed
        # The last trouble may outlast the evening.
        assert evening.told(Outage) - evening.told(Restored) in (0, evening.is_blind), seed
        assert evening.faults.counts[kind] > 0
