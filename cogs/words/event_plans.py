"""The settings of an event's plan, as organisers choose them: names, possible values, parsing, and texts.

A *plan* holds everything that the organisers of a tournament or league decide before it starts. A setting is changed by
a button, which goes to the next value, by a list of its values (:func:`options_of`), or by a typed value;
:func:`with_value` checks all alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from cogs.texts import has_text, listed, t
from cogs.texts.languages import choosable_codes, folded, folded_versions, name_of
from cogs.words.events import knockout_name, points_words, still_in_name
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from engine import GAMES
from host import LEVELS, MAX_COMPUTERS, Computer, clean_text, free_computer_name
from host.events import EventPlan, profile_plan
from tournaments.errors import EventRuleError
from tournaments.formats import FORMATS, LAST_ROUNDS, MATCH_LENGTHS, PROFILES
from tournaments.points import SCHEMES
from tournaments.ranking import TIE_BREAKS
from tournaments.specification import Parameters
from tournaments.weeks import DUEL_WEEKS

YES, NO = "yes", "no"
# Names of settings, as users type them.
PROFILE, FORMAT, EXPANSIONS, EDITION = "profile", "format", "boxes", "edition"
TIE_BREAK_ORDER, START_TIME, PREVIOUS_SEASON, PRIZES = "tie_breaks", "starts_at", "season_of", "prizes"
MAX_ENTRIES, LANGUAGE, LAST_FROM = "most", "language", "last_from"
MAX_PRIZES_LENGTH: Final = 200
"""The most characters of the prizes of an event."""
NO_START_TIME: Final = "never"
"""The value of a start that has no time: the organisers start the event themselves."""
DATE_FORMAT: Final = "%Y-%m-%d %H:%M"
"""The format in which a start is typed, in UTC."""
EARLIEST_START: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""The earliest start that is accepted: check-in before it must still be a valid date."""
BASE_GAME_ONLY: Final = "base"
USUAL_TIE_BREAKS: Final = "usual"
"""The value of the tie-breaks that are usual in the format."""
ALL_EXPANSIONS: Final = "all"

COMPUTERS_OF_LEVEL: Final = {f"computers_{level}": level for level in LEVELS}
"""The settings that say how many computers of a level play along."""

SETTING_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    PROFILE: tuple(PROFILES),
    FORMAT: tuple(FORMATS),
    "rounds": tuple(map(str, range(12))),
    "best_of": tuple(map(str, MATCH_LENGTHS)),
    "final": ("four-games", "one-game", "none"),
    "pool": ("0", "3", "4", "5", "6", "8", "10", "13"),
    "advance": ("0", "1", "2", "3", "4", "8", "16"),
    "boards": tuple(map(str, range(1, 11))),
    "groups": ("0", "2", "3", "4", "6", "8", "16", "32"),
    "group_play": ("robin", "knockout", "double"),
    "playoff": ("knockout", "double"),
    "playoff_best_of": tuple(map(str, MATCH_LENGTHS)),
    "last_best_of": tuple(map(str, MATCH_LENGTHS)),
    LAST_FROM: tuple(map(str, LAST_ROUNDS)),
    "first_byes": (YES, NO),
    "third_place": (YES, NO),
    "accelerated": (YES, NO),
    "game": tuple(GAMES),
    EXPANSIONS: (ALL_EXPANSIONS, BASE_GAME_ONLY),
    EDITION: ("",),
    "pace": tuple(DUEL_WEEKS),
    "purist": (YES, NO),
    "rated": (YES, NO),
    **dict.fromkeys(COMPUTERS_OF_LEVEL, tuple(map(str, range(MAX_COMPUTERS + 1)))),
    "points": tuple(SCHEMES),
    "late": ("closed", "zero", "average"),
    "bye": ("win", "draw"),
    "apart": ("never", "first", "first-and-last"),
    "seeding": ("rating", "lot"),
    "opening": ("auto", "organiser"),
    "check_in_hours": ("0", "12", "24", "48", "72"),
    "line_up_hours": ("12", "24", "48", "72"),
    "moving": ("1", "2", "3"),
    "season_weeks": ("0", "4", "8", "13", "26"),
    "meetings": ("0", "1", "2", "3", "4", "6"),
    MAX_ENTRIES: ("0", "4", "8", "12", "16", "24", "32", "48", "64", "128", "256"),
}
"""The values that a button cycles through; a typed number may be any other."""
FREE_TEXT_SETTINGS: Final = (START_TIME, PREVIOUS_SEASON, PRIZES)
SETTING_PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "format": (PROFILE, FORMAT, "rounds", "best_of", "final", "accelerated", "boards"),
    "stages": (
        "pool",
        "groups",
        "group_play",
        "advance",
        "playoff",
        "first_byes",
        "playoff_best_of",
        "last_best_of",
        LAST_FROM,
        "third_place",
    ),
    "play": ("game", EXPANSIONS, EDITION, "pace", "purist", "rated", *COMPUTERS_OF_LEVEL, LANGUAGE),
    "places": ("points", TIE_BREAK_ORDER, "late", "bye", "apart", "seeding"),
    "dates": (
        MAX_ENTRIES,
        START_TIME,
        "check_in_hours",
        "opening",
        "line_up_hours",
        PREVIOUS_SEASON,
        "moving",
        "season_weeks",
        "meetings",
        PRIZES,
    ),
}
SETTING_NAMES: Final = tuple(name for page in SETTING_PAGES.values() for name in page)
"""All settings: more than Discord can list, so autocompletion filters them."""
NUMERIC_SETTINGS: Final = frozenset(
    name for name, values in SETTING_VALUES.items() if all(value.isdecimal() for value in values)
)
_TOURNAMENT_PARAMETERS: Final = frozenset(parameter.name for parameter in fields(Parameters))
"""Settings that are parameters of the tournament's rules; all others belong to the plan itself."""
_FIXED_TIE_BREAKS: Final = frozenset({"points", "lot"})
"""The tie-breaks that are always the first and the last."""
_OPENING: Final = "opening"
"""The setting that decides whether rounds are opened automatically or by an organiser."""


def possible_values(plan: EventPlan, name: str) -> tuple[str, ...]:
    """Return the values that a setting can have in this plan."""
    game = GAMES[plan.parameters.game]
    if name == EDITION:
        return tuple(game.presets)
    if name == EXPANSIONS:
        return (ALL_EXPANSIONS, BASE_GAME_ONLY, *game.expansions) if game.expansions else (BASE_GAME_ONLY,)
    if name in COMPUTERS_OF_LEVEL:
        others = sum(computer.level != COMPUTERS_OF_LEVEL[name] for computer in plan.computers)
        return SETTING_VALUES[name][: MAX_COMPUTERS - others + 1]
    return tuple(choosable_codes()) if name == LANGUAGE else SETTING_VALUES.get(name, ())


def current_value(plan: EventPlan, name: str) -> str:
    """Return the current value of a setting, in the form in which it is typed."""
    if name in _READERS:
        return _READERS[name](plan)
    value: object = getattr(plan.parameters if name in _TOURNAMENT_PARAMETERS else plan, name)
    return (YES if value else NO) if isinstance(value, bool) else str(value)


def next_value(plan: EventPlan, name: str) -> str:
    """Return the next value of a setting's button, or an empty string; equivalent editions count as one."""
    values, current = possible_values(plan, name), current_value(plan, name)
    start = values.index(current) + 1 if current in values else 0
    candidates = (value for value in (*values[start:], *values[:start]) if value != current)
    return next((value for value in candidates if current_value(with_value(plan, name, value), name) == value), "")


def _current_profile(plan: EventPlan) -> str:
    """Return the profile whose format and parameters the plan has; an empty text for none."""
    chosen = (plan.format, plan.parameters)
    return next((name for name, profile in PROFILES.items() if (profile.format, profile.parameters) == chosen), "")


def _current_expansions(plan: EventPlan) -> str:
    """Return the chosen expansions as they are typed."""
    available = GAMES[plan.parameters.game].expansions
    if not plan.expansions:
        return BASE_GAME_ONLY
    return ALL_EXPANSIONS if plan.expansions == available else " ".join(plan.expansions)


def _count_computers(plan: EventPlan, level: str) -> str:
    """Return the number of computers of a level."""
    return str(sum(computer.level == level for computer in plan.computers))


def _current_edition(plan: EventPlan) -> str:
    """Return the edition that the options are those of; an empty text for the organiser's own options."""
    game = GAMES[plan.parameters.game]
    chosen = game.options.of(plan.options)
    return next((preset for preset, options in game.presets.items() if options == chosen), "")


_READERS: Final[Mapping[str, Callable[[EventPlan], str]]] = {
    PROFILE: _current_profile,
    EXPANSIONS: _current_expansions,
    EDITION: _current_edition,
    _OPENING: lambda plan: plan.rounds,
    "rated": lambda plan: YES if plan.rated else NO,
    **{name: partial(_count_computers, level=level) for name, level in COMPUTERS_OF_LEVEL.items()},
    TIE_BREAK_ORDER: lambda plan: " ".join(plan.parameters.tie_breaks),
    START_TIME: lambda plan: plan.starts_at.astimezone(UTC).strftime(DATE_FORMAT) if plan.starts_at else NO_START_TIME,
}


def with_value(plan: EventPlan, name: str, typed: str) -> EventPlan:
    """Return the plan with a setting changed to a typed value.

    Raises:
        RefusedError: the setting cannot have this value.
    """
    typed = typed.strip()
    if name in _READERS_OF_TEXT:
        return _READERS_OF_TEXT[name](plan, typed)
    value = _parse_value(plan, name, typed)
    if name in _SETTERS:
        return _SETTERS[name](plan, str(value))
    changed: dict[str, Any] = {name: value}
    if name in _TOURNAMENT_PARAMETERS:
        return replace(plan, parameters=replace(plan.parameters, **changed))
    return replace(plan, **changed)


def _parse_value(plan: EventPlan, name: str, typed: str) -> str | int | bool:
    """Read a typed value of a setting, and check it."""
    allowed = possible_values(plan, name)
    if name in NUMERIC_SETTINGS and typed.isascii() and typed.isdecimal() and len(typed) < 4:
        return int(typed)
    if typed not in allowed or name in NUMERIC_SETTINGS:
        raise _bad_value(plan, name, typed)
    return typed == YES if set(allowed) == {YES, NO} else typed


def _bad_value(plan: EventPlan, name: str, typed: str) -> RefusedError:
    """Return the refusal of a typed value, which lists the allowed ones."""
    labels = [value_label(plan, name, value) for value in possible_values(plan, name)]
    return RefusedError("bad_value", value=safe(typed), values=", ".join(labels))


def _with_profile(plan: EventPlan, typed: str) -> EventPlan:
    """Return the plan with the format and parameters of a profile."""
    profile = profile_plan(typed)
    same = profile.parameters.game == plan.parameters.game
    base = plan if same else replace(plan, expansions=(), options={})
    return replace(base, format=profile.format, parameters=profile.parameters)


def _with_game(plan: EventPlan, typed: str) -> EventPlan:
    """Return the plan for another game, without expansions and options."""
    return replace(plan, parameters=replace(plan.parameters, game=typed), expansions=(), options={})


def _with_expansions(plan: EventPlan, typed: str) -> EventPlan:
    """Return the plan with these expansions, which are separated by blanks."""
    available = GAMES[plan.parameters.game].expansions
    chosen = set(available) if typed == ALL_EXPANSIONS else set() if typed == BASE_GAME_ONLY else set(typed.split())
    if not chosen <= set(available):
        raise _bad_value(plan, EXPANSIONS, typed)
    return replace(plan, expansions=tuple(name for name in available if name in chosen))


def _with_computers(plan: EventPlan, typed: str, *, setting: str) -> EventPlan:
    """Return the plan with this number of computers of the setting's level; the others keep their names."""
    allowed, level = possible_values(plan, setting), COMPUTERS_OF_LEVEL[setting]
    if typed not in allowed:
        raise _bad_value(plan, setting, typed)
    of_level = [computer for computer in plan.computers if computer.level == level][: int(typed)]
    computers = [computer for computer in plan.computers if computer.level != level or computer in of_level]
    for _ in range(int(typed) - len(of_level)):
        computers.append(Computer(free_computer_name(computers), level))
    return replace(plan, computers=tuple(computers))


def _with_tie_breaks(plan: EventPlan, typed: str) -> EventPlan:
    """Return the plan with these tie-breaks in order."""
    names = () if typed == USUAL_TIE_BREAKS else tuple(typed.replace(",", " ").split())
    if any(name not in TIE_BREAKS for name in names):
        raise RefusedError("bad_value", value=safe(typed), values=", ".join(f"`{name}`" for name in TIE_BREAKS))
    return replace(plan, parameters=replace(plan.parameters, tie_breaks=names))


def _with_start(plan: EventPlan, typed: str) -> EventPlan:
    """Return the plan with another start; empty for none."""
    if typed in {"", NO_START_TIME}:
        return replace(plan, starts_at=None)
    try:
        start = datetime.strptime(typed, DATE_FORMAT).replace(tzinfo=UTC)
    except ValueError as error:
        raise RefusedError("bad_event_date") from error
    if start < EARLIEST_START:
        raise RefusedError("bad_event_date")
    return replace(plan, starts_at=start)


_SETTERS: Final[Mapping[str, Callable[[EventPlan, str], EventPlan]]] = {
    PROFILE: _with_profile,
    "game": _with_game,
    EDITION: lambda plan, name: replace(plan, options=GAMES[plan.parameters.game].presets[name].differences()),
    _OPENING: lambda plan, name: replace(plan, rounds="organiser" if name == "organiser" else "auto"),
}
"""Functions that change more than a field of the same name."""
_READERS_OF_TEXT: Final[Mapping[str, Callable[[EventPlan, str], EventPlan]]] = {
    EXPANSIONS: _with_expansions,
    TIE_BREAK_ORDER: _with_tie_breaks,
    START_TIME: _with_start,
    **{name: partial(_with_computers, setting=name) for name in COMPUTERS_OF_LEVEL},
    PREVIOUS_SEASON: lambda plan, typed: replace(plan, season_of=typed.upper()),
    PRIZES: lambda plan, typed: replace(plan, prizes=clean_text(typed)[:MAX_PRIZES_LENGTH]),
}


# -- lists of values --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SettingOption:
    """An entry of the list from which a setting is chosen: its value as it is typed, and its words."""

    value: str
    words: str
    chosen: bool = False


def options_of(plan: EventPlan, name: str) -> list[SettingOption]:
    """Return the list from which a setting is chosen; empty if a button leads through its values, or it is typed.

    Of expansions any number can be chosen. Tie-breaks are chosen one after the other: each entry holds all of them.
    """
    if name == TIE_BREAK_ORDER:
        return _tie_break_options(plan)
    if name == EXPANSIONS:
        available = GAMES[plan.parameters.game].expansions
        return [SettingOption(box, t(f"expansion.{box}"), box in plan.expansions) for box in available]
    if name in {PROFILE, FORMAT}:
        current = current_value(plan, name)
        values = possible_values(plan, name)
        return [SettingOption(value, _value_words_of(plan, name, value), value == current) for value in values]
    return []


def _tie_break_options(plan: EventPlan) -> list[SettingOption]:
    """Return each tie-break that can be the next; if there are any, without the last one, and the usual ones."""
    chosen = [name for name in plan.parameters.tie_breaks if name not in _FIXED_TIE_BREAKS]
    options = [
        SettingOption(
            " ".join([*chosen, name]),
            t("event.choosing.next_tie_break", number=len(chosen) + 2, name=t(f"event.tie_break.{name}")),
        )
        for name in TIE_BREAKS
        if name not in chosen and name not in _FIXED_TIE_BREAKS
    ]
    if chosen:
        last = t(f"event.tie_break.{chosen[-1]}")
        shorter = " ".join(chosen[:-1]) or USUAL_TIE_BREAKS
        options.append(SettingOption(shorter, t("event.choosing.without_tie_break", name=last)))
    if plan.parameters.tie_breaks and len(chosen) != 1:
        options.append(SettingOption(USUAL_TIE_BREAKS, t("event.value_name.usual")))
    return options


# -- in words ---------------------------------------------------------------------------------------------------------


def setting_line(plan: EventPlan, name: str) -> str:
    """Return a setting and its current value, in one line."""
    return t("event.choosing.line", name=t(f"event.choosing.{name}"), value=setting_value_words(plan, name))


def setting_value_words(plan: EventPlan, name: str) -> str:
    """Return the current value of a setting in words."""
    value = current_value(plan, name)
    if name in _WORDS_BY_PLAN:
        return _WORDS_BY_PLAN[name](plan, value)
    if name in _VALUE_WORDS and value:
        return _VALUE_WORDS[name](value)
    if name in NUMERIC_SETTINGS:
        left_open = value == "0" and name != "check_in_hours"
        return t(f"event.value_name.{'as_many' if name == MAX_ENTRIES else 'usual'}") if left_open else value
    if name in FREE_TEXT_SETTINGS:
        return _typed_words(name, value)
    return _value_name(value or "own")


def _expansion_words(plan: EventPlan, value: str) -> str:
    """Return the names of the chosen expansions, or the word for all or none of them."""
    if value in {ALL_EXPANSIONS, BASE_GAME_ONLY}:
        return _value_name(value)
    return listed([t(f"expansion.{expansion}") for expansion in plan.expansions])


def _tie_break_words(plan: EventPlan, _: str) -> str:
    """Return the chosen tie-breaks in words, in order."""
    names = plan.parameters.tie_breaks
    return ", ".join(t(f"event.tie_break.{name}") for name in names) or t("event.value_name.usual")


def _last_from_words(plan: EventPlan, value: str) -> str:
    """Return the name of the first of the last rounds, of a double elimination by how many players are left."""
    event_format, kind = FORMATS[plan.format], ""
    with suppress(EventRuleError):  # the plan cannot be played as it is
        kind = event_format.stages(event_format.most, plan.parameters)[-1].kind
    return still_in_name(int(value)) if kind == "double" else knockout_name(int(value))


def _typed_words(name: str, value: str) -> str:
    """Return the value of a setting that is typed, or its meaning where none is."""
    if name == START_TIME and value == NO_START_TIME:
        return t("event.value_name.organiser")
    empty = {PREVIOUS_SEASON: "no_season", PRIZES: "no_prizes"}.get(name, "usual")
    return safe(value) or t(f"event.value_name.{empty}")


def _value_name(value: str) -> str:
    key = f"event.value_name.{value}"
    return t(key) if has_text(key) else value


_WORDS_BY_PLAN: Final[Mapping[str, Callable[[EventPlan, str], str]]] = {
    LANGUAGE: lambda _, value: name_of(value) if value else t("event.value_name.usual"),
    EXPANSIONS: _expansion_words,
    TIE_BREAK_ORDER: _tie_break_words,
    LAST_FROM: _last_from_words,
}
"""Functions that name the value of a setting that depends on the rest of the plan, by setting."""
_VALUE_WORDS: Final[Mapping[str, Callable[[str], str]]] = {
    FORMAT: lambda value: t(f"event.format_name.{value}"),
    "game": lambda value: t(f"rulebook.game.{value}"),
    EDITION: lambda value: t(f"preset.{value}"),
    "points": points_words,
    **dict.fromkeys(COMPUTERS_OF_LEVEL, lambda value: value if value != "0" else t("event.value_name.no_computers")),
}
"""Functions that name the values of some settings, by setting."""


# -- typed in words ---------------------------------------------------------------------------------------------------


def setting_named(typed: str) -> str:
    """Return the setting that is typed by its name, or by its title in the current language or in English.

    Raises:
        RefusedError: there is none.
    """
    typed = typed.strip()
    if typed in SETTING_NAMES:
        return typed
    for name in SETTING_NAMES:
        if folded(typed) in {name, *folded_versions(partial(t, f"event.choosing.{name}"))}:
            return name
    raise RefusedError("bad_value", value=safe(typed), values=", ".join(map(setting_label, SETTING_NAMES)))


def value_named(plan: EventPlan, name: str, typed: str) -> str:
    """Return the value of a setting that is typed in its words, in the current language or in English.

    Anything else is returned as it was typed.
    """
    typed, values = typed.strip(), possible_values(plan, name)
    if typed in values:
        return typed
    query = folded(typed)
    for value in values:
        if query in {folded(value), *folded_versions(partial(_value_words_of, plan, name, value))}:
            return value
    return typed


def setting_label(name: str) -> str:
    """Return the label of a setting: its title, and the name under which it is typed."""
    return t("event.choosing.typed", words=t(f"event.choosing.{name}"), name=name)


def value_label(plan: EventPlan, name: str, value: str) -> str:
    """Return the label of a value: its words, and the value as it is typed if that differs."""
    words = _value_words_of(plan, name, value)
    return value if folded(words) == folded(value) else t("event.choosing.typed", words=words, name=value)


def _value_words_of(plan: EventPlan, name: str, value: str) -> str:
    """Return a possible value of a setting in words."""
    if value in {YES, NO}:  # a practice event reads as not rated, whatever is chosen
        return _value_name(value)
    return setting_value_words(with_value(plan, name, value), name)
