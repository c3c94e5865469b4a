"""Who serves the pages: the process of the board, or one apart from it that has nothing but them.

Both serve the same pages. Apart, the process of the board listens at a file, and answers the other
one; that needs no device and no network, and may be killed without a ply or a second being lost.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boardfw.shell.systemd import Notifier
from boardfw.shell.web.address import Listening, board_name, names_here
from boardfw.shell.web.heap import giving_back

if TYPE_CHECKING:
    from boardfw.services.web.core import Core

WEB_USER = "boardfw-web"
"""The user of boardfw-web.service."""
ROOT = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where pages are served, and under which names."""

    listening: Listening
    name: str
    names: frozenset[str]

    @classmethod
    def of(cls, listening: Listening, names: tuple[str, ...] = ()) -> Place:
        """``names``: further names of this machine, such as a proxy's."""
        near = frozenset() if listening.is_near else names_here()
        return cls(listening, board_name(), near | {name.lower() for name in names})


@asynccontextmanager
async def serving(place: Place, core: Core) -> AsyncIterator[None]:
    """Serve the pages meanwhile."""
    from boardfw.services.web.door import Door
    from boardfw.services.web.front import Front
    from boardfw.services.web.static_files import StaticFiles

    door = Door(core, Front(core, StaticFiles.of_package()), place.name, place.names)
    await door.open(place.listening.socket)
    try:
        yield
    finally:
        await door.close()


@asynccontextmanager
async def answering(place: Place, core: Core) -> AsyncIterator[None]:
    """Answer the process that serves the pages meanwhile."""
    from boardfw.services.web.core_socket import CoreSocket

    listened_to = {ROOT, os.geteuid()}
    with suppress(KeyError):  # it is not installed as a service
        listened_to.add(pwd.getpwnam(WEB_USER).pw_uid)
    asked = CoreSocket(core, listened_to.__contains__)
    await asked.open(place.listening.socket)
    try:
        yield
    finally:
        await asked.close()


async def serve_apart(place: Place, core: Path, notifier: Notifier) -> None:
    """Serve the pages of a board that answers at the file ``core``, until a signal ends it."""
    from boardfw.services.web.core_socket import CoreLink

    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with serving(place, CoreLink(core)), giving_back():
        notifier.ready()
        await stop.wait()
        notifier.stopping()
