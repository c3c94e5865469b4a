"""A request that was let in, and what is sent back; neither knows a socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from boardfw.services.web.gate import JSON
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Holder

NO_STORE = "no-store"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in."""

    holder: Holder | None
    path: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    address: str
    body: Any = None

    @property
    def role(self) -> Role:
        """Of who asks. Raises RefusedError where that is nobody yet."""
        return self.known.role

    @property
    def known(self) -> Holder:
        """Who asks. Raises RefusedError likewise."""
        if self.holder is None:
            raise RefusedError(401, "nobody knows you here yet", remedy="open /pair")
        return self.holder


@dataclass(frozen=True, slots=True)
class Answered:
    """What is sent back. ``cookies``: name -> value and seconds; 0 seconds: it goes."""

    body: bytes = b""
    status: int = 200
    kind: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, answer: object, **more: Any) -> Answered:
        """An answer of the API."""
        return cls(msgspec.json.encode(answer), **more)


Handler = Callable[[Asked], Awaitable[Answered]]
