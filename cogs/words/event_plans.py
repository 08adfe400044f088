"""What may be chosen for an event: each choice by its name, the values it may have, and both in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from cogs.texts import known, listed, t
from cogs.texts.languages import choice, name_of
from cogs.words.events import points_words
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from engine import GAMES, EngineError
from host.events import EventPlan, profile_plan
from tournaments.formats import FORMATS, PROFILES
from tournaments.points import SCHEMES
from tournaments.ranking import TIE_BREAKS
from tournaments.specification import Parameters

if TYPE_CHECKING:
    from host.events import EventView

YES, NO = "yes", "no"
PROFILE, FORMAT, BOXES, EDITION = "profile", "format", "boxes", "edition"
TIES, STARTS, MOST, SEASON, LANGUAGE = "tie_breaks", "starts_at", "most", "season_of", "language"
NEVER: Final = "never"
WHEN: Final = "%Y-%m-%d %H:%M"
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""Before this nobody means a date, and check-in would begin before the calendar does."""
ALONE: Final = "base"
ALL: Final = "all"

VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    PROFILE: tuple(PROFILES),
    FORMAT: tuple(FORMATS),
    "rounds": tuple(map(str, range(12))),
    "best_of": ("0", "1", "3", "5"),
    "final": ("four-games", "one-game", "none"),
    "pool": ("0", "3", "4", "5", "6", "8", "10", "13"),
    "advance": ("0", "1", "2", "4", "8", "16"),
    "boards": tuple(map(str, range(1, 11))),
    "game": tuple(GAMES),
    BOXES: (ALL, ALONE),
    EDITION: ("",),
    "pace": ("live", "fast", "standard", "slow"),
    "purist": (YES, NO),
    "rated": (YES, NO),
    "points": tuple(SCHEMES),
    "late": ("closed", "zero", "average"),
    "bye": ("win", "draw"),
    "apart": ("never", "first", "first-and-last"),
    "seeding": ("rating", "lot"),
    "opening": ("auto", "organiser"),
    "check_in_hours": ("0", "12", "24", "48", "72"),
    "line_up_hours": ("12", "24", "48", "72"),
    "moving": ("1", "2", "3"),
    MOST: ("0", "4", "8", "12", "16", "24", "32", "48", "64", "128", "256"),
}
"""What a button goes through; numbers may be any that is typed."""
TYPED: Final = (TIES, STARTS, SEASON)
PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "format": (PROFILE, FORMAT, "rounds", "best_of", "final", "pool", "advance", "boards"),
    "play": ("game", BOXES, EDITION, "pace", "purist", "rated", LANGUAGE),
    "places": ("points", TIES, "late", "bye", "apart", "seeding"),
    "dates": (MOST, STARTS, "check_in_hours", "opening", "line_up_hours", SEASON, "moving"),
}
NAMES: Final = tuple(name for page in PAGES.values() for name in page)
"""All choices: more than Discord lists, so that typing narrows them down."""
NUMBERS: Final = frozenset(
    {"rounds", "best_of", "pool", "advance", "boards", "check_in_hours", "line_up_hours", "moving", MOST}
)
_PARAMETERS: Final = frozenset(each.name for each in fields(Parameters)) - {"rounds"}
_OPENING: Final = "opening"


def values_of(plan: EventPlan, name: str) -> tuple[str, ...]:
    """The values that a choice may have with this plan."""
    game = GAMES[plan.parameters.game]
    if name == EDITION:
        return tuple(game.presets)
    if name == BOXES:
        return (ALL, ALONE, *game.expansions) if game.expansions else (ALONE,)
    return tuple(choice()) if name == LANGUAGE else VALUES.get(name, ())


def value_of(plan: EventPlan, name: str) -> str:
    """What is chosen, as it is typed."""
    if name in _CHOSEN:
        return _CHOSEN[name](plan)
    value: object = getattr(plan.parameters if name in _PARAMETERS or name == "rounds" else plan, name)
    return (YES if value else NO) if isinstance(value, bool) else str(value)


def next_value(plan: EventPlan, name: str) -> str:
    """The value that a button goes on to, nothing where there is no other; editions that play alike are one."""
    values, now = values_of(plan, name), value_of(plan, name)
    start = values.index(now) + 1 if now in values else 0
    others = (value for value in (*values[start:], *values[:start]) if value != now)
    return next((value for value in others if value_of(chosen(plan, name, value), name) == value), "")


def _chosen_profile(plan: EventPlan) -> str:
    return next((each for each in PROFILES if _profile(each) == (plan.format, plan.parameters)), "")


def _profile(name: str) -> tuple[str, Parameters]:
    return PROFILES[name].format, PROFILES[name].parameters


def _chosen_boxes(plan: EventPlan) -> str:
    every = GAMES[plan.parameters.game].expansions
    return ALONE if not plan.expansions else ALL if plan.expansions == every else " ".join(plan.expansions)


def _chosen_edition(plan: EventPlan) -> str:
    game = GAMES[plan.parameters.game]
    wanted = game.options.of(plan.options)
    return next((each for each, options in game.presets.items() if options == wanted), "")


_CHOSEN: Final[Mapping[str, Callable[[EventPlan], str]]] = {
    PROFILE: _chosen_profile,
    BOXES: _chosen_boxes,
    EDITION: _chosen_edition,
    _OPENING: lambda plan: plan.rounds,
    TIES: lambda plan: " ".join(plan.parameters.tie_breaks),
    STARTS: lambda plan: plan.starts_at.astimezone(UTC).strftime(WHEN) if plan.starts_at else NEVER,
}


def chosen(plan: EventPlan, name: str, typed: str) -> EventPlan:
    """The plan with another value.

    Raises:
        RefusedError: there is no such choice, or it cannot have this value.
    """
    typed = typed.strip()
    special = _SPECIAL.get(name)
    if special is not None:
        return special(plan, typed)
    value = _read(plan, name, typed)
    if name == _OPENING:
        return replace(plan, rounds="organiser" if value == "organiser" else "auto")
    if name in _PARAMETERS or name == "rounds":
        changed: dict[str, Any] = {name: value}
        return replace(plan, parameters=replace(plan.parameters, **changed))
    changed = {name: value}
    return replace(plan, **changed)


def _read(plan: EventPlan, name: str, typed: str) -> str | int | bool:
    possible = values_of(plan, name)
    if name in NUMBERS and typed.isascii() and typed.isdecimal() and len(typed) < 4:
        return int(typed)
    if typed not in possible or name in NUMBERS:
        raise _bad(typed, possible)
    return typed == YES if set(possible) == {YES, NO} else typed


def _bad(typed: str, possible: tuple[str, ...]) -> RefusedError:
    return RefusedError("bad_value", value=safe(typed), values=", ".join(f"`{value}`" for value in possible))


def _with_profile(plan: EventPlan, typed: str) -> EventPlan:
    if typed not in PROFILES:
        raise _bad(typed, tuple(PROFILES))
    usual = profile_plan(typed)
    same = usual.parameters.game == plan.parameters.game
    kept = plan if same else replace(plan, expansions=(), options={})
    return replace(kept, format=usual.format, parameters=usual.parameters)


def _with_format(plan: EventPlan, typed: str) -> EventPlan:
    if typed not in FORMATS:
        raise _bad(typed, tuple(FORMATS))
    return replace(plan, format=typed)


def _with_game(plan: EventPlan, typed: str) -> EventPlan:
    if typed not in GAMES:
        raise _bad(typed, tuple(GAMES))
    return replace(plan, parameters=replace(plan.parameters, game=typed), expansions=(), options={})


def _with_boxes(plan: EventPlan, typed: str) -> EventPlan:
    every = GAMES[plan.parameters.game].expansions
    wanted = set(every) if typed == ALL else set() if typed == ALONE else set(typed.split())
    if not wanted <= set(every):
        raise _bad(typed, values_of(plan, BOXES))
    return replace(plan, expansions=tuple(name for name in every if name in wanted))


def _with_edition(plan: EventPlan, typed: str) -> EventPlan:
    game = GAMES[plan.parameters.game]
    if typed not in game.presets:
        raise _bad(typed, tuple(game.presets))
    try:
        return replace(plan, options=game.presets[typed].differences())
    except EngineError as error:
        raise _bad(typed, tuple(game.presets)) from error


def _with_ties(plan: EventPlan, typed: str) -> EventPlan:
    names = tuple(typed.replace(",", " ").split())
    if any(name not in TIE_BREAKS for name in names):
        raise _bad(typed, tuple(TIE_BREAKS))
    return replace(plan, parameters=replace(plan.parameters, tie_breaks=names))


def _with_start(plan: EventPlan, typed: str) -> EventPlan:
    if typed in {"", NEVER}:
        return replace(plan, starts_at=None)
    try:
        at = datetime.strptime(typed, WHEN).replace(tzinfo=UTC)
    except ValueError as error:
        raise RefusedError("bad_event_date") from error
    if at < EARLIEST:
        raise RefusedError("bad_event_date")
    return replace(plan, starts_at=at)


_SPECIAL: Final[Mapping[str, Callable[[EventPlan, str], EventPlan]]] = {
    PROFILE: _with_profile,
    FORMAT: _with_format,
    "game": _with_game,
    BOXES: _with_boxes,
    EDITION: _with_edition,
    TIES: _with_ties,
    STARTS: _with_start,
    SEASON: lambda plan, typed: replace(plan, season_of=typed.upper()),
}


# -- in words ---------------------------------------------------------------------------------------------------------


def choice_words(view: EventView, name: str) -> str:
    """A choice and what it is now, in one line."""
    return t("event.choosing.line", name=t(f"event.choosing.{name}"), value=value_words(view.plan, name))


def value_words(plan: EventPlan, name: str) -> str:
    """What is chosen, in words."""
    value = value_of(plan, name)
    if name == LANGUAGE:
        return name_of(value) if value else t("event.value_name.usual")
    if name in _ELSEWHERE and value:
        return _ELSEWHERE[name](value)
    if name == BOXES and value not in {ALL, ALONE}:
        return listed([t(f"expansion.{each}") for each in plan.expansions])
    if name in NUMBERS and not (value == "0" and name != "check_in_hours"):
        return value
    if name in NUMBERS | set(TYPED) and value != NEVER:
        return t("event.value_name.as_many") if name == MOST else safe(value) or t("event.value_name.usual")
    return _value_name(value or "own")


def _value_name(value: str) -> str:
    key = f"event.value_name.{value}"
    return t(key) if known(key) else value


_ELSEWHERE: Final[Mapping[str, Callable[[str], str]]] = {
    FORMAT: lambda value: t(f"event.format_name.{value}"),
    "game": lambda value: t(f"rulebook.game.{value}"),
    EDITION: lambda value: t(f"preset.{value}"),
    "points": points_words,
}
"""The names of values that have some of their own."""
