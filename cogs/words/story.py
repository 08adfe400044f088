"""The story of a game in sentences, score tables, the log, and functions that cut texts to the length of a message.

Cards (the public messages that show a game), the log, and the alt texts of pictures tell the same events in the same
sentences (:class:`Storyteller`). The log is told from the setup and the actions alone; a turn in it is a tile with all
decisions up to the next tile, and a *ply* is a number of actions from the start. Texts for screen readers
(:func:`aloud`) have words in place of symbols.

Lengths are measured in :func:`units`, as Discord counts them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import accumulate, groupby
from typing import Any, Final, NamedTuple

from cogs.presenting.presenter import Presenter
from cogs.texts import listed, t
from cogs.words.names import MARKS, plain_names, safe, seat_name, seat_names, with_badges
from engine import Adjudicate, Position, Resign, Skip, parse_action
from engine.events import Adjudicated, Completed, Event, Scored, Term
from host import DEPARTED_USER_ID, TIMEOUT_USER_ID, Game, LoggedAction, Moment, Table, UndoneAction, unique_names
from renderers import shortened, told_apart

MAX_NAME: Final = 32
"""The maximum length of a name, in units, as on Discord."""
MAX_NAMES_ON_CARD: Final = 72
"""Units that the names of all players may take together on a card, which says each of them several times."""
MAX_MANY_NAMES: Final = 48
"""The same where five or six play: then two names with their points fill a line of a phone."""
MANY_PLAYERS: Final = 5
"""The fewest players of such a table."""
_ISOLATE: Final = "\N{FIRST STRONG ISOLATE}"
_END_ISOLATE: Final = "\N{POP DIRECTIONAL ISOLATE}"
"""Invisible characters around a right-to-left name, which keep it from reordering the text around it."""
MAX_STORY: Final = 1700
"""The maximum length of the story in a message, in units; the rest of the 4,000 is for the scores."""


@dataclass(frozen=True, slots=True)
class Storyteller:
    """A teller of the events of a game; ``tell`` puts one event into words, with the names of the seats."""

    tell: Callable[[Sequence[str], Event], str]
    names: Sequence[str]

    @staticmethod
    def marked_up(presenter: Presenter[Any], game: Game) -> Storyteller:
        """Return a storyteller for messages, whose names are escaped."""
        return Storyteller(presenter.sentence, seat_names(game))

    @staticmethod
    def plain(presenter: Presenter[Any], game: Game) -> Storyteller:
        """Return a storyteller for alt texts, without markup."""
        return Storyteller(presenter.sentence, plain_names(game))

    def sentences(self, events: Iterable[Event], preset: Sequence[range] = ()) -> Iterator[str]:
        """Yield a sentence for each event worth telling, and one for all features completed without a score.

        ``preset`` are the ranges of the events of decisions made beforehand; the first event of each says so.
        """
        nothing: set[str] = set()
        listed = tuple(events)
        unscored, unmarked = list(_unscored(listed)), list(preset)
        for number, event in enumerate(listed):
            if isinstance(event, Completed):
                if unscored and event is unscored[0]:
                    yield _unscored_words(unscored)
                continue
            sentence = self._sentence_of(event)
            if isinstance(event, Scored) and not event.points:
                if sentence in nothing:
                    continue  # several fields without points are told once
                nothing.add(sentence)
            if sentence:
                marked = any(number in decision for decision in unmarked)
                unmarked = [decision for decision in unmarked if number not in decision]
                yield t("story.preset", sentence=sentence) if marked else sentence

    def _sentence_of(self, event: Event) -> str:
        """Return an event in words; empty if it is not worth telling."""
        if not isinstance(event, Adjudicated):
            return self.tell(self.names, event)
        last = "" if event.ranked_last is None else t("story.ranks_last", player=self.names[event.ranked_last])
        return " ".join(filter(None, [t("story.adjudicated"), last]))


def removal_sentences(moment: Moment) -> Iterator[str]:
    """Tell which players were removed by others or by the clock. For the rules of the game they have resigned."""
    game = moment.game
    timeouts = {entry.seat: entry.action for entry in moment.actions if entry.user_id == TIMEOUT_USER_ID}
    for seat, action in timeouts.items():
        if not isinstance(action, Skip | Adjudicate):  # their events tell this already
            key = "story.ran_out_for_good" if isinstance(action, Resign) else "story.ran_out"
            yield t(key, player=seat_name(game, seat))
    for entry in moment.actions:
        if entry.user_id == TIMEOUT_USER_ID:
            continue
        if isinstance(entry.action, Resign) and entry.user_id != game.seats[entry.seat].user_id:
            agreed = "story.removed" if game.seat_of(entry.user_id) is None else "story.agreed"
            key = "story.departed" if entry.user_id == DEPARTED_USER_ID else agreed
            yield t(key, player=seat_name(game, entry.seat))


def _unscored(events: Sequence[Event]) -> Iterator[Completed]:
    """Yield the completed features for which nobody scores."""
    scored = {(event.kind, event.cells) for event in events if isinstance(event, Scored)}
    return (event for event in events if isinstance(event, Completed) and (event.kind, event.cells) not in scored)


def _unscored_words(features: Sequence[Completed]) -> str:
    parts = [t("story.worth", kind=place_words(feature), count=feature.points) for feature in features]
    return t("story.unscored", features=", ".join(parts), count=len(parts))


def place_words(event: Scored | Completed) -> str:
    """Name a scored or completed feature and its place: the first of its tiles that was laid."""
    kind = t(f"feature.{event.kind}")
    return t("story.at", kind=kind, cell=event.cells[0].label) if event.cells else kind


def without_final(events: Iterable[Event]) -> list[Event]:
    """Return the events without the final scoring, which the final card shows in a table."""
    return [event for event in events if not getattr(event, "final", False)]


def reason_words(terms: Sequence[Term]) -> str:
    """Explain a score, as in ``: 4 tiles (8) + 1 pennant (2)``; return an empty text if the score explains itself."""
    match terms:
        case ():
            return ""
        case (Term(name="tiles", count=count, points=points),) if count == points:
            return ""  # the score itself already says as much
        case _:
            return t("story.reason", terms=terms_words(terms))


def terms_words(terms: Sequence[Term]) -> str:
    """Return the terms of a score, with the points of each if there are several: ``4 tiles (8) + 1 pennant (2)``."""
    words = [t(f"term.{term.name}", count=term.count) for term in terms]
    if len(words) > 1:
        words = [t("story.term", term=word, points=term.points) for word, term in zip(words, terms, strict=True)]
    return " + ".join(words)


def without_marks(text: str) -> str:
    """Return a sentence without markup, which only messages render."""
    return text.replace("**", "").replace("`", "")


def units(text: str) -> int:
    """Return the length of a text in UTF-16 code units, as Discord may count it; most emoji have two or more.

    No other way of counting gives a greater length, so a text that fits in these units always fits.
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def join_fitting(parts: Iterable[str], most: int, separator: str = " ") -> str:
    """Return as many of the first parts, uncut, as fit into ``most`` :func:`units`."""
    text = ""
    for part in parts:
        longer = f"{text}{separator}{part}" if text else part
        if units(longer) > most:
            break
        text = longer
    return text


def lines_within(lines: Iterable[str], most: int, separator: str = "\n") -> str:
    """Return as many of the first lines, uncut, as fit into ``most`` :func:`units`; a last line counts the others."""
    all_lines = list(lines)
    whole = separator.join(all_lines)
    if units(whole) <= most:
        return whole
    budget, reached, count = most - units(separator) - units(_and_more(len(all_lines))), 0, 0
    for line in all_lines:
        reached += units(line) + (units(separator) if count else 0)
        if reached > budget:
            break
        count += 1
    return separator.join([*all_lines[:count], _and_more(len(all_lines) - count)])


def _and_more(number: int) -> str:
    """Return the line that counts what was left out."""
    return t("card.and_more", number=number)


def clip(text: str, most: int) -> str:
    """Cut a name, a label or typed text at a word if it is longer than ``most`` :func:`units`.

    Sentences are not cut at a word; :func:`lines_within` and :func:`fit_text` keep them whole.
    """
    if units(text) <= most:
        return text
    isolates = text.count(_ISOLATE)
    start = text.encode("utf-16-le", "surrogatepass")[: 2 * max(0, most - 1 - isolates)].decode("utf-16-le", "ignore")
    start = "".join([*start.rsplit(maxsplit=1)[:1], "…"])
    return start + _END_ISOLATE * (start.count(_ISOLATE) - start.count(_END_ISOLATE))


def clip_name(name: str, most: int = MAX_NAME) -> str:
    """Cut a name that is longer than ``most`` :func:`units`, but keep the number that tells it apart."""
    return shortened(name, lambda shorter: units(shorter) <= most)


def card_names(game: Game) -> list[str]:
    """Return the players' names by seat, safe for a card.

    Where they take too much room together, the longest are cut, in the middle if they begin alike; [Board] has all.
    """
    whole = unique_names(game.seats)
    room = MAX_NAMES_ON_CARD if len(whole) < MANY_PLAYERS else MAX_MANY_NAMES
    lengths = [units(name) for name in whole]
    most = next(most for most in range(MAX_NAME, 0, -1) if sum(min(length, most) for length in lengths) <= room)
    names = [told_apart(name, whole, lambda cut: units(cut) <= most) for name in whole]
    return [safe(name) for name in with_badges(game.seats, names if len(set(names)) == len(names) else whole)]


def has_long_names(game: Game) -> bool:
    """Return True if many play whose names are cut on a card, where they take more lines than those of others."""
    names = unique_names(game.seats)
    return len(names) >= MANY_PLAYERS and sum(map(units, names)) > MAX_MANY_NAMES


def score_table(presenter: Presenter[Any], game: Game, position: Position) -> str:
    """Return one line for each player: mark, name, points, belongings; an arrow marks the player to move."""
    return "\n".join(_score_line(presenter, game, position, seat) for seat in range(position.players))


def _score_line(presenter: Presenter[Any], game: Game, position: Position, seat: int) -> str:
    """Return the line of one player in the score table."""
    name = seat_name(game, seat)
    if position.withdrawn[seat]:
        return t("score.withdrawn", mark=MARKS[seat], player=name, count=position.scores[seat])
    pieces = " · ".join(presenter.belongings(position, seat))
    key = "score.deciding" if seat == position.player else "score.line"
    return t(key, mark=MARKS[seat], player=name, count=position.scores[seat], pieces=pieces)


def score_line(game: Game, position: Position) -> str:
    """Return the points of all players side by side: mark, name, points; an arrow marks the player to move."""
    return " · ".join(_score(position, seat, name) for seat, name in enumerate(card_names(game)))


def _score(position: Position, seat: int, name: str) -> str:
    """Return a player's points, with a mark if they decide now or have withdrawn."""
    short = "withdrawn_short" if position.withdrawn[seat] else "deciding_short" if seat == position.player else "short"
    return t(f"score.{short}", mark=MARKS[seat], player=name, count=position.scores[seat])


def ranking_table(
    presenter: Presenter[Any], game: Game, position: Position, points: Sequence[Mapping[str, int]]
) -> str:
    """Return the final table: place, mark, name, points by category."""
    lines: list[str] = []
    for seat, place in seats_and_places(position):
        parts = category_words(presenter, points[seat])
        key = "score.resigned_final" if position.withdrawn[seat] else "score.final"
        player, count = seat_name(game, seat), position.scores[seat]
        lines.append(t(key, place=place, mark=MARKS[seat], player=player, count=count, parts=parts))
    return "\n".join(lines)


def category_words(presenter: Presenter[Any], points: Mapping[str, int]) -> str:
    """Return the points of a player by category."""
    kinds = [kind for kind in presenter.categories if points.get(kind)]
    return " · ".join(t(f"category.{kind}", points=points[kind]) for kind in kinds) or t("category.none")


def winners_words(game: Game, position: Position) -> str:
    """Name the winners (rule BA-34 of Carcassonne); there may be none (TC-88 of The Castle)."""
    won = [seat_name(game, seat) for seat in position.winners()]
    return t("card.won", players=listed(won), count=len(won)) if won else t("card.nobody_won")


def seats_and_places(position: Position) -> Iterator[tuple[int, int]]:
    """Yield each seat with its place, the best first; tied seats share a place."""
    place = 1
    for group in position.ranking():
        yield from ((seat, place) for seat in group)
        place += len(group)


SPEECH_LIMIT: Final = 600
"""The most units of text that a screen reader has to read before the first button."""
_KEPT_CHARACTERS: Final = frozenset(
    "→°+<>=|~$^`\N{MULTIPLICATION SIGN}\N{MINUS SIGN}\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
)
"""Symbols that are kept, since screen readers read them, or since they belong to markup, notation or names."""
# Markup and separators that screen readers would spell out.
_SMALL_PRINT: Final = re.compile(r"^-# ", re.MULTILINE)
_DOTS: Final = re.compile(r" *· *")
_ARROWS: Final = re.compile(r" *→ *")
_BLANKS: Final = re.compile(r"(?<=\S) {2,}")
# Places where a text may be divided.
_BREAKS: Final = re.compile(r"(?<=[;,.:!?]) ")
_LINES: Final = re.compile(r"\n")
_WORDS: Final = re.compile(r" ")
_SENTENCES: Final = re.compile(r"(?<=[.!?]) ")
_DROPPED_CATEGORIES: Final = frozenset({"So", "Sm", "Sk", "Cf", "Mn"})
"""Unicode categories of emoji, arrows, shapes, and of modifiers of the character before them."""


def aloud(text: str) -> str:
    """Return a text for a screen reader: without player marks, dots between parts, small print and emoji."""
    spoken = _SMALL_PRINT.sub("", text if text.isascii() else _without_symbols(text))
    spoken = _ARROWS.sub(": ", _DOTS.sub(", ", spoken))
    return "\n".join(_BLANKS.sub(" ", line).strip() for line in spoken.splitlines())


def _without_symbols(text: str) -> str:
    """Return a text without the symbols that screen readers would skip or spell out."""
    return "".join(
        sign
        for sign in text
        if sign in _KEPT_CHARACTERS or unicodedata.category(sign) not in _DROPPED_CATEGORIES or _is_accent(sign)
    )


def _is_accent(sign: str) -> bool:
    """Return True for a combining mark of a letter, as in names; False for a variation selector."""
    return unicodedata.category(sign) == "Mn" and not "\ufe00" <= sign <= "\ufe0f"


def as_sentence(words: str) -> str:
    """Return words that end like a sentence."""
    words = words.rstrip(" ;,:")
    return words if not words or words[-1] in ".!?" else f"{words}."


def pages(entries: Iterable[str], budget: int) -> list[str]:
    """Distribute entries, one on each line, over pages; each page ends with a sentence."""
    finished: list[str] = []
    for part in (part for entry in entries for part in _parts(as_sentence(entry), budget)):
        if finished and units(finished[-1]) + 1 + units(part) <= budget:
            finished[-1] = f"{finished[-1]}\n{part}"
        else:
            finished.append(part)
    return finished


def split_within(text: str, most: int) -> tuple[str, str]:
    """Split a text after as many whole lines, or sentences, as fit into ``most`` units."""
    if units(text) <= most:
        return text, ""
    for end in (_LINES, _SENTENCES, _BREAKS, _WORDS):
        places = [match.start() for match in end.finditer(text) if 0 < units(text[: match.start()]) < most]
        if places:
            first = text[: places[-1]].rstrip()
            return first if end is _LINES else as_sentence(first), text[places[-1] :].strip()
    return text, ""


def fit_text(text: str, most: int) -> str:
    """Return as many whole lines, or sentences, as fit into ``most`` units; cut a word only if it is longer."""
    first, _ = split_within(text, most)
    if units(first) <= most:
        return first
    return first.encode("utf-16-le", "surrogatepass")[: 2 * most].decode("utf-16-le", "ignore")


def _parts(entry: str, budget: int) -> Iterator[str]:
    """Split an entry into parts that fit onto a page, each ended like a sentence."""
    part = ""
    for piece in _BREAKS.split(entry):
        longer = f"{part} {piece}" if part else piece
        if part and units(longer) > budget:
            yield as_sentence(part)
            part = piece
        else:
            part = longer
    yield as_sentence(part)


MAX_ENTRY: Final = 1200
"""The maximum length of an entry of the log, in units; a longer turn becomes several entries."""
MAX_SENTENCE: Final = 700
"""The maximum length of one sentence, in units; no sentence reaches it."""


class LogPage(NamedTuple):
    """A page of the log: its entries, newest first, and the number of older ones."""

    lines: tuple[str, ...]
    older: int


@dataclass(slots=True)
class _Turn:
    """The sentences of one turn; the end of the game counts as a turn."""

    title: str
    at: datetime
    sentences: list[str] = field(default_factory=list)

    def entries(self) -> Iterator[str]:
        """Yield the turn in as many parts as it needs, with nothing left out."""
        parts: list[str] = []
        for sentence in (fit_text(sentence, MAX_SENTENCE) for sentence in self.sentences):
            if parts and units(parts[-1]) + 1 + units(sentence) <= MAX_ENTRY:
                parts[-1] = f"{parts[-1]} {sentence}"
            else:
                parts.append(sentence)
        for number, part in enumerate(parts):
            key = "log.entry" if not number else "log.entry_goes_on"
            yield t(key, title=self.title, at=int(self.at.timestamp()), story=part)


def log_page(
    presenter: Presenter[Any],
    table: Table,
    skipped: int,
    most: int,
    undone: Sequence[UndoneAction] = (),
    *,
    start: int = 0,
) -> LogPage:
    """Return the entries after the ``skipped`` newest, as many as fit into ``most`` units, but at least one.

    Only events from the ply ``start`` on are told. Undone actions appear at their time, marked as undone.
    """
    taken_back = [turn for turn in _undone(presenter, table, undone) if not start or turn.at > table.log[start - 1].at]
    turns = sorted((*_turns(presenter, table, start), *taken_back), key=lambda turn: turn.at)
    entries = [entry for turn in turns for entry in turn.entries()][::-1][skipped:]
    length = list(accumulate(units(entry) + 1 for entry in entries))
    count = max(sum(1 for reached in length if reached <= most), min(1, len(entries)))
    return LogPage(tuple(entries[:count]), len(entries) - count)


def last_decided(table: Table, user_id: int) -> int:
    """Return the ply after the last action that a user decided personally; 0 if they have decided none."""
    plies = (entry.ply + 1 for entry in reversed(table.log) if entry.user_id == user_id and not entry.preset)
    return next(plies, 0)


def since_last(presenter: Presenter[Any], table: Table, user_id: int, most: int) -> str:
    """Tell the events since a user's last decision, as many of the newest as fit into ``most`` units."""
    start = last_decided(table, user_id)
    sentences = [sentence for turn in _turns(presenter, table, start) for sentence in turn.sentences] if start else []
    newest: list[str] = []
    for sentence in reversed(sentences):
        if units(" ".join([sentence, *newest])) > most:
            break
        newest.insert(0, sentence)
    return " ".join(newest)


def turns_since(
    presenter: Presenter[Any], table: Table, start: int, teller: Storyteller
) -> Iterable[tuple[str, Sequence[str]]]:
    """Return the turns of a game from a ply on: the title and the sentences of each."""
    return [(turn.title, turn.sentences) for turn in _turns(presenter, table, start, teller)]


def _turns(
    presenter: Presenter[Any], table: Table, start: int = 0, teller: Storyteller | None = None
) -> Iterable[_Turn]:
    """Return the turns of a game from a ply on, and its end."""
    return _told(presenter, table.at(start), table.log[start:], teller or Storyteller.marked_up(presenter, table.game))


def _told(
    presenter: Presenter[Any], position: Position, log: Iterable[LoggedAction], teller: Storyteller
) -> Iterable[_Turn]:
    """Return the turns that these actions make from a position, which is changed."""
    turns: dict[str, _Turn] = {}
    events: list[Event] = []
    preset: list[range] = []
    title = _title(position)
    for entry in log:
        words, first = _plain(presenter, teller, position, entry), len(events)
        events += position.apply(entry.action)
        if entry.preset:
            preset.append(range(first, len(events)))
        if presenter.turn.continues(position):
            continue  # the move is not finished
        shown, final = without_final(events), [event for event in events if getattr(event, "final", False)]
        turn = turns.setdefault(title, _Turn(title, entry.at))
        turn.sentences += list(teller.sentences(shown, preset)) or ([] if final else [words])
        if final:
            title = t("log.end")
            turns[title] = _Turn(title, entry.at, list(teller.sentences(final)))
        events, preset, title = [], [], _title(position)
    return [turn for turn in turns.values() if turn.sentences]


def _undone(presenter: Presenter[Any], table: Table, undone: Sequence[UndoneAction]) -> Iterator[_Turn]:
    """Yield each undo, the last one first, with what it took back.

    Its actions continued the log as it was just before the next undo, or as it is now, up to their first ply.
    """
    log, teller = table.log, Storyteller.marked_up(presenter, table.game)
    undos = [[_logged(entry) for entry in group] for _, group in groupby(undone, key=lambda entry: entry.by)]
    for entries in reversed(undos):
        first = entries[0]
        log = (*log[: first.ply], *entries)
        turns = _told(presenter, replace(table, log=log, earlier=None).at(first.ply), entries, teller)
        sentences = [t("log.taken_back", sentence=sentence) for turn in turns for sentence in turn.sentences]
        yield _Turn(t("log.undone"), first.at, sentences)


def _logged(undone: UndoneAction) -> LoggedAction:
    """Return an undone action as the log had it."""
    row = undone.action
    return LoggedAction(row.ply, row.seat, row.user_id, parse_action(row.text), row.at, row.preset)


def _title(position: Position) -> str:
    """Return the title of a turn in the log."""
    return t("log.turn", number=position.turn)


def _plain(presenter: Presenter[Any], teller: Storyteller, position: Position, entry: LoggedAction) -> str:
    """Describe an action of the log for which no event is told."""
    words = t("log.plain", player=teller.names[entry.seat], action=presenter.action_words(position, entry.action))
    return t("story.preset", sentence=words) if entry.preset else words
