"""What the running machine has to hear of: its package system, users, udev, systemd."""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import subprocess
from pathlib import Path

from place import InstallError, say

SERVICE = "boardfw.service"
PAGE, PAGE_SOCKET = "boardfw-web.service", "boardfw-web.socket"
TRIAL = "boardfw-trial.service"
USER, PAGE_USER = "boardfw", "boardfw-web"
LOOK = "look at: journalctl -u boardfw -n 30"
SHOWN = ("ActiveState", "MainPID", "NRestarts")
SUBSYSTEMS = ("i2c-dev", "spidev", "gpio")


def has_systemd() -> bool:
    """True if systemd runs here; in a chroot, or another system, it does not."""
    return Path("/run/systemd/system").is_dir()


def install_packages(packages: list[str]) -> None:
    """Install Debian packages. Raises InstallError."""
    by_hand = f"install them: sudo apt-get install {' '.join(packages)}"
    if shutil.which("apt-get") is None:
        raise InstallError(f"{' '.join(packages)}: needed, and there is no apt-get; {by_hand}")
    say(f"installing Debian packages: {' '.join(packages)}")
    command = ["apt-get", "--quiet=2", "--yes", "--no-install-recommends", "install", *packages]
    if _runs(*command, DEBIAN_FRONTEND="noninteractive"):
        return
    _runs("apt-get", "--quiet=2", "update")  # what it has heard of them may be old
    if not _runs(*command, loud=True, DEBIAN_FRONTEND="noninteractive"):
        raise InstallError(f"apt-get did not install them (see above); {by_hand}")


def make_users(sysusers: str) -> None:
    """The service's user in the groups of the devices, and that of its page, which is in none; who
    installs may read the games."""
    new = [user for user in (USER, PAGE_USER) if not _has(user)]
    _must("systemd-sysusers", sysusers)
    if USER in new:
        say(f"made the user {USER}, in the groups i2c, spi and gpio")
    if PAGE_USER in new:
        say(f"made the user {PAGE_USER}, who may do nothing but ask the board")
    owner = os.environ.get("SUDO_USER", "root")
    if owner != "root" and owner not in grp.getgrnam(USER).gr_mem:
        _must("usermod", "--append", "--groups", USER, owner)
        say(f"{owner} may read the games from the next login on (group {USER})")


def remove_users() -> None:
    """Remove the users of the service and of its page, and their groups."""
    for user in (USER, PAGE_USER):
        if _has(user):
            _must("userdel", user)
            _runs("groupdel", user)  # userdel leaves a group that has other members
            say(f"removed the user {user}")


def _has(user: str) -> bool:
    return any(entry.pw_name == user for entry in pwd.getpwall())


def take_over() -> None:
    """Let udev and systemd read what lies there now. Raises InstallError.

    So the devices belong to their groups now, and not from the next start of the machine on.
    """
    _runs("modprobe", "i2c-dev")
    _runs("udevadm", "control", "--reload")
    _runs("udevadm", "trigger", *(f"--subsystem-match={name}" for name in SUBSYSTEMS))
    reload()


def reload() -> None:
    """Let systemd read its units again. Raises InstallError."""
    _must("systemctl", "daemon-reload")


def enable() -> None:
    """Let the service start with the machine."""
    _must("systemctl", "enable", SERVICE)
    say("enabled boardfw.service: it starts with the machine")


def enable_trial() -> None:
    """Let a trial that is cut off go on at the next start of the machine."""
    _must("systemctl", "enable", "--quiet", TRIAL)


def enable_page() -> None:
    """Let the page be there from now on, and from the next start of the machine on."""
    _must("systemctl", "enable", "--now", PAGE_SOCKET)
    say(f"enabled {PAGE_SOCKET}: the page is at port 8080; 'boardfw pair' gives its first key")


def disable() -> None:
    """Stop the service, which writes its game, and its page, and let neither start any more."""
    _runs("systemctl", "disable", "--now", TRIAL)
    if _runs("systemctl", "disable", "--now", PAGE_SOCKET):
        _runs("systemctl", "stop", PAGE)
    if _runs("systemctl", "disable", "--now", SERVICE):
        say("stopped and disabled boardfw.service")


def is_enabled() -> bool:
    """True if the service starts with the machine."""
    return _runs("systemctl", "is-enabled", SERVICE)


def is_active(unit: str = SERVICE) -> bool:
    """True if the unit runs."""
    return _runs("systemctl", "is-active", unit)


def is_going(unit: str) -> bool:
    """True if the unit runs, or is about to."""
    return shown(unit)["ActiveState"] not in ("inactive", "failed")


def shown(unit: str) -> dict[str, str]:
    """Return what systemd knows of a unit now."""
    command = ["systemctl", "show", f"--property={','.join(SHOWN)}", unit]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return dict.fromkeys(SHOWN, "0") | dict(
        line.split("=", 1) for line in told.splitlines() if "=" in line
    )


def stop() -> bool:
    """Stop the service, which writes its game; True if it has stopped."""
    return _runs("systemctl", "stop", SERVICE)


def start(unit: str) -> bool:
    """Start a unit, whatever became of it before; True if it became ready at the first try."""
    _runs("systemctl", "reset-failed", unit)
    return _runs("systemctl", "start", unit)


def restart() -> bool:
    """Restart the service, and its page if that runs; True if both became ready."""
    _runs("systemctl", "reset-failed", SERVICE)
    pages = [PAGE] if is_active(PAGE) else []
    # All of them first: a page of the other version must not run on if the service does not start.
    became_ready = [_runs("systemctl", "restart", unit) for unit in (SERVICE, *pages)]
    return all(became_ready)


def restart_page() -> bool:
    """Restart the page, whether it ran or not; True if it became ready."""
    _runs("systemctl", "reset-failed", PAGE)
    return _runs("systemctl", "restart", PAGE)


def reason(error: Exception) -> str:
    """Return what went wrong, in one line."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _must(*command: str) -> None:
    if not _runs(*command, loud=True):
        raise InstallError(f"{' '.join(command)}: failed (see above)")


def _runs(*command: str, loud: bool = False, **variables: str) -> bool:
    """Run a command; whether it is there and succeeded."""
    try:
        told = subprocess.run(
            command, env=os.environ | variables, capture_output=not loud, check=False
        )
    except FileNotFoundError:
        return False
    return told.returncode == 0
