"""The cache of users' locales, which presses fill without a database query and which survives a restart.

Every press reports the language of the user's Discord client. The cache collects these locales and stores the changed
ones in one statement (`flush`); a `UserLocale` also contains a language that the user has chosen.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from host import LANGUAGE, Host, LocaleCache, Preferences, UserLocale, preferences
from store import Store
from tests.host.conftest import NewHost
from tests.store.empty_database import open_store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store on an empty database file."""
    opened = await open_store(tmp_path / "games.db")
    yield opened
    await opened.close()


@pytest.fixture
def cache(store: Store) -> LocaleCache:
    """An empty cache."""
    return LocaleCache(store)


async def test_a_seen_locale_survives_a_restart(store: Store, cache: LocaleCache) -> None:
    cache.record(1, "cs")
    cache.record(2, "pt-BR")
    cache.record(2, "pl")
    assert await cache.of(1) == UserLocale("", "cs")
    assert await LocaleCache(store).of(1) == UserLocale(), "not stored at each press"
    await cache.flush()
    assert [await LocaleCache(store).of(user) for user in (1, 2, 3)] == [
        UserLocale("", "cs"),
        UserLocale("", "pl"),
        UserLocale(),
    ]


async def test_a_locale_is_stored_again_only_when_it_changes(
    store: Store, cache: LocaleCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preferences, "LOCALE_BATCH_SIZE", 2)
    for user in range(5):
        cache.record(user, "cs")
    await cache.flush()
    cache.record(1, "cs")
    await cache.flush()
    cache.record(1, "nl")
    await cache.flush()
    fresh = LocaleCache(store)
    assert [(await fresh.of(user)).locale for user in range(5)] == ["cs", "nl", "cs", "cs", "cs"]


async def test_a_user_evicted_from_the_cache_is_looked_up(cache: LocaleCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "MAX_CACHED_LOCALES", 1)
    cache.record(1, "cs")
    cache.record(2, "de")
    assert (await cache.of(1)).locale == "cs", "not stored yet"
    await cache.flush()
    assert (await cache.of(1)).locale == "cs"


async def test_an_erased_user_has_no_locale(host: Host) -> None:
    host.locales.record(1, "cs")
    await host.locales.flush()
    await host.preferences.set(1, Preferences(choices={LANGUAGE: "de"}))
    assert (await host.erasure.export(1))["locales"] == [{"user_id": 1, "locale": "cs"}]
    await host.erasure.erase(1)
    assert await host.locales.of(1) == UserLocale()
    assert "locales" not in await host.erasure.export(1)


async def test_a_chosen_language_applies_at_once_and_after_a_restart(host: Host, new_host: NewHost) -> None:
    await host.preferences.set(1, Preferences(choices={LANGUAGE: "de", "theme": "night"}))
    await host.preferences.set(2, Preferences(choices={"theme": "night"}))
    assert (host.locales.chosen_by(1), host.locales.chosen_by(2)) == ("de", "")
    fresh = (await new_host()).locales
    await fresh.load()
    assert (fresh.chosen_by(1), fresh.chosen_by(2)) == ("de", "")
    await host.preferences.set(1, replace(Preferences(), confirm=False))
    assert not host.locales.chosen_by(1)
