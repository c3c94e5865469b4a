"""The image of a card starts in an emulated machine, and its board waits for switches.

The machine is QEMU's ``virt`` with the image's own kernel and first files: what is not
seen here is the Raspberry Pi's firmware, which loads them on a real one, and its devices.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from release.image import BOOT_MIB, MIB, image
from release.kept import CannotError
from tests.service.container import ROOT

pytestmark = pytest.mark.release

PROGRAMS = {
    "qemu-system-aarch64": "qemu-system-arm",
    "mcopy": "mtools",
    "ssh": "openssh-client",
    "ssh-keygen": "openssh-client",
}
PATIENCE_S = 3600
"""Without another processor to help, an emulated one starts in minutes."""
SSH_LISTENS = re.compile(r"Started \S*ssh\.service")
"""What systemd says at the console."""
NETWORK = "virtio-net-pci,netdev=n,romfile="
"""Without what a PC's card has for a start over the network, which Debian packs apart."""
GROWN_MIB = 1024
BOOT = f"@@{4 * MIB}"
"""Where mtools find the first partition of an image."""


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A card of some size with the image on it, as an owner has written it."""
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            pytest.skip(f"needs {program} (Debian package {package})")
    named = os.environ.get("BOARDFW_IMAGE")
    try:
        packed = ROOT / named if named else image()
    except CannotError as error:
        pytest.skip(str(error))
    card = tmp_path_factory.mktemp("card") / "card.img"
    with lzma.open(packed) as source, card.open("wb") as target:
        shutil.copyfileobj(source, target, MIB)
    with card.open("r+b") as file:
        file.truncate(card.stat().st_size + GROWN_MIB * MIB)
    return card


def mtool(program: str, card: Path, *words: str) -> bytes:
    return subprocess.run(
        [program, "-i", f"{card}{BOOT}", *words], capture_output=True, check=True
    ).stdout


@contextmanager
def started(card: Path, folder: Path) -> Iterator[int]:
    """The machine, once somebody can log in; the port at which its SSH is found."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    names = mtool("mdir", card, "-b", "::").decode().split()
    for kind in ("vmlinuz", "initrd.img"):
        (name,) = (name for name in names if name.startswith(f"::/{kind}-"))
        (folder / kind).write_bytes(mtool("mtype", card, name))
    command = [
        *("nice", "-n", "10", "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53"),
        *("-smp", "2", "-m", "1024", "-display", "none", "-serial", "stdio", "-no-reboot"),
        *("-kernel", str(folder / "vmlinuz"), "-initrd", str(folder / "initrd.img")),
        *("-append", "root=LABEL=RASPIROOT rw rootwait console=ttyAMA0 net.ifnames=0"),
        *("-drive", f"file={card},format=raw,if=virtio", "-device", NETWORK),
        *("-netdev", f"user,id=n,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:22"),
    ]
    command = ["timeout", str(PATIENCE_S), *command]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace"
    ) as machine:
        assert machine.stdout is not None
        text = ""
        while not SSH_LISTENS.search(text):
            line = machine.stdout.readline()
            # As where a busy machine lets it wait for its disk for longer than systemd's 90 s.
            is_over = not line or "emergency mode" in line
            assert not is_over, f"it did not start:\n{text[-4000:]}"
            text += line
        # Nobody reads on, and a console that is full would stop it.
        threading.Thread(target=machine.stdout.read, daemon=True).start()
        try:
            yield port
        finally:
            machine.terminate()


def test_it_starts_and_waits_for_a_board(card: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    text = mtool("mtype", card, "::boardfw.txt").decode()
    text = text.replace("name=chessboard", "name=testboard").replace(
        "ssh_key=", f"ssh_key={key.with_suffix('.pub').read_text().strip()}"
    )
    text = text.replace("wifi_name=", "wifi_name=Our home")
    text = text.replace("wifi_password=", "wifi_password=not easy to guess")
    (tmp_path / "boardfw.txt").write_text(text.replace("\n", "\r\n"))
    mtool("mcopy", card, "-o", str(tmp_path / "boardfw.txt"), "::boardfw.txt")

    with started(card, tmp_path) as port:
        ssh = [*("ssh", "-i", str(key), "-p", str(port), "-o", "StrictHostKeyChecking=no")]
        ssh += ["-o", f"UserKnownHostsFile={tmp_path}/hosts", "-o", "ConnectionAttempts=60"]
        ssh += ["-o", "BatchMode=yes", "-o", "ConnectTimeout=60", "root@127.0.0.1"]

        def run(command: str) -> str:
            told = subprocess.run(
                [*ssh, command], capture_output=True, text=True, check=False, timeout=600
            )
            return told.stdout + told.stderr

        # The service says so from its first try on, which an emulated machine takes a while for.
        run("timeout 500 sh -c 'until boardfw status | grep waiting; do sleep 1; done'")
        assert "boardfw is waiting for a board: /dev/i2c-1: no such bus" in run("boardfw status")
        assert run("hostname").strip() == "testboard"
        size = int(run("df --output=size --block-size=1M / | tail -n 1"))
        assert size > card.stat().st_size / MIB - BOOT_MIB - 200, "it fills the card"
        wifi = run("cat /etc/wpa_supplicant/wpa_supplicant-wlan0.conf")
        assert 'ssid="Our home"' in wifi
        assert "not easy" not in wifi
        assert "not easy" not in run("cat /boot/firmware/boardfw.txt")
        locked = run("getent shadow | grep -v ':[!*]' || true")
        assert locked.strip() == "", "a user has a password"
        sshd = run("sshd -T")
        assert "passwordauthentication no" in sshd
        assert "permitrootlogin without-password" in sshd
        assert "dtoverlay=boardfw" in run("cat /boot/firmware/config.txt")
        failed = run("systemctl list-units --failed --no-legend --plain")
        assert [line for line in failed.splitlines() if "wpa_supplicant" not in line] == []
