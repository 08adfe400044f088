"""The private panels of the rule book: the rules in short, a topic, a rule, and suggestions for an unknown text.

The argument of a button says where it leads: empty or the name of a game to the rules in short, the id of a topic with
a page number (``auction 2``) to that page, the id of a rule to the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never, cast

from discord import SelectOption, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import Presenter
from cogs.texts import listed, t
from cogs.texts.rule_book import Rule, Rulebook, Source, Topic, rulebook
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clip
from cogs.words.table_options import TextAtTable, at_table, options_words
from engine import DEFAULT_GAME, GAMES, Setup
from host import Game, setup_of

NO_TABLE: Final = "0"
"""Replaces the code of a game where the panel belongs to none."""
MENU: Final = "menu"
"""The argument of the menu of topics; the chosen entry replaces it."""
MORE: Final = "more"
"""The entry for further topics, with the name of a game and a number: ``more carcassonne 1``."""
SHORT: Final = "short"
"""The argument for a page of the rules in short: ``short carcassonne 1``."""
MAX_MENU_ENTRIES: Final = 25
"""Entries that Discord allows in a menu."""
MAX_TOPIC_PAGE_LENGTH: Final = 3000
"""Characters of the rules on one page of a topic."""
MAX_SHORT_PAGE_LENGTH: Final = 3800
"""Characters on one page of the rules in short."""
RULES_PER_PAGE: Final = 10
"""Rules on one page of a topic: each has a button."""
MAX_SUGGESTIONS: Final = 5
MAX_QUOTED_LENGTH: Final = 60
"""Characters of an unknown text that the answer quotes."""
_PAGE: Final = re.compile(r"[0-9]{0,3}")
_FURTHER: Final = re.compile(rf"({MORE}|{SHORT}) ([a-z-]{{1,30}}) ([0-9]{{1,2}})")


@dataclass(frozen=True, slots=True)
class RuleBookPanels:
    """Builds the panels, for a game or for none."""

    code: str
    revision: int
    setup: Setup | None
    """The setup of the game, if there is one."""
    book: Rulebook
    presenters: Mapping[str, Presenter[Any]]
    """The presenters of all games."""

    @classmethod
    def of(cls, table: Game | None, presenters: Mapping[str, Presenter[Any]]) -> RuleBookPanels:
        """Return the panels in the current language."""
        if table is None:
            return cls(NO_TABLE, 0, None, rulebook(), presenters)
        return cls(table.code, table.revision, setup_of(table), rulebook(), presenters)

    @property
    def game(self) -> str:
        """The game that is meant if none is named."""
        return self.setup.game if self.setup else DEFAULT_GAME

    def named(self, text: str) -> ui.LayoutView:
        """Return the panel for a typed text; without a text, the rules in short."""
        if not text.strip():
            return self._overview(self.game)
        match self.book.find(text) or self.book.sole_topic(text, self.game):
            case Topic() as topic:
                return self._topic(topic, 0)
            case Rule() as rule:
                return self._rule(rule)
            case None:
                return self._unknown(text.strip())
            case never:
                assert_never(never)

    def pressed(self, argument: str) -> ui.LayoutView:
        """Return the panel to which a button or the menu of topics leads.

        Raises:
            RefusedError: no button has this argument.
        """
        if not argument or argument in self.presenters:
            return self._overview(argument or self.game)
        if further := _FURTHER.fullmatch(argument):
            return self._further(further[1], further[2], int(further[3]))
        if rule := self.book.rules.get(argument):
            return self._rule(rule)
        topic_id, _, page = argument.partition(" ")
        topic = self.book.topics.get(topic_id)
        if topic is None or not _PAGE.fullmatch(page):
            raise RefusedError("unknown_button")
        return self._topic(topic, int(page or 0))

    # -- the rules in short -----------------------------------------------------------------------------------------

    def _further(self, kind: str, game: str, number: int) -> ui.LayoutView:
        """Return another page of the rules in short, or the first page with another part of the menu of topics."""
        if game not in self.presenters:
            raise RefusedError("unknown_button")
        lists = _topic_menus(self.book.topics_of(game)) if kind == MORE else self._short_pages(game)
        if number >= len(lists):
            raise RefusedError("unknown_button")
        return self._overview(game, topics=number) if kind == MORE else self._overview(game, page=number)

    def _overview(self, game: str, *, page: int = 0, topics: int = 0) -> ui.LayoutView:
        """Return a page of the rules in short, with buttons to the other pages and, away from a table, to other games.

        At a table of Carcassonne, a player who has read of castles would take *The Castle* for more about these.
        """
        pages = self._short_pages(game)
        turning = [
            self._rule_button(f"{SHORT} {game} {number}", t(key)) for number, key in _page_turns(page, len(pages))
        ]
        others = [name for name in self.presenters if name != game] if self._setup_of(game) is None else []
        other_games = [self._rule_button(name, t(f"rulebook.game.{name}")) for name in others]
        page_number = [t("rulebook.page", page=page + 1, pages=len(pages))] if len(pages) > 1 else []
        return self._view(game, [*pages[page], *page_number], turning, other_games, topics=topics)

    def _short_pages(self, game: str) -> list[list[str]]:
        """Return the game, its boxes and the table's rules on one page; if too long, the boxes on further pages."""
        setup = self._setup_of(game)
        expansions = GAMES[game].expansions if setup is None else setup.expansions
        base, *boxes = self.presenters[game].rules_summary(expansions)
        table_rules = [] if setup is None else list(self._played(setup))
        if sum(map(len, (base, *boxes, *table_rules))) <= MAX_SHORT_PAGE_LENGTH:
            return [[base, *boxes, *table_rules]]
        numbered = {str(number): text for number, text in enumerate(boxes)}
        return [[base, *table_rules], *([numbered[number] for number in page] for page in _pages(numbered))]

    def _played(self, setup: Setup) -> Iterator[str]:
        """Describe the rules of a table, and say if they differ from the rules in short."""
        names = (setup.game, *setup.expansions)
        texts = [at_table(self.book.short[name], setup) for name in names]
        if any(text is not None and text.verdict for text in texts):
            yield t("rulebook.short_changed")
        presenter, options = self.presenters[setup.game], setup.options.differences()
        yield options_words(presenter, setup.expansions, options, setup.game)
        yield from presenter.setup_remarks(setup)

    # -- a topic ----------------------------------------------------------------------------------------------------

    def _topic(self, topic: Topic, page: int) -> ui.LayoutView:
        """Return a page of a topic: its rules, each with its meaning at this table."""
        head = self._here(topic)
        lines = {rule_id: self._line(self.book.rules[rule_id], head) for rule_id in topic.rules}
        pages = list(_pages(lines))
        number = min(page, len(pages) - 1)
        parts = [t("rulebook.topic", title=topic.title, intro=topic.intro)]
        if head is not None and not head.played:
            parts.append(head.short)
        parts += [lines[rule_id] for rule_id in pages[number]]
        if len(pages) > 1:
            parts.append(t("rulebook.page", page=number + 1, pages=len(pages)))
        turning = [self._rule_button(f"{topic.id} {other}", t(key)) for other, key in _page_turns(number, len(pages))]
        turning += self._short_button(topic.game)
        return self._view(topic.game, parts, self._rules(pages[number]), turning)

    def _line(self, rule: Rule, head: TextAtTable | None) -> str:
        """Return a rule among others: its text, the boxes it needs, and its meaning at this table."""
        lines = [t("rulebook.line", id=rule.id, title=rule.title, text=rule.text)]
        if rule.needs:
            lines.append(t("rulebook.only", needs=rule.needs))
        meaning = self._here(rule)
        if meaning is not None:
            lines.append(meaning.verdict if meaning == head and not meaning.played else meaning.short)
        return "\n".join(lines)

    def _here(self, entry: Topic | Rule) -> TextAtTable | None:
        """Return the meaning of a text at the table, if this game is played there."""
        setup = self._setup_of(entry.game)
        return None if setup is None else at_table(entry.ties, setup)

    # -- a rule -----------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> ui.LayoutView:
        """Return the panel of a single rule, with notes and related rules."""
        parts = [t("rulebook.rule", id=rule.id, title=rule.title, text=rule.text), *self._notes(rule)]
        if rule.related:
            parts.append("\n".join([t("rulebook.related"), *map(self._reference, rule.related)]))
        homes = [self._rule_button(topic_id, self.book.topics[topic_id].title) for topic_id in rule.topics]
        return self._view(rule.game, parts, self._rules(rule.related), [*homes, *self._short_button(rule.game)])

    def _notes(self, rule: Rule) -> Iterator[str]:
        """Yield the notes on a rule: boxes it needs, the table's choice, its editions and sources."""
        if rule.needs:
            yield t("rulebook.needs" if _can_come_up(rule) else "rulebook.needs_missing", needs=rule.needs)
        yield from self._options(rule)
        notes = [t("rulebook.editions", editions=listed(rule.editions))] if rule.editions else []
        sources = "; ".join(self._source(source) for source in rule.sources)
        notes.append(t("rulebook.sources", sources=sources))
        if rule.certainty:
            notes.append(t("rulebook.certainty", certainty=rule.certainty))
        yield "\n".join(notes)

    def _options(self, rule: Rule) -> Iterator[str]:
        """Yield the meaning of a rule at the table; without a table, its options."""
        meaning = self._here(rule)
        if meaning is not None:
            yield meaning.lines
        elif self._setup_of(rule.game) is None and rule.options:
            kinds = GAMES[rule.game].options.values()
            groups = [[t(f"option.{name}.{value}") for value in kinds[name]] for name in rule.options]
            yield _list_under("rulebook.choices", *groups)

    def _source(self, source: Source) -> str:
        """Return a source in words: the document with its footnotes."""
        document = self.book.documents[source.document]
        if not source.footnotes:
            return document
        notes = listed([str(number) for number in source.footnotes])
        return t("rulebook.source", document=document, count=len(source.footnotes), notes=notes)

    def _reference(self, rule_id: str) -> str:
        """Return a line that refers to a rule: its id and its title."""
        return t("rulebook.see", id=rule_id, title=self.book.rules[rule_id].title)

    # -- an unknown text --------------------------------------------------------------------------------------------

    def _unknown(self, text: str) -> ui.LayoutView:
        """Return the panel for a text that names nothing, with similar rules and topics."""
        suggestions = self.book.closest(text, self.game, MAX_SUGGESTIONS)
        parts = [t("rulebook.unknown", text=safe(clip(text, MAX_QUOTED_LENGTH)))]
        if suggestions:
            parts.append("\n".join([t("rulebook.closest"), *(f"- {entry.label}" for entry in suggestions)]))
        labels = [entry.title if isinstance(entry, Topic) else entry.id for entry in suggestions]
        return self._view(self.game, parts, map(self._rule_button, (entry.id for entry in suggestions), labels))

    # -- parts of every panel ---------------------------------------------------------------------------------------

    def _view(self, game: str, parts: Iterable[str], *groups: Iterable[Press], topics: int = 0) -> ui.LayoutView:
        """Return a panel: the text, the buttons in groups, and a part of the menu of topics."""
        text = ui.TextDisplay[ui.LayoutView]("\n\n".join(parts))
        return layout(text, *(rows(list(group)) for group in groups), rows([self._menu(game, topics)]))

    def _rules(self, rule_ids: Iterable[str]) -> list[Press]:
        """Return a button for each of these rules."""
        return [self._rule_button(rule_id, rule_id) for rule_id in rule_ids]

    def _rule_button(self, argument: str, label: str) -> Press:
        """Return a button to another page of the rule book."""
        return button(Op.RULE, self.code, self.revision, label, argument=argument)

    def _menu(self, game: str, number: int) -> Press:
        """Return a part of the menu of topics. ``Press`` stands for any component with one of our custom ids."""
        lists = _topic_menus(self.book.topics_of(game))
        options = [SelectOption(label=topic.title, value=topic.id, description=topic.intro) for topic in lists[number]]
        if len(lists) > 1:
            further = f"{MORE} {game} {(number + 1) % len(lists)}"
            options.append(SelectOption(label=t("rulebook.more"), value=further))
        key = Key(Op.RULE, self.code, self.revision, MENU)
        menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=t("rulebook.menu"), options=options)
        return Press(cast("Any", menu))

    def _short_button(self, game: str) -> list[Press]:
        """Return the button to the rules in short."""
        return [self._rule_button(game, t("rulebook.short"))]

    def _setup_of(self, game: str) -> Setup | None:
        """Return the setup of the table, if this game is played there."""
        return self.setup if self.game == game else None


def _page_turns(page: int, pages: int) -> list[tuple[int, str]]:
    """Return the pages before and after one, with the keys of their buttons' labels."""
    neighbours = ((page - 1, "rulebook.previous"), (page + 1, "rulebook.next"))
    return [(number, key) for number, key in neighbours if 0 <= number < pages]


def _topic_menus(topics: Sequence[Topic]) -> list[Sequence[Topic]]:
    """Split the topics of a game into menus that Discord allows, with room for the entry to further topics."""
    if len(topics) <= MAX_MENU_ENTRIES:
        return [topics]
    room = MAX_MENU_ENTRIES - 1
    return [topics[start : start + room] for start in range(0, len(topics), room)]


def _list_under(heading: str, *groups: Iterable[str]) -> str:
    """Return a heading and one list below it, with a blank line between its groups."""
    lists = ("\n".join(t("rulebook.choice", words=words) for words in group) for group in groups)
    return "\n".join([t(heading), "\n\n".join(lists)])


def _can_come_up(rule: Rule) -> bool:
    """Return True if the bot offers one of the expansions that a rule needs."""
    return bool(set(rule.ties.needed) & set(GAMES[rule.game].expansions))


def _pages(lines: Mapping[str, str]) -> Iterator[list[str]]:
    """Distribute rules, given with their texts, over pages."""
    page: list[str] = []
    length = 0
    for rule_id, line in lines.items():
        length += len(line)
        if page and (len(page) == RULES_PER_PAGE or length > MAX_TOPIC_PAGE_LENGTH):
            yield page
            page, length = [], len(line)
        page.append(rule_id)
    if page:
        yield page
