"""A tournament through Discord: planning, announcement, sign-up by buttons, games in threads, the podium.

`event.settle` runs the bot's periodic work, by which threads are opened and posts are sent; the bot is restarted on
the way.
"""

from __future__ import annotations

import pytest

from cogs.presenting.ids import Key, Op
from cogs.texts import t
from host import ErrorCode
from host.events import EventPlan
from tests.e2e.event_table import EventTable, open_event

pytestmark = pytest.mark.long


async def test_an_event_runs_from_planning_to_the_podium(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="2", pace="live")
    card = event.find_message("Autumn Cup")
    players = event.table.actors[:4]
    for actor in players:
        assert "You have entered" in await event.press(actor, card, t("button.join"))
    assert "already" in await event.press(players[0], card, t("button.join"))  # a second press has no effect
    await event.settle(1)
    assert "Entered (4 of 256)" in str(event.find_message("Autumn Cup").components)
    assert "organisers" in await event.send_command(players[0], "manage do", what="checkin", event=event.code)
    await event.send_command(event.organiser, "manage do", what="checkin", event=event.code)
    await event.settle(2)
    check_in_card = event.find_message("check-in")
    for actor in players:
        assert "checked in" in await event.press(actor, check_in_card, t("event.button.check_in"))
    await event.table.restart()
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle()
    assert any("has begun" in words for words in event.public_texts)
    assert len(event.table.channel.threads) == 2
    assert await event.play_all() == 2
    await event.settle()
    assert any("is over" in words and "1." in words for words in event.public_texts)
    await event.table.restart()
    await event.settle()
    assert await event.play_all() == 2
    await event.settle()
    assert len(event.table.channel.threads) == 4
    assert "🥇" in event.public_texts[-1] or any("🥇" in words for words in event.public_texts)
    assert "Standings" in str(event.messages[0].components)
    assert "1." in await event.send_command(players[0], "show", page="standings", event=event.code)
    assert "ahead of" in await event.send_command(
        players[0], "explain", player="Ana", other=f"<@{players[1].id}>", event=event.code
    )
    assert "event planned" in await event.send_command(players[0], "show", page="log", event=event.code)
    result = await players[0].slash(event.table.channel, "tourney show", page="files", event=event.code)
    assert result.response is not None
    assert "CSV" in str(result.response.components)
    stored = event.table.env.backend.get_message(event.table.channel.id, result.response.id)
    files = {entry["filename"]: event.table.env.backend.cdn.get(entry["url"]) for entry in stored.attachments}
    code = event.code.lower()
    assert files.keys() == {f"{code}.csv", f"{code}-standings.csv", f"{code}.json"}
    assert (files[f"{code}-standings.csv"] or b"").startswith(b"rank,number,player,user,stage,status,points")


async def test_an_organiser_chooses_from_the_lists_of_the_panel(event: EventTable) -> None:
    """Expansions at once, tie-breaks one after the other; an empty list of expansions is the base game."""
    await event.send_command(event.organiser, "create", name="Autumn Cup", profile="duel-weekend")
    event.code = (await event.host.events.reader.view(1)).code

    async def choose(page: str, setting: str, *values: str) -> EventPlan:
        opened = await event.organiser.slash(event.table.channel, "tourney manage panel", event=event.code)
        shown = (await event.organiser.click(opened.response, label=t(f"event.page.{page}"))).response
        menu = str(Key(Op.EVENT_PAGE, event.code, 0, f"plan {page} {setting}"))
        await event.organiser.select(shown, values=list(values), custom_id=menu)
        return (await event.host.events.reader.view(event.code)).plan

    assert set((await choose("play", "boxes", "river", "abbot")).expansions) == {"river", "abbot"}
    assert (await choose("play", "boxes")).expansions == ()
    await choose("places", "tie_breaks", "wins")
    assert (await choose("places", "tie_breaks", "wins direct")).parameters.tie_breaks == ("wins", "direct")
    assert (await choose("format", "format", "duel-groups")).format == "duel-groups"


async def test_refusals_are_private_and_clear_and_change_nothing(event: EventTable) -> None:
    ana, ben = event.table.actors[:2]
    assert "manage" in await event.send_command(ana, "create", name="Mine", profile="duel-weekend")  # not permitted
    await event.send_command(event.organiser, "create", name="Autumn Cup", profile="duel-weekend")
    event.code = (await event.host.events.reader.view(1)).code
    assert "no such event" in await event.send_command(
        ana, "show", event=event.code
    )  # a draft, shown to organisers only
    await event.send_command(event.organiser, "manage do", what="announce", event=event.code)
    await event.settle(2)
    assert "needed" in await event.send_command(
        event.organiser, "manage do", what="start", event=event.code
    )  # too few players
    for actor in event.table.actors[:4]:
        await event.send_command(actor, "join", event=event.code)
    assert "no check-in" in await event.send_command(ana, "checkin", event=event.code)
    assert "isn't an option" in await event.send_command(
        event.organiser, "manage set", what="pace", value="soon", event=event.code
    )
    changed = await event.send_command(event.organiser, "manage set", what="Seeding", value="By lot", event=event.code)
    assert "**Seeding:** by lot" in changed
    assert "organisers" in await event.send_command(ana, "manage set", what="pace", value="live", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle()
    frozen = await event.send_command(event.organiser, "manage set", what="pace", value="live", event=event.code)
    assert "can't change" in frozen
    values = {"table": "1", "scores": "70 60", "reason": "wrong", "event": event.code}
    assert "still being played" in await event.send_command(event.organiser, "manage correct", **values)
    assert "in the order of the seats" in await event.send_command(
        event.organiser, "manage correct", **{**values, "scores": "a"}
    )
    assert "no such event" in await event.send_command(ben, "show", event="ZZZZ")
    card = event.messages[0]
    assert "organisers" in await event.press(ana, card, t("event.button.organise"))
    leaving = await ana.click(card, label=t("button.leave"))
    assert leaving.followups or leaving.response
    assert not (await event.host.events.reader.view(1)).entry_of(ana.id).gone  # leaving asks for confirmation
    assert "Sent to the organisers" in await event.send_command(ana, "report", words="He stalls.", event=event.code)
    assert "organisers" in await event.send_command(ben, "manage reports", event=event.code)
    assert "He stalls" in await event.send_command(event.organiser, "manage reports", event=event.code)


async def test_a_multiplayer_cup_refuses_late_entries_and_shows_pictures(event: EventTable) -> None:
    await open_event(event, "multiplayer-cup", pace="live", rounds="1", final="none")
    for actor in event.table.actors[:4]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle()
    assert len(event.table.channel.threads) == 1
    late = event.table.actors[4]
    for text in (
        await event.send_command(late, "join", event=event.code),
        await event.press(late, event.messages[0], t("button.join")),
    ):
        assert t(f"error.{ErrorCode.NO_LATE_ENTRIES}") in text
    assert (await event.host.events.reader.view(event.code)).entry_of(late.id) is None
    assert await event.play_all() == 1
    await event.settle()
    assert any("🥇" in words for words in event.public_texts)
    result = await event.table.actors[0].slash(event.table.channel, "tourney show", page="standings", event=event.code)
    assert result.response is not None
    assert "standings-1-1.png" in str(result.response.components)
    for page in ("event.button.games", "event.button.log"):
        shown = await event.table.actors[0].click(result.response, label=t(page))
        assert shown.acknowledged


async def test_an_event_without_free_threads_waits_and_reports_it_once(event: EventTable) -> None:
    await open_event(event, "duel-weekend", rounds="1", pace="live")
    for actor in event.table.actors[:4]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    event.table.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160006, times=1)
    await event.settle()
    assert sum("no room" in words for words in event.public_texts) == 1


async def test_a_season_of_the_ladder_begins_without_games_and_shows_its_pages(event: EventTable) -> None:
    await open_event(event, "ladder-season", season_weeks="4", meetings="2")
    players = event.table.actors[:4]
    for actor in players:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle()
    assert not event.table.channel.threads
    assert any("find your opponents yourselves" in words for words in event.public_texts)
    assert "can't be paused" in await event.send_command(
        event.organiser, "manage do", what="pause", days=3, event=event.code
    )
    assert "Season" in await event.send_command(players[0], "show", page="games", event=event.code)
    assert "seasons won 0" in await event.send_command(players[0], "show", page="alltime", event=event.code)
    result = await players[0].slash(event.table.channel, "tourney show", page="standings", event=event.code)
    assert result.response is not None
    shown = await players[0].click(result.response, label=t("event.button.all_time"))
    assert shown.acknowledged


async def test_the_ladder_can_be_joined_and_left_once(event: EventTable) -> None:
    ana, ben = event.table.actors[:2]
    for actor in (ana, ben):
        assert "wait" in await event.send_command(actor, "ladder join", scale="duel")
    assert "already" in await event.send_command(ana, "ladder join", scale="duel")
    assert "no longer" in await event.send_command(ana, "ladder leave", scale="duel")
    for command in ("leaderboard", "profile"):
        result = await ana.slash(event.table.channel, f"carc {command}")
        assert result.response is not None
