"""The private panel in which an organiser exchanges two players or teams of a round that waits to be opened.

Two lists offer them page by page. The custom ids of the lists and buttons contain what is chosen so far, and how many
facts the event had when the organiser looked at the round: so nothing has to be stored, and a stale panel is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from discord import ButtonStyle, SelectOption, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.panels.events.pictures import without_match
from cogs.panels.events.private import EXCHANGE, LOOK, PREVIEW_PAGE, option_label, page_button
from cogs.presenting.ids import Key, Op, parse_id
from cogs.texts import listed, t
from cogs.words.events import entry_name, round_title
from cogs.words.names import isolate, safe
from cogs.words.story import clip, lines_within
from host.events import EventView, ExchangeView, RoundView

LISTS: Final = ("first", "second")
"""The names of the two lists in custom ids."""
ENTRIES_PER_PAGE: Final = 25
"""Maximum entries in a list."""
NOBODY: Final = "-"
"""The symbol of a list from which nothing is chosen."""
MAX_DESCRIPTION_LENGTH: Final = 90
MAX_TEXT_LENGTH: Final = 2500
"""Maximum characters of what an exchange would change, below the lists."""
MAX_NOTICE_LENGTH: Final = 1500
"""Maximum characters of the answer after an exchange, above the preview."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of an organiser so far: the page of the lists, and the two who are to change places."""

    facts: int
    """The facts of the event when the organiser looked at the round."""
    page: int = 0
    """The page of both lists, from 0."""
    players: tuple[int | None, int | None] = (None, None)
    """The numbers of the two who are to change places; None for who is not chosen yet."""

    def __str__(self) -> str:
        first, second = (NOBODY if player is None else player for player in self.players)
        return f"{self.facts} {self.page} {first} {second}"

    @property
    def both(self) -> tuple[int, int] | None:
        """The two, once both are chosen."""
        first, second = self.players
        return None if first is None or second is None else (first, second)


def read_choice(words: str) -> Choice:
    """Read a choice as it stands in custom ids.

    Raises:
        ValueError: it has another form.
    """
    facts, page, first, second = words.split()
    players = [None if word == NOBODY else parse_id(word) for word in (first, second)]
    return Choice(parse_id(facts), parse_id(page), (players[0], players[1]))


def with_chosen(choice: Choice, list_name: str, player: int) -> Choice:
    """Return a choice after somebody was chosen from one of the lists."""
    first, second = choice.players
    return replace(choice, players=(player, second) if list_name == LISTS[0] else (first, player))


def exchange_panel(
    view: EventView, round_view: RoundView, choice: Choice, weighed: ExchangeView | None = None, refusal: str = ""
) -> ui.LayoutView:
    """Return the panel: the lists, and what an exchange of the chosen two would change, or why it is refused."""
    everybody = list(dict.fromkeys([*_seated(round_view), *without_match(round_view)]))
    pages = max(1, -(-len(everybody) // ENTRIES_PER_PAGE))
    choice = replace(choice, page=min(choice.page, pages - 1))
    start = choice.page * ENTRIES_PER_PAGE
    listed_now = everybody[start : start + ENTRIES_PER_PAGE]
    words = [t("event.exchange.title", name=safe(view.name), round=round_title(round_view))]
    if pages > 1:
        last = start + len(listed_now)
        words.append(t("event.exchange.page", first=start + 1, last=last, count=len(everybody)))
    items: list[Any] = [ui.TextDisplay("\n".join(words))]
    for number, name in enumerate(LISTS):
        items.append(ui.TextDisplay(_chosen_line(view, round_view, choice.players[number], name)))
        menu = _menu(view, round_view, choice, number, name, listed_now)
        items += rows([] if menu is None else [menu])
    if weighed is not None or refusal:
        outcome = [refusal] if weighed is None else [t("event.exchange.would"), *change_lines(weighed)]
        items.append(ui.TextDisplay(lines_within(outcome, MAX_TEXT_LENGTH)))
    return layout(*items, rows(list(_buttons(view, choice, pages, allowed=weighed is not None))))


def _seated(round_view: RoundView) -> Iterator[int]:
    """Yield the players or teams of a round in the order of its tables, some more than once."""
    for table in round_view.state.tables:
        yield from table.seats


def _opponents(round_view: RoundView, player: int) -> list[int]:
    """Return the players or teams whom one of them meets in a round."""
    tables = [table.seats for table in round_view.state.tables if player in table.seats]
    return [other for other in dict.fromkeys(seat for seats in tables for seat in seats) if other != player]


def _meets(view: EventView, round_view: RoundView, player: int) -> str:
    """Return whom a player or team meets in a round, in words."""
    opponents = _opponents(round_view, player)
    if not opponents:
        return t("event.exchange.no_match")
    return t("event.exchange.against", players=listed([entry_name(view, other) for other in opponents]))


def _chosen_line(view: EventView, round_view: RoundView, player: int | None, list_name: str) -> str:
    """Return the line above a list: who is chosen from it, and whom they meet as the round is now."""
    heading = t(f"event.exchange.{list_name}")
    if player is None:
        return t("event.exchange.nobody", list=heading)
    meets = _meets(view, round_view, player)
    return t("event.exchange.chosen", list=heading, player=entry_name(view, player), meets=meets)


def change_lines(weighed: ExchangeView) -> list[str]:
    """Return what an exchange changes, a line for each of the two, and who meets again in the round all the same."""
    view, (player, other) = weighed.view, weighed.players
    if other in _opponents(weighed.before, player):
        lines = [t("event.exchange.seats", player=entry_name(view, player), other=entry_name(view, other))]
    else:
        lines = [
            t(
                "event.exchange.changed",
                player=entry_name(view, number),
                now=_meets(view, weighed.after, number),
                before=_meets(view, weighed.before, number),
            )
            for number in weighed.players
        ]
    repeats = [
        t("event.exchange.pair", player=entry_name(view, first), other=entry_name(view, second))
        for first, second in weighed.repeats
    ]
    if repeats:
        lines.append(t("event.exchange.repeats", pairs="; ".join(repeats)))
    return lines


def exchanged_words(weighed: ExchangeView) -> str:
    """Return the answer after an exchange."""
    return lines_within([t("event.exchange.done"), *change_lines(weighed)], MAX_NOTICE_LENGTH)


def _menu(
    view: EventView, round_view: RoundView, choice: Choice, number: int, name: str, listed_now: list[int]
) -> Press | None:
    """Return one of the two lists; None if nobody on this page can be chosen from it."""
    placeholder, chosen, elsewhere = t(f"event.exchange.{name}"), choice.players[number], choice.players[1 - number]
    options = [
        SelectOption(
            label=option_label(placeholder, isolate(view.name_of(player))),
            value=str(player),
            description=clip(_plain_meets(view, round_view, player), MAX_DESCRIPTION_LENGTH),
            default=player == chosen,
        )
        for player in listed_now
        if player != elsewhere
    ]
    if not options:
        return None
    key = Key(Op.EVENT_PAGE, view.code, 0, f"{EXCHANGE} {name} {choice}")
    menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=placeholder, options=options)
    return Press(cast("Any", menu))


def _plain_meets(view: EventView, round_view: RoundView, player: int) -> str:
    """Return whom a player or team meets, for a list, which shows marks of formatting as they are."""
    opponents = [isolate(view.name_of(other)) for other in _opponents(round_view, player)]
    return t("event.exchange.against", players=listed(opponents)) if opponents else t("event.exchange.no_match")


def _buttons(view: EventView, choice: Choice, pages: int, *, allowed: bool) -> Iterator[Press]:
    """Yield the button that asks for the reason, that back to the preview, and those to other pages of the lists."""
    argument, label = f"{EXCHANGE} {choice}", t("event.exchange.button")
    style = ButtonStyle.primary
    yield button(Op.EVENT_FORM, view.code, 0, label, argument=argument, style=style, disabled=not allowed)
    yield page_button(view, PREVIEW_PAGE, t("event.deed.preview"))
    for step, name in ((-1, "before"), (1, "behind")) if pages > 1 else ():
        page = choice.page + step
        argument = f"{EXCHANGE} {LOOK} {replace(choice, page=page)}"
        yield page_button(view, argument, t(f"event.button.{name}"), disabled=not 0 <= page < pages)
