"""Options of a game: the choices between different readings or editions of the rules.

Each option is one field of a class. It settles one point on which the rules are ambiguous or editions differ.

The type of a field lists its possible values. Its metadata has the option's number in the project's rule digest (such
as O-26) and the numbers of the rules that it decides (such as CA-10)::

    class Options(engine.options.Options):
        farm_scoring: Literal["city4", "farm3"] = option("O-01", "BA-27", "farm3")
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Self, TypeVar, get_args, get_type_hints

from engine.caching import thread_safe_cache
from engine.errors import NotationError

O = TypeVar("O", bound="Options")  # noqa: E741
"""The class that declares the options of a game."""
V = TypeVar("V", bound="Value")
"""The type of one option."""
Value = str | int
"""The value of an option; ``bool`` is a subtype of ``int``."""


def option(number: str, rules: str, default: V, *, needs: str = "") -> V:
    """Declare a field of an :class:`Options` class: its number, the rules that it decides, and its default value.

    ``needs`` names the expansions without which the option has no effect.
    """
    metadata = {"number": number, "rules": tuple(rules.split()), "needs": tuple(needs.split())}
    value: V = field(default=default, metadata=metadata)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a game, with one value for each; the defaults are the game's first preset.

    Raises:
        NotationError: an option does not have this value.
    """

    def __post_init__(self) -> None:
        for name, values in self.values().items():
            value = getattr(self, name)
            if not any(value is choice or (value == choice and type(value) is type(choice)) for choice in values):
                raise NotationError(f"option {name} cannot be {value!r}, only one of {values}")

    @classmethod
    def values(cls) -> Mapping[str, tuple[Value, ...]]:
        """Return the possible values of each option: the default first, or false before true."""
        game: type = cls
        return _values(game)

    def mapping(self) -> dict[str, Value]:
        """Return every option with its value."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}

    def differences(self) -> dict[str, Value]:
        """Return the options that differ from their defaults."""
        return {
            entry.name: getattr(self, entry.name)
            for entry in fields(self)
            if getattr(self, entry.name) != entry.default
        }

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Create options from names and values, the rest at their defaults.

        Raises:
            NotationError: an unknown name or value.
        """
        unknown = values.keys() - cls.values().keys()
        if unknown:
            raise NotationError(f"unknown option {min(unknown)!r}")
        return cls(**values)


def combine_options(base: type[O], parts: Iterable[type[Options]]) -> type[O]:
    """Create one class of a game's options and those that its boxes add, with the fields sorted by number."""
    plain = type("Options", (*parts, base), {"__module__": base.__module__, "__doc__": Options.__doc__})
    whole: type[O] = dataclass(frozen=True, slots=True, kw_only=True)(plain)
    entries = sorted(fields(whole), key=lambda entry: str(entry.metadata["number"]))
    whole.__dataclass_fields__ = {entry.name: entry for entry in entries}
    return whole


@thread_safe_cache
def _values(game: type) -> Mapping[str, tuple[Value, ...]]:
    """Return the possible values of each option."""
    hints = get_type_hints(game)
    types = {entry.name: hints[entry.name] for entry in fields(game)}
    return MappingProxyType({name: (False, True) if kind is bool else get_args(kind) for name, kind in types.items()})
