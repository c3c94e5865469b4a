"""What programs may rely on, a line each: routes, keys that are answered, keys that may be sent.

    python -m tests.services.web.promises     # adds what is new; a line is never taken away

A line that is gone is a promise that is broken: a route, a key, or a type that was a wider one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boardfw.services.web.openapi import description

FILE = Path(__file__).with_name("promises.txt")


def promises(told: dict[str, Any]) -> Iterator[str]:
    """The lines of a description."""
    sent = set()
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            body = _reference(operation.get("requestBody", {}))
            answer = _reference(operation["responses"]["200"])
            sent.add(body)
            yield f"{method.upper()} {path} takes {body} and answers {answer}"
    for name, schema in told["components"]["schemas"].items():
        required = set(schema.get("required", ()))
        kind = "takes" if name in sent or schema.get("additionalProperties") is False else "answers"
        for key, value in schema.get("properties", {}).items():
            must = " always" if key in required else ""
            yield f"{name} {kind} {key}{must}: {json.dumps(value, sort_keys=True)}"


def _reference(body: dict[str, Any]) -> str:
    content = body.get("content", {}).get("application/json")
    if not content:
        return "nothing"
    reference = content["schema"].get("$ref", "")
    return str(reference).rpartition("/")[2] or json.dumps(content["schema"], sort_keys=True)


if __name__ == "__main__":
    before = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    lines = sorted({*before, *promises(description())})
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
