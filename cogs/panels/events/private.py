"""Private pages of an event: the full standings, the bracket, the games of a round, the ranking's rules, the log.

Organisers have a panel of their own, with the plan, actions and forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from discord import ButtonStyle, SelectOption, ui

from cogs.interactions.replies import Press, button
from cogs.messages import form, layout, rows
from cogs.panels.events.pictures import Sheet, bracket_sheets, group_sheets, round_sheets, standings_pictures
from cogs.panels.events.posts import OPEN_ROUND, RUNNING_STATES, SIGN_UP_STATES, pairing_lines, table_line
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import AltPicture, gallery
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.event_plans import (
    EXPANSIONS,
    FREE_TEXT_SETTINGS,
    SETTING_PAGES,
    SettingOption,
    current_value,
    next_value,
    options_of,
    setting_line,
)
from cogs.words.events import (
    all_time_line,
    audit_words,
    entries_words,
    person_name,
    round_title,
    stage_name,
    standing_line,
)
from cogs.words.names import safe
from cogs.words.story import clip, fit_text, lines_within
from host.events import AllTimeView, AuditRecord, EventSummary, EventView, RankView, ReportRecord, RoundView, TableView
from renderers import DAY, Theme
from tournaments.formats import FORMATS, SEASON_FORMAT
from tournaments.organising import may_exchange
from tournaments.states import SEASON

PLACES_PER_PAGE: Final = 16
GAMES_PER_PAGE: Final = 12
SEASON_GAMES_PER_PAGE: Final = 8
"""As many games of two as a picture has room for."""
LOG_LINES_PER_PAGE: Final = 15
MAX_TEXT_LENGTH: Final = 3500
MAX_LABEL_LENGTH: Final = 90
"""The most characters of an entry of a list."""
STANDINGS_PAGE, BRACKET_PAGE, GAMES_PAGE, LOG_PAGE = "standings", "bracket", "games", "log"
ALL_TIME_PAGE = "alltime"
PREVIEW_PAGE = "preview"
"""The pages of the private panel: the first words of their buttons' arguments."""

PICTURED_KINDS: Final = frozenset({"knockout", "group-knockout", "robin"})
"""Kinds of stages that have a bracket or cross tables."""

Page = tuple[ui.LayoutView, Sequence[AltPicture]]


def page_button(
    view: EventView, argument: str, label: str, *, style: ButtonStyle = ButtonStyle.secondary, disabled: bool = False
) -> Press:
    """Return a button to a page of the private panel."""
    return button(Op.EVENT_PAGE, view.code, 0, label, argument=argument, style=style, disabled=disabled)


def _paging_buttons(view: EventView, name: str, page: int, count: int) -> list[Press]:
    """Return buttons to the previous and next page; none for a single page."""
    if count < 2:
        return []
    return [
        page_button(view, f"{name} {page - 1}", t("event.button.before"), disabled=page == 0),
        page_button(view, f"{name} {page + 1}", t("event.button.behind"), disabled=page == count - 1),
    ]


def _clamp_page(page: int, count: int) -> int:
    """Return the number of the nearest existing page."""
    return min(max(page, 0), count - 1)


def standings_page(view: EventView, lines: Sequence[RankView], page: int, theme: Theme = DAY) -> Page:
    """Return a page of the standings: sixteen places in words and as a picture."""
    count = max(1, -(-len(lines) // PLACES_PER_PAGE))
    page = _clamp_page(page, count)
    part = lines[page * PLACES_PER_PAGE : (page + 1) * PLACES_PER_PAGE]
    words = [
        t("event.panel.standings", name=safe(view.name), code=view.code),
        *(standing_line(view, line) for line in part),
    ]
    pictures = list(standings_pictures(view, part, theme=theme))
    buttons = [*_paging_buttons(view, STANDINGS_PAGE, page, count), *_other_page_buttons(view, STANDINGS_PAGE)]
    return layout(ui.TextDisplay("\n".join(words)), *gallery(pictures), rows(buttons)), pictures


def all_time_page(view: EventView, lines: Sequence[AllTimeView], page: int) -> Page:
    """Return a page of the table of all seasons."""
    count = max(1, -(-len(lines) // PLACES_PER_PAGE))
    page = _clamp_page(page, count)
    words = [t("event.panel.all_time", name=safe(view.name), code=view.code)]
    words += map(all_time_line, lines[page * PLACES_PER_PAGE : (page + 1) * PLACES_PER_PAGE])
    buttons = [*_paging_buttons(view, ALL_TIME_PAGE, page, count), *_other_page_buttons(view, ALL_TIME_PAGE)]
    return layout(ui.TextDisplay(lines_within(words, MAX_TEXT_LENGTH)), rows(buttons)), ()


def _other_page_buttons(view: EventView, name: str) -> list[Press]:
    """Return buttons to the other kinds of pages."""
    labels = {
        STANDINGS_PAGE: t("event.button.standings"),
        BRACKET_PAGE: t("event.button.bracket"),
        GAMES_PAGE: t("event.button.games"),
        LOG_PAGE: t("event.button.log"),
        ALL_TIME_PAGE: t("event.button.all_time"),
    }
    if not FORMATS[view.plan.format].seasons:
        del labels[ALL_TIME_PAGE]
    if view.event is None or not any(state.plan.kind in PICTURED_KINDS for state in view.event.stages):
        del labels[BRACKET_PAGE]
    return [page_button(view, page, label) for page, label in labels.items() if page != name]


def bracket_page(view: EventView, page: int, theme: Theme = DAY) -> Page:
    """Return a page with the bracket or groups of a stage, newest stage first."""
    sheets: list[Sheet] = []
    for state in reversed(view.event.stages if view.event else ()):
        if state.plan.kind in {"knockout", "group-knockout"}:
            sheets += bracket_sheets(view, state.number, theme)
        elif state.plan.kind == "robin":
            sheets += group_sheets(view, state.number, theme)
    count = max(1, len(sheets))
    page = _clamp_page(page, count)
    shown = [draw() for draw in sheets[page : page + 1]]
    words = t("event.panel.bracket", name=safe(view.name), code=view.code)
    buttons = [*_paging_buttons(view, BRACKET_PAGE, page, count), *_other_page_buttons(view, BRACKET_PAGE)]
    return layout(ui.TextDisplay(words), *gallery(shown), rows(buttons)), shown


def games_page(view: EventView, round_view: RoundView, page: int, theme: Theme = DAY) -> Page:
    """Return a page of a round's games: in words with their threads, and as a picture; of a season the newest first."""
    if round_view.plan.kind == SEASON:
        count = max(1, -(-len(round_view.tables) // SEASON_GAMES_PER_PAGE))
        page = _clamp_page(page, count)
        part = round_view.tables[::-1][page * SEASON_GAMES_PER_PAGE : (page + 1) * SEASON_GAMES_PER_PAGE]
        shown = [draw() for draw in round_sheets(view, with_tables(round_view, part), theme)]
    else:
        sheets = round_sheets(view, round_view, theme)
        count = max(1, -(-len(round_view.tables) // GAMES_PER_PAGE), len(sheets))
        page = _clamp_page(page, count)
        part = round_view.tables[page * GAMES_PER_PAGE : (page + 1) * GAMES_PER_PAGE]
        shown = [draw() for draw in sheets[page : page + 1]]
    deadline = int(round_view.deadline.timestamp()) if round_view.deadline else 0
    key = "event.panel.games_until" if deadline else "event.panel.games"
    words = [t(key, name=safe(view.name), round=round_title(round_view), at=deadline)]
    words += [table_line(view, table) for table in part]
    buttons = [*_paging_buttons(view, GAMES_PAGE, page, count), *_other_page_buttons(view, GAMES_PAGE)]
    return layout(ui.TextDisplay(lines_within(words, MAX_TEXT_LENGTH)), *gallery(shown), rows(buttons)), shown


def with_tables(round_view: RoundView, tables: Sequence[TableView]) -> RoundView:
    """Return a round with some of its games alone: a season has too many to look at all of them for a page."""
    numbers = [table.number - 1 for table in tables]
    drawn, outcomes = round_view.state.tables, round_view.state.outcomes
    state = replace(
        round_view.state,
        tables=[drawn[number] for number in numbers],
        outcomes=[outcomes[number] for number in numbers],
    )
    return replace(round_view, tables=tuple(tables), state=state)


def preview_page(view: EventView, round_view: RoundView, page: int, theme: Theme = DAY, notice: str = "") -> Page:
    """Return a page of the round that an organiser has still to open: its games, why it is so, and a picture.

    ``notice`` reports what has just happened to it.
    """
    sheets = round_sheets(view, round_view, theme)
    count = max(1, -(-len(round_view.tables) // GAMES_PER_PAGE), len(sheets))
    page = _clamp_page(page, count)
    part = round_view.tables[page * GAMES_PER_PAGE : (page + 1) * GAMES_PER_PAGE]
    words = [notice] if notice else []
    words += [t("event.panel.preview", name=safe(view.name), round=round_title(round_view))]
    words += pairing_lines(view, round_view)
    words += [table_line(view, table) for table in part]
    shown = [draw() for draw in sheets[page : page + 1]]
    buttons = [_action_button(view, OPEN_ROUND, style=ButtonStyle.primary)]
    if may_exchange(round_view.plan, round_view.number):
        beginning = f"{EXCHANGE} {LOOK} {view.facts} 0 - -"
        buttons += [page_button(view, beginning, t("event.deed.exchange"))]
    buttons += [page_button(view, HOME, t("event.page.home")), *_paging_buttons(view, PREVIEW_PAGE, page, count)]
    return layout(ui.TextDisplay(lines_within(words, MAX_TEXT_LENGTH)), *gallery(shown), rows(buttons)), shown


def log_page(view: EventView, lines: Sequence[AuditRecord], page: int) -> Page:
    """Return a page of the organisers' actions, newest first."""
    count = max(1, -(-len(lines) // LOG_LINES_PER_PAGE))
    page = _clamp_page(page, count)
    part = list(reversed(lines))[page * LOG_LINES_PER_PAGE : (page + 1) * LOG_LINES_PER_PAGE]
    words = [t("event.panel.log", name=safe(view.name), code=view.code)]
    words += [audit_words(line) for line in part] or [t("event.panel.log_empty")]
    buttons = [*_paging_buttons(view, LOG_PAGE, page, count), *_other_page_buttons(view, LOG_PAGE)]
    return layout(ui.TextDisplay(lines_within(words, MAX_TEXT_LENGTH)), rows(buttons)), ()


def rules_page(view: EventView) -> ui.LayoutView:
    """Return the rules of the ranking in full sentences."""
    words = [t("event.panel.rules", name=safe(view.name), code=view.code)]
    for plan in view.stages:
        words.append(t("event.panel.rules_stage", stage=stage_name(plan)))
        words += [t("event.panel.rules_line", words=t(f"event.meaning.{name}")) for name in plan.tie_breaks]
    words.append(t("event.panel.rules_more"))
    if all(plan.rules > 2 for plan in view.stages):
        words.append(t("event.panel.rules_left"))
    words.append(t("event.commitment", digest=view.commitment))
    return layout(ui.TextDisplay(lines_within(dict.fromkeys(words), MAX_TEXT_LENGTH)))


def list_words(views: Sequence[EventSummary]) -> str:
    """Return the events of a server, one per line."""
    lines = [
        t(
            "event.panel.listed",
            name=safe(event.name),
            code=event.code,
            state=t(f"event.state.{event.state}"),
            format=t(f"event.format.{event.format}"),
            entries=event.entries,
        )
        for event in views
    ]
    return lines_within(lines or [t("event.panel.no_events")], MAX_TEXT_LENGTH)


def reports_words(view: EventView, reports: Sequence[ReportRecord]) -> str:
    """Return players' reports, newest first."""
    lines = [
        t(
            "event.panel.report_about" if report.ply is not None else "event.panel.report",
            at=int(report.at.timestamp()),
            who=person_name(view, report.person),
            ply=report.ply or 0,
            words=safe(fit_text(report.text, 600)),
        )
        for report in reversed(reports)
    ]
    head = t("event.panel.reports", name=safe(view.name), code=view.code)
    return lines_within([head, *(lines or [t("event.panel.no_reports")])], MAX_TEXT_LENGTH)


def text_panel(text: str, *buttons: Press) -> ui.LayoutView:
    """Return a private answer: a text, with buttons if there are any."""
    items: list[Any] = [ui.TextDisplay(text)]
    return layout(*items, rows(list(buttons))) if buttons else layout(*items)


PLAN: Final = "plan"
HOME: Final = "home"
DO: Final = "do"
"""First words of buttons' arguments: a page of the plan, the home page, an action without a form."""
ANNOUNCE, BEGIN_CHECK_IN, START, RESUME, REPORTS = "announce", "checkin", "start", "resume", "reports"
CLOSE, EXTEND, PAUSE, CORRECT, REDRAW, DETAILS = "close", "extend", "pause", "correct", "redraw", "details"
EXCHANGE: Final = "exchange"
"""The first word of the arguments of the panel in which two players change places, and the name of its form."""
LOOK: Final = "look"
"""The second word of the buttons that show that panel."""
FORMS: Final[dict[str, tuple[str, ...]]] = {
    CLOSE: ("reason",),
    EXTEND: ("days", "reason"),
    PAUSE: ("days",),
    CORRECT: ("table", "scores", "reason"),
    REDRAW: ("reason",),
    EXCHANGE: ("reason",),
    DETAILS: ("name", "starts_at", "season_of", "prizes"),
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
    """Yield the buttons of the actions that organisers can take in the event's present state."""
    state = str(view.state)
    if state == "draft":
        yield _action_button(view, ANNOUNCE, style=ButtonStyle.primary)
    if state == "open":
        yield _action_button(view, BEGIN_CHECK_IN)
    if state in SIGN_UP_STATES:
        yield _action_button(view, START, style=ButtonStyle.primary)
    if view.waits_since is not None:
        yield _action_button(view, OPEN_ROUND, style=ButtonStyle.primary)
        yield page_button(view, PREVIEW_PAGE, t("event.deed.preview"))
    if state in RUNNING_STATES:
        yield from (_form_button(view, form) for form in (EXTEND, CORRECT))
    if state in RUNNING_STATES and view.plan.format != SEASON_FORMAT:  # whose games are not those of the event
        yield _form_button(view, REDRAW)
        yield _form_button(view, PAUSE) if state == "running" else _action_button(view, RESUME)
    yield _action_button(view, REPORTS)
    if state not in {"finished", "closed"}:
        yield _form_button(view, CLOSE, style=ButtonStyle.danger)


def _action_button(view: EventView, action: str, *, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    """Return the button of an action that needs no form."""
    return button(Op.EVENT_PAGE, view.code, 0, t(f"event.deed.{action}"), argument=f"{DO} {action}", style=style)


def _form_button(view: EventView, form: str, *, style: ButtonStyle = ButtonStyle.secondary) -> Press:
    """Return the button that opens the form of an action."""
    return button(Op.EVENT_FORM, view.code, 0, t(f"event.deed.{form}"), argument=form, style=style)


def _page_buttons(view: EventView, page: str) -> list[Press]:
    """Return buttons to the other pages; the plan can be changed until the start."""
    if str(view.state) not in {"draft", *SIGN_UP_STATES}:
        return []
    names = [name for name in SETTING_PAGES if name != page]
    pages = [button(Op.EVENT_PAGE, view.code, 0, t(f"event.page.{name}"), argument=f"{PLAN} {name}") for name in names]
    if page:
        pages.insert(0, button(Op.EVENT_PAGE, view.code, 0, t("event.page.home"), argument=HOME))
    return pages


def plan_page(view: EventView, page: str) -> ui.LayoutView:
    """Return a page of the plan: each setting with a list of its values, or a button to the next one."""
    items: list[Any] = [ui.TextDisplay(t("event.panel.planning", name=safe(view.name), page=t(f"event.page.{page}")))]
    items += [item for name in SETTING_PAGES[page] for item in _setting_items(view, page, name)]
    if set(SETTING_PAGES[page]) & set(FREE_TEXT_SETTINGS):
        items += rows([_form_button(view, DETAILS)])
    return layout(*items, rows(_page_buttons(view, page)))


def _setting_items(view: EventView, page: str, name: str) -> list[ui.Item[Any]]:
    """Return a setting of the plan, with a list of its values or a button to the next one, if there is one."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(setting_line(view.plan, name))
    options = options_of(view.plan, name)
    if options:
        return [text, *rows([_setting_menu(view, page, name, options)])]
    value = next_value(view.plan, name)
    if not value:
        return [text]
    argument = f"{PLAN} {page} {name} {value}"
    change = button(Op.EVENT_PAGE, view.code, 0, t("button.change"), argument=argument)
    return [ui.Section(text, accessory=change)]


def _setting_menu(view: EventView, page: str, name: str, options: Sequence[SettingOption]) -> Press:
    """Return the list from which a setting is chosen; of expansions any number."""
    placeholder = t(f"event.choosing.{name}")
    entries = [
        SelectOption(label=option_label(placeholder, option.words), value=option.value, default=option.chosen)
        for option in options
    ]
    least, most = (0, len(entries)) if name == EXPANSIONS else (1, 1)
    menu = ui.Select[ui.LayoutView](
        custom_id=str(Key(Op.EVENT_PAGE, view.code, 0, f"{PLAN} {page} {name}")),
        placeholder=placeholder,
        options=entries,
        min_values=least,
        max_values=most,
    )
    return Press(cast("Any", menu))


def option_label(placeholder: str, words: str) -> str:
    """Return the label of a list's entry; to listeners it repeats what is chosen, which others see above the list."""
    return clip(t("setting.typed", name=placeholder, value=words) if by_ear() else words, MAX_LABEL_LENGTH)


def event_form(view: EventView, name: str, argument: str = "") -> ui.Modal:
    """Return the form with this name; ``argument`` is what it concerns, for the submitted form."""
    modal = form(t(f"event.deed.{name}"), Key(Op.EVENT_TYPED, view.code, 0, f"{name} {argument}".strip()))
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
    """Return the present value of a field, with which the form is filled in."""
    return view.name if field == "name" else current_value(view.plan, field)
