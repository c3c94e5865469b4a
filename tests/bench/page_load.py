"""Processes beside a bench of the page: boards, and those who watch or attack them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.live_board import Stalls, at_share

ROOT = Path(__file__).parents[2]


class Helper:
    """A program that answers lines of JSON."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def tell(self, do: str, **asked: Any) -> None:
        """Let it do something; it answers when it has done so."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **asked}) + "\n")
        self._process.stdin.flush()

    def hear(self) -> Any:
        """Its answer."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "it has ended: its log says why"
        return json.loads(line)

    def ask(self, do: str, **asked: Any) -> Any:
        """Both."""
        self.tell(do, **asked)
        return self.hear()


def in_service() -> dict[str, str]:
    """How the unit of the board lets memory be shared out; its other variables are of hardware."""
    unit = (ROOT / "systemd" / "boardfw.service").read_text(encoding="utf-8")
    return dict(re.findall(r"^Environment=(MALLOC_\w+)=(.*)$", unit, re.MULTILINE))


@contextmanager
def helper(log: Path, module: str, *options: str, before: Sequence[str] = ()) -> Iterator[Helper]:
    """A program of this folder, while it is needed. ``log``: where its messages go; ``before``:
    the command that starts it."""
    command = (*before, sys.executable, "-m", f"tests.bench.{module}", *options)
    with (
        log.open("w", encoding="utf-8") as file,
        subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **in_service()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
        ) as process,
    ):
        try:
            yield Helper(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


@contextmanager
def page_board(
    folder: Path, name: str, *options: str, before: Sequence[str] = ()
) -> Iterator[Helper]:
    """A board whose page is served; ``before``: as for ``helper``."""
    home = folder / name
    home.mkdir()
    log = folder / f"{name}.log"
    with helper(log, "page_board", str(home), *options, before=before) as board:
        yield board


class Notes:
    """What was measured at one board, and at those who watch it."""

    def __init__(self) -> None:
        self.answers = list[int]()
        """From each edge that the lights have answered to the frame that does, ns."""
        self.delays = list[int]()
        """From each edge to each viewer, ns."""
        self.left_out = 0
        """Of these, in which the machine stood still."""
        self.ages = list[int]()
        """How old what slow viewers read was when they read it, ns."""
        self.rss_kb = list[int]()
        """The board's process after each block."""
        self.web_kb = list[int]()
        """Likewise that of its pages, where it is another."""
        self.late = 0
        """Scans that came late."""
        self.again = self.snapshots = 0
        """How often viewers that did not read came again; snapshots that healthy ones got."""
        self.finals = list[tuple[int, int]]()
        """Plies that became final: the board's time, us, and the ply."""
        self._heard: list[set[tuple[int, int]]] = []
        self._told_us: list[int] = []
        """Until when a snapshot has told each viewer everything."""

    def note(self, played: Any, heard: Any = None) -> None:
        """Take down a block; ``heard``: what the viewers say."""
        self.answers += self._clear(played, [(at, lit) for at, lit in played["edges"] if lit])
        self.finals += [(t_us, ply) for t_us, ply in played["finals"]]
        self.rss_kb.append(played["rss_kb"])
        self.web_kb.append(played["web_kb"])
        self.late += played["late"]
        if heard is not None:
            self._hear(played, heard)

    def _hear(self, played: Any, heard: Any) -> None:
        arranged, zero_us = set(played["arranged"]), played["zero_us"]
        made = sorted([at_ns for at_ns, _ in played["edges"]] + list(arranged))
        spans = list[tuple[int, int]]()
        self._heard = self._heard or [set() for _ in heard["heard"]]
        told = zip(self._heard, heard["heard"], strict=True)
        for finals, (edges, new, _, _) in told:
            finals.update((t_us, ply) for t_us, ply in new)
            for t_us, at_ns in edges:
                before = bisect_right(made, (t_us - zero_us) * 1000)
                # Else it is one of those before, or of the pieces put up for a new game.
                if before and made[before - 1] not in arranged:
                    spans.append((made[before - 1], at_ns))
        self.delays += self._clear(played, spans)
        self._told_us = [snapshot_ms * 1000 for _, _, snapshot_ms, _ in heard["heard"]]
        self.snapshots = sum(count for _, _, _, count in heard["heard"])
        self.ages += [at_ns - (t_ms * 1000 - zero_us) * 1000 for t_ms, at_ns in heard["slow"]]
        self.again = heard["again"]

    def _clear(self, played: Any, spans: list[tuple[int, int]]) -> list[int]:
        """How long these took in which the machine did not stand still."""
        stalls = Stalls()
        stalls.known = [(began, ended) for began, ended in played["stalls"]]
        clear = stalls.leave(spans)
        self.left_out += len(spans) - len(clear)
        return clear

    @property
    def lost(self) -> int:
        """Final plies of which a viewer has heard neither itself nor in a snapshot afterwards."""
        return sum(
            t_us > told_us and (t_us, ply) not in finals
            for finals, told_us in zip(self._heard, self._told_us, strict=True)
            for t_us, ply in self.finals
        )


def growth(kb: list[int]) -> int:
    """How much larger a process is at the end than after a tenth of the time."""
    return kb[-1] - kb[len(kb) // 10]


def ratio(one: list[int], other: list[int]) -> str:
    """Medians and 99th percentiles of some times, as ratios."""
    middle, nearly_all = (at_share(one, share) / at_share(other, share) for share in (0.5, 0.99))
    return f"median x {middle:.3f}, 99 % x {nearly_all:.3f}"
