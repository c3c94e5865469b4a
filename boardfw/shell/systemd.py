"""Life under systemd: readiness and watchdog, the service's directories, and switching off.

A message to the supervisor is one datagram, as in sd_notify(3); without a supervisor every call
does nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from boardfw.shell.files import write_whole


@dataclass(frozen=True, slots=True)
class Notifier:
    """``address`` of the supervisor's socket, if there is one.

    ``watchdog_us``: it kills a process that was silent for so long, microseconds; None = never.
    """

    address: str | None = None
    watchdog_us: int | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Notifier:
        """As NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID say; nonsense counts as unset."""
        address = environment.get("NOTIFY_SOCKET", "")
        if not address.startswith(("/", "@")):  # a virtual machine's vsock: is no business of ours
            return cls()
        return cls(address, _watchdog_us(environment))

    @property
    def ping_us(self) -> int | None:
        """How often ``watchdog`` should be called: twice as often as must be; None = never."""
        return self.watchdog_us // 2 if self.watchdog_us else None

    def ready(self, status: str = "") -> bool:
        """Start-up is done; ``status`` is one line for a person. True if it was received."""
        return self._send("READY=1", status)

    def watchdog(self) -> bool:
        """A round was completed; to be called where a hang would be a hang of the board."""
        return self._send("WATCHDOG=1")

    def starting(self, for_us: int, status: str = "") -> bool:
        """Start-up goes on: the supervisor allows it so many microseconds more."""
        return self._send(f"EXTEND_TIMEOUT_USEC={for_us}", status)

    def stopping(self, status: str = "") -> bool:
        """Shutting down has begun."""
        return self._send("STOPPING=1", status)

    def _send(self, state: str, status: str = "") -> bool:
        if self.address is None:
            return False
        text = f"{state}\nSTATUS={' '.join(status.split())}" if status else state
        # The leading @ stands for the zero byte of an abstract socket.
        address = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as link:
                # Called between two scans: rather lose a ping than wait for a busy supervisor.
                link.setblocking(False)
                link.sendto(text.encode(), address)
        except OSError:  # a game goes on without its supervisor
            return False
        return True


def state_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where relative names of games and recordings begin: the service's own, or right here.

    A service's working directory is no place for games: it vanishes when the service stops.
    """
    first = environment.get("STATE_DIRECTORY", "").partition(":")[0]
    return Path(first) if first else Path.cwd()


def runtime_directory(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The service's own directory below /run; None: this is no service."""
    first = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(first) if first else None


MARK = "power-off"
"""The file there that asks for the machine to be switched off."""


def ask_for_power_off(environment: Mapping[str, str] = os.environ) -> bool:
    """Leave word for the stopping script, which has more rights. False: it is not there.

    Raises BoardError where the word cannot be left.
    """
    directory = runtime_directory(environment)
    if directory:
        write_whole(directory / MARK, "")
    return directory is not None


def _watchdog_us(environment: Mapping[str, str]) -> int | None:
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None  # it watches our parent
    interval = environment.get("WATCHDOG_USEC", "")
    return int(interval) or None if interval.isdecimal() else None
