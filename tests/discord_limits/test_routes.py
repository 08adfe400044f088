"""Requests are checked by their route, and the schemas of the OpenAPI document locate faults in their payloads."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_limits.openapi import REQUEST_PATHS, extract, schema_problems
from tests.discord_limits.payloads import (
    button,
    buttons,
    command,
    container,
    message_v2,
    modal,
    row,
    scheduled_event,
    text_display,
    text_input,
)
from tests.discord_limits.routes import Callback, Request, request_problems

TOO_LONG_TEXT = "x" * 2001
CALLBACK_PATH = "/interactions/1/token/callback"


@pytest.mark.parametrize(
    ("method", "path", "good", "bad"),
    [
        ("POST", "/channels/1/messages", {"content": "x"}, {"content": TOO_LONG_TEXT}),
        ("PATCH", "/channels/1/messages/2", {"content": "x"}, {"content": TOO_LONG_TEXT}),
        ("POST", "/webhooks/1/token", {"content": "x", "flags": 64}, {"content": TOO_LONG_TEXT}),
        ("PATCH", "/webhooks/1/token/messages/@original", {"content": "x"}, {"content": TOO_LONG_TEXT}),
        ("PATCH", "/webhooks/1/token/messages/2", {"content": "x"}, {"content": TOO_LONG_TEXT}),
        ("POST", "/channels/1/threads", {"name": "K7QF", "type": 11}, {"name": "x" * 101, "type": 11}),
        ("POST", "/channels/1/messages/2/threads", {"name": "K7QF"}, {"name": ""}),
        ("PATCH", "/channels/1", {"archived": False}, {"name": "x" * 101}),
        ("POST", "/users/@me/channels", {"recipient_id": "1"}, {"recipient_id": []}),
        ("POST", "/guilds/1/scheduled-events", scheduled_event(), scheduled_event(name="x" * 101)),
        ("PATCH", "/guilds/1/scheduled-events/2", {"name": "x"}, {"name": "x" * 101}),
        ("PUT", "/applications/1/commands", [command()], [command("A")]),
        ("PUT", "/applications/1/guilds/2/commands", [command()], [command("A")]),
        (
            "POST",
            CALLBACK_PATH,
            {"type": Callback.MESSAGE, "data": {"content": "x"}},
            {"type": Callback.MESSAGE, "data": {}},
        ),
        (
            "POST",
            CALLBACK_PATH,
            {"type": Callback.UPDATE, "data": {}},
            {"type": Callback.UPDATE, "data": {"content": TOO_LONG_TEXT}},
        ),
        (
            "POST",
            CALLBACK_PATH,
            {"type": Callback.DEFERRED_MESSAGE, "data": {"flags": 64}},
            {"type": 5, "data": {"flags": 4}},
        ),
        ("POST", CALLBACK_PATH, {"type": Callback.DEFERRED_UPDATE}, {"type": 99}),
        ("POST", CALLBACK_PATH, {"type": 8, "data": {"choices": []}}, {"type": 8, "data": {"choices": [{"name": ""}]}}),
        ("POST", CALLBACK_PATH, {"type": 9, "data": modal(row(text_input(label="x")))}, {"type": 9, "data": modal()}),
    ],
)
def test_a_request_is_checked_by_its_route(method: str, path: str, good: Any, bad: Any) -> None:
    assert request_problems(Request(method, path, good)) == []
    assert request_problems(Request(method, path, bad)) != []


def test_a_payload_to_an_unknown_route_is_a_problem() -> None:
    assert request_problems(Request("GET", "/users/@me", None)) == []
    assert "no checks are known" in request_problems(Request("POST", "/guilds/1/roles", {"name": "x"}))[0]


@pytest.mark.parametrize(
    ("request_name", "payload", "expected"),
    [
        (
            "message",
            message_v2(container(row(button("x" * 101)))),
            "components[0].components[0].components[0].custom_id",
        ),
        ("message", {"nonce": "n" * 26}, "$.nonce"),
        (
            "callback",
            {"type": 4, "data": message_v2(text_display(""))},
            "$.data.components[0].content: breaks minLength",
        ),
        ("callback", {"type": 8, "data": {"choices": [{"name": "x", "value": "y"}] * 26}}, "choices: breaks maxItems"),
        ("commands", [command("x" * 33)], "$[0].name: breaks maxLength"),
    ],
)
def test_a_schema_locates_the_fault(request_name: str, payload: Any, expected: str) -> None:
    problems = schema_problems(request_name, payload)
    assert any(expected in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("request_name", "payload"),
    [
        # Payloads that discord.py 2.7 sends and Discord accepts, although the document is stricter.
        ("commands", [command(contexts=None, integration_types=None)]),
        ("message", {"embeds": [{"title": "x", "flags": 0}], "nonce": 1, "enforce_nonce": True}),
        ("message", {"content": "x", "attachments": [{"id": 0, "filename": "board.png"}]}),
        ("message", {"content": "x", "allowed_mentions": {"users": [123]}}),
        ("message edit", message_v2(container(text_display(), buttons(5)))),
    ],
)
def test_a_schema_accepts_valid_payloads(request_name: str, payload: Any) -> None:
    assert schema_problems(request_name, payload) == []


def test_only_schemas_in_use_are_extracted() -> None:
    operation = {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}}
    paths: dict[str, dict[str, Any]] = {path: {} for _, path in REQUEST_PATHS.values()}
    for method, path in REQUEST_PATHS.values():
        paths[path][method] = operation
    schemas = {
        "A": {"description": "for readers", "properties": {"b": {"items": [{"$ref": "#/components/schemas/B"}]}}},
        "B": {"type": "object", "properties": {"description": {"type": "string"}}, "x-note": 1},
        "C": {},
    }
    subset = extract({"paths": paths, "components": {"schemas": schemas}})
    assert set(subset["schemas"]) == {"A", "B"}
    assert "description" not in subset["schemas"]["A"]
    assert subset["schemas"]["B"] == {"type": "object", "properties": {"description": {"type": "string"}}}
