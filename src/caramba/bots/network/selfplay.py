"""Games from which a network learns: what was chosen, and what came of it.

A value is a share of victory, times a scale and the root of the number of players: so it varies
about as much at small and large tables. The network learns what is to be added to the guess of a
rule of thumb. What a decision should have been judged is what the next one of the same seat was
judged, and, more so the nearer it is, what it came to in the end, of the game or of a stage of it:
TD(lambda), on what was really played. Where the network is asked about the ways of chance, all
seats note how they stand once chance has spoken.

Who learns to beat one network, and no other, plays it in every game.

A judge learns otherwise: it watches games, and notes tables as chance has left them with what they
came to in the end, from what all seats know together.
"""

from typing import NamedTuple

import numpy as np

from caramba.bots.advice import stage, strong, way, worth
from caramba.bots.compiled import compiled
from caramba.bots.network.champion import (
    MOST_SEATS,
    best_of,
    copy,
    guessed,
    judge_all,
    judge_anew,
    unit,
    write,
)
from caramba.bots.network.luck import everything
from caramba.bots.network.sheet import blank
from caramba.games import masks
from caramba.games.chance import below
from caramba.games.contract import CHANCE, OVER
from caramba.games.generic import actor, apply, draw, legal, outcome, resample, share_victory

PRESENT, PAST, BY_RULES, RIVAL = range(4)
"""Who may sit in a seat: the network as it is, as it was, a player by rules, or another network,
which always does what it likes best."""
CARELESS = 50
"""One decision of so many is made at random."""
GRAIN = 1 << 24
CHANCES = 3
"""A judge notes one step of chance of so many."""


class Notes(NamedTuple):
    """What is learned from: sheets, and what they came to."""

    sheets: np.ndarray
    values: np.ndarray
    targets: np.ndarray
    seats: np.ndarray
    many: np.ndarray  # one number: how many there are


def notes_for(room: int) -> Notes:
    """Room for so many decisions."""
    return Notes(
        blank(room),
        np.zeros(room, np.float32),
        np.zeros(room, np.float32),
        np.zeros(room, np.int8),
        np.zeros(1, np.int64),
    )


class Hall(NamedTuple):
    """Where games are played: the game, a copy of it, and room for this and that."""

    games: np.ndarray
    mask: np.ndarray
    shares: np.ndarray
    judged: np.ndarray
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
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(actions),
    )


@compiled
def play_and_note(starts, rng, present, other, hall, desk, notes, room, exploits, watches, *how):
    """Play games from any of these starts until there are so many notes.

    The other network is a rival if this one exploits it; else it is this one as it was.
    """
    while notes.many[0] < room:
        hall.games[0] = starts[below(rng, len(starts))]
        seat_players(hall.kinds, int(hall.games[0].players), exploits, watches, rng)
        play_one(rng, present, other, hall, desk, notes, watches, *how)


@compiled
def seat_players(kinds, players, exploits, watches, rng):
    """Who sits where: mostly the network with itself, now and then one seat of it with others.

    Who learns to exploit a rival always sits alone among rivals. A judge watches games of the
    network with itself.
    """
    lot = 0 if exploits or watches else below(rng, 10)
    others = RIVAL if exploits else PRESENT if lot < 6 else PAST if lot < 8 else BY_RULES
    for p in range(players):
        kinds[p] = others
    kinds[below(rng, players)] = PRESENT


@compiled
def play_one(rng, present, other, hall, desk, notes, watches, by_stage, by_chance, trace, heat):
    """One game to its end; the notes of every stage are settled when it ends, or all at the end."""
    s = hall.games[0]
    begun = int(notes.many[0])
    now = -1
    last = CHANCE
    while True:
        who = actor(s)
        if by_stage and who != OVER and stage(s) != now:
            if now >= 0:
                settle(s, hall, notes, begun, desk.scale, trace)
            now = stage(s)
            begun = int(notes.many[0])
        if who == OVER:
            settle(s, hall, notes, begun, desk.scale, trace)
            return
        if who == CHANCE:
            apply(s, draw(s, rng))
            last = CHANCE
            if by_stage and stage(s) != now:
                continue
            if watches:
                if below(rng, CHANCES) == 0:
                    note_table(s, below(rng, int(s.players)), notes)
            elif by_chance and actor(s) >= 0:
                note_standing(s, present, hall, desk, notes)
            continue
        hall.mask[:] = 0
        legal(s, hall.mask)
        if masks.count(hall.mask) == 1:
            apply(s, masks.nth(hall.mask, 0))
            last = who
            continue
        if hall.kinds[who] == BY_RULES:
            hall.games[1] = s
            resample(hall.games[1], who, rng)
            apply(s, strong(hall.games[1], hall.mask, rng))
        elif hall.kinds[who] == RIVAL:
            apply(s, best_of(hall.games, who, hall.mask, other, desk))
        elif hall.kinds[who] == PAST:
            apply(s, choose(s, who, rng, other, hall, desk, heat)[0])
        else:
            action, value = choose(s, who, rng, present, hall, desk, heat)
            if not watches:
                note_down(s, who, action, value, who == last, desk, notes)
            apply(s, action)
        last = who


@compiled
def choose(s, who, rng, weights, hall, desk, heat):
    """An action, better ones more likely, and its value."""
    many = judge_all(s, who, hall.mask, weights, desk)
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
def note_down(s, who, action, value, goes_on, desk, notes):
    """Keep a decision, if there is room.

    Nobody is asked what the network thinks of a first step after which the same seat takes another:
    it is judged by where that one leads; nor of one after which it looks at the ways of chance.
    """
    n = int(notes.many[0])
    if n == len(notes.values):
        return
    if write(s, who, action, desk.worlds, desk.sheets[0]) and not goes_on:
        return
    if way(desk.worlds[0], who, 0) >= 0:
        return
    copy(desk.sheets[0], notes.sheets[n])
    notes.values[n] = value
    notes.seats[n] = who
    notes.many[0] = n + 1


@compiled
def note_standing(s, weights, hall, desk, notes):
    """Keep what everybody who learns knows now that chance has spoken, as long as there is room."""
    for p in range(s.players):
        n = int(notes.many[0])
        if hall.kinds[p] == PRESENT and n < len(notes.values):
            notes.values[n] = judge_anew(s, p, weights, desk)
            copy(desk.sheets[0], notes.sheets[n])
            notes.seats[n] = p
            notes.many[0] = n + 1


@compiled
def note_table(s, seat, notes):
    """Keep what all know together now, for how well this seat stands, if there is room."""
    n = int(notes.many[0])
    if n == len(notes.values):
        return
    everything(s, seat, notes.sheets[n])
    notes.seats[n] = seat
    notes.many[0] = n + 1


@compiled
def settle(s, hall, notes, begun, scale, trace):
    """Work out what the decisions since the beginning came to, from the last to the first."""
    players = int(s.players)
    end, winners = outcome(s, hall.points)
    if end:
        share_victory(winners, hall.shares[:players])
    else:
        worth(s, hall.shares[:players])
    for p in range(players):
        hall.shares[p] *= unit(scale, players)  # what follows a decision came to
        hall.judged[p] = hall.shares[p]  # what follows was judged
    for n in range(int(notes.many[0]) - 1, begun - 1, -1):
        p = notes.seats[n]
        target = trace * hall.shares[p] + (1 - trace) * hall.judged[p]
        notes.targets[n] = target - guessed(notes.sheets[n], scale, players)
        hall.shares[p] = target
        hall.judged[p] = notes.values[n]
