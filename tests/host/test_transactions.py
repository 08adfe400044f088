"""Transactions await nothing but the database; slow work is done before they begin.

The sources of host and store are parsed; then starts of games show that slow work is repeated when it is outdated.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import host as host_package
from host import Host, lobbies
from host.lobbies import new_game_of
from host.retry import Precomputed, run_with_precomputed
from tests.host.people import ADA, BEN, CLEO, click_id, open_lobby

ROOT = Path(host_package.__file__).parent.parent
EXEMPT = {
    "host/admin/checks.py": "an operator's check of a whole database on one snapshot, for which no player waits",
    "store/connection/database.py": "returns the connection itself to the pool",
}
"""Modules that are left out, each with the reason."""
TRANSACTION_TYPES = ("Transaction", "AsyncConnection")
"""Annotations of a parameter that make a function part of its caller's transaction."""


def foreign_awaits(tree: ast.AST, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield line and text of each await of something else while a transaction of one of these names is open."""
    match tree:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            arguments = (*tree.args.args, *tree.args.kwonlyargs)
            names = frozenset(
                argument.arg
                for argument in arguments
                if argument.annotation and ast.unparse(argument.annotation) in TRANSACTION_TYPES
            )
        case ast.AsyncWith():
            opened = (node for item in tree.items for node in ast.walk(item.optional_vars or item.context_expr))
            started = {node.id for node in opened if isinstance(node, ast.Name) and node.id in {"tx", "stored"}}
            if names and started:
                yield f"{tree.lineno}: a transaction within another"
            names |= started | {"tx"} if started else frozenset()
        case ast.Await() if names:
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            if not used & names or "asyncio" in used:
                yield f"{tree.lineno}: {ast.unparse(tree)}"
    for child in ast.iter_child_nodes(tree):
        yield from foreign_awaits(child, names)


def test_no_transaction_spans_an_await_of_anything_else() -> None:
    awaits = {
        f"{path.relative_to(ROOT)}:{found_await}"
        for room in ("host", "store")
        for path in (ROOT / room).rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in EXEMPT
        for found_await in foreign_awaits(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert awaits == set()


@pytest.mark.parametrize("name", list(EXEMPT))
def test_every_exempt_module_needs_its_exemption(name: str) -> None:
    assert list(foreign_awaits(ast.parse((ROOT / name).read_text(encoding="utf-8"))))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("async def f():\n async with store.writing() as tx:\n  await games.get(tx, 1)", 0),
        ("async def f():\n async with store.writing() as tx:\n  await asyncio.to_thread(make)", 1),
        ("async def f(tx: Transaction):\n await asyncio.to_thread(make, tx)", 1),
        ("async def f():\n async with store.writing() as tx:\n  pass\n await asyncio.to_thread(make)", 0),
        ("async def f():\n async with store.writing() as tx:\n  async with store.reading() as tx:\n   pass", 1),
    ],
)
def test_awaits_within_transactions_are_found(text: str, count: int) -> None:
    assert len(list(foreign_awaits(ast.parse(text)))) == count


async def test_a_player_who_joins_while_the_game_is_set_up_plays(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the game up again when a player joined meanwhile, as no lock is held while it is set up."""
    lobby = await open_lobby(host, capacity=3)
    await host.lobbies.join(lobby.id, BEN, click_id())
    loop, setups = asyncio.get_running_loop(), []

    def create_while_joining(*args: Any) -> Any:
        setups.append(args)
        if len(setups) == 1:
            asyncio.run_coroutine_threadsafe(host.lobbies.join(lobby.id, CLEO, click_id()), loop).result(timeout=60)
        return new_game_of(*args)

    monkeypatch.setattr(lobbies, "new_game_of", create_while_joining)
    game = await asyncio.wait_for(host.lobbies.start(lobby.id, ADA.user_id, click_id()), 60)
    assert {person.user_id for person in game.players} == {ADA.user_id, BEN.user_id, CLEO.user_id}
    assert len(setups) == 2


async def test_a_game_is_set_up_once_if_nothing_changes(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby = await open_lobby(host, capacity=2)
    await host.lobbies.join(lobby.id, BEN, click_id())
    setups = []
    monkeypatch.setattr(lobbies, "new_game_of", lambda *args: setups.append(args) or new_game_of(*args))
    await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert len(setups) == 1


async def test_changed_input_is_computed_again() -> None:
    states, computed, seen = iter("abb"), [], []

    async def transaction(precomputed: Precomputed) -> str:
        seen.append(state := next(states))
        return precomputed.of(state, lambda: computed.append(state) or state.upper())

    assert await run_with_precomputed(transaction) == "B"
    assert (seen, computed) == (["a", "b", "b"], ["a", "b"])
