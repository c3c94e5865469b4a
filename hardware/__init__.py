"""The physical world behind ``boardfw.ports``: back-ends, opened by URL.

===================  ==========================================================================
``sim:``             a simulated board; ``sim:?seed=7&faults=wooden&stuck_open=e4,a1``;
                     ``sim:?hang_s=5``: five seconds on, a reading never comes back
                     ``sim:?pieces=box``: the pieces are beside the board; ``pieces=start``: the
                     usual 32 stand, whatever is to be played
``sim-i2c:BOARD``    the same behind a simulated bus and the real drivers; BOARD as below, by
                     default ``reference``; ``sim-i2c:pcf8575?controller=designware&trouble=gone``;
                     ``wiring_seed=7&mistakes=2``: wired differently from what BOARD says
``i2c:BOARD``        a real board: the name of one that ships (``reference``), or a board file
``replay:FILE``      a recorded trace as a board
``spy:FILE,URL``     any board, recorded to FILE while it is used; FILE holds no comma
===================  ==========================================================================

Nothing is probed and nothing falls back: a URL names one back-end, and it opens or says why not.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from boardfw.errors import TraceError, WiringError
from boardfw.ports import Board, Clock
from boardfw.recording import START_FEN, is_recording
from boardfw.squares import NO_SWITCHES, Occupancy
from hardware.board_url import BoardUrl, Scheme, parse_url

if TYPE_CHECKING:
    from hardware.sim.board import SimBoard
    from hardware.sim.options import SimOptions


SIMULATED = "hardware.sim.board"


def open_board(url: str, *, clock: Clock, start_fen: str = START_FEN) -> Board:
    """The board that a URL names, its pieces (if it has its own) standing as in ``start_fen``.

    Raises WiringError for a URL that names no board, or a board file that cannot be true;
    BusError where its bus cannot be opened; TraceError for a trace that cannot be read or written.
    """
    named = parse_url(url)
    for path in named.spies:
        if not is_recording(path):
            raise WiringError(f"'spy:{path}': exists and is not a recording; name another file")
    # The board first: where it cannot be opened, no file is begun.
    board = _open(named, clock, start_fen)
    start_fen = getattr(board, "start_fen", start_fen)  # a recording has a start of its own
    for path in reversed(named.spies):
        board = _spied(board, path, clock, start_fen)
    return board


def innermost(board: Board) -> Board:
    """The board itself, without the spies around it."""
    from hardware.spy import SpyBoard

    while isinstance(board, SpyBoard):
        board = board.inner
    return board


def simulated(board: Board) -> SimBoard | None:
    """The simulated pieces and switches that a board has, if it is not a real or a recorded one."""
    if SIMULATED not in sys.modules:  # where nothing has opened one, there is none
        return None
    from hardware.sim.board import SimBoard

    board = innermost(board)
    board = getattr(board, "inner", board)  # behind a bus; asking for its class loads all drivers
    return board if isinstance(board, SimBoard) else None


def lights_ma(board: Board, wanted_ma: int) -> int:
    """What 64 LEDs may draw on this board, so that its strip draws what is wanted at the most.

    Less where its supply gives less, or where the strip has more LEDs than squares.
    """
    from hardware.wiring import Wiring

    wiring = getattr(innermost(board), "wiring", None)
    if not isinstance(wiring, Wiring):
        return wanted_ma
    leds = max(64, len(wiring.leds.squares))
    return max(64, min(wanted_ma, wiring.supply_ma) * 64 // leds)


def dead_switches(board: Board) -> Occupancy:
    """Return the switches that tell nothing, by the board's file or by its recording."""
    from hardware.replay import ReplayBoard
    from hardware.wiring import Wiring

    board = innermost(board)
    known = board if isinstance(board, ReplayBoard) else getattr(board, "wiring", None)
    return known.dead if isinstance(known, ReplayBoard | Wiring) else NO_SWITCHES


def troubles(board: Board) -> dict[str, int]:
    """What was done about failures of the bus so far, and how often each chip lost its registers.

    Empty where all was well, and of a board that has no bus.
    """
    from hardware.reeds import Reeds

    reeds = getattr(innermost(board), "reeds", None)
    if not isinstance(reeds, Reeds):
        return {}
    lost = {f"{name} lost its registers": times for name, times in reeds.recovered.items()}
    return {what: times for what, times in {**reeds.counts, **lost}.items() if times}


def _open(url: BoardUrl, clock: Clock, start_fen: str) -> Board:
    if url.scheme is Scheme.SIM:
        return _open_sim(url, clock, start_fen)
    if url.scheme is Scheme.SIM_I2C:
        return _open_sim_i2c(url, clock, start_fen)
    if url.scheme is Scheme.REPLAY:
        return _open_replay(url.rest, clock)
    return _open_i2c(url.rest, clock)


def _open_sim(url: BoardUrl, clock: Clock, start_fen: str) -> Board:
    from hardware.clock import VirtualClock
    from hardware.sim.options import sim_options

    options = sim_options(url)
    if options.faults.hang_us is not None and isinstance(clock, VirtualClock):
        raise WiringError(f"'{url}': hang_s needs time that runs by itself, which it does not here")
    return _sim_board(options, clock, start_fen)


def _sim_board(options: SimOptions, clock: Clock, start_fen: str) -> SimBoard:
    from hardware.sim.board import SimBoard, pieces_of

    pieces, beside = options.placed(pieces_of(start_fen))
    return SimBoard(
        clock, pieces=pieces, beside=beside.elements(), faults=options.faults, seed=options.seed
    )


def _open_sim_i2c(url: BoardUrl, clock: Clock, start_fen: str) -> Board:
    from hardware.boards.board_file import find_wiring
    from hardware.sim.i2c.options import i2c_options
    from hardware.sim.i2c_board import SimI2cBoard

    options = i2c_options(url)
    wiring = find_wiring(options.board)
    board = SimI2cBoard(
        wiring,
        clock,
        _sim_board(options.sim, clock, start_fen),
        controller=options.controller,
        faults=options.troubles(wiring),
        reality=options.reality(wiring),
    )
    board.open()
    return board


def _open_i2c(name: str, clock: Clock) -> Board:
    from hardware.boards.board_file import find_wiring
    from hardware.i2c_board import real_board

    board = real_board(find_wiring(name), clock)
    board.open()
    return board


def _open_replay(path: str, clock: Clock) -> Board:
    from boardfw.recording import read_trace
    from hardware.replay import ReplayBoard

    return ReplayBoard(read_trace(path), clock)


def _spied(board: Board, path: str, clock: Clock, start_fen: str) -> Board:
    """A board that is recorded to a file. Raises TraceError; then it is closed."""
    from boardfw.recording import TraceWriter
    from hardware.spy import SpyBoard

    try:
        return SpyBoard(board, TraceWriter(path, start_fen, dead_switches(board)), clock)
    except TraceError:
        board.close()
        raise
