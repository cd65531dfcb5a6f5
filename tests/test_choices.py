"""What a choice is said to bring is what comes of it, and views tell what the rules decide."""

from random import Random

import pytest

from caramba.games.contract import CHANCE, SPECTATOR
from caramba.match.match import Match
from kit import random_match, random_step, short_match

STEPS = 400


def brought(game: str, players: int, seed: int) -> int:
    """Play a random game; how many of its steps were said to bring something."""
    match, random, found = short_match(game, players, seed), Random(seed), 0
    for _ in range(STEPS):
        if match.actor is None:
            break
        if match.actor == CHANCE:
            random_step(match, random)
            continue
        view, seat = match.view(match.actor), match.actor
        action = random.choice(view.legal)
        said = match.game.brings(view, action)
        match.play(action.text)
        found += bool(said)
        CHECKS[game](match, seat, view, action.form, said)
    return found


def check_bid(match: Match, seat: int, before, form, said) -> None:  # type: ignore[no-untyped-def]
    if form["do"] == "bid":
        lot = before.bands[seat].lots[form["good"]]
        (table,) = {
            table for _, event, table in match.told(seat, match.length - 1) if event.kind == "bid"
        }
        after = match.view_of(table, seat).bands[seat].lots[form["good"]]
        assert (after.total, after.total - lot.total) == (said["total"], said["value"])


def check_drop(match: Match, seat: int, before, form, said) -> None:  # type: ignore[no-untyped-def]
    if form["do"] == "drop":
        assert match.view(seat).players[seat].points == said["left"]
        ((_, event),) = match.events(seat, match.length - 1)
        sizes = {"single": 1, "pair": 2, "three": 3, "four": 4}
        assert sizes.get(said["kind"], event.facts["many"]) == event.facts["many"]
        assert event.facts["run"] == (said["kind"] == "run")


def check_race(match: Match, seat: int, before, form, said) -> None:  # type: ignore[no-untyped-def]
    if form["do"] == "dice":
        assert before.money[seat] - match.view(seat).money[seat] == said["silver"]
        assert said["silver"] == before.costs[form["dice"]]
    if "space" in form:
        assert said["zone"] in ("stone", "gravel", "earth")
        assert ("dice" in said) == (form["do"] == "ambush")


CHECKS = {"auction": check_bid, "cards": check_drop, "race": check_race}


@pytest.mark.parametrize("game", CHECKS)
def test_what_a_choice_brings_is_what_comes_of_it(game: str) -> None:
    assert sum(brought(game, 3, seed) for seed in range(4)) > 40


def test_who_leads_is_who_wins_when_the_bids_close() -> None:
    lots = 0
    for seed in range(8):
        match, random = short_match("auction", 3, seed), Random(seed)
        while match.actor is not None:
            before = match.view(SPECTATOR)
            random_step(match, random)
            told = list(match.told(SPECTATOR, match.length - 1))
            bids = [table for _, event, table in told if event.kind in ("bid", "pass")]
            if bids:
                before = match.view_of(bids[0], SPECTATOR)
            for _, event, _ in told:
                if event.kind in ("won", "tie", "unwanted"):
                    lead = before.leads[event.facts["good"]]
                    winners = event.facts.get("seats", [] if event.seat is None else [event.seat])
                    assert (lead.total, list(lead.seats)) == (event.facts.get("total", 0), winners)
                    lots += 1
    assert lots > 20


@pytest.mark.parametrize("game", CHECKS)
def test_places_put_winners_first(game: str) -> None:
    match = random_match(game, 3, 5)
    assert match.result
    places, points = match.view(0).places, match.result.points
    assert {seat for seat, place in enumerate(places) if place == 1} == set(match.result.winners)
    others = [seat for seat in range(3) if places[seat] > 1]
    better = 1 if match.game.few_points_win else -1
    ordered = sorted(others, key=lambda seat: places[seat])
    assert ordered == sorted(others, key=lambda seat: (better * points[seat], places[seat]))
    assert match.at(3).view(0).places == ()


def test_all_sombreros_stand_in_line_the_one_in_turn_first() -> None:
    random, match = Random(3), short_match("race", 3, 3)
    stages = set()
    while match.actor is not None and match.length < 600:
        random_step(match, random)
        view = match.view(SPECTATOR)
        placed = [
            n for n, hat in enumerate(view.hats) if hat.space or hat.arrival or n in view.order
        ]
        if view.phase not in ("first", "over"):
            assert sorted(runner.hat for runner in view.line) == placed
        if view.mover is not None:
            assert (view.line[0].hat, view.line[0].stage) == (view.mover, "now")
            assert view.due == view.hats[view.mover].rank
        stages |= {runner.stage for runner in view.line}
    assert stages == {"now", "next", "done", "mine"}
