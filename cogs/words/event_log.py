"""The log of an event in words: what organisers did, who left, came back or came late.

Acts that a later version knows are shown as they are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from cogs.texts import known, listed, t
from cogs.words.aloud import whole
from cogs.words.names import safe

if TYPE_CHECKING:
    from host.events.views.values import AuditLine

CHOICES: Final[Mapping[str, str]] = {"rounds": "opening", "expansions": "boxes", "options": "edition"}
"""What parts of a plan are called where they are chosen, as far as it is something else."""
PARAMETERS: Final = "parameters."
"""Before the name of a part that is one of the parameters."""


def audit_words(line: AuditLine) -> str:
    """Say what somebody did, when, and why."""
    who = _person(line.user_id) if line.user_id else t("event.audit.by_itself")
    return t("event.audit.line", at=int(line.at.timestamp()), who=who, did=_did(line.kind, line.details))


def _did(kind: str, details: Mapping[str, Any]) -> str:
    variant, values = _variant(kind, details)
    shown = {name: _VALUES.get(name, _plain)(value) for name, value in values.items()}
    if not known(f"event.audit.did.{variant}"):
        pairs = ", ".join(t("event.audit.detail", name=name, value=_plain(value)) for name, value in details.items())
        return t("event.audit.other", kind=safe(kind), details=pairs)
    did = t(f"event.audit.did.{variant}", **shown)
    return t("event.audit.because", did=did, reason=shown["reason"]) if details.get("reason") else did


def _variant(kind: str, details: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The key of a sentence, and what is said in it: some acts are told in more than one way."""
    if kind == "organiser" and details:
        (what, value), *_ = details.items()
        return f"organiser_{what}", {"role" if what.startswith("role") else "user": value}
    if kind == "started" and details.get("without_access"):
        return "started_without", {**details, "people": details["without_access"]}
    if "team" in details and known(f"event.audit.did.{kind}_team"):
        return f"{kind}_team", details
    return kind, details


def _plain(value: object) -> str:
    return safe(whole(str(value), 200))


def _person(value: object) -> str:
    return f"<@{value}>" if isinstance(value, int) and value > 0 else t("event.audit.somebody")


def _role(value: object) -> str:
    return f"<@&{value}>"


def _people(value: Iterable[object]) -> str:
    return ", ".join(_person(each) for each in value)


def _format(value: object) -> str:
    key = f"event.format_name.{value}"
    return t(key) if known(key) else _plain(value)


def _changed(value: Iterable[object]) -> str:
    return listed(list(dict.fromkeys(_choice(str(each)) for each in value)))


def _choice(name: str) -> str:
    """What a part of a plan is called."""
    part = name.removeprefix(PARAMETERS)
    key = f"event.choosing.{CHOICES.get(part, part) if part == name else part}"
    return t(key) if known(key) else _plain(name)


def _scores(value: Iterable[object]) -> str:
    return ", ".join(map(str, value))


_VALUES: Final[Mapping[str, Any]] = {
    "user": _person,
    "role": _role,
    "by": _person,
    "people": _people,
    "format": _format,
    "changed": _changed,
    "scores": _scores,
}
"""How values are shown that are not plain."""
