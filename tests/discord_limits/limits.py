"""Discord's hard limits on messages, modals, autocomplete answers and threads, as its documentation states them.

Each public function takes a payload as it is sent and returns a list of sentences about its violations, empty if the
payload is valid. Functions named ``_check_…`` yield these sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tests.discord_limits.commands import commands_problems
from tests.discord_limits.components import Kind, component_problems, modal_component_problems, walk
from tests.discord_limits.text import Json, check_absent, check_count, check_length, check_one_of, check_range

__all__ = [
    "Delivery",
    "Upload",
    "autocomplete_problems",
    "commands_problems",
    "message_problems",
    "modal_problems",
    "thread_problems",
]

MEBIBYTE = 1 << 20
MAX_FILE_BYTES = 10 * MEBIBYTE  # in a server without boosts
MAX_REQUEST_BYTES = 25 * MEBIBYTE

SUPPRESS_EMBEDS = 1 << 2
EPHEMERAL = 1 << 6
SUPPRESS_NOTIFICATIONS = 1 << 12
IS_VOICE = 1 << 13
COMPONENTS_V2 = 1 << 15


class Delivery(StrEnum):
    """The way a message is sent, which determines the allowed flags and whether it may be empty."""

    CHANNEL = "a message in a channel"
    EDIT = "an edited message"
    RESPONSE = "an answer to an interaction"
    DEFER = "a deferred answer"


_ALLOWED_FLAGS = {
    Delivery.CHANNEL: SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | IS_VOICE | COMPONENTS_V2,
    Delivery.EDIT: SUPPRESS_EMBEDS | COMPONENTS_V2,
    Delivery.RESPONSE: SUPPRESS_EMBEDS | EPHEMERAL | SUPPRESS_NOTIFICATIONS | IS_VOICE | COMPONENTS_V2,
    Delivery.DEFER: EPHEMERAL,
}
_CONTENT_KEYS = ("content", "embeds", "poll", "sticker_ids")
_FILENAME = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file sent with a payload; `size` in bytes."""

    filename: str
    size: int


def message_problems(
    payload: Json, files: Sequence[Upload] = (), *, delivery: Delivery = Delivery.CHANNEL
) -> list[str]:
    """Return the violations of a message, its `files` included."""
    return list(_check_message(payload, files, delivery))


def modal_problems(payload: Json) -> list[str]:
    """Return the violations of a modal, the `data` of callback type 9."""
    return [
        *check_length("title", payload.get("title"), 1, 45),
        *check_length("custom_id", payload.get("custom_id"), 1, 100),
        *modal_component_problems(payload.get("components") or ()),
    ]


def autocomplete_problems(payload: Json) -> list[str]:
    """Return the violations of an autocomplete answer, the `data` of callback type 8."""
    return list(_check_choices(payload.get("choices") or ()))


def thread_problems(payload: Json) -> list[str]:
    """Return the violations of a request for a new thread."""
    return [
        *check_length("name", payload.get("name"), 1, 100),
        *check_one_of("auto_archive_duration", payload.get("auto_archive_duration"), [60, 1440, 4320, 10080]),
        *check_range("rate_limit_per_user", payload.get("rate_limit_per_user"), 0, 21600),
    ]


def _check_message(payload: Json, files: Sequence[Upload], delivery: Delivery) -> Iterator[str]:
    yield from check_length("content", payload.get("content"), 0, 2000)
    yield from check_length("nonce", str(payload.get("nonce") or ""), 0, 25)
    yield from check_count("sticker_ids", payload.get("sticker_ids"), 0, 3)
    yield from _check_flags(payload, delivery)
    yield from _check_embeds(payload.get("embeds") or ())
    yield from _check_mentions(payload.get("allowed_mentions") or {})
    yield from _check_attachments(payload, files)
    yield from _check_components(payload)
    if delivery in {Delivery.CHANNEL, Delivery.RESPONSE} and _is_empty(payload, files):
        yield "nothing in it: a message needs a text, an embed, a component, a sticker, a poll or a file"


def _is_empty(payload: Json, files: Sequence[Upload]) -> bool:
    return not files and not any(payload.get(key) for key in (*_CONTENT_KEYS, "components"))


def _check_flags(payload: Json, delivery: Delivery) -> Iterator[str]:
    surplus = (payload.get("flags") or 0) & ~_ALLOWED_FLAGS[delivery]
    if surplus:
        yield f"flags: {surplus:#x} cannot be set on {delivery}"


def _check_components(payload: Json) -> Iterator[str]:
    components = payload.get("components") or ()
    v2 = bool((payload.get("flags") or 0) & COMPONENTS_V2)
    yield from component_problems(components, v2=v2)
    if v2:
        yield from check_absent("message", payload, _CONTENT_KEYS, "together with components v2")


def _check_embeds(embeds: Sequence[Json]) -> Iterator[str]:
    yield from check_count("embeds", embeds, 0, 10)
    total = 0
    for index, embed in enumerate(embeds):
        yield from _check_embed(f"embeds[{index}]", embed)
        total += sum(len(text or "") for text in _embed_texts(embed))
    if total > 6000:
        yield f"embeds: {total} characters in all of them together, at most 6000"


def _check_embed(place: str, embed: Json) -> Iterator[str]:
    yield from check_length(f"{place}.title", embed.get("title"), 0, 256)
    yield from check_length(f"{place}.description", embed.get("description"), 0, 4096)
    yield from check_length(f"{place}.footer.text", (embed.get("footer") or {}).get("text"), 0, 2048)
    yield from check_length(f"{place}.author.name", (embed.get("author") or {}).get("name"), 0, 256)
    yield from check_length(f"{place}.url", embed.get("url"), 0, 2048)
    for key in ("image", "thumbnail", "author"):
        yield from check_length(f"{place}.{key}.url", (embed.get(key) or {}).get("url"), 0, 2048)
    yield from check_count(f"{place}.fields", embed.get("fields"), 0, 25)
    for index, field in enumerate(embed.get("fields") or ()):
        yield from check_length(f"{place}.fields[{index}].name", field.get("name"), 1, 256)
        yield from check_length(f"{place}.fields[{index}].value", field.get("value"), 1, 1024)


def _embed_texts(embed: Json) -> Iterator[str | None]:
    yield embed.get("title")
    yield embed.get("description")
    yield (embed.get("footer") or {}).get("text")
    yield (embed.get("author") or {}).get("name")
    for field in embed.get("fields") or ():
        yield field.get("name")
        yield field.get("value")


def _check_mentions(mentions: Json) -> Iterator[str]:
    for kind in ("users", "roles"):
        yield from check_count(f"allowed_mentions.{kind}", mentions.get(kind), 0, 100)
        if mentions.get(kind) and kind in (mentions.get("parse") or ()):
            yield f"allowed_mentions: {kind} both listed and parsed"


def _check_attachments(payload: Json, files: Sequence[Upload]) -> Iterator[str]:
    listed: Sequence[Json] = payload.get("attachments") or ()
    yield from check_count("attachments", listed, 0, 10)
    yield from check_count("files", files, 0, 10)
    for index, attachment in enumerate(listed):
        yield from check_length(f"attachments[{index}].description", attachment.get("description"), 0, 1024)
    for index, file in enumerate(files):
        yield from check_length(f"files[{index}].filename", file.filename, 1, 1024)
        if file.size > MAX_FILE_BYTES:
            yield f"files[{index}]: {file.size} bytes, at most {MAX_FILE_BYTES}"
    total = sum(file.size for file in files)
    if total > MAX_REQUEST_BYTES:
        yield f"files: {total} bytes together, at most {MAX_REQUEST_BYTES}"
    yield from _check_attachment_urls(payload, files, listed)


def _check_attachment_urls(payload: Json, files: Sequence[Upload], listed: Sequence[Json]) -> Iterator[str]:
    """Check that each `attachment://` URL names a file of the same request or a retained file of the message.

    An edit may list retained attachments by id alone; in that case every name is accepted.
    """
    known = {file.filename for file in files} | {a["filename"] for a in listed if a.get("filename")}
    keeps_unnamed = any(not attachment.get("filename") for attachment in listed)
    for place, url in _urls(payload):
        name = url.removeprefix("attachment://")
        if name == url:
            continue
        if not _FILENAME.fullmatch(name):
            yield f"{place}: {name!r} may hold only letters, digits, dashes, underscores and dots"
        elif name not in known and not keeps_unnamed:
            yield f"{place}: {name!r} is not among the files"


def _urls(payload: Json) -> Iterator[tuple[str, str]]:
    for index, embed in enumerate(payload.get("embeds") or ()):
        for key in ("image", "thumbnail"):
            yield f"embeds[{index}].{key}.url", (embed.get(key) or {}).get("url") or ""
    for place, component in walk(payload.get("components") or ()):
        match component.get("type"):
            case Kind.MEDIA_GALLERY:
                for index, item in enumerate(component.get("items") or ()):
                    yield f"{place}.items[{index}].media.url", item["media"]["url"]
            case Kind.THUMBNAIL:
                yield f"{place}.media.url", component["media"]["url"]
            case Kind.FILE:
                yield f"{place}.file.url", component["file"]["url"]


def _check_choices(choices: Sequence[Json]) -> Iterator[str]:
    yield from check_count("choices", choices, 0, 25)
    for index, choice in enumerate(choices):
        yield from check_length(f"choices[{index}].name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            # The documentation says 100, the OpenAPI document 6000: the smaller one is safe.
            yield from check_length(f"choices[{index}].value", choice["value"], 0, 100)
