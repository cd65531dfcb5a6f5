"""The sets and bags that the compiled rules are made of."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramba.games import bags, chance, generic, masks

KINDS = 15
"""As many as a bag has room for, since the sign of the whole number is not used."""

actions = st.sets(st.integers(0, 199))
pieces = st.lists(st.integers(0, bags.MOST), min_size=KINDS, max_size=KINDS).map(
    lambda many: [kind for kind, n in enumerate(many) for _ in range(n)]
)


def mask_of(members: set[int]) -> np.ndarray:
    mask = np.zeros(masks.width(200), np.uint64)
    for action in members:
        masks.allow(mask, action)
    return mask


def bag_of(pieces: list[int]) -> int:
    return sum(bags.one(kind) for kind in pieces)


def counts(pieces: list[int]) -> list[int]:
    return [pieces.count(kind) for kind in range(KINDS)]


# Masks


@given(members=actions)
def test_a_mask_is_a_set_of_actions(members: set[int]) -> None:
    mask = mask_of(members)
    assert masks.members(mask) == sorted(members)
    assert masks.count(mask) == len(members)
    assert [masks.nth(mask, n) for n in range(len(members))] == sorted(members)
    assert masks.nth(mask, len(members)) == -1
    assert all(masks.is_allowed(mask, action) == (action in members) for action in range(200))


@given(members=actions, first=st.integers(0, 199), last=st.integers(-1, 199))
def test_a_mask_takes_in_a_whole_range(members: set[int], first: int, last: int) -> None:
    mask = mask_of(members)
    masks.allow_range(mask, first, last)
    assert masks.members(mask) == sorted(members | set(range(first, last + 1)))


@pytest.mark.parametrize(
    ("first", "last"),
    [(0, 0), (0, 63), (0, 64), (63, 63), (63, 64), (64, 64), (64, 127), (1, 190), (0, 191), (9, 8)],
)
def test_a_range_may_end_where_a_word_ends(first: int, last: int) -> None:
    mask = mask_of(set())
    masks.allow_range(mask, first, last)
    assert masks.members(mask) == list(range(first, last + 1))


@given(members=actions, word=st.integers(0, 2), places=st.sets(st.integers(0, 62)), data=st.data())
def test_a_mask_takes_in_bits_of_one_word(
    members: set[int], word: int, places: set[int], data: st.DataObject
) -> None:
    first = word * masks.WORD + data.draw(st.integers(0, 63 - max(places, default=0)))
    mask = mask_of(members)
    masks.allow_bits(mask, first, sum(1 << place for place in places))
    assert masks.members(mask) == sorted(members | {first + place for place in places})


@given(members=actions, action=st.integers(0, 199))
def test_what_is_forbidden_is_taken_out_of_a_mask(members: set[int], action: int) -> None:
    mask = mask_of(members)
    masks.forbid(mask, action)
    assert masks.members(mask) == sorted(members - {action})


@given(places=st.sets(st.integers(0, 63)))
def test_bits_of_a_word_are_found_in_order(places: set[int]) -> None:
    word = np.uint64(sum(1 << place for place in places))
    assert [masks.nth_bit(word, n) for n in range(len(places))] == sorted(places)
    signed = sum(1 << place for place in places - {63})  # as sets of cards are
    assert [masks.nth_bit(signed, n) for n in range(len(places - {63}))] == sorted(places - {63})


@given(members=actions)
def test_the_members_of_a_mask_are_listed_in_an_array(members: set[int]) -> None:
    out = np.full(200, -1)
    assert masks.list_members(mask_of(members), out) == len(members)
    assert out[: len(members)].tolist() == sorted(members)
    assert set(out[len(members) :].tolist()) <= {-1}


# Bags


@given(pieces=pieces)
def test_a_bag_holds_so_many_of_each_kind(pieces: list[int]) -> None:
    bag = bag_of(pieces)
    assert [bags.many(bag, kind) for kind in range(KINDS)] == counts(pieces)
    assert bags.total(bag) == len(pieces)
    weights = np.full(KINDS + 1, -1)
    bags.weigh(bag, KINDS, weights)
    assert weights.tolist() == [*counts(pieces), -1]


@given(pieces=pieces)
def test_the_kinds_of_a_bag_can_be_taken_out_one_after_the_other(pieces: list[int]) -> None:
    bag = bag_of(pieces)
    for kind in sorted(set(pieces)):
        assert bags.first_kind(bag) == kind
        bag = bags.without(bag, kind)
        assert bag == bag_of([piece for piece in pieces if piece > kind])
    assert bags.total(bag) == bag == 0


@given(pieces=pieces, kind=st.integers(0, KINDS - 1))
def test_a_bag_without_a_kind_has_all_the_others(pieces: list[int], kind: int) -> None:
    others = [piece for piece in pieces if piece != kind]
    assert bags.without(bag_of(pieces), kind) == bag_of(others)


def test_the_fullest_bag_is_counted() -> None:
    everything = bag_of([kind for kind in range(KINDS) for _ in range(bags.MOST)])
    assert bags.total(everything) == KINDS * bags.MOST
    assert {bags.many(everything, kind) for kind in range(KINDS)} == {bags.MOST}


@given(pieces=pieces.filter(bool), seed=st.integers(0, 2**32 - 1))
def test_every_piece_of_a_bag_is_as_likely_to_be_drawn(pieces: list[int], seed: int) -> None:
    rng, same = chance.streams(seed, 1)[0], chance.streams(seed, 1)[0]
    for _ in range(30):
        expected = sorted(pieces)[chance.below(same, len(pieces))]
        assert bags.draw(bag_of(pieces), rng) == expected


def test_winners_share_the_victory() -> None:
    shares = np.zeros(3)
    generic.share_victory(0b101, shares)
    assert shares.tolist() == [0.5, 0.0, 0.5]
