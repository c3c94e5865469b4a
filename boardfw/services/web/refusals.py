"""Refusals: what a page is answered that asks for what cannot be, as RFC 9457 has it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec

from boardfw.languages import also_said
from boardfw.phrase import Phrase
from boardfw.services.web.state import Languages

ANSWER_BYTES = 12_000_000
"""The longest answer: some 8,000 games. The process of the web app takes a good four times as much
for a moment, and its unit has 96 MB in all."""


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is wrong, where, and how to mend it."""

    type: str = "about:blank"
    title: str
    status: int
    what: str
    where: str = ""
    remedy: str = ""
    also: Languages = {}
    """``what`` and ``remedy``."""
    state: dict[str, Any] | None = None
    """The board as it is now, where the page has seen an older one."""


class Refusal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a request is not done. ``retry_s``: when it may be asked again; None: that is open."""

    status: int
    what: str
    where: str = ""
    remedy: str = ""
    retry_s: int | None = None
    also: Languages = {}
    """As of ``Problem``."""
    state: str | None = None
    """JSON: the board as it is now, where the page has seen an older one."""

    @property
    def body(self) -> bytes:
        """The problem as JSON."""
        problem = Problem(
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            what=self.what,
            where=self.where,
            remedy=self.remedy,
            also=self.also,
            state=None if self.state is None else msgspec.json.decode(self.state),
        )
        # msgspec leaves out what is the default; the type is for those who look for it.
        return msgspec.json.encode({"type": problem.type, **msgspec.to_builtins(problem)})


class RefusedError(Exception):
    """A request that is not done, and why."""

    def __init__(
        self,
        status: int,
        what: str,
        *,
        where: str = "",
        remedy: str = "",
        retry_s: int | None = None,
        state: str | None = None,
    ) -> None:
        """As of ``Refusal``."""
        super().__init__(what)
        said = {"what": what, "remedy": remedy} if remedy else {"what": what}
        also = {  # a refusal is not half translated
            language: words
            for language, words in also_said(**said).items()
            if words.keys() == said.keys()
        }
        self.refusal = Refusal(
            status=status,
            what=str(what),
            where=where,
            remedy=str(remedy),
            retry_s=retry_s,
            also=also,
            state=state,
        )

    @classmethod
    def of(cls, refusal: Refusal) -> RefusedError:
        """One that was refused by another process."""
        error = cls(refusal.status, refusal.what)
        error.refusal = refusal
        return error


def too_often(what: str, wait_s: float) -> RefusedError:
    """Something is asked for too often; ``wait_s``: seconds until it may be asked again."""
    seconds = max(1, int(wait_s + 0.999))
    return RefusedError(429, what, remedy=Phrase("wait {0} s", str(seconds)), retry_s=seconds)
