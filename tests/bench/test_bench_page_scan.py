"""What a scanner finds at the board's page: Wapiti, which Debian has, run by `make bench`.

It is let in once as a stranger and once as an owner, and attacks every address that can be asked
for by GET, with all modules that need nothing from elsewhere.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from boardfw.services.web.routes import ROUTES
from tests.bench.page_load import page_board

pytestmark = pytest.mark.bench

WAPITI = shutil.which("wapiti")
MODULES = (
    "backup",
    "buster",
    "cookieflags",
    "crlf",
    "csp",
    "csrf",
    "exec",
    "file",
    "htaccess",
    "http_headers",
    "methods",
    "permanentxss",
    "redirect",
    "shellshock",
    "sql",
    "xss",
    "xxe",
)
QUERY = "?q=ann&fen=8&offset=0&limit=5&since=x%3A1"
"""Of each address: every name that any of them reads."""
SECONDS = 600
"""How long one scan may take."""
SAMPLE = {"id": "1", "number": "1", "ply": "1", "hash": "0", "name": "app.js"}


@pytest.mark.skipif(WAPITI is None, reason="no scanner: apt install wapiti")
@pytest.mark.parametrize("who", ["stranger", "owner"])
def test_bench_a_scan(tmp_path: Path, who: str) -> None:
    with page_board(tmp_path, "board", "hand") as board:
        begun = board.ask("begin", role="owner", count=1)
        # Two edges for a ply, so that there is a game to be found.
        board.ask("play", edges=4, hz=5.0)
        cookie = f"{begun['cookie']}={begun['tokens'][0]}" if who == "owner" else "a=b"
        found = scan(tmp_path, begun["url"], cookie)
    log = (tmp_path / "board.log").read_text(encoding="utf-8")
    print(f"\na scan as {who}: {len(found)} findings; tracebacks {log.count('Traceback')}")
    for line in sorted(set(found)):
        print(f"  {line} ({found.count(line)})")


def scan(folder: Path, url: str, cookie: str) -> list[str]:
    """What it found: the kind, and a request that shows it."""
    report = folder / "report.json"
    asked = {url + route.path.format(**SAMPLE) + QUERY for route in ROUTES if route.method == "GET"}
    starts = [part for one in sorted(asked) for part in ("-s", one)]
    ways = ["-m", ",".join(MODULES), "--max-attack-time", "60", "--max-scan-time", str(SECONDS)]
    more = ["--flush-session", "--store-session", str(folder), "-v", "0", "-H", f"Cookie: {cookie}"]
    out = ["-f", "json", "-o", str(report)]
    command = [str(WAPITI), "-u", f"{url}/", *starts, *ways, *more, *out]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=2 * SECONDS)
    told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    kinds = {**told["vulnerabilities"], **told["anomalies"]}
    return [
        f"{kind}: {one['info']} [{one['method']} {one['path'].partition('?')[0]}]"
        for kind, findings in kinds.items()
        for one in findings
    ]
