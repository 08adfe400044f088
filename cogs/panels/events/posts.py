"""The messages about events: the announcement with its buttons, and one message for each kind of post.

A *post* is a stored message to send, such as the opening of a round. Its message is built from the event's current
state, each time that the bot tries to send it.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.panels.events.pictures import (
    bracket_pictures,
    group_pictures,
    is_for_third_place,
    round_pictures,
    standings_pictures,
    without_match,
)
from cogs.presenting.ids import Op
from cogs.presenting.presenter import AltPicture, Presenter, attachments, gallery
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import has_text, listed, t
from cogs.texts.languages import speaking
from cogs.words.events import (
    entrant_words,
    entries_words,
    entry_name,
    person_name,
    plan_words,
    prize_lines,
    round_title,
    stage_name,
    standing_line,
    value_words,
)
from cogs.words.names import link, safe
from cogs.words.refusals import refusal_words
from cogs.words.story import fit_text
from cogs.words.table_options import options_words
from host.events import REFUSAL_DETAIL
from host.events.views import EventPost, EventView, RankView, RoundView, TableView
from host.retry import retry_forever
from tournaments.formats import SEASON_FORMAT
from tournaments.points import Outcome

log = logging.getLogger(__name__)


Presenters = Mapping[str, "Presenter[Any]"]

SIGN_UP_STATES: Final = frozenset({"open", "check_in"})
"""States in which players may join."""
RUNNING_STATES: Final = frozenset({"running", "paused"})
"""States in which games are played, or will go on."""
FINISHED_STATES: Final = frozenset({"finished", "closed"})
JOIN, LEAVE, CONFIRM_LEAVE, CHECK_IN = "join", "leave", "leaving", "in"
STANDINGS, GAMES, RULES, SHOW = "standings", "games", "rules", "show"
ORGANISE, OPEN_ROUND, LINE_UP = "organise", "open", "lineup"
"""First words of the arguments of an event's buttons: the action to run."""


def announcement(
    view: EventView, presenters: Presenters, nonce: str = "", *, reader: int | None = None
) -> ui.LayoutView:
    """Return the card; ``nonce`` identifies its message when it is posted.

    Shown to one ``reader`` only, it offers them to join if they have not entered yet, or else to leave.
    """
    entry = None if reader is None else view.entry_of(reader)
    entered = None if reader is None else entry is not None and not entry.gone
    return layout(ui.TextDisplay(announcement_words(view, presenters)), rows(list(_buttons(view, nonce, entered))))


def announcement_words(view: EventView, presenters: Presenters) -> str:
    """Return the text of the card."""
    parameters, plan = view.plan.parameters, view.plan
    head = t("event.card.title", name=safe(view.name), code=view.code, state=t(f"event.state.{view.state}"))
    game = t("event.card.game", game=t(f"rulebook.game.{parameters.game}"))
    presenter = presenters[parameters.game]
    rules = options_words(presenter, plan.expansions, plan.options, parameters.game)
    role = [f"<@&{view.plan.organiser_role}>"] if view.plan.organiser_role else []
    organisers = listed([*(f"<@{person.user_id}>" for person in view.organisers), *role]) or t("event.nobody")
    lines = [
        head,
        game,
        *([] if plan.format == SEASON_FORMAT else [rules]),  # the players of a season agree on the rules of each game
        *plan_words(view, presenter),
        *_dates(view),
        t("event.card.organisers", names=organisers),
    ]
    return "\n".join([*lines, "", entries_words(view)])


def _dates(view: EventView) -> Iterator[str]:
    """Yield the lines about the start and check-in of the event, and the entries it still needs."""
    plan = view.plan
    if view.started_at is not None:
        yield t("event.card.started", at=_at(view.started_at))
        return
    if plan.starts_at is not None:
        yield t("event.card.starts", at=_at(plan.starts_at))
    if view.check_in_at is not None:
        yield t("event.card.check_in", at=_at(view.check_in_at))
    if view.size < view.least:
        yield t("event.card.needs", count=view.least)


def _at(moment: datetime) -> int:
    """Return a moment in the seconds that a Discord timestamp needs."""
    return int(moment.timestamp())


def _buttons(view: EventView, nonce: str, entered: bool | None) -> Iterator[Press]:  # noqa: FBT001 - three cases
    """Yield the buttons that the announcement has in the event's present state.

    ``entered`` says if its only reader has entered; None for everybody.
    """
    state = str(view.state)
    sign_up_open = state in SIGN_UP_STATES
    late_entry = state == "running" and view.plan.parameters.late != "closed"
    if (sign_up_open or late_entry) and not entered:
        yield event_button(view, JOIN, t("button.join"), style=ButtonStyle.primary)
    if state == "check_in" and entered is not False:
        yield event_button(view, CHECK_IN, t("event.button.check_in"), style=ButtonStyle.success)
    if state in RUNNING_STATES | FINISHED_STATES and view.event is not None:
        yield event_button(view, STANDINGS, t("event.button.standings"))
        yield event_button(view, GAMES, t("event.button.games"))
    if (sign_up_open or state in RUNNING_STATES) and entered is not False:
        yield event_button(view, LEAVE, t("button.leave"))
    yield event_button(view, RULES, t("event.button.rules"), mark=nonce)
    if state not in FINISHED_STATES:
        yield event_button(view, ORGANISE, t("event.button.organise"))


def event_button(
    view: EventView, action: str, label: str, *, style: ButtonStyle = ButtonStyle.secondary, mark: str = ""
) -> Press:
    """Return a button with a private answer; ``mark`` identifies its message."""
    return button(Op.EVENT, view.code, 0, label, argument=f"{action} {mark}".strip(), style=style)


def refresh_card_in_background(client: BotServices, code: str) -> None:
    """Refresh an event's card in the background; retry until the database answers."""
    client.run_in_background(retry_forever(partial(refresh_card, client, code)), name=f"show {code}")


async def refresh_card(client: BotServices, code: str) -> None:
    """Show the current event on its card. A lock for each event keeps an older state from replacing a newer one."""
    async with client.event_edits.setdefault(code, asyncio.Lock()):
        view = await client.host.events.reader.view(code)
        if view.message_id is None:
            return
        channel = client.get_partial_messageable(view.channel_id, guild_id=view.guild_id)
        settings = await client.host.servers.usual_settings(view.guild_id, language=view.plan.language)
        with speaking(settings.language):
            card = announcement(view, client.presenters)
        try:
            await channel.get_partial_message(view.message_id).edit(view=card)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:  # the next change is another chance
            log.warning("the card of an event could not be redrawn: %s", error, extra={"event": code})


@dataclass(frozen=True, slots=True)
class PostContext:
    """Everything that the message of a post shows: the post, the event, its round and its standings."""

    post: EventPost
    presenters: Presenters
    round_view: RoundView | None = None
    standings: Sequence[RankView] = ()
    named: Sequence[int] = ()
    """Users named in the text: organisers without a direct message, or users who missed a post in quiet hours."""
    pinged: Sequence[int] = ()
    """The named users to ping: those without quiet hours now."""
    missed_message_id: int | None = None
    """The message that the named users missed in their quiet hours; this one links to it."""

    @property
    def view(self) -> EventView:
        """The event."""
        return self.post.event


MAX_PICTURES: Final = 4
"""Maximum pictures in a message; buttons lead to the others."""
MAX_LINES: Final = 48
"""Maximum places or tables that a message lists."""
MAX_PINGS: Final = 60
"""Maximum users whom a message pings."""
MAX_TEXT_LENGTH: Final = 3400
"""Maximum characters of the lines of a message."""


@dataclass(frozen=True, slots=True)
class EventCard:
    """A message about an event, ready to be posted."""

    view: ui.LayoutView
    pictures: Sequence[AltPicture] = ()
    pinged: Sequence[int] = field(default=())
    """The ids of the users to ping."""

    def files(self) -> list[discord.File]:
        """Return new attachments; each attempt to post needs its own."""
        return attachments(self.pictures)

    def mentions(self) -> discord.AllowedMentions:
        """Return the permission to ping the card's users and no one else."""
        users = [discord.Object(user) for user in self.pinged if user > 0]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


def event_card(context: PostContext) -> EventCard:
    """Return the message of a post."""
    return CARD_MAKERS.get(context.post.kind, _notice)(context)


# -- before the start -------------------------------------------------------------------------------------------------


def _announced(context: PostContext) -> EventCard:
    """Announce the event, with the buttons to join it."""
    return EventCard(announcement(context.view, context.presenters, context.post.nonce))


def _check_in(context: PostContext) -> EventCard:
    """Ask all entered players who have not checked in yet to do so."""
    view = context.view
    missing = [entry.person.user_id for entry in view.entries if not entry.checked_in]
    call = _mentions(missing)
    button = event_button(
        view, CHECK_IN, t("event.button.check_in"), style=ButtonStyle.success, mark=context.post.nonce
    )
    until = view.plan.starts_at
    key = "event.post.check_in_until" if until else "event.post.check_in"
    words = t(key, name=safe(view.name), at=int(until.timestamp()) if until else 0)
    return EventCard(layout(ui.TextDisplay(_join_lines(words, call)), rows([button])), pinged=missing[:MAX_PINGS])


def _started(context: PostContext) -> EventCard:
    """Tell that the event has started, and list the entries in seeded order."""
    view = context.view
    order = [t("event.post.seeded", number=number + 1, player=entry_name(view, number)) for number in range(view.size)]
    words = t("event.post.started", name=safe(view.name), count=view.size, weeks=view.promised_weeks)
    return _with_buttons(context, _clip_lines([words, *order]), [])


# -- rounds -----------------------------------------------------------------------------------------------------------


def _round_opened(context: PostContext) -> EventCard:
    """Tell that a round is open, and list its games, byes and reasons for pairings."""
    round_view = context.round_view
    if round_view is None:
        return _notice(context)
    view = context.view
    words = t("event.post.round", name=safe(view.name), round=round_title(round_view), count=len(round_view.tables))
    lines = [words, *pairing_lines(view, round_view), *(table_line(view, table) for table in round_view.tables)]
    pictures = list(islice(round_pictures(view, round_view), MAX_PICTURES))
    return _with_buttons(context, _clip_lines(lines), pictures)


def pairing_lines(view: EventView, round_view: RoundView) -> list[str]:
    """Return the reasons for a round's pairings, and who has no match in it."""
    reasons = dict.fromkeys(map(_reason_words, round_view.state.reasons))
    return [line for line in (*reasons, _byes_line(view, round_view)) if line]


def _byes_line(view: EventView, round_view: RoundView) -> str:
    """Return the line on entries without a match in a round; empty if all have one."""
    byes = [entry_name(view, player) for player in without_match(round_view)]
    return t("event.post.byes", players=listed(byes), count=len(byes)) if byes else ""


MEETINGS_REASON: Final = re.compile(r"meetings-(\d+)-to-(\d+)")
KNOWN_REASONS: Final = frozenset(
    {
        "repeats-unavoidable",
        "repeats-no-better-found",
        "first-seats-uneven",
        "second-three",
        "parties-meet",
        "computers-meet",
    }
)


def _reason_words(code: str) -> str:
    """Return the reason for a round's pairings in words; the code of a pool contains how often its players meet."""
    if match := MEETINGS_REASON.fullmatch(code):
        return t("event.reason.meetings", fewest=int(match[1]), most=int(match[2]))
    return t(f"event.reason.{code if code in KNOWN_REASONS else 'other'}")


def table_line(view: EventView, table: TableView) -> str:
    """Return a line on a game: its players by seat, and its result or its thread."""
    names = [
        entry_name(view, player) if person is None else person_name(view, person)
        for person, player in zip(table.people, table.seats, strict=True)
    ]
    third = t("event.knockout.third_place") if _is_for_third_place(view, table) else ""
    if table.outcome is not None:
        results = [_result_words(name, seat, table.outcome, table.board) for seat, name in enumerate(names)]
        line = t("event.table_over", number=table.number, players=", ".join(results))
    elif table.place is not None:
        line = t("event.table_at", number=table.number, players=", ".join(names), place=f"<#{table.place}>")
    else:
        line = t("event.table", number=table.number, players=", ".join(names))
    return " · ".join(filter(None, (line, third)))


def _is_for_third_place(view: EventView, table: TableView) -> bool:
    """Return whether a game belongs to the match for the third place."""
    if view.event is None:
        return False
    state = view.event.stages[table.stage - 1]
    return is_for_third_place(state.plan, state.rounds[table.round - 1], table.match)


def _result_words(name: str, seat: int, outcome: Outcome, board: int) -> str:
    """Return a player with their score or withdrawal; in a forfeited game the others have no score.

    A team without a player for a board has not withdrawn: it forfeits that board.
    """
    forfeited = outcome.how == "forfeited"
    if seat in outcome.absent:
        return t("event.no_show", player=name)
    if seat in outcome.out:
        return t("event.forfeited" if forfeited and board else "event.withdrew", player=name)
    if seat == outcome.stalled:
        return t("event.too_slow", player=name, score=outcome.scores[seat])
    return name if forfeited else f"{name} {outcome.scores[seat]}"


def _line_ups(context: PostContext) -> EventCard:
    """Ask for line-ups: ping the captains of teams that have a match and have not left."""
    view, round_view = context.view, context.round_view
    playing = {number for table in (round_view.tables if round_view else ()) for number in table.seats}
    playing -= view.event.gone if view.event else set()
    captains = [team.captain_id for team in view.teams if team.number in playing]
    title = round_title(round_view) if round_view else t("event.post.no_round")
    until = _timestamp(context.post.details.get("until"))
    question = t("event.notice.line_ups", name=safe(view.name), round=title, until=until)
    words = _join_lines(question, _byes_line(view, round_view) if round_view else "", _mentions(captains))
    button = event_button(view, LINE_UP, t("event.button.line_up"), style=ButtonStyle.primary, mark=context.post.nonce)
    return EventCard(layout(ui.TextDisplay(words), rows([button])), pinged=captains[:MAX_PINGS])


def _timestamp(value: object) -> int:
    """Return a number from the details of a post; 0 if it is missing."""
    return value if isinstance(value, int) else 0


def _revealed(context: PostContext) -> EventCard:
    """Reveal two line-ups: list the games between the teams."""
    view, round_view = context.view, context.round_view
    teams = [number for number in context.post.details.get("teams", ()) if isinstance(number, int)]
    title = round_title(round_view) if round_view else t("event.post.no_round")
    names = listed([entry_name(view, number) for number in teams])
    words = t("event.notice.revealed", name=safe(view.name), round=title, teams=names)
    tables = [table for table in (round_view.tables if round_view else ()) if set(table.seats) == set(teams)]
    return _with_buttons(context, _clip_lines([words, *(table_line(view, table) for table in tables)]), [])


def _results(context: PostContext) -> EventCard:
    """Show the standings after a round."""
    view, round_view = context.view, context.round_view
    title = round_title(round_view) if round_view else safe(view.name)
    words = t("event.post.results", name=safe(view.name), round=title)
    pictures = list(islice(_standing_pictures(context, title), MAX_PICTURES))
    lines = [standing_line(view, line) for line in context.standings[:MAX_LINES]]
    return _with_buttons(context, _clip_lines([words, *lines]), pictures)


def _standing_pictures(context: PostContext, note: str) -> Iterator[AltPicture]:
    """Yield the pictures that fit a stage: its bracket, its groups, or the standings."""
    view, round_view = context.view, context.round_view
    if round_view is not None and round_view.plan.kind in {"knockout", "group-knockout"}:
        yield from bracket_pictures(view, round_view.stage)
        return
    if round_view is not None and round_view.plan.kind == "robin":
        yield from group_pictures(view, round_view.stage)
        if round_view.plan.pool:
            return
    if round_view is not None and round_view.plan.kind in {"double", "group-double"}:
        yield from round_pictures(view, round_view)
    yield from standings_pictures(view, context.standings, note)


def _stage_ended(context: PostContext) -> EventCard:
    """Tell that a stage is over, and why."""
    view, post = context.view, context.post
    stage = stage_name(view.stages[post.stage - 1])
    reason = str(post.details.get("reason", "played"))
    why = t(f"event.ended.{reason if has_text(f'event.ended.{reason}') else 'played'}")
    return _with_buttons(context, t("event.post.stage", name=safe(view.name), stage=stage, why=why), [])


def _deadline(context: PostContext) -> EventCard:
    """Tell the organisers that the deadline of a round is near, and list its unfinished games."""
    view, round_view = context.view, context.round_view
    open_tables = [table for table in (round_view.tables if round_view else ()) if table.outcome is None]
    timestamp = int(round_view.deadline.timestamp()) if round_view and round_view.deadline else 0
    title = round_title(round_view) if round_view else ""
    words = t("event.post.deadline", name=safe(view.name), round=title, at=timestamp)
    organisers = [person.user_id for person in view.organisers]
    lines = [words, _mentions(organisers), *(table_line(view, table) for table in open_tables)]
    return _with_buttons(context, _clip_lines(lines), [], pinged=organisers)


# -- the organisers ---------------------------------------------------------------------------------------------------


def _organiser_needed(context: PostContext) -> EventCard:
    """Ask the organisers to open the next round."""
    view = context.view
    organisers = [person.user_id for person in view.organisers]
    button = event_button(
        view, OPEN_ROUND, t("event.button.open_round"), style=ButtonStyle.primary, mark=context.post.nonce
    )
    words = _join_lines(t("event.post.needed", name=safe(view.name)), _mentions(organisers))
    return EventCard(layout(ui.TextDisplay(words), rows([button])), pinged=organisers[:MAX_PINGS])


def _not_started(context: PostContext) -> EventCard:
    """Explain why the event did not start automatically; posts of older versions may carry no reason."""
    view, details = context.view, dict(context.post.details)
    code = str(details.pop(REFUSAL_DETAIL, ""))
    if not code:
        return _notice(context)
    organisers = [person.user_id for person in view.organisers]
    words = t("event.post.not_started", name=safe(view.name), why=refusal_words(code, details))
    return _with_buttons(context, _join_lines(words, _mentions(organisers)), [], pinged=organisers)


def _reported(context: PostContext) -> EventCard:
    """Tell the organisers that a player has sent them a report."""
    words = t(
        "event.post.reported", name=safe(context.view.name), code=context.view.code, button=t("event.deed.reports")
    )
    return _with_buttons(context, _join_lines(words, _mentions(context.named)), [], pinged=context.pinged)


def _missed_post(context: PostContext) -> EventCard:
    """Ping users who missed a message in their quiet hours."""
    view = context.view
    address = link(view.guild_id, view.channel_id, context.missed_message_id)
    words = t("event.post.news", players=_mentions(context.named), name=safe(view.name), link=address)
    return _with_buttons(context, words, [], pinged=context.pinged)


# -- the end ----------------------------------------------------------------------------------------------------------


def _finished(context: PostContext) -> EventCard:
    """Show the final standings: the first three with medals, the others below."""
    view = context.view
    medals = [
        t(
            "event.post.podium",
            medal=t(f"event.medal.{line.rank}"),
            place=line.rank,
            player=f"<@{line.user_id}>" if (line.user_id or 0) > 0 else entry_name(view, line.number),
        )
        for line in context.standings[:3]
    ]
    words = _join_lines(t("event.post.finished", name=safe(view.name), code=view.code), *prize_lines(view))
    lines = [standing_line(view, line) for line in context.standings[3:MAX_LINES]]
    seed = ["\n" + t("event.post.seed", seed=view.seed)] if view.seed else []
    pictures = list(islice(standings_pictures(view, context.standings, t("event.post.final_table")), MAX_PICTURES))
    pinged = [line.user_id for line in context.standings[:3] if line.user_id and line.user_id > 0]
    return _with_buttons(context, _clip_lines([words, *medals, "", *lines, *seed]), pictures, pinged=pinged)


# -- all others -------------------------------------------------------------------------------------------------------


def _notice(context: PostContext) -> EventCard:
    """Return a message of one sentence, whose key is the kind of the post, with the details of the post filled in."""
    view, post = context.view, context.post
    details = {name: _safe_detail(value) for name, value in post.details.items()}
    if "user" in details:
        details["user"] = entrant_words(post.details["user"])
    if "points" in details:
        details["points"] = value_words(Fraction(str(details["points"])))
    title = round_title(context.round_view) if context.round_view else t("event.post.no_round")
    defaults = {"days": 0, "reason": t("event.post.no_reason"), "table": 0, "tables": 0, "until": 0, "entries": 0}
    defaults |= {"user": "", "points": "", "ends": 0}
    values = {**defaults, "least": view.least, "teams": "", **details, "name": safe(view.name), "round": title}
    return _with_buttons(context, t(f"event.notice.{post.kind}", **values), [])


def _safe_detail(value: object) -> object:
    """Return a detail of a post, cut and escaped if it is a text."""
    return safe(fit_text(value, 300)) if isinstance(value, str) else value


def _with_buttons(
    context: PostContext, words: str, pictures: Sequence[AltPicture], *, pinged: Sequence[int] = ()
) -> EventCard:
    """Return a message with these pictures, and buttons to the event, its standings and its games."""
    view = context.view
    buttons: list[Press] = [event_button(view, SHOW, t("event.button.show"), mark=context.post.nonce)]
    if view.event is not None and view.event.stages:
        buttons += [
            event_button(view, STANDINGS, t("event.button.standings")),
            event_button(view, GAMES, t("event.button.games")),
        ]
    items: list[Any] = [ui.TextDisplay(words), *gallery(pictures)]
    return EventCard(layout(*items, rows(buttons)), pictures, pinged[:MAX_PINGS])


def _join_lines(*lines: str) -> str:
    """Join the lines that are not empty."""
    return "\n".join(line for line in lines if line)


def _mentions(people: Sequence[int]) -> str:
    """Mention these users, as many as a message may ping."""
    return " ".join(f"<@{user}>" for user in people[:MAX_PINGS])


def _clip_lines(lines: Sequence[str]) -> str:
    """Return the lines that fit, and the number of those left out, below an empty line that ends a numbered list."""
    kept: list[str] = []
    remaining = MAX_TEXT_LENGTH
    for number, line in enumerate(lines):
        remaining -= len(line) + 1
        if remaining < 0 or number > MAX_LINES + 4:
            kept.append("\n" + t("event.post.more", count=len(lines) - number))
            break
        kept.append(line)
    return "\n".join(line for line in kept if line)


CARD_MAKERS: Final[dict[str, Callable[[PostContext], EventCard]]] = {
    "announced": _announced,
    "check_in": _check_in,
    "started": _started,
    "round": _round_opened,
    "line_ups": _line_ups,
    "revealed": _revealed,
    "results": _results,
    "stage": _stage_ended,
    "deadline": _deadline,
    "needed": _organiser_needed,
    "too_few": _not_started,
    "reported": _reported,
    "finished": _finished,
    "news": _missed_post,
}
"""The function that builds the message of each kind of post; :func:`_notice` builds those of all other kinds."""
