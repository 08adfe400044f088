"""Validation of payloads against the request schemas of Discord's OpenAPI document.

`openapi.json` contains only the schemas of the requests in `REQUEST_PATHS`. To update it from a newer document, run
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

SUBSET_PATH: Final = Path(__file__).with_name("openapi.json")
REFERENCE_PREFIX: Final = "#/components/schemas/"

REQUEST_PATHS: Final = {
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
    "scheduled event": ("post", "/guilds/{guild_id}/scheduled-events"),
    "scheduled event edit": ("patch", "/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"),
}
"""The method and path of each request whose body is validated."""


def schema_problems(request: str, payload: object) -> list[str]:
    """Return the violations of the schema of a request, a key of `REQUEST_PATHS`, by its payload."""
    return [_error_message(error) for error in _validator(request).iter_errors(payload)]


def _error_message(error: ValidationError) -> str:
    specific = _most_specific(error)
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in specific.instance_path)
    return f"${place}: breaks {specific.kind.name}: {specific.message:.100}"


def _most_specific(error: ValidationError) -> ValidationError:
    """Return the error within the alternative of the right type, if a union failed; else the error itself."""
    depth = len(error.instance_path)
    of_right_type = [
        errors
        for errors in getattr(error.kind, "context", ())  # only a union has alternatives
        if errors and not any(_is_of_wrong_type(inner, depth) for inner in errors)
    ]
    if not of_right_type:
        return error
    return _most_specific(min(of_right_type, key=len)[0])


def _is_of_wrong_type(error: ValidationError, depth: int) -> bool:
    """Return whether an alternative is for another type of JSON value, or for objects with another `type` member."""
    return error.kind.name in {"type", "enum"} and error.instance_path[depth:] in ([], ["type"])


@cache
def _validator(request: str) -> Draft202012Validator:
    document = json.loads(SUBSET_PATH.read_text(encoding="utf-8"))
    # The document requires ids to be strings, but Discord accepts the integers that discord.py sometimes sends.
    document["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
    schema = {**document["requests"][request], "components": {"schemas": document["schemas"]}}
    return Draft202012Validator(schema, mask="it")


def extract(document: dict[str, Any]) -> dict[str, Any]:
    """Return the part of an OpenAPI document that is needed to validate the requests in `REQUEST_PATHS`."""
    bodies = {request: _body(document, *place) for request, place in REQUEST_PATHS.items()}
    schemas: dict[str, Any] = {}
    pending = [name for body in bodies.values() for name in _references(body)]
    while pending:
        name = pending.pop()
        if name not in schemas:
            schemas[name] = _without_documentation(document["components"]["schemas"][name])
            pending.extend(_references(schemas[name]))
    return {"requests": bodies, "schemas": dict(sorted(schemas.items()))}


def _body(document: dict[str, Any], method: str, path: str) -> Any:
    return _without_documentation(
        document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]
    )


def _references(schema: object) -> Iterator[str]:
    match schema:
        case {"$ref": str(reference)}:
            yield reference.removeprefix(REFERENCE_PREFIX)
        case dict():
            for value in schema.values():
                yield from _references(value)
        case list():
            for value in schema:
                yield from _references(value)


def _without_documentation(schema: Any) -> Any:
    """Return a schema without descriptions and extensions."""
    match schema:
        case dict():
            return {
                key: _without_documentation(value)
                for key, value in schema.items()
                if not (key == "description" and isinstance(value, str)) and not key.startswith("x-")
            }
        case list():
            return [_without_documentation(item) for item in schema]
        case _:
            return schema


def _lines(part: dict[str, Any]) -> str:
    """Return JSON with one line per entry, so that the file is small and its diffs are readable."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in part.items()) + "\n}"


if __name__ == "__main__":
    subset = extract(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    text = ",\n".join(f"{json.dumps(key)}: {_lines(part)}" for key, part in subset.items())
    SUBSET_PATH.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
