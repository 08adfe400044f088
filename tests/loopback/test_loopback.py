"""Tests of the loopback server, used as other tests use it: with a bot in another process that is killed and restarted.

The second half sends raw requests without a bot, to check details of Discord's behaviour.
"""

import copy
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
from simcord.backend.models import Channel, Message

from tests.loopback import (
    BotExitedError,
    BotProcess,
    FaultKind,
    Faults,
    ImpossibleActionError,
    LoopbackDiscord,
    MemberInteraction,
    RecordedRequest,
)

SAMPLE_BOT = Path(__file__).with_name("sample_bot.py")
"""The bot of these tests."""
POST_MESSAGE = "POST /channels/*/messages"
"""Pattern of the requests that post a message."""
CALLBACK = "POST /interactions/*"
"""Pattern of the requests that answer an interaction."""
PING = [{"name": "ping", "description": "ping", "type": 1}]
"""The registration of one command without options."""
ANSWER_DEADLINE = 60.0
"""Seconds for an answer in tests that are not about the deadline; Discord's is three."""


@asynccontextmanager
async def run_sample_bot(server: LoopbackDiscord, folder: Path) -> AsyncIterator[BotProcess]:
    """Run the sample bot; assert that it contacted no other address and that the server supported all its requests."""
    bot = BotProcess(server, SAMPLE_BOT, database=folder / "outbox", log=folder / "log")
    server.world.callback_deadline = ANSWER_DEADLINE
    await bot.start()
    try:
        yield bot
    finally:
        await bot.kill()
    assert "NOT LOOPBACK" not in bot.output
    assert server.problems == []


async def open_table(server: LoopbackDiscord) -> tuple[Channel, Message]:
    """Let the first member open a table; return its thread and its first card."""
    thread_count = len(server.threads())
    await server.slash(server.members[0], server.channel, "carc", sub="new", options={"players": 2})
    await server.until(lambda: server.threads()[thread_count:] and server.messages(server.threads()[-1].id))
    thread = server.threads()[-1]
    return thread, server.messages(thread.id)[0]


async def place(server: LoopbackDiscord, thread: Channel) -> MemberInteraction:
    """Press the button of the newest card."""
    card = server.messages(thread.id)[-1]
    return await server.click(server.members[1], card, custom_id_of(card))


def custom_id_of(card: Message) -> str:
    """Return the custom id of a card's button."""
    custom_id: str = card.components[0]["components"][2]["components"][0]["custom_id"]
    return custom_id


def texts(messages: list[Message]) -> list[str]:
    """Return the text of each message: its content, or the text display of its container."""
    return [m.content or m.components[0]["components"][0]["content"] for m in messages]


class RawApi:
    """Raw requests, as a bot makes them."""

    def __init__(self, server: LoopbackDiscord, session: aiohttp.ClientSession) -> None:
        self._server = server
        self._session = session

    async def call(self, method: str, path: str, payload: Any = None, **options: Any) -> tuple[int, Any]:
        """Send one request; return status and body."""
        headers = {"Authorization": f"Bot {options.pop('token', self._server.token)}"}
        url = self._server.base_url + path
        body = {} if payload is None else {"json": payload}
        async with self._session.request(method, url, headers=headers, **body, **options) as response:
            return response.status, await response.json() if response.status != 204 else None

    async def ping(self) -> MemberInteraction:
        """Register a command without options, and let a member use it."""
        await self.call("PUT", f"/applications/{self._server.world.application_id}/commands", PING)
        return await self._server.slash(self._server.members[0], self._server.channel, "ping")

    async def post(self, channel: Channel, **payload: Any) -> tuple[int, Any]:
        """Post a message."""
        return await self.call("POST", f"/channels/{channel.id}/messages", payload)


@asynccontextmanager
async def raw_api(**options: Any) -> AsyncIterator[tuple[LoopbackDiscord, RawApi]]:
    """Run a server without a bot, and a client for raw requests."""
    async with LoopbackDiscord(**options) as server, aiohttp.ClientSession() as session:
        yield server, RawApi(server, session)


# -- a bot in a process of its own -------------------------------------------------------------------------------


async def test_card_in_a_thread_carries_picture_and_button(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        thread, card = await open_table(server)
        assert texts(server.messages(server.channel.id)) == ["2 players, quick"]
        assert thread.name == "table"
        gallery = card.components[0]["components"][1]
        assert server.file(gallery["items"][0]["media"]["url"]) == b"picture 1"
        request = next(r for r in server.requests if r.files)
        assert (request.files[0].filename, request.files[0].description) == ("board.png", "the board")
        assert request.payload["enforce_nonce"] is True
        async with aiohttp.ClientSession() as session, session.get(card.attachments[0]["url"]) as response:
            assert await response.read() == b"picture 1"


async def test_click_posts_the_next_card_and_answers_in_private(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        thread, _ = await open_table(server)
        click = await server.finished(await place(server, thread))
        assert await click.acknowledged
        assert texts(click.ephemeral_messages) == ["placed 1"]
        assert texts(server.messages(thread.id)) == ["ply 1", "ply 2"]
        assert texts(server.messages(thread.id, viewer=server.members[1])) == ["ply 1", "placed 1", "ply 2"]
        assert texts(server.messages(thread.id, viewer=server.members[0])) == ["ply 1", "ply 2"]


async def test_modal_autocomplete_and_member_option(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        ada, bela, _ = server.members
        opened = await server.finished(await server.slash(ada, server.channel, "carc", sub="bid"))
        assert opened.modal is not None
        with pytest.raises(ImpossibleActionError):
            await server.submit_modal(bela, opened.modal["custom_id"], {"amount": "7"})
        bid = await server.submit_modal(ada, opened.modal["custom_id"], {"amount": "7"})
        assert texts((await server.finished(bid)).ephemeral_messages) == ["bid 7"]
        typed = await server.autocomplete(
            ada, server.channel, "carc", sub="read", focused="spot", options={"spot": "M1"}
        )
        assert [c["value"] for c in (await server.finished(typed)).choices] == ["M12", "M13"]
        options = {"spot": "M12", "member": bela}
        read = await server.slash(ada, server.channel, "carc", sub="read", options=options)
        assert texts((await server.finished(read)).ephemeral_messages) == ["M12 of Bela"]


async def test_members_can_only_do_what_their_client_offers(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        thread, card = await open_table(server)
        server.world.callback_deadline = 0.3
        with pytest.raises(ImpossibleActionError):
            await server.click(server.members[0], card, "place:99")
        with pytest.raises(ImpossibleActionError):
            await server.slash(server.members[0], server.channel, "carc", sub="new")
        forged = await server.click(server.members[0], card, "place:99", force=True)
        assert not await forged.acknowledged  # discord.py ignores components that the message does not have
        assert texts(server.messages(thread.id)) == ["ply 1"]


async def test_delayed_click_carries_the_message_of_its_time(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        thread, card = await open_table(server)
        earlier_card = copy.deepcopy(card)
        card.components = []
        with pytest.raises(ImpossibleActionError):
            await server.click(server.members[0], card, "place:1")
        await server.finished(await server.click(server.members[0], earlier_card, "place:1"))
        assert texts(server.messages(thread.id)[1:]) == ["ply 2"]


async def test_button_works_after_a_kill(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path) as bot:
        thread, _ = await open_table(server)
        await bot.kill()
        await bot.start()
        await server.finished(await place(server, thread))
        assert texts(server.messages(thread.id)) == ["ply 1", "ply 2"]
        assert await bot.stop() == -signal.SIGTERM


async def test_each_card_is_posted_once_despite_kills_and_faults(tmp_path: Path) -> None:
    random = Random(4)
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path) as bot:
        thread, _ = await open_table(server)
        server.world.callback_deadline = 1.0
        for seed in range(6):
            server.faults = Faults(
                seed, rate_429=0.1, rate_lost=0.1, rate_dropped=0.05, rate_slow=0.3, rate_gateway_drop=0.1
            )
            stage = random.choice(["received", "done"])
            with kill_at_request(server, bot, countdown=random.randint(1, 4), stage=stage):
                await (await place(server, thread)).acknowledged
                await bot.kill()
            await bot.start()
        server.faults = Faults()
        await bot.kill()
        await bot.start()
        expected = {f"ply {line.split()[1]}" for line in (tmp_path / "outbox").read_text().splitlines()}
        await server.until(lambda: set(texts(server.messages(thread.id))) == expected)
        assert set(Counter(texts(server.messages(thread.id))).values()) == {1}
        assert {r.fault for r in server.requests} > {None}


@contextmanager
def kill_at_request(server: LoopbackDiscord, bot: BotProcess, *, countdown: int, stage: str) -> Iterator[None]:
    """Kill the bot at the n-th request within the block."""

    def watch(at: str, _: RecordedRequest) -> None:
        nonlocal countdown
        countdown -= at == stage
        if countdown == 0:
            bot.send_sigkill()

    server.watchers.append(watch)
    yield
    server.watchers.remove(watch)


@pytest.mark.parametrize("kind", [FaultKind.RATE_LIMIT, FaultKind.SERVER_ERROR, FaultKind.LOST_500])
async def test_discord_py_retries_a_failed_post(tmp_path: Path, kind: FaultKind) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        server.faults.inject(POST_MESSAGE, kind)
        thread, _ = await open_table(server)
        await server.until(lambda: len(_card_posts(server)) > 1)
        posts = _card_posts(server)
        assert [(r.fault, r.payload["nonce"]) for r in posts] == [(kind, "card:1"), (None, "card:1")]
        await server.until(lambda: posts[1].status == 200)
        assert texts(server.messages(thread.id)) == ["ply 1"]


def _card_posts(server: LoopbackDiscord) -> list[RecordedRequest]:
    """Return the requests that posted a card."""
    return [request for request in server.requests if request.files]


async def test_a_post_with_a_lost_reply_is_not_repeated(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path) as bot:
        server.faults.inject(POST_MESSAGE, FaultKind.LOST)
        thread, _ = await open_table(server)
        await bot.kill()
        await bot.start()
        await server.until(lambda: len(_card_posts(server)) > 1 and _card_posts(server)[1].status)
        assert _card_posts(server)[1].reply["id"] == str(server.messages(thread.id)[0].id)
        assert texts(server.messages(thread.id)) == ["ply 1"]


async def test_click_while_the_gateway_is_down_is_replayed(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        thread, _ = await open_table(server)
        server.gateway.abort()
        assert not server.gateway.connected
        click = await server.finished(await place(server, thread))
        assert click.error is None
        assert (server.gateway.identifies, server.gateway.resumes) == (1, 1)
        assert server.gateway.replayed >= 1


async def test_bot_survives_reconnect_requests_closed_connections_and_invalid_sessions(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        gateway = server.gateway
        gateway.ask_to_reconnect()
        await server.until(lambda: gateway.resumes == 1)
        await gateway.close()
        await server.until(lambda: gateway.resumes == 2)
        gateway.invalidate()
        await server.until(lambda: gateway.identifies == 2)
        thread, _ = await open_table(server)
        await server.finished(await place(server, thread))


async def test_bot_comes_back_after_an_outage(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server, run_sample_bot(server, tmp_path):
        thread, _ = await open_table(server)
        async with server.unreachable():
            await server.until(lambda: not server.gateway.connected)
        await server.wait_for_bot()
        await server.finished(await place(server, thread))
        assert texts(server.messages(thread.id)) == ["ply 1", "ply 2"]


async def test_heartbeats_are_acknowledged(tmp_path: Path) -> None:
    async with LoopbackDiscord(heartbeat=0.1) as server, run_sample_bot(server, tmp_path):
        await server.until(lambda: server.gateway.heartbeats >= 4)
        assert server.gateway.resumes == 0


async def test_bot_with_a_wrong_token_ends(tmp_path: Path) -> None:
    async with LoopbackDiscord() as server:
        wrong = {"DISCORD_TOKEN": "wrong"}
        bot = BotProcess(server, SAMPLE_BOT, database=tmp_path / "outbox", log=tmp_path / "log", environment=wrong)
        with pytest.raises(BotExitedError, match="Improper token"):
            await bot.start()


# -- raw requests without a bot ----------------------------------------------------------------------------------


async def test_nonce_is_enforced_in_its_channel_for_five_minutes() -> None:
    async with raw_api(channels=("one", "two")) as (server, api):
        first_channel, second_channel = server.channels
        _, first = await api.post(first_channel, content="a", nonce="n", enforce_nonce=True)
        assert first["nonce"] == "n"
        assert (await api.post(first_channel, content="b", nonce="n", enforce_nonce=True))[1]["id"] == first["id"]
        assert (await api.post(first_channel, content="c", nonce="n"))[1]["id"] != first["id"]
        assert (await api.post(second_channel, content="d", nonce="n", enforce_nonce=True))[1]["id"] != first["id"]
        server.world.clock.advance(301)
        await api.post(first_channel, content="e", nonce="n", enforce_nonce=True)
        assert texts(server.messages(first_channel.id)) == ["a", "c", "e"]
        assert (await api.post(first_channel, content="f", nonce="n" * 26))[1]["code"] == 50035


async def test_interaction_is_answered_once_and_in_time() -> None:
    async with raw_api() as (server, api):
        ping = await api.ping()
        path = f"/interactions/{ping.id}/{ping.payload['token']}/callback"
        answer = {"type": 4, "data": {"content": "pong"}}
        status, body = await api.call("POST", path, answer, token="none needed")  # noqa: S106  # the token is wrong on purpose
        assert (status, body["interaction"]["response_message_id"]) == (200, str(ping.messages[0].id))
        assert (await api.call("POST", path, answer))[1]["code"] == 40060
        late = await api.ping()
        server.world.clock.advance(3.1)
        path = f"/interactions/{late.id}/{late.payload['token']}/callback"
        assert (await api.call("POST", path, answer))[1]["code"] == 10062


async def test_interaction_token_expires_after_fifteen_minutes() -> None:
    async with raw_api() as (server, api):
        ping = await api.ping()
        token = ping.payload["token"]
        await api.call("POST", f"/interactions/{ping.id}/{token}/callback", {"type": 5, "data": {"flags": 64}})
        assert await ping.acknowledged
        assert not ping.finished
        webhook = f"/webhooks/{server.world.application_id}/{token}"
        await api.call("PATCH", f"{webhook}/messages/@original", {"content": "thought"})
        await api.call("POST", webhook, {"content": "more", "flags": 64})
        assert texts(ping.ephemeral_messages) == ["thought", "more"]
        assert server.messages(server.channel.id) == []
        server.world.clock.advance(15 * 60)
        assert (await api.call("POST", webhook, {"content": "late"}))[0] == 404


async def test_unanswered_interaction_fails_for_the_member() -> None:
    async with raw_api(callback_deadline=0.05) as (_, api):
        ping = await api.ping()
        assert not await ping.acknowledged
        assert ping.error == "The application did not respond"


async def test_archived_thread_refuses_edits_and_opens_with_a_post() -> None:
    async with raw_api() as (server, api):
        _, card = await api.post(server.channel, content="card")
        threads = f"/channels/{server.channel.id}/messages/{card['id']}/threads"
        _, made = await api.call("POST", threads, {"name": "table"})
        assert (made["id"], server.messages(server.channel.id)[0].flags) == (card["id"], 1 << 5)
        assert (await api.call("POST", threads, {"name": "again"}))[1]["code"] == 160004
        thread = server.threads()[0]
        _, inside = await api.post(thread, content="inside")
        server.archive(thread)
        edit = await api.call("PATCH", f"/channels/{thread.id}/messages/{inside['id']}", {"content": "no"})
        assert edit[1]["code"] == 50083
        assert (await api.call("PATCH", f"/channels/{thread.id}", {"name": "no"}))[1]["code"] == 50083
        assert server.world.guild_create(server.guild)["threads"] == []
        await api.post(thread, content="back")
        assert thread.thread_metadata is not None
        assert not thread.thread_metadata.archived
        server.archive(thread, locked=True)
        assert (await api.post(thread, content="no"))[1]["code"] == 50083
        server.delete_channel(thread)
        assert (await api.post(thread, content="gone"))[1]["code"] == 10003


async def test_the_bot_can_be_denied_permissions() -> None:
    async with raw_api() as (server, api):
        form = aiohttp.FormData()
        form.add_field("payload_json", '{"content": "x", "attachments": [{"id": 0, "description": "alt"}]}')
        form.add_field("files[0]", b"data", filename="board.png")
        path = f"/channels/{server.channel.id}/messages"
        status, message = await api.call("POST", path, data=form)
        assert (status, message["attachments"][0]["description"]) == (200, "alt")
        server.deny(server.channel, "attach_files", "create_public_threads")
        threads = f"{path}/{message['id']}/threads"
        assert (await api.call("POST", threads, {"name": "table"}))[1]["code"] == 50013
        again = aiohttp.FormData({"payload_json": '{"content": "x"}'})
        again.add_field("files[0]", b"data", filename="board.png")
        assert (await api.call("POST", path, data=again))[1]["code"] == 50013
        server.deny(server.channel)
        assert (await api.call("POST", threads, {"name": "table"}))[0] == 200


async def test_files_are_limited() -> None:
    async with raw_api() as (server, api):
        form = aiohttp.FormData({"payload_json": "{}"})
        form.add_field("files[0]", BytesIO(bytes(10 * 1024 * 1024 + 1)), filename="board.png")
        status, body = await api.call("POST", f"/channels/{server.channel.id}/messages", data=form)
        assert (status, body["code"]) == (413, 40005)


async def test_responses_have_the_headers_that_discord_py_needs() -> None:
    async with raw_api() as (server, api), aiohttp.ClientSession() as session:
        assert (await api.call("GET", "/users/@me", token="wrong"))[0] == 401  # noqa: S106  # the token is wrong on purpose
        server.faults.inject("GET /users/@me", FaultKind.RATE_LIMIT)
        headers = {"Authorization": f"Bot {server.token}"}
        async with session.get(f"{server.base_url}/users/@me", headers=headers) as response:
            assert response.headers["Content-Type"] == "application/json"
            assert (response.status, "Via" in response.headers) == (429, True)
        assert (await api.call("GET", "/nothing/here"))[0] == 501
        assert len(server.problems) == 1


async def test_privileged_intents_are_refused() -> None:
    async with (
        LoopbackDiscord() as server,
        aiohttp.ClientSession() as session,
        session.ws_connect(server.gateway_url) as socket,
    ):
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": {"token": server.token, "intents": 1 << 15}})
        await socket.receive()
        assert socket.close_code == 4014


def test_faults_follow_their_seed() -> None:
    def fault_kinds(seed: int) -> list[FaultKind | None]:
        """Return the faults that this seed gives to fifty requests."""
        faults = Faults(seed, rate_429=0.3, rate_lost=0.3, spare=("GET *",))
        drawn = [faults.next_fault("POST", "/channels/1/messages") for _ in range(50)]
        assert all(faults.next_fault("GET", "/users/@me") is None for _ in range(50))
        return [fault.kind if fault else None for fault in drawn]

    assert fault_kinds(1) == fault_kinds(1) != fault_kinds(2)
    assert set(fault_kinds(1)) == {FaultKind.RATE_LIMIT, FaultKind.LOST, None}


def test_injected_fault_applies_to_matching_requests() -> None:
    faults = Faults()
    faults.inject(CALLBACK, FaultKind.SLOW, delay=0.5, times=2)
    assert faults.next_fault("POST", "/channels/1/messages") is None
    injected = [faults.next_fault("POST", "/interactions/1/t/callback") for _ in range(3)]
    assert [fault.delay if fault else None for fault in injected] == [0.5, 0.5, None]
