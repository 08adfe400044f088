"""Rules in words: what a table plays, and what its options change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any

from cogs.texts import listed, t
from cogs.texts.ties import moot
from engine import DEFAULT_GAME, GAMES
from host import PACES, setup_of

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from host import Game, TableSettings


def options_words(
    presenter: Presenter[Any], expansions: tuple[str, ...], options: Mapping[str, Any], game: str = DEFAULT_GAME
) -> str:
    """What is played: expansions, the nearest edition with what it changes, and what only this table does.

    What makes no difference there, as the bids where tiles are picked, is left out.
    """
    known = GAMES[game]
    values = known.options.of(options).mapping()
    chosen = {entry.name: values[entry.name] for entry in options_in_play(game, expansions)}
    nearest = nearest_presets(game, chosen)
    edition, standard = known.presets[nearest[0]].mapping(), known.options().mapping()
    lines = [t("rules.expansions", name=listed(presenter.played(expansions)))]
    if len(nearest) == len(known.presets):
        lines.append(t("rules.every_preset"))
    else:
        lines.append(t("rules.preset", name=listed([t(f"preset.{name}") for name in nearest])))
    for name in mattering(chosen):
        value = chosen[name]
        words = t(f"option.{name}.{value}")
        if value != edition[name]:
            lines.append(t("rules.own", words=words))
        elif value != standard[name]:
            lines.append(t("rules.difference", words=words))
    return "\n".join(lines)


def options_in_play(game: str, expansions: tuple[str, ...]) -> list[Field[Any]]:
    """The options that make a difference with these expansions."""
    return [entry for entry in fields(GAMES[game].options) if set(entry.metadata["needs"]) <= set(expansions)]


def mattering(chosen: Mapping[str, Any]) -> list[str]:
    """The options, of these with their values, that make a difference beside the others."""
    clauses, written = moot(), {name: str(value) for name, value in chosen.items()}
    return [name for name in chosen if name not in clauses or not clauses[name].broken(written)]


def nearest_presets(game: str, chosen: Mapping[str, Any]) -> list[str]:
    """The edition that differs least from these values of options, and those that play exactly like it."""
    presets = {
        name: {option: options.mapping()[option] for option in chosen} for name, options in GAMES[game].presets.items()
    }
    nearest = min(presets.values(), key=lambda values: sum(values[option] != value for option, value in chosen.items()))
    return [name for name, values in presets.items() if values == nearest]


def table_words(presenter: Presenter[Any], game: Game) -> str:
    """What is played at a table, and how it is kept."""
    setup = setup_of(game)
    words = options_words(presenter, setup.expansions, setup.options.differences(), setup.game)
    return "\n".join([words, *settings_words(presenter, game.settings, setup.expansions)])


def settings_words(presenter: Presenter[Any], settings: TableSettings, expansions: tuple[str, ...]) -> Iterator[str]:
    """Describe how a table with these expansions is kept, where that is not as usual."""
    if not settings.hints:
        yield t("rules.purist")
    elif settings.hints_off:
        yield t("rules.hints_off", hints=listed([t(f"ruling.hint_names.{hint}") for hint in settings.hints_off]))
    if settings.pace in PACES:
        yield t("rules.pace", words=pace_words(presenter, settings.pace, expansions))
    if settings.ends_after:
        yield t("rules.ends_after", count=settings.ends_after)


def pace_words(presenter: Presenter[Any], pace: str, expansions: tuple[str, ...]) -> str:
    """Describe the time that a pace gives; of decisions beside a turn only where an expansion asks for them."""
    own = presenter.asking_aside(expansions) if pace in PACES else ()
    return " ".join([t(f"pace.{pace}"), *(t(f"pace_aside.{name}.{pace}") for name in own)])
