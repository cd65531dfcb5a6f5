"""The socket of a table: one conversation, from `hello` to the end."""

import asyncio
import secrets
from collections import Counter
from contextlib import suppress
from functools import partial

from starlette.websockets import WebSocket, WebSocketDisconnect

from caramba.games.contract import marked
from caramba.server import telemetry
from caramba.server.crew.counting import Crowd
from caramba.server.crew.link import Away
from caramba.server.host import lobby, telling
from caramba.server.host.awake import Live
from caramba.server.host.connection import POLICY, TOO_SLOW, TRY_AGAIN, Connection
from caramba.server.host.host import Host
from caramba.server.http.connections import SOCKET
from caramba.server.http.security import (
    Limits,
    Payer,
    address_of,
    check_host,
    check_origin,
    payer,
    seat_of,
)
from caramba.server.store import changes
from caramba.server.store.errors import Broken
from caramba.server.tables import absence, showing
from caramba.server.tables.refusal import NotNow, Refusal
from caramba.server.tables.taking_back import consent, take_back
from caramba.wire import (
    MAX_FRAME,
    PROTOCOL,
    Accepted,
    Act,
    Asked,
    BadMessage,
    Consent,
    Hello,
    Leave,
    Mute,
    Ping,
    Pong,
    Promise,
    Return,
    Reveal,
    Said,
    Say,
    Standing,
    TakeBack,
    Vote,
    Wanted,
    decode,
    key_of,
)


class Conversation:
    """One socket, and what is said on it."""

    def __init__(self, host: Host, limits: Limits, socket: WebSocket, table: str) -> None:
        self.host, self.limits, self.socket, self.table = host, limits, socket, table
        self.name = secrets.token_hex(8)
        self.connection: Connection | None = None
        self.live: Live | None = None

    async def run(self) -> None:
        """From the first message to the last."""
        await self.socket.accept()
        outgoing = Connection(self.socket.scope[SOCKET], None, "en", address_of(self.socket))
        try:
            await self._listen(outgoing)
        except WebSocketDisconnect:
            pass
        finally:
            self.limits.forget(self.limits.messages, self.name)
            if self.live and self.connection:
                async with self.live.lock:  # nobody is shown what is not kept
                    telling.part(self.live, self.connection)

    async def _listen(self, outgoing: Connection) -> None:
        while True:
            wait = self.host.settings.hello if self.connection is None else None
            try:
                frame = await asyncio.wait_for(self._receive(), wait)
            except TimeoutError:
                outgoing.close(TOO_SLOW)  # their line may be slow: they may well come back
                continue  # until the socket is closed
            await self._answer(frame, outgoing)

    async def _receive(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1000)
        text: str | None = message.get("text")
        return message["bytes"] if text is None else text

    async def _answer(self, frame: str | bytes, outgoing: Connection) -> None:
        """Do what a message says; whatever it is gets an answer, with its key if it has one."""
        try:
            self.limits.count(self.limits.messages, self.name)
            await self.limits.check(self.limits.all_messages, address_of(self.socket))
            await self.host.turns.wait()
            if isinstance(frame, bytes):
                raise Refusal("invalid", marked("a message is text, not bytes"))
            if len(frame.encode()) > MAX_FRAME:
                message = marked("a message has at most {many} bytes")
                raise Refusal("too_large", message, many=MAX_FRAME)
            await self._obey(decode(frame), outgoing)
        except BadMessage as error:
            self._refuse(outgoing, Refusal("invalid", str(error)), frame)
        except NotNow:
            outgoing.close(TRY_AGAIN)
        except Broken as error:
            telemetry.stumbled("a message failed", error)
            outgoing.close(TRY_AGAIN)
        except Refusal as error:
            self._refuse(outgoing, error, frame)
            if error.code == "too_fast" and not outgoing.line.is_gone:  # let them calm down
                await asyncio.sleep(self.host.settings.calm)
        except Exception as error:
            telemetry.stumbled("a message failed", error)
            failed = Refusal("invalid", marked("this did not work; try again"))
            self._refuse(outgoing, failed, frame)

    def _refuse(self, outgoing: Connection, refusal: Refusal, frame: str | bytes) -> None:
        outgoing.refuse(refusal, key_of(frame), self.live.table.number if self.live else None)

    async def _obey(self, asked: Asked, outgoing: Connection) -> None:
        match asked:
            case Ping():
                outgoing.send(Pong())
            case Hello():
                await self._hello(asked, outgoing)
            case _ if self.connection is None:
                raise Refusal("protocol", marked("say hello first"))
            case _:
                async with self.host.awake.changing(self.table) as live:
                    await self._grant(live, self.connection, asked)

    # Whoever is here

    async def _hello(self, hello: Hello, outgoing: Connection) -> None:
        outgoing.language = showing.spoken(hello.language)
        if hello.protocol != PROTOCOL:
            message = marked("this server speaks protocol {protocol}; load the page anew")
            raise Refusal("protocol", message, protocol=PROTOCOL)
        await self.host.awake.wake(self.table)
        who = payer(self.socket, self.host.awake)
        await self.limits.check(self.limits.hellos, *map(str, who))
        async with self.host.awake.changing(self.table) as live:
            # Nothing is waited for in here: who comes is there when the table is put away.
            seat = seat_of(live.table, self.socket)
            if seat is None and "authorization" in self.socket.headers:
                raise Refusal("forbidden", marked("this token is of no seat at this table"))
            if seat is None and not live.table.kept.watch:
                raise Refusal("forbidden", marked("nobody may watch at this table"))
            outgoing.seat = seat
            self.live, self.connection = live, outgoing
            telling.greet(live, outgoing, hello.have)

    # Whoever wants something

    async def _grant(self, live: Live, connection: Connection, asked: Wanted) -> None:
        """Do it, once for each key, and say so."""
        seat = connection.seat
        if seat is None and not isinstance(asked, Say | Mute):
            raise Refusal("forbidden", marked("you only watch"))
        if live is not self.live:
            raise NotNow  # the table was read anew: they come back to it
        if isinstance(asked, Act | TakeBack):
            assert seat is not None
            await self._play(live, connection, seat, asked)
            return  # it is answered when it is kept
        if asked.key not in connection.done:
            await self._do(live, connection, asked)
        connection.send(Accepted(key=asked.key, number=live.table.number))

    async def _do(self, live: Live, connection: Connection, asked: Wanted) -> None:
        match asked:
            case Mute():  # as long as one is connected, so it is done anew when one comes back
                change = connection.muted.add if asked.on else connection.muted.discard
                change(asked.seat)
                return
            case Say():
                await self._say(live, connection.seat, asked)
            case _:
                assert connection.seat is not None
                await self._at_my_seat(live, connection.seat, asked)
        connection.done.append(asked.key)

    async def _say(self, live: Live, seat: int | None, asked: Say) -> None:
        """A line of chat, once, also if it comes again on another socket."""
        line = (asked.key, asked.text)
        if seat is None and line in live.overheard:
            return
        await self._chat(live, seat, asked.text)
        if seat is None:
            live.overheard.append(line)

    async def _chat(self, live: Live, seat: int | None, text: str) -> None:
        if not live.table.kept.chat:
            raise Refusal("forbidden", marked("there is no chat at this table"))
        self.limits.count(self.limits.chat, address_of(self.socket), self.table, str(seat))
        text = " ".join(text.split())
        if not text or not text.isprintable():
            raise Refusal(
                "invalid", marked("a line of chat has words in it, and nothing invisible")
            )
        name = "" if seat is None else live.table.places[seat].name
        said = Said(seat=seat, name=name, text=text, at=round(self.host.settings.now(), 1))
        await self.host.keeper.chat(live, said)

    # At a seat

    async def _at_my_seat(self, live: Live, seat: int, asked: Wanted) -> None:
        match asked:
            case Consent():
                decide = partial(consent, live.table, seat, asked.wish, asked.yes)
                await self.host.keeper.enact(live, decide)
            case Standing():
                await self._stand(live, seat, asked.ask)
            case Vote():
                await self._vote(live, seat, asked)
            case Promise() | Reveal():
                await lobby.mix(self.host, live, seat, asked)
            case Leave() if not live.table.places[seat].away:
                await self.host.keeper.hand_over(live, seat)
            case Return() if live.table.places[seat].away:
                await self.host.keeper.take_over(live, seat)

    async def _play(
        self, live: Live, connection: Connection, seat: int, asked: Act | TakeBack
    ) -> None:
        """A step, or taking one back: the log knows their keys."""
        table = live.table
        if (seat, asked.key) in table.log.keys:
            connection.send(Accepted(key=asked.key, number=table.log.keys[seat, asked.key]))
        elif isinstance(asked, TakeBack):
            wish = (seat, asked.number, asked.key, live.here)
            await self.host.keeper.enact(live, partial(take_back, table, *wish))
        elif table.places[seat].away:
            raise Refusal("illegal", marked("a bot plays for you; take your seat back first"))
        elif table.is_early(seat, asked.action, asked.number):
            before, table.early = table.early, (asked.action, asked.key)
            if before and before[1] != asked.key:
                telling.drop(live, seat, before[1])
            live.changed.set()
        else:
            step = (seat, asked.action, asked.number, asked.key, connection.language)
            await self.host.keeper.enact(live, partial(table.act, *step))

    async def _stand(self, live: Live, seat: int, ask: dict[str, bool]) -> None:
        known = {window.phase for window in live.table.game.windows}
        if unknown := ask.keys() - known:
            message = marked("there is no question {name}; there are: {known}")
            named = {"name": repr(min(unknown)), "known": ", ".join(sorted(known)) or "-"}
            raise Refusal("invalid", message, **named)
        place, closed = live.table.places[seat], live.table.closes_at
        if all(place.ask.get(name) == wanted for name, wanted in ask.items()):
            return  # nobody need hear of it
        place.ask = {**place.ask, **ask}
        await self.host.keeper.keep(live, changes.update_seat(live.table.id, seat, ask=place.ask))
        waits = live.table.closes_at != closed  # for longer, which all can see
        telling.tell_table(live, None if waits else live.of_seat(seat))

    async def _vote(self, live: Live, seat: int, vote: Vote) -> None:
        live.look_round()
        before = [place.votes.copy() for place in live.table.places]
        if absence.vote(live.table, seat, vote.seat, vote.yes, live.left):
            await self.host.keeper.hand_over(live, vote.seat)
        elif before != [place.votes for place in live.table.places]:
            telling.tell_table(live)


class Reception:
    """Lets sockets in: not from other sites, and not too many of one seat or address."""

    def __init__(self, host: Host, limits: Limits) -> None:
        self.host, self.limits = host, limits
        self.crowd = Crowd(host.crew) if host.crew else None
        self.inside: dict[WebSocket, Payer] = {}
        self.open: Counter[Payer] = Counter()

    async def enter(self, socket: WebSocket, table: str) -> None:
        """A conversation, if it may be."""
        try:
            await self._let_in(socket)
        except Refusal as refusal:
            await socket.accept()
            await turn_away(socket, refusal)
            return
        telemetry.CONNECTIONS.inc()
        try:
            await Conversation(self.host, self.limits, socket, table).run()
        finally:
            telemetry.CONNECTIONS.dec()
            self._charge(socket, None)

    async def _let_in(self, socket: WebSocket) -> None:
        check_host(socket, self.host.settings)
        check_origin(socket, self.host.settings)
        who = payer(socket, self.host.awake)
        await self.limits.charge(who, address_of(socket))
        if self._full(who):
            self._charge_anew(who)
        self._charge(socket, who)
        if self.open[who] > self._most(who) or not await self._may_enter(who):
            self._charge(socket, None)
            at_seat = marked("too many connections at your seat")
            at_all = marked("too many connections from your address")
            raise Refusal("too_fast", at_seat if who.is_seat else at_all)

    def _most(self, who: Payer) -> int:
        settings = self.host.settings
        return settings.seat_connections if who.is_seat else settings.connections

    def _full(self, who: Payer) -> bool:
        return self.open[who] >= self._most(who)

    async def _may_enter(self, who: Payer) -> bool:
        """Whether there are not too many of an address at all workers; a seat is at one of them."""
        if self.crowd is None or who.is_seat:
            return True
        with suppress(Away):
            return await self.crowd.may_enter(who.address, self.open[who], self._most(who))
        return True

    def _charge_anew(self, who: Payer) -> None:
        """Seats that came while their table slept pay for themselves now."""
        for socket in [socket for socket, before in self.inside.items() if before == who]:
            self._charge(socket, payer(socket, self.host.awake))

    def _charge(self, socket: WebSocket, who: Payer | None) -> None:
        """From now on this one pays for a socket; nobody, if it is gone."""
        if before := self.inside.pop(socket, None):
            self.open[before] -= 1
            if self.crowd and not before.is_seat:
                self.crowd.note(before.address, self.open[before])
            if not self.open[before]:
                del self.open[before]
        if who:
            self.inside[socket] = who
            self.open[who] += 1


async def turn_away(socket: WebSocket, refusal: Refusal) -> None:
    """Say why there is no conversation, and end it."""
    Connection(socket.scope[SOCKET], None, "en").refuse(refusal)
    await socket.close(
        TOO_SLOW if refusal.code == "too_fast" else POLICY
    )  # there may be room later
