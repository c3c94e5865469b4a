"""A new version on trial: it is watched, and where it fails the old one returns by itself.

`make install` and the Debian package write down which version shall follow which (``Trial``);
boardfw-trial.service does it. Each step is on the disk before it is taken, so neither a kill nor a
power cut ends it half-way: the unit starts again, also with the machine, and goes on from there. It
runs by the system's Python and needs nothing of boardfw.

To a version belong its program, its units, and the record, which a new one may change for itself.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import host
import record
from place import InstallError, Place, say
from watch import Watch

STATE = "/var/lib/boardfw-trial"
FILE, RESULT = f"{STATE}/trial.json", f"{STATE}/result.json"
OLD, NEW = f"{STATE}/old", f"{STATE}/new"
"""Files of both versions below the paths where they belong."""
MODULES = ("host", "place", "record", "trial", "watch")
"""What the unit is made of."""
ETC = "/etc/"
"""Below are the owner's files, who may edit them at any time."""
UNPACKING, SWITCHING, WATCHING, RETURNING = "unpacking", "switching", "watching", "returning"
"""Steps: the package system replaces files; the new version takes its place; it is being watched;
the old version takes its place again."""
MOST_FAILED = 3
"""Starts of a new version that may fail. A trial that was cut off counts as one of them."""
PAUSE_S = 0.5


@dataclass(frozen=True)
class Trial:
    """Which program follows which, and the step that is being taken."""

    link: str
    """The path by which the units start the program in use."""
    old: str
    new: str
    """Where the link leads to."""
    step: str = SWITCHING
    failed: int = 0
    why: str = "the upgrade was cut off"
    """Why the old version returns, where it does."""
    copy: dict[str, Any] | None = None
    """The record as it was, see ``record.Copy``."""

    @classmethod
    def read(cls, place: Place) -> Trial | None:
        """Return the trial that is not over; None if there is none or its file is unreadable."""
        try:
            return cls(**json.loads(place.text(FILE) or ""))
        except (ValueError, TypeError):
            return None

    def at(self, place: Place, step: str, **changed: Any) -> Trial:
        """Write the step down before it is taken."""
        trial = replace(self, step=step, **changed)
        place.write(FILE, json.dumps(asdict(trial)))
        return trial

    def counted(self, place: Place, failed: int) -> Trial:
        """Count failed starts; where the disk takes no text, in memory, so that the trial ends."""
        with suppress(OSError):
            return self.at(place, self.step, failed=failed)
        return replace(self, failed=failed)


def stage(place: Place, side: str, texts: dict[str, str | None]) -> None:
    """Keep the text of each file of one side; None: it has no such file."""
    shutil.rmtree(place.at(side), ignore_errors=True)
    place.at(STATE).mkdir(mode=0o700, parents=True, exist_ok=True)  # settings may hold secrets
    place.at(side).mkdir()
    for path, text in texts.items():
        if text is not None:
            place.write(f"{side}{path}", text)


def begin(place: Place, trial: Trial) -> None:
    """Let the unit try the new version, and wait for what comes of it.

    Raises InstallError if the old one plays again. If this program is ended, the trial goes on.
    """
    if not place.at(OLD).is_dir():
        raise InstallError(f"{OLD}: the files of the old version are not there")
    record.set_aside(place)
    host.enable_trial()
    os.sync()  # all of the new version is on the disk before anything depends on it
    _write_result(place, is_good=False, why="the trial has not ended", kept=previous(place))
    trial.at(place, trial.step)
    _wait_for_unit(place)
    result = json.loads(place.text(RESULT) or "{}")
    if not result.get("is_good"):
        raise InstallError(f"{result.get('why')}; {host.LOOK}")


def finish(place: Place) -> None:
    """Wait for the end of a trial whose installer is gone, if there is one."""
    if Trial.read(place) is not None:
        say("an upgrade was cut off: waiting until its trial has ended")
        _wait_for_unit(place)


def previous(place: Place) -> str | None:
    """Return the program that the last successful trial replaced."""
    with suppress(ValueError):
        old = json.loads(place.text(RESULT) or "").get("previous")
        return old if isinstance(old, str) else None
    return None


def _write_result(place: Place, *, is_good: bool, why: str, kept: str | None) -> None:
    place.write(RESULT, json.dumps({"is_good": is_good, "why": why, "previous": kept}))


def _wait_for_unit(place: Place) -> None:
    host.start(host.TRIAL)
    while host.is_going(host.TRIAL):
        time.sleep(PAUSE_S)
    if place.at(FILE).exists():
        raise InstallError(f"{host.TRIAL} does not run; look at: journalctl -u boardfw-trial -n 30")


# ------------------------------------------------------------------------- the unit's part


def run(
    place: Place,
    now_s: Callable[[], float] = time.monotonic,
    wait_s: Callable[[float], None] = time.sleep,
) -> None:
    """Take the steps of a trial from where it is. Raises OSError to be started again."""
    # Taken out of the environment, as each systemctl would also send to it.
    address = os.environ.pop("NOTIFY_SOCKET", "")
    trial = Trial.read(place)
    if trial is None:
        place.remove(FILE, quiet=True)  # it would hold up each start of the machine
        return
    why = trial.why
    if trial.step == SWITCHING:
        try:
            trial = _switched(place, trial)
        except (InstallError, OSError) as error:
            why = host.reason(error)
    elif trial.step == WATCHING:  # the machine, or this program, was ended meanwhile
        trial = trial.counted(place, trial.failed + 1)
    if trial.step == WATCHING:
        _notify_ready(address)
        why = _verdict(place, trial, Watch(trial.failed, MOST_FAILED, now_s), wait_s)
    if why:
        _return(place, trial, why, address)
    else:
        _end(place, trial, is_good=True)


def _switched(place: Place, trial: Trial) -> Trial:
    """Stop the old version and put the new one in its place."""
    if not host.stop():
        raise InstallError("boardfw.service cannot be stopped")
    copy = record.copied(place)
    _put(place, NEW, OLD)
    place.link(trial.link, trial.new)
    host.take_over()
    return trial.at(place, WATCHING, copy=copy.saved() if copy else None)


def _verdict(place: Place, trial: Trial, watch: Watch, wait_s: Callable[[float], None]) -> str:
    """Start the new version and watch it; return why it is no good, or an empty text."""
    host.start(host.SERVICE)
    while (is_good := watch.looked()) is None:
        if watch.failed != trial.failed:
            trial = trial.counted(place, watch.failed)
        wait_s(PAUSE_S)
    return "" if is_good else f"the new version does not run: {watch.why}"


def _return(place: Place, trial: Trial, why: str, address: str) -> None:
    """Let the old version run again as it was."""
    say(f"{why}; the old one takes its place again")
    with suppress(OSError):  # on a full disk: it is done all the same
        trial = trial.at(place, RETURNING, why=why)
    host.stop()
    place.link(trial.link, trial.old)
    with suppress(InstallError):
        _put(place, OLD, NEW)
    if trial.copy:
        record.Copy.of(trial.copy).put_back()
    else:
        record.discard(place)  # of a step that was cut off: the new version never ran
    host.take_over()
    # From here on nothing holds the old version up.
    _notify_ready(address)
    again = "runs again" if host.restart() else "does not start either"
    _end(place, trial, is_good=False, why=f"{why}, the old one {again}")


def _end(place: Place, trial: Trial, *, is_good: bool, why: str = "") -> None:
    kept = trial.old if is_good else previous(place)
    with suppress(OSError):  # on a full disk the installer finds its own words
        _write_result(place, is_good=is_good, why=why, kept=kept)
    place.remove(FILE, quiet=True)
    if is_good and trial.copy:
        record.Copy.of(trial.copy).remove()
    say("the new version runs" if is_good else why)


def _put(place: Place, side: str, other: str) -> None:
    """Let the files of one side lie in their places, and none that only the other one has.

    Settings that the owner has edited since stay as they are.
    """
    root, gone = place.at(side), place.at(other)
    if not root.is_dir():
        raise InstallError(f"{root} is not there: no file is replaced")
    ours = {f"/{file.relative_to(root)}" for file in root.rglob("*") if file.is_file()}
    theirs = {f"/{file.relative_to(gone)}" for file in gone.rglob("*") if file.is_file()}
    edited = {path for path in theirs if _is_edited(place, path)}
    for path in sorted(theirs - ours - edited):
        place.remove(path)
    for path in sorted(ours - edited):
        place.lay(path, f"{side}{path}")


def _is_edited(place: Place, path: str) -> bool:
    """True if the owner has written a file since the trial laid it."""
    text, laid = place.text(path), [place.text(f"{side}{path}") for side in (OLD, NEW)]
    return path.startswith(ETC) and text is not None and text not in laid


def _notify_ready(address: str) -> None:
    """Let systemd start what waits for this unit, as in sd_notify(3)."""
    if address:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
            link.connect("\0" + address[1:] if address.startswith("@") else address)
            link.send(b"READY=1")


def main() -> None:
    """Be the unit; or with a link, the old and the new program, ask the unit for a trial."""
    parser = argparse.ArgumentParser(description="Try a new version of boardfw.")
    parser.add_argument("programs", nargs="*", metavar="PATH", help="link, old and new program")
    parser.add_argument("--files", type=Path, help="files of the new version, below a root")
    options = parser.parse_args()
    place = Place()
    try:
        if not options.programs:
            run(place)
            return
        with place.alone():
            trial = Trial.read(place)
            # What the package system has just unpacked is no trial that was cut off.
            if trial is None or trial.step != UNPACKING or host.is_going(host.TRIAL):
                finish(place)
            shutil.rmtree(place.at(NEW), ignore_errors=True)
            shutil.copytree(options.files, place.at(NEW))
            begin(place, Trial(*options.programs))
    except (InstallError, OSError) as error:
        sys.exit(f"boardfw: {host.reason(error)}")


if __name__ == "__main__":
    main()
