"""The log of the bot: one line for each event on the standard error stream, as logfmt or as JSON.

Modules log through the standard library: a fixed sentence, with its subject as ``extra``:

>>> log.info("a game began", extra={"game": game.code, "ply": 0})

While an interaction (a click or a command) is handled, its subject is bound to the context by structlog, so that every
line that it causes has it. Secrets, which are tokens and the random seeds of games, are redacted in every line. Errors
are also counted as a metric.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection
from functools import partial
from typing import Final

import structlog
from structlog.processors import JSONRenderer, LogfmtRenderer, TimeStamper, format_exc_info
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict, WrappedLogger

from host.observability import ERRORS
from operations.settings import LogFormat, Settings

LIBRARIES: Final = "others"
"""The label under which the errors of all libraries are counted."""


class CountingHandler(logging.Handler):
    """A handler that counts records of its level and above, by the package that logs them; all libraries count as one.

    All counters exist from the start, because monitoring cannot see the increase of a counter that appears with a 1.
    """

    def __init__(self, packages: Collection[str], level: int) -> None:
        super().__init__(level)
        self._counts = {package: ERRORS.labels(package) for package in (*packages, LIBRARIES)}

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        package = record.name.partition(".")[0]
        self._counts.get(package, self._counts[LIBRARIES]).inc()


OWN_LOGGERS: Final = ("__main__", "castellan", "cogs", "engine", "host", "operations", "preview", "renderers", "store")
"""The loggers that CASTELLAN_LOG_LEVEL controls; all others belong to libraries."""
_LEADING_KEYS: Final = ("time", "level", "logger", "event", "game", "ply", "server", "interaction", "reference")
"""The keys that come first in a line of logfmt, in this order."""
_REDACTED: Final = "…"
"""The replacement of a secret."""
_MIN_SECRET_LENGTH: Final = 8
"""The least length of a secret that is redacted; a shorter one could be a part of ordinary words."""
_SECRET_PATTERNS: Final = (
    # The token of an interaction, which allows anyone to answer as the bot for fifteen minutes, is part of some
    # addresses.
    (re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/?\s'\"\\]+"), rf"\1{_REDACTED}"),
    # Events of the gateway contain this token, and others.
    (re.compile(r"(token\\*['\"]\s*[:,]\s*\\*['\"])[^'\"\\]+", re.IGNORECASE), rf"\1{_REDACTED}"),
    (re.compile(r"\b(Bot|Bearer) [\w-]+\.[\w.-]+"), rf"\1 {_REDACTED}"),
    # The seed of a game reveals every tile that is still to be drawn. It is found by its form, 32 hexadecimal digits,
    # or by its name.
    (re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])"), _REDACTED),
    (re.compile(r"(seed\\*['\"]?\s*[:=]\s*\\*['\"]?)[^'\"\\,})\s]+", re.IGNORECASE), rf"\1{_REDACTED}"),
)


class Formatter(ProcessorFormatter):
    """A formatter that redacts secrets.

    In logfmt a traceback follows the line; in JSON it is one of the values, since there every line has to be an object.
    """

    def __init__(self, *secrets: str, form: LogFormat = "logfmt") -> None:
        json = form == "json"
        super().__init__(
            processor=JSONRenderer()
            if json
            else LogfmtRenderer(key_order=_LEADING_KEYS, drop_missing=True, bool_as_flag=False),
            foreign_pre_chain=(
                ExtraAdder(),
                format_exc_info if json else _without_traceback,
                _printable,
                structlog.contextvars.merge_contextvars,
                add_log_level,
                add_logger_name,
                TimeStamper(fmt="iso", utc=True, key="time"),
            ),
            keep_exc_info=not json,
            keep_stack_info=not json,
            use_get_message=True,
        )
        self._secrets = tuple(secret for secret in secrets if len(secret) >= _MIN_SECRET_LENGTH)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, followed by its traceback if there is one."""
        text = super().format(_without_values(record) if record.name.startswith("aiosqlite") else record)
        for secret in self._secrets:
            text = text.replace(secret, _REDACTED)
        for pattern, replacement in _SECRET_PATTERNS:
            text = pattern.sub(replacement, text)
        return text


def _without_traceback(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Remove the traceback from the line; it is printed below."""
    event.pop("exc_info", None)
    event.pop("stack_info", None)
    return event


def _printable(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Escape control characters and line breaks, because players choose some values, and could forge lines."""
    return {name: _escaped(value) if isinstance(value, str) else value for name, value in event.items()}


def _escaped(text: str) -> str:
    """Return a text with escapes for unprintable characters; line breaks of a traceback stay."""
    if text.isprintable():
        return text
    letters = ((letter, letter.isprintable() or letter == "\n") for letter in text)
    return "".join(letter if is_plain else letter.encode("unicode_escape").decode() for letter, is_plain in letters)


def _without_values(record: logging.LogRecord) -> logging.LogRecord:
    """Remove the parameters of statements from a record of the database's driver: they include setups, with seeds."""
    redacted = logging.makeLogRecord(record.__dict__)
    redacted.args = tuple(map(_call_text, record.args)) if isinstance(record.args, tuple) else ()
    return redacted


def _call_text(argument: object) -> object:
    """Return the name and the statement of a call to the driver, without its parameters."""
    if not isinstance(argument, partial):
        return argument
    statement = next((value for value in argument.args if isinstance(value, str)), "")
    return f"{getattr(argument.func, '__name__', argument.func)} {' '.join(statement.split())}".rstrip()


def start_logging(settings: Settings) -> None:
    """Configure logging to the standard error stream."""
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter(settings.token, form=settings.log_format))
    counting = CountingHandler(OWN_LOGGERS, logging.ERROR)
    logging.basicConfig(level=_library_level(settings), handlers=[handler, counting], force=True)
    for name in OWN_LOGGERS:
        logging.getLogger(name).setLevel(settings.log_level)
    if settings.libraries_log_level is None:
        logging.getLogger("alembic").setLevel(logging.WARNING)


def _library_level(settings: Settings) -> int:
    """Return the level of libraries: the bot's own, but no less than INFO unless it is set."""
    if settings.libraries_log_level is not None:
        return logging.getLevelNamesMapping()[settings.libraries_log_level]
    return max(logging.INFO, logging.getLevelNamesMapping()[settings.log_level])
