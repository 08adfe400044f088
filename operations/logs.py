"""The log: a line for each event, of logfmt or JSON, on the standard error stream; of logfmt a traceback follows.

Whoever logs uses the standard library: a fixed sentence, and what it is about as ``extra`` (``game``, ``ply``,
``server``, ``interaction``, ``reference`` …). What an interaction is about is bound to its context
(``structlog.contextvars``), so that it stands in every line that it causes. Tokens and seeds never get into a line,
whoever logs them.
Errors are counted, too.
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

OTHERS: Final = "others"


class CountingHandler(logging.Handler):
    """Counts records by the room that logs them, those of libraries together; its level says which.

    Each count begins at nothing: of one that is first seen with its first error nobody could say that it has grown.
    """

    def __init__(self, rooms: Collection[str], level: int) -> None:
        super().__init__(level)
        self._counts = {room: ERRORS.labels(room) for room in (*rooms, OTHERS)}

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        room = record.name.partition(".")[0]
        self._counts.get(room, self._counts[OTHERS]).inc()


OWN: Final = ("__main__", "castellan", "cogs", "engine", "host", "operations", "preview", "renderers", "store")
"""The loggers that CASTELLAN_LOG_LEVEL is about; all others are libraries'."""
_FIRST: Final = ("time", "level", "logger", "event", "game", "ply", "server", "interaction", "reference")
_HIDDEN: Final = "…"
_SHORTEST: Final = 8
"""Letters of a secret: a shorter one is none, and would be found in every word."""
_SECRETS: Final = (
    # An interaction's token answers for the bot for fifteen minutes; it stands in the addresses of answers …
    (re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/?\s'\"\\]+"), rf"\1{_HIDDEN}"),
    # … and, like others, in what the gateway delivers.
    (re.compile(r"(token\\*['\"]\s*[:,]\s*\\*['\"])[^'\"\\]+", re.IGNORECASE), rf"\1{_HIDDEN}"),
    (re.compile(r"\b(Bot|Bearer) [\w-]+\.[\w.-]+"), rf"\1 {_HIDDEN}"),
    # Who has the seed (32 digits, or named so) knows every tile that is still to come.
    (re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])"), _HIDDEN),
    (re.compile(r"(seed\\*['\"]?\s*[:=]\s*\\*['\"]?)[^'\"\\,})\s]+", re.IGNORECASE), rf"\1{_HIDDEN}"),
)


class Formatter(ProcessorFormatter):
    """A record as a line without secrets: of logfmt, with the traceback behind it, or of JSON, with it inside."""

    def __init__(self, *secrets: str, form: LogFormat = "logfmt") -> None:
        json = form == "json"
        super().__init__(
            processor=JSONRenderer()
            if json
            else LogfmtRenderer(key_order=_FIRST, drop_missing=True, bool_as_flag=False),
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
        self._secrets = tuple(secret for secret in secrets if len(secret) >= _SHORTEST)

    def format(self, record: logging.LogRecord) -> str:
        """The line, and the traceback if there is one."""
        text = super().format(_without_values(record) if record.name.startswith("aiosqlite") else record)
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        for pattern, instead in _SECRETS:
            text = pattern.sub(instead, text)
        return text


def _logfmt() -> LogfmtRenderer:
    return LogfmtRenderer(key_order=_FIRST, drop_missing=True, bool_as_flag=False)


def _without_traceback(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Leave the traceback to the lines that follow."""
    event.pop("exc_info", None)
    event.pop("stack_info", None)
    return event


def _printable(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Escape what would act on a terminal or look like another line: players choose some of the values."""
    return {name: _escaped(value) if isinstance(value, str) else value for name, value in event.items()}


def _escaped(text: str) -> str:
    if text.isprintable():
        return text
    kept = ((letter, letter.isprintable() or letter == "\n") for letter in text)
    return "".join(letter if plain else letter.encode("unicode_escape").decode() for letter, plain in kept)


def _without_values(record: logging.LogRecord) -> logging.LogRecord:
    """What the database's driver says of a call, without the values that it was handed: a setup is among them."""
    quiet = logging.makeLogRecord(record.__dict__)
    quiet.args = tuple(map(_call, record.args)) if isinstance(record.args, tuple) else ()
    return quiet


def _call(argument: object) -> object:
    if not isinstance(argument, partial):
        return argument
    statement = next((given for given in argument.args if isinstance(given, str)), "")
    return f"{getattr(argument.func, '__name__', argument.func)} {' '.join(statement.split())}".rstrip()


def start_logging(settings: Settings) -> None:
    """Log to the standard error stream."""
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter(settings.token, form=settings.log_format))
    counting = CountingHandler(OWN, logging.ERROR)
    logging.basicConfig(level=_library_level(settings), handlers=[handler, counting], force=True)
    for name in OWN:
        logging.getLogger(name).setLevel(settings.log_level)
    if settings.libraries_log_level is None:
        logging.getLogger("alembic").setLevel(logging.WARNING)


def _library_level(settings: Settings) -> int:
    """What libraries tell: as much as we do, but not their details unless that is asked for."""
    if settings.libraries_log_level is not None:
        return logging.getLevelNamesMapping()[settings.libraries_log_level]
    return max(logging.INFO, logging.getLevelNamesMapping()[settings.log_level])
