"""Languages: private texts use the reader's language, public texts the table's.

Ana's Discord is in the pseudo-language, whose texts stand in brackets; all other members use English. So brackets
show that a text is in Ana's language.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random

import discord
import pytest

from cogs.commands.table_options import LOCALE, TABLE, Target
from cogs.presenting.ids import Key, Op
from cogs.texts import LANGUAGE
from cogs.texts.languages import languages
from host import LANGUAGE as CHOSEN
from host import Asker, Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.locales import use_locale
from tests.e2e.player import Clicker, Habits
from tests.e2e.raw_interactions import send_press
from tests.e2e.screen import Kind, buttons_by_kind, mentioned_users, words
from tests.e2e.table import Table, open_table
from tests.e2e.test_undo import make_move, publish_due
from tests.pseudo_language import CLOSING_BRACKET, OPENING_BRACKET, PSEUDO_CODE, PSEUDO_LOCALE, install_pseudo_language


@pytest.fixture
def locales() -> dict[int, str]:
    """Return the locales by user id; all other users have English."""
    return {}


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, no_drawing: None, locales: dict[int, str]) -> AsyncIterator[Table]:
    """Yield members in a channel; Ana's locale is that of the pseudo-language."""
    with install_pseudo_language(), use_locale(LANGUAGE, "en-GB", others=locales):
        async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
            locales[table.actors[0].id] = PSEUDO_LOCALE
            yield table
    assert recorder.problems() == []


def is_in_pseudo_language(text: str) -> bool:
    """Return whether a text contains a translated part in brackets."""
    return OPENING_BRACKET in text and CLOSING_BRACKET in text


async def answer_text(table: Table, member: int, command: str, **options: str) -> str:
    """Send a command and return its answer."""
    result = await table.actors[member].slash(table.channel, f"carc {command}", **options)
    message = result.followups[-1] if result.followups else result.response
    assert message is not None
    return words(message.components)


async def open_lobby(table: Table, member: int) -> str:
    """Let a member open a lobby; return the text of its card."""
    await table.actors[member].slash(table.channel, "carc new", players=2)
    stored = table.env.backend.messages.get(table.channel.id, {}).values()
    return next(card for card in reversed([words(m.components) for m in stored if m.visible_to(None)]) if card)


async def test_an_answer_uses_the_language_of_its_reader(table: Table) -> None:
    assert is_in_pseudo_language(await answer_text(table, 0, "games"))
    assert not is_in_pseudo_language(await answer_text(table, 1, "games"))


async def test_suggestions_use_the_language_of_their_reader(table: Table) -> None:
    for member, expected in ((0, True), (1, False)):
        suggestions = await table.actors[member].autocomplete(table.channel, "carc new", "rules", "")
        assert {is_in_pseudo_language(choice["name"]) for choice in suggestions} == {expected}


@pytest.mark.parametrize(("first", "others"), [(PSEUDO_LOCALE, "en-US"), ("en-US", PSEUDO_LOCALE)])
async def test_cards_use_the_language_of_the_member_who_opened_the_table(
    table: Table, locales: dict[int, str], first: str, others: str
) -> None:
    """Cards use it whoever moves; the private panels use the language of the player who moves."""
    for number, actor in enumerate(table.actors):
        locales[actor.id] = others if number else first
    clicker = Clicker(table, Random(1), Habits(quick=True))
    with use_locale(PSEUDO_CODE if first == PSEUDO_LOCALE else LANGUAGE, first, others=locales):
        await table.start(2, expansions="base")
    for _ in range(3):
        card = table.card()
        clicker.last = None
        (member,) = mentioned_users(card.components)
        uses_pseudo = locales[member] == PSEUDO_LOCALE
        with use_locale(PSEUDO_CODE if uses_pseudo else LANGUAGE, first, others=locales):
            panel = await table.press(member, card, buttons_by_kind(card.components)[Kind.PLAY][0].custom_id)
            assert is_in_pseudo_language(words(panel.components)) is uses_pseudo
            await clicker.complete_turn(member, panel)
        assert clicker.last is not None
        assert is_in_pseudo_language(words(clicker.last.components)) is uses_pseudo
    assert {is_in_pseudo_language(words(card.components)) for card in table.cards()} == {first == PSEUDO_LOCALE}


async def test_a_member_with_an_unsupported_locale_reads_the_language_of_the_table(
    table: Table, locales: dict[int, str]
) -> None:
    ben, cleo = table.actors[1:3]
    locales |= {ben.id: "tlh", cleo.id: "pt-BR"}
    await open_lobby(table, 0)
    lobby = table.channel.last_message
    assert lobby is not None
    for actor in (ben, cleo):
        result = await actor.click(lobby, custom_id=str(Key(Op.SEATS, "1")))
        assert is_in_pseudo_language(words(Table.shown(result).components))
        assert not is_in_pseudo_language(await answer_text(table, table.actors.index(actor), "games")), (
            "without a table, English"
        )
    assert not is_in_pseudo_language(await open_lobby(table, 1))


async def test_a_members_setting_overrides_their_locale(table: Table) -> None:
    ben = table.actors[1]
    await table.bot.host.preferences.set(ben.id, Preferences(choices={CHOSEN: PSEUDO_CODE}))
    assert is_in_pseudo_language(await answer_text(table, 1, "games"))
    await table.restart()
    assert is_in_pseudo_language(await answer_text(table, 1, "games")), "after a restart"
    await table.bot.host.preferences.set(ben.id, Preferences(choices={CHOSEN: "tlh"}))
    assert not is_in_pseudo_language(await answer_text(table, 1, "games")), "a language that is no longer supported"


async def test_a_servers_language_overrides_that_of_the_opener(table: Table) -> None:
    guild = table.channel._channel.guild_id or 0
    manager = Asker(table.actors[0].id, guild, manages=True)
    await table.bot.host.servers.change(manager, language=LANGUAGE)
    assert not is_in_pseudo_language(await open_lobby(table, 0))
    await table.bot.host.servers.change(manager, language=PSEUDO_CODE)
    assert is_in_pseudo_language(await open_lobby(table, 1))


@pytest.mark.parametrize("features", [["COMMUNITY"], []])
async def test_a_community_servers_locale_overrides_that_of_the_opener(table: Table, features: list[str]) -> None:
    """Other servers report a default locale that no one has chosen."""
    guild = table.bot.get_guild(table.channel._channel.guild_id or 0)
    assert guild is not None
    guild.features, guild.preferred_locale = features, discord.Locale(PSEUDO_LOCALE)
    assert is_in_pseudo_language(await open_lobby(table, 1)) is bool(features)
    guild.preferred_locale = discord.Locale.american_english
    assert is_in_pseudo_language(await open_lobby(table, 0)) is not bool(features)
    await table.bot.host.servers.change(Asker(table.actors[0].id, guild.id, manages=True), language=PSEUDO_CODE)
    assert is_in_pseudo_language(await open_lobby(table, 1)), "the managers' setting comes first"


async def test_a_tables_language_can_be_changed_until_the_start(table: Table) -> None:
    """The opener, whose locale is English, presses all buttons except one."""
    owner, other = table.actors[1:3]
    assert not is_in_pseudo_language(await open_lobby(table, 1))
    lobby = table.channel.last_message
    assert lobby is not None
    panel = table.shown(await owner.click(lobby, custom_id=str(Key(Op.RULING, "1"))))
    chosen = str(Key(Op.CHANGE, "1", 0, str(Target(TABLE, LOCALE, PSEUDO_CODE))))
    sent = send_press(table.env, owner, panel.handle, chosen, offered=False)
    await table.env.settle()
    assert sent.record.responded
    assert is_in_pseudo_language(words(table.env.backend.get_message(table.channel.id, lobby.id).components))
    await other.click(lobby, custom_id=str(Key(Op.JOIN, "1")))
    await owner.click(lobby, custom_id=str(Key(Op.START, "1")))
    await table.env.settle()
    code, table.place = table.stored().code, table.channel.threads[-1]
    back = str(Key(Op.CHANGE, "1", 0, str(Target(TABLE, LOCALE, LANGUAGE))))
    late = send_press(table.env, owner, panel.handle, back, offered=False)
    await table.env.settle()
    assert late.record.responded
    assert (await table.bot.host.games.get(code)).settings.language == PSEUDO_CODE
    assert all(is_in_pseudo_language(words(card.components)) for card in table.cards())


async def test_a_new_server_language_does_not_change_existing_tables(table: Table) -> None:
    with use_locale(PSEUDO_CODE, PSEUDO_LOCALE):
        await table.start(2, expansions="base")
    guild = table.channel._channel.guild_id or 0
    await table.bot.host.servers.change(Asker(table.actors[0].id, guild, manages=True), language=LANGUAGE)
    with use_locale(PSEUDO_CODE, PSEUDO_LOCALE):
        await Clicker(table, Random(1), Habits(quick=True)).move(table.card())
    assert all(is_in_pseudo_language(words(card.components)) for card in table.cards())


async def test_a_table_with_a_removed_language_continues_in_english(table: Table) -> None:
    with use_locale(PSEUDO_CODE, PSEUDO_LOCALE):
        await table.start(2, expansions="base")
    with pytest.MonkeyPatch.context() as patch, use_locale(LANGUAGE, PSEUDO_LOCALE):
        patch.delitem(languages(), PSEUDO_CODE)  # type: ignore[arg-type]
        await Clicker(table, Random(1), Habits(quick=True)).move(table.card())
    assert [is_in_pseudo_language(words(card.components)) for card in table.cards()] == [True, False]


async def test_the_last_locale_is_remembered_for_direct_messages(table: Table) -> None:
    ana = table.actors[0]
    await answer_text(table, 0, "games")
    await table.restart()
    assert (await table.bot.host.locales.of(ana.id)).locale == PSEUDO_LOCALE


async def test_a_movers_panel_is_updated_in_their_language(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The update comes at the end of the publish window, without an interaction, at a table in English."""
    monkeypatch.setattr("discord.Interaction.is_expired", lambda _: False)  # the offline Discord has its own clock
    window = timedelta(seconds=60)
    with install_pseudo_language(), use_locale(PSEUDO_CODE, PSEUDO_LOCALE):
        async with open_table(tmp_path / "games.sqlite3", seed="one", publish_window=window) as table:
            guild = table.channel._channel.guild_id or 0
            await table.bot.host.servers.change(Asker(table.actors[0].id, guild, manages=True), language=LANGUAGE)
            with use_locale(LANGUAGE, PSEUDO_LOCALE):  # members read the buttons of an English card
                await table.start(2)
            _, panel = await make_move(table)
            await publish_due(table)
            after = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
            assert is_in_pseudo_language(words(after.components))
            assert not any(is_in_pseudo_language(words(card.components)) for card in table.cards())
    assert recorder.problems() == []
