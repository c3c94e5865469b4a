"""The files of the service, as far as they can be looked at without root and without installing."""

from __future__ import annotations

import configparser
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boardfw.cli import BAD_INPUT, BROKEN, STOPPED
from boardfw.shell.config import load_config
from boardfw.shell.scanner import ABOVE
from boardfw.shell.systemd import ask_for_power_off
from boardfw.shell.web.apart import WEB_USER
from tests.bench.memory_limit import ZERO_2_W_BYTES, limit_of

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
UNIT, PAGE = SYSTEMD / "boardfw.service", SYSTEMD / "boardfw-web.service"
PAGE_SOCKET, TRIAL = SYSTEMD / "boardfw-web.socket", SYSTEMD / "boardfw-trial.service"
INSTALL = [sys.executable, "-B", str(SYSTEMD / "install.py")]


def setting(key: str, unit: Path = UNIT) -> list[str]:
    """What a unit says for a key, as often as it says it."""
    return re.findall(rf"^{key}=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE)


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("needs systemd-analyze (Debian package systemd)")
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A directory of the units, with commands that exist on every machine."""
    for file in (UNIT, PAGE, PAGE_SOCKET, TRIAL):
        text = file.read_text(encoding="utf-8")
        text = re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", text)
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_units_are_understood_by_systemd(units: Path) -> None:
    result = analyze("verify", "--man=no", *map(str, units.iterdir()))
    # It ends with 0 even for keys it does not know: only silence is agreement.
    assert (result.stderr, result.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("name", "exposure"), [(UNIT.name, 0.6), (PAGE.name, 0.2), (TRIAL.name, 2.0)]
)
def test_the_units_give_away_hardly_any_right(units: Path, name: str, exposure: float) -> None:
    """As systemd counts it, from 0 to 10."""
    result = analyze("security", "--offline=true", "--no-pager", str(units / name))
    if "unrecognized option" in result.stderr:
        pytest.skip("needs systemd-analyze from 250 on, to look at a unit that is not loaded")
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", result.stdout)
    assert found, result.stdout + result.stderr
    assert float(found[1]) <= exposure, result.stdout


def test_the_unit_prepares_nothing_for_libraries_that_it_does_not_have() -> None:
    installed = re.findall(
        r"(?m)^([a-z0-9-]+)==", (ROOT / "requirements/pi.txt").read_text("utf-8")
    )
    text = UNIT.read_text("utf-8").lower()
    absent = {"lgpio", "rpi-gpio", "rpi-ws281x"} - set(installed)
    assert [name for name in absent if re.search(name.replace("-", "[-._]"), text)] == []


def test_leaks_of_both_units_leave_the_smallest_machine_its_memory() -> None:
    board, web = limit_of(UNIT.name), limit_of(PAGE.name)
    assert board + web <= ZERO_2_W_BYTES - 64_000_000
    assert board >= 212 * 1024 * 1024, "what was measured, engine and import included"
    for unit in (UNIT, PAGE):  # killed for that, it comes back
        assert setting("Restart", unit) == ["on-failure"]


@pytest.mark.parametrize("unit", [UNIT, PAGE])
def test_a_system_call_that_is_not_allowed_kills_nobody(unit: Path) -> None:
    assert setting("SystemCallErrorNumber", unit) == ["EPERM"]


FILLED_AND_EMPTIED = """
from os import urandom
from pathlib import Path
def held_kb():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
del (large := [bytes(1 << 22)])[:]  # from now on glibc takes 4 MB for a small block
before = held_kb()
taken = [(urandom(60_000), urandom(1000)) for _ in range(300)]
full = held_kb()
taken = [small for _, small in taken]
print(full - before, held_kb() - before)
"""


@pytest.mark.parametrize("unit", [UNIT, PAGE])
def test_memory_that_large_requests_took_is_given_back(unit: Path) -> None:
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("needs glibc, whose allocator the units set")
    named = dict(one.split("=", 1) for one in setting("Environment", unit))
    program = [sys.executable, "-c", FILLED_AND_EMPTIED]
    said = subprocess.run(
        program, env={**os.environ, **named}, capture_output=True, text=True, check=True
    ).stdout
    full, left = map(int, said.split())
    assert full > 15_000
    assert left < 3_000


def test_the_page_has_a_socket_and_nothing_else_of_the_network() -> None:
    for unit in (UNIT, PAGE):
        assert setting("PrivateNetwork", unit) == ["yes"]
        assert setting("RestrictAddressFamilies", unit) == ["AF_UNIX"]
    assert setting("PrivateDevices", PAGE) == ["yes"]
    assert not setting("DeviceAllow", PAGE)
    assert setting("MemoryMax", PAGE)
    assert setting("LimitDATA", PAGE)
    assert setting("Requires", PAGE) == [PAGE_SOCKET.name]
    assert setting("WantedBy", PAGE_SOCKET) == ["sockets.target"]


def test_the_board_can_tell_who_asks() -> None:
    """In a name space of users of its own it would see nobody."""
    assert not setting("PrivateUsers")
    assert setting("User", PAGE) == [WEB_USER]


def test_all_threads_run_in_real_time_and_the_scan_thread_may_go_before_them() -> None:
    (policy,), (priority,) = setting("CPUSchedulingPolicy"), setting("CPUSchedulingPriority")
    assert policy == "rr"  # an ordinary process is left alone by ``go_first``
    assert setting("LimitRTPRIO") == [str(int(priority) + ABOVE)]
    assert setting("SystemCallFilter")[-2] == "sched_setparam"
    # Engines are taken out of real time.
    assert setting("SystemCallFilter")[-1] == "sched_setscheduler setpriority"
    assert setting("RestrictRealtime") == ["yes"]


def test_a_mistake_in_the_settings_is_not_tried_again_and_a_missing_bus_is() -> None:
    prevented = {int(status) for status in setting("RestartPreventExitStatus")}
    assert setting("Restart") == ["on-failure"]
    assert BAD_INPUT in prevented
    assert not {BROKEN, STOPPED} & prevented


def test_user_and_settings_are_those_that_are_installed() -> None:
    users = (SYSTEMD / "boardfw.sysusers").read_text(encoding="utf-8")
    (user,), (page,) = setting("User"), setting("User", PAGE)
    for one in (user, page):
        assert re.search(rf"^u {one} ", users, re.MULTILINE)
    assert f"m {page} " not in users
    rules = (SYSTEMD / "boardfw.rules").read_text(encoding="utf-8")
    for group in set(re.findall(r'GROUP="(\w+)"', rules)):
        assert f"m {user} {group}\n" in users
    install = (SYSTEMD / "install.py").read_text(encoding="utf-8")
    assert 'ETC = "/etc/boardfw"' in install
    for unit, command in ((UNIT, "run"), (PAGE, "web")):
        started = f"/opt/boardfw/current/bin/boardfw {command} --config /etc/boardfw/boardfw.toml"
        assert setting("ExecStart", unit) == [started]


def test_the_settings_that_are_installed_are_good_ones() -> None:
    assert load_config(ROOT / "docs/boardfw.toml").board.url == "sim:"


@pytest.mark.parametrize(
    ("result", "is_asked", "goes_off"),
    [("success", True, True), ("success", False, False), ("watchdog", True, False)],
)
def test_the_machine_is_switched_off_where_the_board_asks_for_it_and_has_ended_well(
    tmp_path: Path, result: str, *, is_asked: bool, goes_off: bool
) -> None:
    tools, said = tmp_path / "bin", tmp_path / "said"
    for directory in (tools, tmp_path / "boardfw"):
        directory.mkdir()
    if is_asked:
        ask_for_power_off({"RUNTIME_DIRECTORY": str(tmp_path / "boardfw")})
    (tools / "systemctl").write_text(f'#!/bin/sh\necho "$*" > {said}\n', encoding="utf-8")
    (tools / "systemctl").chmod(0o755)
    (command,) = setting("ExecStopPost")
    words = shlex.split(command.removeprefix("+").replace("%t", str(tmp_path)).replace("$$", "$"))
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "SERVICE_RESULT": result}
    subprocess.run(words, env=environment, check=True)
    assert said.exists() == goes_off
    assert not goes_off or said.read_text(encoding="utf-8") == "--no-block poweroff\n"


def test_no_key_stands_in_a_wrong_section() -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT, encoding="utf-8")
    assert parser.sections() == ["Unit", "Service", "Install"]
    assert set(parser["Unit"]) == {"Description", "StartLimitIntervalSec"}
    assert set(parser["Install"]) == {"WantedBy"}


# ------------------------------------------------------------------------ installing


def install(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*INSTALL, *words], capture_output=True, text=True, check=False)


def test_to_remove_what_is_not_there_removes_nothing(tmp_path: Path) -> None:
    told = install("uninstall", "--destdir", str(tmp_path))
    assert (told.stdout, told.returncode) == ("boardfw was not installed\n", 0)


def test_what_was_installed_is_removed_and_what_was_played_is_kept(tmp_path: Path) -> None:
    unit, games = tmp_path / "usr/local/lib/systemd/system/boardfw.service", "var/lib/boardfw/games"
    for path in (unit, tmp_path / "opt/boardfw/current", tmp_path / games / "1.pgn"):
        path.parent.mkdir(parents=True)
        path.touch()
    told = install("uninstall", "--destdir", str(tmp_path))
    assert "removed /usr/local/lib/systemd/system/boardfw.service\n" in told.stdout
    assert [f for f in tmp_path.rglob("*") if f.is_file()] == [tmp_path / games / "1.pgn"]
    told = install("uninstall", "--destdir", str(tmp_path), "--purge")
    assert not [f for f in tmp_path.rglob("*") if f.is_file()]


def test_where_python_may_not_be_seen_nothing_is_begun(tmp_path: Path) -> None:
    hidden = f"import sys; sys.base_prefix = '/' + 'home'; sys.path.insert(0, {str(SYSTEMD)!r}); "
    run = f"import install; sys.argv = ['x', 'install', '--destdir', {str(tmp_path)!r}]; "
    told = subprocess.run(
        [sys.executable, "-B", "-c", f"{hidden}{run}install.main()"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 1
    assert told.stderr.endswith("make install PYTHON=/usr/bin/python3\n")
    assert not [*tmp_path.iterdir()]
