"""Within a transaction only the database is awaited: what takes a while is worked out before it."""

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
EXCUSED = {
    "host/admin/checks.py": "an operator's look through a whole database, on one snapshot; nobody waits",
    "store/connection/database.py": "gives the connection itself back",
}
GIVEN = ("Transaction", "AsyncConnection")
"""Annotations of an argument that make a function part of its caller's transaction."""


def awaited_beside(tree: ast.AST, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """Functions that await something else while a transaction of one of these names is open."""
    match tree:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            arguments = (*tree.args.args, *tree.args.kwonlyargs)
            names = frozenset(
                each.arg for each in arguments if each.annotation and ast.unparse(each.annotation) in GIVEN
            )
        case ast.AsyncWith():
            opened = (node for item in tree.items for node in ast.walk(item.optional_vars or item.context_expr))
            begun = {node.id for node in opened if isinstance(node, ast.Name) and node.id in {"tx", "stored"}}
            if names and begun:
                yield f"{tree.lineno}: a transaction within another"
            names |= begun | {"tx"} if begun else frozenset()
        case ast.Await() if names:
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            if not used & names or "asyncio" in used:
                yield f"{tree.lineno}: {ast.unparse(tree)}"
    for child in ast.iter_child_nodes(tree):
        yield from awaited_beside(child, names)


def test_no_transaction_spans_an_await_of_anything_else() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{beside}"
        for room in ("host", "store")
        for path in (ROOT / room).rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in EXCUSED
        for beside in awaited_beside(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set()


@pytest.mark.parametrize("name", list(EXCUSED))
def test_what_is_excused_is_there_and_has_to_be(name: str) -> None:
    assert list(awaited_beside(ast.parse((ROOT / name).read_text(encoding="utf-8"))))


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
def test_it_is_found(text: str, count: int) -> None:
    assert len(list(awaited_beside(ast.parse(text)))) == count


async def test_who_joins_while_a_game_is_drawn_up_sits_at_it(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """No lock is held meanwhile; and a game drawn up without the new player is drawn up again."""
    lobby = await open_lobby(host, capacity=3)
    await host.lobbies.join(lobby.id, BEN, click_id())
    loop, drawn_up = asyncio.get_running_loop(), []

    def slowly(*args: Any) -> Any:
        drawn_up.append(args)
        if len(drawn_up) == 1:
            asyncio.run_coroutine_threadsafe(host.lobbies.join(lobby.id, CLEO, click_id()), loop).result(timeout=60)
        return new_game_of(*args)

    monkeypatch.setattr(lobbies, "new_game_of", slowly)
    game = await asyncio.wait_for(host.lobbies.start(lobby.id, ADA.user_id, click_id()), 60)
    assert {person.user_id for person in game.players} == {ADA.user_id, BEN.user_id, CLEO.user_id}
    assert len(drawn_up) == 2


async def test_a_game_is_drawn_up_once_where_nothing_changes(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    lobby = await open_lobby(host, capacity=2)
    await host.lobbies.join(lobby.id, BEN, click_id())
    drawn_up = []
    monkeypatch.setattr(lobbies, "new_game_of", lambda *args: drawn_up.append(args) or new_game_of(*args))
    await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    assert len(drawn_up) == 1


async def test_what_has_changed_is_worked_out_anew() -> None:
    states, worked, seen = iter("abb"), [], []

    async def transaction(precomputed: Precomputed) -> str:
        seen.append(state := next(states))
        return precomputed.of(state, lambda: worked.append(state) or state.upper())

    assert await run_with_precomputed(transaction) == "B"
    assert (seen, worked) == (["a", "b", "b"], ["a", "b"])
