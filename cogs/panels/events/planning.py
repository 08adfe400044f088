"""The private panel of an event's organisers: a page of actions, and a page for each part of the plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button
from cogs.messages import form, layout, rows
from cogs.panels.events.announcement import OPEN_ROUND, RUNNING_STATES, SIGN_UP_STATES
from cogs.presenting.ids import Key, Op
from cogs.texts import t
from cogs.words.event_plans import FREE_TEXT_SETTINGS, SETTING_PAGES, current_value, next_value, setting_line
from cogs.words.events import entries_words
from cogs.words.names import safe
from host.events import EventView

PLAN: Final = "plan"
HOME: Final = "home"
DO: Final = "do"
"""First words of buttons' arguments: a page of the plan, the home page, an action without a form."""
ANNOUNCE, BEGIN_CHECK_IN, START, RESUME, REPORTS = "announce", "checkin", "start", "resume", "reports"
CLOSE, EXTEND, PAUSE, CORRECT, REDRAW, DETAILS = "close", "extend", "pause", "correct", "redraw", "details"
FORMS: Final[dict[str, tuple[str, ...]]] = {
    CLOSE: ("reason",),
    EXTEND: ("days", "reason"),
    PAUSE: ("days",),
    CORRECT: ("table", "scores", "reason"),
    REDRAW: ("reason",),
    DETAILS: ("name", "starts_at", "tie_breaks", "season_of"),
}
"""The fields of each form; they match the options of the typed commands."""
MAX_FIELD_LENGTH: Final = 200


def home_page(view: EventView, notice: str = "") -> ui.LayoutView:
    """Return the first page: the event's state and available actions; ``notice`` reports the last action."""
    head = t("event.panel.organise", name=safe(view.name), code=view.code, state=t(f"event.state.{view.state}"))
    words = [notice, head, entries_words(view, 20)]
    if view.inherited:
        words.append(t("event.panel.inherited"))
    buttons = rows(list(_action_buttons(view)))
    return layout(ui.TextDisplay("\n".join(filter(None, words))), buttons, rows(_page_buttons(view, "")))


def _action_buttons(view: EventView) -> Iterator[Press]:
    state = str(view.state)
    if state == "draft":
        yield _action_button(view, ANNOUNCE, style=ButtonStyle.primary)
    if state == "open":
        yield _action_button(view, BEGIN_CHECK_IN)
    if state in SIGN_UP_STATES:
        yield _action_button(view, START, style=ButtonStyle.primary)
    if view.waits_since is not None:
        yield _action_button(view, OPEN_ROUND, style=ButtonStyle.primary)
    if state in RUNNING_STATES:
        yield from (_form_button(view, form) for form in (EXTEND, CORRECT, REDRAW))
        yield _form_button(view, PAUSE) if state == "running" else _action_button(view, RESUME)
    yield _action_button(view, REPORTS)
    if state not in {"finished", "closed"}:
        yield _form_button(view, CLOSE, style=ButtonStyle.danger)


def _action_button(view: EventView, action: str, *, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    return button(Op.EVENT_PAGE, view.code, 0, t(f"event.deed.{action}"), argument=f"{DO} {action}", style=style)


def _form_button(view: EventView, form: str, *, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    return button(Op.EVENT_FORM, view.code, 0, t(f"event.deed.{form}"), argument=form, style=style)


def _page_buttons(view: EventView, page: str) -> list[Press]:
    """Return buttons to the other pages; the plan can be changed until the start."""
    if str(view.state) not in {"draft", *SIGN_UP_STATES}:
        return []
    names = [name for name in SETTING_PAGES if name != page]
    found = [button(Op.EVENT_PAGE, view.code, 0, t(f"event.page.{name}"), argument=f"{PLAN} {name}") for name in names]
    if page:
        found.insert(0, button(Op.EVENT_PAGE, view.code, 0, t("event.page.home"), argument=HOME))
    return found


def plan_page(view: EventView, page: str) -> ui.LayoutView:
    """Return a page of the plan: each setting with a button to its next value."""
    items: list[Any] = [ui.TextDisplay(t("event.panel.planning", name=safe(view.name), page=t(f"event.page.{page}")))]
    items += [_setting_item(view, page, name) for name in SETTING_PAGES[page]]
    if set(SETTING_PAGES[page]) & set(FREE_TEXT_SETTINGS):
        items += rows([_form_button(view, DETAILS)])
    return layout(*items, rows(_page_buttons(view, page)))


def _setting_item(view: EventView, page: str, name: str) -> ui.Item[Any]:
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(setting_line(view, name))
    value = next_value(view.plan, name)
    if not value:
        return text
    argument = f"{PLAN} {page} {name} {value}"
    change = button(Op.EVENT_PAGE, view.code, 0, t("button.change"), argument=argument)
    return ui.Section(text, accessory=change)


def event_form(view: EventView, name: str) -> ui.Modal:
    """Return the form with this name."""
    modal = form(t(f"event.deed.{name}"), Key(Op.EVENT_TYPED, view.code, 0, name))
    for field in FORMS[name]:
        before = _stored_value(view, field) if name == DETAILS else ""
        typed: ui.TextInput[ui.Modal] = ui.TextInput(
            custom_id=field, max_length=MAX_FIELD_LENGTH, required=name != DETAILS, default=before or None
        )
        modal.add_item(
            ui.Label(text=t(f"event.field.{field}"), description=t(f"event.field_says.{field}"), component=typed)
        )
    return modal


def _stored_value(view: EventView, field: str) -> str:
    return view.name if field == "name" else current_value(view.plan, field)
