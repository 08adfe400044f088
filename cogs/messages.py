"""Messages of Discord: build components and modals, read what was pressed or typed, and fall back to less detail."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import discord
from discord import ui

from cogs.presenting.presenter import AltPicture, attachments
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.story import ROOM, aloud, begun, units, whole, without_marks
from engine import EngineError
from host.observability import reference as present_reference

if TYPE_CHECKING:
    from cogs.presenting.ids import Key
    from cogs.services.bot import Interaction

log = logging.getLogger(__name__)


def custom_id_of(interaction: discord.Interaction[Any]) -> str:
    """The custom id of the button that was pressed, or of the modal that was submitted; empty for a command."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(data.get("custom_id", ""))


def chosen_in(interaction: discord.Interaction[Any]) -> str:
    """What was chosen in a list; empty if nothing was."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(next(iter(data.get("values", ())), ""))


def custom_ids(message: discord.Message) -> Iterator[str]:
    """The custom ids of a message, however deep they lie."""
    for component in message.components:
        yield from _ids_in(component)


def _ids_in(component: object) -> Iterator[str]:
    custom_id = getattr(component, "custom_id", None)
    if custom_id:
        yield custom_id
    accessory = getattr(component, "accessory", None)
    for child in (*getattr(component, "children", ()), *((accessory,) if accessory else ())):
        yield from _ids_in(child)


def chosen_values(interaction: discord.Interaction[Any]) -> tuple[str, ...]:
    """What was chosen in a list."""
    data: Mapping[str, Any] = interaction.data or {}
    return tuple(str(value) for value in data.get("values", ()))


def typed_values(data: Mapping[str, Any]) -> dict[str, str]:
    """What was typed into a submitted modal, or chosen in its lists, by the custom ids of its fields."""
    found: dict[str, str] = {}
    for component in (*data.get("components", ()), *((data["component"],) if "component" in data else ())):
        if isinstance(component.get("value"), str):
            found[component["custom_id"]] = component["value"]
        for value in component.get("values", ()):
            found[component["custom_id"]] = str(value)
        found |= typed_values(component)
    return found


LONGEST_LABEL: Final = 80
"""Units of what a button may be called."""
WIDTH: Final = 5
"""Buttons in a row."""
MOST_TEXT: Final = 4000
"""What all texts of a message may hold together, counted in :func:`cogs.words.story.units`."""


def rows(buttons: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """Buttons in rows."""
    return [ui.ActionRow(*buttons[start : start + WIDTH]) for start in range(0, len(buttons), WIDTH)]


def layout(*items: ui.Item[Any] | Iterable[ui.Item[Any]] | None, colour: int | None = None) -> ui.LayoutView:
    """A message of these components in a frame; rows may be given as lists, None is left out."""
    frame: ui.Container[ui.LayoutView] = ui.Container(accent_colour=colour)
    parts = [part for item in items if item is not None for part in ([item] if isinstance(item, ui.Item) else item)]
    for part in words_first(parts) if by_ear() else parts:
        frame.add_item(part)
    view = ui.LayoutView(timeout=None)
    view.add_item(frame)
    return _fitting(view)


def notice(text: str, *more: ui.Item[Any]) -> ui.LayoutView:
    """A message of words alone, or with what follows them."""
    view = ui.LayoutView(timeout=None)
    parts: list[ui.Item[Any]] = [ui.TextDisplay(text), *more]
    for part in words_first(parts) if by_ear() else parts:
        view.add_item(part)
    return _fitting(view)


def words_first(parts: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """The parts of a message for who listens: words, but not too many before what can be pressed; then the rest."""
    parts = [piece for part in parts for piece in _unfolded(part)]
    told = [part for part in parts if isinstance(part, ui.TextDisplay | ui.ActionRow)]
    begins = next((at for at, part in enumerate(told) if isinstance(part, ui.ActionRow)), len(told))
    said = aloud("\n".join(part.content for part in told[:begins] if isinstance(part, ui.TextDisplay)))
    first, rest = begun(said, ROOM) if begins < len(told) else (said, "")
    for part in told[begins:]:
        if isinstance(part, ui.TextDisplay):
            part.content = aloud(part.content)
        for control in part.children if isinstance(part, ui.ActionRow) else ():
            _name_aloud(control)
    before, after = ([ui.TextDisplay[Any](text)] if text else [] for text in (first, rest))
    return [*before, *told[begins:], *after, *(part for part in parts if part not in told)]


def _unfolded(part: ui.Item[Any]) -> list[ui.Item[Any]]:
    """A line with a button beside it as a line and a button, which is called by both: many are called alike."""
    if not isinstance(part, ui.Section) or not isinstance(getattr(part.accessory, "item", None), ui.Button):
        return [part]
    lines: list[ui.Item[Any]] = [line for line in part.children if isinstance(line, ui.TextDisplay)]
    pressed: Any = part.accessory
    words = without_marks(aloud(" ".join(line.content for line in lines if isinstance(line, ui.TextDisplay))))
    pressed.item.label = whole(f"{pressed.item.label}: {words}".replace("\n", " "), LONGEST_LABEL)
    return [*lines, ui.ActionRow(pressed)]


def _name_aloud(control: ui.Item[Any]) -> None:
    """Leave out of what a control is called whatever only the eye reads."""
    item = getattr(control, "item", control)
    if isinstance(item, ui.Button) and item.label:
        item.label = aloud(item.label) or item.label
        item.emoji = None
    elif isinstance(item, ui.Select):
        for option in item.options:
            option.label = aloud(option.label) or option.label


def _fitting(view: ui.LayoutView) -> ui.LayoutView:
    """The message with its texts cut to what Discord takes, the longest first, each at the end of a line or a sentence.

    Whoever writes a text keeps within a budget; this is for what nobody thought of, since a message that is too long
    is refused whole.
    """
    texts = [item for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
    if sum(units(text.content) for text in texts) <= MOST_TEXT:
        return view
    room = MOST_TEXT
    for left, text in zip(range(len(texts), 0, -1), sorted(texts, key=lambda text: units(text.content)), strict=True):
        text.content = whole(text.content, room // left)
        room -= units(text.content)
    return view


SECONDS: Final = 900.0
"""As long as Discord keeps the interaction that opened it."""


def form(title: str, key: Key) -> ui.Modal:
    """A modal that has no fields yet; what is typed into it is carried out by this key."""
    return ui.Modal(title=title, custom_id=str(key), timeout=SECONDS)


def add_line(
    modal: ui.Modal, name: str, *, longest: int, words: str = "", value: str = "", required: bool = False
) -> None:
    """Ask for a line of text.

    ``longest`` is how many characters it may have, ``value`` what stands in it already. The sentences about it are
    ``modal.WORDS``, ``modal.WORDS_says`` and ``modal.WORDS_example``; ``words`` is its name where nothing else is said.
    """
    words = words or name
    field: ui.TextInput[ui.Modal] = ui.TextInput(
        custom_id=name,
        placeholder=t(f"modal.{words}_example"),
        default=value or None,
        required=required,
        max_length=longest,
    )
    modal.add_item(ui.Label(text=t(f"modal.{words}"), description=t(f"modal.{words}_says"), component=field))


CardShape: TypeAlias = Callable[[str], tuple[ui.LayoutView, Sequence[AltPicture]]]
"""A message as a view and its pictures; handed the reference of what went wrong before, if anything."""


_TOO_LARGE: Final = 413
_BAD_REQUEST: Final = 400
_OF_THE_PLACE: Final = frozenset({50083, 30046})
"""What Discord objects to about the place, not about the message: an archived thread, too many edits."""


class Detail(IntEnum):
    """How much a message shows."""

    FULL = 0
    WORDS = 1
    """Without pictures."""
    BARE = 2
    """The least with which the game goes on."""


def is_defect(error: Exception) -> bool:
    """Whether less of the message might do: Discord objects to what is in it."""
    if not isinstance(error, discord.HTTPException):
        return False
    return error.status in {_BAD_REQUEST, _TOO_LARGE} and error.code not in _OF_THE_PLACE


async def show_plainly(interaction: Interaction, shapes: Sequence[CardShape], **details: object) -> None:
    """Fill the answer to an interaction with the first of these that Discord takes, from full to bare."""
    reference = ""
    for number, shape in enumerate(shapes):
        try:
            view, pictures = shape(reference)
            await interaction.edit_original_response(view=view, attachments=attachments(pictures))
        except discord.HTTPException as error:
            if not is_defect(error) or number == len(shapes) - 1:
                raise
            reference = report("a panel", error, {"interaction": interaction.id, **details})
        else:
            return


def spared(what: str, drawing: Callable[[], list[AltPicture]], **details: object) -> tuple[list[AltPicture], str]:
    """Pictures, or none and a reference when they cannot be drawn: there are words, too."""
    try:
        return drawing(), ""
    except EngineError:
        raise  # what was asked for is wrong, not the drawing
    except Exception as error:  # noqa: BLE001 - a defect of a picture is no reason to show nothing
        return [], report(what, error, details)


def report(what: str, error: Exception, details: Mapping[str, object]) -> str:
    """Say loudly in the log what could not be shown; the reference under which it stands there."""
    told = {"reference": present_reference(), **details}
    log.error("%s could not be shown as usual, reference %s", what, told["reference"], exc_info=error, extra=told)
    return str(told["reference"])
