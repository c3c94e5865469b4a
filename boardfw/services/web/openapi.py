"""The description of the API, OpenAPI 3.1, made of the routes and the types of bodies.

``python -m boardfw.services.web.openapi`` writes it to ``openapi.json``, which a test compares:
what is there stays, as programs rely on it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from boardfw.services.web.front import DESCRIPTION
from boardfw.services.web.refusals import Problem
from boardfw.services.web.routes import PREFIX, ROUTES, Route

_SCHEMAS = "#/components/schemas/{name}"


def description() -> dict[str, Any]:
    """The whole description."""
    routes = [route for route in ROUTES if route.path.startswith(PREFIX)]
    kinds = {kind for route in routes for kind in (route.body, route.answer) if kind is not None}
    ordered: list[Any] = sorted({*kinds, Problem}, key=str)
    shown, schemas = msgspec.json.schema_components(ordered, ref_template=_SCHEMAS)
    shape = dict(zip(ordered, shown, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, shape)
    return {
        "openapi": "3.1.0",
        "info": {"title": "boardfw", "version": "1"},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(route: Route, shape: Mapping[Any, dict[str, Any]]) -> dict[str, Any]:
    names = re.findall(r"\{(\w+)\}", route.path)
    told: dict[str, Any] = {
        "operationId": route.does,
        "summary": route.says,
        "x-right": route.right.value,
    }
    if route.asks_code:
        told["x-asks-code"] = True
    if names:
        told["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in names
        ]
    if route.body is not None:
        content = {"application/json": {"schema": shape[route.body]}}
        told["requestBody"] = {"required": True, "content": content}
    answer: dict[str, Any] = {"description": route.says}
    if route.answer is not None:
        answer["content"] = {"application/json": {"schema": shape[route.answer]}}
    problem = {"application/problem+json": {"schema": shape[Problem]}}
    told["responses"] = {
        "200": answer,
        "default": {"description": "A problem.", "content": problem},
    }
    return told


if __name__ == "__main__":
    DESCRIPTION.write_text(json.dumps(description(), indent=1) + "\n", encoding="utf-8")
