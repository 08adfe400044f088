"""Irregular events through Discord: incomplete teams, corrections, replacements, disqualifications, extensions.

An event is a tournament. Members act by `/tourney` commands, organisers by `/tourney manage`; `event.settle` runs the
bot's periodic work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from simcord.components import walk_components

from cogs.panels.events import private
from cogs.panels.events.pictures import standings_pictures
from cogs.presenting.presenter import THEME, AltPicture
from cogs.texts import t
from host import Asker, ErrorCode, Preferences
from host.events import EventView, RankView
from renderers import Theme
from tests.e2e.event_table import EventTable, open_event

SELECT = 3
"""Discord's number of the component type for menus."""

pytestmark = pytest.mark.long


async def enter_players(event: EventTable, players: int) -> list[list[int]]:
    """Let this many members enter, start the event, and return the user ids of each table."""
    for actor in event.table.actors[:players]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle()
    return await seats_of_tables(event)


async def seats_of_tables(event: EventTable) -> list[list[int]]:
    """Return the user ids of each table of the current round."""
    tables = (await event.host.events.reader.round(event.code)).tables
    return [sorted(person.user_id for person in table.people if person) for table in tables]


async def test_line_ups_are_sealed_and_a_board_without_a_player_is_forfeited(event: EventTable) -> None:
    await open_event(event, "server-match", boards="2", best_of="1", pace="live")
    ana, ben, cleo, dan = event.table.actors[:4]
    for captain, name, member in ((ana, "Owls", ben), (cleo, "Bears", dan)):
        assert name in await event.send_command(captain, "team found", name=name, event=event.code)
        number = (await event.host.events.reader.view(event.code)).teams[-1].team
        missing = await event.send_command(event.organiser, "manage do", what="start", event=event.code)
        assert t(f"error.{ErrorCode.TEAM_INCOMPLETE}", team=name, members=1, boards=2) in missing
        await event.send_command(member, "join", team=number, event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle(3)
    assert not event.table.channel.threads
    assert "captain" in await event.send_command(
        ben, "team lineup", members=f"<@{ana.id}> <@{ben.id}>", event=event.code
    )
    assert "roster" in await event.send_command(
        ana, "team lineup", members=f"<@{ana.id}> <@{dan.id}>", event=event.code
    )
    await event.send_command(ana, "team lineup", members=f"<@{ben.id}> <@{ana.id}>", event=event.code)
    await event.settle(2)
    for reader in (ben, cleo, dan):
        assert event.table.name_of(ben) not in await event.send_command(
            reader, "show", page="games", event=event.code
        ), "it is sealed"
    assert not event.table.channel.threads
    request = event.find_message("captains, please hand in")
    assert f"<@{cleo.id}>" in str(request.components)
    assert "captain" in await event.press(dan, request, t("event.button.line_up"))
    panel = (await cleo.click(request, label=t("event.button.line_up"))).response
    assert panel is not None
    assert event.table.name_of(ben) not in str(panel.components), "it is sealed"
    panel = (await cleo.select(panel, ["-"], custom_id=menus_of(panel)[1])).response
    assert panel is not None
    await cleo.click(panel, label=t("event.button.hand_in"))
    await event.settle()
    assert "locked" in await event.press(cleo, request, t("event.button.line_up"))
    assert len(event.table.channel.threads) == 1
    assert "Owls" in str(event.find_message("both line-ups are in").components)
    answer = await event.send_command(dan, "show", page="games", event=event.code)
    assert event.table.name_of(ben) in answer
    assert await seats_of_tables(event) == [[ben.id, cleo.id], [ana.id]]
    assert await event.play_all() == 1
    await event.settle()
    assert any("is over" in words and "Owls" in words for words in event.public_texts)


async def test_a_correction_does_not_change_the_seats_of_an_opened_round(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="2", best_of="1", pace="live")
    await enter_players(event, 4)
    assert await event.play_all() == 2
    await event.settle()
    before, drawn = (
        await event.send_command(event.organiser, "show", page="standings", event=event.code),
        await seats_of_tables(event),
    )
    correct = {"table": "1.1.1", "scores": "10 70", "reason": "The wrong one resigned", "event": event.code}
    await event.send_command(event.organiser, "manage correct", **correct)
    await event.settle(2)
    assert await seats_of_tables(event) == drawn
    assert len(event.table.channel.threads) == 4
    assert await event.send_command(event.organiser, "show", page="standings", event=event.code) != before
    assert any("The wrong one resigned" in words for words in event.public_texts)
    assert "corrected" in await event.send_command(event.table.actors[0], "show", page="log", event=event.code)


async def test_a_player_is_replaced_and_another_disqualified(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="2", best_of="1", pace="live")
    (first, second), (third, _) = await enter_players(event, 4)
    eva = event.table.actors[4]
    members = event.table.members
    values = {"player": members[first], "substitute": members[second], "event": event.code}
    assert "already" in await event.send_command(event.organiser, "manage replace", **values)
    await event.send_command(event.organiser, "manage replace", **{**values, "substitute": eva})
    await event.settle()
    assert [first, second] not in await seats_of_tables(event)
    code = next(table.code for table in (await event.host.events.reader.round(event.code)).tables if table.number == 1)
    assert {person.user_id for person in (await event.host.games.get(code)).seats} == {eva.id, second}
    await event.send_command(
        event.organiser, "manage disqualify", player=f"<@{third}>", reason="Two accounts", event=event.code
    )
    await event.settle()
    view = await event.host.events.reader.view(event.code)
    gone = view.entry_of(third)
    assert gone is not None
    assert gone.gone
    assert "not in this event" in await event.send_command(members[third], "join", event=event.code)
    while await event.play_all():
        await event.settle()
    lines = await event.host.events.reader.standings(event.code)
    assert (lines[-1].user_id, lines[-1].disqualified) == (third, True)
    answer = await event.send_command(members[second], "show", page="log", event=event.code)
    assert "plays on for" in answer
    assert "Two accounts" in answer


async def test_a_round_is_looked_at_changed_and_opened(event: EventTable) -> None:
    """The organiser looks at the second round, lets two change places, and gives a penalty and a warning."""
    await open_event(event, "duel-weekend", rounds="3", best_of="1", pace="live", opening="organiser", prizes="A cup")
    assert any("**Prizes:** A cup" in words for words in event.public_texts)
    for actor in event.table.actors[:4]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle(2)
    opened = {"what": "open", "event": event.code}
    await event.send_command(event.organiser, "manage do", **opened)
    await event.settle()
    met = {frozenset(pair) for pair in await seats_of_tables(event)}
    assert await event.play_all() == 2
    await event.settle()

    result = await event.organiser.slash(event.table.channel, "tourney manage panel", event=event.code)
    assert result.response is not None
    preview = (await event.organiser.click(result.response, label=t("event.deed.preview"))).response
    assert preview is not None
    words = str(preview.components)
    assert "Only you see it" in words
    assert "attachment" in words
    guild_id = (await event.host.events.reader.view(event.code)).guild_id
    _, coming = await event.host.events.organising.preview(event.code, Asker(event.organiser.id, guild_id))
    pairs = [[person.user_id for person in table.people if person] for table in coming.tables]
    members = event.table.members
    answers = {}
    for other in pairs[1]:
        values = {"player": f"<@{pairs[0][0]}>", "other": f"<@{other}>", "reason": "friends", "event": event.code}
        answers[other] = await event.send_command(event.organiser, "manage exchange", **values)
        if "Exchanged" in answers[other]:
            break
    assert "Exchanged" in answers[other]
    assert all("meet again" in answer for number, answer in answers.items() if number != other)
    await event.send_command(event.organiser, "manage do", **opened)
    await event.settle()
    now = {frozenset(pair) for pair in await seats_of_tables(event)}
    assert now == {frozenset({pairs[0][0], *pairs[1]} - {other}), frozenset({pairs[0][1], other})}
    assert not now & met

    punished = members[pairs[0][0]]
    await event.send_command(
        event.organiser, "manage penalty", player=f"<@{punished.id}>", points=0.5, reason="talking", event=event.code
    )
    await event.send_command(
        event.organiser, "manage warn", player=f"<@{punished.id}>", reason="language", event=event.code
    )
    await event.settle(3)
    assert any("gets a penalty: \N{MINUS SIGN}½. talking" in words for words in event.public_texts)
    assert any("has been warned. language" in words for words in event.public_texts)
    standings = await event.send_command(punished, "show", page="standings", event=event.code)
    assert "penalty: \N{MINUS SIGN}½ · 1 warning" in standings
    log = await event.send_command(punished, "show", page="log", event=event.code)
    assert "exchanged (stage 1, round 2)" in log
    assert "penalty for" in log
    refused = await event.send_command(
        event.organiser, "manage penalty", player=f"<@{punished.id}>", points=0.7, reason="?", event=event.code
    )
    assert "half a point" in refused


async def test_two_players_are_exchanged_in_the_panel(event: EventTable) -> None:
    """The lists, the reason and the answer; a panel that is older than the round says so, and others may not use it."""
    await open_event(event, "duel-weekend", rounds="2", best_of="1", pace="live", opening="organiser")
    for actor in event.table.actors[:4]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle(2)
    organiser, guild_id = event.organiser, (await event.host.events.reader.view(event.code)).guild_id
    home = (await organiser.slash(event.table.channel, "tourney manage panel", event=event.code)).response
    assert home is not None
    preview = (await organiser.click(home, label=t("event.deed.preview"))).response
    assert preview is not None
    coming, round_view = await event.host.events.organising.preview(event.code, Asker(organiser.id, guild_id))
    (one, rival), (other, _) = (table.seats for table in round_view.tables)
    panel = (await organiser.click(preview, label=t("event.deed.exchange"))).response
    assert panel is not None
    buttons = {
        component["label"]: component for component in walk_components(panel.components) if component.get("label")
    }
    assert buttons[t("event.exchange.button")]["disabled"]
    for number, player in enumerate((one, rival)):
        panel = (await organiser.select(panel, [str(player)], custom_id=menus_of(panel)[number])).response
        assert panel is not None
    assert "change seats" in str(panel.components)
    panel = (await organiser.select(panel, [str(other)], custom_id=menus_of(panel)[1])).response
    assert panel is not None
    against = t("event.exchange.against", players=coming.name_of(rival))
    assert f"**{coming.name_of(other)}**: {against} (before:" in str(panel.components)
    form = await organiser.click(panel, label=t("event.exchange.button"))
    assert form.modal is not None
    stale = await organiser.click(panel, label=t("event.exchange.button"))
    answer = (await organiser.submit_modal(form, {"reason": "They are married"})).response
    assert answer is not None
    assert t("event.exchange.done") in str(answer.components)
    assert f"**{coming.name_of(one)}**: against" in str(answer.components)
    again = (await organiser.submit_modal(stale, {"reason": "They are married"})).response
    assert again is not None
    assert t("error.round_changed") in str(again.components)
    opened = {"what": "open", "event": event.code}
    await event.send_command(organiser, "manage do", **opened)
    await event.settle()
    met = {frozenset(table.seats) for table in (await event.host.events.reader.round(event.code)).tables}
    assert frozenset({rival, other}) in met
    late = await organiser.click(again, label=t("event.deed.exchange"))
    assert t(f"error.{ErrorCode.NO_ROUND_DUE}") in str(late.followups[-1].components)
    log = await event.send_command(event.table.members[event.table.actors[0].id], "show", page="log", event=event.code)
    assert log.count("They are married") == 1


def menus_of(message: Any) -> list[str]:
    """Return the custom ids of the menus of a message."""
    components = walk_components(message.components)
    return [str(component["custom_id"]) for component in components if component["type"] == SELECT]


async def test_private_pictures_use_the_readers_theme_and_reports_name_the_ply(
    event: EventTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_event(event, "duel-weekend", rounds="1", best_of="1", pace="live")
    [(first, _), _] = await enter_players(event, 4)
    reader, outsider = event.table.members[first], event.table.actors[4]
    themes: list[Theme] = []

    def drawn(view: EventView, lines: Sequence[RankView], *, theme: Theme) -> Iterator[AltPicture]:
        """Record the theme and draw the pictures."""
        themes.append(theme)
        return standings_pictures(view, lines, theme=theme)

    monkeypatch.setattr(private, "standings_pictures", drawn)
    await event.host.preferences.set(reader.id, Preferences(choices={THEME: "night"}))
    for actor in (reader, outsider):
        await event.send_command(actor, "show", page="standings", event=event.code)
    assert [theme.name for theme in themes] == ["night", "day"]

    game = await event.host.games.get((await event.host.events.reader.round(event.code)).tables[0].code)
    shown = await reader.slash(event.table.channel, "carc notes", game=game.code)
    opened = await reader.click(shown.response, label=t("button.report"))
    assert opened.modal is not None
    text = await reader.submit_modal(opened, {"text": "He is told what to do."})
    assert "Sent to the organisers" in str(text.response.components)
    assert "at step 0" in await event.send_command(event.organiser, "manage reports", event=event.code)


async def test_a_game_is_extended_only_once(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="1", best_of="1", pace="fast")
    await enter_players(event, 4)
    table = (await event.host.events.reader.round(event.code)).tables[0]
    thread = event.table.channel.threads[0]

    async def asked(days: int, reason: str) -> str:
        """Send the command and return its answer."""
        date = (datetime.now(UTC).date() + timedelta(days=days)).isoformat()
        result = await event.organiser.slash(thread, "carc time end", date=date, reason=reason, game=table.code)
        assert result.response is not None
        assert result.response.ephemeral
        return str(result.response.components)

    days = (table.deadline - datetime.now(UTC)).days
    for ahead, reason in ((days + 4, ""), (days + 40, "ill"), (days - 4, "ill")):
        assert t(f"error.{ErrorCode.BAD_EXTENSION}", most=14) in await asked(ahead, reason)
    assert table.code in await asked(days + 4, "ill")
    assert t(f"error.{ErrorCode.GAME_EXTENDED}") in await asked(days + 5, "ill")
    assert f"game {table.code}" in await event.send_command(event.table.actors[0], "show", page="log", event=event.code)


@pytest.mark.soak
async def test_each_action_of_an_organiser_can_be_typed_and_is_logged(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="1", best_of="1", pace="live", opening="organiser")
    for actor in event.table.actors[:4]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage organiser", member=event.table.actors[4], event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle(2)
    actions: list[tuple[str, dict[str, Any]]] = [
        ("open", {}),
        ("redraw", {"reason": "Wrong list"}),
        ("open", {}),
        ("extend", {"days": 3, "reason": "Holidays"}),
        ("pause", {"days": 2}),
        ("resume", {}),
        ("close", {"reason": "No time"}),
    ]
    for what, values in actions:
        answer = await event.send_command(event.table.actors[4], "manage do", what=what, event=event.code, **values)
        assert event.code in answer, what
        await event.settle(3)
    log = await event.send_command(event.table.actors[0], "show", page="log", event=event.code)
    acts = ("now an organiser", "started", "next round opened", "redrawn", "moved by 3 days", "days: 2", "pause ended")
    for words in (*acts, "event closed", "Wrong list", "Holidays", "No time"):
        assert words in log, words
    for words in (
        "has been redrawn",
        "deadline has been moved",
        "is paused",
        "The event continues",
        "closed the event",
    ):
        assert any(words in text for text in event.public_texts), words
