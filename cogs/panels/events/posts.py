"""What is posted of events: made anew from the event, whenever it is sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.messages import layout, rows
from cogs.panels.events.announcement import (
    CHECK_IN,
    GAMES,
    LINE_UP,
    OPEN_ROUND,
    SHOW,
    STANDINGS,
    Told,
    announcement,
    event_button,
)
from cogs.panels.events.pictures import (
    bracket_pictures,
    group_pictures,
    round_pictures,
    standings_pictures,
    without_match,
)
from cogs.presenting.presenter import AltPicture, attachments, gallery
from cogs.texts import known, listed, t
from cogs.words.events import entry_name, person_name, round_title, stage_name, standing_line
from cogs.words.names import link, safe
from cogs.words.refusals import refusal_words
from cogs.words.story import whole
from host.events import REFUSED

if TYPE_CHECKING:
    from cogs.interactions.replies import Press
    from host import Person
    from host.events.views import EventView, RankView, RoundView, TableView
    from tournaments.points import Outcome

MOST_PICTURES: Final = 4
"""In one message; all others are a press away."""
MOST_LINES: Final = 48
"""Places or tables that a message tells in words."""
MOST_CALLED: Final = 60
TEXT: Final = 3400
"""Units given to places and tables in words."""


@dataclass(frozen=True, slots=True)
class EventCard:
    """A message about an event, ready to be posted."""

    view: ui.LayoutView
    pictures: Sequence[AltPicture] = ()
    called: Sequence[int] = field(default=())
    """Whom it pings."""

    def files(self) -> list[discord.File]:
        """The attachments, new for each attempt to post them."""
        return attachments(self.pictures)

    def mentions(self) -> discord.AllowedMentions:
        """Nobody but those whom it calls."""
        users = [discord.Object(user) for user in self.called if user > 0]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def event_card(told: Told) -> EventCard:
    """The message of a post."""
    return MAKERS.get(told.post.kind, _plain)(told)


# -- before the start -------------------------------------------------------------------------------------------------


def _announced(told: Told) -> EventCard:
    return EventCard(announcement(told.view, told.presenters, told.post.nonce))


def _check_in(told: Told) -> EventCard:
    view = told.view
    missing = [entry.person.user_id for entry in view.entries if not entry.checked_in]
    call = _call(missing)
    pressed = event_button(view, CHECK_IN, t("event.button.check_in"), style=ButtonStyle.success, mark=told.post.nonce)
    until = view.plan.starts_at
    key = "event.post.check_in_until" if until else "event.post.check_in"
    words = t(key, name=safe(view.name), at=int(until.timestamp()) if until else 0)
    return EventCard(layout(ui.TextDisplay(_lines(words, call)), rows([pressed])), called=missing[:MOST_CALLED])


def _started(told: Told) -> EventCard:
    view = told.view
    count = len(view.event.specification.entries) if view.event else len(view.playing)
    order = [t("event.post.seeded", number=number + 1, player=entry_name(view, number)) for number in range(count)]
    words = t("event.post.started", name=safe(view.name), count=count, weeks=view.promised_weeks)
    return _with_buttons(told, _cut([words, *order]), [])


# -- rounds -----------------------------------------------------------------------------------------------------------


def _round(told: Told) -> EventCard:
    found = told.found
    if found is None:
        return _plain(told)
    view = told.view
    words = t("event.post.round", name=safe(view.name), round=round_title(found), count=len(found.tables))
    reasons = list(dict.fromkeys(map(_reason_words, found.state.reasons)))
    lines = [words, *reasons, _byes(view, found), *(table_line(view, table) for table in found.tables)]
    pictures = list(round_pictures(view, found))[:MOST_PICTURES]
    return _with_buttons(told, _cut(lines), pictures)


def _byes(view: EventView, found: RoundView) -> str:
    """Who has no match in a round; nothing where all have."""
    byes = [entry_name(view, player) for player in without_match(found)]
    return t("event.post.byes", players=listed(byes), count=len(byes)) if byes else ""


MEETINGS: Final = re.compile(r"meetings-(\d+)-to-(\d+)")
REASONS: Final = frozenset(
    {"repeats-unavoidable", "repeats-no-better-found", "first-seats-uneven", "second-three", "parties-meet"}
)


def _reason_words(code: str) -> str:
    """Why a round is as it is; how often a pool's players meet stands in its code."""
    if found := MEETINGS.fullmatch(code):
        return t("event.reason.meetings", fewest=int(found[1]), most=int(found[2]))
    return t(f"event.reason.{code if code in REASONS else 'other'}")


def _sitting(view: EventView, person: Person | None, player: int) -> str:
    """Who sits at a table; the player or the team, as long as nobody is known to."""
    return entry_name(view, player) if person is None else person_name(view, person)


def table_line(view: EventView, table: TableView) -> str:
    """A game: who plays it, in which seats, where, and what came of it."""
    names = [_sitting(view, *each) for each in zip(table.people, table.seats, strict=True)]
    if table.outcome is not None:
        came_of_it = [_seat_words(name, seat, table.outcome, table.board) for seat, name in enumerate(names)]
        return t("event.table_over", number=table.number, players=", ".join(came_of_it))
    if table.place is not None:
        return t("event.table_at", number=table.number, players=", ".join(names), place=f"<#{table.place}>")
    return t("event.table", number=table.number, players=", ".join(names))


def _seat_words(name: str, seat: int, outcome: Outcome, board: int) -> str:
    """A player with their score, or that they withdrew; where nothing was played the others have no score.

    A team that names nobody for a board has not withdrawn: it forfeits that board.
    """
    forfeited = outcome.how == "forfeited"
    if seat in outcome.out:
        return t("event.forfeited" if forfeited and board else "event.withdrew", player=name)
    return name if forfeited else f"{name} {outcome.scores[seat]}"


def _line_ups(told: Told) -> EventCard:
    """Captains are asked for their line-ups: those of teams that have a match and have not left."""
    view, found = told.view, told.found
    playing = {number for table in (found.tables if found else ()) for number in table.seats}
    playing -= view.event.gone if view.event else set()
    captains = [team.captain_id for team in view.teams if team.number in playing]
    title = round_title(found) if found else t("event.post.no_round")
    until = _number(told.post.details.get("until"))
    asked = t("event.notice.line_ups", name=safe(view.name), round=title, until=until)
    words = _lines(asked, _byes(view, found) if found else "", _call(captains))
    pressed = event_button(view, LINE_UP, t("event.button.line_up"), style=ButtonStyle.primary, mark=told.post.nonce)
    return EventCard(layout(ui.TextDisplay(words), rows([pressed])), called=captains[:MOST_CALLED])


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _revealed(told: Told) -> EventCard:
    """Both line-ups are in: who plays whom."""
    view, found = told.view, told.found
    teams = [number for number in told.post.details.get("teams", ()) if isinstance(number, int)]
    title = round_title(found) if found else t("event.post.no_round")
    names = listed([entry_name(view, number) for number in teams])
    words = t("event.notice.revealed", name=safe(view.name), round=title, teams=names)
    tables = [table for table in (found.tables if found else ()) if set(table.seats) == set(teams)]
    return _with_buttons(told, _cut([words, *(table_line(view, table) for table in tables)]), [])


def _results(told: Told) -> EventCard:
    view, found = told.view, told.found
    title = round_title(found) if found else safe(view.name)
    words = t("event.post.results", name=safe(view.name), round=title)
    pictures = list(_standing_pictures(told, title))[:MOST_PICTURES]
    lines = [standing_line(line) for line in told.standings[:MOST_LINES]]
    return _with_buttons(told, _cut([words, *lines]), pictures)


def _standing_pictures(told: Told, note: str) -> Iterator[AltPicture]:
    """What shows best how a stage stands: its bracket, its groups, or the table of places."""
    view, found = told.view, told.found
    if found is not None and found.plan.kind == "knockout":
        yield from bracket_pictures(view, found.stage)
        return
    if found is not None and found.plan.kind == "robin":
        yield from group_pictures(view, found.stage)
        if found.plan.pool:
            return
    if found is not None and found.plan.kind == "double":
        yield from round_pictures(view, found)
    yield from standings_pictures(view, told.standings, note)


def _stage(told: Told) -> EventCard:
    view, post = told.view, told.post
    stage = stage_name(view.stages[post.stage - 1])
    reason = str(post.details.get("reason", "played"))
    why = t(f"event.ended.{reason if known(f'event.ended.{reason}') else 'played'}")
    return _with_buttons(told, t("event.post.stage", name=safe(view.name), stage=stage, why=why), [])


def _deadline(told: Told) -> EventCard:
    view, found = told.view, told.found
    open_tables = [table for table in (found.tables if found else ()) if table.outcome is None]
    at = int(found.deadline.timestamp()) if found and found.deadline else 0
    title = round_title(found) if found else ""
    words = t("event.post.deadline", name=safe(view.name), round=title, at=at)
    organisers = [person.user_id for person in view.organisers]
    lines = [words, _call(organisers), *(table_line(view, table) for table in open_tables)]
    return _with_buttons(told, _cut(lines), [], called=organisers)


# -- the organisers ---------------------------------------------------------------------------------------------------


def _needed(told: Told) -> EventCard:
    view = told.view
    organisers = [person.user_id for person in view.organisers]
    pressed = event_button(
        view, OPEN_ROUND, t("event.button.open_round"), style=ButtonStyle.primary, mark=told.post.nonce
    )
    words = _lines(t("event.post.needed", name=safe(view.name)), _call(organisers))
    return EventCard(layout(ui.TextDisplay(words), rows([pressed])), called=organisers[:MOST_CALLED])


def _not_started(told: Told) -> EventCard:
    """It was to start by itself: why it did not. Older versions stored no reason but one."""
    view, details = told.view, dict(told.post.details)
    code = str(details.pop(REFUSED, ""))
    if not code:
        return _plain(told)
    organisers = [person.user_id for person in view.organisers]
    words = t("event.post.not_started", name=safe(view.name), why=refusal_words(code, details))
    return _with_buttons(told, _lines(words, _call(organisers)), [], called=organisers)


def _reported(told: Told) -> EventCard:
    words = t("event.post.reported", name=safe(told.view.name), code=told.view.code, button=t("event.deed.reports"))
    return _with_buttons(told, _lines(words, _call(told.named)), [], called=told.called)


def _news(told: Told) -> EventCard:
    """Those are called whom a message did not call in their quiet hours."""
    view = told.view
    address = link(view.guild_id, view.channel_id, told.of)
    words = t("event.post.news", players=_call(told.named), name=safe(view.name), link=address)
    return _with_buttons(told, words, [], called=told.called)


# -- the end ----------------------------------------------------------------------------------------------------------


def _finished(told: Told) -> EventCard:
    view = told.view
    medals = [
        t("event.post.podium", medal=t(f"event.medal.{line.rank}"), place=line.rank, player=_mentioned(line))
        for line in told.standings[:3]
    ]
    words = t("event.post.finished", name=safe(view.name), code=view.code)
    lines = [standing_line(line) for line in told.standings[3:MOST_LINES]]
    seed = [t("event.post.seed", seed=view.seed)] if view.seed else []
    pictures = list(standings_pictures(view, told.standings, t("event.post.final_table")))[:MOST_PICTURES]
    called = [line.user_id for line in told.standings[:3] if line.user_id and line.user_id > 0]
    return _with_buttons(told, _cut([words, *medals, "", *lines, *seed]), pictures, called=called)


def _mentioned(line: RankView) -> str:
    return f"<@{line.user_id}>" if (line.user_id or 0) > 0 else safe(line.name)


# -- all others -------------------------------------------------------------------------------------------------------


def _plain(told: Told) -> EventCard:
    """What is told in one sentence, with what it is about."""
    view, post = told.view, told.post
    details = {name: _shown(value) for name, value in post.details.items()}
    title = round_title(told.found) if told.found else t("event.post.no_round")
    given = {"days": 0, "reason": t("event.post.no_reason"), "table": 0, "tables": 0, "until": 0, "entries": 0}
    values = {**given, "least": view.least, "teams": "", **details, "name": safe(view.name), "round": title}
    return _with_buttons(told, t(f"event.notice.{post.kind}", **values), [])


def _shown(value: object) -> object:
    return safe(whole(value, 300)) if isinstance(value, str) else value


def _with_buttons(told: Told, words: str, pictures: Sequence[AltPicture], *, called: Sequence[int] = ()) -> EventCard:
    view = told.view
    pressed: list[Press] = [event_button(view, SHOW, t("event.button.show"), mark=told.post.nonce)]
    if view.event is not None and view.event.stages:
        pressed += [
            event_button(view, STANDINGS, t("event.button.standings")),
            event_button(view, GAMES, t("event.button.games")),
        ]
    items: list[Any] = [ui.TextDisplay(words), *gallery(pictures)]
    return EventCard(layout(*items, rows(pressed)), pictures, called[:MOST_CALLED])


def _lines(*lines: str) -> str:
    return "\n".join(line for line in lines if line)


def _call(people: Sequence[int]) -> str:
    return " ".join(f"<@{user}>" for user in people[:MOST_CALLED])


def _cut(lines: Sequence[str]) -> str:
    """As many lines as there is room for, and how many there are more."""
    kept: list[str] = []
    room = TEXT
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0 or number > MOST_LINES + 4:
            kept.append(t("event.post.more", count=len(lines) - number))
            break
        kept.append(line)
    return "\n".join(line for line in kept if line)


MAKERS: Final[dict[str, Callable[[Told], EventCard]]] = {
    "announced": _announced,
    "check_in": _check_in,
    "started": _started,
    "round": _round,
    "line_ups": _line_ups,
    "revealed": _revealed,
    "results": _results,
    "stage": _stage,
    "deadline": _deadline,
    "needed": _needed,
    "too_few": _not_started,
    "reported": _reported,
    "finished": _finished,
    "news": _news,
}
"""By the kind of a post; all others are told in one sentence."""
