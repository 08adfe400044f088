"""Limits of a message: for each, a payload that reaches the limit and one that exceeds it by one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_limits.components import Kind
from tests.discord_limits.limits import MAX_FILE_BYTES, MEBIBYTE, Delivery, Upload, message_problems
from tests.discord_limits.payloads import (
    button,
    buttons,
    container,
    gallery,
    gallery_item,
    message_v1,
    message_v2,
    message_with_embed,
    option,
    row,
    section,
    select,
    text_display,
)

BOARD_UPLOAD = (Upload("board.png", 1000),)
THUMBNAIL = {"type": Kind.THUMBNAIL, "media": {"url": "attachment://board.png"}}
FILE_COMPONENT = {"type": Kind.FILE, "file": {"url": "attachment://board.png"}}
SEPARATOR = {"type": Kind.SEPARATOR}
EMBED_FIELD = {"name": "n", "value": "v"}

# The limit, a payload within it, a payload beyond it, a part of the expected problem.
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("content", {"content": "x" * 2000}, {"content": "x" * 2001}, "content: 2001"),
    ("nonce", {"content": "x", "nonce": "n" * 25}, {"content": "x", "nonce": "n" * 26}, "nonce: 26"),
    ("empty", {"content": "x"}, {"content": ""}, "nothing in it"),
    ("stickers", {"sticker_ids": ["1"] * 3}, {"sticker_ids": ["1"] * 4}, "sticker_ids: 4"),
    ("flags", {"content": "x", "flags": 1 << 12}, {"content": "x", "flags": 1 << 6}, "flags: 0x40"),
    ("embeds", {"embeds": [{"title": "x"}] * 10}, {"embeds": [{"title": "x"}] * 11}, "embeds: 11"),
    ("embed title", message_with_embed(title="x" * 256), message_with_embed(title="x" * 257), "title: 257"),
    (
        "embed text",
        message_with_embed(description="x" * 4096),
        message_with_embed(description="x" * 4097),
        "description: 4097",
    ),
    (
        "embed fields",
        message_with_embed(fields=[EMBED_FIELD] * 25),
        message_with_embed(fields=[EMBED_FIELD] * 26),
        "fields: 26",
    ),
    (
        "embed field name",
        message_with_embed(fields=[{"name": "x" * 256, "value": "v"}]),
        message_with_embed(fields=[{"name": "x" * 257, "value": "v"}]),
        "fields[0].name: 257",
    ),
    (
        "embed field value",
        message_with_embed(fields=[{"name": "n", "value": "x" * 1024}]),
        message_with_embed(fields=[{"name": "n", "value": "x" * 1025}]),
        "fields[0].value: 1025",
    ),
    (
        "embed footer",
        message_with_embed(footer={"text": "x" * 2048}),
        message_with_embed(footer={"text": "x" * 2049}),
        "text: 2049",
    ),
    (
        "embed author",
        message_with_embed(author={"name": "x" * 256}),
        message_with_embed(author={"name": "x" * 257}),
        "name: 257",
    ),
    (
        "embed address",
        message_with_embed(title="x", url="u" * 2048),
        message_with_embed(title="x", url="u" * 2049),
        "url: 2049",
    ),
    (
        "embeds together",
        {"embeds": [{"description": "x" * 3000}] * 2},
        {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3000, "title": "x"}]},
        "6001 characters",
    ),
    (
        "mentioned users",
        {"content": "x", "allowed_mentions": {"users": ["1"] * 100}},
        {"content": "x", "allowed_mentions": {"users": ["1"] * 101}},
        "users: 101",
    ),
    (
        "mentions listed or parsed",
        {"content": "x", "allowed_mentions": {"parse": [], "users": ["1"]}},
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "both listed and parsed",
    ),
    (
        "attachments",
        {"content": "x", "attachments": [{"id": 0}] * 10},
        {"content": "x", "attachments": [{"id": 0}] * 11},
        "attachments: 11",
    ),
    (
        "attachment description",
        {"content": "x", "attachments": [{"id": 0, "description": "x" * 1024}]},
        {"content": "x", "attachments": [{"id": 0, "description": "x" * 1025}]},
        "description: 1025",
    ),
    (
        "old rows",
        message_v1(*[buttons(1, first=n) for n in range(5)]),
        message_v1(*[buttons(1, first=n) for n in range(6)]),
        "6 items",
    ),
    ("row", message_v1(buttons(5)), message_v1(buttons(6)), "6 items"),
    ("empty row", message_v1(buttons(1)), message_v1(buttons(0)), "0 items"),
    ("select alone", message_v1(row(select())), message_v1(row(select(), button())), "row to itself"),
    ("old kinds", message_v1(buttons(1)), message_v1(text_display()), "not allowed here"),
    ("unknown kind", message_v2(text_display()), message_v2({"type": 99}), "no component type"),
    ("custom_id", message_v1(row(button("x" * 100))), message_v1(row(button("x" * 101))), "custom_id: 101"),
    ("custom_id missing", message_v1(row(button())), message_v1(row(button(""))), "custom_id: 0"),
    (
        "custom_id unique",
        message_v1(row(button("a"), button("b"))),
        message_v1(row(button("a"), button("a"))),
        "2 times",
    ),
    (
        "id unique",
        message_v2({**text_display(), "id": 1}, {**text_display(), "id": 2}),
        message_v2({**text_display(), "id": 1}, {**text_display(), "id": 1}),
        "id: 1",
    ),
    ("button label", message_v1(row(button(label="x" * 80))), message_v1(row(button(label="x" * 81))), "label: 81"),
    (
        "button face",
        message_v1(row(button(label="", emoji={"name": "x"}))),
        message_v1(row(button(label=""))),
        "neither",
    ),
    ("button style", message_v1(row(button(style=4))), message_v1(row(button(style=7))), "style: 7"),
    ("button with address", message_v1(row(button())), message_v1(row(button(url="https://x"))), "url: not allowed"),
    (
        "link",
        message_v1(row(button("", style=5, url="x" * 512))),
        message_v1(row(button("", style=5, url="x" * 513))),
        "url: 513",
    ),
    (
        "link without id",
        message_v1(row(button("", style=5, url="x"))),
        message_v1(row(button("a", style=5, url="x"))),
        "custom_id: not allowed for a link",
    ),
    (
        "premium",
        message_v1(row(button("", style=6, label="", sku_id="1"))),
        message_v1(row(button("", style=6, label="Buy", sku_id="1"))),
        "label: not allowed for a premium button",
    ),
    (
        "options",
        message_v1(row(select(*map(option, range(25))))),
        message_v1(row(select(*map(option, range(26))))),
        "26 items",
    ),
    (
        "option unique",
        message_v1(row(select(option(1), option(2)))),
        message_v1(row(select(option(1), option(1)))),
        "2 times",
    ),
    (
        "option label",
        message_v1(row(select(option(label="x" * 100)))),
        message_v1(row(select(option(label="x" * 101)))),
        "label: 101",
    ),
    (
        "option value",
        message_v1(row(select(option(value="x" * 100)))),
        message_v1(row(select(option(value="x" * 101)))),
        "value: 101",
    ),
    (
        "option description",
        message_v1(row(select(option(description="x" * 100)))),
        message_v1(row(select(option(description="x" * 101)))),
        "description: 101",
    ),
    (
        "preselected",
        message_v1(row(select(option(1, default=True), option(2)))),
        message_v1(row(select(option(1, default=True), option(2, default=True)))),
        "preselected",
    ),
    (
        "placeholder",
        message_v1(row(select(placeholder="x" * 150))),
        message_v1(row(select(placeholder="x" * 151))),
        "151",
    ),
    ("least chosen", message_v1(row(select(min_values=0))), message_v1(row(select(min_values=-1))), "min_values: -1"),
    ("most chosen", message_v1(row(select(max_values=25))), message_v1(row(select(max_values=26))), "max_values: 26"),
    (
        "least and most",
        message_v1(row(select(min_values=1))),
        message_v1(row(select(min_values=2))),
        "more than max_values",
    ),
    (
        "default values",
        message_v1(row({"type": Kind.USER_SELECT, "custom_id": "u", "default_values": [{"id": "1"}]})),
        message_v1(row({"type": Kind.USER_SELECT, "custom_id": "u", "default_values": [{"id": "1"}] * 2})),
        "default_values: 2",
    ),
    (
        "forty components",
        message_v2(container(*[text_display()] * 39)),
        message_v2(container(*[text_display()] * 39), text_display()),
        "41 items",
    ),
    ("v2 alone", message_v2(text_display()), message_v2(text_display(), content="x"), "content: not allowed"),
    (
        "v2 without embeds",
        message_v2(text_display()),
        message_v2(text_display(), embeds=[{"title": "x"}]),
        "embeds: not allowed",
    ),
    ("v2 flag", message_v2(text_display()), {"components": [text_display()]}, "not allowed here"),
    ("text", message_v2(text_display("x" * 4000)), message_v2(text_display("x" * 4001)), "content: 4001"),
    ("empty text", message_v2(text_display("x")), message_v2(text_display("")), "content: 0"),
    (
        "texts together",
        message_v2(text_display("x" * 2000), text_display("x" * 2000)),
        message_v2(text_display("x" * 2000), text_display("x" * 2001)),
        "together",
    ),
    ("container", message_v2(container(text_display())), message_v2(container()), "0 items"),
    (
        "container in container",
        message_v2(container(text_display())),
        message_v2(container(container(text_display()))),
        "17 is not allowed",
    ),
    ("section", message_v2(section(*[text_display()] * 3)), message_v2(section(*[text_display()] * 4)), "4 items"),
    ("section of texts", message_v2(section(text_display())), message_v2(section(SEPARATOR)), "14 is not allowed"),
    (
        "accessory",
        message_v2(section(text_display())),
        message_v2(section(text_display(), accessory=text_display())),
        "10 is not allowed",
    ),
    ("gallery", message_v2(gallery(*[gallery_item()] * 10)), message_v2(gallery(*[gallery_item()] * 11)), "items: 11"),
    (
        "alt text",
        message_v2(gallery(gallery_item(description="x" * 1024))),
        message_v2(gallery(gallery_item(description="x" * 1025))),
        "description: 1025",
    ),
    (
        "thumbnail's alt text",
        message_v2(section(text_display(), accessory={**THUMBNAIL, "description": "x" * 1024})),
        message_v2(section(text_display(), accessory={**THUMBNAIL, "description": "x" * 1025})),
        "description: 1025",
    ),
    (
        "picture sent along",
        message_v2(gallery(gallery_item())),
        message_v2(gallery(gallery_item("gone.png"))),
        "not among the files",
    ),
    (
        "file sent along",
        message_v2(FILE_COMPONENT),
        message_v2({**FILE_COMPONENT, "file": {"url": "attachment://no.txt"}}),
        "not among the files",
    ),
    (
        "picture's name",
        message_v2(gallery(gallery_item())),
        message_v2(gallery(gallery_item("a board.png"))),
        "may hold only",
    ),
    (
        "embedded picture",
        message_with_embed(image={"url": "attachment://board.png"}),
        message_with_embed(image={"url": "attachment://gone.png"}),
        "not among the files",
    ),
]


@pytest.mark.parametrize(("good", "bad", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_message_beyond_the_limit_is_reported(good: dict[str, Any], bad: dict[str, Any], expected: str) -> None:
    # A file would make an empty message valid, so only payloads that refer to a file get one.
    files = BOARD_UPLOAD if "attachment://" in str(good) else ()
    assert message_problems(good, files) == []
    problems = message_problems(bad, files)
    assert any(expected in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ([Upload("a.png", 1)] * 10, [Upload("a.png", 1)] * 11, "files: 11"),
        ([Upload("a.png", MAX_FILE_BYTES)], [Upload("a.png", MAX_FILE_BYTES + 1)], "files[0]: 10485761 bytes"),
        ([Upload("a.png", 8 * MEBIBYTE)] * 3, [Upload("a.png", 9 * MEBIBYTE)] * 3, "together"),
        ([Upload("x" * 1024, 1)], [Upload("x" * 1025, 1)], "filename: 1025"),
    ],
)
def test_files_beyond_the_limit_are_reported(good: list[Upload], bad: list[Upload], expected: str) -> None:
    assert message_problems({}, good) == []
    assert any(expected in problem for problem in message_problems({}, bad))


@pytest.mark.parametrize(
    ("delivery", "allowed", "forbidden"),
    [
        (Delivery.CHANNEL, 1 << 12, 1 << 6),
        (Delivery.RESPONSE, 1 << 6, 1 << 7),
        (Delivery.EDIT, 1 << 2, 1 << 12),
        (Delivery.DEFER, 1 << 6, 1 << 15),
    ],
)
def test_allowed_flags_depend_on_the_way_of_sending(delivery: Delivery, allowed: int, forbidden: int) -> None:
    assert message_problems({"content": "x", "flags": allowed}, delivery=delivery) == []
    assert any(
        delivery in problem for problem in message_problems({"content": "x", "flags": forbidden}, delivery=delivery)
    )


def test_an_edit_may_be_empty() -> None:
    assert message_problems({}, delivery=Delivery.EDIT) == []


def test_an_edit_may_refer_to_a_retained_attachment() -> None:
    assert (
        message_problems(message_v2(gallery(gallery_item()), attachments=[{"id": "17"}]), delivery=Delivery.EDIT) == []
    )
