"""Texts about events (tournaments and leagues): names, announcements, entries, standings, and organisers' actions.

Numbers of tie-breaks are exact fractions; they are shown with common fraction signs or a few decimals, and with more
decimals where two of them would look equal. Entries of the log whose kind only a later version knows are shown as they
are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from cogs.presenting.presenter import Presenter
from cogs.texts import has_text, listed, t
from cogs.texts.languages import by_ear
from cogs.words.names import level_words, player_names, safe
from cogs.words.story import clip_name, fit_text
from cogs.words.table_options import pace_words
from host import Person
from host.events import AuditRecord, computer_of
from host.events.views import AllTimeView, EventView, RankView, RoundView
from renderers import legible
from tournaments.facts import DISQUALIFIED
from tournaments.formats import FORMATS, SEASON_FORMAT, SEASON_MEETINGS
from tournaments.points import SCHEMES
from tournaments.ranking import COUNTED, LEAVER_TIE_BREAKS, STAYED, Explanation
from tournaments.states import ELIMINATIONS, SEASON, RoundState, StagePlan, groups_of

FRACTION_SIGNS: Final = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}
"""Signs of common fractions, by numerator and denominator."""
MINUS: Final = "\N{MINUS SIGN}"
NEGATED_VALUES: Final = frozenset({"seed", "losses", "place", "division"})
"""Tie-breaks in which a lower number is better: they are stored negated, and shown as positive numbers."""
REASONS_WITHOUT_VALUE: Final = {
    DISQUALIFIED: "before_disqualified",
    COUNTED: "before_struck_out",
    STAYED: "before_left",
}
"""The texts for the reasons that rank a player behind another without a tie-break."""
DEFAULT_DIGITS: Final = 2
"""The decimals of a number that has no fraction sign."""
MAX_DIGITS: Final = 9
"""The most decimals that are used to make two values look different."""


def value_words(value: Fraction, digits: int = DEFAULT_DIGITS) -> str:
    """Format a number: whole, with a common fraction sign, or with this many decimals."""
    sign, value = (MINUS if value < 0 else ""), abs(value)
    whole, fraction = divmod(value, 1)
    if not fraction:
        return f"{sign}{whole}"
    symbol = FRACTION_SIGNS.get((fraction.numerator, fraction.denominator))
    return f"{sign}{whole or ''}{symbol}" if symbol else f"{sign}{float(value):.{digits}f}"


def tie_break_words(name: str, value: Fraction, digits: int = DEFAULT_DIGITS) -> str:
    """Format the value of a tie-break."""
    if name == "lot":
        return f"{int(value):x}"[:6]
    return value_words(abs(value) if name in NEGATED_VALUES else value, digits)


def distinct_value_words(name: str, first: Fraction, second: Fraction) -> tuple[str, str]:
    """Format two values with as many decimals as they need to differ."""
    words = tie_break_words(name, first), tie_break_words(name, second)
    for digits in range(DEFAULT_DIGITS, MAX_DIGITS):
        words = tie_break_words(name, first, digits), tie_break_words(name, second, digits)
        if words[0] != words[1]:
            break
    return words


# -- names ------------------------------------------------------------------------------------------------------------


def entry_name(view: EventView, number: int) -> str:
    """Return an entry's name, escaped and shortened for a message, with the badge of a computer."""
    if number in view.computers:
        return safe(player_names([view.computers[number]])[0])
    return safe(clip_name(view.name_of(number)))


def person_name(view: EventView, person: Person) -> str:
    """Return a person's name for a message; they may play for a team or be waiting."""
    return safe(clip_name(view.name_of_person(person)))


def pictured_name(view: EventView, number: int) -> str:
    """Return an entry's name for pictures, or its number if no font can write the name.

    A computer has a short mark, since no font has its badge; for listeners, who hear the names, it is a word.
    """
    name = view.name_of(number)
    if number in view.computers:
        return t("computer.aloud" if by_ear() else "event.computer_pictured", player=name)
    return name if legible(name) else t("event.numbered", number=number + 1)


def pictured_title(view: EventView) -> str:
    """Return an event's name for pictures, or its code if no font can write the name."""
    return view.name if legible(view.name) else view.code


def stage_name(plan: StagePlan) -> str:
    """Return a stage's name."""
    return t(f"event.stage.{plan.name}")


def round_name(plan: StagePlan, drawn: RoundState) -> str:
    """Return a round's name; in a knock-out it depends on how many players are left."""
    return knockout_name(len(drawn.slots)) if plan.kind == "knockout" else t("event.round", number=drawn.number)


def knockout_name(places: int) -> str:
    """Return the name of a knock-out's round with this many places."""
    return t(f"event.knockout.{_knockout_key(places)}", places=places)


def still_in_name(places: int) -> str:
    """Return the name of the rounds of a double elimination in which at most so many players are left."""
    return t("event.value_name.last_two" if places == 2 else "event.value_name.at_most_left", places=places)


def _knockout_key(places: int) -> str:
    """Return the last part of the keys of texts about a knock-out's round with this many places."""
    return {2: "final", 4: "semi_finals", 8: "quarter_finals"}.get(places, "round_of")


def round_title(round_view: RoundView) -> str:
    """Return the names of a stage and its round for a headline."""
    if round_view.plan.kind in {"final", "pools", SEASON}:
        return stage_name(round_view.plan)
    return t(
        "event.stage_round", stage=stage_name(round_view.plan), round=round_name(round_view.plan, round_view.state)
    )


# -- what was announced -----------------------------------------------------------------------------------------------


def plan_words(view: EventView, presenter: Presenter[Any]) -> Iterator[str]:
    """Yield what players need to know before joining, a line each, except the rules of the game."""
    yield t(f"event.format.{view.plan.format}")
    if view.stages and view.event is None:
        yield t("event.planned_example" if view.is_example else "event.planned_for", count=view.planned_size)
    for number, plan in enumerate(view.stages, 1):
        yield t("event.stage_line", number=number, stage=stage_name(plan), words=_stage_words(plan, view.planned_size))
    if view.stages:
        yield ""  # ends the list: without it Discord shows the next lines as part of its last item
    if view.promised_weeks:
        yield t("event.length", count=view.promised_weeks)
    if view.plan.format == SEASON_FORMAT:
        yield from _season_words(view)
    else:
        yield from _round_words(view, presenter)
    yield from _format_words(view)
    yield from prize_lines(view)
    yield t("event.commitment", digest=view.commitment)
    for warning in view.warnings:
        yield t(f"event.warning.{warning}")


def _round_words(view: EventView, presenter: Presenter[Any]) -> Iterator[str]:
    """Yield the lines of an event whose rounds are drawn."""
    parameters = view.plan.parameters
    yield t("rules.pace", words=pace_words(presenter, parameters.pace, view.plan.expansions))
    yield t("event.deadline")
    if view.stages and not view.stages[0].duel:
        yield t("event.points", points=points_words(parameters.points))
    yield t("event.tie_breaks", names=tie_breaks_words(view))
    yield t("event.purist" if parameters.purist else "event.aids")
    if view.plan.computers:
        yield t("event.practice")
    yield t("event.rated" if view.plan.rated else "event.unrated")
    yield t(f"event.late.{_late_key(view)}")
    yield t(f"event.seeding.{view.plan.seeding}")
    yield from _separation_words(view)
    yield t("event.opening_auto" if view.plan.rounds == "auto" else "event.opening_organiser")


def _late_key(view: EventView) -> str:
    """Return the last part of the key of the text about late entries."""
    first = view.stages[0] if view.stages else None
    if first is not None and first.advance:
        return "groups" if first.late else "closed"
    # A field of the fewest may be played in another way, which takes nobody late: until then the format decides.
    is_known = first is not None and view.size >= view.least
    takes_late = first.late if first is not None and is_known else FORMATS[view.plan.format].late
    return view.plan.parameters.late if takes_late else "closed"


def _season_words(view: EventView) -> Iterator[str]:
    """Yield the lines of a season of the ladder, whose games are those of its players."""
    parameters = view.plan.parameters
    yield t("event.season.games", meetings=parameters.meetings or SEASON_MEETINGS)
    yield t("event.season.end")
    yield t("event.tie_breaks", names=tie_breaks_words(view))
    yield t("event.late.closed" if parameters.late == "closed" else "event.season.late")
    yield t(f"event.seeding.{view.plan.seeding}")
    yield t("event.season.leavers")


def prize_lines(view: EventView) -> list[str]:
    """Return the line about the prizes of an event, if it has any."""
    return [t("event.prizes", prizes=safe(view.plan.prizes))] if view.plan.prizes else []


def _separation_words(view: EventView) -> Iterator[str]:
    """Yield the rules that separate computers and members of one server, unless the format fixes who meets."""
    apart, kind = view.plan.parameters.apart, view.stages[0].kind if view.stages else ""
    if kind in {"robin", "pools"}:
        return
    if len(view.plan.computers) > 1:
        yield t("event.computers_apart")
    if apart != "never":
        yield t(f"event.apart.{'knockout' if kind in {'knockout', 'group-knockout'} else apart}")


def points_words(scheme: str) -> str:
    """Return the table points of a scheme at a table of four."""
    return "-".join(map(str, SCHEMES[scheme][4]))


def _format_words(view: EventView) -> Iterator[str]:
    """Yield the lines of some formats only: byes, withdrawals, line-ups, seasons."""
    plan, event_format, kinds = view.plan, FORMATS[view.plan.format], {stage.kind for stage in view.stages}
    if "swiss" in kinds:
        yield t(f"event.bye_{plan.parameters.bye}")
    if kinds & {"robin", "pools"}:
        yield t("event.leavers")
    if event_format.teams:
        yield t("event.line_ups", hours=plan.line_up_hours)
    if event_format.seasons:
        yield t("event.seasons", moving=plan.moving)
        if plan.season_of:
            yield t("event.season_of", code=plan.season_of)


def _stage_words(plan: StagePlan, entries: int) -> str:
    """Return the length and form of a stage: rounds, groups, entries that advance, games of a match, boards, weeks."""
    groups = groups_of(entries, plan.pool, plan.groups) if plan.divided and not plan.divisions else 0
    parts = {
        _way_of_play(plan): True,
        t("event.groups", count=groups): groups,
        t("event.of_each_group", count=plan.advance): plan.advance,
        t("event.go_on", count=plan.size): plan.size,
        t("event.firsts_rest"): plan.firsts,
        t("event.accelerated"): plan.accelerated,
        t("event.best_of", games=plan.best_of): plan.best_of > 1,
        _last_matches_words(plan): plan.last_best_of,
        t("event.third_place"): plan.third_place,
        t("event.boards", count=plan.boards): plan.boards,
        t("event.season_length" if plan.kind == SEASON else "event.weeks", count=plan.weeks): True,
    }
    return "; ".join(words for words, applies in parts.items() if applies)


def _last_matches_words(plan: StagePlan) -> str:
    """Return the length of the last matches of a stage, and the round with which they begin."""
    key = "event.last_best_of_double" if plan.kind == "double" else "event.last_best_of"
    return t(key, games=plan.last_best_of, round=_knockout_key(plan.last_from), places=plan.last_from)


def _way_of_play(plan: StagePlan) -> str:
    """Return the way in which a stage is played: its rounds, or what a loss means."""
    if plan.kind in ELIMINATIONS:
        return t("event.two_losses" if plan.kind.endswith("double") else "event.knockouts")
    if plan.kind == "final":
        return t("event.four_games" if plan.ties == "split" else "event.one_game")
    if plan.kind == "pools":
        return t("event.all_at_once")
    if plan.kind == SEASON:
        return t("event.found_games")
    if not plan.rounds:
        return t("event.everybody")
    return t("event.rounds_together" if plan.together != 1 else "event.rounds", count=plan.rounds)


def tie_breaks_words(view: EventView) -> str:
    """Return the tie-breaks of the first stage, in order."""
    names = view.stages[0].tie_breaks if view.stages else view.plan.parameters.tie_breaks
    return ", ".join(t(f"event.tie_break.{name}") for name in names) or t("event.usual_order")


# -- who is there -----------------------------------------------------------------------------------------------------


def entries_words(view: EventView, most: int = 40) -> str:
    """Return the players who have entered, and those who wait; above ``most`` names, the rest are only counted."""
    if view.teams:
        teams = [t("event.team", team=safe(team.name), count=len(team.members)) for team in view.teams]
        return t("event.entered", count=len(view.teams), most=view.most, names=", ".join(teams))
    names = [person_name(view, entry.person) for entry in view.playing]
    names += [
        t("event.computer", player=safe(player_names([computer])[0]), level=level_words(computer.level))
        for computer in view.plan.computers
    ]
    waiting = [person_name(view, entry.person) for entry in view.entries if entry.waiting]
    lines = [t("event.entered", count=len(names), most=view.most, names=_first_names(names, most))]
    if waiting:
        lines.append(t("event.waiting", count=len(waiting), names=_first_names(waiting, most // 2)))
    return "\n".join(lines)


def _first_names(names: Sequence[str], most: int) -> str:
    """Return the first names, and the number of the others."""
    if not names:
        return t("event.nobody")
    if len(names) <= most:
        return listed(names)
    return t("event.and_more", names=", ".join(names[:most]), count=len(names) - most)


# -- standings --------------------------------------------------------------------------------------------------------


def standing_line(view: EventView, line: RankView) -> str:
    """Return a line of the standings: the place, the player and the first two deciding values."""
    name = entry_name(view, line.number)
    shown_values = [(key, value) for key, value in line.values if key not in LEAVER_TIE_BREAKS]
    values = [
        t("event.value", name=t(f"event.tie_break.{key}"), value=tie_break_words(key, value))
        for key, value in shown_values[:2]
    ]
    key = "event.place_left" if line.gone else "event.place"
    words = t(key, place=line.rank, player=name, values=", ".join(values) or t("event.not_played"))
    penalty = t("event.penalty", points=value_words(line.penalty)) if line.penalty else ""
    warnings = t("event.warnings", count=line.warnings) if line.warnings else ""
    return " · ".join(filter(None, (words, penalty, warnings)))


def all_time_line(view: AllTimeView) -> str:
    """Return a line of the table of all seasons."""
    line, name = view.line, safe(clip_name(view.name))
    counts = {"titles": line.titles, "games": line.games, "seasons": line.seasons}
    return t("event.panel.all_time_line", place=view.rank, player=name, points=value_words(line.points), **counts)


def explanation_words(view: EventView, why: Explanation) -> str:
    """Explain in one sentence why one player ranks before the other."""
    names = {"player": entry_name(view, why.before), "other": entry_name(view, why.behind)}
    if why.name in REASONS_WITHOUT_VALUE:
        return t(f"event.{REASONS_WITHOUT_VALUE[why.name]}", **names)
    if why.name == "stage":
        later = view.stages[int(why.values[0]) - 1]
        return t("event.before_by_stage", stage=stage_name(later), **names)
    first, second = distinct_value_words(why.name, *why.values)
    name = t(f"event.tie_break.{why.name}")
    return t("event.before", number=why.number, name=name, one=first, other_value=second, **names)


RENAMED_SETTINGS: Final[Mapping[str, str]] = {"rounds": "opening", "expansions": "boxes", "options": "edition"}
"""Names of settings that differ from the names of the plan's fields."""
PARAMETER_PREFIX: Final = "parameters."
"""Prefix of a setting that is one of the tournament's parameters."""


def audit_words(line: AuditRecord) -> str:
    """Return a line of the log: the person, the action, the time and the reason."""
    person = entrant_words(line.user_id) if line.user_id else t("event.audit.by_itself")
    return t("event.audit.line", at=int(line.at.timestamp()), who=person, did=_action_words(line.kind, line.details))


def _action_words(kind: str, details: Mapping[str, Any]) -> str:
    """Return an organiser's action and its reason in words; one of an unknown kind as it is stored."""
    variant, values = _variant(kind, details)
    formatted = {name: _VALUE_FORMATTERS.get(name, _plain)(value) for name, value in values.items()}
    if not has_text(f"event.audit.did.{variant}"):
        pairs = ", ".join(t("event.audit.detail", name=name, value=_plain(value)) for name, value in details.items())
        return t("event.audit.other", kind=safe(kind), details=pairs)
    did = t(f"event.audit.did.{variant}", **formatted)
    return t("event.audit.because", did=did, reason=formatted["reason"]) if details.get("reason") else did


def _variant(kind: str, details: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the key of an action's sentence and its values; some actions have several sentences."""
    if kind == "organiser" and details:
        (setting, value), *_ = details.items()
        return f"organiser_{setting}", {"role" if setting.startswith("role") else "user": value}
    if kind == "started" and details.get("without_access"):
        return "started_without", {**details, "people": details["without_access"]}
    if "team" in details and has_text(f"event.audit.did.{kind}_team"):
        return f"{kind}_team", details
    return kind, details


def _plain(value: object) -> str:
    """Return a value of the log as it is stored, cut and escaped."""
    return safe(fit_text(str(value), 200))


def entrant_words(key: object) -> str:
    """Name somebody in an event by their stored key: a person by a mention, a computer by its name with its badge."""
    computer = computer_of(key)
    if computer is not None:
        return safe(player_names([computer])[0])
    return f"<@{key}>" if isinstance(key, int) and key > 0 else t("event.audit.somebody")


def _format(value: object) -> str:
    key = f"event.format_name.{value}"
    return t(key) if has_text(key) else _plain(value)


def _changed_settings(value: Iterable[object]) -> str:
    """Name the changed settings, each once."""
    return listed(list(dict.fromkeys(_setting_name(str(name)) for name in value)))


def _setting_name(name: str) -> str:
    """Return a setting's name."""
    part = name.removeprefix(PARAMETER_PREFIX)
    key = f"event.choosing.{RENAMED_SETTINGS.get(part, part) if part == name else part}"
    return t(key) if has_text(key) else _plain(name)


_VALUE_FORMATTERS: Final[Mapping[str, Any]] = {
    "user": entrant_words,
    "role": lambda value: f"<@&{value}>",
    "by": entrant_words,
    "points": lambda value: value_words(Fraction(str(value))),
    "people": lambda value: ", ".join(map(entrant_words, value)),
    "format": _format,
    "changed": _changed_settings,
    "scores": lambda value: ", ".join(map(str, value)),
}
"""Formatters of the log's values, by name; :func:`_plain` formats all others."""
