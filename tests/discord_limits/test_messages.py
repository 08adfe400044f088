"""Every limit of a message: a payload that just keeps it, and one that just breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.discord_limits.components import Kind
from tests.discord_limits.limits import FILE_BYTES, MEBIBYTE, Upload, Where, message_problems
from tests.discord_limits.payloads import (
    button,
    buttons,
    container,
    embed,
    gallery,
    layout,
    old,
    option,
    picture,
    row,
    section,
    select,
    text,
)

BOARD = (Upload("board.png", 1000),)
THUMBNAIL = {"type": Kind.THUMBNAIL, "media": {"url": "attachment://board.png"}}
FILE = {"type": Kind.FILE, "file": {"url": "attachment://board.png"}}
SEPARATOR = {"type": Kind.SEPARATOR}
FIELD = {"name": "n", "value": "v"}

# What a limit is about, a payload that keeps it, one that breaks it, a part of what is then said.
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("content", {"content": "x" * 2000}, {"content": "x" * 2001}, "content: 2001"),
    ("nonce", {"content": "x", "nonce": "n" * 25}, {"content": "x", "nonce": "n" * 26}, "nonce: 26"),
    ("empty", {"content": "x"}, {"content": ""}, "nothing in it"),
    ("stickers", {"sticker_ids": ["1"] * 3}, {"sticker_ids": ["1"] * 4}, "sticker_ids: 4"),
    ("flags", {"content": "x", "flags": 1 << 12}, {"content": "x", "flags": 1 << 6}, "flags: 0x40"),
    ("embeds", {"embeds": [{"title": "x"}] * 10}, {"embeds": [{"title": "x"}] * 11}, "embeds: 11"),
    ("embed title", embed(title="x" * 256), embed(title="x" * 257), "title: 257"),
    ("embed text", embed(description="x" * 4096), embed(description="x" * 4097), "description: 4097"),
    ("embed fields", embed(fields=[FIELD] * 25), embed(fields=[FIELD] * 26), "fields: 26"),
    (
        "embed field name",
        embed(fields=[{"name": "x" * 256, "value": "v"}]),
        embed(fields=[{"name": "x" * 257, "value": "v"}]),
        "fields[0].name: 257",
    ),
    (
        "embed field value",
        embed(fields=[{"name": "n", "value": "x" * 1024}]),
        embed(fields=[{"name": "n", "value": "x" * 1025}]),
        "fields[0].value: 1025",
    ),
    ("embed footer", embed(footer={"text": "x" * 2048}), embed(footer={"text": "x" * 2049}), "text: 2049"),
    ("embed author", embed(author={"name": "x" * 256}), embed(author={"name": "x" * 257}), "name: 257"),
    ("embed address", embed(title="x", url="u" * 2048), embed(title="x", url="u" * 2049), "url: 2049"),
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
        old(*[buttons(1, first=n) for n in range(5)]),
        old(*[buttons(1, first=n) for n in range(6)]),
        "6 items",
    ),
    ("row", old(buttons(5)), old(buttons(6)), "6 items"),
    ("empty row", old(buttons(1)), old(buttons(0)), "0 items"),
    ("select alone", old(row(select())), old(row(select(), button())), "row to itself"),
    ("old kinds", old(buttons(1)), old(text()), "not allowed here"),
    ("unknown kind", layout(text()), layout({"type": 99}), "no component type"),
    ("custom_id", old(row(button("x" * 100))), old(row(button("x" * 101))), "custom_id: 101"),
    ("custom_id missing", old(row(button())), old(row(button(""))), "custom_id: 0"),
    ("custom_id unique", old(row(button("a"), button("b"))), old(row(button("a"), button("a"))), "2 times"),
    (
        "id unique",
        layout({**text(), "id": 1}, {**text(), "id": 2}),
        layout({**text(), "id": 1}, {**text(), "id": 1}),
        "id: 1",
    ),
    ("button label", old(row(button(label="x" * 80))), old(row(button(label="x" * 81))), "label: 81"),
    ("button face", old(row(button(label="", emoji={"name": "x"}))), old(row(button(label=""))), "neither"),
    ("button style", old(row(button(style=4))), old(row(button(style=7))), "style: 7"),
    ("button with address", old(row(button())), old(row(button(url="https://x"))), "url: not allowed"),
    ("link", old(row(button("", style=5, url="x" * 512))), old(row(button("", style=5, url="x" * 513))), "url: 513"),
    (
        "link without id",
        old(row(button("", style=5, url="x"))),
        old(row(button("a", style=5, url="x"))),
        "custom_id: not allowed for a link",
    ),
    (
        "premium",
        old(row(button("", style=6, label="", sku_id="1"))),
        old(row(button("", style=6, label="Buy", sku_id="1"))),
        "label: not allowed for a premium button",
    ),
    ("options", old(row(select(*map(option, range(25))))), old(row(select(*map(option, range(26))))), "26 items"),
    ("option unique", old(row(select(option(1), option(2)))), old(row(select(option(1), option(1)))), "2 times"),
    (
        "option label",
        old(row(select(option(label="x" * 100)))),
        old(row(select(option(label="x" * 101)))),
        "label: 101",
    ),
    (
        "option value",
        old(row(select(option(value="x" * 100)))),
        old(row(select(option(value="x" * 101)))),
        "value: 101",
    ),
    (
        "option description",
        old(row(select(option(description="x" * 100)))),
        old(row(select(option(description="x" * 101)))),
        "description: 101",
    ),
    (
        "preselected",
        old(row(select(option(1, default=True), option(2)))),
        old(row(select(option(1, default=True), option(2, default=True)))),
        "preselected",
    ),
    ("placeholder", old(row(select(placeholder="x" * 150))), old(row(select(placeholder="x" * 151))), "151"),
    ("least chosen", old(row(select(min_values=0))), old(row(select(min_values=-1))), "min_values: -1"),
    ("most chosen", old(row(select(max_values=25))), old(row(select(max_values=26))), "max_values: 26"),
    ("least and most", old(row(select(min_values=1))), old(row(select(min_values=2))), "more than max_values"),
    (
        "default values",
        old(row({"type": Kind.USER_SELECT, "custom_id": "u", "default_values": [{"id": "1"}]})),
        old(row({"type": Kind.USER_SELECT, "custom_id": "u", "default_values": [{"id": "1"}] * 2})),
        "default_values: 2",
    ),
    ("forty components", layout(container(*[text()] * 39)), layout(container(*[text()] * 39), text()), "41 items"),
    ("v2 alone", layout(text()), layout(text(), content="x"), "content: not allowed"),
    ("v2 without embeds", layout(text()), layout(text(), embeds=[{"title": "x"}]), "embeds: not allowed"),
    ("v2 flag", layout(text()), {"components": [text()]}, "not allowed here"),
    ("text", layout(text("x" * 4000)), layout(text("x" * 4001)), "content: 4001"),
    ("empty text", layout(text("x")), layout(text("")), "content: 0"),
    (
        "texts together",
        layout(text("x" * 2000), text("x" * 2000)),
        layout(text("x" * 2000), text("x" * 2001)),
        "together",
    ),
    ("container", layout(container(text())), layout(container()), "0 items"),
    ("container in container", layout(container(text())), layout(container(container(text()))), "17 is not allowed"),
    ("section", layout(section(*[text()] * 3)), layout(section(*[text()] * 4)), "4 items"),
    ("section of texts", layout(section(text())), layout(section(SEPARATOR)), "14 is not allowed"),
    ("accessory", layout(section(text())), layout(section(text(), accessory=text())), "10 is not allowed"),
    ("gallery", layout(gallery(*[picture()] * 10)), layout(gallery(*[picture()] * 11)), "items: 11"),
    (
        "alt text",
        layout(gallery(picture(description="x" * 1024))),
        layout(gallery(picture(description="x" * 1025))),
        "description: 1025",
    ),
    (
        "thumbnail's alt text",
        layout(section(text(), accessory={**THUMBNAIL, "description": "x" * 1024})),
        layout(section(text(), accessory={**THUMBNAIL, "description": "x" * 1025})),
        "description: 1025",
    ),
    ("picture sent along", layout(gallery(picture())), layout(gallery(picture("gone.png"))), "not among the files"),
    ("file sent along", layout(FILE), layout({**FILE, "file": {"url": "attachment://no.txt"}}), "not among the files"),
    ("picture's name", layout(gallery(picture())), layout(gallery(picture("a board.png"))), "may hold only"),
    (
        "embedded picture",
        embed(image={"url": "attachment://board.png"}),
        embed(image={"url": "attachment://gone.png"}),
        "not among the files",
    ),
]


@pytest.mark.parametrize(("good", "bad", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_message_keeps_or_breaks_the_limit(good: dict[str, Any], bad: dict[str, Any], said: str) -> None:
    # Files would make up for an empty message; only what shows pictures gets one.
    files = BOARD if "attachment://" in str(good) else ()
    assert message_problems(good, files) == []
    problems = message_problems(bad, files)
    assert any(said in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ([Upload("a.png", 1)] * 10, [Upload("a.png", 1)] * 11, "files: 11"),
        ([Upload("a.png", FILE_BYTES)], [Upload("a.png", FILE_BYTES + 1)], "files[0]: 10485761 bytes"),
        ([Upload("a.png", 8 * MEBIBYTE)] * 3, [Upload("a.png", 9 * MEBIBYTE)] * 3, "together"),
        ([Upload("x" * 1024, 1)], [Upload("x" * 1025, 1)], "filename: 1025"),
    ],
)
def test_files_keep_or_break_the_limit(good: list[Upload], bad: list[Upload], said: str) -> None:
    assert message_problems({}, good) == []
    assert any(said in problem for problem in message_problems({}, bad))


@pytest.mark.parametrize(
    ("where", "allowed", "forbidden"),
    [
        (Where.CHANNEL, 1 << 12, 1 << 6),
        (Where.RESPONSE, 1 << 6, 1 << 7),
        (Where.EDIT, 1 << 2, 1 << 12),
        (Where.DEFER, 1 << 6, 1 << 15),
    ],
)
def test_flags_depend_on_where_the_message_goes(where: Where, allowed: int, forbidden: int) -> None:
    assert message_problems({"content": "x", "flags": allowed}, where=where) == []
    assert any(where in problem for problem in message_problems({"content": "x", "flags": forbidden}, where=where))


def test_an_edit_may_leave_everything_as_it_is() -> None:
    assert message_problems({}, where=Where.EDIT) == []


def test_an_edit_may_show_an_attachment_that_it_keeps() -> None:
    assert message_problems(layout(gallery(picture()), attachments=[{"id": "17"}]), where=Where.EDIT) == []
