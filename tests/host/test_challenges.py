"""Challenges: who may answer them and how, what a change of their rules does, and people whom somebody avoids.

A challenge is a table at which only the people who were challenged may sit down. Each request has the id of its Discord
interaction (`click_id`), by which a repetition is recognised.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from host import NO_PACE, ErrorCode, GameStatus, Host, Lobby, LobbyState, NewLobby, Person, TableRules, TableSettings
from host.challenges import MAX_AVOIDED
from host.lobbies import DECLINE_DELAYS
from store import EventState
from tests.host.people import ADA, BEN, CLEO, GUILD, STRANGER, THREAD, SettableClock, click_id, expect_error, new_lobby

LONGEST_DELAY = timedelta(hours=DECLINE_DELAYS[1]).total_seconds()
"""The longest time, in seconds, after which a challenge is declined in somebody's name."""


def challenge_to(*people: Person, **changes: Any) -> NewLobby:
    """Return Ada's challenge to these people."""
    defaults = {"capacity": 1 + len(people), "best_of": 1, "challenged": people}
    return new_lobby(**defaults | changes)


async def challenge(host: Host, *people: Person) -> Lobby:
    """Let Ada challenge these people."""
    return await host.lobbies.open(challenge_to(*people), click_id())


async def test_those_who_are_challenged_have_not_answered(host: Host) -> None:
    lobby = await challenge(host, BEN, CLEO)
    assert lobby.is_challenge
    assert (lobby.members, lobby.challenged, lobby.declined) == ((ADA,), (BEN, CLEO), ())
    assert not lobby.full


async def test_nobody_challenges_themselves_or_somebody_twice(host: Host) -> None:
    for people in ((ADA,), (BEN, BEN)):
        with expect_error(ErrorCode.BAD_CHALLENGE):
            await challenge(host, *people)


@pytest.mark.both_databases
async def test_the_game_begins_when_everybody_has_accepted(host: Host) -> None:
    lobby = await challenge(host, BEN, CLEO)
    lobby = await host.lobbies.join(lobby.id, CLEO, click_id())
    assert (lobby.members, lobby.challenged, lobby.full) == ((ADA, CLEO), (BEN,), False)
    lobby = await host.lobbies.join(lobby.id, BEN, click_id())
    assert (lobby.challenged, lobby.full) == ((), True)
    game = await host.lobbies.start(lobby.id, BEN.user_id, click_id(), thread_id=THREAD)
    assert game.status is GameStatus.RUNNING
    assert {person.user_id for person in game.players} == {ADA.user_id, BEN.user_id, CLEO.user_id}


async def test_strangers_neither_accept_nor_decline_nor_change(host: Host) -> None:
    lobby = await challenge(host, BEN)
    rules = TableRules(lobby.expansions, lobby.options, lobby.settings)
    with expect_error(ErrorCode.NOT_CHALLENGED):
        await host.lobbies.join(lobby.id, STRANGER, click_id())
    with expect_error(ErrorCode.NOT_CHALLENGED):
        await host.challenges.decline(lobby.id, STRANGER.user_id, click_id())
    with expect_error(ErrorCode.NOT_CHALLENGED):
        await host.challenges.revise(lobby.id, STRANGER.user_id, rules, click_id())
    with expect_error(ErrorCode.NOT_CHALLENGED):
        await host.lobbies.add_computer(lobby.id, ADA.user_id, "quick", click_id())
    assert await host.lobbies.get(lobby.id) == lobby


async def test_a_challenge_to_one_ends_when_they_decline(host: Host) -> None:
    lobby = await challenge(host, BEN)
    click = click_id()
    for _ in range(2):  # a repeated click changes nothing
        lobby = await host.challenges.decline(lobby.id, BEN.user_id, click)
        assert (lobby.state, lobby.declined) == (LobbyState.CLOSED, (BEN,))
    with expect_error(ErrorCode.LOBBY_CLOSED):
        await host.lobbies.join(lobby.id, BEN, click_id())


async def test_the_others_play_without_one_who_declines(host: Host) -> None:
    lobby = await challenge(host, BEN, CLEO)
    await host.lobbies.join(lobby.id, CLEO, click_id())
    lobby = await host.challenges.decline(lobby.id, BEN.user_id, click_id())
    assert (lobby.state, lobby.capacity, lobby.full) == (LobbyState.OPEN, 2, True)
    with expect_error(ErrorCode.NOT_CHALLENGED):
        await host.lobbies.join(lobby.id, BEN, click_id())
    await host.lobbies.start(lobby.id, CLEO.user_id, click_id(), thread_id=THREAD)


async def test_other_rules_make_the_challenge_that_of_who_proposes_them(host: Host) -> None:
    lobby = await challenge(host, BEN, CLEO)
    await host.lobbies.join(lobby.id, CLEO, click_id())
    live = TableRules(lobby.expansions, lobby.options, TableSettings(pace="live"))
    lobby = await host.challenges.revise(lobby.id, BEN.user_id, live, click_id())
    assert lobby.owner == BEN
    assert (lobby.members, set(lobby.challenged), lobby.settings.pace) == ((BEN,), {ADA, CLEO}, "live")
    lobby = await host.lobbies.join(lobby.id, ADA, click_id())
    assert lobby.members == (BEN, ADA)


async def test_open_challenges_are_listed_without_open_tables(host: Host) -> None:
    await host.lobbies.open(new_lobby(), click_id())
    first, second = await challenge(host, BEN), await challenge(host, CLEO)
    await host.challenges.decline(first.id, BEN.user_id, click_id())
    assert [lobby.id for lobby in await host.challenges.open_in(GUILD)] == [second.id]
    assert await host.challenges.open_in(GUILD + 1) == []


async def test_a_challenge_by_somebody_avoided_is_declined_later(host: Host, clock: SettableClock) -> None:
    await host.challenges.avoid(BEN.user_id, ADA)
    lobby = await challenge(host, BEN)
    assert await host.challenges.called(lobby) == ([], set())
    assert (lobby.state, lobby.challenged) == (LobbyState.OPEN, (BEN,)), "it looks like any other challenge"
    assert await host.challenges.decline_due() == []
    clock.advance(LONGEST_DELAY)
    assert [declined.id for declined in await host.challenges.decline_due()] == [lobby.id]
    by_themselves = await host.challenges.decline((await challenge(host, CLEO)).id, CLEO.user_id, click_id())
    by_itself = await host.lobbies.get(lobby.id)
    assert (by_itself.state, by_itself.capacity, by_itself.declined) == (by_themselves.state, 1, (BEN,))
    assert await host.challenges.decline_due() == []


async def test_who_accepts_somebody_avoided_plays(host: Host, clock: SettableClock) -> None:
    await host.challenges.avoid(BEN.user_id, ADA)
    lobby = await challenge(host, BEN)
    await host.lobbies.join(lobby.id, BEN, click_id())
    clock.advance(LONGEST_DELAY)
    assert await host.challenges.decline_due() == []
    assert (await host.lobbies.get(lobby.id)).full


async def test_a_proposal_of_somebody_avoided_is_declined_too(host: Host, clock: SettableClock) -> None:
    await host.challenges.avoid(ADA.user_id, BEN)
    lobby = await challenge(host, BEN, CLEO)
    rules = TableRules(lobby.expansions, lobby.options, lobby.settings)
    lobby = await host.challenges.revise(lobby.id, BEN.user_id, rules, click_id())
    assert await host.challenges.called(lobby) == ([CLEO.user_id], set())
    clock.advance(LONGEST_DELAY)
    await host.challenges.decline_due()
    assert (await host.lobbies.get(lobby.id)).declined == (ADA,)


def match_against(*people: Person, **changes: Any) -> NewLobby:
    """Return Ada's challenge to a rated match, best of three."""
    defaults = {"best_of": 3, "rated": True, "settings": TableSettings(pace="standard")}
    return challenge_to(*people, **defaults | changes)


@pytest.mark.both_databases
async def test_a_match_is_an_event_of_two(host: Host) -> None:
    lobby = await host.lobbies.open(match_against(BEN), click_id())
    with expect_error(ErrorCode.TOO_FEW_PLAYERS):
        await host.matches.begin(lobby.id, ADA.user_id, click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    click = click_id()
    event = await host.matches.begin(lobby.id, BEN.user_id, click)
    assert await host.matches.begin(lobby.id, BEN.user_id, click) == event, "a repeated click begins no second match"
    with expect_error(ErrorCode.LOBBY_STARTED):
        await host.matches.begin(lobby.id, ADA.user_id, click_id())
    assert (event.name, event.state) == ("Ada \N{EN DASH} Ben", EventState.RUNNING)
    assert (event.plan.parameters.best_of, event.plan.parameters.rated) == (3, True)
    assert {entry.person for entry in event.entries} == {ADA, BEN}
    await host.events.driver.work()
    assert await host.events.openings.open_tables() == 1


async def test_a_match_needs_two_players_and_clocks(host: Host) -> None:
    for wrong in (match_against(BEN, CLEO), match_against(BEN, settings=TableSettings(pace=NO_PACE))):
        with expect_error(ErrorCode.BAD_MATCH):
            await host.lobbies.open(wrong, click_id())
    lobby = await host.lobbies.open(match_against(BEN), click_id())
    untimed = TableRules(lobby.expansions, lobby.options, TableSettings(pace=NO_PACE))
    with expect_error(ErrorCode.BAD_MATCH):
        await host.challenges.revise(lobby.id, BEN.user_id, untimed, click_id())


async def test_the_list_of_people_to_avoid_is_changed_by_its_owner_alone(host: Host) -> None:
    await host.challenges.avoid(BEN.user_id, ADA)
    await host.challenges.avoid(BEN.user_id, ADA)
    assert await host.challenges.avoided_by(BEN.user_id) == (ADA,)
    await host.challenges.meet_again(CLEO.user_id, ADA.user_id)
    assert await host.challenges.avoided_by(BEN.user_id) == (ADA,)
    await host.challenges.meet_again(BEN.user_id, ADA.user_id)
    assert await host.challenges.avoided_by(BEN.user_id) == ()
    with expect_error(ErrorCode.BAD_CHALLENGE):
        await host.challenges.avoid(BEN.user_id, BEN)
    for number in range(MAX_AVOIDED):
        await host.challenges.avoid(BEN.user_id, Person(9000 + number, "Somebody"))
    with expect_error(ErrorCode.TOO_MANY_AVOIDED, most=MAX_AVOIDED):
        await host.challenges.avoid(BEN.user_id, ADA)


async def test_nobody_learns_from_their_data_who_avoids_them(host: Host) -> None:
    await host.challenges.avoid(BEN.user_id, ADA)
    assert "avoided" not in await host.erasure.export(ADA.user_id)
    assert "avoided" in await host.erasure.export(BEN.user_id)
    await host.erasure.erase(ADA.user_id)
    assert await host.challenges.avoided_by(BEN.user_id) == ()
