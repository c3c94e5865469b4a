"""``sudo make install`` and ``sudo make uninstall``: boardfw as a service of this machine.

Run by the system's Python, before anything of boardfw is installed, hence without any library.
Each thing done is said in one line; nothing is done twice. docs/service.md is for the owner.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import environment
import host
import packages
import trial
from environment import CURRENT, OPT, SOURCES
from place import InstallError, Place, say
from record import CONFIG, GAMES

LIB = "/usr/local/lib"
"""Of what was installed by hand: /etc stays the owner's, /usr/lib the package system's."""
UNIT = f"{LIB}/systemd/system/boardfw.service"
SYSUSERS = f"{LIB}/sysusers.d/boardfw.conf"
FILES = {
    UNIT: "systemd/boardfw.service",
    f"{LIB}/systemd/system/boardfw-web.service": "systemd/boardfw-web.service",
    f"{LIB}/systemd/system/boardfw-web.socket": "systemd/boardfw-web.socket",
    SYSUSERS: "systemd/boardfw.sysusers",
    f"{LIB}/udev/rules.d/60-boardfw.rules": "systemd/boardfw.rules",
    f"{LIB}/modules-load.d/boardfw.conf": "systemd/boardfw.modules",
}
"""Where which file of the sources goes."""
GUARD = f"{LIB}/boardfw"
GUARDING = {
    f"{LIB}/systemd/system/{host.TRIAL}": f"systemd/{host.TRIAL}",
    **{f"{GUARD}/{name}.py": f"systemd/{name}.py" for name in trial.MODULES},
}
"""What tries a new version; no version brings back an older one of it."""
COMMAND = "/usr/local/bin/boardfw"
ETC = "/etc/boardfw"
DROP_INS = tuple(
    f"/etc/systemd/system/{unit}.d" for unit in (host.SERVICE, host.PAGE, host.PAGE_SOCKET)
)
PRIVATE = ("/home", "/root", "/run/user")
"""What ``ProtectHome=`` hides from the service."""


def install(place: Place, *, page: bool) -> None:
    """Install, or bring up to date. Raises InstallError; then what was in use still is.

    ``page``: let the board's page be there from now on; else it is as the owner has it.
    """
    _check(place)
    is_live = place.is_here and host.has_systemd()
    if is_live:
        trial.finish(place)
    name, new = environment.name_of_new(), _texts(FILES)
    program, old = place.target(CURRENT), {path: place.text(path) for path in FILES}
    is_changed = environment.make(place, name) or (program, old) != (name, new)
    if not is_live:
        _put(place, name)
        if place.is_here:
            say("systemd does not run here: the service starts where it does")
        if page:
            say(f"the page wants: systemctl enable {host.PAGE_SOCKET}, where systemd runs")
    elif is_changed and program and host.is_active():
        _try(place, (program, old), (name, new))
    else:
        _put(place, name)
        host.make_users(SYSUSERS)
        _start(is_first=old[UNIT] is None, is_changed=is_changed)
    if page and is_live:
        host.enable_page()
    environment.remove_others(place, trial.previous(place))


def _texts(files: Mapping[str, str]) -> dict[str, str | None]:
    return {path: (SOURCES / file).read_text("utf-8") for path, file in files.items()}


def _put(place: Place, name: str) -> None:
    for path, text in _texts(FILES).items():
        place.put(path, text or "")
    place.link(CURRENT, name)
    _put_around(place)


def _put_around(place: Place) -> None:
    """What every version needs, and none of them changes."""
    for path, text in _texts(GUARDING).items():
        # The Python that made the environments is there for as long as they work.
        place.put(path, (text or "").replace("/usr/bin/python3", os.path.realpath(sys.executable)))
    _configure(place)
    place.link(COMMAND, f"{CURRENT}/bin/boardfw")


Version = tuple[str, dict[str, str | None]]
"""The name of an environment, and the text of each file."""


def _try(place: Place, old: Version, new: Version) -> None:
    """Let a new version run where the old one runs. Raises InstallError if the old one runs on."""
    _put_around(place)
    host.make_users(str(SOURCES / FILES[SYSUSERS]))
    host.reload()
    trial.stage(place, trial.OLD, old[1])
    trial.stage(place, trial.NEW, new[1])
    say("trying the new version for half a minute")
    try:
        trial.begin(place, trial.Trial(CURRENT, old[0], new[0]))
    except InstallError:
        environment.remove_others(place, trial.previous(place))
        raise
    say("started boardfw.service")


def _check(place: Place) -> None:
    if any(Path(sys.base_prefix).is_relative_to(path) for path in PRIVATE):
        raise InstallError(
            f"the service cannot see a Python in {sys.base_prefix}; name the system's: "
            "make install PYTHON=/usr/bin/python3"
        )
    missing = packages.missing(packages.libraries())
    if missing and place.is_here:
        host.install_packages(missing)
    elif missing:
        raise InstallError(f"this Python lacks the Debian packages {' '.join(missing)}")


def _need_root(place: Place) -> None:
    if place.is_here and os.getuid() != 0:
        raise InstallError("only root may do that: put sudo before make")


def _configure(place: Place) -> None:
    """The owner's settings are never touched again."""
    if place.at(CONFIG).exists():
        say(f"kept {CONFIG}")
    else:
        place.put(CONFIG, (SOURCES / "docs/boardfw.toml").read_text("utf-8"))
        say(f"the board is a simulated one until you name yours in {CONFIG}")


def _start(*, is_first: bool, is_changed: bool) -> None:
    """Start a service that does not run, unless its owner wants none. Raises InstallError."""
    if is_changed:
        host.take_over()
    if is_first:
        host.enable()
    if not host.is_enabled():
        say("the service is disabled, and stays so: sudo systemctl enable --now boardfw")
    elif host.is_active():
        say("boardfw.service runs, and is up to date")
    elif host.restart():
        say("started boardfw.service")
    else:
        raise InstallError(f"boardfw.service is installed and does not start; {host.LOOK}")


def uninstall(place: Place, *, purge: bool) -> None:
    """Remove what ``install`` put there; settings and games only if they are to be purged."""
    is_told = place.is_here and host.has_systemd()
    if is_told:
        host.disable()
    units = [path for path in GUARDING if not path.startswith(GUARD)]
    removed = [place.remove(path) for path in (*FILES, *units, GUARD, COMMAND, OPT)]
    place.remove(trial.STATE, quiet=True)
    if is_told and any(removed):
        host.reload()
    if purge:
        _purge(place)
    elif place.at(ETC).exists() or place.at(GAMES).exists():
        say(f"kept {ETC} (settings) and {GAMES} (games); PURGE=1 removes them, too")
    if not any(removed):
        say("boardfw was not installed")


def _purge(place: Place) -> None:
    for path in (ETC, GAMES, *DROP_INS):
        place.remove(path)
    if place.is_here:
        host.remove_users()


def _goes_on(place: Place) -> str:
    is_tried = place.is_here and trial.Trial.read(place) is not None
    return "; the trial goes on by itself: journalctl -u boardfw-trial" if is_tried else ""


def main() -> None:
    """The command line, as the Makefile writes it; an empty DESTDIR is this machine."""
    parser = argparse.ArgumentParser(description="Install boardfw as a service, or remove it.")
    parser.add_argument("what", choices=["install", "uninstall"])
    parser.add_argument("--destdir", default="", help="install into this directory")
    parser.add_argument("--purge", action="store_true", help="remove settings and games, too")
    parser.add_argument("--web", action="store_true", help="let the board's page be there")
    options = parser.parse_args()
    os.umask(0o022)  # whatever root usually has: the user of the service must read it
    place = Place(Path(options.destdir or "/").resolve())
    try:
        _need_root(place)
        with place.alone():
            if options.what == "install":
                install(place, page=options.web)
            else:
                uninstall(place, purge=options.purge)
    except InstallError as error:
        sys.exit(f"make {options.what}: {error}")
    except OSError as error:
        sys.exit(f"make {options.what}: {error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(f"make {options.what}: stopped{_goes_on(place)}")


if __name__ == "__main__":
    main()
