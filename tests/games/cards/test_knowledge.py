"""The Cards: what a seat knows of the other hands (C08, C09), and the worlds it thinks possible."""

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from caramba.games import chance
from caramba.games.contract import SPECTATOR, UNKNOWN
from caramba.match.match import Match
from cards_kit import (
    DECK,
    TAROT,
    TRADITIONAL,
    any_turn,
    cards_in_their_places,
    deal,
    dealt,
    draws,
    empty_pile,
    feature,
    hand,
    names,
    seen,
    table,
    told,
    turn,
)
from kit import other_world, play, random_step

# Someone with a perfect memory, who hears what is said at the table and counts


class Memory:
    """What follows from the public steps of a deal, and from the cards of one seat.

    A pool is what a pile was made of, as far as nobody has seen where it went. A hidden card
    comes from the pool that was the pile when it was drawn. A pool whose cards are all in one
    hand is known there.
    """

    def __init__(self, match: Match, seat: int) -> None:
        self.seat = seat
        self.players = match.players
        self.deck = TRADITIONAL if match.options.get("deck") else TAROT
        self.gather()

    def gather(self) -> None:
        """All cards are one pool, the pile."""
        self.pools = [set(self.deck)]
        self.own: set[str] = set()
        self.shown: list[set[str]] = [set() for _ in range(self.players)]
        self.hidden = [Counter[int]() for _ in range(self.players)]  # by pool: how many
        self.piled = len(self.deck)
        self.lying: set[str] = set()
        self.newest: set[str] = set()

    def hear(self, p: int, step: str) -> None:
        do, *cards = step.split()
        if do in ("deal", "draw"):
            self.draw(p, cards[-1])
        elif do == "drop":
            self.drop(p, set(cards))
        elif do == "take" and cards != ["pile"]:
            self.lying.remove(cards[0])
            (self.own if p == self.seat else self.shown[p]).add(cards[0])
        elif do == "take" and not self.piled:
            self.pools.append(self.lying - self.newest)
            self.piled = len(self.pools[-1])
            self.lying = set(self.newest)

    def draw(self, p: int, card: str) -> None:
        """One's own card is seen to leave the pool; of others only that they have one."""
        self.piled -= 1
        if p == self.seat:
            self.pools[-1].remove(card)
            self.own.add(card)
        else:
            self.hidden[p][len(self.pools) - 1] += 1

    def drop(self, p: int, cards: set[str]) -> None:
        self.lying |= cards
        self.newest = cards
        if p == self.seat:
            self.own -= cards
            return
        for card in cards - self.shown[p]:
            number = next(n for n, pool in enumerate(self.pools) if card in pool)
            self.pools[number].remove(card)
            self.hidden[p][number] -= 1
        self.shown[p] -= cards

    def sure(self, p: int) -> set[str]:
        """The cards in a hand that can be nowhere else."""
        if p == self.seat:
            return self.own
        cards = set(self.shown[p])
        for number, pool in enumerate(self.pools):
            if len(pool) == self.hidden[p][number]:
                cards |= pool
        return cards

    def in_pile(self) -> set[str]:
        """The cards that were in the newest pile, as far as nobody has seen where they went."""
        return self.pools[-1]


def in_order(cards: set[str]) -> str:
    return " ".join(sorted(cards, key=DECK.index))


def remembered(match: Match, *seats: int) -> Iterator[tuple[Match, list[Memory]]]:
    """The match after each step, with what these seats can remember of it."""
    memories = [Memory(match, seat) for seat in seats]
    yield match.at(0), memories
    before = 1
    for number, (who, step) in enumerate(match.steps):
        then = match.at(number + 1)
        p = int(match.at(number).state[0].seat) if who is None else who
        for memory in memories:
            memory.hear(p, step)
            if then.state[0].deal > before:
                memory.gather()
        before = int(then.state[0].deal)
        yield then, memories


def long_game(players: int, steps: int, **options: Any) -> Match:
    """So many random steps: nobody calls, sets are small, and the pile is preferred."""
    match = Match("cards", players=players, seed=1, options={"max_laps": 25, **options})
    random = Random(players)
    for _ in range(steps):
        liked = [step for step in match.legal() if LIKED.fullmatch(step)]
        if (liked and random.random() < 0.8) or match.legal()[:1] == ["caramba"]:
            match.play(random.choice(liked))
        else:
            random_step(match, random)
    return match


LIKED = re.compile(r"drop \w+|take pile")
LONG_GAMES = pytest.mark.parametrize(
    ("players", "options"),
    [
        (8, {}),
        (8, {"deck": "traditional"}),
        (5, {"max_laps": 50}),
        (3, {"deck": "traditional", "max_laps": 80}),
        (2, {"max_laps": 100}),
    ],
)


@pytest.mark.rule("C08")
@pytest.mark.rule("C09")
@LONG_GAMES
def test_everybody_is_shown_what_a_perfect_memory_knows(
    players: int, options: dict[str, Any]
) -> None:
    match = long_game(players, 800, **options)
    worth_remembering = 0
    for then, memories in remembered(match, 0, players - 1, SPECTATOR):
        if len(then.steps) % 10:
            continue
        for memory in memories:
            shown = then.view(memory.seat).players
            for p in range(players):
                cards = {card for card in shown[p].hand if card != UNKNOWN}
                assert cards == memory.sure(p)
                worth_remembering += p != memory.seat and cards > memory.shown[p]
            in_pile = feature(then, memory.seat, "may be in the pile")
            assert in_pile == in_order(memory.in_pile())
    assert worth_remembering > 10
    assert len(told(match, "shuffled")) > 3


# Taken from the table


@pytest.mark.rule("C08")
def test_a_card_taken_from_the_table_is_known_to_all() -> None:
    match = turn(turn(dealt(3, "5s 5h | 9s"), "5s 5h"), "9s", take="5h")
    for seat in (0, 2, SPECTATOR):
        assert seen(match, seat, 1) == "5h"
        assert len(match.view(seat).players[1].hand) == 5
        assert match.view(seat).players[1].points is None


@pytest.mark.rule("C08")
def test_it_is_known_for_as_long_as_it_stays_in_the_hand() -> None:
    match = turn(turn(dealt(2, "5s 5h | 9s"), "5s 5h"), "9s", take="5h")
    any_turn(match)
    turn(match, hand(match, 1).split()[0])
    assert seen(match, 0, 1) == "5h"
    any_turn(match)
    play(match, "drop 5h")
    assert seen(match, 0, 1) == ""


@pytest.mark.rule("C08")
def test_several_cards_taken_are_all_known() -> None:
    match = turn(turn(dealt(2, "5s 6s | 9s 10s"), "5s"), "9s", take="5s")
    turn(turn(match, "6s"), "10s", take="6s")
    assert seen(match, 0, 1) == "5s 6s"
    assert seen(match, 1, 0) == ""


@pytest.mark.rule("C08")
def test_a_whole_hand_taken_from_the_table_has_known_points() -> None:
    match = dealt(2, "5s 6s | 1s 2s 3s 4s Cs")
    turn(turn(match, "5s"), "1s 2s 3s 4s", take="5s")
    turn(turn(match, "6s"), "Cs", take="6s")
    assert match.view(0).players[1].hand == ("5s", "6s")
    assert match.view(0).players[1].points == 11


@pytest.mark.rule("C08")
def test_in_a_new_deal_nothing_is_known() -> None:
    match = turn(turn(dealt(2, "5s 5h | 9s", max_laps=2), "5s 5h"), "9s", take="5h")
    any_turn(any_turn(match))
    assert table(match).deal == 2
    deal(match, "| 5h")
    assert "5h" in hand(match, 1).split()
    assert seen(match, 0, 1) == ""


# After the pile has run out


@pytest.mark.rule("C09")
def test_before_the_pile_runs_out_a_hand_that_was_drawn_is_unknown() -> None:
    match = empty_pile(dealt(2, ""), left=1)
    assert seen(match, 0, 1) == seen(match, 1, 0) == seen(match, SPECTATOR, 0) == ""


@pytest.mark.rule("C09")
def test_with_an_empty_pile_two_players_know_each_others_hands() -> None:
    match = empty_pile(dealt(2, ""))
    assert seen(match, 0, 1) == hand(match, 1)
    assert seen(match, 1, 0) == hand(match, 0)
    assert match.view(0).players[1].points is not None
    assert seen(match, SPECTATOR, 0) == seen(match, SPECTATOR, 1) == ""


@pytest.mark.rule("C09")
def test_what_was_there_before_the_shuffle_and_has_not_left_stays_known() -> None:
    match = empty_pile(dealt(2, ""))
    before = set(hand(match, 1).split())
    any_turn(match)
    dropped = hand(match, 1).split()[0]
    turn(match, dropped)
    assert seen(match, 0, 1) == in_order(before - {dropped})
    assert len(match.view(0).players[1].hand) == 5
    any_turn(match)
    other = hand(match, 1).split()[0]
    assert other in before
    play(match, f"drop {other}")
    assert seen(match, 0, 1) == in_order(before - {dropped, other})


@pytest.mark.rule("C09")
def test_a_card_drawn_after_the_shuffle_is_unknown() -> None:
    match = empty_pile(dealt(2, ""))
    any_turn(match)
    turn(match, hand(match, 1).split()[0])
    known = set(seen(match, 0, 1).split())
    (drawn,) = set(hand(match, 1).split()) - known
    assert drawn not in known
    assert drawn in feature(match, 0, "may be in the pile").split()


@pytest.mark.rule("C09")
def test_three_players_know_only_that_such_a_card_is_in_one_of_two_hands() -> None:
    match = empty_pile(dealt(3, ""))
    any_turn(match)
    assert seen(match, 0, 1) == seen(match, 0, 2) == ""
    match = dealt(3, "1s 2s 3s 4s 5s | 6s 7s 8s 9s 10s | Ks Kh Kd Kc Qs")
    empty_pile(match)
    while table(match).pile == 0 or match.actor != 0:
        any_turn(match)
    assert table(match).pile > 0
    assert seen(match, 0, 1) == seen(match, 0, 2) == ""


@pytest.mark.rule("C09")
def test_the_third_hand_is_known_when_the_second_has_nothing_left_from_before() -> None:
    match = turn(turn(dealt(3, "| 5s 6s 7s 8s 9s"), "1s"), "5s 6s 7s 8s 9s")
    empty_pile(match)
    for seat in (2, 0):
        turn(match, hand(match, seat).split()[0], take=table(match).previous[0])
    turn(match, hand(match, 1))
    assert table(match).pile > 0
    assert seen(match, 0, 1) == ""
    assert seen(match, 0, 2) == hand(match, 2)
    assert len(seen(match, 1, 2).split()) == len(seen(match, SPECTATOR, 2).split()) == 1


@pytest.mark.rule("C09")
def test_cards_of_an_earlier_shuffle_are_told_from_those_of_a_later_one() -> None:
    match = empty_pile(dealt(2, "", max_laps=200))
    oldest = set(hand(match, 1).split())
    any_turn(match)
    turn(match, min(oldest, key=DECK.index))
    empty_pile(match)
    assert seen(match, 0, 1) == hand(match, 1)
    before = set(hand(match, 1).split())
    any_turn(match)
    play(match, f"drop {hand(match, 1).split()[0]}", "take pile")
    assert set(seen(match, 0, 1).split()) == before & set(hand(match, 1).split())
    assert len(seen(match, 0, 1).split()) == 4
    assert int(match.state[0].shuffles) == 2


@pytest.mark.rule("C09")
def test_nothing_of_the_old_piles_is_known_in_a_new_deal() -> None:
    match = empty_pile(dealt(8, "", max_laps=3))
    while table(match).deal == 1:
        any_turn(match)
    deal(match, "")
    for seat in (0, 5, SPECTATOR):
        for p in range(8):
            assert seen(match, seat, p) == (hand(match, p) if p == seat else "")
    assert set(feature(match, 0, "may be in the pile").split()) == set(TAROT) - set(
        hand(match, 0).split()
    )
    assert feature(match, 0, "player +1 cards of the last shuffle") == 5


# Other worlds


def worlds(match: Match, seat: int, many: int) -> list[Match]:
    rng = chance.streams(7, 1)[0]
    return [other_world(match, seat, rng) for _ in range(many)]


@pytest.mark.rule("C09")
@LONG_GAMES
def test_other_worlds_respect_what_a_seat_knows(players: int, options: dict[str, Any]) -> None:
    match = long_game(players, 600, **options)
    for then, memories in remembered(match, 0, players - 1, SPECTATOR):
        if len(then.steps) % 20 == 0:
            for memory in memories:
                for world in worlds(then, memory.seat, 3):
                    assert_possible(then, world, memory)


def assert_possible(match: Match, world: Match, memory: Memory) -> None:
    """Every card in its place, where it is known; of each pool as many as there were."""
    here, there = match.state[0], world.state[0]
    assert cards_in_their_places(there) == cards_in_their_places(here)
    for p in range(match.players):
        cards = set(names(int(there.hand[p])).split())
        assert memory.sure(p) <= cards
        if p == memory.seat:
            assert cards == memory.own
            continue
        for number, pool in enumerate(memory.pools):
            assert len(cards & pool) == memory.hidden[p][number]
        assert len(cards) == int(here.hand[p]).bit_count()
    pile = set(names(int(there.pile)).split())
    assert pile <= memory.in_pile()
    assert len(pile) == memory.piled
    fixed = [name for name in here.dtype.names if name not in ("hand", "pile")]
    assert all((here[name] == there[name]).all() for name in fixed)


@pytest.mark.rule("C09")
def test_other_worlds_have_every_card_wherever_it_may_be() -> None:
    match = turn(turn(dealt(3, "1s 2s 3s 4s 5s | 9s Kh"), "1s"), "9s", take="1s")
    many = worlds(match, 0, 400)
    for p in (1, 2):
        found = {card for world in many for card in hand(world, p).split()}
        assert found - {"1s"} == set(feature(match, 0, "may be in the pile").split())
    assert {hand(world, 0) for world in many} == {hand(match, 0)}
    assert all("1s" in hand(world, 1).split() for world in many)
    piles = {card for world in many for card in names(int(world.state[0].pile)).split()}
    assert piles == set(feature(match, 0, "may be in the pile").split())


@pytest.mark.rule("C09")
def test_each_of_them_is_equally_likely() -> None:
    match = empty_pile(dealt(3, "| 5s 6s 7s 8s 9s | 5d 6d 7d 8d 9d"))
    for _ in range(3):
        seat = match.actor or 0
        turn(match, hand(match, seat).split()[0])
    pair = Counter(hand(world, 1) for world in worlds(match, 0, 700))
    old = 4  # cards each that the two others kept from the first pile: 70 ways
    new = len(feature(match, 0, "may be in the pile").split())
    assert feature(match, 0, "player +1 cards of the last shuffle") == 5 - old
    assert len(pair) > 70
    of_old = Counter(in_order(set(key.split()) - may_be_new(match)) for key in pair.elements())
    assert len(of_old) == 70
    assert max(of_old.values()) < 30
    of_new = Counter(in_order(set(key.split()) & may_be_new(match)) for key in pair.elements())
    assert len(of_new) == new
    assert max(of_new.values()) < 3 * 700 / new


def may_be_new(match: Match) -> set[str]:
    return set(feature(match, 0, "may be in the pile").split())


@pytest.mark.rule("C09")
def test_a_spectator_thinks_every_hand_possible() -> None:
    match = turn(dealt(2, "1s 2s 3s 4s 5s"), "1s", draw="9s")
    many = worlds(match, SPECTATOR, 300)
    for p in (0, 1):
        found = {card for world in many for card in hand(world, p).split()}
        assert found == set(TAROT) - {"1s"}


@pytest.mark.rule("C09")
def test_with_an_empty_pile_between_two_there_is_only_one_world() -> None:
    match = empty_pile(dealt(2, ""))
    for seat in (0, 1):
        assert {world.state.tobytes() for world in worlds(match, seat, 20)} == {
            match.state.tobytes()
        }
    assert len({world.state.tobytes() for world in worlds(match, SPECTATOR, 20)}) > 5


@pytest.mark.rule("C09")
def test_while_a_card_is_drawn_the_new_pile_is_known_to_all() -> None:
    match = empty_pile(dealt(8, ""))
    play(match, next(step for step in match.legal() if step.startswith("drop")), "take pile")
    assert feature(match, 3, "may be in the pile") == draws(match)
    for world in worlds(match, 3, 10):
        assert draws(world) == draws(match)


def finished() -> Match:
    """A game that is over, with cards in all hands and in the pile."""
    match = dealt(3, "1s 2s 3s 4s 5s", max_laps=2, max_deals=1)
    for _ in range(6):
        any_turn(match)
    assert match.actor is None
    return match


@pytest.mark.rule("C16")
def test_at_the_end_all_hands_lie_open_and_nothing_is_drawn_anew() -> None:
    match = finished()
    for seat in (0, 1, 2, SPECTATOR):
        for p in range(3):
            assert seen(match, seat, p) == hand(match, p) != ""
            assert match.view(seat).players[p].points is not None
        for world in worlds(match, seat, 10):
            assert world.state.tobytes() == match.state.tobytes()
        piled = names(int(match.state[0].pile))
        assert feature(match, seat, "may be in the pile") == piled
        assert len(piled.split()) == feature(match, seat, "pile size") == 56 - 15 - 6


# As numbers


@pytest.mark.rule("C08")
def test_the_vector_holds_what_is_known_counted_from_the_own_seat() -> None:
    match = turn(turn(dealt(3, "5s 5h | 9s"), "5s 5h"), "9s", take="5h")
    assert feature(match, 0, "player +0 known cards") == hand(match, 0)
    assert feature(match, 0, "player +1 known cards") == "5h"
    assert feature(match, 0, "player +2 known cards") == ""
    assert feature(match, 1, "player +0 known cards") == hand(match, 1)
    assert feature(match, 2, "player +2 known cards") == "5h"
    assert feature(match, SPECTATOR, "player +0 known cards") == ""
    assert feature(match, SPECTATOR, "player +1 known cards") == "5h"
    assert feature(match, 0, "player +3 known cards") == ""
    of_the_pile = [feature(match, 0, f"player +{i} cards of the last shuffle") for i in range(3)]
    assert of_the_pile == [4, 4, 5]


@pytest.mark.rule("C09")
def test_the_vector_holds_how_many_cards_are_of_the_newest_pile() -> None:
    match = empty_pile(dealt(8, ""))
    assert feature(match, 0, "player +0 cards of the last shuffle") == 5
    for _ in range(2):
        any_turn(match)
    assert feature(match, 3, "player +5 cards of the last shuffle") == 1
    assert feature(match, 3, "player +6 cards of the last shuffle") == 1
    assert feature(match, 3, "player +7 cards of the last shuffle") == 0
    assert feature(match, 3, "player +0 cards of the last shuffle") == 0
    turn(match, hand(match, 2).split()[0], take=table(match).previous[0])
    assert feature(match, 3, "player +7 cards of the last shuffle") == 0


@pytest.mark.rule("C09")
def test_what_one_has_drawn_is_not_in_the_pile() -> None:
    match = empty_pile(dealt(8, ""))
    any_turn(match)
    pool = set(feature(match, SPECTATOR, "may be in the pile").split())
    assert len(pool) == 16
    (drawn,) = pool & set(hand(match, 0).split())
    assert feature(match, 0, "may be in the pile") == in_order(pool - {drawn})
    assert feature(match, 1, "may be in the pile") == in_order(pool)


def test_the_vector_holds_the_table() -> None:
    match = dealt(3, "5s 5h | 9s | Ks Kh 1d 2d Cd", first=0, penalty=20, end_score=90, drop_to=70)
    turn(turn(match, "5s 5h"), "9s", take="5h")
    play(match, "drop Ks Kh")
    for seat in (0, 2, SPECTATOR):
        assert feature(match, seat, "phase") == [0, 0, 0, 1, 0, 0]
        numbers = ["players", "deal", "lap", "call limit", "penalty", "end score", "drop to"]
        assert [feature(match, seat, name) for name in numbers] == [3, 1, 1, 7, 20, 90, 70]
        house = ["ends only", "others score", "elimination", "traditional deck"]
        assert [feature(match, seat, name) for name in house] == [0, 0, 0, 0]
        assert feature(match, seat, "pile size") == 40
        assert feature(match, seat, "laid") == "Ks Kh"
        assert feature(match, seat, "previous") == "9s"
        assert feature(match, seat, "older") == "5s"
    assert feature(match, 2, "own points") == 2
    assert feature(match, 0, "own points") == match.view(0).players[0].points != 2
    assert [feature(match, 0, f"player +{i} to act") for i in range(3)] == [0, 0, 1]
    assert [feature(match, 1, f"player +{i} to act") for i in range(3)] == [0, 1, 0]
    assert [feature(match, 1, f"player +{i} first") for i in range(3)] == [0, 0, 1]
    assert [feature(match, 0, f"player +{i} hand size") for i in range(4)] == [4, 5, 3, 0]


def test_a_spectator_has_no_points_in_hand() -> None:
    assert feature(dealt(8, ""), SPECTATOR, "own points") == 0
    assert feature(dealt(2, ""), SPECTATOR, "own points") == 0


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("ends_only", "ends only"),
        ("others_score", "others score"),
        ("elimination", "elimination"),
    ],
)
def test_the_vector_holds_the_house_rules(option: str, name: str) -> None:
    match = dealt(2, "", **{option: True})
    house = ["ends only", "others score", "elimination", "traditional deck"]
    assert [feature(match, 0, each) for each in house] == [int(each == name) for each in house]
    assert feature(dealt(2, "", deck="traditional"), 0, "traditional deck") == 1


def test_the_vector_holds_the_totals() -> None:
    match = dealt(2, "Cs Ch Cd Cc 1s | Ks Kh Kd Kc Qs")
    turn(turn(match, "1s", draw="1h"), "Qs", draw="Qh")
    play(match, "caramba")
    assert feature(match, 0, "player +1 score") == 50
    assert feature(match, 1, "player +0 score") == 50
    assert feature(match, 1, "deal") == 2
