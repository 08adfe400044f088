"""Payloads against the request schemas of Discord's OpenAPI document.

`openapi.json` holds those schemas of the document that the requests in `ROOTS` reach. To take them anew:
`python -m tests.discord_limits.openapi discord-openapi.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema_rs import Draft202012Validator, ValidationError

SUBSET: Final = Path(__file__).with_name("openapi.json")
PREFIX: Final = "#/components/schemas/"

# Request → the place of its body in the document.
ROOTS: Final = {
    "commands": ("put", "/applications/{application_id}/commands"),
    "message": ("post", "/channels/{channel_id}/messages"),
    "message edit": ("patch", "/channels/{channel_id}/messages/{message_id}"),
    "callback": ("post", "/interactions/{interaction_id}/{interaction_token}/callback"),
    "followup": ("post", "/webhooks/{webhook_id}/{webhook_token}"),
    "followup edit": ("patch", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"),
    "thread": ("post", "/channels/{channel_id}/threads"),
    "thread on message": ("post", "/channels/{channel_id}/messages/{message_id}/threads"),
    "channel edit": ("patch", "/channels/{channel_id}"),
    "direct channel": ("post", "/users/@me/channels"),
}


def schema_problems(request: str, payload: object) -> list[str]:
    """Return the objections of the schema of a request (a key of `ROOTS`) to its payload."""
    return [_sentence(error) for error in _validator(request).iter_errors(payload)]


def _sentence(error: ValidationError) -> str:
    closest = _closest(error)
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in closest.instance_path)
    return f"${place}: breaks {closest.kind.name}: {closest.message:.100}"


def _closest(error: ValidationError) -> ValidationError:
    """Of a union that nothing fits, the error within the alternative of the right type; else the error."""
    depth = len(error.instance_path)
    of_right_type = [
        errors
        for errors in getattr(error.kind, "context", ())  # only a union has alternatives
        if errors and not any(_is_of_wrong_type(inner, depth) for inner in errors)
    ]
    if not of_right_type:
        return error
    return _closest(min(of_right_type, key=len)[0])


def _is_of_wrong_type(error: ValidationError, depth: int) -> bool:
    """Return whether the alternative is for another type of JSON value or, by the member `type`, of object."""
    return error.kind.name in {"type", "enum"} and error.instance_path[depth:] in ([], ["type"])


@cache
def _validator(request: str) -> Draft202012Validator:
    document = json.loads(SUBSET.read_text(encoding="utf-8"))
    # The document wants ids as strings; Discord takes the numbers that discord.py sends here and there, too.
    document["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
    schema = {**document["requests"][request], "components": {"schemas": document["schemas"]}}
    return Draft202012Validator(schema, mask="it")


def extract(document: dict[str, Any]) -> dict[str, Any]:
    """The part of an OpenAPI document that validating the requests in `ROOTS` needs."""
    bodies = {request: _body(document, *place) for request, place in ROOTS.items()}
    schemas: dict[str, Any] = {}
    waiting = [name for body in bodies.values() for name in _references(body)]
    while waiting:
        name = waiting.pop()
        if name not in schemas:
            schemas[name] = _bare(document["components"]["schemas"][name])
            waiting.extend(_references(schemas[name]))
    return {"requests": bodies, "schemas": dict(sorted(schemas.items()))}


def _body(document: dict[str, Any], method: str, path: str) -> Any:
    return _bare(document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"])


def _references(schema: object) -> Iterator[str]:
    match schema:
        case {"$ref": str(reference)}:
            yield reference.removeprefix(PREFIX)
        case dict():
            for value in schema.values():
                yield from _references(value)
        case list():
            for value in schema:
                yield from _references(value)


def _bare(schema: Any) -> Any:
    """A schema without what only readers of the document need."""
    match schema:
        case dict():
            return {
                key: _bare(value)
                for key, value in schema.items()
                if not (key == "description" and isinstance(value, str)) and not key.startswith("x-")
            }
        case list():
            return [_bare(item) for item in schema]
        case _:
            return schema


def _lines(part: dict[str, Any]) -> str:
    """JSON with one line for each entry: small, and yet a difference can be read."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in part.items()) + "\n}"


if __name__ == "__main__":
    subset = extract(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    text = ",\n".join(f"{json.dumps(key)}: {_lines(part)}" for key, part in subset.items())
    SUBSET.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
