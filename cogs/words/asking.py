"""Requests between players in words.

A player can ask the others to undo a move, to pause the clocks, to let a substitute or a computer take over a seat, or
to continue without a player. Before that the request is described to the asker (the *offer*); then the *question* is
put to the voters, and in the end all read the *outcome*. The question about an undo names the tiles that have been seen
since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from cogs.presenting.presenter import Presenter
from cogs.texts import listed, t
from cogs.words.names import level_words, player_names, safe, seat_names
from engine import Position, seen_between
from host import (
    COMPUTER_NAME,
    INVITED_USER,
    PAUSE_DAYS,
    STAND_IN_LEVEL,
    Computer,
    Game,
    Host,
    HostError,
    Person,
    Player,
    Request,
    RequestKind,
    RequestState,
    Substitution,
    Vacation,
    unique_name_of,
)

MAX_SEEN_TILES: Final = 12
"""The most tiles that a question names; only several bazaars (auctions of tiles) in a row reveal more."""


def name_in(game: Game, request: Request, user_id: int) -> str:
    """Return the name of a player or of the invited substitute, or a mention of any other user."""
    people: list[Player] = [*game.seats]
    if invited := request.details.get(INVITED_USER):
        people.append(Person(invited, str(request.details.get("name", ""))))
    name = unique_name_of(people, user_id)
    return safe(name) if name else f"<@{user_id}>"


def _subject_name(game: Game, request: Request) -> str:
    """Return the name of the player whom a request is about; empty if it is about nobody in particular."""
    if COMPUTER_NAME in request.details:
        (name,) = player_names([Computer(str(request.details[COMPUTER_NAME]), "")])
        return safe(name)
    return name_in(game, request, request.subject) if request.subject else ""


def _values(game: Game, request: Request) -> dict[str, object]:
    """Return the values that the sentences about a request need."""
    return {
        "asker": name_in(game, request, request.user_id),
        "player": _subject_name(game, request),
        "substitute": name_in(game, request, request.details.get(INVITED_USER, 0)) if request.details else "",
        "level": level_words(str(request.details[STAND_IN_LEVEL])) if STAND_IN_LEVEL in request.details else "",
        "name": game.name,
        "code": game.code,
        "count": request.details.get(PAUSE_DAYS, 0),
        "at": int(request.lapses_at.timestamp()),
        # The sentence about dropped plans is shown for every seat, so that it does not reveal whether there are any.
        "dropped": t("asking.dropped"),
    }


def _text(request: Request, name: str, values: Mapping[str, object]) -> str:
    """Return a sentence about a request of this kind."""
    kind = "computer" if STAND_IN_LEVEL in request.details else request.kind
    return t(f"asking.{kind}_{name}", **values)


def offers_words(game: Game, requests: Sequence[Request], silences: Sequence[bool]) -> str:
    """Describe requests about a seat, of which one may be made; of a silent one no answer counts as consent.

    Who has to agree is said once if that is the same for all.
    """
    offers = [_text(request, "offer", _values(game, request)) for request in requests]
    conditions = [_condition_words(game, *each) for each in zip(requests, silences, strict=True)]
    if len(set(conditions)) == 1:
        return "\n".join(filter(None, ["\n\n".join(offers), conditions[0]]))
    return "\n\n".join("\n".join(filter(None, each)) for each in zip(offers, conditions, strict=True))


def _condition_words(game: Game, request: Request, silent: bool) -> str:  # noqa: FBT001 - mapped over pairs
    """Say who has to agree to a request, and what no answer means."""
    voters = [user for user in request.voters if user != request.details.get(INVITED_USER)]
    if voters:
        asked = t("asking.voters", players=listed([name_in(game, request, user) for user in voters]))
        return f"{asked}\n{t('asking.silence_yes' if silent else 'asking.silence_no', **_values(game, request))}"
    return "" if INVITED_USER in request.details else t("asking.nobody")


def question_words(game: Game, request: Request, seen: Sequence[str] = ()) -> str:
    """Ask the voters a question, with mentions; for an undo, ``seen`` says what it would hide (:func:`seen_words`)."""
    voters, revealed = ", ".join(f"<@{user}>" for user in request.voters), "".join(f"\n{line}" for line in seen)
    return _text(request, "question", {**_values(game, request), "voters": voters, "seen": revealed})


def seen_words(presenter: Presenter[Any], before: Position, after: Position) -> list[str]:
    """Name the tiles that lie face down in the earlier position, but that players have seen by the later one.

    An undo keeps the order of the pile, so the tiles that were drawn since then come next again.
    """
    revealed, lines = seen_between(before, after), list[str]()
    if revealed.ids:
        tiles = [presenter.tile_words(presenter.tile_kind(before, name)) for name in revealed.ids]
        key, remaining = "undo.seen_next" if revealed.are_next else "undo.seen", len(tiles) - MAX_SEEN_TILES
        words = [t(key, count=len(tiles), tiles="; ".join(tiles[:MAX_SEEN_TILES]))]
        lines.append(" ".join([*words, t("card.and_more", number=remaining)] if remaining > 0 else words))
    return [*lines, *presenter.also_revealed(before, after)]


def outcome_words(game: Game, request: Request, user_id: int) -> str:
    """Tell the outcome of a request after a user's answer."""
    values = {**_values(game, request), "voter": name_in(game, request, user_id)}
    if request.state is RequestState.GRANTED:
        return _text(request, "granted", values)
    if user_id == request.user_id:
        return _text(request, "withdrawn", values)
    return _text(request, "declined", values)


def replaced_words(game: Game, entry: Substitution) -> str:
    """Tell which player a substitute or a computer has replaced, or that a player is back."""
    names = _replaced_names(game, entry)
    if isinstance(entry.after, Computer):
        return t("card.stood_in", computer=names["substitute"], player=names["player"])
    if isinstance(entry.before, Computer) and not entry.returns:
        return t("card.replaced", **names)
    if isinstance(entry.before, Computer):
        return t("card.came_back", computer=names["player"], player=names["substitute"])
    return f"{t('card.replaced', **names)} {t('asking.dropped')}"


def _replaced_names(game: Game, entry: Substitution) -> dict[str, str]:
    """Return the names of both players of a substitution, distinct from all others at the table."""
    player, substitute = player_names([*game.seats, entry.before, entry.after])[-2:]
    return {"player": safe(player), "substitute": safe(substitute)}


def taken_over_words(game: Game, entry: Substitution) -> str:
    """Tell which player another one has replaced, and when."""
    return t("log.taken_over", at=int(entry.at.timestamp()), **_replaced_names(game, entry))


def away_words(game: Game, entry: Vacation) -> str:
    """Tell the dates of a player's vacation."""
    seat = game.seat_of(entry.user_id)
    name = "" if seat is None else seat_names(game)[seat]
    return t("card.away", player=name, start=int(entry.starts_at.timestamp()), end=int(entry.ends_at.timestamp()))


def gone_words(game: Game, users: Iterable[int]) -> str:
    """Tell which players have left the server, and the consequence."""
    names = [seat_names(game)[seat] for user in users if (seat := game.seat_of(user)) is not None]
    return t("card.gone_stand_in" if game.settings.stand_in else "card.gone", players=listed(names))


async def revealed_since(
    host: Host, presenters: Mapping[str, Presenter[Any]], request: Request, before_undo: Position | None = None
) -> list[str]:
    """Name the tiles revealed since the decision that a request would undo; nothing for other requests.

    ``before_undo`` is the position before the undo, if that has been carried out. If the game was frozen or undone
    meanwhile, the request is over, and nothing is told.
    """
    if request.kind is not RequestKind.UNDO:
        return []
    with suppress(HostError, ValueError):
        until = request.stamp.ply if before_undo is None else request.to_ply
        moment = await host.games.moment(request.game_id, request.to_ply, until)
        return seen_words(presenters[moment.after.setup.game], moment.before, before_undo or moment.after)
    return []
