"""Settings of a planned tournament: values chosen by buttons, and typed dates.

A plan contains the format of the tournament and its parameters, such as pace and tie-breaks; a profile is a ready-made
plan for a common kind of tournament. `with_value` returns a plan with one changed setting.
"""

import pytest

from cogs.texts import t
from cogs.texts.languages import offered_languages, speaking
from cogs.words.event_plans import (
    SETTING_NAMES,
    START_TIME,
    current_value,
    next_value,
    options_of,
    possible_values,
    setting_named,
    setting_value_words,
    value_named,
    with_value,
)
from cogs.words.refusals import RefusedError
from host import LEVELS, MAX_COMPUTERS, Computer
from host.events import EventPlan, profile_plan
from host.events.stored import check_in_at
from tournaments.formats import PROFILES
from tournaments.specification import Parameters


@pytest.mark.parametrize("profile", PROFILES)
def test_every_parameter_can_be_chosen_by_the_organiser(profile: str) -> None:
    """Each choice of the panel accepts each of its values and stores it."""
    default_plan = profile_plan(profile)
    for name in SETTING_NAMES:
        for value in possible_values(default_plan, name):
            plan = with_value(default_plan, name, value)
            assert current_value(plan, name) == value or (
                name == "edition" and with_value(plan, name, current_value(plan, name)) == plan
            )
            assert setting_value_words(plan, name)
    some_settings = {
        "format",
        "edition",
        "pace",
        "purist",
        "rated",
        "tie_breaks",
        "late",
        "bye",
        "points",
        "best_of",
        "boxes",
    }
    assert some_settings <= set(SETTING_NAMES)
    ordered = with_value(default_plan, "tie_breaks", "wins, share scores")
    assert ordered.parameters.tie_breaks == ("wins", "share", "scores")


def test_a_number_that_is_left_open_is_told_in_words() -> None:
    """The panel shows nobody a 0, which would look like no rounds at all."""
    plan = profile_plan("multiplayer-cup")
    usual = t("event.value_name.usual")
    for name in ("rounds", "best_of", "pool", "advance"):
        assert setting_value_words(with_value(plan, name, "0"), name) == usual
        assert setting_value_words(with_value(plan, name, "3"), name) == "3"
    assert setting_value_words(with_value(plan, "most", "0"), "most") == t("event.value_name.as_many")
    assert setting_value_words(with_value(plan, "check_in_hours", "0"), "check_in_hours") == "0"
    assert setting_value_words(plan, "season_of") == t("event.value_name.no_season")
    assert setting_value_words(plan, START_TIME) == t("event.value_name.organiser")


@pytest.mark.parametrize("profile", PROFILES)
def test_every_template_can_be_planned_setting_by_setting(profile: str) -> None:
    """Begin with another template, and choose each setting in which the two differ."""
    wanted, plan = profile_plan(profile), profile_plan("multiplayer-cup")
    for name in SETTING_NAMES:
        if name != "profile" and current_value(plan, name) != current_value(wanted, name):
            plan = with_value(plan, name, current_value(wanted, name))
    assert plan == wanted
    assert current_value(plan, "profile") == profile


@pytest.mark.parametrize("profile", PROFILES)
def test_repeated_presses_cycle_through_all_different_values(profile: str) -> None:
    default_plan = profile_plan(profile)
    for name in SETTING_NAMES:
        expected = {
            str(with_value(default_plan, name, value).to_data()) for value in possible_values(default_plan, name)
        }
        plans_shown, plan = set[str](), default_plan
        while (value := next_value(plan, name)) and str(plan.to_data()) not in plans_shown:
            plans_shown.add(str(plan.to_data()))
            plan = with_value(plan, name, value)
        assert expected <= plans_shown or len(expected) <= 1, name


def test_computers_of_each_level_join_and_leave_and_the_others_keep_their_names() -> None:
    plan = with_value(profile_plan("duel-open"), "computers_strong", "2")
    plan = with_value(plan, "computers_quick", "1")
    assert plan.computers == (Computer("Adela", "strong"), Computer("Bertram", "strong"), Computer("Clemence", "quick"))
    assert [current_value(plan, f"computers_{level}") for level in LEVELS] == ["1", "0", "2"]
    plan = with_value(plan, "computers_strong", "1")
    assert plan.computers == (Computer("Adela", "strong"), Computer("Clemence", "quick"))
    assert with_value(plan, "computers_standard", "1").computers[-1] == Computer("Bertram", "standard")
    assert with_value(with_value(plan, "computers_strong", "0"), "computers_quick", "0") == profile_plan("duel-open")
    assert setting_value_words(plan, "computers_standard") == t("event.value_name.no_computers")


@pytest.mark.parametrize("typed", [str(MAX_COMPUTERS), "-1", "two", "٢"])
def test_an_event_has_no_more_computers_than_there_are(typed: str) -> None:
    plan = with_value(profile_plan("duel-open"), "computers_strong", "1")
    with pytest.raises(RefusedError) as caught:
        with_value(plan, "computers_quick", typed)
    assert caught.value.key == "bad_value"


def test_a_practice_event_offers_no_rating() -> None:
    rated = profile_plan("duel-open")
    practice = with_value(rated, "computers_quick", "1")
    assert (current_value(rated, "rated"), current_value(practice, "rated")) == ("yes", "no")
    assert next_value(practice, "rated") == ""
    assert current_value(with_value(practice, "computers_quick", "0"), "rated") == "yes"


@pytest.mark.parametrize("typed", ["tomorrow", "2030-02-30 12:00", "0001-01-01 00:00", "1999-12-31 23:59"])
def test_an_implausible_date_is_refused(typed: str) -> None:
    with pytest.raises(RefusedError) as caught:
        with_value(EventPlan(format="tables"), START_TIME, typed)
    assert caught.value.key == "bad_event_date"


@pytest.mark.parametrize("typed", ["2000-01-01 00:00", "9999-12-31 23:59", "never", ""])
def test_every_other_date_allows_a_check_in(typed: str) -> None:
    plan = with_value(EventPlan(format="tables", check_in_hours=72), START_TIME, typed)
    assert (check_in_at(plan) is None) == (typed in {"never", ""})


@pytest.mark.parametrize("language", [language.code for language in offered_languages()])
def test_settings_and_values_can_be_typed_as_the_panel_names_them(language: str) -> None:
    plan = profile_plan("duel-open")
    with speaking(language):
        for name in SETTING_NAMES:
            assert setting_named(f" {t(f'event.choosing.{name}').upper()} ") == setting_named(name) == name
            for value in possible_values(plan, name):
                wanted = with_value(plan, name, value)
                typed = setting_value_words(wanted, name).upper()
                assert with_value(plan, name, value_named(plan, name, typed)) == wanted, (name, value)
                assert value_named(plan, name, value) == value
        assert value_named(plan, "profile", "Cup of national teams") == "national-teams", "English is understood, too"


def test_a_refusal_lists_names_with_what_can_be_typed() -> None:
    with pytest.raises(RefusedError) as caught:
        setting_named("Colour")
    assert "Places (most)" in str(caught.value.values["values"])
    plan = profile_plan("duel-open")
    with pytest.raises(RefusedError) as caught:
        with_value(plan, "profile", value_named(plan, "profile", "cup"))
    assert "cup of national teams (national-teams)" in str(caught.value.values["values"])
    with pytest.raises(RefusedError) as caught:
        with_value(plan, "pace", "soon")
    assert str(caught.value.values["values"]).startswith("live, fast, ")


@pytest.mark.parametrize(
    ("plan", "first_of_last"),
    [
        (EventPlan(format="duel-knockout"), "Quarter-finals"),
        (EventPlan(format="duel-double-elimination"), "at most 8 left"),
        (EventPlan(format="duel-double-elimination", parameters=Parameters(last_from=2)), "the last two"),
        (EventPlan(format="team-groups", parameters=Parameters(playoff="double", last_from=4)), "at most 4 left"),
        (EventPlan(format="duel-groups", parameters=Parameters(group_play="double")), "Quarter-finals"),
        (
            EventPlan(format="duel-groups", parameters=Parameters(playoff="double", pool=2)),
            "Quarter-finals",
        ),  # it cannot be played
    ],
)
def test_the_last_rounds_of_a_double_elimination_are_named_by_the_players_left(
    plan: EventPlan, first_of_last: str
) -> None:
    assert setting_value_words(plan, "last_from") == first_of_last
    assert value_named(plan, "last_from", first_of_last) == str(plan.parameters.last_from)


def test_tie_breaks_are_chosen_one_after_the_other() -> None:
    plan = profile_plan("duel-weekend")
    assert not any(option.value == "usual" for option in options_of(plan, "tie_breaks"))
    for number, name in enumerate(("wins", "scores"), 2):
        option = next(option for option in options_of(plan, "tie_breaks") if option.value.split()[-1] == name)
        assert option.words == f"{number}. {name}"
        plan = with_value(plan, "tie_breaks", option.value)
    assert plan.parameters.tie_breaks == ("wins", "scores")
    assert setting_value_words(plan, "tie_breaks") == "wins, scores"
    shorter = next(option for option in options_of(plan, "tie_breaks") if option.words == "without scores")
    plan = with_value(plan, "tie_breaks", shorter.value)
    assert plan.parameters.tie_breaks == ("wins",)
    usual = next(option for option in options_of(plan, "tie_breaks") if option.words == "without wins")
    assert with_value(plan, "tie_breaks", usual.value).parameters.tie_breaks == ()


@pytest.mark.parametrize("name", ["profile", "format", "boxes", "tie_breaks"])
def test_every_list_of_a_setting_fits_and_each_entry_can_be_chosen(name: str) -> None:
    """Choose the last entry that is offered, until all tie-breaks are chosen."""
    plan = profile_plan("duel-weekend")
    for _ in range(12):
        options = options_of(plan, name)
        values = [option.value for option in options]
        assert 0 < len(options) <= 25
        assert len(set(values)) == len(values)
        assert all(0 < len(value) <= 100 for value in values)
        assert len({option.words for option in options}) == len(options)
        for value in values:
            assert with_value(plan, name, value)
        if name == "tie_breaks":
            longest = max(values, key=lambda value: len(value.split()))
            plan = with_value(plan, name, longest)


def test_a_list_says_what_is_chosen() -> None:
    plan = with_value(profile_plan("group-league"), "boxes", "river abbot")
    chosen = {name: [option.value for option in options_of(plan, name) if option.chosen] for name in SETTING_NAMES}
    assert {name: values for name, values in chosen.items() if values} == {
        "profile": ["group-league"],
        "format": ["duel-groups"],
        "boxes": ["river", "abbot"],
    }
    assert options_of(with_value(plan, "game", "the-castle"), "boxes") == []
