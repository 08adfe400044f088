"""The largest that a game can become: six long names full of marks, boards with more than seventy spots, six lots.

Everything that is sent is checked against Discord's limits; here the pictures are the real ones.
"""

import re
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import FIELD
from cogs.words.alt_texts import LONGEST as LONGEST_ALT
from engine.carcassonne import Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, BuyOrSell, ChooseLot
from engine.selfplay import random_action
from tests.discord_limits.recorder import Recorder
from tests.e2e.fast_forward import create_game, fast_forward, placeable_cells, spread_out
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import Button, Kind, alt_texts, buttons_by_kind, words
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")

NAMES = (
    "@everyone **bold** __under__ ~~~~",
    "<@&123456789012345678> `code` ||h",
    "[link](https://example.com/xxxxx)",
    "# heading > quote - list 1. one *",
    "@here <#123456789012345678> \\_\\*~",
    "ÄÖÜ 漢字 العربية 👩‍👩‍👧 zwj _*_*_*_",
)
"""Display names have up to 32 characters."""
MANY_SPOTS = 70
LONGEST_LABEL = 34


def _of_32(name: str) -> str:
    return name[:32].ljust(32, "*")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder) -> AsyncIterator[Table]:
    """Six members with terrible names."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", names=[_of_32(name) for name in NAMES]) as table:
        yield table
    assert recorder.problems() == []
    for request in recorder.requests:
        allowed = (request.payload or {}).get("allowed_mentions") if isinstance(request.payload, dict) else None
        assert not (allowed or {}).get("parse"), request


def check(shown: Shown) -> Shown:
    """Names stay names, labels are short, pictures have their words."""
    text = words(shown.components)
    assert "@everyone" not in text
    assert "@here" not in text
    assert "<@&" not in text
    assert "**bold**" not in text
    apart = re.sub(r"\N{FIRST STRONG ISOLATE}.*?\N{POP DIRECTIONAL ISOLATE}", "", text)
    assert not [sign for sign in apart if unicodedata.bidirectional(sign) in ("R", "AL", "AN", "FSI", "PDI")], text
    offered = [button for group in buttons_by_kind(shown.components).values() for button in group]
    assert all(0 < len(button.label) <= LONGEST_LABEL for button in offered), offered
    assert all(0 < len(alt) <= LONGEST_ALT for alt in alt_texts(shown.components))
    return shown


async def look(table: Table, member: int, shown: Shown, button: Button) -> Shown:
    """Press a button and check what it brings."""
    return check(await table.press(member, shown, button.custom_id))


async def test_seventy_spots(table: Table) -> None:
    random = Random(1)
    choose = spread_out(lambda position: random_action(position, random))
    game = await create_game(table, 6)
    game = await fast_forward(table, game, choose, lambda position: len(_plain(position)) > MANY_SPOTS)
    position = (await table.bot.host.games.table(game.id)).position
    member = _to_act(table)
    panel = await open_panel(table)
    seen: set[str] = set()
    for _ in range(-(-len(_plain(position)) // 25)):
        offered = buttons_by_kind(panel.components)
        seen |= {button.custom_id for button in offered[Kind.SPOT]}
        more = next(button for button in offered[Kind.PAGE] if not button.key.argument.endswith("b"))
        panel = await look(table, member, panel, more)
    assert len(seen) == len(_plain(position))
    for command in ("board", "tiles", "log", "rules", "games"):
        result = await table.members[member].slash(table.channel, f"carc {command}")
        assert result.response is not None
        check(Shown(result.response, result.response.components))
    choices = await table.members[member].autocomplete(table.channel, "carc play", "move", "")
    assert 0 < len(choices) <= 25
    await Clicker(table, Random(2), Habits(quick=True)).lay(member, panel)
    check(table.card())


def _plain(position: Position) -> set[str]:
    """The spots that need no bridge."""
    if position.hand is None:
        return set()
    return {
        str(action).split("/")[0] for action in position.legal_actions if "/" in str(action) and "~" not in str(action)
    }


async def test_bazaar_of_six(table: Table) -> None:
    """From the first choice of a lot to the last bought tile; each panel and modal is opened on the way."""
    random = Random(3)
    game = await create_game(table, 6)
    await fast_forward(table, game, lambda position: random_action(position, random), _before_bazaar)
    panel = await open_panel(table)
    clicker = Clicker(table, random, Habits(quick=True))
    await clicker.lay(_to_act(table), panel)
    kinds = set()
    while isinstance(step := table.stored().replayed().step, ChooseLot | BidOnLot | BuyOrSell):
        kinds.add(type(step))
        card = check(table.card())
        offered, member = buttons_by_kind(card.components), _to_act(table)
        for button in offered.get(Kind.LOT, ())[:1]:
            check(await table.press(member, card, button.custom_id))
        for button in offered.get(Kind.OTHER, ()):
            modal = await table.press(member, card, button.custom_id)
            assert modal.modal
            refused = await table.submit(member, modal, {FIELD: "0"})
            check(refused)
        await clicker.move(table.card())
    assert kinds == {ChooseLot, BidOnLot, BuyOrSell}
    check(table.card())


def _before_bazaar(position: Position) -> bool:
    """Whether the tile in hand opens a bazaar wherever it is laid."""
    return position.hand is not None and "bazaar" in position.hand.flags and bool(placeable_cells(position))


def _to_act(table: Table) -> int:
    stored = table.stored()
    return stored.seats[stored.replayed().player]


async def open_panel(table: Table) -> Shown:
    """Let whoever has to decide open the panel by the command."""
    opened = await table.members[_to_act(table)].slash(table.channel, "carc play")
    assert opened.response is not None
    return check(Shown(opened.response, opened.response.components))


@pytest.mark.long
async def test_final_card(table: Table) -> None:
    random = Random(4)
    choose = spread_out(lambda position: random_action(position, random))
    game = await create_game(table, 6)
    game = await fast_forward(table, game, choose, _last_turn)
    while table.stored().status != "finished":
        panel = await open_panel(table)
        await Clicker(table, random, Habits(quick=True)).lay(_to_act(table), panel)
    final = check(table.card())
    assert table.stored().replayed().setup.seed in words(final.components)


def _last_turn(position: Position) -> bool:
    return position.hand is not None and position.pile_left == 0
