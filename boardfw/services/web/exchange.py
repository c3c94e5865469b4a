"""A request that was let in, as the doings of the routes have it; it knows no socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from boardfw.services.web.core import Answered, Request
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Role
from boardfw.services.web.routes import Route
from boardfw.services.web.sessions import Holder


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in. ``holder``: None: nobody yet. ``body``: as the route has it."""

    request: Request
    route: Route
    path: Mapping[str, str]
    """Its parts that differ."""
    holder: Holder | None
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


Handler = Callable[[Asked], Awaitable[Answered]]
