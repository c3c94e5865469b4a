"""What the card's text file does at a start, in a directory in place of a card."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from boardfw.shell.config import load_config
from release.image import SSHD

ROOT = Path(__file__).parents[2]
CARD = ROOT / "release/card"
PASSPHRASE = """#!/bin/sh
read password
[ ${#password} -ge 8 ] || { echo 'Passphrase must be 8..63 characters'; exit 1; }
printf 'network={\\n\\tssid="%s"\\n\\t#psk="%s"\\n\\tpsk=00ff\\n}\\n' "$1" "$password"
"""
SAYS = '#!/bin/sh\necho "$(basename "$0") $*" >>"$BOARDFW_CARD_ROOT/said"\n'


@pytest.fixture
def card(tmp_path: Path) -> Path:
    for folder in ("bin", "boot/firmware", "etc/boardfw", "etc/ssh", "etc/wpa_supplicant", "root"):
        (tmp_path / folder).mkdir(parents=True)
    programs = dict.fromkeys(("hostname", "ssh-keygen", "systemctl"), SAYS)
    programs |= {"wpa_passphrase": PASSPHRASE, "findmnt": "#!/bin/sh\nexit 1\n"}
    for name, text in programs.items():
        (tmp_path / "bin" / name).write_text(text, "utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    settings = (ROOT / "docs/boardfw.toml").read_text("utf-8")
    (tmp_path / "etc/boardfw/boardfw.toml").write_text(settings, "utf-8")
    return tmp_path


def text_file(card: Path) -> Path:
    return card / "boot/firmware/boardfw.txt"


def started(card: Path, **changed: str) -> str:
    """What a start says, after lines of the text file have been changed, on a Windows machine."""
    lines = (CARD / "boardfw.txt").read_text("utf-8").splitlines()
    if text_file(card).exists():
        lines = text_file(card).read_text("utf-8").splitlines()
    for name, value in changed.items():
        lines = [f"{name}={value}" if line.startswith(f"{name}=") else line for line in lines]
    text_file(card).write_text("\r\n".join(lines) + "\r\n", "utf-8", newline="")
    return again(card)


def again(card: Path) -> str:
    environment = {"BOARDFW_CARD_ROOT": str(card), "PATH": f"{card}/bin:{os.environ['PATH']}"}
    told = subprocess.run(
        [CARD / "first-start"], env=environment, capture_output=True, text=True, check=True
    )
    return told.stdout + told.stderr


def said(card: Path) -> str:
    return (card / "said").read_text("utf-8")


def test_as_it_comes_it_has_a_name_and_a_board_and_nobody_may_log_in(card: Path) -> None:
    started(card)
    assert (card / "etc/hostname").read_text() == "chessboard\n"
    assert load_config(card / "etc/boardfw/boardfw.toml").board.url == "i2c:reference"
    assert list((card / "etc/wpa_supplicant").iterdir()) == []
    assert list((card / "root").iterdir()) == []
    assert "ssh.service" not in said(card)
    assert "disable --no-block --now boardfw-web.socket" in said(card)
    assert "ssh-keygen -A" in said(card)


def test_a_password_leaves_the_file_and_the_network_stays(card: Path) -> None:
    started(card, wifi_name="Our home", wifi_password="easy to guess", wifi_country="DE")
    wifi = card / "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
    text = wifi.read_text()
    assert 'ssid="Our home"' in text
    assert "psk=00ff" in text
    assert "country=DE\n" in text
    assert "easy to guess" not in text + text_file(card).read_text()
    assert wifi.stat().st_mode & 0o077 == 0
    assert "enable --no-block --now wpa_supplicant@wlan0.service" in said(card)
    again(card)
    assert wifi.read_text() == text


def test_a_key_opens_ssh(card: Path) -> None:
    started(card, ssh_key="ssh-ed25519 AAAA owner")
    assert (card / "etc/ssh/boardfw_key").read_text() == "ssh-ed25519 AAAA owner\n"
    assert "AuthorizedKeysFile .ssh/authorized_keys /etc/ssh/boardfw_key\n" in SSHD
    assert "enable --no-block --now ssh.service" in said(card)


@pytest.mark.parametrize("other", ["", "ssh-ed25519 BBBB friend\n"])
def test_a_key_that_is_cleared_opens_nothing_any_more(card: Path, other: str) -> None:
    started(card, ssh_key="ssh-ed25519 AAAA owner")
    (card / "root/.ssh").mkdir()
    keys = card / "root/.ssh/authorized_keys"
    keys.write_text(other, "utf-8")
    assert "may log in no more" in started(card, ssh_key="")
    assert not (card / "etc/ssh/boardfw_key").exists()
    assert keys.read_text("utf-8") == other  # added by hand, so the owner removes it by hand
    assert ("disable --no-block --now ssh.service" in said(card)) == (other == "")


def test_what_an_owner_changes_on_the_board_outlives_the_next_start(card: Path) -> None:
    started(card, page="yes")
    config = card / "etc/boardfw/boardfw.toml"
    config.write_text(config.read_text("utf-8").replace("i2c:reference", "i2c:mine.toml"), "utf-8")
    (card / "etc/hostname").write_text("mine\n", "utf-8")
    (card / "said").unlink()
    again(card)
    assert load_config(config).board.url == "i2c:mine.toml"
    assert (card / "etc/hostname").read_text("utf-8") == "mine\n"
    assert "boardfw-web.socket" not in said(card)
    started(card, board="sim:", name="hall", page="no")  # unless the text file changes as well
    assert load_config(config).board.url == "sim:"
    assert (card / "etc/hostname").read_text("utf-8") == "hall\n"
    assert "disable --no-block --now boardfw-web.socket" in said(card)


def test_each_file_is_on_the_card_before_it_gets_its_name(card: Path) -> None:
    """The power may fail after any step: no file may be empty then, and no password lost."""
    for name in ("sync", "mv"):
        program = f'{SAYS}exec {shutil.which(name)} "$@"\n'
        (card / "bin" / name).write_text(program, "utf-8")
        (card / "bin" / name).chmod(0o755)
    started(card, wifi_name="Our home", wifi_password="easy to guess", ssh_key="ssh-rsa AAAA me")
    steps = [line for line in said(card).splitlines() if line.startswith(("sync", "mv"))]
    moved = [line.split()[2] for line in steps if line.startswith("mv")]
    names = {Path(path).name for path in moved}
    wanted = {"hostname", "hosts", "boardfw.toml", "boardfw_key", "boardfw.txt"}
    assert names >= wanted | {"wpa_supplicant-wlan0.conf"}
    for path in moved:
        at = steps.index(f"mv {path}.part {path}")
        assert steps[at - 1 : at + 2 : 2] == [f"sync {path}.part", f"sync {Path(path).parent}"]
    wifi = next(i for i, path in enumerate(moved) if path.endswith("wlan0.conf"))
    assert moved.index(str(text_file(card))) > wifi


def test_settings_that_cannot_be_read_are_not_emptied(card: Path) -> None:
    (card / "bin/sed").write_text(
        f'#!/bin/sh\ncase "$*" in *board*toml) exit 1 ;; esac\nexec {shutil.which("sed")} "$@"\n'
    )
    (card / "bin/sed").chmod(0o755)
    config = card / "etc/boardfw/boardfw.toml"
    before = config.read_text("utf-8")
    assert f"{config}: cannot be written" in started(card)
    assert config.read_text("utf-8") == before


def test_the_page_is_there_when_it_is_asked_for(card: Path) -> None:
    started(card, page="yes", board="sim:?seed=7")
    assert "enable --no-block --now boardfw-web.socket" in said(card)
    assert load_config(card / "etc/boardfw/boardfw.toml").board.url == "sim:?seed=7"


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"name": "my board"}, "name: give letters, digits and - only"),
        ({"wifi_name": "x", "wifi_password": "short"}, "wifi_password: 8 to 63 letters"),
        ({"board": 'i2c:"; rm'}, "is no board's name"),
        ({"ssh_key": "my password"}, "a public key begins with ssh-"),
    ],
)
def test_a_mistake_is_said_and_changes_nothing(
    card: Path, changed: dict[str, str], wanted: str
) -> None:
    assert wanted in started(card, **changed)
    load_config(card / "etc/boardfw/boardfw.toml")
    assert list((card / "etc/wpa_supplicant").iterdir()) == []
    assert list((card / "root").iterdir()) == []


def test_a_card_without_the_file_starts_too(card: Path) -> None:
    assert "all stays as it is" in again(card)
