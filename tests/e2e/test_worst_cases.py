"""The largest games fit Discord's limits: six long names full of markup, more than seventy spots, six lots.

All requests are checked against Discord's limits, with real pictures.
"""

import re
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from simcord.components import walk_components

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import AMOUNT_FIELD
from cogs.words.alt_texts import MAX_ALT_LENGTH
from engine import Action, Deploy, Pass
from engine.carcassonne import FeatureKind, Position
from engine.carcassonne.expansions import OFFERED
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, BuyOrSell, ChooseLot
from engine.selfplay import random_action
from tests.discord_limits.recorder import Recorder
from tests.e2e.fast_forward import create_game, fast_forward, placeable_cells, spread_tiles
from tests.e2e.player import Clicker, Habits, Shown
from tests.e2e.screen import Button, Kind, alt_texts, buttons_by_kind, localized, words
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
"""Display names; they are padded to Discord's maximum of 32 characters."""
MIN_SPOTS = 70
"""Spots that a position has to offer: several pages of buttons."""
MAX_CARD_BYTES = 400 * 1024
"""The largest picture of a card or panel."""
MAX_PILE_LEFT = 60
"""The tiles left where the turn with every box takes place, of about 160."""
MENU_FIGURES = ("big-follower", "phantom", "abbot", "wagon")
"""The figures beside an ordinary one that may stand on a monastery, in the order of the menu."""
MENU = 3
"""Discord's number of the component type for menus."""
MAX_LABEL_LENGTH = 34
"""Characters of a button label in these games."""


def padded_name(name: str) -> str:
    """Return a name of exactly 32 characters, Discord's maximum."""
    return name[:32].ljust(32, "*")


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder) -> AsyncIterator[Table]:
    """Yield six members with long names full of markup; no request may ping by its text."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", names=[padded_name(name) for name in NAMES]) as table:
        yield table
    assert recorder.problems() == []
    for request in recorder.requests:
        allowed = (request.payload or {}).get("allowed_mentions") if isinstance(request.payload, dict) else None
        assert not (allowed or {}).get("parse"), request


def check_shown(shown: Shown) -> Shown:
    """Check that names are escaped and isolated, labels short, and alt texts present; return the message."""
    text = words(shown.components)
    assert "@everyone" not in text
    assert "@here" not in text
    assert not re.search(r"<@&\d+>", text), text
    assert "**bold**" not in text
    outside_isolates = re.sub(r"\N{FIRST STRONG ISOLATE}.*?\N{POP DIRECTIONAL ISOLATE}", "", text)
    assert not [
        sign for sign in outside_isolates if unicodedata.bidirectional(sign) in ("R", "AL", "AN", "FSI", "PDI")
    ], text
    offered = [button for group in buttons_by_kind(shown.components).values() for button in group]
    assert all(0 < len(button.label) <= MAX_LABEL_LENGTH for button in offered), offered
    assert all(0 < len(alt) <= MAX_ALT_LENGTH for alt in alt_texts(shown.components))
    return shown


async def press_and_check(table: Table, member: int, shown: Shown, button: Button) -> Shown:
    """Press a button and check the result."""
    return check_shown(await table.press(member, shown, button.custom_id))


async def test_seventy_spots_fit(table: Table) -> None:
    random = Random(1)
    choose = spread_tiles(lambda position: random_action(position, random))
    game = await create_game(table, 6)
    game = await fast_forward(table, game, choose, lambda position: len(_spots_without_bridge(position)) > MIN_SPOTS)
    position = (await table.bot.host.games.table(game.id)).position
    member = player_to_act(table)
    panel = await open_panel(table)
    seen: set[str] = set()
    while True:
        offered = buttons_by_kind(panel.components)
        seen |= {button.custom_id for button in offered[Kind.SPOT]}
        next_page = next(button for button in offered[Kind.PAGE] if not button.key.argument.endswith("b"))
        panel = await press_and_check(table, member, panel, next_page)
        if next_page.key.argument == "p0":  # the last part leads back to the first
            break
    assert len(seen) == len(_spots_without_bridge(position))
    for command in ("board", "tiles", "log", "rules", "games"):
        result = await table.members[member].slash(table.channel, f"carc {command}")
        assert result.response is not None
        check_shown(Shown(result.response, result.response.components))
    choices = await table.members[member].autocomplete(table.channel, "carc play", "move", "")
    assert 0 < len(choices) <= 25
    await Clicker(table, Random(2), Habits(quick=True)).complete_turn(member, panel)
    check_shown(table.card())


def _spots_without_bridge(position: Position) -> set[str]:
    """Return the spots that need no bridge."""
    if position.hand is None:
        return set()
    return {
        str(action).split("/")[0] for action in position.legal_actions if "/" in str(action) and "~" not in str(action)
    }


async def test_a_bazaar_of_six_fits(table: Table) -> None:
    """Play the bazaar, an auction, from the first choice of a tile to the last sale, opening each panel and modal."""
    random = Random(3)
    game = await create_game(table, 6)
    await fast_forward(table, game, lambda position: random_action(position, random), _bazaar_is_next)
    panel = await open_panel(table)
    clicker = Clicker(table, random, Habits(quick=True))
    await clicker.complete_turn(player_to_act(table), panel)
    kinds = set()
    while isinstance(step := table.stored().replayed().step, ChooseLot | BidOnLot | BuyOrSell):
        kinds.add(type(step))
        card = check_shown(table.card())
        offered, member = buttons_by_kind(card.components), player_to_act(table)
        for button in offered.get(Kind.LOT, ())[:1]:
            check_shown(await table.press(member, card, button.custom_id))
        for button in offered.get(Kind.OTHER, ()):
            modal = await table.press(member, card, button.custom_id)
            assert modal.modal
            refused = await table.submit(member, modal, {AMOUNT_FIELD: "0"})
            check_shown(refused)
        await clicker.move(table.card())
    assert kinds == {ChooseLot, BidOnLot, BuyOrSell}
    check_shown(table.card())


def _bazaar_is_next(position: Position) -> bool:
    """Return whether placing the tile in hand opens a bazaar."""
    return position.hand is not None and "bazaar" in position.hand.flags and bool(placeable_cells(position))


def player_to_act(table: Table) -> int:
    """Return the member who has to decide."""
    stored = table.stored()
    return stored.seats[stored.replayed().player]


async def open_panel(table: Table) -> Shown:
    """Open the panel of the player to move by command."""
    opened = await table.members[player_to_act(table)].slash(table.channel, "carc play")
    assert opened.response is not None
    return check_shown(Shown(opened.response, opened.response.components))


@pytest.mark.long
async def test_a_turn_of_six_with_every_box_fits(table: Table, recorder: Recorder) -> None:
    """Late in the game five kinds of figures may stand on the monastery in hand; four of them are in a menu."""
    random = Random(5)

    def choose(position: Position) -> Action:
        """Choose an action that leaves one follower and the figures of the menu at home."""
        action = random_action(position, random)
        last = isinstance(action, Deploy) and position.supply[action.figure][position.player] == 1
        return Pass() if last or str(action).startswith("phantom:") else action

    game = await create_game(table, 6, OFFERED, {"tile_edition": "c2"})
    await fast_forward(table, game, choose, _has_monastery_late)
    member, panel = player_to_act(table), await open_panel(table)
    spot = buttons_by_kind(panel.components)[Kind.SPOT][0]
    laying = await press_and_check(table, member, panel, spot)
    (menu,) = [item for item in walk_components(laying.components) if item["type"] == MENU]
    names = [localized(f"figure_button.{figure}") for figure in MENU_FIGURES]
    assert [option["label"] for option in menu["options"]] == [
        localized("button.switch", figure=name) for name in names
    ]
    await Clicker(table, random, Habits(quick=True)).complete_turn(member, laying)
    check_shown(table.card())
    sizes = [upload.size for request in recorder.requests for upload in request.files]
    assert 0 < max(sizes) <= MAX_CARD_BYTES


def _has_monastery_late(position: Position) -> bool:
    """Return True late in the game if the tile in hand has a monastery."""
    late = position.hand is not None and position.pile_left <= MAX_PILE_LEFT
    return late and any(part.kind == FeatureKind.MONASTERY for part in position.hand.segments)


@pytest.mark.long
async def test_the_final_card_of_six_fits(table: Table) -> None:
    random = Random(4)
    choose = spread_tiles(lambda position: random_action(position, random))
    game = await create_game(table, 6)
    game = await fast_forward(table, game, choose, _is_last_turn)
    while table.stored().status != "finished":
        panel = await open_panel(table)
        await Clicker(table, random, Habits(quick=True)).complete_turn(player_to_act(table), panel)
    final = check_shown(table.card())
    assert table.stored().replayed().setup.seed in words(final.components)


def _is_last_turn(position: Position) -> bool:
    """Return whether the last tile is in hand."""
    return position.hand is not None and position.pile_left == 0
