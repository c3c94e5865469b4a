"""Debians in directories, of this kind of machine or of a Raspberry Pi, and commands in them.

Each is fetched once and kept. What a command does to it lies in a layer over it and goes with that.
Programs of another kind of machine run by qemu-user-static.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from release.kept import CACHE, CannotError, FailedError, kept

SUITES = {"bookworm": "3.11", "trixie": "3.13"}
"""The Debians that boardfw is for, and their Python."""
QEMU = {"arm64": "aarch64", "armhf": "arm"}
"""Architectures of Debian that a Raspberry Pi has, and what qemu calls them."""
NATIVE = {"x86_64": "amd64", "aarch64": "arm64", "armv7l": "armhf"}
"""What the kernel calls this machine, and what Debian does."""
BUILDING = ("debhelper", "gcc", "libc6-dev", "make", "python3-dev", "python3-venv")
"""For the package, and for libraries of a Raspberry Pi that are compiled on 32 bits."""
BINFMT = Path("/proc/sys/fs/binfmt_misc")
TOOLS = {"mmdebstrap": "mmdebstrap", "unshare": "util-linux"}
"""Programs, and the Debian packages that have them."""
CERTIFICATES = Path("/etc/ssl/certs")
PATIENCE_S = 6 * 3600
"""A limit for what hangs: a busy machine took more than an hour for a package in emulation."""
OFFLINE = re.compile(r"connection broken by '\w+")
"""How pip reports that it did not reach its index, before it tries again."""
HARMLESS = ("PIP_", "SOURCE_DATE_EPOCH", "http_proxy", "https_proxy", "no_proxy")
"""Variables of this machine that hold in there, too: how it reaches PyPI."""


def native() -> str:
    """What Debian calls this kind of machine."""
    return NATIVE.get(platform.machine(), platform.machine())


def debian(
    suite: str,
    architecture: str,
    packages: tuple[str, ...] = BUILDING,
    components: str = "main",
    hooks: tuple[str, ...] = (),
) -> Path:
    """The directory of a Debian with these packages. Raises CannotError.

    ``hooks``: options of mmdebstrap that say what is done on the way.
    """
    need_root(TOOLS)
    see_to(architecture)
    name = hashlib.sha256(" ".join((*packages, *hooks)).encode()).hexdigest()[:8]
    # What it mounts in there goes with it, however it ends.
    making = ["unshare", "--mount", "mmdebstrap", "--mode=root", "--variant=minbase"]
    making += [f"--include={','.join(packages)}"]
    making += [f"--architectures={architecture}", f"--components={components}"]
    making += [*WITHOUT_DOCUMENTS, *hooks, suite]
    source = mirror(suite, components)
    return kept(f"{suite}-{name}", lambda part: [*making, str(part), *source], architecture)


def mirror(suite: str, components: str) -> list[str]:
    """Where a Debian is fetched from; empty: from where mmdebstrap does by itself.

    ``BOARDFW_MIRROR``, an address, helps where that is out of order; it has no security updates.
    """
    address = os.environ.get("BOARDFW_MIRROR")
    return [f"deb {address} {suite} {components.replace(',', ' ')}"] if address else []


WITHOUT_DOCUMENTS = (
    "--dpkgopt=path-exclude=/usr/share/doc/*",
    "--dpkgopt=path-include=/usr/share/doc/*/copyright",
    "--dpkgopt=path-exclude=/usr/share/man/*",
    "--dpkgopt=path-exclude=/usr/share/locale/*",
)
"""Nobody reads there, and an emulated machine takes minutes to index pages. Licences stay."""


def need_root(tools: Mapping[str, str]) -> None:
    """Raises CannotError where this is not root, or a program is missing."""
    if os.getuid() != 0:
        raise CannotError("needs root, for chroots")
    for program, package in tools.items():
        if shutil.which(program) is None:
            raise CannotError(f"needs {program} (Debian package {package})")


def see_to(architecture: str) -> None:
    """Let the kernel run programs of this architecture. Raises CannotError."""
    if architecture == native():
        return
    if architecture not in QEMU:
        raise CannotError(f"{architecture}: neither a Raspberry Pi's nor this machine's")
    name = f"qemu-{QEMU[architecture]}"
    line = Path(f"/usr/lib/binfmt.d/{name}.conf")
    if not line.is_file():
        raise CannotError(f"needs {line} (Debian package qemu-user-static)")
    try:
        if not (BINFMT / "register").exists():
            # In containers and on machines without systemd nobody has mounted it.
            subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", str(BINFMT)], check=True)
        if not (BINFMT / name).exists():
            (BINFMT / "register").write_text(line.read_text("utf-8").splitlines()[0], "utf-8")
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotError(f"{BINFMT}: {name} cannot be registered: {error}") from error


@dataclass(frozen=True)
class Chroot:
    """A Debian with a layer of its own."""

    root: Path
    layer: Path
    """What is written in it, below ``upper``."""
    binds: Mapping[Path, str]
    """Directories of this machine, and where they are seen in there."""

    def tried(self, script: str, patience_s: float) -> subprocess.CompletedProcess[str]:
        """Run lines of the shell in there, by root, with the network; the first failure ends them.

        What they said is all in ``stdout``. Raises FailedError where it hangs.
        """
        lines = [
            "mount -t proc proc proc; mount --rbind /sys sys; mount --rbind /dev dev",
            "mount -t tmpfs tmpfs tmp; mount -t tmpfs tmpfs run",
            # Whatever it leads to is this machine's affair.
            "rm -f etc/resolv.conf; cp -L /etc/resolv.conf etc/resolv.conf 2>/dev/null || true",
        ]
        binds = dict(self.binds)
        if CERTIFICATES.is_dir():
            binds[CERTIFICATES] = str(CERTIFICATES)
        for here, there in binds.items():
            place = shlex.quote(there.lstrip("/"))
            lines.append(f"mkdir -p {place}; mount --bind {shlex.quote(str(here))} {place}")
        lines.append(f"exec chroot . /bin/sh -euc {shlex.quote(script)}")
        return self._entered("\n".join(lines), patience_s)

    def run(self, script: str, patience_s: float = PATIENCE_S) -> str:
        """What a script said that has to succeed.

        Raises FailedError with its last lines; CannotError if pip does not reach its index.
        """
        return self._said(self.tried(script, patience_s))

    def outside(self, script: str, patience_s: float = PATIENCE_S) -> str:
        """The same by this machine's own programs, started in its directory."""
        return self._said(self._entered(script, patience_s))

    def _said(self, told: subprocess.CompletedProcess[str]) -> str:
        if told.returncode and (offline := OFFLINE.search(told.stdout)):
            raise CannotError(f"needs the network, for the libraries: {offline[0]}")
        if told.returncode:
            raise FailedError(f"in {self.root.name}:\n{told.stdout[-4000:]}")
        return told.stdout

    def _entered(self, script: str, patience_s: float) -> subprocess.CompletedProcess[str]:
        """What lines of the shell said, with the layer over the Debian as the working directory."""
        upper, work, seen = (self.layer / name for name in ("upper", "work", "seen"))
        lines = [
            f"mkdir -p {upper} {work} {seen}",
            f"layer=lowerdir={self.root},upperdir={upper},workdir={work}",
            f'mount -t overlay overlay -o "$layer" {seen}',
            f"cd {seen}",
            script,
        ]
        keeping = {k: v for k, v in os.environ.items() if k.startswith(HARMLESS)}
        # What this machine keeps its own wheels in is not seen in there.
        keeping.pop("PIP_FIND_LINKS", None)
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-euc"]
        try:
            return subprocess.run(
                [*command, "\n".join(lines)],
                env=keeping | {"HOME": "/root", "LC_ALL": "C.UTF-8", "PATH": PATH},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=patience_s,
            )
        except subprocess.TimeoutExpired:
            raise FailedError(f"in {self.root.name}: no end in {patience_s:.0f} s") from None


PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@contextmanager
def chroot(root: Path, binds: Mapping[Path, str]) -> Iterator[Chroot]:
    """A Debian to work in; what is done to it is forgotten."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".layer-", dir=CACHE, ignore_cleanup_errors=True) as at:
        yield Chroot(root, Path(at), binds)
