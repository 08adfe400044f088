"""Building blocks of Discord messages: layouts of texts and buttons, forms, and what users pressed or typed.

Components are Discord's texts, buttons, lists and pictures; a *modal* is a form. :func:`layout` and :func:`notice`
arrange components, for a user in screen reader mode in an order that suits listening. :func:`show_plainly`
falls back to a message with less detail if Discord refuses one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, TypeAlias

import discord
from discord import ui

from cogs.presenting.ids import Key
from cogs.presenting.presenter import AltPicture, attachments
from cogs.services.bot import Interaction
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.story import SPEECH_LIMIT, aloud, fit_text, split_within, units, without_marks
from engine import EngineError
from host.observability import reference as present_reference

log = logging.getLogger(__name__)


def custom_id_of(interaction: discord.Interaction[Any]) -> str:
    """Return the custom id of the pressed button or submitted modal; empty for a command."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(data.get("custom_id", ""))


def chosen_in(interaction: discord.Interaction[Any]) -> str:
    """Return the entry chosen in a menu; empty if there is none."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(next(iter(data.get("values", ())), ""))


def custom_ids(message: discord.Message) -> Iterator[str]:
    """Yield the custom ids of a message, at any depth."""
    for component in message.components:
        yield from _ids_in(component)


def _ids_in(component: object) -> Iterator[str]:
    """Yield the custom ids of a component and of those inside it."""
    custom_id = getattr(component, "custom_id", None)
    if custom_id:
        yield custom_id
    accessory = getattr(component, "accessory", None)
    for child in (*getattr(component, "children", ()), *((accessory,) if accessory else ())):
        yield from _ids_in(child)


def chosen_values(interaction: discord.Interaction[Any]) -> tuple[str, ...]:
    """Return all entries chosen in a menu."""
    data: Mapping[str, Any] = interaction.data or {}
    return tuple(str(value) for value in data.get("values", ()))


def typed_values(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a submitted modal by the custom ids of its fields."""
    values: dict[str, str] = {}
    for component in (*data.get("components", ()), *((data["component"],) if "component" in data else ())):
        if isinstance(component.get("value"), str):
            values[component["custom_id"]] = component["value"]
        for value in component.get("values", ()):
            values[component["custom_id"]] = str(value)
        values |= typed_values(component)
    return values


MAX_LABEL: Final = 80
"""The maximum length, in units (:func:`cogs.words.story.units`), of a button's label."""
BUTTONS_PER_ROW: Final = 5
"""The most buttons that Discord allows in a row."""
MAX_TEXT: Final = 4000
"""The maximum length, in units, of all texts of a message together."""


def rows(buttons: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """Arrange buttons in rows."""
    return [
        ui.ActionRow(*buttons[start : start + BUTTONS_PER_ROW]) for start in range(0, len(buttons), BUTTONS_PER_ROW)
    ]


def layout(*items: str | ui.Item[Any] | Iterable[ui.Item[Any]] | None, colour: int | None = None) -> ui.LayoutView:
    """Return a message with these texts and components in a container; iterables are flattened, None is left out."""
    frame: ui.Container[ui.LayoutView] = ui.Container(accent_colour=colour)
    parts: list[ui.Item[Any]] = []
    for item in items:
        if isinstance(item, str | ui.Item):
            parts.append(ui.TextDisplay(item) if isinstance(item, str) else item)
        elif item is not None:
            parts += item
    for part in words_first(parts) if by_ear() else parts:
        frame.add_item(part)
    view = ui.LayoutView(timeout=None)
    view.add_item(frame)
    return _fitting(view)


def notice(text: str, *items: ui.Item[Any]) -> ui.LayoutView:
    """Return a message of text, with further components after it."""
    view = ui.LayoutView(timeout=None)
    parts: list[ui.Item[Any]] = [ui.TextDisplay(text), *items]
    for part in words_first(parts) if by_ear() else parts:
        view.add_item(part)
    return _fitting(view)


def words_first(parts: Sequence[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """Order the parts of a message for a screen reader: the first words, then the buttons and lists, then the rest."""
    parts = [piece for part in parts for piece in _unfolded(part)]
    main = [part for part in parts if isinstance(part, ui.TextDisplay | ui.ActionRow)]
    begins = next((at for at, part in enumerate(main) if isinstance(part, ui.ActionRow)), len(main))
    spoken = aloud("\n".join(part.content for part in main[:begins] if isinstance(part, ui.TextDisplay)))
    first, remainder = split_within(spoken, SPEECH_LIMIT) if begins < len(main) else (spoken, "")
    for part in main[begins:]:
        if isinstance(part, ui.TextDisplay):
            part.content = aloud(part.content)
        for control in part.children if isinstance(part, ui.ActionRow) else ():
            _name_aloud(control)
    before, after = ([ui.TextDisplay[Any](text)] if text else [] for text in (first, remainder))
    return [*before, *main[begins:], *after, *(part for part in parts if part not in main)]


def _unfolded(part: ui.Item[Any]) -> list[ui.Item[Any]]:
    """Split a line with a button into a line and a button labelled with both, because such labels repeat."""
    if not isinstance(part, ui.Section) or not isinstance(getattr(part.accessory, "item", None), ui.Button):
        return [part]
    lines: list[ui.Item[Any]] = [line for line in part.children if isinstance(line, ui.TextDisplay)]
    pressed: Any = part.accessory
    words = without_marks(aloud(" ".join(line.content for line in lines if isinstance(line, ui.TextDisplay))))
    pressed.item.label = fit_text(f"{pressed.item.label}: {words}".replace("\n", " "), MAX_LABEL)
    return [*lines, ui.ActionRow(pressed)]


def _name_aloud(control: ui.Item[Any]) -> None:
    """Remove from a control's label what only the eye reads."""
    item = getattr(control, "item", control)
    if isinstance(item, ui.Button) and item.label:
        item.label = aloud(item.label) or item.label
        item.emoji = None
    elif isinstance(item, ui.Select):
        for option in item.options:
            option.label = aloud(option.label) or option.label


def _fitting(view: ui.LayoutView) -> ui.LayoutView:
    """Cut the texts of a message to Discord's limit, the longest first, each after a whole line or sentence.

    Texts keep within their own budgets; this is the last resort, since Discord refuses a message that is too long.
    """
    texts = [item for item in view.walk_children() if isinstance(item, ui.TextDisplay)]
    if sum(units(text.content) for text in texts) <= MAX_TEXT:
        return view
    budget = MAX_TEXT
    for count, text in zip(range(len(texts), 0, -1), sorted(texts, key=lambda text: units(text.content)), strict=True):
        text.content = fit_text(text.content, budget // count)
        budget -= units(text.content)
    return view


MODAL_TIMEOUT: Final = 900.0
"""The seconds after which a form times out: Discord accepts answers to its interaction no longer."""


def form(title: str, key: Key) -> ui.Modal:
    """Return a form (modal) without fields; the key names the operation that handles its submission."""
    return ui.Modal(title=title, custom_id=str(key), timeout=MODAL_TIMEOUT)


def add_line(
    modal: ui.Modal, name: str, *, longest: int, words: str = "", value: str = "", required: bool = False
) -> None:
    """Add a one-line text field to a modal.

    ``longest`` is the limit in characters, ``value`` the present text. The field's label, description and placeholder
    are ``modal.WORDS``, ``modal.WORDS_says`` and ``modal.WORDS_example``; ``words`` defaults to ``name``.
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
"""Builds a message as a view and its pictures, given the reference of an earlier failure, if any."""


_TOO_LARGE: Final = 413
_BAD_REQUEST: Final = 400
_OF_THE_PLACE: Final = frozenset({50083, 30046})
"""Discord's error codes that concern the place, not the content: an archived thread, too many edits."""


class Detail(IntEnum):
    """The level of detail of a message."""

    FULL = 0
    WORDS = 1
    """Text and buttons, without pictures."""
    BARE = 2
    """Only as much as is needed to continue the game."""


def is_defect(error: Exception) -> bool:
    """Return True if a message with less detail may succeed, because Discord objects to its content."""
    if not isinstance(error, discord.HTTPException):
        return False
    return error.status in {_BAD_REQUEST, _TOO_LARGE} and error.code not in _OF_THE_PLACE


async def show_plainly(interaction: Interaction, shapes: Sequence[CardShape], **details: object) -> None:
    """Show the first of these messages that Discord accepts, as the answer to an interaction.

    ``shapes`` build the message with less and less detail; ``details`` are fields of the log line about a refusal.
    """
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


def drawn_or_reference(
    subject: str, drawing: Callable[[], list[AltPicture]], **details: object
) -> tuple[list[AltPicture], str]:
    """Draw pictures; if that fails, return none, and the reference of the log entry, since the words suffice.

    Raises:
        EngineError: the request for the picture was wrong.
    """
    try:
        return drawing(), ""
    except EngineError:
        raise  # the request was wrong, not the drawing
    except Exception as error:  # noqa: BLE001 - a defect of a picture is no reason to show nothing
        return [], report(subject, error, details)


def report(subject: str, error: Exception, details: Mapping[str, object]) -> str:
    """Log that something could not be shown, and return the reference of the log entry."""
    extra = {"reference": present_reference(), **details}
    log.error("%s could not be shown as usual, reference %s", subject, extra["reference"], exc_info=error, extra=extra)
    return str(extra["reference"])
