"""The SQL cost of clocks: three statements a move at most, no further transaction, none in untimed games.

The second move of a game and the sending of its card are measured once without clocks and once with them.
"""

from __future__ import annotations

from host import Host
from store import Store
from tests.host.people import ADA, BEN, CLEO, SettableClock
from tests.host.test_clocks import decide, open_game, place_and_pass, post_all
from tests.host.test_plans import record_statements

MAX_STATEMENTS = 3
"""Statements that clocks may add to a move and its card."""


async def statements_of_a_move(host: Host, clock: SettableClock, pace: str) -> list[str]:
    """Return the statements of the second move of a game and of its card."""
    store: Store = host._store
    game = await open_game(host, ADA, BEN, CLEO, pace=pace)
    await post_all(host)
    await decide(host, game, place_and_pass, clock.now())
    await post_all(host)
    with record_statements(store) as statements:
        await decide(host, game, place_and_pass, clock.now())
        await post_all(host)
    return [text for text, _ in statements if not text.startswith(("BEGIN", "COMMIT"))]


async def test_a_clock_costs_a_move_three_statements(host: Host, clock: SettableClock) -> None:
    untimed, timed = [await statements_of_a_move(host, clock, pace) for pace in ("none", "standard")]
    assert not [text for text in untimed if "UPDATE clocks" in text or ("FROM clocks" in text and "outbox" not in text)]
    assert len(timed) - len(untimed) <= MAX_STATEMENTS
