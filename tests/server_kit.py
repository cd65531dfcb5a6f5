"""A real server on a real port, and people who talk to it."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import msgspec
import sqlalchemy as sql
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from caramba.match.match import Match
from caramba.server.http.app import Server, configure, listen, listen_inside
from caramba.server.settings import Settings
from caramba.server.store import changes, schema
from caramba.server.store.changes import Change, Row
from caramba.server.store.store import Store
from caramba.server.tables.kept import Entry, Kept, KeptSeat, KeptTable
from caramba.server.tables.tokens import hashed
from caramba.wire import PROTOCOL

Message = dict[str, Any]
FAST: dict[str, Any] = {
    "pause": 0.0,
    "window": 0.02,
    "back": 0.0,
    "requests_a_minute": 10**9,
    "tables_an_hour": 10**9,
    "tries_a_minute": 10**9,
    "messages_a_second": 10**6,
    "chat_a_minute": 10**6,
    "hellos_a_minute": 10**6,
    "connections": 10**6,
    "seat_requests_a_minute": 10**9,
    "all_requests_a_minute": 10**9,
    "all_messages_a_second": 10**6,
    "seat_connections": 10**6,
    "per_address": 10**6,
    "searchers": 10**6,
    "gone": 0.0,
    "calm": 0.0,
}
"""A server that does not wait for people, and has no limits."""
GUESTS = ("Luc", "Zoe", "Hugo", "Marta", "Pepe", "Rosa", "Juan")
"""Who sits down at tables that Ana makes."""


class Running:
    """A server in a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        inside = []
        if settings.redis:
            listening, settings = listen_inside(settings)
            inside = [listening]
        config = configure(settings, port=0, log_level="critical")
        app: Any = config.app
        self.app, self.host = app, app.state.host
        self.server = Server(config)
        self.socket = listen(config)
        self.sockets = [self.socket, *inside]
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.http = httpx.Client(base_url=f"http://{self.address}", timeout=30, verify=False)
        self.players: list[Player] = []
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.005)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.server.serve(sockets=self.sockets))
        self.loop.close()

    def call(self, work: Any) -> Any:
        """Run a coroutine inside the server."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    def stop(self) -> None:
        """Shut down as an operator would."""
        self.server.should_exit = True
        self.thread.join(30)
        assert not self.thread.is_alive()
        for player in self.players:
            player.close()
        self.http.close()

    def table(self, name: str) -> Any:
        """A table inside the server."""
        return self.host.awake.tables[name].table

    def rows(self, statement: Any) -> list[Row]:
        """What the database of the server says."""
        rows: list[Row] = self.call(self.host.store.rows(statement))
        return rows

    def table_row(self, name: str) -> Row:
        """A table as it is kept."""
        return self.rows(sql.select(schema.tables).where(schema.tables.c.id == name))[0]

    def log(self, name: str) -> list[Row]:
        """The log of a table as it is kept."""
        lines = sql.select(schema.log).where(schema.log.c.table_id == name)
        return self.rows(lines.order_by(schema.log.c.number))

    # What people do

    def make(self, game: str, people: int, bots: int = 0, **more: Any) -> Message:
        """A new table: the answer to whoever made it."""
        seats = [{"kind": "person"}] * people + [{"kind": "bot", "level": "easy"}] * bots
        body = {"game": game, "seats": seats, "name": "Ana", **more}
        answer = self.post("/api/tables", body)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def sit(self, table: str, name: str = "Luc", **more: Any) -> Message:
        """Take a seat."""
        answer = self.post(f"/api/tables/{table}/seats", {"name": name, **more})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def full(self, game: str, people: int, **more: Any) -> tuple[str, list[str]]:
        """A table that has begun, and the tokens of its seats."""
        made = self.make(game, people, **more)
        tokens = [made["token"]]
        tokens += [self.sit(made["table"], name)["token"] for name in GUESTS[: people - 1]]
        return made["table"], tokens

    def player(self, table: str, token: str | None = None, **hello: Any) -> "Player":
        """Somebody who is connected and has said hello."""
        player = Player(self.address, table, token, **hello)
        self.players.append(player)
        return player

    def all_players(self, table: str, tokens: list[str]) -> list["Player"]:
        """Everybody, connected and shown how the game stands."""
        players = [self.player(table, token) for token in tokens]
        for player in players:
            player.hear("news")
        return players

    def get(self, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        """An HTTP request."""
        return self.ask("GET", path, token, **more)

    def post(self, path: str, body: Any, token: str | None = None, **more: Any) -> httpx.Response:
        """Another."""
        headers = {"Content-Type": "application/json", **more.pop("headers", {})}
        return self.ask("POST", path, token, content=json.dumps(body), headers=headers, **more)

    def ask(self, method: str, path: str, token: str | None = None, **more: Any) -> httpx.Response:
        """Any, of somebody who has no cookies."""
        headers = {**bearer(token), **more.pop("headers", {})}
        answer = self.http.request(method, path, headers=headers, **more)
        self.http.cookies.clear()
        return answer


def bearer(token: str | None) -> dict[str, str]:
    """How a program shows a token."""
    return {"Authorization": f"Bearer {token}"} if token else {}


class Player:
    """A client on a real socket."""

    def __init__(self, address: str, table: str, token: str | None, **hello: Any) -> None:
        url = f"ws://{address}/api/tables/{table}/socket"
        self.leaving = ExitStack()
        self.socket: ClientConnection = self.leaving.enter_context(
            connect(url, additional_headers=bearer(token), max_size=None)
        )
        self.token = token or ""
        self.frames: list[str] = []
        self.heard: list[Message] = []
        self.keys = iter(range(10**9))
        self.name = f"{time.perf_counter_ns():x}"
        self.news: Message = {}
        self.table: Message = {}
        with suppress(ConnectionClosed):  # whoever is not let in is told why
            self.say(**{"type": "hello", "protocol": PROTOCOL, **hello})
        self.welcome = self.hear("welcome", "refused")

    def say(self, **message: Any) -> None:
        """Send a message, with a new key if it wants something and has none."""
        if message["type"] not in ("hello", "ping"):
            message = {"key": self.key(), **message}
        self.socket.send(json.dumps(message))

    def ask(self, **message: Any) -> Message:
        """Send a message that wants something; the answer."""
        key = message.setdefault("key", self.key())
        self.say(**message)
        while (answer := self.hear("accepted", "refused"))["key"] != key:
            pass
        return answer

    def next(self, timeout: float = 20) -> Message:
        """The next message."""
        frame = self.socket.recv(timeout=timeout)
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: Message = json.loads(frame)
        self.heard.append(message)
        if message["type"] == "news":
            self.news = message
        if "table" in message:
            self.table = message["table"] = message["table"] or self.table
        return message

    def hear(self, *types: str, timeout: float = 20) -> Message:
        """The next message of one of these types."""
        while True:
            message = self.next(timeout)
            if message["type"] in types:
                return message

    def wait_for(self, number: int) -> None:
        """Hear the news of this number, unless heard."""
        while self.news["number"] < number:
            self.hear("news")

    def ping(self) -> list[Message]:
        """Everything that came before the answer to a ping."""
        self.say(type="ping")
        heard = [self.next()]
        while heard[-1]["type"] != "pong":
            heard.append(self.next())
        return heard[:-1]

    def send(self, frame: str | bytes) -> Message:
        """Send anything; the answer, if it is refused."""
        self.socket.send(frame)
        return self.hear("refused")

    def quiet(self, seconds: float = 0.1) -> list[Message]:
        """Everything that still comes."""
        heard = []
        with suppress(TimeoutError, ConnectionClosed):
            while True:
                heard.append(self.next(seconds))
        return heard

    def key(self) -> str:
        """A new key."""
        return f"{self.name}-{next(self.keys)}"

    def act(self, action: str, key: str | None = None, number: int | None = None) -> Message:
        """Take a step; the answer."""
        at = self.news["number"] if number is None else number
        return self.ask(type="act", key=key or self.key(), number=at, action=action)

    @property
    def my_turn(self) -> bool:
        """Whether this player is asked."""
        return bool(self.news and self.news["view"]["legal"])

    def close(self) -> None:
        """Leave."""
        self.leaving.close()


@contextmanager
def serving(place: Path | str, **settings: Any) -> Iterator[Running]:
    """A server that ends with the test, its database in a folder or at a URL."""
    running = Running(Settings(**{"database": database_in(place), **FAST, **settings}))
    try:
        yield running
    finally:
        running.stop()


def database_in(place: Path | str) -> str:
    """The URL of a database: in a folder, it is SQLite's."""
    return place if isinstance(place, str) else f"sqlite:///{place / 'tables.db'}"


def keep(place: Path | str, matches: dict[str, Match], **columns: Any) -> None:
    """Write matches into a database as tables of these names, the seat of everybody kept."""

    async def write() -> None:
        kept = Store(database_in(place))
        await kept.open()
        for name, match in matches.items():
            await kept.write(*_changes(name, match, columns))
        await kept.close()

    asyncio.run(write())


def _changes(name: str, match: Match, columns: dict[str, Any]) -> list[Change]:
    kept = kept_as(match, name, **columns)
    return [*changes.new_table(kept.table, kept.seats), changes.append(name, 0, kept.log)]


def kept_as(
    match: Match, name: str = "t", place: dict[str, Any] | None = None, **columns: Any
) -> Kept:
    """A match as it would be kept, with a person at each seat unless told otherwise."""
    table = {
        "id": name,
        "code": None,
        "game": match.game.name,
        "rules": match.game.version,
        "players": match.players,
        "options": match.options,
        "owner": 0,
        "status": "playing",
        "seed": b"s" * 32,
        "created": 0.0,
        "touched": time.time(),
        "rematch": None,
        **columns,
    }
    kept = msgspec.convert(table, KeptTable)
    seats = [
        {
            "kind": "person",
            "name": match.names[seat],
            "token": hashed(token_of(seat)),
            "seconds": kept.clock.game,
            **(place or {}),
        }
        for seat in range(match.players)
    ]
    log = [Entry(who, text, None if who is None else "k") for who, text in match.steps]
    return Kept(kept, msgspec.convert(seats, list[KeptSeat]), log, [])


def token_of(seat: int) -> str:
    """The token of a seat of a table that was written by hand."""
    return f"token-of-{seat}"


def play_on(players: list[Player], steps: int | None = None, pick: Any = None) -> int:
    """Let everybody act who is asked, until the game is over or so many steps were taken."""
    taken = 0
    choose = pick or (lambda legal: legal[taken % len(legal)])
    while True:
        catch_up(players)
        if players[0].news["view"]["result"] or taken == steps:
            return taken
        asked = [player for player in players if player.my_turn]
        if not asked:
            players[0].hear("news")
            continue
        legal = [action["text"] for action in asked[0].news["view"]["legal"]]
        action = choose(legal)
        if action is None:  # the table answers
            asked[0].hear("news")
            continue
        answer = asked[0].act(action)
        taken += answer["type"] == "accepted"
        asked[0].wait_for(answer["number"])


def catch_up(players: list[Player]) -> None:
    """Everybody hears what somebody has heard."""
    for _ in range(2):
        latest = max(player.news["number"] for player in players)
        for player in players:
            player.wait_for(latest)
