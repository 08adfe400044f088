"""The private panel of an event's organisers: a page for each part of the plan, and one for what can be done."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button
from cogs.messages import form, layout, rows
from cogs.panels.events.announcement import GATHERING, GOING, OPEN_ROUND
from cogs.presenting.ids import Key, Op
from cogs.texts import t
from cogs.words.event_plans import PAGES, TYPED, choice_words, next_value, value_of
from cogs.words.events import entries_words
from cogs.words.names import safe

if TYPE_CHECKING:
    from host.events import EventView

PLAN: Final = "plan"
HOME: Final = "home"
DO: Final = "do"
"""The first words of arguments: a page of the plan, the first page, something to do at once."""
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
"""The forms and their fields, the same as the values of the typed commands."""
LONGEST: Final = 200


def home_page(view: EventView, told: str = "") -> ui.LayoutView:
    """How it stands, and what can be done now; ``told`` is what has just been done."""
    head = t("event.panel.organise", name=safe(view.name), code=view.code, state=t(f"event.state.{view.state}"))
    words = [told, head, entries_words(view, 20)]
    if view.inherited:
        words.append(t("event.panel.inherited"))
    buttons = rows(list(_deeds(view)))
    return layout(ui.TextDisplay("\n".join(filter(None, words))), buttons, rows(_pages(view, "")))


def _deeds(view: EventView) -> Iterator[Press]:
    state = str(view.state)
    if state == "draft":
        yield _do(view, ANNOUNCE, style=ButtonStyle.primary)
    if state == "open":
        yield _do(view, BEGIN_CHECK_IN)
    if state in GATHERING:
        yield _do(view, START, style=ButtonStyle.primary)
    if view.waits_since is not None:
        yield _do(view, OPEN_ROUND, style=ButtonStyle.primary)
    if state in GOING:
        yield from (_form(view, form) for form in (EXTEND, CORRECT, REDRAW))
        yield _form(view, PAUSE) if state == "running" else _do(view, RESUME)
    yield _do(view, REPORTS)
    if state not in {"finished", "closed"}:
        yield _form(view, CLOSE, style=ButtonStyle.danger)


def _do(view: EventView, deed: str, *, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    return button(Op.EVENT_PAGE, view.code, 0, t(f"event.deed.{deed}"), argument=f"{DO} {deed}", style=style)


def _form(view: EventView, form: str, *, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    return button(Op.EVENT_FORM, view.code, 0, t(f"event.deed.{form}"), argument=form, style=style)


def _pages(view: EventView, page: str) -> list[Press]:
    """Buttons to the other pages; the plan is open until the start."""
    if str(view.state) not in {"draft", *GATHERING}:
        return []
    names = [name for name in PAGES if name != page]
    found = [button(Op.EVENT_PAGE, view.code, 0, t(f"event.page.{name}"), argument=f"{PLAN} {name}") for name in names]
    if page:
        found.insert(0, button(Op.EVENT_PAGE, view.code, 0, t("event.page.home"), argument=HOME))
    return found


def plan_page(view: EventView, page: str) -> ui.LayoutView:
    """A part of the plan: each choice with a button to its next value."""
    items: list[Any] = [ui.TextDisplay(t("event.panel.planning", name=safe(view.name), page=t(f"event.page.{page}")))]
    items += [_line(view, page, name) for name in PAGES[page]]
    if set(PAGES[page]) & set(TYPED):
        items += rows([_form(view, DETAILS)])
    return layout(*items, rows(_pages(view, page)))


def _line(view: EventView, page: str, name: str) -> ui.Item[Any]:
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(choice_words(view, name))
    following = next_value(view.plan, name)
    if not following:
        return text
    argument = f"{PLAN} {page} {name} {following}"
    pressed = button(Op.EVENT_PAGE, view.code, 0, t("button.change"), argument=argument)
    return ui.Section(text, accessory=pressed)


def event_form(view: EventView, name: str) -> ui.Modal:
    """The form of this name."""
    modal = form(t(f"event.deed.{name}"), Key(Op.EVENT_TYPED, view.code, 0, name))
    for field in FORMS[name]:
        before = _before(view, field) if name == DETAILS else ""
        typed: ui.TextInput[ui.Modal] = ui.TextInput(
            custom_id=field, max_length=LONGEST, required=name != DETAILS, default=before or None
        )
        modal.add_item(
            ui.Label(text=t(f"event.field.{field}"), description=t(f"event.field_says.{field}"), component=typed)
        )
    return modal


def _before(view: EventView, field: str) -> str:
    return view.name if field == "name" else value_of(view.plan, field)
