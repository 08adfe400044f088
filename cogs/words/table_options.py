"""The rules of a table in words: its edition and options, and the meaning of texts of the rule book at that table.

An *edition* of the game decides those options in which editions differ. All other options, such as a draft or a game
without farmers, are the table's *own choices*, and stay the same when another edition is chosen.

A text of the rule book may describe a rule that this table plays differently, or not at all; :func:`at_table` finds
that out from the *ties* of the text, its conditions on expansions and options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from typing import Any

from cogs.presenting.presenter import Presenter
from cogs.texts import listed, t
from cogs.texts.rule_book import Ties, Values, moot
from cogs.words.names import level_words
from cogs.words.story import units
from engine import DEFAULT_GAME, GAMES, Setup
from host import LEVELS, NO_PACE, PACES, Game, TableSettings, setup_of


def options_words(
    presenter: Presenter[Any],
    expansions: tuple[str, ...],
    options: Mapping[str, Any],
    game: str = DEFAULT_GAME,
    *,
    room: int | None = None,
) -> str:
    """Describe the rules: expansions, the nearest edition with its differences, and the table's own choices.

    Options without effect are left out, such as the bids where tiles are picked. With ``room``, the first expansions
    are named that fit into so many units, and the others counted.
    """
    kind = GAMES[game]
    values = kind.options.of(options).mapping()
    chosen = {entry.name: values[entry.name] for entry in options_in_play(game, expansions)}
    nearest = nearest_presets(game, chosen)
    edition, standard = kind.presets[nearest[0]].mapping(), kind.options().mapping()
    lines = [_expansions_line(presenter.expansion_names(expansions), room)]
    if len(nearest) == len(kind.presets):
        lines.append(t("rules.every_preset"))
    else:
        lines.append(t("rules.preset", name=listed([t(f"preset.{name}") for name in nearest])))
    for name in effective_options(chosen):
        value = chosen[name]
        words = t(f"option.{name}.{value}")
        if value != edition[name]:
            lines.append(t("rules.own", words=words))
        elif value != standard[name]:
            lines.append(t("rules.difference", words=words))
    return "\n".join(lines)


def _expansions_line(names: Sequence[str], room: int | None) -> str:
    """Name the expansions, at least the first; with ``room``, count those that do not fit into so many units."""
    line = t("rules.expansions", name=listed(names))
    for named in range(len(names) - 1, 0, -1):
        if room is None or units(line) <= room:
            break
        # A plain string: as a phrase it would get the quotation marks that some languages put around names of boxes.
        others = str(t("rules.more_expansions", number=len(names) - named))
        line = t("rules.expansions", name=listed([*names[:named], others]))
    return line


def options_in_play(game: str, expansions: tuple[str, ...]) -> list[Field[Any]]:
    """Return the options that make a difference with these expansions."""
    return [entry for entry in fields(GAMES[game].options) if set(entry.metadata["needs"]) <= set(expansions)]


def effective_options(chosen: Mapping[str, Any]) -> list[str]:
    """Return the options whose value makes a difference, given the values of the others."""
    clauses, values = moot(), {name: str(value) for name, value in chosen.items()}
    return [name for name in chosen if name not in clauses or not clauses[name].broken(values)]


def nearest_presets(game: str, chosen: Mapping[str, Any]) -> list[str]:
    """Return the edition that differs least from these option values, and all editions that play exactly like it."""
    presets = {
        name: {option: options.mapping()[option] for option in chosen} for name, options in GAMES[game].presets.items()
    }
    nearest = min(presets.values(), key=lambda values: sum(values[option] != value for option, value in chosen.items()))
    return [name for name, values in presets.items() if values == nearest]


def table_words(presenter: Presenter[Any], game: Game, *, room: int | None = None) -> str:
    """Describe the rules and settings of a table; with ``room``, name as many expansions as fit into so many units."""
    setup = setup_of(game)
    words = options_words(presenter, setup.expansions, setup.options.differences(), setup.game, room=room)
    return "\n".join([words, *settings_words(presenter, game.settings, setup.expansions)])


def settings_words(
    presenter: Presenter[Any], settings: TableSettings, expansions: tuple[str, ...], *, brief: bool = False
) -> Iterator[str]:
    """Describe how a table with these expansions is kept, where that is not as usual.

    ``brief`` says in a few words how often one plays, without the arithmetic of clocks.
    """
    if not settings.hints:
        yield t("rules.purist")
    elif settings.hints_off:
        yield t("rules.hints_off", hints=listed([t(f"ruling.hint_names.{hint}") for hint in settings.hints_off]))
    if settings.hints and settings.advice:
        yield t("rules.advice")
    if brief or settings.pace in PACES:
        pace = settings.pace if settings.pace in PACES else NO_PACE
        words = t(f"pace_brief.{pace}") if brief else pace_words(presenter, pace, expansions)
        yield t("rules.pace", words=words)
    if settings.ends_after:
        yield t("rules.ends_after", count=settings.ends_after)
    if settings.stand_in in LEVELS:
        yield t("rules.stand_in", level=level_words(settings.stand_in))
    if settings.least_punctuality:
        yield t("rules.least_punctuality", percent=settings.least_punctuality)


def pace_words(presenter: Presenter[Any], pace: str, expansions: tuple[str, ...]) -> str:
    """Describe the time that a pace gives for turns and, if an expansion asks for them, for decisions beside a turn."""
    own = presenter.expansions_asking_aside(expansions) if pace in PACES else ()
    return " ".join([t(f"pace.{pace}"), *(t(f"pace_aside.{name}.{pace}") for name in own)])


def edition_options(game: str) -> frozenset[str]:
    """Return the options in which editions of a game differ."""
    first, *others = [options.mapping() for options in GAMES[game].presets.values()]
    return frozenset(name for name, value in first.items() if any(other[name] != value for other in others))


def editions_agree(game: str, expansions: tuple[str, ...]) -> bool:
    """Return True if all editions play these expansions in the same way."""
    return not edition_options(game) & {entry.name for entry in options_in_play(game, expansions)}


def with_edition(game: str, options: Mapping[str, Any], preset: str) -> dict[str, Any]:
    """Return the options of an edition, as differences from the standard, with the table's own choices."""
    own = {name: value for name, value in options.items() if name not in edition_options(game)}
    return GAMES[game].options.of({**GAMES[game].presets[preset].differences(), **own}).differences()


def with_boxes(
    game: str, before: tuple[str, ...], after: tuple[str, ...], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options of a table that adds or removes expansions: with what those propose, or without it."""
    proposals, chosen = GAMES[game].proposals, dict(options)
    for name in {*before} - {*after}:
        chosen = {key: value for key, value in chosen.items() if proposals.get(name, {}).get(key) != value}
    for name in {*after} - {*before}:
        chosen |= proposals.get(name, {})
    return GAMES[game].options.of(chosen).differences()


def without_own(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options without the table's own choices."""
    return {name: value for name, value in options.items() if name in edition_options(game)}


def is_chosen(game: str, expansions: tuple[str, ...], options: Mapping[str, Any], preset: str) -> bool:
    """Return True if a table plays like an edition, apart from its own choices."""
    return not changed(game, expansions, options, preset)


def own_choices(game: str, expansions: tuple[str, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table's own choices besides its edition, without those that make no difference."""
    names = [entry.name for entry in options_in_play(game, expansions)]
    return {name: options[name] for name in names if name in options and name not in edition_options(game)}


def changed(
    game: str, expansions: tuple[str, ...], options: Mapping[str, Any], preset: str
) -> dict[str, tuple[Any, Any]]:
    """Return the options that choosing an edition would change: the value before and the edition's."""
    before, after = GAMES[game].options.of(options).mapping(), GAMES[game].presets[preset].mapping()
    names = [entry.name for entry in options_in_play(game, expansions) if entry.name in edition_options(game)]
    return {name: (before[name], after[name]) for name in names if before[name] != after[name]}


@dataclass(frozen=True, slots=True)
class TextAtTable:
    """The meaning of a rule book text at a table, in phrases that describe options."""

    played: bool
    """False if nothing of the text applies at the table."""
    departing: tuple[str, ...] = ()
    """The table's rules that depart from the text, or the reason why it does not apply."""
    open: tuple[str, ...] = ()
    """The table's rules where the text leaves a choice."""
    agreeing: tuple[str, ...] = ()
    """The table's rules that agree with the text."""

    @property
    def words(self) -> tuple[str, ...]:
        """All phrases, each once, the most surprising first."""
        return tuple(dict.fromkeys((*self.departing, *self.open, *self.agreeing)))

    @property
    def verdict(self) -> str:
        """The sentence before the phrases; empty if the text applies as it is."""
        if not self.played:
            return t("rulebook.not_played")
        return t("rulebook.changed") if self.departing else ""

    @property
    def short(self) -> str:
        """One line with what the text itself does not say."""
        phrases = tuple(dict.fromkeys((*self.departing, *self.open)))
        if not phrases:
            return t("rulebook.just_so")
        meaning = t("rulebook.here", words=". ".join(phrases))
        return f"{self.verdict} {meaning}" if self.verdict else meaning

    @property
    def lines(self) -> str:
        """All phrases in lines; departures stand out."""
        meaning = t("rulebook.here", words=self.words[0]) if len(self.words) == 1 else "\n".join(self._list())
        return f"{self.verdict} {meaning}" if self.verdict else meaning

    def _list(self) -> Iterator[str]:
        """Yield all phrases in lines, below a heading."""
        yield t("rulebook.here_all")
        for words in self.words:
            yield t("rulebook.choice_changed" if words in self.departing else "rulebook.choice", words=words)


def values_at(setup: Setup) -> Values:
    """Return the values, as text, of the options that make a difference at a table."""
    played = {entry.name: getattr(setup.options, entry.name) for entry in options_in_play(setup.game, setup.expansions)}
    return {name: str(played[name]) for name in effective_options(played)}


def at_table(ties: Ties, setup: Setup) -> TextAtTable | None:
    """Return the meaning of a text at a table; None if it means the same at every table, or applies at none."""
    missing = _missing(ties, setup)
    if missing:
        return TextAtTable(played=False, departing=(t("rulebook.without", box=t(f"expansion.{missing}")),))
    if ties.elsewhere or (ties.needed and not set(ties.needed) & set(setup.expansions)):
        return None
    values = values_at(setup)
    for clause in ties.only:
        if clause.broken(values):
            return TextAtTable(played=False, departing=_words(ties, values, clause.names))
    departing = [name for clause in ties.expects if clause.broken(values) for name in clause.names]
    agreeing = [name for name in ties.names if name not in departing and name not in ties.options]
    setup_sentence = _setup_sentence(ties, setup)
    meaning = TextAtTable(
        played=True,
        departing=_words(ties, values, departing),
        open=(*_words(ties, values, [name for name in ties.options if name not in departing]), *setup_sentence),
        agreeing=_words(ties, values, agreeing),
    )
    return meaning if meaning.words else None


def _missing(ties: Ties, setup: Setup) -> str:
    """Return the missing expansion without which a text does not apply, if the bot offers it."""
    if ties.box and ties.box not in setup.expansions:
        return ties.box
    if ties.needed and not set(ties.needed) & set(setup.expansions):
        return next((name for name in ties.needed if name in GAMES[setup.game].expansions), "")
    return ""


def _words(ties: Ties, values: Values, names: Iterable[str]) -> tuple[str, ...]:
    """Return the table's rules, option by option, without options that make no difference."""
    special = dict(ties.meanings)
    return tuple(
        special.get(f"{name}={values[name]}") or t(f"option.{name}.{values[name]}")
        for name in dict.fromkeys(names)
        if name in values
    )


def _setup_sentence(ties: Ties, setup: Setup) -> Iterator[str]:
    if ties.tells:
        yield t(f"rulebook.tells.{ties.tells}", count=len(setup.pile))
