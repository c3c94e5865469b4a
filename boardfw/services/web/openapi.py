"""The description of the API, OpenAPI 3.1, made of the routes and the types of bodies.

``python -m boardfw.services.web.openapi`` writes it to ``openapi.json``, which a test compares:
what is there stays, as programs rely on it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from boardfw.services.web.refusals import Problem
from boardfw.services.web.routes import PREFIX, ROUTES, Route

FILE = Path(__file__).with_name("openapi.json")
_SCHEMAS = "#/components/schemas/{name}"


def description() -> dict[str, Any]:
    """The whole description."""
    routes = [route for route in ROUTES if route.path.startswith(PREFIX)]
    types: set[type[Any]] = {
        kind for route in routes for kind in (route.body, route.answer) if kind is not None
    }
    ordered: list[type[Any]] = sorted([*types, Problem], key=_name)
    _, schemas = msgspec.json.schema_components(ordered, ref_template=_SCHEMAS)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "boardfw", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(route: Route) -> dict[str, Any]:
    names = re.findall(r"\{(\w+)\}", route.path)
    told: dict[str, Any] = {
        "operationId": route.does,
        "summary": route.says,
        "x-right": route.right.value,
    }
    if names:
        told["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in names
        ]
    if route.body is not None:
        told["requestBody"] = {"required": True, "content": _content(route.body)}
    answer: dict[str, Any] = {"description": route.says}
    if route.answer is not None:
        answer["content"] = _content(route.answer)
    problem = {
        "description": "A problem.",
        "content": _content(Problem, "application/problem+json"),
    }
    told["responses"] = {"200": answer, "default": problem}
    return told


def _name(kind: type[Any]) -> str:
    return kind.__name__


def _content(kind: type[Any], media: str = "application/json") -> dict[str, Any]:
    return {media: {"schema": {"$ref": _SCHEMAS.format(name=kind.__name__)}}}


if __name__ == "__main__":
    FILE.write_text(json.dumps(description(), indent=1) + "\n", encoding="utf-8")
