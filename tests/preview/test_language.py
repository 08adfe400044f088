"""The preview can show a language before its translation is offered to players.

`python -m preview` runs the bot with an offline Discord (simcord), whose members Ana and Ben act through a web page. A
language is offered once its texts are complete. A setting of the preview enables an incomplete one, here the made-up
"xx".
"""

from unittest.mock import MagicMock

import pytest

from cogs.texts.languages import Language, languages, offered_language_of
from operations.settings import SettingsError
from preview.language import enable_language, set_language


def test_an_incomplete_language_can_be_enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(languages(), "xx", Language("xx", "Draft", offered=False))
    assert not offered_language_of("xx")
    language, host = enable_language("xx"), MagicMock()
    assert offered_language_of("xx") == "xx"
    set_language(host, (1, 2), language)
    assert [call.args for call in host.locales.set_chosen.call_args_list] == [(1, "xx"), (2, "xx")]


def test_an_unknown_language_is_reported() -> None:
    with pytest.raises(SettingsError, match=r"no texts in 'tlh'; there are: en"):
        enable_language("tlh")
