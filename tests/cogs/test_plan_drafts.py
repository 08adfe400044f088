"""The panel in which a plan for a bazaar is chosen from lists: its drafts in custom ids, and Discord's limits.

A bazaar is an auction of tiles ("lots"). A plan says in advance which lot a player chooses and what they bid; while
it is put together, the draft is encoded in the custom ids of the buttons.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.plan_drafts import (
    DRAFT,
    MAX_POINTS,
    NOTHING,
    SEAL,
    Draft,
    draft_panel,
)
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, parse_key
from cogs.texts.languages import languages, speaking
from cogs.words.refusals import RefusedError
from engine.carcassonne.expansions.bridges_castles_bazaars import Bazaar, BazaarPlan, SelectLot, bazaar_of
from tests.cogs.positions import game_of
from tests.cogs.test_composer import with_six_sold_tiles
from tests.discord_limits.components import Kind, component_problems, walk
from tests.scenarios.test_options_bazaar import DRAFT as WITHOUT_AUCTION
from tests.scenarios.test_options_bazaar import Options, open_bazaar

LONGEST = Draft(
    BazaarPlan(
        bazaar=999,
        openings=tuple(SelectLot(lot, MAX_POINTS) for lot in range(6, 0, -1)),
        limits=tuple((lot, MAX_POINTS) for lot in range(1, 7)),
        leap=True,
        buy=MAX_POINTS,
        passes=True,
    ),
    6,
)
"""The draft with the longest encoding: six lots, the highest points, every choice made."""


def bazaar_with_three_lots(options: Options | None = None) -> Bazaar:
    """Return a bazaar of three tiles, none of which is sold."""
    bazaar = bazaar_of(open_bazaar(options or Options(), [9, 9, 9]))
    assert bazaar is not None
    return bazaar


def panel(draft: Draft, bazaar: Bazaar) -> Any:
    """Return the components of a draft's panel, in a game with the longest id and revision."""
    position = with_six_sold_tiles()
    game = game_of(position)
    return draft_panel(game, bazaar, draft, "words", planned=True).to_components()


def empty_draft() -> Draft:
    """Return the draft with which the panel opens."""
    return Draft(BazaarPlan(bazaar=40), 1)


@pytest.mark.parametrize("seed", range(20))
def test_the_text_of_a_draft_is_read_as_it_was(seed: int) -> None:
    random, draft = Random(seed), empty_draft()
    for _ in range(12):
        field = random.choice(["tile", "limit", "open", "buy", "raise", "else"])
        amount = random.choice([NOTHING, str(random.randint(0, MAX_POINTS))])
        draft = draft.changed(field, str(random.randint(1, 6)) if field == "tile" else amount)
        assert Draft.parse(str(draft)) == draft
        assert BazaarPlan.parse(str(draft.plan)) == draft.plan


def test_a_plan_is_put_together_tile_by_tile() -> None:
    draft = empty_draft()
    for field, value in (("open", "2"), ("tile", "3"), ("limit", "6"), ("open", "0"), ("buy", "4"), ("raise", "")):
        draft = draft.changed(field, value)
    assert str(draft.plan) == "of:40 lot:1@2 lot:3@0 most:3@6 leap buy:4"
    for field, value in (("tile", "1"), ("open", NOTHING), ("tile", "3"), ("limit", NOTHING), ("buy", NOTHING)):
        draft = draft.changed(field, value)
    assert str(draft.changed("else", "").plan) == "of:40 lot:3@0 leap pass"


def test_sold_tiles_leave_the_draft() -> None:
    bazaar = bazaar_with_three_lots()
    draft = LONGEST.on_offer(bazaar)
    assert [entry.lot for entry in draft.plan.openings] == [3, 2, 1]
    assert [lot for lot, _ in draft.plan.limits] == [1, 2, 3]
    assert draft.lot == 1


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("draft", [empty_draft(), LONGEST, Draft(BazaarPlan(bazaar=7, limits=((2, 77),)), 2)])
def test_the_panel_keeps_the_limits(draft: Draft, language: str) -> None:
    """There are five rows, ids within their length, and lists of at most 25 entries, of which one is chosen."""
    with speaking(language):
        components = panel(draft.on_offer(bazaar_with_three_lots()), bazaar_with_three_lots())
    assert not list(component_problems(components, v2=True))
    parts = [part for _, part in walk(components)]
    assert sum(part["type"] == Kind.ACTION_ROW for part in parts) == 5
    for part in parts:
        assert len(part.get("custom_id", "")) <= MAX_CUSTOM_ID_LENGTH
        if part["type"] == Kind.STRING_SELECT:
            assert sum(bool(option.get("default")) for option in part["options"]) == 1


def test_every_button_and_entry_leads_to_a_draft() -> None:
    for _, part in walk(panel(empty_draft(), bazaar_with_three_lots())):
        key = parse_key(part["custom_id"]) if "custom_id" in part else None
        if key is not None and key.op is DRAFT:
            field, _, text = key.argument.partition(" ")
            for value in [option["value"] for option in part.get("options", ())] or [""]:
                assert Draft.parse(text).changed(field, value)
        if key is not None and key.op is SEAL:
            assert Draft.parse(key.argument).plan == empty_draft().plan


def test_without_an_auction_no_amounts_are_asked() -> None:
    components = panel(empty_draft(), bazaar_with_three_lots(WITHOUT_AUCTION))
    lists = [part for _, part in walk(components) if part["type"] == Kind.STRING_SELECT]
    assert [len(part["options"]) for part in lists] == [3, 2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "40",
        "40.1",
        "40.0.....",
        "40.1.1zz...",
        "40.1.100100...",
        "40.1....x",
        "40.1..1001zz..",
        "40.1....zz",
        "4 0.1....",
    ],
)
def test_a_forged_draft_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="unknown_button"):
        Draft.parse(text)


@pytest.mark.parametrize(
    ("field", "value"), [("tile", "0"), ("tile", "12"), ("limit", "x"), ("open", "1000"), ("buy", "\u0664"), ("", "")]
)
def test_a_forged_choice_is_refused(field: str, value: str) -> None:
    with pytest.raises(RefusedError, match="unknown_button"):
        empty_draft().changed(field, value)
