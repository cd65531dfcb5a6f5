"""Games from which a network learns: what was chosen, and what came of it.

A value is what a seat gains on its share of victory, of the game or of a stage of it, times a scale
and the root of the number of players: so it varies about as much at small and large tables. What a
decision should have been judged is what the next one of the same seat was judged, and, more so the
nearer it is, what it came to in the end: TD(lambda), on what was really played.

Now and then a table is noted as chance has left it, seen by any seat, with what it came to in the
end: so that the network can tell who was lucky.
"""

import math
from typing import NamedTuple

import numpy as np

from caramba.bots.advice import features, stage, strong, worth
from caramba.bots.compiled import compiled
from caramba.bots.network.champion import copy, judge_all, write
from caramba.bots.network.sheet import blank, clear
from caramba.games import masks
from caramba.games.chance import below
from caramba.games.contract import CHANCE, OVER
from caramba.games.generic import actor, apply, draw, legal, outcome, resample, share_victory

PRESENT, PAST, BY_RULES = range(3)
"""Who may sit in a seat: the network as it is, as it was, or a player by rules."""
TRACE = 0.8
"""Lambda: how much of the end shows in each decision before it."""
CARELESS = 50
"""One decision of so many is made at random."""
GRAIN = 1 << 24
CHANCES = 6
"""One step of chance of so many is noted."""
MOST_SEATS = 8


class Notes(NamedTuple):
    """What is learned from: sheets, and what they came to."""

    sheets: np.ndarray
    values: np.ndarray
    targets: np.ndarray
    seats: np.ndarray
    decided: np.ndarray  # 1 for a decision, 0 for a table that chance has left
    many: np.ndarray  # one number: how many there are


def notes_for(room: int) -> Notes:
    """Room for so many decisions."""
    return Notes(
        blank(room),
        np.zeros(room, np.float32),
        np.zeros(room, np.float32),
        np.zeros(room, np.int8),
        np.zeros(room, np.int8),
        np.zeros(1, np.int64),
    )


class Hall(NamedTuple):
    """Where games are played: the game, a copy of it, and room for this and that."""

    games: np.ndarray
    mask: np.ndarray
    shares: np.ndarray
    result: np.ndarray
    before: np.ndarray
    points: np.ndarray
    kinds: np.ndarray
    weighed: np.ndarray


def hall_for(start: np.ndarray, actions: int) -> Hall:
    """A hall for one game."""
    return Hall(
        np.repeat(start[:1], 2),
        np.zeros(masks.width(actions), np.uint64),
        np.zeros(MOST_SEATS),
        np.zeros(MOST_SEATS),
        np.zeros(MOST_SEATS),
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(actions),
    )


@compiled
def play_and_note(starts, rng, present, past, hall, desk, notes, room, by_stage, scale, heat):
    """Play games from any of these starts until there are so many notes."""
    while notes.many[0] < room:
        hall.games[0] = starts[below(rng, len(starts))]
        seat_players(hall.kinds, int(hall.games[0].players), rng)
        play_one(rng, present, past, hall, desk, notes, by_stage, scale, heat)


@compiled
def seat_players(kinds, players, rng):
    """Who sits where: mostly the network with itself, now and then one seat of it with others."""
    lot = below(rng, 10)
    other = PRESENT if lot < 6 else PAST if lot < 8 else BY_RULES
    for p in range(players):
        kinds[p] = other
    kinds[below(rng, players)] = PRESENT


@compiled
def play_one(rng, present, past, hall, desk, notes, by_stage, scale, heat):
    """One game to its end; the notes of every stage are settled when it ends, or all at the end."""
    s = hall.games[0]
    begun = int(notes.many[0])
    now = -1
    while True:
        who = actor(s)
        if by_stage and who != OVER and stage(s) != now:
            if now >= 0:
                settle(s, hall, notes, begun, scale)
            now = stage(s)
            begun = int(notes.many[0])
            expect_stage(s, hall)
        if who == OVER:
            if not by_stage:
                expect_equal(s, hall)
            settle(s, hall, notes, begun, scale)
            return
        if who == CHANCE:
            apply(s, draw(s, rng))
            p = below(rng, CHANCES * int(s.players))
            goes_on = not by_stage or stage(s) == now
            if p < s.players and hall.kinds[p] == PRESENT and goes_on:
                note_table(s, p, desk, notes)
            continue
        hall.mask[:] = 0
        legal(s, hall.mask)
        if masks.count(hall.mask) == 1:
            apply(s, masks.nth(hall.mask, 0))
            continue
        hall.games[1] = s
        resample(hall.games[1], who, rng)
        advised = strong(hall.games[1], hall.mask, rng)
        if hall.kinds[who] == BY_RULES:
            apply(s, advised)
        elif hall.kinds[who] == PAST:
            apply(s, choose(s, who, advised, rng, past, hall, desk, heat)[0])
        else:
            action, value = choose(s, who, advised, rng, present, hall, desk, heat)
            note_down(s, who, action, advised, value, desk, notes)
            apply(s, action)


@compiled
def expect_stage(s, hall):
    """What everybody may hope for as a stage begins."""
    worth(s, hall.before[: int(s.players)])


@compiled
def expect_equal(s, hall):
    """What everybody may hope for as a game begins."""
    hall.before[:] = 1 / int(s.players)


@compiled
def choose(s, who, advised, rng, weights, hall, desk, heat):
    """An action, better ones more likely, and its value."""
    many = judge_all(s, who, hall.mask, advised, weights, desk)
    place = below(rng, many)
    if below(rng, CARELESS):
        place = by_heat(desk.values, many, hall.weighed, rng, heat)
    return desk.actions[place], desk.values[place]


@compiled
def by_heat(values, many, weighed, rng, heat):
    """A place, by softmax: what is worse by `heat` is taken e times less often."""
    most = values[:many].max()
    total = 0.0
    for i in range(many):
        weighed[i] = np.exp((values[i] - most) / heat)
        total += weighed[i]
    left = total * below(rng, GRAIN) / GRAIN
    for i in range(many):
        left -= weighed[i]
        if left < 0:
            return i
    return many - 1


@compiled
def note_down(s, who, action, advised, value, desk, notes):
    """Keep a decision, if there is room."""
    n = int(notes.many[0])
    if n == len(notes.values):
        return
    write(s, who, action, advised, desk.worlds, desk.sheets[0])
    copy(desk.sheets[0], notes.sheets[n])
    notes.values[n] = value
    notes.seats[n] = who
    notes.decided[n] = 1
    notes.many[0] = n + 1


@compiled
def note_table(s, seat, desk, notes):
    """Keep what a seat knows now, if there is room."""
    n = int(notes.many[0])
    if n == len(notes.values):
        return
    clear(desk.sheets[0])
    features(s, seat, desk.sheets[0])
    copy(desk.sheets[0], notes.sheets[n])
    notes.seats[n] = seat
    notes.decided[n] = 0
    notes.many[0] = n + 1


@compiled
def settle(s, hall, notes, begun, scale):
    """Work out what the decisions since the beginning came to, from the last to the first."""
    players = int(s.players)
    end, winners = outcome(s, hall.points)
    if end:
        share_victory(winners, hall.shares[:players])
    else:
        worth(s, hall.shares[:players])
    scale *= math.sqrt(players)
    for p in range(players):
        hall.result[p] = scale * (hall.shares[p] - hall.before[p])
        hall.shares[p] = hall.result[p]  # what follows a decision came to
        hall.before[p] = hall.result[p]  # what follows was judged
    for n in range(int(notes.many[0]) - 1, begun - 1, -1):
        p = notes.seats[n]
        if not notes.decided[n]:
            notes.targets[n] = hall.result[p]
            continue
        target = TRACE * hall.shares[p] + (1 - TRACE) * hall.before[p]
        notes.targets[n] = target
        hall.shares[p] = target
        hall.before[p] = notes.values[n]
