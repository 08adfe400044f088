"""Settings of the bot, read from environment variables and from the file ``.env``; ``.env.example`` explains each.

A variable of the environment takes precedence over the file, and an empty one counts as missing. Every invalid setting
is reported in a line of its own, with its name, the problem, and advice, and the program ends without a traceback. The
version in ``pyproject.toml`` is read here, too.

>>> settings = Settings.from_env()
>>> settings.metrics_port
0
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from dotenv import dotenv_values
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from store import Shards

HOME: Final = Path(__file__).resolve().parents[1]
"""The directory in which the bot is installed, with its ``.env``."""
DEFAULT_DATABASE: Final = "castellan.sqlite3"
"""The database file, in the working directory, unless a setting names another database."""
PREVIEW_DATABASE: Final = "castellan-preview.sqlite3"
"""The database file of the preview, which runs the bot on an offline Discord."""
_PREFIXES: Final = ("CASTELLAN_", "CASTLE_")
"""Prefixes of variables that look like settings of the bot."""

LogLevel = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(lambda text: str(text).upper())]

LogFormat = Annotated[Literal["logfmt", "json"], BeforeValidator(lambda text: str(text).lower())]


class SettingsError(SystemExit):
    """The settings cannot be used, or a command was refused; ends the program with a line for each problem."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def _address(*schemes: str) -> AfterValidator:
    """Return a validator that accepts addresses with one of these schemes, and empty ones."""

    def check(text: str) -> str:
        if text and not text.startswith(tuple(f"{scheme}://" for scheme in schemes)):
            raise ValueError(schemes)
        return text

    return AfterValidator(check)


def _shards(value: object) -> object:
    """Read shards from their text form."""
    return Shards.parse(value) if isinstance(value, str) else value


def _no_spaces(text: str) -> str:
    """Check that a value contains no white space."""
    if any(letter.isspace() for letter in text):
        raise ValueError("white space")
    return text


class Settings(BaseModel):
    """The settings of the bot, each with the environment variable that sets it (its alias).

    In code, fields may also be given by name. ``api_base`` and ``gateway`` are the addresses of Discord's interfaces,
    which tests replace by a server of their own.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True, str_strip_whitespace=True)

    token: Annotated[str, AfterValidator(_no_spaces)] = Field(default="", alias="DISCORD_TOKEN", repr=False)
    database: str = Field(default=DEFAULT_DATABASE, alias="CASTELLAN_DATABASE", min_length=1, repr=False)
    hosts_database: str = Field(default="", alias="DATABASE_URL", repr=False)
    """The address of a database that a hosting service provides; used unless ``database`` is set."""
    pool: int = Field(default=4, alias="CASTELLAN_DATABASE_POOL", ge=1, le=100)
    """The most connections that this process keeps to a database server."""
    file_stays: bool = Field(default=False, alias="CASTELLAN_FILE_STAYS")
    """True if the operator confirms that the database file survives restarts, on a service known to wipe its disks."""
    create: bool = Field(default=False, alias="CASTELLAN_CREATE")
    """True if a database file that does not exist may be created."""
    shards: Annotated[Shards | None, NoDecode, BeforeValidator(_shards)] = Field(default=None, alias="CASTELLAN_SHARDS")
    """The shards (connections to Discord) of this process; None for all, as many as Discord recommends."""
    requests_a_second: int = Field(default=45, alias="CASTELLAN_REQUESTS_PER_SECOND", ge=1, le=10_000)
    """The most requests a second that all processes send to Discord, which allows fifty, and large bots more."""
    presses_a_second: float = Field(default=2, alias="CASTELLAN_PRESSES_PER_SECOND", ge=0, le=1000)
    """The presses of buttons and commands that a member may make in a second, on average; 0 for no limit."""
    guild_id: int | None = Field(default=None, alias="CASTELLAN_GUILD_ID", ge=1, lt=2**63)
    log_level: LogLevel = Field(default="INFO", alias="CASTELLAN_LOG_LEVEL")
    libraries_log_level: LogLevel | None = Field(default=None, alias="CASTELLAN_LIBRARY_LOG_LEVEL")
    api_base: Annotated[str, _address("http", "https")] = Field(default="", alias="CASTELLAN_API_BASE")
    gateway: Annotated[str, _address("ws", "wss")] = Field(default="", alias="CASTELLAN_GATEWAY")
    table_in_channel: bool = Field(default=False, alias="CASTELLAN_TABLE_IN_CHANNEL")
    metrics_port: int = Field(default=0, alias="CASTELLAN_METRICS_PORT", ge=0, lt=2**16)
    """The port of the monitoring server; 0 for none."""
    metrics_host: Annotated[str, AfterValidator(_no_spaces)] = Field(
        default="127.0.0.1", alias="CASTELLAN_METRICS_HOST"
    )
    log_format: LogFormat = Field(default="logfmt", alias="CASTELLAN_LOG_FORMAT")
    castle_tiles: str = Field(default="", alias="CASTLE_TILES")
    computer_processes: int = Field(default=1, alias="CASTELLAN_COMPUTER_PROCESSES", ge=0, le=64)
    """The most processes in which computers think; 0 to offer none."""
    computer_server_minutes: float = Field(default=120, alias="CASTELLAN_COMPUTER_SERVER_MINUTES", ge=0, le=100_000)
    """The minutes for which computers think for a server in a day; 0 for no limit."""
    computer_person_minutes: float = Field(default=30, alias="CASTELLAN_COMPUTER_PERSON_MINUTES", ge=0, le=100_000)
    """The minutes for which computers think for a person in a day; 0 for no limit."""
    publish_seconds: int = Field(default=60, alias="CASTELLAN_PUBLISH_SECONDS", ge=0, le=120)
    """The default number of seconds for which a player can take back a confirmed move, before the others see it."""
    preview_database: str = Field(default=PREVIEW_DATABASE, alias="CASTELLAN_PREVIEW_DATABASE", min_length=1)
    preview_port: int = Field(default=0, alias="CASTELLAN_PREVIEW_PORT", ge=0, lt=2**16)
    preview_language: str = Field(default="", alias="CASTELLAN_PREVIEW_LANGUAGE")
    """The language of the preview, which may be one whose translation is not complete."""

    @classmethod
    def from_env(cls, file: Path | None = None) -> Settings:
        """Read the environment, and ``.env`` (or another file) for variables that are not in the environment.

        Raises:
            SettingsError: a setting or the file cannot be used.
        """
        file = file or HOME / ".env"
        try:
            environment = _Environment(_env_file=file)  # type: ignore[call-arg] # of BaseSettings
        except UnicodeDecodeError as error:
            raise SettingsError(f"{file}: is no text in UTF-8; copy .env.example and fill it in anew") from error
        except OSError as error:
            raise SettingsError(f"{file}: cannot be read: {error.strerror}") from error
        except ValidationError as error:
            raise SettingsError(*map(_problem_line, error.errors(include_url=False))) from error
        return cls(**environment.model_dump())

    @property
    def database_setting(self) -> str:
        """The variable that names the database of games."""
        if self.database == self.preview_database:
            return "CASTELLAN_PREVIEW_DATABASE"
        return "DATABASE_URL" if self.database == self.hosts_database else "CASTELLAN_DATABASE"

    def for_preview(self) -> Self:
        """Return these settings for the preview: with a database file of its own."""
        return self.changed(database=self.preview_database, create=True)

    def changed(self, **fields: object) -> Self:
        """Return a copy with some fields changed."""
        return self.model_copy(update=fields)


class _Environment(Settings, BaseSettings):
    """The settings as pydantic reads them from the environment and from a file."""

    model_config = SettingsConfigDict(env_file_encoding="utf-8", case_sensitive=True, extra="ignore", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, variables: dict[str, Any]) -> dict[str, Any]:
        """Drop empty values, so that their settings have the defaults."""
        set_values = {name: value for name, value in variables.items() if value is not None and str(value).strip()}
        if "DATABASE_URL" in set_values:
            set_values.setdefault("CASTELLAN_DATABASE", set_values["DATABASE_URL"])
        return set_values


_FIELDS: Final = {str(field.alias): name for name, field in Settings.model_fields.items()}
"""The names of the fields, by the environment variables that set them."""
_ADVICE: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The fault of a value that cannot be used, and the advice what to write instead, by environment variable."""


def _problem_line(problem: Mapping[str, Any]) -> str:
    """Return the line about an invalid setting: its variable, its value, and advice."""
    variable = str(problem["loc"][0])
    value = "" if variable == "DISCORD_TOKEN" else f" {problem['input']!r}"  # a token must not get into the log
    return f"{variable}:{value} {_ADVICE.get(variable, 'cannot be used: see .env.example')}"


def unknown_variables(names: Iterable[str] | None = None) -> list[str]:
    """Return a warning for each variable of the environment or of ``.env`` that looks like a setting but is not one."""
    if names is None:
        names = {*os.environ, *dotenv_values(HOME / ".env")}
    return [
        _unknown_warning(name) for name in sorted(names) if name.upper().startswith(_PREFIXES) and name not in _FIELDS
    ]


def _unknown_warning(name: str) -> str:
    """Return the warning about a variable, with a similar name that is a setting if there is one."""
    similar = difflib.get_close_matches(name.upper(), _FIELDS, n=1, cutoff=0.75)
    advice = f"did you mean {similar[0]}?" if similar else "see .env.example for those that there are"
    return f"{name}: is no setting and changes nothing; {advice}"


def version() -> str:
    """Return the version in ``pyproject.toml``."""
    with (HOME / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
