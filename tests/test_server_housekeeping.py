"""Games that are over: kept for ever, or for some days, and written to a file before they go."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from click.testing import CliRunner

from caramba.cli.serve import serve
from caramba.match.verify import verify
from caramba.server.host import sweeping
from caramba.server.store import schema
from kit import random_match
from server_kit import Running, keep, play_on, serving, token_of
from test_server_operations import until
from test_server_starting import told

CARDS = {"first": 0, "max_deals": 1, "max_laps": 3}
DAY = 86400.0
QUICK: dict[str, Any] = {"idle": 0.05, "sweep": 0.02, "pause": 1e9}


def left(server: Running) -> set[str]:
    """The tables that are still there."""
    return {row["id"] for row in server.rows(sql.select(schema.tables.c.id))}


def clock(at: float = 1000 * DAY) -> tuple[list[float], Callable[[], float]]:
    """A time that a test can move."""
    now = [at]
    return now, lambda: now[0]


def test_a_game_that_is_over_is_removed_after_its_days(place: str) -> None:
    now, told_time = clock()
    with serving(place, now=told_time, keep_finished=30, **QUICK) as server:
        over, tokens = server.full("cards", 2, options=CARDS)
        players = server.all_players(over, tokens)
        players[0].ask(type="say", text="Well played")
        play_on(players)
        going_on, _ = server.full("cards", 2, options=CARDS)
        for player in players:
            player.close()
        now[0] += 29 * DAY
        until(lambda: not server.host.awake.tables)
        server.call(sweep(server))
        assert left(server) == {over, going_on}
        now[0] += 2 * DAY
        until(lambda: left(server) == {going_on})
        assert not server.log(over)
        assert not server.rows(sql.select(schema.chat))
        assert server.get(f"/api/tables/{over}").status_code == 404


async def sweep(server: Running) -> None:
    """One look at the games that are over."""
    settings = server.host.settings
    sweeper = sweeping.Sweeper(server.host.store, server.host.awake, settings)
    await sweeper._remove_finished()


def test_unless_told_so_nothing_is_ever_removed(tmp_path: Path) -> None:
    match = random_match("cards", 2, 1, 12)
    keep(tmp_path, {"t": match}, status="over", touched=0.0)
    with serving(tmp_path, **QUICK) as server:
        server.call(sweep(server))
        assert left(server) == {"t"}


def test_a_closed_game_is_kept_as_long_as_others(tmp_path: Path) -> None:
    """From when it was closed, which is long after it was touched."""
    now, told_time = clock()
    keep(tmp_path, {"t": random_match("cards", 2, 1, 12)}, touched=now[0] - 100 * DAY)
    with serving(tmp_path, now=told_time, keep_finished=30, **QUICK) as server:
        until(lambda: server.table_row("t")["status"] == "over")
        server.call(sweep(server))
        assert left(server) == {"t"}
        now[0] += 31 * DAY
        until(lambda: not left(server))


def test_it_is_written_to_a_file_before(place: str, tmp_path: Path) -> None:
    now, told_time = clock()
    folder = tmp_path / "finished" / "games"
    more = {"now": told_time, "keep_finished": 1, "export_finished": folder, **QUICK}
    with serving(place, **more) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        players = server.all_players(table, tokens)
        play_on(players)
        content = server.get(f"/api/tables/{table}/saved").content
        for player in players:
            player.close()
        until(lambda: not server.host.awake.tables)
        assert not folder.exists()
        now[0] += 2 * DAY
        until(lambda: not left(server))
    (file,) = folder.iterdir()
    assert (file.name, file.read_bytes()) == (f"caramba-cards-{table}.jsonl", content)
    assert verify(file).good


def test_what_cannot_be_written_stays_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "FEW", 1)
    match = random_match("cards", 2, 1, 12)
    keep(tmp_path, {"a": match, "c": match}, status="over", touched=0.0, rules=0)
    keep(tmp_path, {"b": match, "d": match}, status="over", touched=0.0)
    more = {"keep_finished": 1, "export_finished": tmp_path / "games", **QUICK}
    with serving(tmp_path, **more) as server:
        until(lambda: left(server) == {"a", "c"})
        assert server.get("/readyz").status_code == 200
    assert len(list((tmp_path / "games").iterdir())) == 2


def test_nothing_is_removed_while_its_folder_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("a file")
    keep(tmp_path, {"t": random_match("cards", 2, 1, 12)}, status="over", touched=0.0)
    more = {"keep_finished": 1, "export_finished": tmp_path / "games", **QUICK}
    with serving(tmp_path, **more) as server:
        server.call(sweep(server))
        assert left(server) == {"t"}


def test_who_looks_at_a_game_keeps_it(tmp_path: Path) -> None:
    now, told_time = clock()
    keep(tmp_path, {"t": random_match("cards", 2, 1, 12)}, status="over", touched=now[0])
    with serving(tmp_path, now=told_time, keep_finished=1, **QUICK) as server:
        server.player("t", token_of(0)).hear("news")
        now[0] += 2 * DAY
        server.call(sweep(server))
        assert left(server) == {"t"}


def test_who_comes_while_others_are_removed_keeps_the_table(tmp_path: Path) -> None:
    match = random_match("cards", 2, 1, 12)
    keep(tmp_path, {"a": match, "b": match}, status="over", touched=0.0)
    with serving(tmp_path, keep_finished=1, **QUICK | {"sweep": 1e9, "idle": 1e9}) as server:
        store, awake = server.host.store, server.host.awake
        sweeper = sweeping.Sweeper(store, awake, server.host.settings)

        async def remove_both() -> None:
            chore = sweeper._asleep(store.finished, DAY)
            assert await anext(chore) == "a"
            await awake.wake("b")
            assert [table async for table in chore] == []

        server.call(remove_both())


def test_days_and_folder_are_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    options = ["--keep-finished", "30.5", "--export-finished", str(tmp_path)]
    settings = told(monkeypatch, *options)
    assert (settings.keep_finished, settings.export_finished) == (30.5, tmp_path)
    assert told(monkeypatch).keep_finished is None


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--export-finished", "games"], "--export-finished is for --keep-finished"),
        (["--keep-finished", "nan"], "must be a number"),
        (["--keep-finished", "-1"], "-1"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: list[str], reason: str) -> None:
    answer = CliRunner().invoke(serve, options)
    assert answer.exit_code == 2
    assert reason in answer.output
