"""Erasure takes a person out of everything; games go on or stay as they are, and replay as before."""

from __future__ import annotations

import pytest
from sqlalchemy import BigInteger, Text

from host import Asker, BanKind, Game, GameStatus, Host, Person
from host.admin.erasure import kept_of
from host.retry import NotYetError, Precomputed
from store import EventState, Pause, clocks, personal_data
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
    open_lobby,
    play_out,
    play_plies,
    start_game,
)
from tournaments.lasting.ratings import Scale


async def everything_of(host: Host, user_id: int) -> dict[str, list[dict[str, object]]]:
    return {table: rows for table, rows in (await host.erasure.everything(user_id)).items() if rows}


async def test_open_games_are_resigned_and_the_others_play_on(host: Host) -> None:
    game = await start_game(host, ADA, BEN, CLEO)
    await play_plies(host, game.id, 9)
    assert await host.erasure.forget(ADA.user_id) == 1
    after = await host.games.get(game.id)
    seat = game.seat_of(ADA.user_id) or 0
    assert after.withdrawn[seat]
    assert after.seats[seat].name == f"#{seat + 1}"
    assert after.seats[seat].user_id < 0
    await play_out(host, game.id)
    assert (await host.games.get(game.id)).status is GameStatus.FINISHED


async def test_nothing_is_left_and_a_finished_game_keeps_its_record(host: Host, new_host: NewHost) -> None:
    game = await start_game(host, ADA, BEN)
    await host.notes.set(game, ADA.user_id, "buy the second lot")
    await play_out(host, game.id)
    before = (await host.games.table(game.id)).position
    await open_lobby(host)
    assert await everything_of(host, ADA.user_id)
    await host.erasure.forget(ADA.user_id)
    assert await everything_of(host, ADA.user_id) == {}
    again = await (await new_host()).games.table(game.id)
    assert again.position.scores == before.scores
    assert {entry.user_id for entry in again.log} <= {BEN.user_id, *(-101 - seat for seat in range(2))}


async def test_an_open_lobby_goes_to_the_next_one(host: Host) -> None:
    lobby = await open_lobby(host)
    await host.lobbies.join(lobby.id, BEN, click_id())
    await host.erasure.forget(ADA.user_id)
    left = await host.lobbies.get(lobby.id)
    assert (left.owner_id, [person.user_id for person in left.members]) == (BEN.user_id, [BEN.user_id])


async def test_both_of_a_game_can_be_forgotten(host: Host) -> None:
    game = await start_game(host, ADA, BEN)
    await play_out(host, game.id)
    for person in (ADA, BEN):
        await host.erasure.forget(person.user_id)
    after: Game = await host.games.get(game.id)
    assert [person.name for person in after.seats] == ["#1", "#2"]
    assert (await host.games.table(game.id)).position.is_over


async def test_twice_is_as_good_as_once(host: Host) -> None:
    game = await start_game(host, ADA, BEN, CLEO)
    assert await host.erasure.forget(ADA.user_id) == 1
    once = await host.games.get(game.id)
    assert await host.erasure.forget(ADA.user_id) == 0
    assert await host.games.get(game.id) == once


async def test_what_is_kept_names_nobody(host: Host, clock: SettableClock) -> None:
    ada = Person(10**17 + 101, "Ada")  # as long as ids are: three digits may stand in a hash by chance
    await start_game(host, ada, BEN)
    await host.erasure.forget(ada.user_id)
    async with host._store.reading() as tx:
        kept = await kept_of(tx)
        assert await personal_data.known_people(tx) == [BEN.user_id]
    assert list(kept.hashes.values()) == [clock.now()]
    assert str(ada.user_id) not in "".join(kept.hashes)


NUMBERS_OF_NOBODY = {
    *("guild_id", "channel_id", "thread_id", "message_id", "interaction_id"),
    *("epoch", "undone_by", "rematch_of", "starting", "amount"),
    *("granted", "given_back", "used", "free", "untold", "settled", "spent"),
}
"""Names of values that hold large numbers which are not ids of people."""
DOCUMENTS_OF_NOBODY = {
    *("games.settings", "games.setup", "lobbies.settings", "lobbies.options", "lobbies.expansions"),
    *("guild_settings.settings", "marks.value", "clocks.decisions", "rated_results.places", "pending.actions"),
    # Rows that are found by their own column with an id.
    *("preferences.choices", "drafts.data", "notes.text", "event_reports.text"),
}


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


def test_no_column_with_somebodys_id_is_overlooked() -> None:
    """A new column is looked after in `store/admin/personal_data.py`, or said here to hold nobody's id."""
    looked_after = {f"{column.table.name}.{column.name}" for column in personal_data.ALL} | set(personal_data.KEPT)
    numbers, documents = columns_of_people()
    left = {place for place in numbers - looked_after if place.partition(".")[2] not in NUMBERS_OF_NOBODY}
    assert left == set()
    assert documents - personal_data.IN_DOCUMENTS - DOCUMENTS_OF_NOBODY == set()
    assert documents >= personal_data.IN_DOCUMENTS | DOCUMENTS_OF_NOBODY, "what is gone is named no more"


async def test_what_operators_decided_about_somebody_is_shown_and_survives(host: Host) -> None:
    await host.operators.keep_out(BanKind.USER, ADA.user_id, "an operator", "spam")
    await host.operators.keep_out(BanKind.USER, BEN.user_id, "an operator", "")
    shown = await everything_of(host, ADA.user_id)
    assert [(row["subject"], row["reason"]) for row in shown["bans"]] == [(ADA.user_id, "spam")]
    assert [row["what"] for row in shown["operator_log"]] == ["ban"]
    await host.erasure.forget(ADA.user_id)
    assert await everything_of(host, ADA.user_id) == shown


async def test_who_has_agreed_to_a_pause_is_shown_and_taken_out(host: Host, clock: SettableClock) -> None:
    game = await start_game(host, ADA, BEN)
    async with host._store.writing() as tx:
        await clocks.begin_pause(tx, Pause(game.id, clock.now(), (ADA.user_id, BEN.user_id)))
    assert "pauses" in await everything_of(host, ADA.user_id)
    async with host._store.writing() as tx:
        await personal_data.forget(tx, ADA.user_id)
    assert await everything_of(host, ADA.user_id) == {}
    assert "pauses" in await everything_of(host, BEN.user_id)


async def test_who_is_forgotten_while_ratings_are_worked_out_stays_forgotten(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = await start_event(host, duel_plan(), 4)
    await play_round(host, clock, FakeThreads(host), event.code)
    gone, compute = player(1).user_id, Precomputed.compute

    async def meanwhile(precomputed: Precomputed, missing: NotYetError) -> None:
        await compute(precomputed, missing)
        monkeypatch.undo()
        await host.erasure.forget(gone)

    monkeypatch.setattr(Precomputed, "compute", meanwhile)
    await host.events.ratings.rebuild(Scale.DUEL)
    assert await host.events.ratings.profile(0, gone) == ()
    assert len(await host.events.ratings.profile(0, player(2).user_id)) == 1


async def test_an_event_is_left_and_stays_as_it_was(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    gone = player(1).user_id
    await host.erasure.forget(gone)
    await play_until(host, clock, threads, event.code)
    assert await everything_of(host, gone) == {}
    after = await host.events.reader.view(event.code)
    assert after.state is EventState.FINISHED
    (number,) = [entry.person.user_id for entry in after.entries if entry.person.user_id < 0]
    assert [entry.person.name for entry in after.entries if entry.person.user_id == number] != ["P1"]
    assert str(gone) not in await host.events.exports.as_json(event.code)
    assert len(await host.events.reader.standings(event.code)) == 4
    await host.events.ratings.rebuild()


async def test_who_took_somebody_out_of_a_game_without_a_seat_there_is_shown_and_taken_out(host: Host) -> None:
    game = await start_game(host, ADA, BEN, CLEO)
    boss = Asker(STRANGER.user_id, game.guild_id, manages=True)
    await host.substitutions.remove(game.id, boss, BEN.user_id, click_id())
    [entry] = (await everything_of(host, STRANGER.user_id))["actions"]
    assert entry["text"] == f"resign:{1 + (game.seat_of(BEN.user_id) or 0)}"
    await host.erasure.forget(STRANGER.user_id)
    assert await everything_of(host, STRANGER.user_id) == {}
