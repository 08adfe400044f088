"""Limits of message and modal components, version 1 and 2 (components/reference of Discord's documentation).

Functions named ``_check_…`` yield a sentence for each violation; ``place`` is the component's location in the payload.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain

from tests.discord_limits.text import (
    Json,
    check_absent,
    check_count,
    check_length,
    check_one_of,
    check_range,
    check_unique,
)


class Kind(IntEnum):
    """Component types that the bot uses or may use in future."""

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
CONTAINER_CHILDREN = frozenset(
    {Kind.ACTION_ROW, Kind.SECTION, Kind.TEXT_DISPLAY, Kind.MEDIA_GALLERY, Kind.FILE, Kind.SEPARATOR}
)
LABEL_CHILDREN = SELECTS | {Kind.TEXT_INPUT, Kind.FILE_UPLOAD, Kind.RADIO_GROUP, Kind.CHECKBOX_GROUP, Kind.CHECKBOX}
CUSTOM_ID_KINDS = SELECTS | {Kind.TEXT_INPUT, Kind.FILE_UPLOAD, Kind.RADIO_GROUP, Kind.CHECKBOX_GROUP, Kind.CHECKBOX}
"""Kinds that always have a custom id: at present those that may stand in a label; buttons have rules of their own."""

LINK_STYLE, PREMIUM_STYLE = 5, 6


def walk(components: Sequence[Json], place: str = "components") -> Iterator[tuple[str, Json]]:
    """Yield every component at any depth, with its location."""
    for index, component in enumerate(components):
        here = f"{place}[{index}]"
        yield here, component
        yield from walk(component.get("components") or (), f"{here}.components")
        for key in ("accessory", "component"):
            if component.get(key):
                yield f"{here}.{key}", component[key]


def component_problems(components: Sequence[Json], *, v2: bool) -> Iterator[str]:
    """Yield the violations of a message's components; `v2` is True if its flag is set."""
    nested = list(walk(components))
    if v2:
        yield from check_count("components (nested ones included)", nested, 0, 40)
        yield from _check_child_kinds("components", components, CONTAINER_CHILDREN | {Kind.CONTAINER})
        texts = [c.get("content") or "" for _, c in nested if c["type"] == Kind.TEXT_DISPLAY]
        yield from check_length("components (all texts together)", "".join(texts), 0, 4000)
    else:
        yield from check_count("components", components, 0, 5)
        yield from _check_child_kinds("components", components, {Kind.ACTION_ROW})
    yield from _check_all(nested)


def modal_component_problems(components: Sequence[Json]) -> Iterator[str]:
    """Yield the violations of a modal's components."""
    yield from check_count("components", components, 1, 5)
    yield from _check_child_kinds("components", components, {Kind.ACTION_ROW, Kind.LABEL, Kind.TEXT_DISPLAY})
    yield from _check_all(list(walk(components)))


def _check_all(nested: Sequence[tuple[str, Json]]) -> Iterator[str]:
    yield from check_unique("custom_id", (c["custom_id"] for _, c in nested if c.get("custom_id")))
    yield from check_unique("id", (c["id"] for _, c in nested if c.get("id")))
    yield from chain.from_iterable(_check_component(place, component) for place, component in nested)


def _check_component(place: str, component: Json) -> Iterator[str]:
    kind = component.get("type")
    if kind in SELECTS:
        yield from _check_select(place, component)
    elif check := _CHECKS.get(kind):
        yield from check(place, component)
    elif kind not in set(Kind):
        yield f"{place}.type: {kind!r} is no component type known here"
    if kind in CUSTOM_ID_KINDS:
        yield from check_length(f"{place}.custom_id", component.get("custom_id"), 1, 100)


def _check_child_kinds(place: str, components: Sequence[Json], allowed: set[Kind] | frozenset[Kind]) -> Iterator[str]:
    for index, component in enumerate(components):
        if component.get("type") not in allowed:
            yield f"{place}[{index}].type: {component.get('type')} is not allowed here"


def _check_action_row(place: str, row: Json) -> Iterator[str]:
    children = row.get("components") or ()
    yield from check_count(f"{place}.components", children, 1, 5)
    yield from _check_child_kinds(f"{place}.components", children, SELECTS | {Kind.BUTTON, Kind.TEXT_INPUT})
    if len(children) > 1 and any(child.get("type") != Kind.BUTTON for child in children):
        yield f"{place}.components: a select or text input has its row to itself"


def _check_button(place: str, button: Json) -> Iterator[str]:
    yield from check_length(f"{place}.label", button.get("label"), 0, 80)
    yield from check_one_of(f"{place}.style", button.get("style"), range(1, 7))
    match button.get("style"):
        case int(style) if style == LINK_STYLE:
            yield from check_length(f"{place}.url", button.get("url"), 1, 512)
            yield from check_absent(place, button, ["custom_id", "sku_id"], "for a link")
        case int(style) if style == PREMIUM_STYLE:
            yield from check_absent(place, button, ["custom_id", "url", "label", "emoji"], "for a premium button")
        case _:
            yield from check_length(f"{place}.custom_id", button.get("custom_id"), 1, 100)
            yield from check_absent(place, button, ["url", "sku_id"], "for a button with a custom_id")
    if button.get("style") != PREMIUM_STYLE and not (button.get("label") or button.get("emoji")):
        yield f"{place}: neither label nor emoji"


def _check_select(place: str, select: Json) -> Iterator[str]:
    yield from check_length(f"{place}.placeholder", select.get("placeholder"), 0, 150)
    low, high = select.get("min_values"), select.get("max_values")
    yield from check_range(f"{place}.min_values", low, 0, 25)
    yield from check_range(f"{place}.max_values", high, 1, 25)
    most = 1 if high is None else high
    if (1 if low is None else low) > most:
        yield f"{place}.min_values: more than max_values"
    if select["type"] == Kind.STRING_SELECT:
        options = select.get("options") or ()
        yield from _check_options(place, options, 1, 25)
        yield from check_count(f"{place}.options (preselected)", [o for o in options if o.get("default")], 0, most)
    yield from check_count(f"{place}.default_values", select.get("default_values"), 0, most)


def _check_options(place: str, options: Sequence[Json], low: int, high: int) -> Iterator[str]:
    yield from check_count(f"{place}.options", options, low, high)
    yield from check_unique(f"{place}.options", (option.get("value") for option in options))
    for index, option in enumerate(options):
        here = f"{place}.options[{index}]"
        yield from check_length(f"{here}.label", option.get("label"), 1, 100)
        yield from check_length(f"{here}.value", option.get("value"), 1, 100)
        yield from check_length(f"{here}.description", option.get("description"), 0, 100)


def _check_text_input(place: str, text: Json) -> Iterator[str]:
    yield from check_length(f"{place}.label", text.get("label"), 0, 45)
    yield from check_length(f"{place}.value", text.get("value"), 0, 4000)
    yield from check_length(f"{place}.placeholder", text.get("placeholder"), 0, 100)
    yield from check_range(f"{place}.min_length", text.get("min_length"), 0, 4000)
    yield from check_range(f"{place}.max_length", text.get("max_length"), 1, 4000)


def _check_section(place: str, section: Json) -> Iterator[str]:
    children = section.get("components") or ()
    yield from check_count(f"{place}.components", children, 1, 3)
    yield from _check_child_kinds(f"{place}.components", children, {Kind.TEXT_DISPLAY})
    accessory = section.get("accessory")
    yield from _check_child_kinds(
        f"{place}.accessory", [accessory] if accessory else [{}], {Kind.BUTTON, Kind.THUMBNAIL}
    )


def _check_text_display(place: str, text: Json) -> Iterator[str]:
    yield from check_length(f"{place}.content", text.get("content"), 1, 4000)


def _check_media_gallery(place: str, gallery: Json) -> Iterator[str]:
    yield from check_count(f"{place}.items", gallery.get("items"), 1, 10)
    for index, item in enumerate(gallery.get("items") or ()):
        yield from check_length(f"{place}.items[{index}].description", item.get("description"), 0, 1024)


def _check_thumbnail(place: str, thumbnail: Json) -> Iterator[str]:
    yield from check_length(f"{place}.description", thumbnail.get("description"), 0, 1024)


def _check_container(place: str, container: Json) -> Iterator[str]:
    yield from check_count(f"{place}.components", container.get("components"), 1, 40)
    yield from _check_child_kinds(f"{place}.components", container.get("components") or (), CONTAINER_CHILDREN)


def _check_label(place: str, label: Json) -> Iterator[str]:
    yield from check_length(f"{place}.label", label.get("label"), 1, 45)
    yield from check_length(f"{place}.description", label.get("description"), 0, 100)
    yield from _check_child_kinds(f"{place}.component", [label.get("component") or {}], LABEL_CHILDREN)


def _check_radio_group(place: str, group: Json) -> Iterator[str]:
    yield from _check_options(place, group.get("options") or (), 2, 10)


def _check_checkbox_group(place: str, group: Json) -> Iterator[str]:
    yield from _check_options(place, group.get("options") or (), 1, 10)


def _check_file_upload(place: str, upload: Json) -> Iterator[str]:
    yield from check_range(f"{place}.min_values", upload.get("min_values"), 0, 10)
    yield from check_range(f"{place}.max_values", upload.get("max_values"), 1, 10)


_CHECKS: Mapping[object, Callable[[str, Json], Iterator[str]]] = {
    Kind.ACTION_ROW: _check_action_row,
    Kind.BUTTON: _check_button,
    Kind.TEXT_INPUT: _check_text_input,
    Kind.SECTION: _check_section,
    Kind.TEXT_DISPLAY: _check_text_display,
    Kind.THUMBNAIL: _check_thumbnail,
    Kind.MEDIA_GALLERY: _check_media_gallery,
    Kind.CONTAINER: _check_container,
    Kind.LABEL: _check_label,
    Kind.RADIO_GROUP: _check_radio_group,
    Kind.CHECKBOX_GROUP: _check_checkbox_group,
    Kind.FILE_UPLOAD: _check_file_upload,
}
