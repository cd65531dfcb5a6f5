"""Decide, keep, tell: the one way in which anything changes at a table.

The table's lock is held meanwhile, so nobody is shown what is not kept. If keeping fails, the
table is forgotten and read again.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from caramba.games.contract import marked
from caramba.server import telemetry
from caramba.server.host import telling
from caramba.server.host.awake import Awake, Live
from caramba.server.host.connection import TRY_AGAIN
from caramba.server.store import changes
from caramba.server.store.changes import Change
from caramba.server.store.errors import Broken, Taken
from caramba.server.store.store import KEPT_CHAT, Store
from caramba.server.tables import absence, showing
from caramba.server.tables.kept import Entry
from caramba.server.tables.refusal import NotNow, Refusal
from caramba.server.tables.table import Plan, Table
from caramba.wire import Said

MOMENT = 10.0
"""Seconds in which a table need not be touched again."""


class Keeper:
    """Keeps what was decided, and then tells it. All of it is called with the lock held."""

    def __init__(self, store: Store, awake: Awake) -> None:
        self.store, self.awake = store, awake

    async def enact(self, live: Live, decide: Callable[[], list[Entry]], *more: Change) -> None:
        """Decide, keep (with something more), tell. What changed nothing is told to nobody."""
        table = live.table
        asking = showing.show_undo(table)
        before, actor, early, wish = table.number, table.actor, table.early, table.wish
        entries = self._decided(live, decide)
        if entries:
            table.charge(actor, table.settings.now())
            more = (*more, *_kept(table, before, entries, actor))
        await self.keep(live, *more)
        telemetry.STEPS.labels(table.game.name).inc(len(entries))
        telling.accept(live, entries)
        if early and actor is not None and not table.early:
            telling.drop(live, actor, early[1])
        if wish and wish is not table.wish:
            telling.end_wish(live, wish)
        if entries or asking != showing.show_undo(table):
            telling.tell(live)

    def _decided(self, live: Live, decide: Callable[[], list[Entry]]) -> list[Entry]:
        try:
            return decide()
        except Refusal:
            raise
        except Exception:
            self.awake.forget(live, TRY_AGAIN)
            raise

    async def keep(self, live: Live, *more: Change) -> None:
        """Write, with how the table stands; forget it if that fails."""
        plan = live.table.plan()
        stands = _stands(live, plan)
        if stands:
            more = (*more, changes.update_table(live.table.id, **stands))
        try:
            with telemetry.WRITING.time():
                await self.store.write(*more, hold=live.hold)
        except Taken:
            self.awake.forget(live, TRY_AGAIN)
            raise Refusal("stale", marked("the table has changed elsewhere; try again")) from None
        except Broken as error:
            self.awake.forget(live, TRY_AGAIN)
            telemetry.stumbled("could not write", error)
            raise Refusal("stale", marked("this could not be kept; try again")) from None
        except asyncio.CancelledError:
            self.awake.forget(live, TRY_AGAIN)  # it may be kept or not: the database knows
            raise
        for name, value in stands.items():
            setattr(live.table.kept, name, value)
        if plan != live.plan:
            live.changed.set()

    async def hand_over(self, live: Live, seat: int) -> None:
        """A bot plays on at a seat."""
        if live.table.status != "playing":
            raise Refusal("illegal", marked("there is nothing to play"))
        absence.leave(live.table, seat)
        seconds = live.table.places[seat].seconds
        await self.keep(live, changes.update_seat(live.table.id, seat, away=True, seconds=seconds))
        telling.tell_table(live)

    async def take_over(self, live: Live, seat: int) -> None:
        """The person plays again."""
        absence.come_back(live.table, seat)
        await self.keep(live, changes.update_seat(live.table.id, seat, away=False))
        telling.tell_table(live)

    async def chat(self, live: Live, said: Said) -> None:
        """A line of chat: what those say who watch is for those who watch. Needs no lock."""
        try:
            await self.store.write(changes.chat_line(live.table.id, said), hold=live.hold)
        except Taken:
            self.awake.forget(live, TRY_AGAIN)
            raise NotNow from None
        live.said = [*live.said[1 - KEPT_CHAT :], said]
        telling.tell_chat(live, said)


def _kept(table: Table, before: int, entries: list[Entry], actor: int | None) -> list[Change]:
    """What has to be written of a step."""
    made = [changes.append(table.id, before, entries)]
    if actor is not None and table.clock.game is not None:
        made.append(changes.update_seat(table.id, actor, seconds=table.places[actor].seconds))
    return made


def _stands(live: Live, plan: Plan | None) -> dict[str, Any]:
    """What is to be written of the table itself; nothing, if that was written a moment ago."""
    table, kept = live.table, live.table.kept
    now = table.settings.now()
    code = kept.code if table.status in ("open", "dealing") else None
    due = plan.at if plan and not live.rests else None
    fresh = now - kept.touched < MOMENT
    if fresh and (table.status, code, due) == (kept.status, kept.code, kept.due):
        return {}
    return {"status": table.status, "code": code, "due": due, "touched": now}
