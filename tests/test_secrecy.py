"""Nobody can learn what the rules hide: two worlds that a seat cannot tell apart give it
the same bytes, whatever it looks at and whatever it tries.
"""

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caramba.games import bags, chance, contract, names
from caramba.games.compiled import IS_COMPILED
from caramba.games.contract import SPECTATOR, Event
from caramba.games.errors import CarambaError
from caramba.match.match import Match
from facts import SECRETIVE, facts
from kit import (
    other_world,
    random_match,
    random_step,
    short_match,
)
from test_contract import TABLES, every_table, lengths, seeds


def seen_by(match: Match, seat: int) -> bytes:
    """Everything that a seat can get now."""
    told = [event for _, event in match.events(seat)]
    return msgspec.json.encode(
        {
            "view": match.view(seat),
            "table": match.game.describe(match.view(seat), match.names, match.words),
            "legal": match.legal() if match.actor == seat else None,
            "events": told,
            "words": [match.game.tell(event, match.names, match.words) for event in told],
            "observation": match.observation(seat).tolist(),
            "refusals": refusals(match, seat),
        }
    )


def refusals(match: Match, seat: int) -> list[str]:
    """What a seat is told if it tries every action there is, in turn or not."""
    allowed = match.legal() if match.actor == seat else []
    tried = facts(match.game.name).tries(match)
    return [refusal(match, seat, text) for text in tried if text not in allowed]


def refusal(match: Match, seat: int, text: str) -> str:
    with pytest.raises(CarambaError) as refused:
        match.play(text, seat if seat != SPECTATOR else 99)
    return str(refused.value)


@every_table
@given(seed=seeds, steps=lengths)
def test_a_seat_sees_the_same_in_every_world_it_cannot_tell_apart(
    name: str, players: int, seed: int, steps: int
) -> None:
    match = random_match(name, players, seed, steps)
    rng = chance.streams(seed, 1)[0]
    for seat in (*range(players), SPECTATOR):
        assert seen_by(other_world(match, seat, rng), seat) == seen_by(match, seat)


@pytest.mark.parametrize(
    ("name", "players"), [table for table in TABLES if facts(table[0]).hidden_after]
)
def test_the_other_worlds_do_vary(name: str, players: int) -> None:
    match = random_match(name, players, seed=2, steps=facts(name).hidden_after or 0)
    rng = chance.streams(1, 1)[0]
    for seat in (*range(players), SPECTATOR):
        worlds = {other_world(match, seat, rng).state.tobytes() for _ in range(40)}
        assert len(worlds) > 2


@pytest.mark.parametrize("name", sorted(set(names()) - set(SECRETIVE)))
def test_a_game_without_secrets_hides_nothing(name: str) -> None:
    match = random_match(name, 4, seed=2, steps=60)
    rng = chance.streams(1, 1)[0]
    for seat in (*range(4), SPECTATOR):
        assert other_world(match, seat, rng).state.tobytes() == match.state.tobytes()
    assert contract.UNKNOWN not in str(match.view(SPECTATOR))


@every_table
@settings(max_examples=6 if IS_COMPILED else 1)
@given(seed=seeds)
def test_what_a_seat_is_told_all_along_does_not_depend_on_what_it_cannot_know(
    name: str, players: int, seed: int
) -> None:
    """Two worlds side by side through a whole game, the other redrawn at every step."""
    match, random, rng = short_match(name, players, seed), Random(seed), chance.streams(1, 1)
    seat = random.randrange(players)
    while match.actor is not None:
        other = other_world(match, seat, rng[0])
        since = len(match.steps)
        random_step(match, random)
        step = twin_step(match, other, seat)
        if step is not None and step not in facts(name).revealing:
            other.play(step)
            if match.actor is not None:  # the end may turn up what was hidden
                assert told_since(other, seat, since) == told_since(match, seat, since)
                assert looks_like(other, seat) == looks_like(match, seat)


def twin_step(match: Match, other: Match, seat: int) -> str | None:
    """A step of the other world that looks to the seat like the last one here, if any."""
    here = first_told(match, seat, len(match.steps) - 1)
    last = match.steps[-1][1]
    for text in sorted(other.legal() or other.chances(), key=lambda text: text != last):
        trial = other.copy()
        trial.play(text)
        if first_told(trial, seat, len(other.steps)) == here:
            return text
    return None


def first_told(match: Match, seat: int, since: int) -> Event | None:
    return next((event for _, event in match.events(seat, since)), None)


def told_since(match: Match, seat: int, since: int) -> bytes:
    """Each thing that was told, and the table right after it."""
    told = match.told(seat, since)
    return msgspec.json.encode([(event, match.view_of(state, seat)) for _, event, state in told])


def looks_like(match: Match, seat: int) -> bytes:
    return msgspec.json.encode([match.view(seat), match.observation(seat).tolist()])


@every_table
@given(seed=seeds, steps=lengths)
def test_a_world_redrawn_is_a_world_of_the_rules(
    name: str, players: int, seed: int, steps: int
) -> None:
    match = random_match(name, players, seed, steps)
    other = other_world(match, seed % players, chance.streams(seed, 1)[0])
    random = Random(seed)
    for _ in range(30):
        if other.actor is not None:
            random_step(other, random)


@given(seed=seeds, steps=st.integers(20, 700))
def test_other_worlds_of_the_auction_keep_the_cards_together(seed: int, steps: int) -> None:
    match = random_match("auction", 4, seed, steps)
    other = other_world(match, 1, chance.streams(seed, 1)[0])
    here, there = match.state[0], other.state[0]
    assert (here.hand + here.pile == there.hand + there.pile).all()
    for p in range(4):
        assert bags.total(int(here.hand[p])) == bags.total(int(there.hand[p]))
        assert all(
            bags.many(int(there.hand[p]), kind) >= bags.many(int(there.known[p]), kind)
            for kind in range(15)
        )
    assert (here.hand[1] == there.hand[1]).all()
    held = [int(special) for special in there.special if special >= 0]
    assert len(set(held)) == len(held)
    assert not any(there.gone[special] for special in held)


def test_the_suite_catches_a_planted_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tensor that holds the size of one's neighbour's hidden cards' sum is found out."""
    match = random_match("auction", 4, seed=2, steps=60)
    honest = Match.observation

    def leaky(self: Match, seat: int) -> np.ndarray:
        vector = honest(self, seat)
        vector[0] += self.state[0].hand[(seat + 1) % 4] % 1000
        return vector

    monkeypatch.setattr(Match, "observation", leaky)
    rng = chance.streams(1, 1)[0]
    seen = {seen_by(other_world(match, 0, rng), 0) for _ in range(20)}
    assert len(seen) > 1


def test_spectators_see_no_secret() -> None:
    match = random_match("auction", 3, seed=4, steps=20)
    view: Any = match.view(SPECTATOR)
    assert all(set(band.hand) == {contract.UNKNOWN} for band in view.bands)
    assert all(band.special == contract.UNKNOWN for band in view.bands)
    assert view.legal == ()


def test_the_referee_sees_everything() -> None:
    match = random_match("auction", 3, seed=4, steps=40)
    view: Any = match.view(contract.REFEREE)
    assert contract.UNKNOWN not in str(view)
    with pytest.raises(CarambaError, match="no vector of everything"):
        match.observation(contract.REFEREE)


def test_there_is_no_view_for_a_seat_that_is_not_there() -> None:
    match = Match("auction", players=2)
    with pytest.raises(CarambaError, match="there is no seat 2; the seats are 0 to 1"):
        match.view(2)
