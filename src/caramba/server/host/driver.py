"""What happens by itself at a table that is awake: bots, standing answers, clocks."""

import asyncio
from contextlib import suppress
from functools import partial

from caramba.bots.levels import DEFAULT
from caramba.server import telemetry
from caramba.server.host import telling
from caramba.server.host.awake import Awake, Live
from caramba.server.host.connection import GONE_AWAY
from caramba.server.host.keeping import Keeper
from caramba.server.host.thinking import Thinkers
from caramba.server.settings import Settings
from caramba.server.store import changes
from caramba.server.store.changes import Change
from caramba.server.store.errors import Taken
from caramba.server.store.store import Store
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Plan

LOOK_AGAIN = 0.5
"""Seconds after which a bot that gets ready may be."""
BEAT, JUMP = 0.5, 2.0
"""Seconds between two looks at the time while a question is open; what is more than that by so
much was no time in which anybody could answer: the process stood still, or the machine slept.
"""


class Driver:
    """Follows the plans of tables."""

    def __init__(
        self, store: Store, awake: Awake, keeper: Keeper, thinkers: Thinkers, settings: Settings
    ) -> None:
        self.store, self.awake, self.keeper = store, awake, keeper
        self.thinkers, self.settings = thinkers, settings

    async def drive(self, live: Live) -> None:
        """Let bots and clocks act, as long as the table is awake."""
        while live.is_awake:
            live.changed.clear()
            live.plan = live.table.plan()
            try:
                await self._follow(live, live.plan)
            except asyncio.CancelledError:
                raise
            except Taken:  # another worker has the table by now
                await self.awake.put_away(live)
            except Refusal as refusal:
                if live.is_awake:
                    telemetry.stumbled("a table stumbled", refusal)
                    await self.awake.put_away(live)
            except Exception as error:
                telemetry.stumbled("a table stumbled", error)
                await self.awake.put_away(live)

    async def _follow(self, live: Live, plan: Plan | None) -> None:
        """Do what is planned at its time, unless something changes before."""
        table, number = live.table, live.table.number
        if live.rests:
            plan = None
        if await self._is_getting_ready(live, plan):
            return
        thought = self._begin_to_think(live) if plan and plan.do == "bot" else None
        try:
            wait = self.settings.idle if plan is None else plan.at - self.settings.now()
            if not await self._nothing_happens(live, plan, wait):
                return
            if plan is None or (wait > self.settings.idle and not plan.closes):
                await self._fall_asleep(live)
                return
            text = await thought if thought else plan.text
            async with live.lock:
                if live.is_awake and table.number == number and table.plan() == plan:
                    await self._carry_out(live, plan, text)
        finally:
            if thought:
                thought.cancel()

    async def _nothing_happens(self, live: Live, plan: Plan | None, wait: float) -> bool:
        """Wait, not too long before one may sleep; whether nothing has changed, nor time jumped.

        Nobody sleeps while a question is open that closes soon.
        """
        if plan is None or not plan.closes:
            return await _nothing_changes(live, min(wait, self.settings.idle))
        while wait > 0:
            beat, before = min(wait, BEAT), self.settings.now()
            if not await _nothing_changes(live, beat):
                return False
            if abs(self.settings.now() - before - beat) > JUMP:
                await self._open_anew(live)
                return False
            wait -= beat
        return not live.changed.is_set()

    async def _open_anew(self, live: Live) -> None:
        """Who is asked has the time for it anew."""
        async with live.lock:
            live.table.open_anew()
            telling.tell_table(live)

    async def _is_getting_ready(self, live: Live, plan: Plan | None) -> bool:
        """Whether a bot cannot act yet, or only just can: everybody is told so."""
        is_bots = plan is not None and plan.do == "bot"
        preparing = is_bots and not self.thinkers.can_play(live.table.game.name, _level(live))
        if preparing != live.preparing:
            live.preparing = preparing
            async with live.lock:
                telling.tell_table(live)
            return True  # meanwhile it may be somebody else's turn
        if preparing:
            await _nothing_changes(live, LOOK_AGAIN)
        return preparing

    async def _fall_asleep(self, live: Live) -> None:
        async with live.lock:
            if live.connections:
                return
            if live.rests and live.table.plan():  # nor does anything wake it for its bots
                rested = changes.update_table(live.table.id, due=None)
                await self.store.write(rested, hold=live.hold)
            self.awake.forget(live, GONE_AWAY)

    def _begin_to_think(self, live: Live) -> asyncio.Future[str]:
        table = live.table
        assert table.match is not None
        assert table.actor is not None
        return self.thinkers.think(table.match, table.actor, _level(live), live.payer, table.id)

    async def _carry_out(self, live: Live, plan: Plan, text: str) -> None:
        """The time has come. Called with the lock held."""
        table = live.table
        seat = table.actor
        assert seat is not None
        if plan.do == "clock":
            await self.keeper.hand_over(live, seat)
            return
        more: list[Change] = []
        if plan.do == "close" and seat in live.here:
            table.let_close(seat)
            more = [changes.update_seat(table.id, seat, ask=table.places[seat].ask)]
        act = partial(table.act, seat, text, table.number, plan.key, "en")
        await self.keeper.enact(live, act, *more)
        if more:
            telling.tell_table(live, live.of_seat(seat))


def _level(live: Live) -> str:
    """How well the bot plays whose turn it is."""
    assert live.table.actor is not None
    return live.table.places[live.table.actor].level or DEFAULT


async def _nothing_changes(live: Live, seconds: float) -> bool:
    if seconds > 0:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await live.changed.wait()
    return not live.changed.is_set()
