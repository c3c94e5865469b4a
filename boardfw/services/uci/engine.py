"""An engine as a process: its pipes, its time limits, and that nothing of it remains.

The conversation decides, this carries it out. The engine has a session and so a process group of
its own: a shell script around it, or what it starts itself, ends with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, cast

from boardfw.services.uci.conversation import (
    Conversation,
    Effect,
    Failed,
    Found,
    Patience,
    Search,
    Send,
)
from boardfw.services.uci.lines import LineSplitter, Overlong
from boardfw.services.uci.options import Option

NICENESS = 10
"""The board's own work goes first: a scan that comes late may cost a ply."""
AT_ONCE = 32
"""Lines that are read before the loop may do something else."""
QUIT_S, END_S = 0.5, 2.0
"""How long an engine has to leave by itself, and the system to end what was killed."""
STDIN, STDOUT, STDERR = 0, 1, 2
KEPT = 200
"""Bytes of its error output that are kept, to say why it has ended."""


class Broken(NamedTuple):
    """Why an engine has not answered, as the end of no sentence but a sentence of its own."""

    text: str
    cannot_start: bool = False
    """Whether the program could not be run at all."""


class _Pipes(asyncio.SubprocessProtocol):
    """What the loop calls when something comes from the process."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._splitter = LineSplitter()
        self._lines: deque[str | Overlong] = deque()
        self._errors = b""
        self._has_ended, self._is_over = asyncio.Event(), asyncio.Event()
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == STDERR:
            self._errors = (self._errors + data)[-KEPT:]
            return
        if self._engine.count(self, len(data)):
            self._lines.extend(self._splitter.feed(data))
            self._work_off()

    def pipe_connection_lost(self, fd: int, _: Exception | None) -> None:
        if fd == STDOUT:
            asyncio.get_running_loop().call_soon(self._end)

    def process_exited(self) -> None:
        self._has_ended.set()
        self._kill()  # what it has started and left behind
        asyncio.get_running_loop().call_soon(self._end)

    def connection_lost(self, _: Exception | None) -> None:
        self._is_over.set()

    def _end(self) -> None:
        """It says nothing more: work off what is left."""
        if self._lines:
            asyncio.get_running_loop().call_soon(self._end)
            return
        last = self._errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
        self._engine.has_ended(self, last)

    def _work_off(self) -> None:
        """Read some lines, and the others when the loop has been round once."""
        for _ in range(min(AT_ONCE, len(self._lines))):
            self._engine.hear(self, self._lines.popleft())
        self._pause(is_on=bool(self._lines))
        if self._lines:
            asyncio.get_running_loop().call_soon(self._work_off)

    def _pause(self, *, is_on: bool) -> None:
        pipe = self._transport.get_pipe_transport(STDOUT) if self._transport else None
        if pipe is not None and not pipe.is_closing():
            reading = cast("asyncio.ReadTransport", pipe)
            (reading.pause_reading if is_on else reading.resume_reading)()

    def lower_priority(self) -> None:
        """Let the board's own work go first; all threads of the group are asked at once."""
        if self._transport is not None and (pid := self._transport.get_pid()) is not None:
            with suppress(OSError):  # not allowed
                leave_real_time(pid)
            with suppress(OSError):  # it may be over already
                ours = os.getpriority(os.PRIO_PROCESS, 0)
                os.setpriority(os.PRIO_PGRP, pid, max(ours, NICENESS))

    def send(self, line: str) -> None:
        """Write a line; never waits, and an engine that has closed its input is found out later."""
        pipe = self._transport.get_pipe_transport(STDIN) if self._transport else None
        if pipe is not None and not pipe.is_closing():
            cast("asyncio.WriteTransport", pipe).write(line.encode() + b"\n")

    def _kill_unless_ended(self) -> None:
        if not self._has_ended.is_set():  # its number may be another's by now
            self._kill()

    def _kill(self) -> None:
        """End the process and all that it has started."""
        if self._transport is not None and (pid := self._transport.get_pid()) is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    async def bury(self, patience_s: float) -> None:
        """Wait until it has ended, kill it if it has not by then, and close its pipes.

        They close by themselves when nobody holds them any more: what it has started is gone, too.
        Cancelled, as when the loop ends, it is killed at once, and the system tells of its end
        all the same.
        """
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_ended.wait(), patience_s)
        finally:
            self._kill_unless_ended()
            await self._collect()

    async def _collect(self) -> None:
        """Wait for the end of what was killed, cancelled or not: else it stays as a zombie."""
        now_s = asyncio.get_running_loop().time
        due_s = now_s() + END_S
        while not self._is_over.is_set() and (left_s := due_s - now_s()) > 0:
            with suppress(TimeoutError, asyncio.CancelledError):
                await asyncio.wait_for(self._is_over.wait(), left_s)
        if self._transport is not None:
            self._transport.close()


def leave_real_time(pid: int) -> None:
    """Let no thread of a process run in real time, which the board's service does.

    It inherits that, and an engine that thinks in real time leaves nothing for anybody else; being
    nice means nothing there. A thread that is started meanwhile is found in the next round.
    """
    while threads := _in_real_time(pid):
        for thread in threads:
            with suppress(ProcessLookupError):
                os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))


def _in_real_time(pid: int) -> list[int]:
    """The threads that are; where there is no /proc, none is known."""
    found = []
    for task in Path("/proc", str(pid), "task").glob("*"):
        with suppress(ProcessLookupError):
            if os.sched_getscheduler(int(task.name)) in (os.SCHED_RR, os.SCHED_FIFO):
                found.append(int(task.name))
    return found


class Engine:
    """One engine, started when it is first needed, and again after it has failed.

    All in the thread of one running loop.
    """

    def __init__(
        self,
        command: Sequence[str],
        name: str,
        *,
        options: Mapping[str, str] | None = None,
        patience: Patience | None = None,
    ) -> None:
        """``command``: program and arguments; ``options``: set at each start, as far as offered."""
        self._command = tuple(command)
        self._name = name
        self._options = options
        self._patience = patience
        self._talk: Conversation | None = None
        self._pipes: _Pipes | None = None
        self._starting: asyncio.Task[Broken | None] | None = None
        self._announced = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._due_us: int | None = None
        self._answer: asyncio.Future[Found | Broken] | None = None
        self._broken: Broken | None = None
        """A failure that nobody has heard of yet."""
        self._burials: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def name(self) -> str:
        """What it calls itself, or is called until it has said so."""
        return self._talk.name if self._talk else self._name

    @property
    def offered(self) -> Mapping[str, Option]:
        """The options that it has announced, by their names in small letters; empty before."""
        return self._talk.offered if self._talk else {}

    def launch(self) -> None:
        """Start it if it does not run, and do not wait: loading takes a while."""
        if self._pipes is None and self._starting is None and not self._is_closed:
            self._announced.clear()
            self._starting = asyncio.get_running_loop().create_task(self._run())

    async def start(self) -> Broken | None:
        """Start it if it does not run, and wait until it has announced itself; None: it has."""
        if broken := self._take_broken():
            return broken
        self.launch()
        if self._starting is not None and (broken := await asyncio.shield(self._starting)):
            return broken
        await self._announced.wait()
        return self._take_broken()

    async def search(self, search: Search) -> Found | Broken:
        """Its answer to this. Cancelled, it is told to stop, and may at once be asked again."""
        if broken := await self.start():
            return broken
        if self._talk is None:
            return Broken(f"{self._name} is closed")
        if self._answer is not None:
            self._answer.cancel()
        future: asyncio.Future[Found | Broken] = asyncio.get_running_loop().create_future()
        self._answer = future
        self._do(self._talk.search(_now_us(), search))
        try:
            return await future
        finally:
            if self._answer is future:
                self._answer = None
                if future.cancelled():
                    self._stop()

    def condemn(self, text: str) -> Broken:
        """Give it up for what it has answered: it is killed, and started anew when asked again."""
        if self._talk is not None:
            self._do(self._talk.condemn(text))
        return self._take_broken() or Broken(f"{self._name} {text}")

    async def close(self) -> None:
        """Let it leave; if it does not, kill it. Nothing of it runs when this returns."""
        self._is_closed = True
        try:
            if self._starting is not None:
                await asyncio.wait([self._starting])
        finally:
            if self._talk is not None:
                was_idle = self._talk.state == "ready"
                self._do(self._talk.quit())
                self._bury(QUIT_S if was_idle else 0)
            self._announced.set()
        while self._burials:
            await asyncio.wait(tuple(self._burials))

    # --- called by the pipes

    def count(self, pipes: _Pipes, size: int) -> bool:
        """Bytes have come; False: they are not to be read."""
        if pipes is self._pipes and self._talk is not None:
            self._do(self._talk.count(size))
        return pipes is self._pipes

    def hear(self, pipes: _Pipes, line: str | Overlong) -> None:
        """A line has come."""
        if pipes is self._pipes and self._talk is not None:
            self._do(self._talk.hear(_now_us(), line))

    def has_ended(self, pipes: _Pipes, why: str) -> None:
        """The process is over, or will say nothing more."""
        if pipes is self._pipes and self._talk is not None:
            self._do(self._talk.ended(why))

    # --- how it is done

    async def _run(self) -> Broken | None:
        """Run the program and greet it."""
        try:
            _, pipes = await asyncio.get_running_loop().subprocess_exec(
                lambda: _Pipes(self), *self._command, start_new_session=True
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            text = f"{self._name} cannot be started ({self._command[0]}: {why}); install it again"
            return Broken(text, True)
        finally:
            self._starting = None
        self._pipes = pipes
        pipes.lower_priority()
        self._talk = Conversation(self._name, self._options, self._patience)
        self._do(self._talk.begin(_now_us()))
        return None

    def _do(self, effects: Iterable[Effect]) -> None:
        """Carry out what the conversation says."""
        for effect in effects:
            match effect:
                case Send():
                    if self._pipes is not None:
                        self._pipes.send(effect.line)
                case Found():
                    self._resolve(effect)
                case Failed():
                    self._bury(0)
                    if not self._resolve(Broken(effect.text)):
                        self._broken = Broken(effect.text)
        if self._talk is None or self._talk.state != "starting":
            self._announced.set()
        self._set_timer()

    def _stop(self) -> None:
        if self._talk is not None:
            self._do(self._talk.stop(_now_us()))

    def _resolve(self, answer: Found | Broken) -> bool:
        """Give the answer to the search that waits for it; False: none does."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(answer)
        return True

    def _take_broken(self) -> Broken | None:
        broken, self._broken = self._broken, None
        return broken

    def _bury(self, patience_s: float) -> None:
        """The process has to go; a new one may start meanwhile."""
        if self._talk is not None:
            self._name = self._talk.name
        pipes, self._pipes, self._talk = self._pipes, None, None
        if pipes is not None:
            burial = asyncio.get_running_loop().create_task(pipes.bury(patience_s))
            self._burials.add(burial)
            burial.add_done_callback(self._burials.discard)

    def _set_timer(self) -> None:
        due_us = self._talk.deadline_us if self._talk else None
        if due_us == self._due_us:
            return  # as for each line that it says while it thinks
        if self._timer is not None:
            self._timer.cancel()
        self._due_us, self._timer = due_us, None
        if due_us is not None:
            wait_s = max(0, due_us - _now_us()) / 1_000_000
            self._timer = asyncio.get_running_loop().call_later(wait_s, self._overdue)

    def _overdue(self) -> None:
        self._timer = self._due_us = None
        if self._talk is not None:
            self._do(self._talk.wait(_now_us()))


def _now_us() -> int:
    return time.monotonic_ns() // 1000
