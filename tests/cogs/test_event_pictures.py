"""Pictures of whole events: complete, with equivalent alt texts, and within size limits."""

from __future__ import annotations

import pytest

from cogs.panels.events import pictures as event_pictures
from cogs.panels.events.pictures import bracket_pictures, group_pictures, round_pictures, standings_pictures
from cogs.presenting.presenter import AltPicture
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.events import pictured_title
from tests.cogs.event_views import event_view, rank_views, round_view_of
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.event import EventFold, replay
from tournaments.facts import Result
from tournaments.formats import FORMATS
from tournaments.trials import simulated

SIZES = (4, 9, 33)


def pictures(event: EventFold) -> list[AltPicture]:
    """Return all pictures of an event in its current state."""
    view = event_view(event)
    found = list(standings_pictures(view, rank_views(event), "as it stands"))
    for state in event.stages:
        if state.plan.kind == "knockout":
            found += bracket_pictures(view, state.number)
        if state.plan.kind == "robin":
            found += group_pictures(view, state.number)
        for drawn in state.rounds:
            found += round_pictures(view, round_view_of(event, state.number, drawn.number))
    return found


FIELDS = [(name, size) for name, each in FORMATS.items() for size in SIZES if each.least <= size <= each.most]


@pytest.mark.parametrize(("name", "players"), FIELDS)
def test_events_can_be_drawn_at_any_time_with_all_players(name: str, players: int) -> None:
    played = simulated(name, players, "pictures", ROUGH_CONDITIONS).event
    moments = [number for number, fact in enumerate(played.facts) if not isinstance(fact, Result)]
    for number in (len(played.facts), moments[len(moments) // 2]):
        event = replay(played.specification, played.facts[:number])
        shown = pictures(event)
        assert all(len(each.alt) <= MAX_ALT_LENGTH and each.alt and "  " not in each.alt for each in shown)
        names = [each.picture.filename for each in shown]
        assert len(set(names)) == len(names)
        told = " ".join(each.alt for each in shown if each.picture.filename.startswith("standings"))
        assert all(f"Player number {number}" in told for number in range(len(event.entries)))


def test_an_unrenderable_name_is_replaced_by_the_code_in_pictures_only(monkeypatch: pytest.MonkeyPatch) -> None:
    unwritable = "\U00012000\U00012001"
    drawn: list[str] = []
    for name in ("standings_table", "bracket", "round_sheet"):
        plain = getattr(event_pictures, name)
        monkeypatch.setattr(
            event_pictures,
            name,
            lambda title, *rest, _plain=plain, **more: drawn.append(title) or _plain(title, *rest, **more),
        )
    event = simulated("duel-knockout", 4, "pictures", ROUGH_CONDITIONS).event
    view = event_view(event, name=unwritable)
    shown = [
        *standings_pictures(view, rank_views(event)),
        *bracket_pictures(view, 1),
        *round_pictures(view, round_view_of(event, 1, 1)),
    ]
    assert drawn == [view.code] * len(shown)
    assert len(drawn) >= 3
    assert all(unwritable in each.alt for each in shown)
    assert pictured_title(event_view(event)) == "Autumn Cup"
