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

from typing import TYPE_CHECKING

from boardfw.errors import TraceError, WiringError
from boardfw.ports import Board, Clock
from boardfw.recording import START_FEN

if TYPE_CHECKING:
    from hardware.sim.board import SimBoard

SCHEMES = ("sim", "sim-i2c", "i2c", "replay", "spy")


def open_board(url: str, *, clock: Clock, start_fen: str = START_FEN) -> Board:
    """The board that a URL names, its pieces (if it has its own) standing as in ``start_fen``.

    Raises WiringError for a URL that names no board, or a board file that cannot be true;
    BusError where its bus cannot be opened; TraceError for a trace that cannot be read or written.
    """
    return _open(url, clock, start_fen)[0]


def is_artificial(url: str) -> bool:
    """Whether the board of a URL is simulated or recorded: its time may run at another speed."""
    while url.startswith("spy:"):
        url = url.partition(",")[2]
    return not url.startswith("i2c:")


def innermost(board: Board) -> Board:
    """The board itself, without the spies around it."""
    from hardware.spy import SpyBoard

    while isinstance(board, SpyBoard):
        board = board.inner
    return board


def simulated(board: Board) -> SimBoard | None:
    """The simulated pieces and switches that a board has, if it is not a real or a recorded one."""
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


MOST_SPIES = 8
"""Most spies around a board: each is a call within the one before."""


def hint(word: str, known: tuple[str, ...]) -> str:
    """What may be written instead: the known word much like this one, or else all of them."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, known))}"


def _open(url: str, clock: Clock, start_fen: str) -> tuple[Board, str]:
    scheme, colon, rest = url.partition(":")
    if not colon or scheme not in SCHEMES:
        known = tuple(f"{name}:" for name in SCHEMES)
        raise WiringError(f"{url!r} names no board; {hint(f'{scheme.lower()}:', known)}")
    if scheme == "replay":
        return _open_replay(rest, clock)
    if scheme == "spy":
        return _open_spy(rest, clock, start_fen)
    if scheme == "i2c":
        return _open_i2c(rest, clock), start_fen
    if scheme == "sim-i2c":
        return _open_sim_i2c(url, rest, clock, start_fen), start_fen
    return _open_sim(url, rest, clock, start_fen)


def _open_sim(url: str, rest: str, clock: Clock, start_fen: str) -> tuple[Board, str]:
    from hardware.clock import VirtualClock
    from hardware.sim.board import SimBoard, pieces_of
    from hardware.sim.options import sim_options

    options = sim_options(url, rest)
    if options.faults.hang_us is not None and isinstance(clock, VirtualClock):
        raise WiringError(f"{url!r}: hang_s needs time that runs by itself, which it does not here")
    pieces, beside = options.placed(pieces_of(start_fen))
    faults, seed = options.faults, options.seed
    board = SimBoard(clock, pieces=pieces, beside=beside.elements(), faults=faults, seed=seed)
    return board, start_fen


def _open_sim_i2c(url: str, rest: str, clock: Clock, start_fen: str) -> Board:
    from hardware.boards.board_file import find_wiring
    from hardware.sim.board import SimBoard, pieces_of
    from hardware.sim.i2c_board import SimI2cBoard
    from hardware.sim.i2c_options import i2c_options

    options = i2c_options(url, rest)
    pieces, beside = options.sim.placed(pieces_of(start_fen))
    faults, seed = options.sim.faults, options.sim.seed
    inner = SimBoard(clock, pieces=pieces, beside=beside.elements(), faults=faults, seed=seed)
    wiring = find_wiring(options.board)
    board = SimI2cBoard(
        wiring,
        clock,
        inner,
        controller=options.controller,
        faults=options.troubles(wiring),
        reality=options.reality(wiring),
    )
    board.open()
    return board


def _open_i2c(name: str, clock: Clock) -> Board:
    from hardware.boards.board_file import find_wiring
    from hardware.i2c_board import real_board

    if not name:
        raise WiringError("'i2c:' names no board; write i2c:reference, or i2c:FILE of your own")
    board = real_board(find_wiring(name), clock)
    board.open()
    return board


def _open_replay(path: str, clock: Clock) -> tuple[Board, str]:
    from boardfw.recording import read_trace
    from hardware.replay import ReplayBoard

    if not path:
        raise WiringError("'replay:' names no file; write replay:FILE")
    recording = read_trace(path)
    return ReplayBoard(recording, clock), recording.start_fen


def _open_spy(rest: str, clock: Clock, start_fen: str) -> tuple[Board, str]:
    from boardfw.recording import TraceWriter, is_recording
    from hardware.spy import SpyBoard

    path, comma, url = rest.partition(",")
    if not path or not comma:
        raise WiringError(f"'spy:{rest}' needs a file and a board; write spy:FILE,URL")
    if not is_recording(path):
        raise WiringError(f"'spy:{path}': exists and is not a recording; name another file")
    if url.count("spy:") > MOST_SPIES:
        raise WiringError(f"'spy:{path}': too many spies; one records it all")
    # The board first: where it cannot be opened, no file is begun.
    inner, inner_fen = _open(url, clock, start_fen)
    try:
        writer = TraceWriter(path, inner_fen)
    except TraceError:
        inner.close()
        raise
    return SpyBoard(inner, writer, clock), inner_fen
