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
USER = "boardfw"
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


def make_user(sysusers: str) -> None:
    """The service's user in the groups of the devices; who installs may read the games."""
    is_new = not _has_user()
    _must("systemd-sysusers", sysusers)
    if is_new:
        say(f"made the user {USER}, in the groups i2c, spi and gpio")
    owner = os.environ.get("SUDO_USER", "root")
    if owner != "root" and owner not in grp.getgrnam(USER).gr_mem:
        _must("usermod", "--append", "--groups", USER, owner)
        say(f"{owner} may read the games from the next login on (group {USER})")


def remove_user() -> None:
    """Remove the service's user and group."""
    if _has_user():
        _must("userdel", USER)
        _runs("groupdel", USER)  # userdel leaves a group that has other members
        say(f"removed the user {USER}")


def _has_user() -> bool:
    return any(entry.pw_name == USER for entry in pwd.getpwall())


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


def disable() -> None:
    """Stop the service, which writes its game, and let it start no more."""
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
    """Restart the service; whether it became ready."""
    _runs("systemctl", "reset-failed", SERVICE)
    return _runs("systemctl", "restart", SERVICE)


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
