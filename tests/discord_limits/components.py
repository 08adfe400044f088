"""Limits of message and modal components, old and new (components/reference of Discord's documentation)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain

from tests.discord_limits.text import Json, absent, count, length, one_of, unique, within


class Kind(IntEnum):
    """Component types that the bot may come to use."""

    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS = frozenset(
    {Kind.STRING_SELECT, Kind.USER_SELECT, Kind.ROLE_SELECT, Kind.MENTIONABLE_SELECT, Kind.CHANNEL_SELECT}
)
IN_CONTAINER = frozenset(
    {Kind.ACTION_ROW, Kind.SECTION, Kind.TEXT_DISPLAY, Kind.MEDIA_GALLERY, Kind.FILE, Kind.SEPARATOR}
)
IN_LABEL = SELECTS | {Kind.TEXT_INPUT, Kind.FILE_UPLOAD, Kind.RADIO_GROUP, Kind.CHECKBOX_GROUP, Kind.CHECKBOX}
INTERACTIVE = SELECTS | {Kind.TEXT_INPUT, Kind.FILE_UPLOAD, Kind.RADIO_GROUP, Kind.CHECKBOX_GROUP, Kind.CHECKBOX}

LINK, PREMIUM = 5, 6  # button styles


def walk(components: Sequence[Json], place: str = "components") -> Iterator[tuple[str, Json]]:
    """Every component at any depth with its place."""
    for index, component in enumerate(components):
        here = f"{place}[{index}]"
        yield here, component
        yield from walk(component.get("components") or (), f"{here}.components")
        for key in ("accessory", "component"):
            if component.get(key):
                yield f"{here}.{key}", component[key]


def message_components(components: Sequence[Json], *, v2: bool) -> Iterator[str]:
    """Yield the violations of a message's components; `v2` is True if its flag is set."""
    nested = list(walk(components))
    if v2:
        yield from count("components (nested ones included)", nested, 0, 40)
        yield from _children("components", components, IN_CONTAINER | {Kind.CONTAINER})
        texts = [c.get("content") or "" for _, c in nested if c["type"] == Kind.TEXT_DISPLAY]
        yield from length("components (all texts together)", "".join(texts), 0, 4000)
    else:
        yield from count("components", components, 0, 5)
        yield from _children("components", components, {Kind.ACTION_ROW})
    yield from _each(nested)


def modal_components(components: Sequence[Json]) -> Iterator[str]:
    """Yield the violations of a modal's components."""
    yield from count("components", components, 1, 5)
    yield from _children("components", components, {Kind.ACTION_ROW, Kind.LABEL, Kind.TEXT_DISPLAY})
    yield from _each(list(walk(components)))


def _each(nested: Sequence[tuple[str, Json]]) -> Iterator[str]:
    yield from unique("custom_id", (c["custom_id"] for _, c in nested if c.get("custom_id")))
    yield from unique("id", (c["id"] for _, c in nested if c.get("id")))
    yield from chain.from_iterable(_component(place, component) for place, component in nested)


def _component(place: str, component: Json) -> Iterator[str]:
    kind = component.get("type")
    if kind in SELECTS:
        yield from _select(place, component)
    elif check := _CHECKS.get(kind):
        yield from check(place, component)
    elif kind not in set(Kind):
        yield f"{place}.type: {kind!r} is no component type known here"
    if kind in INTERACTIVE:
        yield from length(f"{place}.custom_id", component.get("custom_id"), 1, 100)


def _children(place: str, components: Sequence[Json], allowed: set[Kind] | frozenset[Kind]) -> Iterator[str]:
    for index, component in enumerate(components):
        if component.get("type") not in allowed:
            yield f"{place}[{index}].type: {component.get('type')} is not allowed here"


def _action_row(place: str, row: Json) -> Iterator[str]:
    children = row.get("components") or ()
    yield from count(f"{place}.components", children, 1, 5)
    yield from _children(f"{place}.components", children, SELECTS | {Kind.BUTTON, Kind.TEXT_INPUT})
    if len(children) > 1 and any(child.get("type") != Kind.BUTTON for child in children):
        yield f"{place}.components: a select or text input has its row to itself"


def _button(place: str, button: Json) -> Iterator[str]:
    yield from length(f"{place}.label", button.get("label"), 0, 80)
    yield from one_of(f"{place}.style", button.get("style"), range(1, 7))
    match button.get("style"):
        case int(style) if style == LINK:
            yield from length(f"{place}.url", button.get("url"), 1, 512)
            yield from absent(place, button, ["custom_id", "sku_id"], "for a link")
        case int(style) if style == PREMIUM:
            yield from absent(place, button, ["custom_id", "url", "label", "emoji"], "for a premium button")
        case _:
            yield from length(f"{place}.custom_id", button.get("custom_id"), 1, 100)
            yield from absent(place, button, ["url", "sku_id"], "for a button with a custom_id")
    if button.get("style") != PREMIUM and not (button.get("label") or button.get("emoji")):
        yield f"{place}: neither label nor emoji"


def _select(place: str, select: Json) -> Iterator[str]:
    yield from length(f"{place}.placeholder", select.get("placeholder"), 0, 150)
    low, high = select.get("min_values"), select.get("max_values")
    yield from within(f"{place}.min_values", low, 0, 25)
    yield from within(f"{place}.max_values", high, 1, 25)
    most = 1 if high is None else high
    if (1 if low is None else low) > most:
        yield f"{place}.min_values: more than max_values"
    if select["type"] == Kind.STRING_SELECT:
        options = select.get("options") or ()
        yield from _options(place, options, 1, 25)
        yield from count(f"{place}.options (preselected)", [o for o in options if o.get("default")], 0, most)
    yield from count(f"{place}.default_values", select.get("default_values"), 0, most)


def _options(place: str, options: Sequence[Json], low: int, high: int) -> Iterator[str]:
    yield from count(f"{place}.options", options, low, high)
    yield from unique(f"{place}.options", (option.get("value") for option in options))
    for index, option in enumerate(options):
        here = f"{place}.options[{index}]"
        yield from length(f"{here}.label", option.get("label"), 1, 100)
        yield from length(f"{here}.value", option.get("value"), 1, 100)
        yield from length(f"{here}.description", option.get("description"), 0, 100)


def _text_input(place: str, text: Json) -> Iterator[str]:
    yield from length(f"{place}.label", text.get("label"), 0, 45)
    yield from length(f"{place}.value", text.get("value"), 0, 4000)
    yield from length(f"{place}.placeholder", text.get("placeholder"), 0, 100)
    yield from within(f"{place}.min_length", text.get("min_length"), 0, 4000)
    yield from within(f"{place}.max_length", text.get("max_length"), 1, 4000)


def _section(place: str, section: Json) -> Iterator[str]:
    children = section.get("components") or ()
    yield from count(f"{place}.components", children, 1, 3)
    yield from _children(f"{place}.components", children, {Kind.TEXT_DISPLAY})
    accessory = section.get("accessory")
    yield from _children(f"{place}.accessory", [accessory] if accessory else [{}], {Kind.BUTTON, Kind.THUMBNAIL})


def _text_display(place: str, text: Json) -> Iterator[str]:
    yield from length(f"{place}.content", text.get("content"), 1, 4000)


def _media_gallery(place: str, gallery: Json) -> Iterator[str]:
    yield from count(f"{place}.items", gallery.get("items"), 1, 10)
    for index, item in enumerate(gallery.get("items") or ()):
        yield from length(f"{place}.items[{index}].description", item.get("description"), 0, 1024)


def _thumbnail(place: str, thumbnail: Json) -> Iterator[str]:
    yield from length(f"{place}.description", thumbnail.get("description"), 0, 1024)


def _container(place: str, container: Json) -> Iterator[str]:
    yield from count(f"{place}.components", container.get("components"), 1, 40)
    yield from _children(f"{place}.components", container.get("components") or (), IN_CONTAINER)


def _label(place: str, label: Json) -> Iterator[str]:
    yield from length(f"{place}.label", label.get("label"), 1, 45)
    yield from length(f"{place}.description", label.get("description"), 0, 100)
    yield from _children(f"{place}.component", [label.get("component") or {}], IN_LABEL)


def _radio_group(place: str, group: Json) -> Iterator[str]:
    yield from _options(place, group.get("options") or (), 2, 10)


def _checkbox_group(place: str, group: Json) -> Iterator[str]:
    yield from _options(place, group.get("options") or (), 1, 10)


def _file_upload(place: str, upload: Json) -> Iterator[str]:
    yield from within(f"{place}.min_values", upload.get("min_values"), 0, 10)
    yield from within(f"{place}.max_values", upload.get("max_values"), 1, 10)


_CHECKS: Mapping[object, Callable[[str, Json], Iterator[str]]] = {
    Kind.ACTION_ROW: _action_row,
    Kind.BUTTON: _button,
    Kind.TEXT_INPUT: _text_input,
    Kind.SECTION: _section,
    Kind.TEXT_DISPLAY: _text_display,
    Kind.THUMBNAIL: _thumbnail,
    Kind.MEDIA_GALLERY: _media_gallery,
    Kind.CONTAINER: _container,
    Kind.LABEL: _label,
    Kind.RADIO_GROUP: _radio_group,
    Kind.CHECKBOX_GROUP: _checkbox_group,
    Kind.FILE_UPLOAD: _file_upload,
}
