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
USER, PAGE_USER = "boardfw", "boardfw-web"
LOOK = "look at: journalctl -u boardfw -n 30"
SUBSYSTEMS = ("i2c-dev", "spidev", "gpio")


def has_systemd() -> bool:
    """Whether systemd runs here; in a chroot, or another system, it does not."""
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


def enable_page() -> None:
    """Let the page be there from now on, and from the next start of the machine on."""
    _must("systemctl", "enable", "--now", PAGE_SOCKET)
    say(f"enabled {PAGE_SOCKET}: the page is at port 8080; 'boardfw pair' gives its first key")


def disable() -> None:
    """Stop the service, which writes its game, and its page, and let neither start any more."""
    if _runs("systemctl", "disable", "--now", PAGE_SOCKET):
        _runs("systemctl", "stop", PAGE)
    if _runs("systemctl", "disable", "--now", SERVICE):
        say("stopped and disabled boardfw.service")


def is_enabled() -> bool:
    """Whether the service starts with the machine."""
    return _runs("systemctl", "is-enabled", SERVICE)


def is_active() -> bool:
    """Whether the service runs."""
    return _runs("systemctl", "is-active", SERVICE)


def stop() -> bool:
    """Stop the service, which writes its game; whether it has stopped."""
    return _runs("systemctl", "stop", SERVICE)


def restart() -> bool:
    """Restart the service, and its page if that runs; whether both became ready."""
    _runs("systemctl", "reset-failed", SERVICE)
    pages = [PAGE] if _runs("systemctl", "is-active", PAGE) else []
    return all(_runs("systemctl", "restart", unit) for unit in (SERVICE, *pages))


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
