"""What a text of the rule book means at one table: played as it says, changed by the options there, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cogs.texts import t
from cogs.words.table_options import mattering, options_in_play
from engine import GAMES

if TYPE_CHECKING:
    from cogs.texts.ties import Ties, Values
    from engine import Setup


@dataclass(frozen=True, slots=True)
class Here:
    """What a text means at a table; every phrase in the words of an option."""

    played: bool
    """False where the table does without all that the text says."""
    departing: tuple[str, ...] = ()
    """What the table plays where the text says something else, or why the text is not played."""
    open: tuple[str, ...] = ()
    """What the table plays where the text leaves it open."""
    agreeing: tuple[str, ...] = ()
    """What the table plays just as the text says."""

    @property
    def words(self) -> tuple[str, ...]:
        """All of it, each phrase once, the most surprising first."""
        return tuple(dict.fromkeys((*self.departing, *self.open, *self.agreeing)))

    @property
    def verdict(self) -> str:
        """What has to be said before the words; empty when the text is right as it stands."""
        if not self.played:
            return t("rulebook.not_played")
        return t("rulebook.changed") if self.departing else ""

    @property
    def short(self) -> str:
        """One line about it: only what cannot be read in the text."""
        told = tuple(dict.fromkeys((*self.departing, *self.open)))
        if not told:
            return t("rulebook.just_so")
        here = t("rulebook.here", words=". ".join(told))
        return f"{self.verdict} {here}" if self.verdict else here

    @property
    def lines(self) -> str:
        """All about it: what departs stands out."""
        here = t("rulebook.here", words=self.words[0]) if len(self.words) == 1 else "\n".join(self._list())
        return f"{self.verdict} {here}" if self.verdict else here

    def _list(self) -> Iterator[str]:
        yield t("rulebook.here_all")
        for words in self.words:
            yield t("rulebook.choice_changed" if words in self.departing else "rulebook.choice", words=words)


def values_at(setup: Setup) -> Values:
    """The values of the options that make a difference at a table, as they are written."""
    played = {entry.name: getattr(setup.options, entry.name) for entry in options_in_play(setup.game, setup.expansions)}
    return {name: str(played[name]) for name in mattering(played)}


def at_table(ties: Ties, setup: Setup) -> Here | None:
    """What a text means at a table; None when it means the same at every table, or can be played at none."""
    missing = _missing(ties, setup)
    if missing:
        return Here(played=False, departing=(t("rulebook.without", box=t(f"expansion.{missing}")),))
    if ties.elsewhere or (ties.needed and not set(ties.needed) & set(setup.expansions)):
        return None
    values = values_at(setup)
    for clause in ties.only:
        if clause.broken(values):
            return Here(played=False, departing=_words(ties, values, clause.names))
    departing = [name for clause in ties.expects if clause.broken(values) for name in clause.names]
    agreeing = [name for name in ties.names if name not in departing and name not in ties.options]
    told = _told(ties, setup)
    here = Here(
        played=True,
        departing=_words(ties, values, departing),
        open=(*_words(ties, values, [name for name in ties.options if name not in departing]), *told),
        agreeing=_words(ties, values, agreeing),
    )
    return here if here.words else None


def _missing(ties: Ties, setup: Setup) -> str:
    """The expansion for want of which a text is not played, if that could be had."""
    if ties.box and ties.box not in setup.expansions:
        return ties.box
    if ties.needed and not set(ties.needed) & set(setup.expansions):
        return next((name for name in ties.needed if name in GAMES[setup.game].expansions), "")
    return ""


def _words(ties: Ties, values: Values, names: Iterable[str]) -> tuple[str, ...]:
    """What the table plays, option by option; nothing of options that make no difference there."""
    special = dict(ties.here)
    return tuple(
        special.get(f"{name}={values[name]}") or t(f"option.{name}.{values[name]}")
        for name in dict.fromkeys(names)
        if name in values
    )


def _told(ties: Ties, setup: Setup) -> Iterator[str]:
    if ties.tells:
        yield t(f"rulebook.tells.{ties.tells}", count=len(setup.pile))
