"""The host: tables that are awake, who is connected to them, and what happens by itself.

Whatever changes a game goes the same way: decide, keep, tell. Between deciding and telling, the
table's lock is held, so nobody is shown what is not kept. If keeping fails, the table is
forgotten and read again.
"""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from caramba.bots.levels import DEFAULT, LEVELS
from caramba.games.contract import marked
from caramba.language import words
from caramba.server import telemetry
from caramba.server.host.thinking import Thinkers
from caramba.server.host.turns import Aside, Turns
from caramba.server.settings import Settings
from caramba.server.store import changes
from caramba.server.store.changes import Change
from caramba.server.store.errors import Broken, Taken
from caramba.server.store.store import KEPT_CHAT, Store
from caramba.server.tables import showing
from caramba.server.tables.kept import Entry
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Plan, Table, Wish
from caramba.wire import PROTOCOL, Accepted, Changed, FromServer, Refused, Said, Welcome, encode
from caramba.wire import Table as Shown

FULL, HEAVY = 256, 512 * 1024
"""Frames, and bytes, that may wait for a slow client before it is let go."""
GONE_AWAY, POLICY, TRY_AGAIN, TOO_SLOW = 1001, 1008, 1012, 1013
"""Why a socket is closed: codes of RFC 6455."""
Some = Callable[[float, str, int], Awaitable[list[str]]]
"""Asks for tables that nobody has touched since a time: behind a name, at most so many."""
SWEEP = 100
"""Sleeping tables that are woken in one go."""
TIDY = 600.0
"""Seconds between two looks through all of the memory, for which everybody waits a moment."""
SHORT = 20
"""Entries of a log that are read again at once, such as those of a new table: it takes a moment."""


class Connection:
    """One socket: of a seat, or of somebody who watches."""

    def __init__(self, seat: int | None, language: str, address: str = "") -> None:
        self.seat, self.language, self.address = seat, language, address
        self.number: int | None = None
        """How much of the log it has."""
        self.muted: set[int | None] = set()
        self.frames: asyncio.Queue[bytes | int] = asyncio.Queue()
        """What is to be sent; a number closes the socket."""
        self._bytes = 0
        """How much of that there is."""
        self.closing = False

    def hears(self, said: Said) -> bool:
        """Whether a line of chat is for it."""
        for_it = said.seat is not None or self.seat is None
        return for_it and said.seat not in self.muted

    def send(self, message: FromServer | bytes) -> None:
        """Have a message sent."""
        if self.closing:
            return
        if self.frames.qsize() >= FULL or self._bytes > HEAVY:
            self.frames = asyncio.Queue()
            self.close(TOO_SLOW)
            return
        frame = message if isinstance(message, bytes) else encode(message)
        self._bytes += len(frame)
        self.frames.put_nowait(frame)

    async def next(self) -> bytes | int:
        """What is to be sent next; a number closes the socket."""
        frame = await self.frames.get()
        if isinstance(frame, bytes):
            self._bytes -= len(frame)
        return frame

    def refuse(self, refusal: Refusal, key: str | None = None, number: int | None = None) -> None:
        """Say why something is not done, in the language of who is told."""
        code = "forbidden" if refusal.code == "missing" else refusal.code
        telemetry.REFUSED.labels(code).inc()
        reason = refusal.text(words(self.language))
        self.send(
            Refused(code=code, reason=reason, rule=refusal.rule, key=key, number=number)  # type: ignore[arg-type]
        )

    def close(self, code: int) -> None:
        """Have the socket closed."""
        if not self.closing:
            self.closing = True
            self.frames.put_nowait(code)


@dataclass
class Live:
    """A table that is awake."""

    table: Table
    said: list[Said]
    left: dict[int, float]
    """The seats nobody is connected to, and since when; it counts from when the table woke up."""
    payer: str = ""
    """The address for which its bots think."""
    made: dict[str, bytes] = field(default_factory=dict)
    """What was made of a game that is over, by name: it does not change any more."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    connections: set[Connection] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    driver: asyncio.Task[None] | None = None

    @property
    def here(self) -> set[int]:
        """The seats somebody is connected to."""
        return {c.seat for c in self.connections if c.seat is not None}

    def look_round(self, now: float) -> None:
        """Note who has come and who has gone."""
        here = self.here
        seats = range(len(self.table.places))
        self.left = {seat: self.left.get(seat, now) for seat in seats if seat not in here}

    @property
    def rests(self) -> bool:
        """Whether nobody plays or looks: then bots need not, either."""
        return not self.connections and not self.table.persons()

    @property
    def searchers(self) -> int:
        """How many seats have bots that look ahead, as long as there is something to play."""
        if self.table.status == "over":
            return 0
        levels = (place.level for place in self.table.places if place.kind == "bot")
        return sum(level is not None and LEVELS[level].searches for level in levels)

    @property
    def watching(self) -> int:
        """How many watch."""
        return sum(connection.seat is None for connection in self.connections)


class Host:
    """All tables."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        self.thinkers = Thinkers(settings.thinkers)
        self.turns = Turns()
        self.searchers_to_come = Counter[str]()
        """By address: seats of bots that look ahead, at tables that are just being made."""
        self.aside = Aside()
        """For what takes the longer the longer a game is."""
        self.awake: dict[str, Live] = {}
        self._waking: dict[str, asyncio.Task[Live]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self.ready = False

    async def open(self) -> None:
        """Begin."""
        await self.store.open()
        self._sweeper = asyncio.create_task(self._sweep())
        self.ready = True

    async def close(self) -> None:
        """Let everybody go, keep everything."""
        self.ready = False
        if self._sweeper:
            self._sweeper.cancel()
        drivers = []
        for live in list(self.awake.values()):
            async with live.lock:
                self._forget(live, GONE_AWAY)
                drivers.append(live.driver)
        await asyncio.gather(*filter(None, drivers), return_exceptions=True)
        await self.store.close()
        self.thinkers.close()
        self.aside.close()

    # Waking and sleeping

    async def wake(self, table: str) -> Live:
        """A table, from the database if need be."""
        if live := self.awake.get(table):
            return live
        waking = self._waking.get(table)
        if waking is None:
            waking = self._waking[table] = asyncio.create_task(self._wake(table))
            waking.add_done_callback(lambda _: self._waking.pop(table))
        return await asyncio.shield(waking)

    async def _wake(self, table: str) -> Live:
        stored = await self.store.load(table)
        if stored is None:
            raise Refusal("missing", marked("there is no such table"))
        make = partial(Table, stored, self.settings)
        made = make() if len(stored.log) <= SHORT else await self.aside.do(make)
        said = [
            Said(seat=r["seat"], name=r["name"], text=r["text"], at=r["at"]) for r in stored.chat
        ]
        left = dict.fromkeys(range(len(made.places)), self.settings.now())
        live = self.awake[table] = Live(made, said, left)
        live.driver = asyncio.create_task(self._drive(live))
        telemetry.AWAKE.set(len(self.awake))
        return live

    def _forget(self, live: Live, code: int) -> None:
        """Put a table out of memory; whoever is connected comes back by itself."""
        if self.awake.get(live.table.id) is live:
            del self.awake[live.table.id]
        telemetry.AWAKE.set(len(self.awake))
        for connection in live.connections:  # after what is to be said to them before that
            asyncio.get_running_loop().call_soon(connection.close, code)
        if live.driver and live.driver is not asyncio.current_task():
            live.driver.cancel()

    async def _sweep(self) -> None:
        """Wake tables at which something is due; see to those that nobody needs any more."""
        chores = (self._recover, self._wake_due, self._remove_stale, self._close_abandoned)
        tidied = time.monotonic()
        while True:
            if time.monotonic() - tidied > TIDY:
                gc.collect()
                tidied = time.monotonic()
            for chore in chores:
                try:
                    await chore()
                except Exception as error:
                    telemetry.stumbled("could not look after sleeping tables", error)
            await asyncio.sleep(self.settings.sweep)

    async def _recover(self) -> None:
        """After a failure, try whether the database can be written to again."""
        if self.store.writer.failing:
            with suppress(Broken):
                await self.store.writer.probe()

    async def _wake_due(self) -> None:
        for table in await self.store.due(self.settings.now(), SWEEP):
            if table not in self.awake:
                try:
                    await self.wake(table)
                except Exception as error:
                    telemetry.stumbled("a table does not wake up", error)
                    later = self.settings.now() + self.settings.retry
                    await self.store.write(changes.update_table(table, due=later))

    async def _remove_stale(self) -> None:
        """Remove tables that never began."""
        for table in await self._asleep(self.store.never_begun, self.settings.keep_open):
            await self.store.write(changes.remove_table(table))

    async def _close_abandoned(self) -> None:
        """End games that nobody plays any more: what has happened stays, and can be looked at."""
        for table in await self._asleep(self.store.abandoned, self.settings.close_after):
            await self.store.write(changes.update_table(table, status="over", due=None))

    async def _asleep(self, some: Some, seconds: float) -> list[str]:
        """Some tables of these that are asleep, and were not touched for so long."""
        before = self.settings.now() - seconds
        asleep: list[str] = []
        last: str | None = ""
        while last is not None and len(asleep) < SWEEP:
            found = await some(before, last, SWEEP)
            asleep += [table for table in found if table not in self.awake]
            last = found[-1] if len(found) == SWEEP else None
        return asleep

    # Changing a table

    @asynccontextmanager
    async def changing(self, table: str) -> AsyncIterator[Live]:
        """A table that nobody else changes meanwhile."""
        while True:
            live = await self.wake(table)
            async with live.lock:
                if self.awake.get(table) is live:
                    yield live
                    return

    async def play(self, live: Live, decide: Callable[[], list[Entry]], *more: Change) -> None:
        """Decide, keep (with something more), tell. Called with the lock held."""
        table = live.table
        before, actor, early, wish = table.number, table.actor, table.early, table.wish
        try:
            entries = decide()
        except Refusal:
            raise
        except Exception:
            self._forget(live, TRY_AGAIN)
            raise
        if entries:
            table.charge(actor, self.settings.now())
        await self.keep(live, *more, *self._kept(table, before, entries, actor))
        telemetry.STEPS.labels(table.game.name).inc(len(entries))
        self._accept(live, entries)
        if early and actor is not None and not table.early:
            self.drop(live, actor, early[1])
        if wish and wish is not table.wish:
            self._end(live, wish)
        self.tell(live)

    def _accept(self, live: Live, entries: list[Entry]) -> None:
        """Tell who asked for something that it is kept."""
        for entry in entries:
            if entry.who is not None and entry.key is not None:
                number = live.table.keys[entry.who, entry.key]
                for connection in live.connections:
                    if connection.seat == entry.who:
                        connection.send(Accepted(key=entry.key, number=number))

    def drop(self, live: Live, seat: int, key: str) -> None:
        """Tell who answered before the time if something else came instead."""
        if (seat, key) not in live.table.keys:
            refusal = Refusal("stale", marked("the question was answered otherwise"))
            self._refuse(live, seat, key, refusal)

    def _end(self, live: Live, wish: Wish) -> None:
        """Tell who wanted to take something back if that is not done."""
        if (wish.seat, wish.key) in live.table.keys:
            return
        if wish.against is None:
            refusal = Refusal("stale", marked("something else came before everybody agreed"))
        else:
            name = live.table.places[wish.against].name
            refusal = Refusal("illegal", marked("{name} does not agree"), name=name)
        self._refuse(live, wish.seat, wish.key, refusal)

    def _refuse(self, live: Live, seat: int, key: str, refusal: Refusal) -> None:
        """Tell a seat, wherever it is connected, that something is not done after all."""
        for connection in live.connections:
            if connection.seat == seat:
                connection.refuse(refusal, key, live.table.number)

    def _kept(
        self, table: Table, before: int, entries: list[Entry], actor: int | None
    ) -> list[Change]:
        """What has to be written."""
        if not entries:
            return []
        made = [changes.append(table.id, before, entries)]
        if actor is not None and table.clock.game is not None:
            seconds = table.places[actor].seconds
            made.append(changes.update_seat(table.id, actor, seconds=seconds))
        return made

    async def keep(self, live: Live, *more: Change) -> None:
        """Write, with what is always written; forget the table if that fails."""
        table = live.table
        plan = table.plan()
        row = {
            "status": table.status,
            "code": table.row["code"] if table.status in ("open", "dealing") else None,
            "touched": self.settings.now(),
            "due": plan.at if plan and not live.rests else None,
        }
        try:
            with telemetry.WRITING.time():
                await self.store.write(*more, changes.update_table(table.id, **row))
        except Taken:
            self._forget(live, TRY_AGAIN)
            raise Refusal("stale", marked("the table has changed elsewhere; try again")) from None
        except Broken as error:
            self._forget(live, TRY_AGAIN)
            telemetry.stumbled("could not write", error)
            raise Refusal("stale", marked("this could not be kept; try again")) from None
        except asyncio.CancelledError:
            self._forget(live, TRY_AGAIN)  # it may be kept or not: the database knows
            raise
        live.changed.set()

    async def hand_over(self, live: Live, seat: int) -> None:
        """A bot plays on at a seat. Called with the lock held."""
        if live.table.status != "playing":
            raise Refusal("illegal", marked("there is nothing to play"))
        live.table.leave(seat)
        seconds = live.table.places[seat].seconds
        await self.keep(live, changes.update_seat(live.table.id, seat, away=True, seconds=seconds))
        self.tell_table(live)

    async def take_over(self, live: Live, seat: int) -> None:
        """The person plays again. Called with the lock held."""
        live.table.come_back(seat)
        await self.keep(live, changes.update_seat(live.table.id, seat, away=False))
        self.tell_table(live)

    async def chat(self, live: Live, said: Said) -> None:
        """Keep and tell a line of chat: what those say who watch is for those who watch."""
        await self.store.write(changes.say(live.table.id, said))
        live.said = [*live.said[1 - KEPT_CHAT :], said]
        for connection in live.connections:
            if connection.hears(said):
                connection.send(said)

    # Telling

    def shown(self, live: Live) -> Shown:
        """The table without the game."""
        live.look_round(self.settings.now())
        return showing.show_table(live.table, live.left, live.watching, self.settings.now())

    def tell(self, live: Live) -> None:
        """Send everybody what is new to them."""
        shown = self.shown(live)
        frames: dict[tuple[int | None, int, str], bytes] = {}
        for connection in live.connections:
            since = live.table.recent(connection.number)
            what = (connection.seat, since, connection.language)
            if what not in frames:
                frames[what] = self._frame(live, *what, shown)
            connection.send(frames[what])
            connection.number = live.table.number

    def _frame(
        self, live: Live, seat: int | None, since: int, language: str, shown: Shown
    ) -> bytes:
        table = live.table
        if table.match:
            return encode(showing.show_news(table, seat, since, language, shown))
        return encode(Changed(table=shown, windows=showing.show_windows(table, seat, language)))

    def tell_table(self, live: Live) -> None:
        """Send everybody the table, the game being as it was."""
        self._tell_others(live, None)

    def _tell_others(self, live: Live, but: Connection | None) -> None:
        shown = self.shown(live)
        for connection in live.connections - {but}:
            self._send_table(live, connection, shown)

    def send_table(self, live: Live, connection: Connection) -> None:
        """Send somebody the table as it is."""
        self._send_table(live, connection, self.shown(live))

    def _send_table(self, live: Live, connection: Connection, shown: Shown) -> None:
        windows = showing.show_windows(live.table, connection.seat, connection.language)
        connection.send(Changed(table=shown, windows=windows))

    def mute(self, live: Live, connection: Connection, seat: int | None, on: bool) -> None:
        """Send a connection no more, or again, what a seat says, and the table as an answer."""
        change = connection.muted.add if on else connection.muted.discard
        change(seat)
        self.send_table(live, connection)

    def greet(self, live: Live, connection: Connection, have: int | None) -> None:
        """Somebody has connected: what they missed. Called with the lock held."""
        table, seat, language = live.table, connection.seat, connection.language
        new_face = connection not in live.connections
        live.connections.add(connection)
        live.payer = live.payer or connection.address
        live.changed.set()  # bots that had nobody to play for go on
        if seat is not None:
            table.places[seat].votes.clear()
        shown = self.shown(live)
        windows = showing.show_windows(table, seat, language)
        chat = [said for said in live.said if connection.hears(said)]
        connection.send(
            Welcome(protocol=PROTOCOL, you=seat, table=shown, windows=windows, chat=chat)
        )
        if table.match:
            connection.send(self._frame(live, seat, table.recent(have), language, shown))
        connection.number = table.number
        if new_face:
            self._tell_others(live, connection)

    def part(self, live: Live, connection: Connection) -> None:
        """Somebody has gone."""
        live.connections.discard(connection)
        if self.awake.get(live.table.id) is live:
            self._tell_others(live, connection)
            live.changed.set()

    # What happens by itself

    async def _drive(self, live: Live) -> None:
        """Let bots and clocks act, as long as the table is awake."""
        while self.awake.get(live.table.id) is live:
            live.changed.clear()
            try:
                await self._follow(live, live.table.plan())
            except asyncio.CancelledError:
                raise
            except Exception as error:
                telemetry.stumbled("a table stumbled", error)
                self._forget(live, TRY_AGAIN)

    async def _follow(self, live: Live, plan: Plan | None) -> None:
        """Do what is planned at its time, unless something changes before."""
        table, number = live.table, live.table.number
        if live.rests:
            plan = None
        thought = self._begin_to_think(live) if plan and plan.do == "bot" else None
        try:
            wait = self.settings.idle if plan is None else plan.at - self.settings.now()
            if not await self._nothing_changes(live, min(wait, self.settings.idle)):
                return
            if plan is None or wait > self.settings.idle:
                await self._fall_asleep(live)
                return
            text = await thought if thought else plan.text
            async with live.lock:
                still = table.number == number and table.plan() == plan
                if still and self.awake.get(table.id) is live:
                    await self._carry_out(live, plan, text)
        finally:
            if thought:
                thought.cancel()

    async def _nothing_changes(self, live: Live, seconds: float) -> bool:
        try:
            await asyncio.wait_for(live.changed.wait(), max(0.0, seconds))
        except TimeoutError:
            return True
        return False

    async def _fall_asleep(self, live: Live) -> None:
        async with live.lock:
            if live.connections:
                return
            if live.rests and live.table.plan():  # nor does anything wake it for its bots
                await self.store.write(changes.update_table(live.table.id, due=None))
            self._forget(live, GONE_AWAY)

    def _begin_to_think(self, live: Live) -> asyncio.Future[str]:
        table = live.table
        assert table.match is not None
        assert table.actor is not None
        level = table.places[table.actor].level or DEFAULT
        return self.thinkers.think(table.match, table.actor, level, live.payer, table.id)

    async def _carry_out(self, live: Live, plan: Plan, text: str) -> None:
        """The time has come. Called with the lock held."""
        table = live.table
        seat = table.actor
        assert seat is not None
        if plan.do == "clock":
            await self.hand_over(live, seat)
        else:
            key = plan.key
            await self.play(live, lambda: table.act(seat, text, table.number, key, "en"))
