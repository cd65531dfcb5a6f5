"""The way to Redis: asked in whole scripts, given up soon, and found again by itself."""

import asyncio
from collections.abc import Sequence
from typing import Any

from caramba.games.errors import CarambaError, InvalidSetup
from caramba.server import telemetry
from caramba.server.crew import scripts

PATIENCE = 1.0
"""Seconds for an answer."""
AT_ONCE = 16
"""Questions that are under way at a time, beside the heartbeat; others wait for their turn."""


def check_redis(url: str) -> None:
    """Raise if a Redis cannot be used; what is said holds no password."""
    link = Link(url)
    try:
        asyncio.run(link.try_out())
    except Exception as error:
        why = str(error) or type(error).__name__
        raise InvalidSetup(f"cannot use that Redis: {why.splitlines()[0][:200]}") from None


class Away(CarambaError):
    """Redis does not answer."""


class Link:
    """A Redis that may go and come back at any time.

    While it is away nobody waits for it: only the heartbeat of the worker tries again.
    """

    def __init__(self, url: str) -> None:
        try:
            from redis import asyncio as redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ImportError:
            needs = "it needs redis: pip install 'caramba[scale]' brings it"
            raise InvalidSetup(f"cannot use Redis: {needs}") from None
        try:
            pool = redis.BlockingConnectionPool.from_url(
                url,
                max_connections=AT_ONCE + 1,
                timeout=PATIENCE,
                decode_responses=True,
                encoding_errors="surrogateescape",  # what others wrote need not be text
                socket_timeout=PATIENCE,
                socket_connect_timeout=PATIENCE,
                retry=Retry(NoBackoff(), 1),  # a connection of before it was started anew
            )
            self._redis = redis.Redis.from_pool(pool)
        except ValueError:  # which may name the password
            example = "redis://127.0.0.1:6379/0"
            raise InvalidSetup(f"cannot use that Redis: a URL is such as {example}") from None
        self._scripts: dict[str, Any] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)
        self.is_here = True
        """Whether it answered of late, as far as is known."""
        self._closed = False

    async def do(
        self, script: str, keys: Sequence[str], *given: str | float, trying: bool = False
    ) -> Any:
        """Run a script, whole, when it is its turn; raise Away if that cannot be done."""
        if trying:
            return await self._run(script, keys, given)
        async with self._turns:  # who waits for it waits for us: that says nothing about Redis
            if not self.is_here:
                raise Away("Redis does not answer")
            return await self._run(script, keys, given)

    async def _run(self, script: str, keys: Sequence[str], given: Sequence[str | float]) -> Any:
        if self._closed:
            raise Away("Redis does not answer")
        if script not in self._scripts:
            self._scripts[script] = self._redis.register_script(scripts.FRAME % script)
        try:
            async with asyncio.timeout(2 * PATIENCE):
                removed, *answer = await self._scripts[script](keys=keys, args=given)
        except Exception as error:  # of Redis, of the way there, or of time
            self._note(False, type(error).__name__)
            raise Away("Redis does not answer") from None
        self._note(True)
        for key in removed:
            telemetry.log.warning("a key in Redis was of another kind and is removed", key=key)
        return answer[0] if answer else None

    async def try_out(self) -> None:
        """Raise whatever is wrong."""
        try:
            await self._redis.ping()
        finally:
            await self.close()

    def _note(self, is_here: bool, why: str = "") -> None:
        if is_here != self.is_here:
            say = telemetry.log.info if is_here else telemetry.log.warning
            say(
                "Redis is back" if is_here else "Redis does not answer",
                **{"why": why} if why else {},
            )
        self.is_here = is_here
        telemetry.REDIS.set(is_here)

    async def close(self) -> None:
        """Let go: nothing is asked any more."""
        self._closed = True
        await self._redis.aclose()
