"""Who goes along with the games of a run, as the settings and the service want it."""

from __future__ import annotations

from pathlib import Path

from boardfw.cli.opening import Opened
from boardfw.shell.config import Settings
from boardfw.shell.export.follower import Exporter
from boardfw.shell.export.waiting import Waiting
from boardfw.shell.follower import Follower
from boardfw.shell.pgn_file import PgnFollower
from boardfw.shell.places import games_directory
from boardfw.shell.status.follower import Sources, StatusFile
from boardfw.shell.status.report import place
from boardfw.shell.systemd import state_directory
from hardware import troubles


def followers_of(opened: Opened, settings: Settings) -> list[Follower]:
    """All of them. Games that are not recorded, as those of recordings, are not exported."""
    followers: list[Follower] = [PgnFollower(opened.pgn, opened.words)]
    if opened.record and settings.record.export:
        target = state_directory() / settings.record.export
        waiting = Waiting(games_directory(settings) / "to-export", target)
        followers.append(Exporter(waiting, opened.words))
    if file := place():
        followers.append(StatusFile(file, _sources(opened)))
    return followers


def _sources(opened: Opened) -> Sources:
    def records() -> list[Path]:
        pgn = opened.pgn.path if opened.pgn.is_named else None
        return [path for path in (opened.record, pgn) if path]

    return Sources(
        opened.url, opened.clock, opened.calendar, lambda: troubles(opened.board), records
    )
