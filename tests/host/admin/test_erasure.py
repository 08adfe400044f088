"""Erasure removes a person from all stored data; running games continue, and every game replays as before.

`erase` is what `/forget-me` calls. An erased player of a running game resigns, and their seat gets a number as its
name. Ada is the person who is erased.
"""

from __future__ import annotations

import pytest
from sqlalchemy import BigInteger, Text

from host import Asker, Game, GameStatus, Host, Person
from host.admin.erasure import remembered_erasures
from host.retry import NotYetError, Precomputed
from store import BanKind, Computer, EventState, Pause, clocks, personal_data
from store.schema.columns import Document, metadata
from tests.host.conftest import NewHost
from tests.host.events.driver import FakeThreads, duel_plan, play_round, play_until, player, start_event
from tests.host.people import (
    ADA,
    BEN,
    CLEO,
    STRANGER,
    SettableClock,
    click_id,
    new_lobby,
    open_lobby,
    play_out,
    play_plies,
    start_game,
)
from tournaments.lasting.ratings import Scale


async def everything_of(host: Host, user_id: int) -> dict[str, list[dict[str, object]]]:
    """Return all stored rows about a user, by table."""
    return {table: rows for table, rows in (await host.erasure.export(user_id)).items() if rows}


@pytest.mark.usefixtures("few_tiles")
async def test_erasure_resigns_running_games_and_the_others_play_on(host: Host) -> None:
    game = await start_game(host, ADA, BEN, CLEO)
    await play_plies(host, game.id, 9)
    assert await host.erasure.erase(ADA.user_id) == 1
    after = await host.games.get(game.id)
    seat = game.seat_of(ADA.user_id) or 0
    assert after.withdrawn[seat]
    assert after.seats[seat].name == f"#{seat + 1}"
    assert after.seats[seat].user_id < 0
    await play_out(host, game.id)
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED


@pytest.mark.usefixtures("few_tiles")
async def test_erasure_keeps_the_record_of_a_finished_game(host: Host, new_host: NewHost) -> None:
    game = await start_game(host, ADA, BEN)
    await host.notes.set(game, ADA.user_id, "buy the second lot")
    await play_out(host, game.id)
    before = (await host.games.table(game.id)).position
    await open_lobby(host)
    assert await everything_of(host, ADA.user_id)
    await host.erasure.erase(ADA.user_id)
    assert await everything_of(host, ADA.user_id) == {}
    again = await (await new_host()).games.table(game.id)
    assert again.position.scores == before.scores
    assert {entry.user_id for entry in again.log} <= {BEN.user_id, *(-101 - seat for seat in range(2))}


async def test_an_open_lobby_passes_to_its_next_member(host: Host) -> None:
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, BEN, click_id())
    await host.erasure.erase(ADA.user_id)
    remaining = await host.lobbies.get(lobby.id)
    assert (remaining.owner_id, [person.user_id for person in remaining.members]) == (BEN.user_id, [BEN.user_id])


@pytest.mark.usefixtures("few_tiles")
async def test_both_players_of_a_game_can_be_erased(host: Host) -> None:
    game = await start_game(host, ADA, BEN)
    await play_out(host, game.id)
    for person in (ADA, BEN):
        await host.erasure.erase(person.user_id)
    after: Game = await host.games.get(game.id)
    assert [person.name for person in after.seats] == ["#1", "#2"]
    assert (await host.games.table(game.id)).position.is_over


async def test_erasure_is_idempotent(host: Host) -> None:
    game = await start_game(host, ADA, BEN, CLEO)
    assert await host.erasure.erase(ADA.user_id) == 1
    erased = await host.games.get(game.id)
    assert await host.erasure.erase(ADA.user_id) == 0
    assert await host.games.get(game.id) == erased


async def test_the_record_of_an_erasure_contains_no_user_id(host: Host, clock: SettableClock) -> None:
    ada = Person(10**17 + 101, "Ada")  # a realistic id: a short one may occur in a hash by chance
    await start_game(host, ada, BEN)
    await host.erasure.erase(ada.user_id)
    async with host._store.reading() as tx:
        erasures = await remembered_erasures(tx)
        assert await personal_data.known_people(tx) == [BEN.user_id]
    assert list(erasures.hashes.values()) == [clock.now()]
    assert str(ada.user_id) not in "".join(erasures.hashes)


async def test_a_computer_is_nobody_about_whom_data_is_stored(host: Host) -> None:
    """A restored copy is searched for people to forget: the seat of a computer, which has no id, is skipped."""
    lobby = await host.lobbies.open(new_lobby(capacity=2, computers=(Computer("Adela", "quick"),)), click_id())
    await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    async with host._store.reading() as tx:
        assert await personal_data.known_people(tx) == [ADA.user_id]
    assert await host.erasure.erase(ADA.user_id) == 1
    async with host._store.reading() as tx:
        assert await personal_data.known_people(tx) == []


OTHER_NUMBERS = {
    *("guild_id", "channel_id", "thread_id", "message_id", "interaction_id"),
    *("epoch", "undone_by", "rematch_of", "event_id", "starting", "amount", "lobby_id", "game_id", "scheduled_id"),
    *("granted", "given_back", "used", "free", "untold", "settled", "spent"),
}
"""Names of values that hold large numbers which are not ids of people."""
HANDLED_APART = {"bans.subject", "timers.subject"}
"""Columns that hold other ids, too: bans of people are kept, timers about people are deleted."""
DOCUMENT_COLUMNS = {
    *("requests.voters", "requests.details", "pauses.users", "operator_log.details"),
    *("events.plan", "events.specification", "event_facts.fact", "event_audit.details", "event_posts.details"),
    *("rated_results.players", "ladder_games.players"),
}
"""JSON columns that hold ids of people among other values; the actions of operators are kept, as bans are."""
OTHER_DOCUMENTS = {
    *("games.settings", "games.setup", "lobbies.settings", "lobbies.options"),
    *("lobbies.expansions", "lobbies.computers"),
    *("guild_settings.settings", "marks.value", "clocks.decisions", "rated_results.places", "pending.actions"),
    # Rows that are found by their own column of user ids.
    *("preferences.choices", "drafts.data", "notes.text", "event_reports.text"),
}
"""Columns with JSON or free text that name no person, or are erased by the user id of their row."""


def columns_of_people() -> tuple[set[str], set[str]]:
    """Return the columns of all tables that may hold ids of people: as numbers, and within JSON or texts."""
    numbers, documents = set(), set()
    for table in metadata.sorted_tables:
        for column in table.columns:
            place = f"{table.name}.{column.name}"
            if isinstance(column.type, Document | Text):
                documents.add(place)
            elif isinstance(column.type, BigInteger) and not column.foreign_keys and column is not table.c.get("id"):
                numbers.add(place)
    return numbers, documents


def test_every_column_that_may_hold_user_ids_is_erased_or_exempt() -> None:
    """Fail for a new column until `store/schema` says how it is erased, or it is listed above."""
    erased = {f"{column.table.name}.{column.name}" for column in personal_data.PERSON_COLUMNS} | HANDLED_APART
    numbers, documents = columns_of_people()
    unknown = {place for place in numbers - erased if place.partition(".")[2] not in OTHER_NUMBERS}
    assert unknown == set()
    assert documents - DOCUMENT_COLUMNS - OTHER_DOCUMENTS == set()
    assert documents >= DOCUMENT_COLUMNS | OTHER_DOCUMENTS, "columns that no longer exist are not listed"


async def test_bans_and_operator_actions_are_exported_and_kept(host: Host) -> None:
    await host.operators.ban(BanKind.USER, ADA.user_id, "an operator", "spam")
    await host.operators.ban(BanKind.USER, BEN.user_id, "an operator", "")
    exported = await everything_of(host, ADA.user_id)
    assert [(row["subject"], row["reason"]) for row in exported["bans"]] == [(ADA.user_id, "spam")]
    assert [row["what"] for row in exported["operator_log"]] == ["ban"]
    await host.erasure.erase(ADA.user_id)
    assert await everything_of(host, ADA.user_id) == exported


@pytest.mark.both_databases
async def test_consent_to_a_pause_is_exported_and_erased(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    async with host._store.writing() as tx:
        await clocks.begin_pause(tx, Pause(game.id, clock.now(), (ADA.user_id, BEN.user_id)))
    assert "pauses" in await everything_of(host, ADA.user_id)
    async with host._store.writing() as tx:
        await personal_data.erase(tx, ADA.user_id)
    assert await everything_of(host, ADA.user_id) == {}
    assert "pauses" in await everything_of(host, BEN.user_id)


@pytest.mark.both_databases
async def test_an_erasure_during_a_rating_rebuild_is_not_undone(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = await start_event(host, duel_plan(), 4)
    await play_round(host, clock, FakeThreads(host), event.code)
    erased_id, compute = player(1).user_id, Precomputed.compute

    async def compute_then_erase(precomputed: Precomputed, missing: NotYetError) -> None:
        """Erase the person between the computation and its transaction."""
        await compute(precomputed, missing)
        monkeypatch.undo()
        await host.erasure.erase(erased_id)

    monkeypatch.setattr(Precomputed, "compute", compute_then_erase)
    await host.events.ratings.rebuild(Scale.DUEL)
    assert await host.events.ratings.profile(0, erased_id) == ()
    assert len(await host.events.ratings.profile(0, player(2).user_id)) == 1


async def test_erasure_leaves_an_event_and_keeps_its_results(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    erased_id = player(1).user_id
    await host.erasure.erase(erased_id)
    await play_until(host, clock, threads, event.code)
    assert await everything_of(host, erased_id) == {}
    after = await host.events.reader.view(event.code)
    assert after.state is EventState.FINISHED
    (number,) = [entry.person.user_id for entry in after.entries if entry.person.user_id < 0]
    assert [entry.person.name for entry in after.entries if entry.person.user_id == number] != ["P1"]
    assert str(erased_id) not in await host.events.exports.as_json(event.code)
    assert len(await host.events.reader.standings(event.code)) == 4
    await host.events.ratings.rebuild()


async def test_a_manager_who_removed_a_player_is_exported_and_erased(host: Host) -> None:
    game = await start_game(host, ADA, BEN, CLEO)
    manager = Asker(STRANGER.user_id, game.guild_id, manages=True)
    await host.substitutions.remove(game.id, manager, BEN.user_id, click_id())
    [entry] = (await everything_of(host, STRANGER.user_id))["actions"]
    assert entry["text"] == f"resign:{1 + (game.seat_of(BEN.user_id) or 0)}"
    await host.erasure.erase(STRANGER.user_id)
    assert await everything_of(host, STRANGER.user_id) == {}
