"""Autocompletion of moves: a newer input replaces older ones that have not been looked up yet.

Discord sends an input for each keystroke. The lookup runs in a worker thread and is blocked here until newer inputs
have arrived.
"""

import asyncio
import threading
from unittest.mock import AsyncMock, MagicMock

import pytest
from discord import app_commands

from cogs.commands import autocomplete
from cogs.services.render_pool import RenderPool
from cogs.words.typed_moves import TypedMove
from engine.carcassonne import Position, new_setup


async def test_suggestions_for_an_outdated_input_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs: list[str] = []
    lookup_started, lookup_may_finish = threading.Event(), threading.Event()

    def slow_lookup(_presenter: object, _position: object, typed: str, _most: int) -> list[TypedMove]:
        """Record the input and wait until the test lets the lookup finish."""
        inputs.append(typed)
        lookup_started.set()
        assert lookup_may_finish.wait(30)
        return [TypedMove("M12/0", typed)]

    position = Position(new_setup(players=2, seed="1"))
    monkeypatch.setattr(autocomplete, "typed_moves", slow_lookup)
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock())
    monkeypatch.setattr(autocomplete, "table_to_move", AsyncMock(return_value=MagicMock(position=position)))
    interaction = MagicMock()
    interaction.client.render_pool, interaction.user.id = RenderPool(), 1

    def complete(typed: str) -> asyncio.Task[list[app_commands.Choice[str]]]:
        """Begin to suggest moves for an input."""
        return asyncio.create_task(autocomplete.complete_move(interaction, typed))

    completions = [complete("M")]
    assert await asyncio.to_thread(lookup_started.wait, 30)
    completions += map(complete, ("M1", "M12", "M12/"))
    await asyncio.sleep(0)  # each of them has asked the worker, which is still busy
    lookup_may_finish.set()
    suggested = [[choice.name for choice in choices] for choices in await asyncio.gather(*completions)]
    interaction.client.render_pool.close()
    assert suggested == [[], [], [], ["M12/"]]
    assert inputs == ["M", "M12/"]
