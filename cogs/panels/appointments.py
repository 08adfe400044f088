"""Appointments: their public message, the private panel in which a time is proposed, and their calendar file."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, assert_never

from discord import ButtonStyle, ui
from icalendar import Calendar, Event

from cogs.interactions.replies import Press, button
from cogs.messages import add_line, form, layout, rows
from cogs.panels.own_settings import MAX_TYPED_LENGTH, NO_TABLE
from cogs.presenting.ids import GAME, LOBBY, Key, Op
from cogs.services.scheduled_events import MAX_NAME, Schedule
from cogs.texts import listed, t
from cogs.texts.languages import speaking
from cogs.words.names import isolate, link, owner_name, safe
from cogs.words.story import clip
from host import NO_PACE, AppointmentState, Meeting, Preferences, setup_of, unique_names

MEETING_LENGTH: Final = timedelta(minutes=90)
"""The length of an appointment in calendars."""
WHEN_FIELD: Final = "when"
ZONE_FIELD: Final = "town"
"""The custom ids of the form's fields."""
ACCEPTS: Final = "yes"
DECLINES: Final = "no"
"""The first words of the arguments of the buttons that answer."""
MAX_MARK: Final = 999_999
"""The largest number that a custom id has room for in place of a revision."""
PRODUCT: Final = "-//Castellan//Castellan//EN"
"""The name of the bot in calendar files."""


def table_argument(meeting: Meeting) -> str:
    """Return the argument of buttons that names the table of an appointment."""
    if meeting.game is not None:
        return f"{GAME} {meeting.game.code}"
    return f"{LOBBY} {meeting.appointment.lobby_id}"


def table_url(meeting: Meeting) -> str:
    """Return the URL of the table's card, or of the place of its game."""
    if meeting.lobby is not None:
        return link(meeting.lobby.guild_id, meeting.lobby.channel_id, meeting.lobby.message_id)
    return link(meeting.appointment.guild_id, meeting.appointment.channel_id)


def _table_words(meeting: Meeting) -> str:
    """Return the name of the table, linked to it."""
    url = table_url(meeting)
    if meeting.game is not None:
        return t("appointment.game", name=meeting.game.name, code=meeting.game.code, url=url)
    return "" if meeting.lobby is None else t("appointment.lobby", owner=owner_name(meeting.lobby), url=url)


def _names(meeting: Meeting) -> dict[int, str]:
    """Return the names of the people of an appointment, by user."""
    names = unique_names(meeting.people)
    return {person.user_id: safe(name) for person, name in zip(meeting.people, names, strict=True)}


def _values(meeting: Meeting) -> dict[str, object]:
    """Return the values of the sentences about an appointment."""
    player = _names(meeting).get(meeting.appointment.user_id, "")
    return {"player": player, "at": int(meeting.appointment.at.timestamp()), "table": _table_words(meeting)}


def appointment_card(meeting: Meeting, decliner: str = "") -> ui.LayoutView:
    """Return the public message of an appointment; ``decliner`` is the name of somebody who cannot come."""
    with speaking(meeting.language):
        values = _values(meeting)
        match meeting.appointment.state:
            case AppointmentState.PROPOSED:
                words = "\n".join([t("appointment.proposed", **values), *_answers(meeting)])
                return layout(words, rows(list(_buttons(meeting))))
            case AppointmentState.AGREED:
                words = t("appointment.agreed", **values, players=listed(list(_names(meeting).values())))
                return layout(words, rows(list(_buttons(meeting))))
            case AppointmentState.DECLINED:
                return layout(t("appointment.declined", **{**values, "player": decliner}))
            case AppointmentState.REPLACED | AppointmentState.OVER:
                return layout(t(f"appointment.{meeting.appointment.state}", **values))
            case AppointmentState.CLOSED:
                reason = "table_closed" if meeting.game is None else "game_ended"
                return layout(t(f"appointment.{reason}", **values))
            case never:
                assert_never(never)


def _answers(meeting: Meeting) -> Iterator[str]:
    """Yield a line for each person of an appointment: who can come, and who has not answered."""
    names = _names(meeting)
    waiting = {person.user_id for person in meeting.unanswered}
    for person in meeting.people:
        if person.user_id in waiting:
            yield t("challenge.asked", player=f"<@{person.user_id}>")
        else:
            yield t("appointment.accepted", player=names[person.user_id])


def _buttons(meeting: Meeting) -> Iterator[Press]:
    """Yield the buttons of an appointment that is proposed or agreed on."""
    number, table = meeting.appointment.id, table_argument(meeting)
    other_time = button(Op.MEET, NO_TABLE, 0, t("button.other_time"), argument=table)
    if meeting.appointment.state is AppointmentState.PROPOSED:
        accepting, style = f"{ACCEPTS} {number}", ButtonStyle.primary
        yield button(Op.MEETING, NO_TABLE, 0, t("button.can_come"), argument=accepting, style=style)
        yield button(Op.MEETING, NO_TABLE, 0, t("button.cannot_come"), argument=f"{DECLINES} {number}")
        yield other_time
    else:
        yield button(Op.MEETING_FILE, NO_TABLE, 0, t("button.calendar"), argument=str(number))
        yield other_time
        yield button(Op.MEETING, NO_TABLE, 0, t("button.call_off"), argument=f"{DECLINES} {number}")


def soon_marker(number: int) -> str:
    """Return the beginning of the custom id by which the message that an appointment begins soon is recognised."""
    return str(Key(Op.MEET, NO_TABLE, _mark_of(number), ""))


def _mark_of(number: int) -> int:
    """Return the mark of an appointment in a custom id: not 0, and within the six digits of a revision."""
    return 1 + number % MAX_MARK


def soon_card(meeting: Meeting) -> ui.LayoutView:
    """Return the public message that an appointment begins soon; who is late can propose another time there."""
    with speaking(meeting.language):
        players = " ".join(f"<@{person.user_id}>" for person in meeting.people)
        words = [t("appointment.soon", **_values(meeting), players=players)]
        if meeting.game is None:
            words.append(t("appointment.start_then"))
        mark = _mark_of(meeting.appointment.id)
        other_time = button(Op.MEET, NO_TABLE, mark, t("button.other_time"), argument=table_argument(meeting))
        return layout("\n".join(words), rows([other_time]))


def meet_panel(argument: str, current: Meeting | None, preferences: Preferences, pace: str) -> ui.LayoutView:
    """Return the private panel about when to meet: the present appointment, and a button to propose a time.

    ``argument`` names the table, ``pace`` is that of its game, if it has begun.
    """
    state = "none" if current is None else f"now_{current.appointment.state}"
    lines = [t("appointment.title"), t(f"appointment.{state}", **({} if current is None else _values(current)))]
    lines.append(t("appointment.zone", zone=preferences.zone.key))
    if pace != NO_PACE:
        lines.append(t("appointment.clocks"))
    proposing = button(
        Op.MEETING_FORM, NO_TABLE, 0, t("button.propose_time"), argument=argument, style=ButtonStyle.primary
    )
    return layout("\n".join(lines), rows([proposing]))


def meeting_form(argument: str, preferences: Preferences) -> ui.Modal:
    """Return the form for the time of an appointment and the user's time zone."""
    modal = form(t("modal.meeting_title"), Key(Op.MEETING_TYPED, NO_TABLE, 0, argument))
    add_line(modal, WHEN_FIELD, longest=MAX_TYPED_LENGTH, words="meeting_when", required=True)
    add_line(modal, ZONE_FIELD, longest=MAX_TYPED_LENGTH, value=preferences.zone.key)
    return modal


def schedule_of(meeting: Meeting) -> Schedule:
    """Return the content of the scheduled event of an appointment."""
    with speaking(meeting.language):
        names = listed([isolate(name) for name in unique_names(meeting.people)])
        name = t("appointment.event", game=t(f"rulebook.game.{_game_of(meeting)}"), players=names)
        start, url = meeting.appointment.at, table_url(meeting)
        return Schedule(clip(name, MAX_NAME), t("appointment.event_text"), url, start, start + MEETING_LENGTH)


def _game_of(meeting: Meeting) -> str:
    """Return which game is to be played."""
    if meeting.game is not None:
        return setup_of(meeting.game).game
    return "" if meeting.lobby is None else meeting.lobby.game


def calendar_file(meeting: Meeting, now: datetime) -> bytes:
    """Return an appointment as a file of iCalendar (RFC 5545), which calendars import."""
    schedule, appointment = schedule_of(meeting), meeting.appointment
    event = Event()
    event.add("uid", f"{appointment.guild_id}-{appointment.id}@castellan")
    event.add("dtstamp", now)
    event.add("dtstart", schedule.start)
    event.add("dtend", schedule.end)
    event.add("summary", schedule.name)
    event.add("description", schedule.description)
    event.add("url", schedule.url)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add_component(event)
    return bytes(calendar.to_ical())
