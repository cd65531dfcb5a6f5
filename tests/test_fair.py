"""Fair deals, and the verdict on saved games."""

import hashlib
import hmac
import json
from dataclasses import replace
from pathlib import Path

import pytest

from auction_kit import auction
from caramba.games.contract import CHANCE
from caramba.games.errors import InvalidFile
from caramba.match import saved
from caramba.match.fair import FairDeal
from caramba.match.match import Match
from caramba.match.verify import verify


def played(seed: int | bytes, entropy: tuple[bytes | None, ...] = (None, None)) -> Match:
    """A whole game in which everybody does the first thing they may."""
    match = Match("auction", players=2, seed=seed)
    match.fair = replace(match.fair, entropy=entropy)
    while match.actor is not None:
        match.deal()
        if match.actor is not None:
            match.play(match.legal()[-1])
    return match


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished game, saved."""
    path = tmp_path / "game.jsonl"
    played(7).save(path)
    return path


def change(file: Path, line: int, old: str, new: str) -> None:
    """Tamper with a line, counted as people count."""
    lines = file.read_text().splitlines()
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    file.write_text("\n".join(lines) + "\n")


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    deal = FairDeal.new(2, b"secret")
    assert deal.commitment == hashlib.sha256(b"secret").hexdigest()
    assert "secret" not in repr(deal)


def test_a_draw_can_be_recomputed_by_hand() -> None:
    """As docs/fair-deals.md tells it."""
    deal = FairDeal(b"seed", (b"\x01\x02", None))
    key = hmac.new(b"seed", b"0102,", "sha256").digest()
    number = int.from_bytes(hmac.new(key, b"12", "sha256").digest(), "big")
    assert deal.draw(12, [1] * 1000) == number * 1000 >> 256


def test_draws_follow_the_weights() -> None:
    deal = FairDeal.new(2, 3)
    draws = [deal.draw(step, [0, 3, 1, 0]) for step in range(2000)]
    assert set(draws) == {1, 2}
    assert 1400 < draws.count(1) < 1600
    with pytest.raises(ValueError, match="weight"):
        deal.draw(0, [])


def test_entropy_changes_every_draw() -> None:
    one, two = FairDeal(b"seed", (None, None)), FairDeal(b"seed", (b"x", None))
    assert [one.draw(n, [1] * 99) for n in range(9)] != [two.draw(n, [1] * 99) for n in range(9)]


def test_a_fair_game_verifies(file: Path) -> None:
    verdict = verify(file)
    assert (verdict.good, verdict.fair, verdict.line) == (True, True, None)
    assert "every draw as the seed gives it" in verdict.message


def test_entropy_of_the_players_is_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played(b"dealer", (b"mine", b"yours")).save(path)
    assert verify(path).good
    change(path, 1, b"mine".hex(), b"mind".hex())
    assert not verify(path).good


def test_another_draw_than_the_seed_gives_is_found(file: Path) -> None:
    swap = {"first 0": "first 1", "first 1": "first 0"}
    first = json.loads(file.read_text().splitlines()[1])[1]
    change(file, 2, first, swap[first])
    verdict = verify(file)
    assert (verdict.good, verdict.line) == (False, 2)
    assert verdict.message == f"the seed gives '{first}', not '{swap[first]}'"


def test_a_draw_cannot_be_passed_off_as_the_step_of_a_seat(file: Path) -> None:
    change(file, 2, "[null,", "[-1,")
    verdict = verify(file)
    assert (verdict.good, verdict.line) == (False, 2)
    assert "there is no seat -1" in verdict.message


def test_another_seed_than_was_committed_to_is_found(file: Path) -> None:
    header = json.loads(file.read_text().splitlines()[0])
    change(file, 1, header["fair"]["seed"], "00" * 32)
    assert verify(file).message == "the seed is not the one that was committed to"
    with pytest.raises(InvalidFile, match="line 1: the seed is not the one"):
        Match.open(file)


def test_a_step_against_the_rules_is_found(file: Path) -> None:
    steps = [json.loads(line) for line in file.read_text().splitlines()[1:-1]]
    number, (_, text) = next((n, s) for n, s in enumerate(steps) if s[0] is not None)
    change(file, saved.line_of(number), text, "pass")
    verdict = verify(file)
    assert (verdict.good, verdict.line) == (False, saved.line_of(number))
    assert "A21" in verdict.message


def test_a_wrong_result_is_found(file: Path) -> None:
    last = len(file.read_text().splitlines())
    change(file, last, '"end":"', '"end":"x')
    verdict = verify(file)
    assert (verdict.good, verdict.line) == (False, last)
    assert "the result is wrong; it should be" in verdict.message


def test_a_missing_or_early_result_is_found(file: Path) -> None:
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:-1]))
    assert verify(file).message == "the game is over, but the result is missing"
    file.write_text("\n".join([*lines[:-3], lines[-1]]))
    assert verify(file).message == "there is a result, but the game is not over"


def test_without_a_seed_only_the_rules_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    auction(crates="g2 a2 d2").save(path)
    verdict = verify(path)
    assert (verdict.good, verdict.fair) == (True, False)
    assert "no seed in the file, so the draws were not checked" in verdict.message


def test_a_seed_that_is_not_revealed_yet_is_said(file: Path) -> None:
    lines = file.read_text().splitlines()
    header = json.loads(lines[0])
    del header["fair"]["seed"]
    file.write_text("\n".join([json.dumps(header), *lines[1:]]))
    verdict = verify(file)
    assert (verdict.good, verdict.fair) == (True, False)
    assert "the seed is not revealed yet" in verdict.message


def test_undo_and_another_choice_still_verify(tmp_path: Path) -> None:
    match = Match("auction", players=2, seed=4)
    match.deal()
    match.play(match.legal()[0])
    match.undo()
    match.play(match.legal()[-1])
    while match.actor != CHANCE:
        match.play(match.legal()[0])
    match.deal()
    match.save(tmp_path / "game.jsonl")
    assert verify(tmp_path / "game.jsonl").fair


def test_take_backs_are_counted_by_seat(tmp_path: Path) -> None:
    match, file = Match("auction", players=2, seed=4, names=["Ana", "Luc"]), tmp_path / "game.jsonl"
    match.deal()
    match.save(file)
    assert verify(file).taken_back == (0, 0)
    assert "taken back" not in verify(file).message
    match.take_back(1, 3)
    match.deal()
    match.save(file)
    assert verify(file).message.endswith("as the seed gives it; taken back once (Luc 1)")
    for seat in (0, 0):
        match.take_back(seat, 3)
        match.deal()
    match.save(file)
    verdict = verify(file)
    assert verdict.message.endswith("as the seed gives it; taken back 3 times (Ana 2, Luc 1)")
    assert (verdict.good, verdict.fair, verdict.taken_back) == (True, True, (2, 1))
