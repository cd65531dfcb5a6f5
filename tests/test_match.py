"""A match: playing by hand, refusals, undo, saving, and what everybody is told."""

import doctest
from pathlib import Path
from random import Random

import pytest

import caramba
from auction_kit import auction
from caramba.games import names
from caramba.games.contract import CHANCE, REFEREE, SPECTATOR, UNKNOWN
from caramba.games.errors import IllegalAction, InvalidAction, InvalidFile, InvalidSetup
from caramba.match.match import Match
from caramba.match.story import chapters
from facts import facts
from kit import play, random_match


def test_the_example_of_the_package_is_true() -> None:
    assert doctest.testmod(caramba).failed == 0


def test_the_package_offers_what_it_names() -> None:
    for name in caramba.__all__:
        assert getattr(caramba, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = caramba.nonsense


def test_the_same_seed_deals_the_same() -> None:
    one, two = (Match("auction", players=4, seed=5) for _ in range(2))
    assert one.deal() == two.deal()
    other = Match("auction", players=4, seed=6)
    assert other.deal() != one.deal()


def test_without_a_seed_no_two_deals_are_alike() -> None:
    assert Match("auction", players=4).deal() != Match("auction", players=4).deal()


def test_deal_stops_when_a_player_must_act() -> None:
    match = Match("auction", players=2, seed=1)
    assert match.actor == CHANCE
    dealt = match.deal()
    assert [text for _, text in match.steps] == dealt
    assert match.actor in (0, 1)
    assert match.deal() == []


def test_chances_are_listed_with_their_weights() -> None:
    match = Match("auction", players=3, seed=1)
    assert match.chances() == {"first 0": 1, "first 1": 1, "first 2": 1}
    play(match, "first 0", "special 0 manos", "special 1 fuera", "special 2 vuelta")
    assert len(match.chances()) == 15


def test_a_step_is_understood_in_any_case_and_spacing() -> None:
    match = auction(hands={0: "g3a4"})
    match.play("  BID   g3A4 g ")
    assert match.steps[-1] == (0, "bid g3a4 g")


@pytest.mark.parametrize("text", ["", "bid", "bid g9 g", "first 0", "x" * 1000, "\x1b[2J"])
def test_a_step_that_is_none_is_not_understood(text: str) -> None:
    match = auction()
    with pytest.raises(InvalidAction, match=r"is not a step of this game here; there are: hold"):
        match.play(text)


def test_a_refusal_says_why_and_names_the_rule() -> None:
    with pytest.raises(
        IllegalAction, match=r"^pass: the first player must play .*\(A21\)$"
    ) as info:
        auction().play("pass")
    assert info.value.rule == "A21"


def test_a_refused_step_changes_nothing() -> None:
    match = auction()
    before = match.state.tobytes()
    for text in ("pass", "manos", "nonsense", "stash g3"):
        with pytest.raises((IllegalAction, InvalidAction)):
            match.play(text)
    assert match.state.tobytes() == before
    assert len(match.steps) == 1 + 4 + 16 + 3


def test_nobody_plays_out_of_turn() -> None:
    match = auction(first=2)
    with pytest.raises(IllegalAction, match="it is the turn of Porfirio"):
        match.play("bid g7 g", seat=1)
    with pytest.raises(IllegalAction, match="not now: the next step is a draw"):
        Match("auction", players=2).play("pass", seat=0)


def test_a_spectator_cannot_draw() -> None:
    with pytest.raises(IllegalAction, match="the next step is a draw"):
        Match("auction", players=2).play("first 0", seat=SPECTATOR)


def test_a_draw_must_be_possible() -> None:
    match = Match("auction", players=2, options={"first": 1})
    with pytest.raises(IllegalAction, match="first 0 cannot be drawn now; there are: first 1"):
        match.play("first 0")
    with pytest.raises(InvalidAction, match="there are: first 1"):
        match.play("pass")


def test_a_finished_game_takes_no_more_steps() -> None:
    match = random_match("auction", 2, seed=1)
    with pytest.raises(IllegalAction, match="the game is over"):
        match.play("pass")
    assert match.view(0).result == match.result


def test_nothing_can_be_undone_before_the_first_step() -> None:
    with pytest.raises(IllegalAction, match="nothing to undo"):
        Match("auction", players=2).undo()


def test_a_match_knows_its_length_and_its_last_step() -> None:
    match = Match("auction", players=2, seed=1)
    assert (match.length, match.last) == (0, None)
    match.deal()
    assert (match.length, match.last) == (len(match.steps), match.steps[-1])


# Taking back


def began() -> Match:
    """A match of two in which the first bid is to be made."""
    match = Match("auction", players=2, seed=1, names=["Ana", "Luc"])
    match.deal()
    return match


def test_taking_back_is_remembered_and_undo_is_not() -> None:
    match = began()
    start = match.length
    match.play(match.legal()[0])
    match.undo()
    assert match.taken_back == []
    match.play(match.legal()[0])
    match.play(match.legal()[0])
    match.take_back(1, start)
    assert match.length == start
    assert match.taken_back == [(1, start + 2, start)]
    assert match.taken_back[0].seat == 1


def test_what_cannot_be_taken_back_changes_nothing() -> None:
    match = began()
    before = match.length
    for keep in (before, before + 1, -1):
        with pytest.raises(IllegalAction, match="there is nothing to undo"):
            match.take_back(0, keep)
    with pytest.raises(InvalidSetup, match="there is no seat 2; the seats are 0 to 1"):
        match.take_back(2, 0)
    with pytest.raises(InvalidSetup, match="there is no seat -3"):
        match.take_back(SPECTATOR, 0)
    assert (match.length, match.taken_back) == (before, [])


def test_a_copy_has_take_backs_of_its_own() -> None:
    match = began()
    match.take_back(0, 3)
    other = match.copy()
    assert other.taken_back == match.taken_back
    other.take_back(1, 2)
    assert len(match.taken_back) == 1


def test_a_match_as_it_was_knows_what_had_been_taken_back_by_then() -> None:
    match = began()
    for seat, keep in ((0, 5), (1, 2), (0, 6)):
        match.take_back(seat, keep)
        match.deal()
    assert [taken.kept for taken in match.taken_back] == [5, 2, 6]
    assert [taken.kept for taken in match.at(6).taken_back] == [5, 2, 6]
    assert [taken.kept for taken in match.at(5).taken_back] == [5, 2]
    assert match.at(1).taken_back == []
    while match.length > 5:
        match.undo()
    assert match.taken_back == match.at(5).taken_back


def test_a_saved_game_tells_of_take_backs(tmp_path: Path) -> None:
    match = began()
    match.take_back(0, 3)
    match.deal()
    match.take_back(1, 2)
    match.save(tmp_path / "game.jsonl")
    other = Match.open(tmp_path / "game.jsonl")
    assert other.taken_back == match.taken_back
    other.deal()
    other.take_back(1, 1)
    assert len(other.taken_back) == 3
    assert other.to_saved().header.taken_back == other.taken_back


def test_there_is_no_step_beyond_the_last() -> None:
    match = auction()
    assert match.at(3).steps == match.steps[:3]
    with pytest.raises(InvalidSetup, match="there is no step 99; the game has 0 to 24"):
        match.at(99)


def test_winners_are_known_only_at_the_end() -> None:
    match = auction()
    assert match.winners == []
    assert match.result is None
    assert match.points == [0, 0, 0, 0]


# What everybody is told


def test_a_hidden_draw_is_told_to_its_owner_only() -> None:
    match = auction(hands={1: "d7"})
    cards = {
        seat: [e.facts["card"] for _, e in match.events(seat) if e.kind == "deal" and e.seat == 1]
        for seat in (0, 1, SPECTATOR, REFEREE)
    }
    assert cards[1][0] == cards[REFEREE][0] == "d7"
    assert set(cards[0]) == set(cards[SPECTATOR]) == {UNKNOWN}


def test_events_can_be_read_from_a_step_on() -> None:
    match = play(auction(hands={0: "g7"}), "bid g7 g")
    since = len(match.steps) - 1
    (step, event), *others = match.events(SPECTATOR, since)
    assert (step, event.kind, event.seat, others) == (since, "bid", 0, [])
    assert event.facts == {"card": "g7", "good": "g"}


# Saving


@pytest.mark.parametrize("game", names())
def test_a_game_is_told_in_chapters(game: str) -> None:
    match = random_match(game, 3, 5)
    told = chapters(match)
    steps = [chapter.step for chapter in told]
    assert steps == sorted(steps)
    assert {c.began.kind for c in told[1:]} == {match.game.chapter}
    decided = [told for chapter in told for told in chapter.decided]
    assert decided == [
        (step, event) for step, event in match.events(REFEREE) if event.kind in match.game.decisive
    ]
    assert list(told[-1].points) == match.points
    assert [chapter.before for chapter in told[1:]] == [chapter.points for chapter in told[:-1]]


def test_a_race_begins_with_the_silver_that_everybody_has() -> None:
    assert chapters(random_match("race", 3, 5))[0].before == (60, 60, 60)


@pytest.mark.parametrize(("game", "numbered"), [("auction", "turn"), ("cards", "deal")])
def test_the_first_chapter_is_the_first_turn(game: str, numbered: str) -> None:
    told = chapters(random_match(game, 3, 5))
    assert [c.began.facts[numbered] for c in told] == list(range(1, len(told) + 1))
    assert len({c.step for c in told}) == len(told)


def test_points_of_a_chapter_are_those_after_it() -> None:
    match = random_match("cards", 2, 1, max_deals=2, max_laps=40)
    *_, first, second = chapters(match)
    assert list(first.points) == match.at(second.step + 1).points
    assert sum(first.points) < sum(second.points)


def test_a_saved_game_keeps_its_seed_and_goes_on_as_it_would_have(tmp_path: Path) -> None:
    match = Match("auction", players=3, seed=9, names=["Ana", "Luc", "Zoë"])
    match.deal()
    match.save(tmp_path / "game.jsonl")
    other = Match.open(tmp_path / "game.jsonl")
    for each in (match, other):
        each.play(each.legal()[0])
        while each.actor != CHANCE:
            each.play(each.legal()[0])
    assert other.deal() == match.deal()
    assert other.names == ("Ana", "Luc", "Zoë")
    assert other.to_saved() == match.to_saved()


def test_a_game_with_draws_of_ones_own_is_saved_without_a_seed(tmp_path: Path) -> None:
    assert auction(crates="g2 a2 d2").to_saved().header.fair is None


def test_only_options_that_were_changed_are_saved() -> None:
    match = Match("auction", players=2, options={"max_turns": 60, "first": 1})
    assert match.to_saved().header.options == {"first": 1}


def test_names_must_be_fit_to_be_shown() -> None:
    for wrong in (["Ana"], ["Ana", "Lu\x1bc"], ["Ana", ""], ["Ana", "x" * 41], "ab"):
        with pytest.raises(InvalidFile, match="name"):
            Match("auction", players=2, names=wrong)


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    match = auction()
    with pytest.raises(InvalidFile, match="cannot write"):
        match.save(tmp_path / "missing" / "game.jsonl")
    file = tmp_path / "game.jsonl"
    match.save(file)
    before = file.read_bytes()
    file.with_suffix(".d").mkdir()
    with pytest.raises(InvalidFile, match="cannot write"):
        match.save(file.with_suffix(".d"))
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.d", "game.jsonl"]


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_compiled_match_is_the_same_match(game: str, seed: int, tmp_path: Path) -> None:
    plain, fast = (
        Match(game, players=3, seed=seed, options=facts(game).quick, compiled=compiled)
        for compiled in (False, True)
    )
    rng = Random(seed)
    while plain.actor is not None:
        assert fast.actor == plain.actor
        assert fast.legal() == plain.legal()
        assert fast.chances() == plain.chances()
        assert fast.deal() == plain.deal()
        if plain.legal():
            step = rng.choice(plain.legal())
            plain.play(step)
            fast.play(step)
        assert fast.state.tobytes() == plain.state.tobytes()
    assert fast.result == plain.result
    for seat in (0, SPECTATOR, REFEREE):
        assert fast.view(seat) == plain.view(seat)
        assert [*fast.told(seat)] == [*plain.told(seat)]
    fast.save(tmp_path / "game")
    assert Match.open(tmp_path / "game", compiled=True).to_saved() == plain.to_saved()


def test_a_compiled_match_refuses_copies_and_goes_back_like_any_other() -> None:
    match = Match("cards", players=2, seed=1, compiled=True)
    match.deal()
    with pytest.raises(IllegalAction, match="take pile: "):
        match.play("take pile")
    before = match.state.tobytes()
    copied = match.copy()
    match.play(match.legal()[0])
    assert copied.state.tobytes() == before
    match.undo()
    assert match.state.tobytes() == before
    assert match.legal() == copied.legal()


def test_a_glimpse_of_a_state_has_its_fields_and_no_others() -> None:
    match = Match("auction", players=2, seed=1)
    match.deal()
    layout = match.game.layout
    packed = match.state.tobytes()
    glimpse, whole = layout.glimpse(packed, {}), layout.unpack(packed)
    for name in match.game.state.names or ():
        assert getattr(glimpse, name) == getattr(whole, name)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = glimpse.nonsense
