from __future__ import annotations

import io
import os
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import TraceError
from boardfw.ports import BUTTONS
from boardfw.recording import (
    START_FEN,
    End,
    Entry,
    Press,
    Recording,
    Scan,
    TraceWriter,
    parse_trace,
    read_trace,
)
from boardfw.squares import NO_SWITCHES, START, Occupancy

HEADER = b'{"boardfw_trace": 1, "start_fen": "8/8/8/8/8/8/8/8 w - - 0 1"}\n'
FIRST = b'{"t": 0, "occ": "ffff00000000ffff"}\n'
OCCUPANCIES = st.integers(0, 2**64 - 1)


def parsed(body: bytes) -> Recording:
    return parse_trace(HEADER + body, "game.trace.jsonl")


def test_every_kind_of_line_is_read() -> None:
    recording = parsed(
        FIRST + b'{"t": 20, "button": "draw", "by": "hand"}\n{"t": 30, "end": true}\n'
    )
    assert recording.start_fen == "8/8/8/8/8/8/8/8 w - - 0 1"
    assert recording.entries == [Scan(0, START), Press(20, "draw"), End(30)]
    assert recording.complete
    assert recording.end_us == 30


def test_a_scan_may_say_since_when_nobody_could_look() -> None:
    body = FIRST + b'{"t": 900, "occ": "0000000000000000", "since": 20}\n'
    assert parsed(body).entries[1] == Scan(900, NO_SWITCHES, since_us=20)


def test_bit_0_is_a1_and_the_first_digit_holds_the_eighth_rank() -> None:
    assert parsed(b'{"t": 0, "occ": "8000000000000001"}\n').entries == [
        Scan(0, Occupancy(1 << 63 | 1))
    ]


def test_an_unknown_button_is_reported_and_skipped() -> None:
    recording = parsed(FIRST + b'{"t": 5, "button": "flush"}\n')
    assert recording.entries == [Scan(0, START)]
    assert recording.warnings == ["game.trace.jsonl:3: unknown button 'flush', skipped"]


@pytest.mark.parametrize(
    "tail", [b'{"t": 9, "occ": "ff', b"{", b'{"t": 9, "end": true', b"\xff\x00"]
)
def test_a_final_line_without_newline_that_does_not_parse_is_a_cut(tail: bytes) -> None:
    recording = parsed(FIRST + tail)
    assert recording.entries == [Scan(0, START)]
    assert not recording.complete


def test_a_final_line_without_newline_that_parses_is_played() -> None:
    assert parsed(FIRST + b'{"t": 9, "end": true}').entries == [Scan(0, START), End(9)]


def test_a_recording_cut_off_after_its_header_has_nothing_in_it() -> None:
    assert parsed(b"").entries == []


BROKEN = [
    (b"e4 e5\n", 2, "not JSON"),
    (b"\n", 2, "not JSON"),
    (b"[" * 100_000 + b"\n", 2, "not JSON"),
    (b"\xff\n", 2, "not JSON"),
    (b"[1]\n", 2, "not a JSON object"),
    (b'{"t": 0}\n', 2, 'one of "occ", "button", "end"; here is none'),
    (b'{"t": 0, "occ": "ffff00000000ffff", "end": true}\n', 2, 'here is "occ" and "end"'),
    (b'{"occ": "ffff00000000ffff"}\n', 2, '"t" is missing'),
    (b'{"t": true, "occ": "ffff00000000ffff"}\n', 2, '"t" must be an integer, not True'),
    (b'{"t": 0.0, "occ": "ffff00000000ffff"}\n', 2, '"t" must be an integer, not 0.0'),
    (b'{"t": "0", "occ": "ffff00000000ffff"}\n', 2, "\"t\" must be an integer, not '0'"),
    (b'{"t": -1, "occ": "ffff00000000ffff"}\n', 2, '"t" must not be negative, -1'),
    (b'{"t": 0, "occ": "FFFF00000000FFFF"}\n', 2, "must be lower-case hex digits"),
    (b'{"t": 0, "occ": "0x0f00000000ffff"}\n', 2, "must be lower-case hex digits"),
    (b'{"t": 0, "occ": "ffff00000000fff"}\n', 2, "must have 16 hex digits, not 15"),
    (b'{"t": 0, "occ": "ffff00000000fffff"}\n', 2, "must have 16 hex digits, not 17"),
    (b'{"t": 0, "occ": 65535}\n', 2, '"occ" must be a string, not 65535'),
    (b'{"t": 4, "occ": "ffff00000000ffff"}\n', 2, "the first scan must be at t 0"),
    (b'{"t": 4, "button": "draw"}\n', 2, "the first scan must be at t 0"),
    (b'{"t": 0, "end": true}\n', 2, "before any scan"),
    (FIRST + b'{"t": 0, "button": 7}\n', 3, '"button" must be a string, not 7'),
    (FIRST + b'{"t": 0, "end": false}\n', 3, '"end" must be true, not False'),
    (FIRST + b'{"t": 0, "end": 1}\n', 3, '"end" must be true, not 1'),
    (FIRST + b'{"t": 5, "button": "?"}\n{"t": 4, "end": true}\n', 4, "backwards, from 5 to 4"),
    (FIRST + b'{"t": 5, "end": true}\n{"t": 6, "button": "draw"}\n', 4, "after the end line"),
    (FIRST + b'{"t": 5, "occ": "ff"}', 3, "must have 16 hex digits, not 2"),
    (b'{"t": 5, "occ"\n' + FIRST, 2, "not JSON"),
]


@pytest.mark.parametrize(("body", "line", "what"), BROKEN)
def test_a_broken_line_is_refused_with_its_number(body: bytes, line: int, what: str) -> None:
    with pytest.raises(TraceError) as refused:
        parsed(body)
    message = str(refused.value)
    assert message.startswith(f"game.trace.jsonl:{line}: ")
    assert what in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("header", "what"),
    [
        (b"", 'is empty; a trace begins {"boardfw_trace": 1, "start_fen": ...}'),
        (b"1. e4 e5 *\n", 'not JSON; a trace begins {"boardfw_trace": 1, "start_fen": ...}'),
        (b'{"boardfw_tr', "not JSON"),
        (b'{"start_fen": "x"}\n', 'no "boardfw_trace"'),
        (b'{"boardfw_trace": 2, "start_fen": "x"}\n', "unknown trace version 2"),
        (b'{"boardfw_trace": true, "start_fen": "x"}\n', "must be an integer, not True"),
        (b'{"boardfw_trace": 1}\n', '"start_fen" is missing'),
        (b'{"boardfw_trace": 1, "start_fen": "", "dead": "f"}\n', '"dead" must have 16 hex'),
        (b'{"boardfw_trace": 1, "start_fen": null}\n', '"start_fen" must be a string'),
        (FIRST, 'no "boardfw_trace"'),
        (HEADER.decode().encode("utf-16"), "not JSON"),
    ],
)
def test_a_trace_without_a_good_header_is_refused(header: bytes, what: str) -> None:
    with pytest.raises(TraceError, match=r"^f:1: ") as refused:
        parse_trace(header, "f")
    assert what in str(refused.value)


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    missing = tmp_path / "none.trace.jsonl"
    with pytest.raises(TraceError) as refused:
        read_trace(missing)
    assert str(refused.value).startswith(f"{missing}: cannot be read: No such file")


@pytest.mark.parametrize("kind", ["directory", "pipe", "device"])
def test_what_is_no_ordinary_file_is_refused_and_never_waited_for(
    tmp_path: Path, kind: str
) -> None:
    path = Path(os.devnull) if kind == "device" else tmp_path / "here"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    with pytest.raises(TraceError) as refused:
        read_trace(path)
    what = "Is a directory" if kind == "directory" else "it is no ordinary file"
    assert str(refused.value) == f"{path}: cannot be read: {what}"


def test_a_pipe_that_nobody_may_read_is_not_recorded_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(TraceError, match=r"pipe: is a pipe; name a file"):
        TraceWriter(pipe)


def test_a_full_disk_is_left_without_an_empty_file(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with pytest.raises(TraceError, match="cannot be written"):
            TraceWriter(tmp_path / "t.jsonl")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_a_device_that_takes_nothing_is_left_alone() -> None:
    with pytest.raises(TraceError, match=r"^/dev/full: cannot be written: No space left"):
        TraceWriter("/dev/full")
    assert Path("/dev/full").exists()


def test_a_byte_order_mark_does_no_harm() -> None:
    assert parse_trace(b"\xef\xbb\xbf" + HEADER + FIRST, "f") == parsed(FIRST)


def test_a_file_that_cannot_be_written_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="cannot be written"):
        TraceWriter(tmp_path / "no" / "where.jsonl")


def read_or_refused(data: bytes) -> list[Entry] | str:
    try:
        return parse_trace(data, "f").entries
    except TraceError as refused:
        return str(refused)


@given(st.binary(max_size=80))
def test_whatever_the_bytes_they_are_read_or_refused(body: bytes) -> None:
    for data in (body, HEADER + body, HEADER + FIRST + body):
        outcome = read_or_refused(data)
        assert outcome in ([], [Scan(0, START)]) or str(outcome).startswith("f:")


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    """What a writer is told: a first scan at 0, then scans that differ and presses, an end."""
    told: list[Entry] = [Scan(0, Occupancy(draw(OCCUPANCIES)))]
    occupancy = told[0].occupancy if isinstance(told[0], Scan) else NO_SWITCHES
    t_us = 0
    for _ in range(draw(st.integers(0, 12))):
        t_us += draw(st.integers(0, 10**7))
        if draw(st.booleans()):
            occupancy ^= Occupancy(draw(st.integers(1, 2**64 - 1)))
            since_us = draw(st.none() | st.integers(told[-1].t_us, t_us))
            told.append(Scan(t_us, occupancy, since_us))
        else:
            told.append(Press(t_us, draw(st.sampled_from(BUTTONS))))
    return [*told, End(t_us + draw(st.integers(0, 10**7)))]


def write(writer: TraceWriter, told: list[Entry], from_us: int = 0) -> None:
    for entry in told:
        t_us = from_us + entry.t_us
        if isinstance(entry, Scan):
            since_us = None if entry.since_us is None else from_us + entry.since_us
            writer.scan(t_us, entry.occupancy, since_us)
            writer.scan(t_us, entry.occupancy)  # the scan that saw no change is not written
        elif isinstance(entry, Press):
            writer.button(t_us, entry.button)
        else:
            writer.end(t_us)


@given(entries(), st.integers(0, 10**9), st.integers(0, (1 << 64) - 1).map(Occupancy))
def test_what_is_written_is_read_again_from_whatever_time_on(
    told: list[Entry], t: int, dead: Occupancy
) -> None:
    stream = io.StringIO()
    write(TraceWriter(stream, START_FEN, dead), told, from_us=t)
    recording = parse_trace(stream.getvalue().encode(), "f")
    assert recording == Recording(START_FEN, told, [], dead)


@given(entries(), st.data())
def test_a_recording_cut_anywhere_plays_as_far_as_it_goes(
    told: list[Entry], data: st.DataObject
) -> None:
    stream = io.StringIO()
    write(TraceWriter(stream), told)
    whole = stream.getvalue().encode()
    header = whole.index(b"\n") + 1
    cut = whole[: data.draw(st.integers(header, len(whole)))]
    played = parse_trace(cut, "f").entries
    assert played == told[: len(played)]
    assert len(played) >= cut.count(b"\n") - 1


def test_every_line_is_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "live.trace.jsonl"
    writer = TraceWriter(path)
    writer.scan(7, START)
    writer.button(9, "pause")
    assert read_trace(path).entries == [Scan(0, START), Press(2, "pause")]
    assert not read_trace(path).complete
    writer.close()


def test_a_late_press_does_not_let_time_run_backwards() -> None:
    stream = io.StringIO()
    writer = TraceWriter(stream)
    writer.button(3, "hint")
    writer.scan(10, NO_SWITCHES)
    writer.scan(30, Occupancy(1))
    writer.button(20, "draw")
    assert parse_trace(stream.getvalue().encode(), "f").entries == [
        Press(0, "hint"),
        Scan(0, NO_SWITCHES),
        Scan(20, Occupancy(1)),
        Press(20, "draw"),
    ]


def test_nothing_is_written_after_the_end() -> None:
    stream = io.StringIO()
    writer = TraceWriter(stream)
    writer.scan(0, Occupancy(1))
    writer.end(5)
    writer.scan(6, Occupancy(2))
    writer.end(7)
    assert parse_trace(stream.getvalue().encode(), "f").entries == [Scan(0, Occupancy(1)), End(5)]


class FullDisk(io.StringIO):
    """A stream that takes the header and nothing after it."""

    def write(self, text: str, /) -> int:
        if self.tell():
            raise OSError(28, "No space left on device")
        return super().write(text)


def test_a_full_disk_is_said_in_one_line() -> None:
    writer = TraceWriter(FullDisk())
    with pytest.raises(TraceError, match=r"^trace: cannot be written: No space left on device$"):
        writer.scan(0, START)
