"""The process of the pages, put together. It loads nothing that only a board needs."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import click

from boardfw.document import read_document
from boardfw.errors import ConfigError
from boardfw.shell.systemd import Notifier
from boardfw.shell.web.address import APART, AUTO, NO_LIBRARY, OFF, SYSTEMD, core_place, listen
from boardfw.shell.web.apart import Place, serve_apart


def serve(address: str | None, core: Path | None, config: Path | None) -> None:
    """Serve the pages of a board that runs in another process. Raises ConfigError."""
    if find_spec("aiohttp") is None:
        raise ConfigError(NO_LIBRARY)
    text = address or (SYSTEMD if "LISTEN_FDS" in os.environ else AUTO)
    if text in (OFF, APART):
        raise ConfigError(f"--address: {text} is no address for a page; write HOST:PORT or a PORT")
    where = listen(text, "--address")
    with closing(where.socket):
        if where.url:
            click.echo(f"the board's page: {where.url}")
        place = Place.of(where, _names(config))
        asyncio.run(serve_apart(place, core or core_place(), Notifier.from_environment()))


def _names(config: Path | None) -> tuple[str, ...]:
    """Further names of this machine. Raises ConfigError where that is no TOML.

    What else is wrong in the settings the board says: its page can still be looked at.
    """
    web = None if config is None else read_document(config, ConfigError).read.get("web")
    names = web.get("names") if isinstance(web, dict) else None
    return tuple(names.split()) if isinstance(names, str) else ()
