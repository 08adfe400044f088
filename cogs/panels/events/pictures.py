"""Pictures of an event: standings, brackets, cross tables and rounds, with at most sixteen entries each.

The values that the renderers draw are made here: the bracket of a knock-out (who has won, who advances without a game,
who comes next), round robins as cross tables (the best of each group first), the games of a round (tables with their
seats, matches with their sides).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Final, TypeVar

from cogs.presenting.presenter import AltPicture
from cogs.texts import t
from cogs.words.alt_texts import bracket_alt, cross_alt, round_alt, standings_alt
from cogs.words.events import (
    knockout_name,
    pictured_name,
    pictured_title,
    round_title,
    stage_name,
    tie_break_words,
    value_words,
)
from host.events.views import EventView, RankView, RoundView, TableView
from renderers import DAY, Picture, Theme
from renderers.events import (
    MAX_ENTRIES,
    BoxLine,
    BracketBox,
    BracketSide,
    CrossLine,
    CrossTable,
    EntryState,
    Pairing,
    Rank,
    Section,
    bracket,
    cross_tables,
    round_sheet,
    split_evenly,
    standings_table,
)
from tournaments.duels.matches import boards_won, contests, matches
from tournaments.event import advancing, stage_ranking
from tournaments.facts import EMPTY_SLOT
from tournaments.points import places
from tournaments.ranking import LEAVER_TIE_BREAKS
from tournaments.stages.knockout import THIRD_PLACE_MATCH, advancing_players, is_cut_short, losses, third_placed
from tournaments.states import RoundState, StagePlan, StageState

BRACKET_COLUMNS: Final = 4
"""Maximum rounds in a picture."""
Column = Sequence[Pairing]
Bracket = tuple[list[str], list[Column]]
"""The names of the rounds, and their matches."""
UNDECIDED: Final = -2
"""A place in the bracket whose player is not decided yet."""


def brackets(view: EventView, state: StageState) -> list[Bracket]:
    """Return the brackets of a knock-out, a picture each: from the newest round or the last four rounds."""
    if not state.rounds:
        return []
    places, groups = len(state.rounds[0].slots), _group_count(state)
    rounds = _rounds_of_bracket(state)
    first = max(1, min(len(state.rounds), rounds - BRACKET_COLUMNS + 1))
    columns = [_column(view, state, number, places >> (number - 1)) for number in range(first, rounds + 1)]
    names = [
        t("event.round", number=number) if groups > 1 else knockout_name(places >> (number - 1))
        for number in range(first, rounds + 1)
    ]
    shown = min(BRACKET_COLUMNS, len(columns))
    parts: list[Bracket] = []
    for start in range(0, len(columns[0]), MAX_ENTRIES // 2):
        part: list[Column] = []
        for step, column in enumerate(columns[:shown]):
            part.append(column[start >> step : (start + MAX_ENTRIES // 2) >> step])
        parts.append((names[:shown], part))
    third = _third_place_pairing(view, state)
    return [*parts, ([t("event.knockout.third_place")], [[third]])] if third else parts


def _group_count(state: StageState) -> int:
    """Return the number of brackets of a stage: one, or one of each group."""
    return len(state.pools()) if state.plan.kind == "group-knockout" else 1


def _third_place_pairing(view: EventView, state: StageState) -> Pairing | None:
    """Return the match for the third place; None if there is none, or not yet."""
    drawn = state.rounds[-1]
    tables = [table for table in drawn.tables if is_for_third_place(state.plan, drawn, table.match)]
    if not tables or view.event is None:
        return None
    through = third_placed(view.event.context(state))
    players = sorted(tables[0].seats, key=state.entrants.index)
    sides = [_side(view, state, drawn, THIRD_PLACE_MATCH, player, through) for player in players]
    return Pairing(sides[0], sides[1])


def is_for_third_place(plan: StagePlan, drawn: RoundState, match: int) -> bool:
    """Return whether a match of a round is that for the third place."""
    return plan.third_place and len(drawn.slots) == 2 and match == THIRD_PLACE_MATCH


def _column(view: EventView, state: StageState, number: int, places: int) -> list[Pairing]:
    """Return the pairings of a round of a knock-out, by its number and its number of places."""
    slots = _slots(view, state, number, places)
    drawn = state.rounds[number - 1] if number <= len(state.rounds) else None
    through = _advancing(view, state, drawn) if drawn else [None] * (places // 2)
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return [
        Pairing(*(_side(view, state, drawn, match, player, through[match - 1]) for player in pair))
        for match, pair in enumerate(pairs, 1)
    ]


def _slots(view: EventView, state: StageState, number: int, places: int) -> list[int]:
    """Return the players of a round. The next round has only those who have already advanced."""
    if number <= len(state.rounds):
        return list(state.rounds[number - 1].slots)
    if number > len(state.rounds) + 1:
        return [UNDECIDED] * places
    return [UNDECIDED if player is None else player for player in _advancing(view, state, state.rounds[-1])]


def _advancing(view: EventView, state: StageState, drawn: RoundState) -> Sequence[int | None]:
    """Return who advances from each pair of a round; until the next round is drawn, the present winners."""
    if drawn.number < len(state.rounds):
        return state.rounds[drawn.number].slots
    return advancing_players(view.event.context(state)) if view.event else [None] * (len(drawn.slots) // 2)


def _side(
    view: EventView, state: StageState, drawn: RoundState | None, match: int, player: int, through: int | None
) -> BracketSide:
    if player in (EMPTY_SLOT, UNDECIDED):
        return BracketSide()
    name = pictured_name(view, player)
    if drawn is None:
        return BracketSide(name)
    gone = view.event.gone if view.event else frozenset()
    withdrew = has_withdrawn(state, drawn, match, player, gone)
    sort = EntryState.PLAYING
    if player == through:
        sort = EntryState.THROUGH
    elif through is not None:
        sort = EntryState.LEFT if withdrew or player in gone else EntryState.BEATEN
    note = _withdrawal_words(drawn, match, player) if withdrew else ""
    return BracketSide(name, games_words(state, drawn, match, player), sort, note)


def _withdrawal_words(drawn: RoundState, match: int, player: int) -> str:
    """Return the word for a player who withdrew from a match, or never came to one of its games."""
    absent = any(
        table.match == match and player in table.seats and table.seats.index(player) in outcome.absent
        for table, outcome in drawn.games()
    )
    return t("event.picture.no_show" if absent else "event.picture.withdrew")


def has_withdrawn(state: StageState, drawn: RoundState, match: int, player: int, gone: Collection[int]) -> bool:
    """Return whether a player withdrew from a match: from its single game, before it, or before its deciding games.

    False for teams: a match of theirs shows the boards won, even if there are none.
    """
    plan = state.plan
    if plan.boards:
        return False
    of_match = contests(drawn, plan, match)
    contest = next((candidate for candidate in of_match if player in candidate.players), None)
    if contest is None:
        return player in gone and player in drawn.slots and player not in drawn.byes
    best_of = plan.games_of_match(drawn.places)
    if best_of > 1:
        return player in gone and is_cut_short(contest, best_of, gone)
    return any(
        table.match == match and player in table.seats and table.seats.index(player) in outcome.out
        for table, outcome in drawn.games()
    )


def games_words(state: StageState, drawn: RoundState, match: int, player: int) -> str:
    """Return a side's result in a match: the games won, the score of a single game, or a team's boards won.

    Empty before the first result, and for a single game from which a player withdrew, because its scores do not count.
    """
    plan = state.plan
    played = [each for each in contests(drawn, plan, match) if player in each.players and each.played]
    if not played:
        return ""
    index = played[0].players.index(player)
    if plan.boards:
        return value_words(sum((boards_won(each)[each.players.index(player)] for each in played), Fraction(0)))
    if plan.games_of_match(drawn.places) > 1:
        return value_words(played[0].games[index])
    out = any(table.match == match and outcome.out for table, outcome in drawn.games())
    return "" if out else str(played[0].scores[index])


Meetings = Mapping[tuple[int, int], Fraction]
"""The points of the first player in the match of two."""


def group_tables(view: EventView, state: StageState) -> list[CrossTable]:
    """Return a cross table for each group."""
    event = view.event
    if event is None:
        return []
    lines = stage_ranking(event, state)
    ranks = {line.player: line.rank for line in lines}
    points = {line.player: dict(line.values).get("points", Fraction(0)) for line in lines}
    met = {
        (match.players[side], match.players[1 - side]): match.points[side]
        for drawn in state.rounds
        for match in matches(drawn, state.plan)
        for side in (0, 1)
    }
    through = set(advancing(event, state))
    pools = state.pools()
    return [
        CrossTable(
            _heading(state, number, len(pools)),
            tuple(
                CrossLine(
                    pictured_name(view, player),
                    tuple(_cell(met, player, other) for other in order),
                    value_words(points[player]),
                    EntryState.LEFT
                    if player in event.gone
                    else EntryState.THROUGH
                    if player in through
                    else EntryState.PLAYING,
                )
                for player in order
            ),
        )
        for number, order in enumerate((sorted(pool, key=ranks.__getitem__) for pool in pools), 1)
    ]


def _heading(state: StageState, number: int, count: int) -> str:
    """Return the heading of a cross table: of a group or division, or of the only one."""
    if count == 1:
        return t("event.picture.everybody")
    key = "event.picture.division" if state.plan.divisions else "event.picture.group"
    return t(key, number=number)


def _cell(met: Meetings, player: int, other: int) -> str:
    """Return the points of a match for a cell of a cross table; empty if it has no result."""
    points = met.get((player, other))
    return "" if points is None else value_words(points)


def round_sections(view: EventView, round_view: RoundView) -> list[Section]:
    """Return the games of a round in sections; a double elimination separates unbeaten players."""
    if not round_view.plan.duel:
        return [Section("", tuple(_table(view, round_view, table) for table in round_view.tables))]
    sides = _matches(view, round_view)
    if round_view.plan.kind in {"group-knockout", "group-double"}:
        return _group_sections(view, round_view, sides)
    if round_view.plan.kind != "double" or view.event is None:
        resting = [_resting(view, player) for player in without_match(round_view)]
        return [Section("", tuple(box for _, box in sides) + tuple(resting))]
    losses_before = _losses_before(view, round_view)
    headings = (t("event.picture.unbeaten"), t("event.picture.beaten"))
    parts: list[list[BracketBox]] = [[], []]
    for players, box in sides:
        parts[max(losses_before[player] for player in players) > 0].append(box)
    for player in round_view.state.byes:
        parts[losses_before[player] > 0].append(_resting(view, player))
    return [Section(heading, tuple(part)) for heading, part in zip(headings, parts, strict=True) if part]


def _group_sections(
    view: EventView, round_view: RoundView, sides: Sequence[tuple[tuple[int, int], BracketBox]]
) -> list[Section]:
    """Return the matches and byes of each group in a section."""
    sections = []
    for number, pool in enumerate(_stage(view, round_view).pools(), 1):
        boxes = [box for players, box in sides if players[0] in pool]
        boxes += [_resting(view, player) for player in round_view.state.byes if player in pool]
        sections.append(Section(t("event.picture.group", number=number), tuple(boxes)))
    return [section for section in sections if section.boxes]


def without_match(round_view: RoundView) -> tuple[int, ...]:
    """Return the entries without a match in a round: byes, and the team that rests by the schedule of a round robin.

    Single players who rest are left out: groups whose rounds are all drawn at once have many, and no one waits for
    them.
    """
    return (*round_view.state.byes, *(round_view.state.resting if round_view.plan.boards else ()))


def _table(view: EventView, round_view: RoundView, table: TableView) -> BracketBox:
    """Return the box of a game: its players by seat, with scores and points once it is over."""
    outcome = table.outcome
    ranks = places(outcome, round_view.plan.ties) if outcome else ()
    lines = []
    for seat, player in enumerate(table.seats):
        value, sort = "", EntryState.PLAYING
        if outcome is not None and seat in outcome.out:
            value, sort = t(f"event.picture.{'no_show' if seat in outcome.absent else 'withdrew'}"), EntryState.LEFT
        elif outcome is not None:
            value = t("event.picture.score", score=outcome.scores[seat], points=value_words(table.points[seat]))
            sort = EntryState.THROUGH if ranks[seat] == 1 else EntryState.PLAYING
        lines.append(BoxLine(pictured_name(view, player), value, seat, sort))
    return BracketBox(t("event.picture.table", number=table.number), tuple(lines))


def _matches(view: EventView, round_view: RoundView) -> list[tuple[tuple[int, int], BracketBox]]:
    """Return the box of each match of a round, with its two players."""
    state, gone = _stage(view, round_view), view.event.gone if view.event else frozenset()
    decided = {
        (match.number, match.players[side]): match.points[side]
        for match in matches(round_view.state, round_view.plan)
        for side in (0, 1)
    }
    pairs: dict[int, tuple[int, int]] = {}
    for table in round_view.tables:
        pairs.setdefault(table.match, (table.seats[0], table.seats[1]))
    boxes = []
    for match, players in pairs.items():
        lines = []
        for player in players:
            points = decided.get((match, player))
            sort = EntryState.PLAYING
            if points is not None:
                sort = EntryState.THROUGH if points == 1 else EntryState.BEATEN if points == 0 else EntryState.PLAYING
            value = games_words(state, round_view.state, match, player)
            if has_withdrawn(state, round_view.state, match, player, gone):
                words = _withdrawal_words(round_view.state, match, player)
                value, sort = " ".join(filter(None, (value, words))), EntryState.LEFT
            elif points is not None and _has_stalled(round_view, match, player):
                value = t("event.picture.too_slow", score=value)
            lines.append(BoxLine(pictured_name(view, player), value, state=sort))
        third = is_for_third_place(round_view.plan, round_view.state, match)
        heading = t("event.knockout.third_place") if third else ""
        boxes.append((players, BracketBox(heading, tuple(lines))))
    return boxes


def _has_stalled(round_view: RoundView, match: int, player: int) -> bool:
    """Return whether a player has lost the only game of a match by the time that they used, whatever its score."""
    of_match = [(table, outcome) for table, outcome in round_view.state.games() if table.match == match]
    return len(of_match) == 1 and any(
        outcome.stalled >= 0 and table.seats[outcome.stalled] == player for table, outcome in of_match
    )


def _resting(view: EventView, player: int) -> BracketBox:
    """Return the box of a player who has no match in the round."""
    return BracketBox("", (BoxLine(pictured_name(view, player), t("event.picture.rests")),))


def _stage(view: EventView, round_view: RoundView) -> StageState:
    """Return the stage to which a round belongs."""
    return view.event.stages[round_view.stage - 1] if view.event else StageState(round_view.stage, round_view.plan, [])


def _losses_before(view: EventView, round_view: RoundView) -> dict[int, int]:
    """Return how many matches each player had lost before the round."""
    gone = view.event.gone if view.event else ()
    return losses(_stage(view, round_view), gone, round_view.number - 1)


T = TypeVar("T")

MAX_VALUE_COLUMNS: Final = 4
"""Maximum tie-break values that a picture shows."""
HIDDEN_VALUES: Final = frozenset({"lot", "active", "division", *LEAVER_TIE_BREAKS})
"""Values without a column: the lot, which decides last and means nothing, and those that are shown otherwise."""


def standings_pictures(
    view: EventView, lines: Sequence[RankView], note: str = "", theme: Theme = DAY
) -> Iterator[AltPicture]:
    """Yield the standings, later stages first, each with the columns that decide it."""
    qualified = _qualified(view)
    for stage, group in groupby(lines, key=lambda line: line.stage):
        ranked = list(group)
        values = max((line.values for line in ranked), key=len, default=())
        names = [name for name, _ in values if name not in HIDDEN_VALUES][:MAX_VALUE_COLUMNS]
        title = stage_name(view.stages[stage - 1]) if stage and len(view.stages) > 1 else ""
        ranks = [_rank(view, line, names, through=line.number in qualified) for line in ranked]
        parts = split_evenly(ranks)
        for number, part in enumerate(map(_with_headings, parts, split_evenly(ranked)), 1):
            caption = _note([title, note], number, len(parts))
            rising = any(rank.state is EntryState.THROUGH for rank in part)
            headings = [t(f"event.heading.{name}") for name in names]
            foot = t("event.picture.through") if rising else ""
            picture = standings_table(pictured_title(view), headings, part, note=caption, foot=foot, theme=theme)
            yield AltPicture(
                _with_name(picture, f"standings-{stage}-{number}"), standings_alt(view.name, caption, part, headings)
            )


def _with_headings(ranks: Sequence[Rank], lines: Sequence[RankView]) -> list[Rank]:
    """Return the lines of a picture of standings, each division of a league or season below its heading."""
    divisions = [dict(line.values).get("division") for line in lines]
    return [
        rank
        if division is None or division == before
        else replace(rank, heading=t("event.picture.division", number=tie_break_words("division", division)))
        for rank, before, division in zip(ranks, [None, *divisions], divisions, strict=False)
    ]


def _rank(view: EventView, line: RankView, names: Sequence[str], *, through: bool) -> Rank:
    """Return a line of the standings for a picture."""
    values_by_name = dict(line.values)
    values = tuple(tie_break_words(name, values_by_name[name]) if name in values_by_name else "" for name in names)
    sort = EntryState.LEFT if line.gone else EntryState.THROUGH if through else EntryState.PLAYING
    first = line.rank == 1 and not line.gone
    return Rank(str(line.rank), pictured_name(view, line.number), values, sort, first=first)


def _qualified(view: EventView) -> frozenset[int]:
    """Return the entries that would advance if the current stage ended now."""
    event = view.event
    return frozenset(advancing(event, event.stage)) if event is not None and event.stage is not None else frozenset()


Sheet = Callable[[], AltPicture]
"""Draws a picture. Of a large field only the few pictures that are shown are drawn."""


def bracket_pictures(view: EventView, stage: int, theme: Theme = DAY) -> Iterator[AltPicture]:
    """Yield the bracket of a knock-out from its newest round, or its last four."""
    return (draw() for draw in bracket_sheets(view, stage, theme))


def bracket_sheets(view: EventView, stage: int, theme: Theme = DAY) -> list[Sheet]:
    """Return the pictures of :func:`bracket_pictures`, to be drawn."""
    if view.event is None:
        return []
    state = view.event.stages[stage - 1]
    parts = brackets(view, state)

    def draw(number: int, headings: Sequence[str], columns: Sequence[Column]) -> AltPicture:
        note = _note([stage_name(state.plan), _groups_in_picture(state, number)], number, len(parts))
        picture = bracket(pictured_title(view), headings, columns, note=note, theme=theme)
        return AltPicture(
            _with_name(picture, f"bracket-{stage}-{number}"), bracket_alt(view.name, note, headings, columns)
        )

    return [partial(draw, number, headings, columns) for number, (headings, columns) in enumerate(parts, 1)]


def _groups_in_picture(state: StageState, number: int) -> str:
    """Return the names of the groups whose brackets a picture of a stage shows; empty for a single bracket."""
    groups = _group_count(state)
    if groups == 1:
        return ""
    drawn = state.rounds[max(0, min(len(state.rounds), _rounds_of_bracket(state) - BRACKET_COLUMNS + 1) - 1)]
    slots_each = len(drawn.slots) // groups
    first, last = ((number - 1) * MAX_ENTRIES) // slots_each, (number * MAX_ENTRIES - 1) // slots_each
    shown = range(first, min(last, groups - 1) + 1)
    return ", ".join(t("event.picture.group", number=group + 1) for group in shown)


def _rounds_of_bracket(state: StageState) -> int:
    """Return the number of rounds of each bracket of a stage."""
    return (len(state.rounds[0].slots) // _group_count(state)).bit_length() - 1


def group_pictures(view: EventView, stage: int, theme: Theme = DAY) -> Iterator[AltPicture]:
    """Yield cross tables of round robins, several groups to a picture; skip groups too large for one."""
    return (draw() for draw in group_sheets(view, stage, theme))


def group_sheets(view: EventView, stage: int, theme: Theme = DAY) -> list[Sheet]:
    """Return the pictures of :func:`group_pictures`, to be drawn."""
    if view.event is None:
        return []
    tables = [table for table in group_tables(view, view.event.stages[stage - 1]) if len(table.lines) <= MAX_ENTRIES]
    parts = _split_by_weight(tables, [len(table.lines) for table in tables])

    def draw(number: int, part: Sequence[CrossTable]) -> AltPicture:
        note = _note([stage_name(view.stages[stage - 1])], number, len(parts))
        picture = cross_tables(pictured_title(view), part, note=note, theme=theme)
        return AltPicture(_with_name(picture, f"groups-{stage}-{number}"), cross_alt(view.name, note, part))

    return [partial(draw, number, part) for number, part in enumerate(parts, 1)]


def round_pictures(view: EventView, round_view: RoundView, theme: Theme = DAY) -> Iterator[AltPicture]:
    """Yield the games of a round with seats and results."""
    return (draw() for draw in round_sheets(view, round_view, theme))


def round_sheets(view: EventView, round_view: RoundView, theme: Theme = DAY) -> list[Sheet]:
    """Return the pictures of :func:`round_pictures`, to be drawn."""
    sections = round_sections(view, round_view)
    pieces = [Section(section.heading, (box,)) for section in sections for box in section.boxes]
    parts = _split_by_weight(pieces, [len(piece.boxes[0].lines) for piece in pieces])

    def draw(number: int, part: Sequence[Section]) -> AltPicture:
        joined = [
            Section(heading, tuple(box for section in group for box in section.boxes))
            for heading, group in groupby(part, key=lambda entry: entry.heading)
        ]
        note = _note([round_title(round_view)], number, len(parts))
        picture = round_sheet(pictured_title(view), joined, note=note, theme=theme)
        renamed = _with_name(picture, f"round-{round_view.stage}-{round_view.number}-{number}")
        return AltPicture(renamed, round_alt(view.name, note, joined))

    return [partial(draw, number, part) for number, part in enumerate(parts, 1)]


def _split_by_weight(items: Sequence[T], weights: Sequence[int]) -> list[list[T]]:
    """Split items, in order, into parts that fit into a picture."""
    parts: list[list[T]] = []
    room = 0
    for item, weight in zip(items, weights, strict=True):
        if weight > room:
            parts.append([])
            room = MAX_ENTRIES
        parts[-1].append(item)
        room -= weight
    return parts


def _note(words: Iterable[str], number: int, count: int) -> str:
    """Return the heading of a picture, with its number if there are several."""
    part = t("event.picture.part", number=number, count=count) if count > 1 else ""
    return " · ".join(word for word in (*words, part) if word)


def _with_name(picture: Picture, name: str) -> Picture:
    """Rename a picture: file names within a message must differ."""
    return Picture(picture.data, f"{name}.png", picture.width, picture.height)
