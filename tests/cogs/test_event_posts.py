"""Posts about tournaments: Discord's limits with many players, complete texts, and correct pings.

The events are simulated; "Player number 0" has the user id 1000, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from discord import ui

from cogs.games.presenters import PRESENTERS
from cogs.panels.events import exchanging, private
from cogs.panels.events.pictures import round_pictures
from cogs.panels.events.posts import EventCard, PostContext, announcement, announcement_words, event_card, table_line
from cogs.presenting.ids import parse_key
from cogs.presenting.presenter import AltPicture
from cogs.texts import t
from cogs.words.events import entries_words
from cogs.words.names import safe
from host.events.views import EventPost, ExchangeView, TeamView
from store import EventPostKind, EventState, Person
from tests.cogs.event_views import NOW, entry_view, event_view, rank_views, round_view_of, sign_up_view
from tests.discord_limits.components import Kind, walk
from tests.discord_limits.limits import Upload, message_problems
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.event import EventFold, advance, replay
from tournaments.facts import Result, Withdrawal
from tournaments.formats import FORMATS, PROFILES
from tournaments.points import Outcome
from tournaments.specification import Parameters, Specification
from tournaments.trials import TrialConditions, entries_for, simulate_format

COMPONENTS_V2_FLAG = 1 << 15
"""The flag of messages that consist of components."""


def problems(view: Any, pictures: Sequence[AltPicture] = ()) -> list[str]:
    """Return the violations of Discord's limits by a card."""
    attachments = [{"id": number, "filename": picture.picture.filename} for number, picture in enumerate(pictures)]
    files = [Upload(picture.picture.filename, len(picture.picture.data)) for picture in pictures]
    return message_problems(
        {"components": view.to_components(), "flags": COMPONENTS_V2_FLAG, "attachments": attachments}, files
    )


def words(card: EventCard) -> str:
    """Return a card's components as text."""
    return str(card.view.to_components())


def post_about(kind: EventPostKind, event: EventFold, **details: object) -> PostContext:
    """Return a post of this kind about the last round of an event, with its context."""
    view = event_view(event)
    stage = len(event.stages)
    number = len(event.stages[-1].rounds) if event.stages else 0
    post = EventPost(
        id=1,
        event_id=view.id,
        event=view,
        kind=kind,
        stage=stage,
        round=number,
        details=details,
        nonce="E1.3.kind",
        attempts=1,
        first_attempt_at=None,
        sent_at=None,
        message_id=None,
    )
    return PostContext(post, PRESENTERS, round_view_of(event, stage, number) if number else None, rank_views(event))


@cache
def half_and_end(name: str, players: int) -> tuple[EventFold, EventFold]:
    """Return a simulated event half-way and at its end."""
    event = simulate_format(name, players, "posts", ROUGH_CONDITIONS).event
    return replay(event.specification, event.facts[: len(event.facts) // 2]), event


@pytest.mark.parametrize("kind", EventPostKind)
@pytest.mark.parametrize("players", [4, 33])
@pytest.mark.parametrize("name", ["swiss-tables", "duel-swiss-knockout", "duel-double-elimination"])
def test_every_post_keeps_the_limits_and_is_identifiable(kind: EventPostKind, players: int, name: str) -> None:
    for event in half_and_end(name, players):
        card = event_card(post_about(kind, event))
        assert not problems(card.view, card.pictures)
        assert "E1.3.kind" in words(card)
        assert len(card.pictures) <= 4
        assert len(card.pinged) <= 60


LARGE_KINDS = ("started", "round", "results", "stage", "deadline", "finished", "penalised", "warned")
"""Kinds of posts that could grow with the field."""


@cache
def world_cup() -> tuple[EventFold, EventFold]:
    """Return a world cup of 211 players while its groups play and at its end."""
    profile = PROFILES["world-cup"]
    event = simulate_format(profile.format, profile.entries, "posts", ROUGH_CONDITIONS, profile.parameters).event
    return replay(event.specification, event.facts[:150]), event


@pytest.mark.parametrize("kind", LARGE_KINDS)
def test_every_post_about_211_players_keeps_the_limits(kind: str) -> None:
    for event in world_cup():
        card = event_card(post_about(EventPostKind(kind), event, user=1003, points="1/2", reason="talking"))
        assert not problems(card.view, card.pictures)
        assert len(card.pictures) <= 4
        assert len(card.pinged) <= 60


@pytest.mark.parametrize("position", [0, 5, 99])
def test_every_page_about_211_players_keeps_the_limits(position: int) -> None:
    for event in world_cup():
        view, stage = event_view(event), len(event.stages)
        newest = round_view_of(event, stage, len(event.stages[-1].rounds))
        for page, pictures in (
            private.standings_page(view, rank_views(event), position),
            private.bracket_page(view, position),
            private.games_page(view, newest, position),
            private.preview_page(view, newest, position),
        ):
            assert not problems(page, pictures)
            assert len(pictures) <= 2


def test_two_of_211_players_are_found_in_lists_that_turn_pages() -> None:
    """Everybody is in one of the pages of both lists once, and each panel keeps the limits."""
    view, round_view = event_view(world_cup()[0]), round_view_of(world_cup()[0], 1, 1)
    offered: list[str] = []
    for page in range(9):
        choice = exchanging.Choice(facts=0, page=page, players=(None, 210))
        panel = exchanging.exchange_panel(view, round_view, choice)
        assert not problems(panel)
        first, second = [
            item.item for item in panel.walk_children() if isinstance(getattr(item, "item", None), ui.Select)
        ]
        assert {option.value for option in second.options} - {option.value for option in first.options} <= {"210"}
        offered += [option.value for option in second.options]
        assert exchanging.read_choice(str(choice)) == choice
    assert sorted(map(int, offered)) == list(range(211))
    assert t("event.exchange.page", first=201, last=211, count=211) in str(panel.to_components())


def test_an_exchange_with_who_rests_is_told_in_two_lines() -> None:
    event = half_and_end("duel-swiss", 5)[1].copy()
    view, round_view = event_view(event), round_view_of(event, 1, 1)
    (resting,), (player, rival) = round_view.state.byes, round_view.state.tables[0].seats
    swapped = replace(
        round_view,
        state=replace(
            round_view.state,
            byes=(player,),
            tables=[replace(round_view.state.tables[0], seats=(resting, rival)), *round_view.state.tables[1:]],
        ),
    )
    weighed = ExchangeView(
        view=view, players=(resting, player), before=round_view, after=swapped, repeats=((resting, rival),)
    )
    against, none = t("event.exchange.against", players=f"Player number {rival}"), t("event.exchange.no_match")
    assert exchanging.change_lines(weighed) == [
        t("event.exchange.changed", player=f"Player number {resting}", now=against, before=none),
        t("event.exchange.changed", player=f"Player number {player}", now=none, before=against),
        t("event.exchange.repeats", pairs=f"Player number {resting} and Player number {rival}"),
    ]


def test_prizes_are_on_the_card_and_with_the_podium() -> None:
    view = sign_up_view("duel-swiss", 8)
    assert "Prizes" not in announcement_words(view, PRESENTERS)
    view = replace(view, plan=replace(view.plan, prizes="A cup & *glory*"))
    assert t("event.prizes", prizes=safe("A cup & *glory*")) in announcement_words(view, PRESENTERS)
    context = post_about(EventPostKind.FINISHED, half_and_end("duel-swiss-knockout", 4)[1])
    with_prizes = replace(context.post, event=replace(context.view, plan=view.plan))
    assert "**Prizes:** A cup" in words(event_card(replace(context, post=with_prizes)))


def test_who_never_came_is_named_a_no_show() -> None:
    event = EventFold(Specification("duel-swiss", entries_for(4), "seed"))
    list(advance(event))
    first, second = (table.seats for table in event.round(1, 1).tables)
    event.apply(Result(1, 1, 1, Outcome((0, 0), (0,), how="forfeited", absent=(0,))))
    event.apply(Result(1, 1, 2, Outcome((9, 7), (1,))))
    view, shown = event_view(event), round_view_of(event, 1, 1)
    lines = [table_line(view, table) for table in shown.tables]
    assert f"Player number {first[0]} (no-show)" in lines[0]
    assert f"Player number {second[1]} (withdrew)" in lines[1]
    (picture,) = round_pictures(view, shown)
    assert f"Player number {first[0]} (no-show)" in picture.alt
    assert f"Player number {second[1]} (withdrew)" in picture.alt


@pytest.mark.parametrize("players", [0, 4, 256])
@pytest.mark.parametrize("name", FORMATS)
def test_the_announcement_is_complete(name: str, players: int) -> None:
    players = min(players, FORMATS[name].most)
    view = sign_up_view(name, players)
    card = announcement(view, PRESENTERS, "E1.card.announce")
    assert not problems(card)
    text = str(card.to_components())
    sections: tuple[str, ...] = ("Deadline", "Time:", "Rated", "Hints", "Ranking", "Late joiners", "Seeding", "Rounds")
    if name == "duel-season":
        sections = ("Games:", "End:", "Ranking", "Late joiners", "Seeding", "A player who leaves", "Seasons")
    for word in (view.commitment, *sections, "Join"):
        assert word in text, word
    promised = f"**Length:** at most {view.promised_weeks} week" in text
    assert promised is (players >= FORMATS[name].least)


@pytest.mark.parametrize(
    ("reader", "state", "expected"),
    [
        (None, EventState.OPEN, ["join", "leave"]),
        (1000, EventState.OPEN, ["leave"]),
        (1009, EventState.OPEN, ["join"]),
        (1000, EventState.CHECK_IN, ["in", "leave"]),
        (1009, EventState.CHECK_IN, ["join"]),
        (None, EventState.CHECK_IN, ["join", "in", "leave"]),
    ],
)
def test_only_those_who_have_not_entered_are_offered_to_join(
    reader: int | None, state: EventState, expected: list[str]
) -> None:
    """Regression: ``/tourney show`` had [Join] in the primary colour for those who had entered."""
    view = replace(sign_up_view("swiss-tables", 4), state=state)
    assert actions(announcement(view, PRESENTERS, reader=reader)) == expected


def test_players_who_have_left_may_join_again() -> None:
    view = sign_up_view("swiss-tables", 4)
    first, *others = view.entries
    left = replace(view, entries=(replace(first, gone=True), *others))
    assert actions(announcement(left, PRESENTERS, reader=first.person.user_id)) == ["join"]


def actions(card: ui.LayoutView) -> list[str]:
    """Return what the buttons of a card do about the reader's entry."""
    keys = [parse_key(part["custom_id"]) for _, part in walk(card.to_components()) if part["type"] == Kind.BUTTON]
    first_words = [key.argument.split()[0] for key in keys if key is not None and key.argument]
    return [word for word in first_words if word in {"join", "in", "leave"}]


@pytest.mark.parametrize(
    ("name", "explained"),
    [
        ("league", {"Seasons", "A player who leaves"}),
        ("duel-league", {"Seasons", "A player who leaves"}),
        ("duel-season", {"Seasons", "A player who leaves"}),
        ("duel-swiss", {"Byes"}),
        ("team-swiss", {"Byes", "Line-ups"}),
        ("team-round-robin", {"Line-ups", "A player who leaves"}),
        ("duel-knockout", set()),
        ("swiss-tables", set()),
    ],
)
def test_the_announcement_explains_the_format(name: str, explained: set[str]) -> None:
    text = str(announcement(sign_up_view(name, 8), PRESENTERS, "E1.card.announce").to_components())
    assert {word for word in ("Byes", "A player who leaves", "Line-ups", "Seasons") if f"**{word}" in text} == explained


@pytest.mark.parametrize(("name", "one_loss_ends_it"), [("duel-knockout", True), ("duel-double-elimination", False)])
def test_the_announcement_says_after_one_loss_only_where_it_is_so(name: str, *, one_loss_ends_it: bool) -> None:
    text = str(announcement(sign_up_view(name, 8), PRESENTERS, "E1.card.announce").to_components())
    assert (t("event.knockouts") in text) is one_loss_ends_it
    assert t(f"event.format.{name}") in text


@pytest.mark.parametrize(("name", "late"), [("duel-swiss", "zero"), ("duel-groups", "groups"), ("league", "closed")])
def test_the_announcement_says_which_events_take_late_joiners(name: str, late: str) -> None:
    text = str(announcement(sign_up_view(name, 8), PRESENTERS, "E1.card.announce").to_components())
    assert t(f"event.late.{late}") in text


def test_the_announcement_warns_of_five_at_a_table() -> None:
    view = sign_up_view("tables", 5)
    announcements = [
        announcement(event_with_warnings, PRESENTERS)
        for event_with_warnings in (view, replace(view, warnings=("table-of-five",)))
    ]
    assert ["Five players" in str(posted.to_components()) for posted in announcements] == [False, True]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("swiss-tables", "first two rounds"), ("duel-knockout", "first round only"), ("duel-league", "")],
)
def test_the_announcement_explains_the_separation_of_servers(name: str, expected: str) -> None:
    view = sign_up_view(name, 8, Parameters(apart="first"))
    text = str(announcement(view, PRESENTERS, "E1.card.announce").to_components())
    assert ("**Members of one server**" in text) is bool(expected)
    assert expected in text


def test_a_league_names_the_number_of_encounters() -> None:
    event = simulate_format("league", 6, "posts", TrialConditions()).event
    start = replay(event.specification, event.facts[:2])
    text = words(event_card(post_about(EventPostKind.ROUND, start)))
    assert "each pair meets" in text
    assert "meetings-" not in text


def test_a_stage_names_the_reason_of_its_end() -> None:
    event = simulate_format("duel-swiss", 4, "posts", TrialConditions(), Parameters(rounds=6)).event
    reason = event.stages[0].ended
    assert reason == "no-legal-round"
    assert "no further round is possible" in words(event_card(post_about(EventPostKind.STAGE, event, reason=reason)))


def test_results_contain_ranks_and_pictures() -> None:
    simulated_event = simulate_format("swiss-tables", 9, "posts", ROUGH_CONDITIONS).event
    third_result = [number for number, fact in enumerate(simulated_event.facts) if isinstance(fact, Result)][2]
    event = replay(simulated_event.specification, simulated_event.facts[: third_result + 1])
    card = event_card(post_about(EventPostKind.RESULTS, event))
    assert "1. Player number" in words(card)
    assert [picture.picture.filename for picture in card.pictures] == ["standings-1-1.png"]


def test_the_podium_pings_the_first_three() -> None:
    event = simulate_format("duel-knockout", 8, "posts", ROUGH_CONDITIONS).event
    card = event_card(post_about(EventPostKind.FINISHED, event))
    assert "🥇" in words(card)
    assert len(card.pinged) == 3


def test_a_finished_event_has_no_button_to_join() -> None:
    event = simulate_format("duel-knockout", 8, "posts", ROUGH_CONDITIONS).event
    text = str(announcement(event_view(event, state=EventState.FINISHED), PRESENTERS).to_components())
    assert "Standings" in text
    assert ":join" not in text


def test_a_deferred_notification_links_the_post_of_the_quiet_hours() -> None:
    news = replace(
        post_about(EventPostKind.NEWS, half_and_end("swiss-tables", 4)[0]),
        named=[7, 8],
        pinged=[7, 8],
        missed_message_id=99,
    )
    card = event_card(news)
    view = news.view
    assert list(card.pinged) == [7, 8]
    assert f"https://discord.com/channels/{view.guild_id}/{view.channel_id}/99" in words(card)
    assert "<@7> <@8>" in words(card)


def test_namesakes_of_two_teams_are_distinguished() -> None:
    """Namesakes are distinguished at their boards and in the list of entries."""
    event = simulate_format("team-round-robin", 4, "alike", TrialConditions()).event
    people = (Person(81234, "Ana"), Person(95678, "Ana"))
    entries = tuple(entry_view(person, number=n, team=n) for n, person in enumerate(people))
    view = replace(event_view(event), entries=entries)
    table = replace(round_view_of(event, 1, 1).tables[0], people=people, outcome=None)
    line = table_line(view, table)
    for name in ("Ana #1234", "Ana #5678"):
        assert safe(name) in line
        assert safe(name) in entries_words(view)


def test_a_reused_number_belongs_to_its_current_player() -> None:
    current = entry_view(Person(2, "Ben"), number=0)
    former = entry_view(Person(1, "Ana"), number=0, gone=True)
    view = event_view(simulate_format("duel-swiss-knockout", 8, "alike", TrialConditions()).event)
    for entries in ((current, former), (former, current)):
        assert replace(view, entries=entries).name_of(0) == "Ben"
    assert replace(view, entries=(former,)).name_of(0) == "Ana"
    assert replace(view, entries=()).name_of(0) == "#1"


def test_captains_of_teams_without_a_match_are_named_but_not_pinged() -> None:
    """The same holds for a team that has left since the round was drawn."""
    event = simulate_format("team-round-robin", 5, "line-ups", TrialConditions()).event
    start = replay(event.specification, event.facts[:2])
    (team_with_bye,) = start.round(1, 1).resting
    leaving_team = start.round(1, 1).tables[0].seats[0]
    start.apply(Withdrawal(leaving_team))
    request = post_about(EventPostKind.LINE_UPS, start, until=1893456000)
    teams = tuple(
        TeamView(
            event_id=1,
            team=number + 1,
            name=f"Team {number + 1}",
            guild_id=1,
            captain_id=70 + number,
            joined_at=NOW,
            members=(),
            number=number,
        )
        for number in range(5)
    )
    card = event_card(replace(request, post=replace(request.post, event=replace(request.view, teams=teams))))
    assert set(card.pinged) == {70 + number for number in range(5) if number not in (team_with_bye, leaving_team)}
    assert f"Bye: Team {team_with_bye + 1}." in words(card)
    drawn = event_card(post_about(EventPostKind.ROUND, start))
    assert f"Bye: Player number {team_with_bye}." in words(drawn)
    assert f"Player number {team_with_bye} bye" in drawn.pictures[-1].alt


def test_the_list_of_stages_ends_before_the_next_line() -> None:
    """Regression: Discord showed all further lines as parts of the last stage."""
    lines = announcement_words(sign_up_view("duel-groups", 8), PRESENTERS).split("\n")
    last = max(number for number, line in enumerate(lines) if line.startswith("2. **Knock-out:**"))
    assert lines[last + 1] == ""
    final = post_about(EventPostKind.FINISHED, half_and_end("duel-swiss-knockout", 33)[1])
    revealed = replace(final, post=replace(final.post, event=replace(final.view, seed="5eed")))
    assert r"\n\n-# The seed was" in words(event_card(revealed))
    assert r"\n\n-# and " in words(event_card(post_about(EventPostKind.STARTED, world_cup()[0])))


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (2, "best of 5 in the final"),
        (8, "best of 5 from the quarter-finals on"),
        (32, "best of 5 from the round of 32 on"),
    ],
)
def test_the_announcement_says_from_which_round_on_matches_are_longer(places: int, expected: str) -> None:
    view = sign_up_view("duel-knockout", 64, Parameters(last_best_of=5, last_from=places))
    assert expected in announcement_words(view, PRESENTERS)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("duel-groups", Parameters(group_play="knockout")),
        ("duel-groups", Parameters(late="closed")),
        ("team-groups", Parameters()),
    ],
)
def test_the_announcement_says_which_groups_take_nobody_late(name: str, parameters: Parameters) -> None:
    assert t("event.late.closed") in announcement_words(sign_up_view(name, 8, parameters), PRESENTERS)


@pytest.mark.parametrize(
    ("places", "expected"), [(2, "best of 5 between the last two"), (8, "best of 5 once at most 8 are left")]
)
@pytest.mark.parametrize("name", ["duel-double-elimination", "team-double-elimination", "duel-groups"])
def test_the_announcement_says_when_matches_of_a_double_elimination_are_longer(
    name: str, places: int, expected: str
) -> None:
    parameters = Parameters(last_best_of=5, last_from=places, playoff="double")
    assert expected in announcement_words(sign_up_view(name, 16, parameters), PRESENTERS)


def test_the_card_says_for_how_many_entries_its_stages_are() -> None:
    view = sign_up_view("duel-groups", 0)
    card = announcement_words(view, PRESENTERS)
    assert "For example, with 16 entries:\n1. **Groups:** everyone meets everyone; 4 groups;" in card
    assert t("event.card.needs", count=6) in card
    full = announcement_words(sign_up_view("duel-groups", 6), PRESENTERS)
    assert "With 6 entries:\n1. **Groups:**" in full
    assert t("event.card.needs", count=6) not in full
    assert t("event.late.zero") in announcement_words(sign_up_view("duel-swiss-knockout", 0), PRESENTERS)
