"""The readers that are fuzzed, and sound inputs from which the search begins."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.notation.epd import format_epd, parse_epd
from boardfw.notation.fen import format_fen, parse_fen, parse_setup
from boardfw.notation.pgn import format_game, read_file, scan_file
from boardfw.recording import parse_trace
from boardfw.services.uci.commands import format_command, parse_command
from boardfw.services.uci.lines import LineSplitter
from boardfw.services.uci.replies import Nonsense, format_reply, parse_reply
from boardfw.services.web.core import body_of
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.routes import ROUTES
from boardfw.shell.config import load_config
from boardfw.shell.learning.course_files import load_course
from hardware.boards.board_file import load_wiring
from tests.learning.lessons import ROOK, TEXTS, written

ROOT = Path(__file__).parents[2]
FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
BODIES = [route for route in ROUTES if route.body is not None]
LONGEST_LINE = 1000
CUT = b"\n--\n"
"""Between the two files of a course."""


def _refused(read: Callable[[], object]) -> bool:
    """True if a reader refused its input in one line."""
    said = ""
    try:
        read()
    except (BoardError, RefusedError) as error:
        said = str(error) or repr(error)
    assert len(said.splitlines()) <= 1, said
    return bool(said)


def _fen(_: Path) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        _refused(lambda: parse_setup(text).problems())
        if not _refused(lambda: parse_fen(text)):
            position = parse_fen(text)
            assert parse_fen(format_fen(position)) == position
            position.legal_moves()

    return read


def _epd(_: Path) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        if not _refused(lambda: parse_epd(text)):
            parse_epd(format_epd(*parse_epd(text)))

    return read


def _pgn(folder: Path) -> Callable[[bytes], None]:
    path = folder / "game.pgn"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        _refused(lambda: [*scan_file(path)])
        _refused(lambda: [format_game(game) for game in read_file(path)])

    return read


def _trace(_: Path) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        _refused(lambda: parse_trace(data, "trace"))

    return read


def _file(load: Callable[[Path], object]) -> Callable[[Path], Callable[[bytes], None]]:
    def reader(folder: Path) -> Callable[[bytes], None]:
        path = folder / "file.toml"

        def read(data: bytes) -> None:
            path.write_bytes(data)
            _refused(lambda: load(path))

        return read

    return reader


def _course(folder: Path) -> Callable[[bytes], None]:
    course = written(folder / "c", {"course/01_rook.toml": ROOK, "text/en.toml": TEXTS})
    statement = "number = 5\ntext = 'a'\ndocuments = ['A']\ntaught = 'lesson'\n"
    written(course, {"course/statements.toml": f"[[statement]]\n{statement}"})

    def read(data: bytes) -> None:
        lesson, _, texts = data.partition(CUT)
        (course / "course/01_rook.toml").write_bytes(lesson)
        (course / "text/en.toml").write_bytes(texts)
        (course / "text/de.toml").write_bytes(texts)
        _, complaints = load_course(course)
        assert all(len(complaint.splitlines()) == 1 for complaint in complaints)

    return read


def _uci(_: Path) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        for line in LineSplitter(LONGEST_LINE).feed(data):
            if isinstance(line, str):
                format_reply(parse_reply(line))
                command = parse_command(line)
                if not isinstance(command, Nonsense):
                    format_command(command)

    return read


def _web(_: Path) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        for route in BODIES:
            _refused(partial(body_of, route, data))

    return read


READERS: dict[str, Callable[[Path], Callable[[bytes], None]]] = {
    "pgn": _pgn,
    "fen": _fen,
    "epd": _epd,
    "trace": _trace,
    "course": _course,
    "settings": _file(load_config),
    "board": _file(load_wiring),
    "uci": _uci,
    "web": _web,
}
GAME = '[Event "A"]\n[Result "*"]\n\n1. e4 {a} e5 $1 (1... c5!? 2. Nf3) 2. Nf3 Nc6 *\n'
EPD = f'{FEN.rsplit(maxsplit=2)[0]} bm Qxf6; id "a"; ce 12; pv Qxf6 gxf6;'
TRACE = (
    b'{"boardfw_trace": 1, "start_fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}'
    b'\n{"t": 0, "occ": "ffff00000000ffff"}\n{"t": 4258000, "occ": "ffff00000010ffff"}\n'
)
LINES = (
    b"position startpos moves e2e4 e7e5\ngo wtime 1 btime 2 movestogo 3\nsetoption name A value b\n"
    b"id name A\noption name B type spin default 1 min 0 max 9\nbestmove e2e4 ponder e7e5\n"
    b"info depth 1 score cp 3 wdl 1 2 997 pv e2e4 e7e5\nregistration error\n"
)
BODY = b'{"id": "a", "seq": 1, "start": "fen", "fen": "8", "opponent": {"side": "b"}, "help": [1]}'
SEEDS: dict[str, tuple[bytes, ...]] = {
    "pgn": (GAME.encode(), GAME.encode("utf-16"), "1. d4 d5 2. Sf3 Sc6 {ä} 1-0".encode("cp1252")),
    "fen": (FEN.encode(), b"8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1", b"960:518"),
    "epd": (EPD.encode(),),
    "trace": (TRACE,),
    "course": (ROOK.encode() + CUT + TEXTS.encode(),),
    "settings": ((ROOT / "docs/boardfw.toml").read_bytes()[:2900], b'[tags]\nwhite = "A"\n'),
    "board": tuple(path.read_bytes() for path in sorted((ROOT / "hardware/boards").glob("*.toml"))),
    "uci": (LINES,),
    "web": (BODY, b'{"what": "12.Nf3", "why": "a"}', b'{"a.b": 1, "c": true}'),
}
