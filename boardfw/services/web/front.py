"""Pages and files: what is answered without the board, or of what anybody may know of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from boardfw.services.web.core import Answered, Core, Request
from boardfw.services.web.plain_page import plain
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.routes import PREFIX, Route
from boardfw.services.web.static_files import ANY_HASH, KINDS, StaticFile, StaticFiles, language_of

DESCRIPTION = Path(__file__).with_name("openapi.json")
FOREVER = "public, max-age=31536000, immutable"
NO_STORE = "no-store"


class Front:
    """Answers what ``Route.is_front`` says."""

    def __init__(self, core: Core, files: StaticFiles) -> None:
        self._core = core
        self._files = files

    async def answer(
        self, route: Route, path: Mapping[str, str], request: Request, encodings: str
    ) -> Answered:
        """Answer; ``encodings``: the header Accept-Encoding. Raises RefusedError."""
        match route.does:
            case "page":
                return await self._page(route, request, encodings)
            case "plain":
                return await self._plain(request)
            case "static":
                return self._static(path, encodings)
        return Answered(_description())

    async def _page(self, route: Route, request: Request, encodings: str) -> Answered:
        """The page; before the board belongs to anybody only that which gives it away."""
        if route.path != "/pair" and not await self._is_claimed():
            return Answered(status=303, headers={"Location": "/pair", "Cache-Control": NO_STORE})
        page = self._files.page(_language(request))
        if page is None:
            raise RefusedError(404, "the pages are not installed", remedy="install boardfw again")
        return _file(page, encodings, NO_STORE)

    async def _is_claimed(self) -> bool:
        try:
            answered = await self._core.answer(
                Request(method="GET", path=f"{PREFIX}/session"), _nothing
            )
        except RefusedError:
            return True  # the board is not running: the page says so, and waits
        return bool(msgspec.json.decode(answered.body)["claimed"])

    async def _plain(self, request: Request) -> Answered:
        """The board as a page without script."""
        asked = msgspec.structs.replace(request, path=f"{PREFIX}/state", headers={})
        answered = await self._core.answer(asked, _nothing)
        text = plain(msgspec.json.decode(answered.body), _language(request))
        text = text.replace(ANY_HASH.decode(), f"/s/{self._files.hash}/")
        headers = {"Cache-Control": NO_STORE}
        return Answered(text.encode(), kind=KINDS["html"], headers=headers)

    def _static(self, path: Mapping[str, str], encodings: str) -> Answered:
        """A file of the pages."""
        found = self._files.find(path["hash"], path["name"])
        if found is None:
            raise RefusedError(404, "there is no such file now", remedy="load the page again")
        return _file(found, encodings, FOREVER)


@cache
def _description() -> bytes:
    """As it was installed: to make it anew would cost anybody who asks nothing, and us 10 ms."""
    return DESCRIPTION.read_bytes()


async def _nothing() -> bytes:
    return b""


def _language(request: Request) -> str:
    return language_of(request.headers.get("Accept-Language", ""))


def _file(file: StaticFile, encodings: str, caching: str) -> Answered:
    headers = {"Cache-Control": caching, "Vary": "Accept-Encoding, Accept-Language"}
    if file.packed is not None and "gzip" in encodings:
        headers["Content-Encoding"] = "gzip"
        return Answered(file.packed, kind=file.kind, headers=headers)
    return Answered(file.plain, kind=file.kind, headers=headers)
