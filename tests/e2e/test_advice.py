"""Advice by clicks: from the composer to the panel with it and to a move; who may not ask; failures and restarts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import simcord

from cogs.games.presenters import presenter_of
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import ButtonSpec
from engine import Cell, Pass, Place, parse_action
from host import TableRules, TableSettings, WorkerLimits
from tests.discord_limits.recorder import Recorder
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.lobby_cards import lobby_text
from tests.e2e.player import Shown, button_for, offered_ops
from tests.e2e.raw_interactions import last_answer, send_press
from tests.e2e.screen import Kind, MemberLanguage, buttons, buttons_by_kind, localized, mentioned_users, says, words
from tests.e2e.screen_reader import assert_readable_aloud
from tests.e2e.table import Table, open_table
from tests.e2e.test_computers import let_think
from tests.host.computers.thinker import FakeThinker

pytestmark = pytest.mark.usefixtures("random_language")


@pytest.fixture(autouse=True)
def thinker(monkeypatch: pytest.MonkeyPatch) -> FakeThinker:
    """Let computers think in this process, at once."""
    thinker = FakeThinker()
    monkeypatch.setattr("host.host.WorkerPool", lambda _limits: thinker)
    monkeypatch.setattr("host.games.outbox.READING_PAUSE", timedelta(0))
    return thinker


async def start(table: Table, game: str = "carcassonne", **options: object) -> simcord.MemberActor:
    """Start a game of Ana against a computer, up to her turn; return her."""
    ana = table.actors[0]
    if game == "carcassonne":
        options = {"expansions": "base"} | options
    await ana.slash(table.channel, "carc new", game=game, computers=1, **options)
    await ana.click(table.channel.last_message, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    await let_think(table)
    assert ana.id in mentioned_users(table.card().components)
    return ana


async def open_composer(table: Table, actor: simcord.MemberActor) -> Shown:
    """Open the composer from the card."""
    card = table.card()
    return await table.press(actor.id, card, button_for(card, Op.PLAY).custom_id)


async def ask(table: Table, actor: simcord.MemberActor) -> Shown:
    """Open the composer and ask for advice."""
    composer = await open_composer(table, actor)
    return await table.press(actor.id, composer, button_for(composer, Op.ADVICE).custom_id)


@pytest.mark.parametrize("game", ["carcassonne", "the-castle"])
async def test_advice_leads_to_a_move_by_three_taps(table: Table, game: str) -> None:
    ana = await start(table, game)
    before = table.stored()
    panel = await ask(table, ana)
    assert says(words(panel.components), "advice.title")
    assert says(words(panel.components), "advice.foot")
    first, second, third, back = [button for button in buttons(panel.components) if button.key.op is Op.PLAN]
    assert [button.label[0] for button in (first, second, third)] == ["1", "2", "3"]
    assert back.label == localized("button.back")
    chosen = await table.press(ana.id, panel, first.custom_id)
    assert table.stored().ply == before.ply, "choosing sends nothing"
    confirm = buttons_by_kind(chosen.components)[Kind.CONFIRM][0]
    assert confirm.key.argument.startswith(first.key.argument)
    await table.press(ana.id, chosen, confirm.custom_id)
    assert list(table.stored().log[before.ply : before.ply + 2]) == first.key.argument.split()


async def test_back_leads_to_the_spots_again(table: Table) -> None:
    ana = await start(table)
    panel = await ask(table, ana)
    back = [button for button in buttons(panel.components) if button.key.op is Op.PLAN][-1]
    composer = await table.press(ana.id, panel, back.custom_id)
    assert Kind.SPOT in buttons_by_kind(composer.components)
    assert Op.ADVICE in offered_ops(composer)


async def test_advice_is_asked_for_by_a_command(table: Table) -> None:
    ana = await start(table)
    answer = (await ana.slash(table.place, "carc hints", advice=True)).response
    assert answer is not None
    assert answer.ephemeral
    assert says(words(answer.components), "advice.title")
    first = next(button for button in buttons(answer.components) if button.key.op is Op.PLAN)
    chosen = await table.press(ana.id, Shown(answer, answer.components), first.custom_id)
    assert Kind.CONFIRM in buttons_by_kind(chosen.components)


async def test_advice_is_told_to_listeners(table: Table) -> None:
    ana = await start(table)
    settings = table.shown(await ana.slash(table.channel, "carc settings"))
    page = next(b for b in buttons(settings.components) if b.label == localized("button.settings_calls"))
    page_shown = await table.press(ana.id, settings, page.custom_id)
    ear = next(b for b in buttons(page_shown.components) if b.label == localized("setting.ear.on"))
    await table.press(ana.id, page_shown, ear.custom_id)
    panel = await ask(table, ana)
    assert_readable_aloud(panel)
    first = next(button for button in buttons(panel.components) if button.key.op is Op.PLAN)
    assert_readable_aloud(await table.press(ana.id, panel, first.custom_id))


def now(table: Table, panel: Shown) -> Shown:
    """Return a panel as it is now."""
    stored = table.env.backend.get_message(panel.handle.channel_id, panel.handle.id)
    return Shown(panel.handle, stored.components)


async def test_a_computer_that_fails_is_told_and_can_be_asked_again(table: Table, thinker: FakeThinker) -> None:
    """Time stands still in simcord, so that one which hangs is tested in ``tests/host`` and ``tests/cogs``."""
    ana = await start(table)
    composer = await open_composer(table, ana)
    thinker.failing = ("quick",)
    with nothing_changes(table):
        result = await ana.click(composer.handle, custom_id=button_for(composer, Op.ADVICE).custom_id)
    assert is_sentence("error.advice_failed", words(result.followups[-1].components))
    assert Kind.SPOT in buttons_by_kind(now(table, composer).components)
    thinker.failing = ()
    after = await table.press(ana.id, composer, button_for(composer, Op.ADVICE).custom_id)
    assert says(words(after.components), "advice.title")


async def test_a_double_press_is_thought_about_once(table: Table, thinker: FakeThinker) -> None:
    ana = await start(table)
    composer = await open_composer(table, ana)
    thinker.told.clear()
    custom_id = button_for(composer, Op.ADVICE).custom_id
    for _ in range(2):
        send_press(table.env, ana, composer.handle, custom_id)
    await table.env.settle()
    assert len(thinker.told) == 1
    assert says(words(now(table, composer).components), "advice.title")


async def test_a_panel_from_before_a_restart_still_asks(table: Table) -> None:
    ana = await start(table)
    composer = await open_composer(table, ana)
    await table.restart()
    panel = await table.press(ana.id, composer, button_for(composer, Op.ADVICE).custom_id)
    assert says(words(panel.components), "advice.title")


async def test_a_panel_of_an_earlier_move_gives_no_advice(table: Table, thinker: FakeThinker) -> None:
    ana = await start(table)
    old = await open_composer(table, ana)
    panel = await ask(table, ana)
    first = next(button for button in buttons(panel.components) if button.key.op is Op.PLAN)
    chosen = await table.press(ana.id, panel, first.custom_id)
    await table.press(ana.id, chosen, buttons_by_kind(chosen.components)[Kind.CONFIRM][0].custom_id)
    await let_think(table)
    thinker.told.clear()
    sent = send_press(table.env, ana, chosen.handle, button_for(old, Op.ADVICE).custom_id)
    await table.env.settle()
    assert is_sentence("error.stale_at", last_answer(sent))
    assert thinker.told == []


async def test_nobody_else_gets_advice(table: Table, thinker: FakeThinker) -> None:
    ana, ben = await start(table), table.actors[1]
    stored = table.stored()
    thinker.told.clear()
    own_panel = (await ben.slash(table.place, "carc hints")).response
    with nothing_changes(table):
        forged = send_press(table.env, ben, own_panel, str(Key(Op.ADVICE, stored.code, stored.ply)))
        await table.env.settle()
        assert is_sentence("error.not_a_player", last_answer(forged))
        assert is_sentence("refusal.no_game", answer_to(await ben.slash(table.place, "carc hints", advice=True)))
        public = send_press(
            table.env, ana, table.card().handle, str(Key(Op.ADVICE, stored.code, stored.ply)), offered=False
        )
        await table.env.settle()
        assert is_sentence("refusal.unknown_button", public.text)
    assert thinker.told == []


async def play_with_ben(table: Table, **settings: object) -> tuple[simcord.MemberActor, str]:
    """Start a game of Ana and Ben at a table with these settings; return who has to move, and the code."""
    ana, ben = table.actors[:2]
    await ana.slash(table.channel, "carc new", players=2)
    lobby = table.channel.last_message
    table_settings = TableSettings(language=MemberLanguage.language, **settings)  # type: ignore[arg-type]
    await table.bot.host.lobbies.set_rules(1, ana.id, TableRules((), {}, table_settings), interaction_id=1)
    await ben.click(lobby, label=localized("button.join"))
    await ana.click(lobby, label=localized("button.start"))
    table.place = table.channel.threads[-1]
    return table.members[mentioned_users(table.card().components)[0]], table.stored().code


async def test_people_get_no_advice_unless_their_table_allows_it(table: Table, thinker: FakeThinker) -> None:
    mover, code = await play_with_ben(table)
    assert Op.ADVICE not in offered_ops(await open_composer(table, mover))
    name = (await table.bot.host.games.get(code)).name
    refused = answer_to(await mover.slash(table.place, "carc hints", advice=True))
    assert refused == localized("error.no_advice", name=name, code=code)
    assert thinker.told == []


async def test_a_table_of_people_may_allow_advice(table: Table) -> None:
    mover, _ = await play_with_ben(table, advice=True)
    panel = await ask(table, mover)
    assert says(words(panel.components), "advice.title")
    other = next(actor for actor in table.actors[:2] if actor != mover)
    assert is_sentence("error.not_your_turn_at", answer_to(await other.slash(table.place, "carc hints", advice=True)))


async def test_the_owner_allows_advice_in_the_panel_of_rules(table: Table) -> None:
    ana = table.actors[0]
    await ana.slash(table.channel, "carc new", players=2)
    lobby = table.channel.last_message
    panel = table.shown(await ana.click(lobby, label=localized("button.ruling")))
    panel = await table.press(ana.id, panel, str(Key(Op.CHANGE, "1", 0, "table")))
    assert localized("ruling.advice", chosen=localized("ruling.mark.off")) in words(panel.components)
    panel = await table.press(ana.id, panel, str(Key(Op.CHANGE, "1", 0, "table advice all")))
    assert localized("ruling.advice", chosen=localized("ruling.mark.on")) in words(panel.components)
    assert (await table.bot.host.lobbies.get(1)).settings.advice
    assert localized("rules.advice") in lobby_text(table)


async def test_without_workers_there_is_no_button(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="one", workers=WorkerLimits(workers=0)) as table:
        mover, _ = await play_with_ben(table, advice=True)
        assert Op.ADVICE not in offered_ops(await open_composer(table, mover))
        assert is_sentence("error.no_advice", answer_to(await mover.slash(table.place, "carc hints", advice=True)))
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


async def test_there_is_no_advice_on_other_decisions(
    table: Table, thinker: FakeThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The presenter offers a decision on the card here, as in a bazaar."""
    ana = await start(table)
    thinker.told.clear()
    decision = [ButtonSpec(Op.ACT, "Pass", "pass")]
    monkeypatch.setattr(
        "cogs.commands.play.presenter_of", lambda position: replace(presenter_of(position), offers=lambda _: decision)
    )
    assert is_sentence("refusal.advice_tiles", answer_to(await ana.slash(table.place, "carc hints", advice=True)))
    assert thinker.told == []


async def test_a_lesson_gives_advice_without_the_piece_that_it_has_not_explained(
    table: Table, thinker: FakeThinker
) -> None:
    """The computer recommends a bridge here, which the first turn of a lesson does not offer."""
    ana = table.actors[0]
    await ana.slash(table.channel, "carc learn")
    table.place = table.channel.threads[-1]
    await let_think(table)
    panel = await ask(table, ana)
    assert says(words(panel.components), "advice.title")
    await table.restart()
    plain = await thinker.explain(thinker.told[-1], 1)
    aided = replace(plain[0], actions=(Place(Cell(5, 5), 0, aid=parse_action("~M13WE")), Pass()))
    thinker.candidates = [aided, *plain]
    panel = await ask(table, ana)
    chosen = [button.key.argument for button in buttons(panel.components) if button.key.op is Op.PLAN]
    assert chosen == [" ".join(map(str, plain[0].actions)), "p0"]
