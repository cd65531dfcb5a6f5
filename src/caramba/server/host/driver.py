"""What happens by itself at a table that is awake: bots, standing answers, clocks."""

import asyncio

from caramba.bots.levels import DEFAULT
from caramba.server import telemetry
from caramba.server.host.awake import Awake, Live
from caramba.server.host.connection import GONE_AWAY, TRY_AGAIN
from caramba.server.host.keeping import Keeper
from caramba.server.host.thinking import Thinkers
from caramba.server.settings import Settings
from caramba.server.store import changes
from caramba.server.store.store import Store
from caramba.server.tables.table import Plan


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
            try:
                await self._follow(live, live.table.plan())
            except asyncio.CancelledError:
                raise
            except Exception as error:
                telemetry.stumbled("a table stumbled", error)
                self.awake.forget(live, TRY_AGAIN)

    async def _follow(self, live: Live, plan: Plan | None) -> None:
        """Do what is planned at its time, unless something changes before."""
        table, number = live.table, live.table.number
        if live.rests:
            plan = None
        thought = self._begin_to_think(live) if plan and plan.do == "bot" else None
        try:
            wait = self.settings.idle if plan is None else plan.at - self.settings.now()
            if not await _nothing_changes(live, min(wait, self.settings.idle)):
                return
            if plan is None or wait > self.settings.idle:
                await self._fall_asleep(live)
                return
            text = await thought if thought else plan.text
            async with live.lock:
                if live.is_awake and table.number == number and table.plan() == plan:
                    await self._carry_out(live, plan, text)
        finally:
            if thought:
                thought.cancel()

    async def _fall_asleep(self, live: Live) -> None:
        async with live.lock:
            if live.connections:
                return
            if live.rests and live.table.plan():  # nor does anything wake it for its bots
                await self.store.write(changes.update_table(live.table.id, due=None))
            self.awake.forget(live, GONE_AWAY)

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
            await self.keeper.hand_over(live, seat)
        else:
            key = plan.key
            await self.keeper.play(live, lambda: table.act(seat, text, table.number, key, "en"))


async def _nothing_changes(live: Live, seconds: float) -> bool:
    try:
        await asyncio.wait_for(live.changed.wait(), max(0.0, seconds))
    except TimeoutError:
        return True
    return False
