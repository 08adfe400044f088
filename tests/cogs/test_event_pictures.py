"""Pictures of simulated tournaments (standings, brackets, groups, rounds): complete, with equivalent alt texts.

Each format is simulated with 4, 9 and 33 players, with players who leave, and drawn half-way and at its end.
"""

from __future__ import annotations

import pytest

from cogs.panels.events import pictures as event_pictures
from cogs.panels.events.pictures import bracket_pictures, group_pictures, round_pictures, standings_pictures
from cogs.presenting.presenter import AltPicture
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.events import pictured_title
from host.naming import MAX_COMPUTERS, computers_named
from renderers.events.pictures import _MATCH_LETTER_SIZE, BracketSide, EntryState, _column, _name_lines, _name_width
from renderers.lettering import fitted
from tests.cogs.event_views import event_view, rank_views, round_view_of
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.event import EventFold, advancing, replay, standings
from tournaments.facts import Result, StageEnded
from tournaments.formats import FORMATS, PROFILES
from tournaments.specification import Parameters
from tournaments.trials import TrialConditions, simulate_format

PLAYER_COUNTS = (4, 9, 33)
"""Sizes of the simulated events."""


def pictures(event: EventFold) -> list[AltPicture]:
    """Return all pictures of an event in its current state."""
    view = event_view(event)
    all_pictures = list(standings_pictures(view, rank_views(event), "as it stands"))
    for state in event.stages:
        if state.plan.kind in {"knockout", "group-knockout"}:
            all_pictures += bracket_pictures(view, state.number)
        if state.plan.kind == "robin":
            all_pictures += group_pictures(view, state.number)
        for drawn in state.rounds:
            all_pictures += round_pictures(view, round_view_of(event, state.number, drawn.number))
    return all_pictures


FORMATS_AND_PLAYER_COUNTS = [
    (name, size) for name, format_ in FORMATS.items() for size in PLAYER_COUNTS if format_.least <= size <= format_.most
]
"""Each format with each of these sizes that it allows."""


GROUP_PARAMETERS = {
    "groups by knock-out": Parameters(group_play="knockout", advance=2, groups=3, third_place=True, last_best_of=3),
    "groups by double elimination": Parameters(group_play="double", pool=6, playoff="double"),
    "firsts with byes": Parameters(pool=4, advance=3, first_byes=True, third_place=True),
}
"""Combinations of stages that formats do not have by themselves."""


@pytest.mark.parametrize("combination", GROUP_PARAMETERS)
@pytest.mark.parametrize(("name", "players"), [("duel-groups", 9), ("duel-groups", 33), ("team-groups", 18)])
def test_pictures_of_combined_stages_name_all_players(name: str, players: int, combination: str) -> None:
    check_pictures(simulate_format(name, players, "both", ROUGH_CONDITIONS, GROUP_PARAMETERS[combination]).event)


@pytest.mark.parametrize(("name", "players"), FORMATS_AND_PLAYER_COUNTS)
def test_pictures_name_all_players_at_any_time(name: str, players: int) -> None:
    check_pictures(simulate_format(name, players, "pictures", ROUGH_CONDITIONS).event)


def check_pictures(simulated_event: EventFold) -> None:
    """Draw an event half-way and at its end, and check names and alt texts."""
    moments = [number for number, fact in enumerate(simulated_event.facts) if not isinstance(fact, Result)]
    for number in (len(simulated_event.facts), moments[len(moments) // 2]):
        event = replay(simulated_event.specification, simulated_event.facts[:number])
        drawn = pictures(event)
        assert all(
            len(alt_picture.alt) <= MAX_ALT_LENGTH and alt_picture.alt and "  " not in alt_picture.alt
            for alt_picture in drawn
        )
        names = [alt_picture.picture.filename for alt_picture in drawn]
        assert len(set(names)) == len(names)
        alt_texts = " ".join(
            alt_picture.alt for alt_picture in drawn if alt_picture.picture.filename.startswith("standings")
        )
        assert all(f"Player number {number}" in alt_texts for number in range(len(event.entries)))


def test_brackets_of_groups_name_their_groups_and_the_third_place_has_a_picture() -> None:
    """211 players in 32 groups: two groups to a picture, each with its three rounds."""
    profile = PROFILES["world-cup"]
    event = simulate_format(profile.format, profile.entries, "brackets", TrialConditions(), profile.parameters).event
    view = event_view(event)
    groups = list(bracket_pictures(view, 1))
    assert len(groups) == 16
    assert "Groups · Group 1, Group 2 · 1 of 16" in groups[0].alt
    assert "Groups · Group 31, Group 32 · 16 of 16" in groups[-1].alt
    assert "Round 3" in groups[0].alt
    knockout = list(bracket_pictures(view, 2))
    assert "Match for Third Place" in knockout[-1].alt
    third = standings(event)[2].player
    assert f"Player number {third} " in knockout[-1].alt
    assert "(won)" in knockout[-1].alt


def test_entries_that_would_advance_are_marked_on_every_page_of_the_standings() -> None:
    simulated = simulate_format("duel-groups", 40, "pages", TrialConditions()).event
    ended = next(number for number, fact in enumerate(simulated.facts) if isinstance(fact, StageEnded))
    event = replay(simulated.specification, simulated.facts[:ended])
    lines, view = rank_views(event), event_view(event)
    marked = [
        picture.alt.count("advances as things stand")
        for start in range(0, 40, 16)
        for picture in standings_pictures(view, lines[start : start + 16])
    ]
    assert sum(marked) == len(advancing(event, event.stages[0])) == 20
    assert marked[-1] == 0


def test_an_unrenderable_name_is_replaced_by_the_code_in_pictures_only(monkeypatch: pytest.MonkeyPatch) -> None:
    unrenderable_name = "\U00012000\U00012001"
    titles: list[str] = []
    for name in ("standings_table", "bracket", "round_sheet"):
        original = getattr(event_pictures, name)
        monkeypatch.setattr(
            event_pictures,
            name,
            lambda title, *rest, _plain=original, **more: titles.append(title) or _plain(title, *rest, **more),
        )
    event = simulate_format("duel-knockout", 4, "pictures", ROUGH_CONDITIONS).event
    view = event_view(event, name=unrenderable_name)
    pictures = [
        *standings_pictures(view, rank_views(event)),
        *bracket_pictures(view, 1),
        *round_pictures(view, round_view_of(event, 1, 1)),
    ]
    assert titles == [view.code] * len(pictures)
    assert len(titles) >= 3
    assert all(unrenderable_name in picture.alt for picture in pictures)
    assert pictured_title(event_view(event)) == "Autumn Cup"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_the_name_of_a_computer_is_cut_before_its_mark(columns: int, language: str) -> None:
    """Every computer of an event can be told from people and from the others in every column of a bracket."""
    names = [computer.name for computer in computers_named(["quick"] * MAX_COMPUTERS)]
    with speaking(language):
        marked = [t("event.computer_pictured", player=name) for name in names]
    for column in range(columns):
        width = _column(column, columns)[1]
        sides = [BracketSide(name, "2", EntryState.THROUGH) for name in marked]
        drawn = [
            [fitted(line, _MATCH_LETTER_SIZE, _name_width(side, width)) for line in lines]
            for side in sides
            for lines in [_name_lines(side, width, wrapped=column > 0)]
        ]
        assert all(lines[-1].endswith("(CPU)") for lines in drawn)
        assert all(name.startswith(lines[0][:3]) for name, lines in zip(names, drawn, strict=True))
