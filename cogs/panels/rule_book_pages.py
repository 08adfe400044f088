"""The private panels of the rule book: the rules in short, a topic, a rule; and what a text that names none may mean.

What a button leads to stands in its argument: nothing or the name of a game for its rules in short, the id of a topic
with the number of a page (``auction 2``), or the id of a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, assert_never, cast

from discord import SelectOption, ui

from cogs.interactions.replies import Press, button
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, Op
from cogs.texts import listed, t
from cogs.texts.rule_book import Rule, Rulebook, Source, Topic, rulebook
from cogs.words.names import safe
from cogs.words.refusals import RefusedError
from cogs.words.story import clipped
from cogs.words.table_options import Here, at_table, options_words
from engine import DEFAULT_GAME, GAMES
from host import setup_of

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Setup
    from host import Game

NO_TABLE: Final = "0"
"""Instead of the code of a game, where there is none."""
MENU: Final = "menu"
"""The argument of the list of topics; what was chosen there takes its place."""
MORE: Final = "more"
"""What was chosen there to see further topics: with the name of a game and a number, ``more carcassonne 1``."""
SHORT: Final = "short"
"""The same of a page of the rules in short: ``short carcassonne 1``."""
MOST_CHOICES: Final = 25
"""Of a list, by Discord's rules."""
PAGE_TEXT: Final = 3000
"""Characters of the rules on one page of a topic."""
SHORT_TEXT: Final = 3800
"""Characters of the rules in short that stand on one page."""
PAGE_RULES: Final = 10
"""Rules on one page of a topic: each has a button."""
SUGGESTIONS: Final = 5
ASKED: Final = 60
"""Characters of an unknown text that are repeated."""
_PAGE: Final = re.compile(r"[0-9]{0,3}")
_FURTHER: Final = re.compile(rf"({MORE}|{SHORT}) ([a-z-]{{1,30}}) ([0-9]{{1,2}})")


@dataclass(frozen=True, slots=True)
class RuleBookPanels:
    """Builds the panels, for a table or for none."""

    code: str
    revision: int
    setup: Setup | None
    """What is played at the table."""
    book: Rulebook
    presenters: Mapping[str, Presenter[Any]]
    """Of all games."""

    @classmethod
    def of(cls, table: Game | None, presenters: Mapping[str, Presenter[Any]]) -> RuleBookPanels:
        """The panels in the language that is spoken."""
        if table is None:
            return cls(NO_TABLE, 0, None, rulebook(), presenters)
        return cls(table.code, table.revision, setup_of(table), rulebook(), presenters)

    @property
    def game(self) -> str:
        """The game that is meant when nobody says which."""
        return self.setup.game if self.setup else DEFAULT_GAME

    def named(self, text: str) -> ui.LayoutView:
        """The panel that a typed text asks for; without a text the rules in short."""
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
        """The panel to which a button or the list of topics leads.

        Raises:
            RefusedError: the argument is none that a button of ours has.
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

    def _further(self, what: str, game: str, number: int) -> ui.LayoutView:
        """Another page of the rules in short, or the first with another part of the list of topics."""
        if game not in self.presenters:
            raise RefusedError("unknown_button")
        lists = _lists(self.book.topics_of(game)) if what == MORE else self._short_pages(game)
        if number >= len(lists):
            raise RefusedError("unknown_button")
        return self._overview(game, topics=number) if what == MORE else self._overview(game, page=number)

    def _overview(self, game: str, *, page: int = 0, topics: int = 0) -> ui.LayoutView:
        pages = self._short_pages(game)
        turning = [self._to(f"{SHORT} {game} {number}", t(key)) for number, key in _turning(page, len(pages))]
        others = [self._to(name, t(f"rulebook.game.{name}")) for name in self.presenters if name != game]
        counted = [t("rulebook.page", page=page + 1, pages=len(pages))] if len(pages) > 1 else []
        return self._view(game, [*pages[page], *counted], turning, others, topics=topics)

    def _short_pages(self, game: str) -> list[list[str]]:
        """The game, the boxes and what the table plays on one page; if they are too long the boxes on further ones."""
        setup = self._setup_of(game)
        expansions = GAMES[game].expansions if setup is None else setup.expansions
        base, *boxes = self.presenters[game].rules_summary(expansions)
        here = [] if setup is None else list(self._played(setup))
        if sum(map(len, (base, *boxes, *here))) <= SHORT_TEXT:
            return [[base, *boxes, *here]]
        numbered = {str(number): text for number, text in enumerate(boxes)}
        return [[base, *here], *([numbered[number] for number in page] for page in _pages(numbered))]

    def _played(self, setup: Setup) -> Iterator[str]:
        """What a table plays, and whether that is not just as the rules in short say."""
        names = (setup.game, *setup.expansions)
        told = [at_table(self.book.short[name], setup) for name in names]
        if any(here is not None and here.verdict for here in told):
            yield t("rulebook.short_changed")
        presenter, options = self.presenters[setup.game], setup.options.differences()
        yield options_words(presenter, setup.expansions, options, setup.game)

    # -- a topic ----------------------------------------------------------------------------------------------------

    def _topic(self, topic: Topic, page: int) -> ui.LayoutView:
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
        turning = [self._to(f"{topic.id} {other}", t(key)) for other, key in _turning(number, len(pages))]
        turning += self._short(topic.game)
        return self._view(topic.game, parts, self._rules(pages[number]), turning)

    def _line(self, rule: Rule, head: Here | None) -> str:
        """A rule among others: what it says, what it needs, and what it means here."""
        lines = [t("rulebook.line", id=rule.id, title=rule.title, text=rule.text)]
        if rule.needs:
            lines.append(t("rulebook.only", needs=rule.needs))
        here = self._here(rule)
        if here is not None:
            lines.append(here.verdict if here == head and not here.played else here.short)
        return "\n".join(lines)

    def _here(self, entry: Topic | Rule) -> Here | None:
        """What a text means at the table, if this game is played there."""
        setup = self._setup_of(entry.game)
        return None if setup is None else at_table(entry.ties, setup)

    # -- a rule -----------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> ui.LayoutView:
        parts = [t("rulebook.rule", id=rule.id, title=rule.title, text=rule.text), *self._notes(rule)]
        if rule.related:
            parts.append("\n".join([t("rulebook.related"), *map(self._see, rule.related)]))
        homes = [self._to(topic_id, self.book.topics[topic_id].title) for topic_id in rule.topics]
        return self._view(rule.game, parts, self._rules(rule.related), [*homes, *self._short(rule.game)])

    def _notes(self, rule: Rule) -> Iterator[str]:
        """What it needs, what is chosen at this table, which editions have it, and where it stands."""
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
        """What it means here; without a table the choices that there are."""
        here = self._here(rule)
        if here is not None:
            yield here.lines
        elif self._setup_of(rule.game) is None and rule.options:
            kinds = GAMES[rule.game].options.values()
            groups = [[t(f"option.{name}.{value}") for value in kinds[name]] for name in rule.options]
            yield _list_under("rulebook.choices", *groups)

    def _source(self, source: Source) -> str:
        document = self.book.documents[source.document]
        if not source.footnotes:
            return document
        notes = listed([str(number) for number in source.footnotes])
        return t("rulebook.source", document=document, count=len(source.footnotes), notes=notes)

    def _see(self, rule_id: str) -> str:
        return t("rulebook.see", id=rule_id, title=self.book.rules[rule_id].title)

    # -- an unknown text --------------------------------------------------------------------------------------------

    def _unknown(self, text: str) -> ui.LayoutView:
        close = self.book.closest(text, self.game, SUGGESTIONS)
        parts = [t("rulebook.unknown", text=safe(clipped(text, ASKED)))]
        if close:
            parts.append("\n".join([t("rulebook.closest"), *(f"- {entry.label}" for entry in close)]))
        labels = [entry.title if isinstance(entry, Topic) else entry.id for entry in close]
        return self._view(self.game, parts, map(self._to, (entry.id for entry in close), labels))

    # -- parts of every panel ---------------------------------------------------------------------------------------

    def _view(self, game: str, parts: Iterable[str], *groups: Iterable[Press], topics: int = 0) -> ui.LayoutView:
        """The text, the buttons in groups, and a part of the list of topics."""
        text = ui.TextDisplay[ui.LayoutView]("\n\n".join(parts))
        return layout(text, *(rows(list(group)) for group in groups), rows([self._menu(game, topics)]))

    def _rules(self, rule_ids: Iterable[str]) -> list[Press]:
        return [self._to(rule_id, rule_id) for rule_id in rule_ids]

    def _to(self, argument: str, label: str) -> Press:
        return button(Op.RULE, self.code, self.revision, label, argument=argument)

    def _menu(self, game: str, number: int) -> Press:
        """A part of the list of topics; a press is whatever carries one of our ids."""
        lists = _lists(self.book.topics_of(game))
        options = [SelectOption(label=topic.title, value=topic.id, description=topic.intro) for topic in lists[number]]
        if len(lists) > 1:
            further = f"{MORE} {game} {(number + 1) % len(lists)}"
            options.append(SelectOption(label=t("rulebook.more"), value=further))
        key = Key(Op.RULE, self.code, self.revision, MENU)
        menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=t("rulebook.menu"), options=options)
        return Press(cast("Any", menu))

    def _short(self, game: str) -> list[Press]:
        """To the rules in short."""
        return [self._to(game, t("rulebook.short"))]

    def _setup_of(self, game: str) -> Setup | None:
        """The setup of the table, if this game is played there."""
        return self.setup if self.game == game else None


def _turning(page: int, pages: int) -> list[tuple[int, str]]:
    """The pages before and after one, with the key of what stands on their buttons."""
    beside = ((page - 1, "rulebook.previous"), (page + 1, "rulebook.next"))
    return [(number, key) for number, key in beside if 0 <= number < pages]


def _lists(topics: Sequence[Topic]) -> list[Sequence[Topic]]:
    """The topics of a game in lists that Discord takes, with room for one choice that leads on."""
    if len(topics) <= MOST_CHOICES:
        return [topics]
    room = MOST_CHOICES - 1
    return [topics[start : start + room] for start in range(0, len(topics), room)]


def _list_under(heading: str, *groups: Iterable[str]) -> str:
    """A heading and one list below it, with a line between the groups of it."""
    lists = ("\n".join(t("rulebook.choice", words=words) for words in group) for group in groups)
    return "\n".join([t(heading), "\n\n".join(lists)])


def _can_come_up(rule: Rule) -> bool:
    """Whether one of the expansions that a rule needs can be played here."""
    return bool(set(rule.ties.needed) & set(GAMES[rule.game].expansions))


def _pages(lines: Mapping[str, str]) -> Iterator[list[str]]:
    """Rules in order with what stands there about each, as many on a page as fit."""
    page: list[str] = []
    length = 0
    for rule_id, line in lines.items():
        length += len(line)
        if page and (len(page) == PAGE_RULES or length > PAGE_TEXT):
            yield page
            page, length = [], len(line)
        page.append(rule_id)
    if page:
        yield page
