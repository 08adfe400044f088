"""``/operator``: the bot's operators freeze, thaw and close games in Discord; all others are refused, all is logged.

Discord names the owner of the bot's application, a user or a team with roles; they are its operators. A frozen game
accepts no moves.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import simcord

from host import GameStatus
from tests.discord_limits.recorder import Recorder
from tests.e2e.answers import nothing_changes
from tests.e2e.screen import localized, says, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")

OPERATOR = 3
"""Index of the member who owns the application."""


def make_owner(table: Table, number: int, patch: pytest.MonkeyPatch, team: str = "") -> None:
    """Make a member the owner of the application, or give them a role in the team that owns it."""
    original_info, owner = table.bot.http.application_info, table.actors[number].id
    user = {"id": str(owner), "username": "x", "discriminator": "0", "avatar": None}
    member = {"user": user, "team_id": "1", "membership_state": 2, "role": team, "permissions": ["*"]}
    team_data = {"id": "1", "name": "x", "icon": None, "owner_user_id": str(table.bot.user.id), "members": [member]}

    async def application_info() -> Any:
        """Return the real answer with another owner."""
        return {**await original_info(), **({"team": team_data} if team else {"team": None, "owner": user})}

    patch.setattr(table.bot.http, "application_info", application_info)


@pytest.fixture
async def table(
    tmp_path: Path, recorder: Recorder, no_drawing: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Table]:
    """Yield a game of two; the fourth member operates the bot and does not play."""
    async with open_table(tmp_path / "games.sqlite3", seed="one") as table:
        make_owner(table, OPERATOR, monkeypatch)
        await table.start(2)
        yield table
    assert recorder.problems() == []


async def send_operator(table: Table, number: int, command: str, **options: Any) -> str:
    """Send an operator command by direct message; return the answer."""
    result = await table.users[number].slash(f"operator {command}", **options)
    await table.env.settle()
    assert result.response is not None
    assert result.response.ephemeral
    return words(result.response.components)


async def test_a_game_is_frozen_thawed_and_closed(table: Table) -> None:
    me, game = OPERATOR, await table.bot.host.games.get(table.stored().code)
    about = {"name": game.name, "code": game.code, "ply": game.ply}
    assert await send_operator(table, me, "list") == localized("operator.nothing")
    assert await send_operator(table, me, "freeze", game=game.code, reason="looked at") == localized(
        "operator.frozen", **about
    )
    assert says(words(table.card().components), "card.held"), "announced in the thread"
    listed = await send_operator(table, me, "list")
    assert listed.startswith(localized("operator.found", count=1))
    assert "looked at" in listed
    assert localized("error.frozen") in await send_operator(table, me, "freeze", game=game.code)
    assert await send_operator(table, me, "thaw", game=game.code.lower()) == localized("operator.thawed", **about)
    assert await send_operator(table, me, "close", game=game.code) == localized("operator.closed", **about)
    assert (await table.bot.host.games.get(game.code)).status is GameStatus.FINISHED
    logged = await table.bot.host.operators.logged_actions()
    assert [action.what for action in logged] == ["close", "thaw", "list", "freeze", "list"]
    assert all(str(table.users[me].id) in action.by for action in logged)


@pytest.mark.parametrize("command", ["list", "freeze", "thaw", "close"])
async def test_all_other_members_are_refused(table: Table, command: str) -> None:
    options = {} if command == "list" else {"game": table.stored().code}
    with nothing_changes(table):
        for number in (0, 4):
            assert await send_operator(table, number, command, **options) == localized("refusal.not_operator")
    assert await table.bot.host.operators.logged_actions() == []


@pytest.mark.parametrize(("role", "runs"), [("admin", True), ("developer", True), ("read_only", False)])
async def test_a_team_runs_the_bot_for_as_long_as_it_owns_the_application(
    table: Table, monkeypatch: pytest.MonkeyPatch, role: str, runs: bool
) -> None:
    make_owner(table, 4, monkeypatch, team=role)
    assert (await send_operator(table, 4, "list") == localized("operator.nothing")) is runs
    make_owner(table, OPERATOR, monkeypatch)
    asked, table.bot.lookups._cache = (
        table.bot.lookups._cache,
        OrderedDict(),
    )  # as if a minute later, when the cache has expired
    assert asked
    assert await send_operator(table, 4, "list") == localized("refusal.not_operator")
    assert await send_operator(table, OPERATOR, "list") == localized("operator.nothing")


async def test_an_unknown_game_is_reported(table: Table) -> None:
    with nothing_changes(table):
        assert await send_operator(table, OPERATOR, "close", game="NOPE") == localized("error.unknown_game")


async def test_members_do_not_see_the_command_in_a_server(table: Table) -> None:
    with pytest.raises(simcord.SetupError, match="default-member-permissions"):
        await table.actors[OPERATOR].slash(table.channel, "operator list")
