"""The rules of a table before its game starts: the private panel behind the lobby card's [Rules] button.

The panel has a page for each part of the game and a button for each option. A button's argument is the name of a page,
then a change, if any: ``game``, ``game farm_scoring 1``, ``editions preset c2_hig``, ``table hint cells``. An argument
counts only if some button of this panel has it, because custom ids can be forged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, cast

from discord import ButtonStyle, ui

from cogs.commands.autocomplete import ALONE
from cogs.commands.lobby import call_challenged, show_lobby
from cogs.interactions.admission import lobby_id
from cogs.interactions.replies import Press, button, tell
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import Presenter
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import LANGUAGE, listed, t
from cogs.texts.languages import by_ear, choosable_codes, name_of, offered_language_of
from cogs.texts.rule_book import option_page
from cogs.words import table_options
from cogs.words.names import level_words
from cogs.words.refusals import RefusedError
from cogs.words.table_options import options_in_play, pace_words
from engine import GAMES, GameKind, Position, Setup
from engine.hints import Hint
from host import LEAST_PUNCTUALITIES, LEVELS, NO_PACE, PACES, Lobby, LobbyState, TableRules, TableSettings
from renderers import THEMES

# Names of pages and settings in the arguments of buttons. They are part of posted messages, so they must not change.
BOXES: Final = "boxes"
EDITIONS: Final = "editions"
TABLE: Final = "table"
TIME: Final = "time"
GAME: Final = "game"
BOX, PRESET, OWN, HINTS, HINT, THEME, PACE = "box", "preset", "own", "hints", "hint", "theme", "pace"
"""Settings that a button changes; ``own`` are the table's own choices apart from its edition."""
ADVICE: Final = "advice"
ENDS: Final = "ends"
END_DATES: Final = (0, 14, 30, 60, 90, 180)
"""Days after which a game may end, as offered by the panel; any other number is typed when the table is opened."""
PUNCTUAL: Final = "punctual"
LOCALE: Final = "language"
STAND_IN: Final = "standin"
STAND_INS: Final = ("none", *LEVELS)
"""Values of that setting: the levels of computers that take the seats of players who leave, and none."""
_SETTING_FIELDS: Final = {THEME: "theme", PACE: "pace", LOCALE: "language"}
_NUMBER_FIELDS: Final = {ENDS: "ends_after", PUNCTUAL: "least_punctuality"}
"""Fields of :class:`host.TableSettings` by the name of the change: texts, then numbers."""
NO_CHANGES: Final[Mapping[str, tuple[Any, Any]]] = {}


def pages(lobby: Lobby) -> dict[str, list[str]]:
    """Return the option names by page; options that make no difference with the chosen expansions are left out."""
    names_by_page: dict[str, list[str]] = {}
    for entry in options_in_play(lobby.game, lobby.expansions):
        group = entry.metadata["rules"][0][:2] if entry.metadata["needs"] else GAME
        names_by_page.setdefault(option_page(group, GAME), []).append(entry.name)
    return names_by_page


def all_pages(lobby: Lobby) -> list[str]:
    """Return the pages of a lobby's panel: expansions if the game has any, editions, options, table and time."""
    boxes = [BOXES] if GAMES[lobby.game].expansions else []
    return [*boxes, EDITIONS, *pages(lobby), TABLE, TIME]


@dataclass(frozen=True, slots=True)
class Target:
    """The effect of a button in the panel: the page that it shows, and the setting that it changes, if any."""

    page: str
    setting: str = ""
    value: str = ""

    @classmethod
    def parse(cls, argument: str, lobby: Lobby) -> Target:
        """Read the argument of a button.

        Raises:
            RefusedError: ``unknown_button``: no button of this lobby's panel has it.
        """
        target = cls(*argument.split(" ")) if argument.count(" ") in {0, 2} else cls("")
        if target not in set(all_targets(lobby)):
            raise RefusedError("unknown_button")
        return target

    def __str__(self) -> str:
        return f"{self.page} {self.setting} {self.value}" if self.setting else self.page

    @property
    def changes(self) -> bool:
        """True if the target changes something."""
        return bool(self.setting)

    def expansions(self, lobby: Lobby) -> tuple[str, ...]:
        """Return the lobby's expansions with the change applied, in the game's own order."""
        if self.setting != BOX:
            return lobby.expansions
        chosen = set(lobby.expansions) ^ {self.value}
        return tuple(name for name in GAMES[lobby.game].expansions if name in chosen)

    def options(self, lobby: Lobby) -> Mapping[str, Any]:
        """Return the lobby's options with the change applied."""
        game = GAMES[lobby.game]
        if self.setting == PRESET:
            return table_options.with_edition(lobby.game, lobby.options, self.value)
        if self.setting == OWN:
            return table_options.without_own(lobby.game, lobby.options)
        if self.setting == BOX:
            return table_options.with_boxes(lobby.game, lobby.expansions, self.expansions(lobby), lobby.options)
        if self.setting not in game.options.values():
            return lobby.options
        value = game.options.values()[self.setting][int(self.value)]
        return game.options.of({**lobby.options, self.setting: value}).differences()

    def changed(self, lobby: Lobby) -> Mapping[str, tuple[Any, Any]]:
        """Return the options that another edition or expansion changes, each with its value before and after."""
        if self.setting == PRESET:
            return table_options.changed(lobby.game, lobby.expansions, lobby.options, self.value)
        if self.setting != BOX or self.value in lobby.expansions:
            return {}
        options = GAMES[lobby.game].options
        before, after = options.of(lobby.options).mapping(), options.of(self.options(lobby)).mapping()
        return {name: (value, after[name]) for name, value in before.items() if value != after[name]}

    def settings(self, lobby: Lobby) -> TableSettings:
        """Return the lobby's settings with the change applied."""
        settings = lobby.settings
        match self.setting:
            case _ if self.setting in {HINTS, ADVICE}:  # named like their fields
                return replace(settings, **cast("dict[str, Any]", {self.setting: not getattr(settings, self.setting)}))
            case _ if self.setting == HINT:
                off = set(settings.hints_off) ^ {self.value}
                return replace(settings, hints_off=tuple(sorted(off)))
            case _ if self.setting in _SETTING_FIELDS:
                return replace(settings, **cast("dict[str, Any]", {_SETTING_FIELDS[self.setting]: self.value}))
            case _ if self.setting in _NUMBER_FIELDS:
                return replace(settings, **cast("dict[str, Any]", {_NUMBER_FIELDS[self.setting]: int(self.value)}))
            case _ if self.setting == STAND_IN:
                return replace(settings, stand_in=self.value if self.value in LEVELS else "")
            case _:
                return settings


def all_targets(lobby: Lobby) -> Iterator[Target]:
    """Yield the target of every button that the lobby's panel can have."""
    game = GAMES[lobby.game]
    yield from map(Target, all_pages(lobby))
    yield from (Target(BOXES, BOX, name) for name in game.expansions)
    yield from (Target(EDITIONS, PRESET, name) for name in game.presets)
    yield Target(EDITIONS, OWN, "drop")
    for page, names in pages(lobby).items():
        yield from (
            Target(page, name, str(index)) for name in names for index in range(len(game.options.values()[name]))
        )
    yield Target(TABLE, HINTS, "all")
    yield from (Target(TABLE, HINT, hint) for hint in Hint)
    yield Target(TABLE, ADVICE, "all")
    yield from (Target(TABLE, THEME, name) for name in THEMES)
    yield from (Target(TABLE, LOCALE, code) for code in choosable_codes())
    yield from (Target(TABLE, STAND_IN, value) for value in STAND_INS)
    yield from (Target(TIME, PACE, name) for name in (*PACES, NO_PACE))
    yield from (Target(TIME, ENDS, str(days)) for days in END_DATES)
    if not lobby.is_challenge:
        yield from (Target(TIME, PUNCTUAL, str(least)) for least in LEAST_PUNCTUALITIES)


@dataclass(frozen=True, slots=True)
class OptionPanels:
    """A builder of the panel's pages for one reader; only the owner of an open lobby gets buttons for changes."""

    presenter: Presenter[Any]
    lobby: Lobby
    reader_id: int
    computers: bool = True
    """True if the bot offers computers."""

    @property
    def may_change(self) -> bool:
        """True if this reader may change the rules: the owner, and all who take part in a challenge."""
        lobby = self.lobby
        changing = [lobby.owner_id]
        if lobby.is_challenge:
            changing += [person.user_id for person in (*lobby.members, *lobby.challenged)]
        return lobby.state is LobbyState.OPEN and self.reader_id in changing

    def page(self, page: str, changed: Mapping[str, tuple[Any, Any]] = NO_CHANGES) -> ui.LayoutView:
        """Return one page, by default the first; ``changed`` lists what an edition or expansion has just changed."""
        game = GAMES[self.lobby.game]
        page = page or all_pages(self.lobby)[0]
        match page:
            case "boxes":
                items = list(self._boxes(game))
            case "editions":
                items = list(self._editions(game))
            case "table":
                items = list(self._table())
            case "time":
                items = list(self._time())
            case _:
                items = [self._option(game, page, name) for name in pages(self.lobby)[page]]
        title = t("ruling.title" if self.may_change else "ruling.title_reading", page=t(f"ruling.page.{page}"))
        others = list(self._other_pages(page))
        if changed:
            changing = t("ruling.changed_by_box" if page == BOXES else "ruling.changed")
            title = "\n".join([title, changing, *_changes(changed)])
        return layout(title, items, rows([item for item in others if not _leads_to(item, page)]))

    def _other_pages(self, page: str) -> Iterator[Press]:
        """Yield the buttons of pages; on the pages that most tables need, [More] leads to editions and options."""
        every = all_pages(self.lobby)
        common = [other for other in every if other in {BOXES, TABLE, TIME}]
        yield from (self._button(Target(other), t(f"ruling.page.{other}")) for other in common)
        rare = [other for other in every if other not in common]
        if page in common and BOXES in common:
            yield self._button(Target(EDITIONS), t("ruling.more"))
        else:
            yield from (self._button(Target(other), t(f"ruling.page.{other}")) for other in rare)

    # -- pages --------------------------------------------------------------------------------------------------------

    def _boxes(self, game: GameKind[Position, Setup]) -> Iterator[ui.Item[Any]]:
        """Yield the list of expansions in play, then a toggle button for each expansion."""
        played = self.lobby.expansions
        yield ui.TextDisplay(t("ruling.boxes", boxes=listed([t(f"expansion.{name}") for name in played or (ALONE,)])))
        if self.may_change:
            yield from rows([self._box(name, played=name in played) for name in game.expansions])

    def _box(self, name: str, *, played: bool) -> Press:
        """Return the toggle button of an expansion."""
        chosen = _mark(yes=played) if by_ear() else t(f"ruling.sign.{_on(yes=played)}")
        label = t("ruling.box", chosen=chosen, name=t(f"expansion.{name}"))
        return self._button(Target(BOXES, BOX, name), label)

    def _editions(self, game: GameKind[Position, Setup]) -> Iterator[ui.Item[Any]]:
        """Yield a line for each edition, and one for the table's own choices, if there are any."""
        lobby = self.lobby
        if table_options.editions_agree(lobby.game, lobby.expansions):
            yield ui.TextDisplay(t("ruling.alike"))
        else:
            for name in game.presets:
                chosen = table_options.is_chosen(lobby.game, lobby.expansions, lobby.options, name)
                text = t("ruling.edition", name=t(f"preset.{name}"), chosen=_mark(yes=chosen))
                yield self._line(text, Target(EDITIONS, PRESET, name), t("button.choose"), done=chosen)
        if own_names := table_options.own_choices(lobby.game, lobby.expansions, lobby.options):
            text = t("ruling.own", rules="\n".join(_phrases(own_names)))
            yield self._line(text, Target(EDITIONS, OWN, "drop"), t("button.drop_own"))

    def _option(self, game: GameKind[Position, Setup], page: str, name: str) -> ui.Item[Any]:
        """Return the line of an option, whose button chooses the next value."""
        entry = next(entry for entry in fields(game.options) if entry.name == name)
        values = game.options.values()[name]
        now = getattr(game.options.of(self.lobby.options), name)
        rules = ", ".join(entry.metadata["rules"])
        key = "ruling.option" if now == entry.default else "ruling.option_changed"
        text = t(key, words=t(f"option.{name}.{now}"), standard=t(f"option.{name}.{entry.default}"), rules=rules)
        following = (values.index(now) + 1) % len(values)
        return self._line(text, Target(page, name, str(following)), t("button.change"))

    def _table(self) -> Iterator[ui.Item[Any]]:
        """Yield the lines about hints, the theme of pictures, the language, and the seats of players who leave."""
        settings = self.lobby.settings
        yield self._line(t(f"ruling.hints.{_on(yes=settings.hints)}"), Target(TABLE, HINTS, "all"), t("button.change"))
        if settings.hints:
            for hint in Hint:
                state = _mark(yes=settings.allows(hint))
                text = t("ruling.hint", name=t(f"ruling.hint_names.{hint}"), chosen=state)
                yield self._line(text, Target(TABLE, HINT, hint), t("button.change"))
            if self.computers:
                text = t("ruling.advice", chosen=_mark(yes=settings.advice))
                yield self._line(text, Target(TABLE, ADVICE, "all"), t("button.change"))
        names: list[str] = list(THEMES)
        following = names[(names.index(settings.theme) + 1) % len(names)] if settings.theme in names else names[0]
        text = t("ruling.theme", name=t(f"theme.{settings.theme}"))
        yield self._line(text, Target(TABLE, THEME, following), t("button.change"))
        codes, now = choosable_codes(), offered_language_of(settings.language) or LANGUAGE
        if codes:
            text = t("ruling.language", name=name_of(now))
            yield self._line(
                text, Target(TABLE, LOCALE, codes[(codes.index(now) + 1) % len(codes)]), t("button.change")
            )
        if self.computers:
            now = settings.stand_in if settings.stand_in in LEVELS else STAND_INS[0]
            level = level_words(now) if now in LEVELS else ""
            text = t("ruling.stand_in" if level else "ruling.stand_in_none", level=level)
            value = STAND_INS[(STAND_INS.index(now) + 1) % len(STAND_INS)]
            yield self._line(text, Target(TABLE, STAND_IN, value), t("button.change"))

    def _time(self) -> Iterator[ui.Item[Any]]:
        """Yield a line for each pace, with the chosen one marked, and lines for the end date and punctuality."""
        for name in (*PACES, NO_PACE):
            chosen = name == self.lobby.settings.pace
            words = pace_words(self.presenter, name, self.lobby.expansions)
            text = t("ruling.pace", words=words, chosen=_mark(yes=chosen))
            yield self._line(text, Target(TIME, PACE, name), t("button.choose"), done=chosen)
        days = self.lobby.settings.ends_after
        following = next((later for later in END_DATES if later > days), END_DATES[0])
        text = t("rules.ends_after", count=days) if days else t("ruling.ends_never")
        yield self._line(text, Target(TIME, ENDS, str(following)), t("button.change"))
        if not self.lobby.is_challenge:
            least = self.lobby.settings.least_punctuality
            following = next((higher for higher in LEAST_PUNCTUALITIES if higher > least), LEAST_PUNCTUALITIES[0])
            text = t("ruling.punctual", percent=least) if least else t("ruling.punctual_any")
            yield self._line(text, Target(TIME, PUNCTUAL, str(following)), t("button.change"))

    # -- parts --------------------------------------------------------------------------------------------------------

    def _line(self, text: str, target: Target, label: str, *, done: bool = False) -> ui.Item[Any]:
        """Return a line of text with its button, or without for a reader who may not change anything."""
        if not self.may_change:
            return ui.TextDisplay(text)
        style = ButtonStyle.success if done else ButtonStyle.secondary
        return ui.Section(ui.TextDisplay(text), accessory=self._button(target, label, style=style, disabled=done))

    def _button(
        self, target: Target, label: str, *, style: ButtonStyle = ButtonStyle.secondary, disabled: bool = False
    ) -> Press:
        """Return a button of the panel."""
        ref = str(self.lobby.id)
        return button(Op.CHANGE, ref, 0, label, argument=str(target), style=style, disabled=disabled)


def _leads_to(item: Press, page: str) -> bool:
    """Return whether a button shows this page."""
    return item.item.custom_id is not None and item.item.custom_id.endswith(f":{page}")


def _phrases(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the values of options in words."""
    for name, value in options.items():
        yield t("ruling.rule", words=t(f"option.{name}.{value}"))


def _changes(options: Mapping[str, tuple[Any, Any]]) -> Iterator[str]:
    """Yield changes of options in words, from pairs of the old and the new value."""
    for name, (before, after) in options.items():
        yield t("ruling.change", words=t(f"option.{name}.{after}"), before=t(f"option.{name}.{before}"))


def _mark(*, yes: bool) -> str:
    """Return the sign for a choice that is on or off."""
    return t(f"ruling.mark.{_on(yes=yes)}")


def _on(*, yes: bool) -> str:
    """Return the word for a switch, as keys of texts and arguments of buttons have it."""
    return "on" if yes else "off"


async def press_ruling(interaction: Interaction, key: Key) -> None:
    """Open the panel."""
    lobby = await interaction.client.host.lobbies.get(lobby_id(key))
    await interaction.edit_original_response(view=_panels(interaction, lobby).page(""))


async def press_change(interaction: Interaction, key: Key) -> None:
    """Make the change that the button says, if any, and show its page."""
    client, is_shown = interaction.client, True
    async with client.lobby_edits.setdefault(lobby_id(key), asyncio.Lock()):
        lobby = await client.host.lobbies.get(lobby_id(key))
        target = Target.parse(key.argument, lobby)
        changed = target.changed(lobby)
        if target.changes:
            rules = TableRules(target.expansions(lobby), target.options(lobby), target.settings(lobby))
            change = client.host.challenges.revise if lobby.is_challenge else client.host.lobbies.set_rules
            former_owner_id = lobby.owner_id
            lobby = await change(lobby.id, interaction.user.id, rules, interaction.id)
            is_shown = await show_lobby(client, lobby)
            if lobby.owner_id != former_owner_id:
                await call_challenged(client, lobby)
    await interaction.edit_original_response(view=_panels(interaction, lobby).page(target.page, changed))
    if not is_shown:
        await tell(interaction, t("lobby.unshown"))


def _panels(interaction: Interaction, lobby: Lobby) -> OptionPanels:
    """Return the builder of the panel for the user."""
    client = interaction.client
    return OptionPanels(
        client.presenters[lobby.game], lobby, interaction.user.id, computers=client.host.lobbies.offers_computers
    )


HANDLERS: Final = {Op.RULING: Handler(Ack.PANEL, press_ruling), Op.CHANGE: Handler(Ack.UPDATE, press_change)}
