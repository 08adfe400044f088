"""The private panel in which a captain chooses who plays at which board: a list for each board, and what is chosen.

What is chosen stands in the ids of the panel's lists and buttons: a sign for each board, the place of its player in the
roster, or a hyphen for nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from discord import ButtonStyle, SelectOption, ui

from cogs.interactions.replies import Press
from cogs.messages import layout, rows
from cogs.panels.events.announcement import LINE_UP
from cogs.panels.events.private import page_button
from cogs.presenting.ids import Key, Op
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.events import entry_name, person_name, round_name
from cogs.words.names import isolated, safe
from cogs.words.story import clipped

if TYPE_CHECKING:
    from host.events import ChoiceView, EventView

BOARD, HAND_IN = "board", "handin"
"""First words of arguments, as ``LINE_UP``, which shows the panel; the round, the page, and what is chosen follow."""
NOBODY: Final = "-"
SIGNS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""For the members of a roster, in its order."""
LISTED: Final = 24
"""Members whom a list holds beside nobody; others are typed."""
BOARDS: Final = 6
"""On a page."""
LONGEST: Final = 90


def chosen_so_far(choice: ChoiceView) -> str:
    """What is chosen, a sign for each board."""
    places = {person.user_id: place for place, person in enumerate(choice.roster[: len(SIGNS)])}
    found = [NOBODY if person is None else places.get(person.user_id) for person in choice.members]
    return "".join(SIGNS[place] if isinstance(place, int) else NOBODY for place in found)


def with_choice(chosen: str, board: int, sign: str) -> str:
    """The same with somebody else at a board (from 0), who plays at no other one then."""
    signs = [NOBODY if other == sign else other for other in chosen]
    signs[board] = sign
    return "".join(signs)


def members_of(choice: ChoiceView, chosen: str) -> list[int | None]:
    """The players by board.

    Raises:
        ValueError: these are no signs for the boards of this team.
    """
    if len(chosen) != len(choice.members):
        raise ValueError(chosen)
    places = [None if sign == NOBODY else SIGNS.index(sign) for sign in chosen]
    if any(place is not None and place >= len(choice.roster) for place in places):
        raise ValueError(chosen)
    return [None if place is None else choice.roster[place].user_id for place in places]


def line_up_panel(view: EventView, choice: ChoiceView, chosen: str, page: int = 0) -> ui.LayoutView:
    """The panel; boards that have no room on it are on its other pages."""
    pages = max(1, -(-len(chosen) // BOARDS))
    page = min(max(page, 0), pages - 1)
    items: list[Any] = [ui.TextDisplay(_title(view, choice))]
    for board in range(page * BOARDS, min((page + 1) * BOARDS, len(chosen))):
        items += [
            ui.TextDisplay(_board(view, choice, chosen, board)),
            *rows([_list(view, choice, chosen, board, page)]),
        ]
    if len(choice.roster) > LISTED:
        items.append(ui.TextDisplay(t("event.line_up.more")))
    return layout(*items, rows(_buttons(view, choice, chosen, page, pages)))


def _title(view: EventView, choice: ChoiceView) -> str:
    drawn = view.event.round(choice.stage, choice.round) if view.event else None
    title = round_name(view.stages[choice.stage - 1], drawn) if drawn else ""
    teams = {"team": entry_name(view, choice.team), "other": entry_name(view, choice.other)}
    return t("event.line_up.title", name=safe(view.name), round=title, **teams)


def _board(view: EventView, choice: ChoiceView, chosen: str, board: int) -> str:
    sign = chosen[board]
    if sign == NOBODY:
        return t("event.line_up.empty", number=board + 1)
    return t("event.line_up.board", number=board + 1, player=person_name(view, choice.roster[SIGNS.index(sign)]))


def _list(view: EventView, choice: ChoiceView, chosen: str, board: int, page: int) -> Press:
    sign = chosen[board]
    placeholder = t("event.line_up.list", number=board + 1)
    people = [
        (other, isolated(view.called(person))) for other, person in zip(SIGNS, choice.roster[:LISTED], strict=False)
    ]
    options = [
        SelectOption(label=_entry(placeholder, name), value=value, default=value == sign)
        for value, name in (*people, (NOBODY, t("event.line_up.nobody")))
    ]
    key = Key(Op.EVENT_PAGE, view.code, 0, f"{BOARD} {choice.mark} {page} {chosen} {board}")
    menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=placeholder, options=options)
    return Press(cast("Any", menu))


def _entry(asked: str, name: str) -> str:
    """What an entry of a list is called; for which board the list is, the eye sees above it."""
    return clipped(t("setting.typed", name=asked, value=name) if by_ear() else name, LONGEST)


def _buttons(view: EventView, choice: ChoiceView, chosen: str, page: int, pages: int) -> Sequence[Press]:
    mark = choice.mark
    hand_in = page_button(
        view, f"{HAND_IN} {mark} {page} {chosen}", t("event.button.hand_in"), style=ButtonStyle.primary
    )
    if pages == 1:
        return [hand_in]
    before, behind = f"{LINE_UP} {mark} {page - 1} {chosen}", f"{LINE_UP} {mark} {page + 1} {chosen}"
    return [
        hand_in,
        page_button(view, before, t("event.button.before"), disabled=page == 0),
        page_button(view, behind, t("event.button.behind"), disabled=page == pages - 1),
    ]
