"""The API is described as it is, and what was promised once is kept."""

from __future__ import annotations

import json

from boardfw.services.web.front import DESCRIPTION
from boardfw.services.web.openapi import description
from tests.services.web.promises import FILE as PROMISES
from tests.services.web.promises import promises


def test_the_description_that_is_installed_is_that_of_the_code() -> None:
    stored = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(description())), (
        "run: python -m boardfw.services.web.openapi"
    )


def test_nothing_of_what_programs_rely_on_is_gone_or_narrower() -> None:
    promised = set(PROMISES.read_text(encoding="utf-8").splitlines())
    kept = set(promises(description()))
    assert promised
    assert sorted(promised - kept) == []


def test_what_is_new_is_promised() -> None:
    promised = set(PROMISES.read_text(encoding="utf-8").splitlines())
    new = sorted(set(promises(description())) - promised)
    assert new == [], "run: python -m tests.services.web.promises"
