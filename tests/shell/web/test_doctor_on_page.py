"""The doctor looks at a board from its page, while it plays."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from boardfw.doctor.examination import Playing, examined_beside
from boardfw.doctor.examined_board import opened
from boardfw.services.web.api import Examined
from boardfw.services.web.roles import Role
from tests.shell.web.served import Served

DOCTOR = "/api/v1/board/doctor"


def examine(url: str) -> Examined:
    text, is_well = examined_beside(url, None)
    return Examined(text=text, is_well=is_well)


@pytest.mark.parametrize(
    ("url", "is_well"),
    [("sim:", True), ("sim-i2c:reference", True), ("i2c:reference", False)],
)
async def test_its_owner_reads_what_the_doctor_says(
    served: Served, url: str, is_well: bool
) -> None:
    served.pages.examine = partial(examine, url)
    owner = await served.known(Role.OWNER)
    found = await owner.post(DOCTOR)
    assert (found.status, found.json["is_well"]) == (200, is_well)
    assert ("FAILED" in found.json["text"]) != is_well
    assert url in found.json["text"]


async def test_a_board_is_not_examined_twice_at_once(served: Served) -> None:
    owner = await served.known(Role.OWNER)
    served.pages.examine = lambda: Examined(text="all is well", is_well=True)
    assert (await owner.post(DOCTOR, {"quick": True})).status == 422
    asked = await asyncio.gather(*(owner.post(DOCTOR) for _ in range(8)))
    assert sorted(reply.status for reply in asked) == [200, *[429] * 7]
    refused = await owner.post(DOCTOR)
    assert (refused.status, int(refused.headers["Retry-After"]) > 1) == (429, True)


async def test_a_board_without_a_doctor_says_so(served: Served) -> None:
    refused = await (await served.known(Role.OWNER)).post(DOCTOR)
    assert (refused.status, bool(refused.json["what"])) == (404, True)


def test_nothing_of_a_real_board_that_plays_is_taken() -> None:
    taken: list[str] = []

    def take(device: str) -> None:
        taken.append(device)
        raise FileNotFoundError(device)

    machine = Playing(connect=take, pin_factory=lambda _: None)
    with opened("i2c:reference", machine) as patient:
        assert patient.players
        assert (patient.gpio, patient.reeds, patient.sensor) == (None, None, None)
