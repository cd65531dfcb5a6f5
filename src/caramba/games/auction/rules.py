"""The rules of the Auction, in the order of the rule book (RULES.md).

`legal` and `apply` are one match on the phase, then one pair of functions a phase. A phase
is opened by `open_x`, which moves on by itself where nobody is to be asked.
"""

from caramba.games.auction.actions import (
    BID,
    BID_STEP,
    CRATE,
    DEAL,
    DONE,
    FIRST,
    FUERA,
    HOLD,
    KEEP,
    MANOS,
    PASS,
    SEGURIDAD,
    SPECIAL,
    STASH,
    VUELTA,
)
from caramba.games.auction.components import DRAW, HAND, SAFE
from caramba.games.auction.state import (
    CARDS,
    CRATE_KINDS,
    GOODS,
    NONE,
    SPECIALS,
    End,
    Phase,
    Special,
    What,
)
from caramba.games.bags import MOST, first_kind, kinds_in, many, one, total, weigh, without
from caramba.games.bags import draw as draw_from
from caramba.games.chance import below
from caramba.games.compiled import compiled, no_such_phase
from caramba.games.contract import CHANCE, OVER
from caramba.games.masks import allow, allow_bits, lowest
from caramba.games.paper import tell

MUCH = 100
"""More than any crate is worth."""


@compiled
def actor(s):
    """Whose step it is."""
    match s.phase:
        case Phase.FUERA | Phase.BIDS | Phase.STASH | Phase.SEGURIDAD:
            return int(s.seat)
        case Phase.OVER:
            return OVER
        case Phase.FIRST | Phase.SPECIALS | Phase.HANDS | Phase.CRATES | Phase.DRAW:
            return CHANCE
        case _:
            return no_such_phase()


@compiled
def legal(s, mask):
    """What the actor may do."""
    match s.phase:
        case Phase.FUERA:
            legal_fuera(s, mask)
        case Phase.BIDS:
            legal_bids(s, mask)
        case Phase.STASH:
            legal_stash(s, mask)
        case Phase.SEGURIDAD:
            legal_seguridad(s, mask)
        case _:
            no_such_phase()


@compiled
def chances(s, weights):
    """What chance may do: the first outcome's number, and how many are weighted."""
    match s.phase:
        case Phase.FIRST:
            return chances_first(s, weights)
        case Phase.SPECIALS:
            return chances_specials(s, weights)
        case Phase.CRATES:
            return chances_crates(s, weights)
        case Phase.HANDS | Phase.DRAW:
            return chances_cards(s, weights)
        case _:
            return no_such_phase(), 0


@compiled
def draw(s, rng):
    """What chance does, by these weights."""
    match s.phase:
        case Phase.FIRST:
            return FIRST + (below(rng, s.players) if s.chosen_first == NONE else s.chosen_first)
        case Phase.SPECIALS:
            return draw_special(s, rng)
        case Phase.CRATES:
            return CRATE + draw_from(int(s.sack), rng)
        case Phase.HANDS | Phase.DRAW:
            return DEAL + int(s.seat) * CARDS + draw_from(int(s.pile[s.seat]), rng)
        case _:
            return no_such_phase()


@compiled
def apply(s, a):
    """Take one step."""
    match s.phase:
        case Phase.FIRST:
            apply_first(s, a)
        case Phase.SPECIALS:
            apply_special(s, a)
        case Phase.HANDS:
            apply_hands(s, a)
        case Phase.CRATES:
            apply_crate(s, a)
        case Phase.FUERA:
            apply_fuera(s, a)
        case Phase.BIDS:
            apply_bids(s, a)
        case Phase.STASH:
            apply_stash(s, a)
        case Phase.SEGURIDAD:
            apply_seguridad(s, a)
        case Phase.DRAW:
            apply_draw(s, a)
        case _:
            no_such_phase()


@compiled
def outcome(s, points):
    """A35-A37: points so far, the end (0 while playing), and the winners as bits."""
    for p in range(s.players):
        points[p] = stashed_value(s, p)
    return int(s.end), winners(s, points) if s.end else 0


# Small words of the rules


@compiled
def left_of(s, seat):
    """The player to the left."""
    return int(seat) + 1 if seat + 1 < s.players else 0


@compiled
def next_seat(s):
    """Go on to the left; false when that leads back to the first player."""
    s.seat = left_of(s, s.seat)
    return s.seat != s.first


@compiled
def has_good(s, crates, good):
    """Whether there is a crate of this good."""
    return crates & s.of_good[good] != 0


@compiled
def holds(s, p, special):
    """Whether a player has this special card, unplayed."""
    return s.special[p] == special


@compiled
def play_special(s, p):
    """A38: a special card is played once, then leaves the game."""
    s.gone[s.special[p]] = 1
    s.special[p] = NONE


# Setup


@compiled
def chances_first(s, weights):
    """A09: anyone begins, or the seat that was chosen."""
    for p in range(s.players):
        weights[p] = s.chosen_first == NONE or s.chosen_first == p
    return FIRST, int(s.players)


@compiled
def apply_first(s, a):
    """A09."""
    s.first = a - FIRST
    s.seat = 0
    s.phase = Phase.SPECIALS
    tell(s, What.FIRST, s.first)


@compiled
def chances_specials(s, weights):
    """A07: the special cards that nobody has yet."""
    for special in range(SPECIALS):
        weights[special] = 1
    for p in range(s.seat):
        weights[s.special[p]] = 0
    return SPECIAL + int(s.seat) * SPECIALS, SPECIALS


@compiled
def draw_special(s, rng):
    """A07."""
    left = below(rng, SPECIALS - int(s.seat))
    special = 0
    while left > 0 or is_dealt(s, special):
        left -= not is_dealt(s, special)
        special += 1
    return SPECIAL + int(s.seat) * SPECIALS + special


@compiled
def is_dealt(s, special):
    """Whether one of the seats before this one has that card."""
    for p in range(s.seat):
        if s.special[p] == special:
            return True
    return False


@compiled
def apply_special(s, a):
    """A07: one each; with fewer than four players the others are set aside unseen."""
    s.special[s.seat] = a - SPECIAL - int(s.seat) * SPECIALS
    tell(s, What.SPECIAL, s.seat, s.special[s.seat])
    s.seat = left_of(s, s.seat)
    if s.seat == 0:
        s.phase = Phase.HANDS
        s.due = min(HAND, total(int(s.pile[0])))


@compiled
def chances_cards(s, weights):
    """A06, A32: any card of the own pile."""
    weigh(int(s.pile[s.seat]), CARDS, weights)
    return DEAL + int(s.seat) * CARDS, CARDS


@compiled
def take_from_pile(s, a):
    """One card due goes from the pile into the hand."""
    c = a - DEAL - int(s.seat) * CARDS
    s.pile[s.seat] -= one(c)
    s.hand[s.seat] += one(c)
    s.due -= 1
    tell(s, What.DEAL, s.seat, c)
    if s.pile[s.seat] == 0:
        rebuild_pile(s, s.seat)


@compiled
def rebuild_pile(s, p):
    """A32: the discards become the pile. With the pile out, everybody can tell the hand."""
    s.known[p] = s.hand[p]
    if s.discard[p]:
        s.pile[p] += s.discard[p]
        s.discard[p] = 0
        tell(s, What.REBUILT, p)


@compiled
def apply_hands(s, a):
    """A06: four cards each, seat by seat."""
    take_from_pile(s, a)
    if s.due == 0:
        s.seat = left_of(s, s.seat)
        s.due = min(HAND, total(int(s.pile[s.seat])))
        if s.seat == 0:
            s.due = 0
            open_turn(s)


# New crates


@compiled
def open_turn(s):
    """A turn begins with new crates."""
    s.turn += 1
    tell(s, What.TURN, s.first, s.turn)
    open_crates(s)


@compiled
def open_crates(s):
    """A10-A13: draw while a good is missing; if the sack cannot provide it, all is over."""
    s.phase = Phase.CRATES
    if all_goods_represented(s):
        open_fuera(s)
    elif s.sack == 0:
        finish(s, End.SACK)


@compiled
def all_goods_represented(s):
    """A10, A11: of each good there is a crate in the centre or before a player."""
    for good in range(GOODS):
        if not represented(s, good):
            return False
    return True


@compiled
def represented(s, good):
    """A11: in the centre, or won and still face up."""
    for p in range(s.players):
        if has_good(s, s.in_play[p], good):
            return True
    return has_good(s, s.centre, good)


@compiled
def chances_crates(s, weights):
    """A10: any crate of the sack."""
    weigh(int(s.sack), CRATE_KINDS, weights)
    return CRATE, CRATE_KINDS


@compiled
def apply_crate(s, a):
    """A10: one crate at a time into the centre."""
    s.sack -= one(a - CRATE)
    s.centre += one(a - CRATE)
    tell(s, What.CRATE, NONE, a - CRATE)
    open_crates(s)


# Just before the bids


@compiled
def open_fuera(s):
    """A14: the moment for Fuera."""
    s.phase = Phase.FUERA
    s.seat = s.first
    if not is_asked_for_fuera(s, s.seat):
        ask_next_for_fuera(s)


@compiled
def is_asked_for_fuera(s, p):
    """A15: whoever might play Fuera for all the table knows."""
    return not s.gone[Special.FUERA] and s.special[p] != NONE and s.in_play[p] != 0


@compiled
def ask_next_for_fuera(s):
    """A15: the next to the left who is asked, or else the bids."""
    while next_seat(s):
        if is_asked_for_fuera(s, s.seat):
            return
    open_bids(s)


@compiled
def legal_fuera(s, mask):
    """A14: hold, or protect a good of which one has crates in play."""
    allow(mask, HOLD)
    if holds(s, s.seat, Special.FUERA):
        for good in range(GOODS):
            if has_good(s, s.in_play[s.seat], good):
                allow(mask, FUERA + good)


@compiled
def apply_fuera(s, a):
    """A14, A42: the named good is protected; A15: then nobody is asked any more."""
    if a != HOLD:
        s.protected_seat = s.seat
        s.protected_good = a - FUERA
        play_special(s, s.seat)
        tell(s, What.FUERA, s.seat, s.protected_good)
        open_bids(s)
    else:
        tell(s, What.HOLD, s.seat)
        ask_next_for_fuera(s)


# Bids


@compiled
def open_bids(s):
    """A16: the first player begins, and always has a card: two were drawn, or four."""
    s.phase = Phase.BIDS
    s.first_round = 1
    s.seat = s.first
    for p in range(s.players):
        s.passed[p] = 0


@compiled
def legal_bids(s, mask):
    """A16-A21: one card on a good it shows, a special card, or pass."""
    p = s.seat
    if not must_play(s):
        allow(mask, PASS)
    allow_bits(mask, BID, kinds_in(int(s.hand[p])) * MOST & int(s.all_bids))
    if holds(s, p, Special.MANOS) and not s.first_round:
        allow(mask, MANOS)
    if holds(s, p, Special.VUELTA):
        legal_vuelta(s, mask)


@compiled
def must_play(s):
    """A21: the first player may not pass on the first turn of the bids."""
    return s.first_round and s.seat == s.first


@compiled
def legal_vuelta(s, mask):
    """A40: any one card of the own discards."""
    cards = int(s.discard[s.seat])
    while cards:
        c = first_kind(cards)
        allow(mask, VUELTA + c)
        cards = without(cards, c)


@compiled
def apply_bids(s, a):
    """A16-A20, A39, A40."""
    if a == MANOS:
        play_special(s, s.seat)
        tell(s, What.MANOS, s.seat)
        loot(s)
        return
    if a == PASS:
        s.passed[s.seat] = 1
        tell(s, What.PASS, s.seat)
    elif a >= VUELTA:
        take_back_discard(s, a - VUELTA)
    else:
        lay_card(s, (a - BID) // BID_STEP, (a - BID) % BID_STEP)
    ask_next_for_bid(s)


@compiled
def lay_card(s, c, good):
    """A17: one card from hand, face up, on one good."""
    p = s.seat
    s.hand[p] -= one(c)
    s.bid[p][good] += one(c)
    if many(int(s.known[p]), c):
        s.known[p] -= one(c)
    tell(s, What.BID, p, c, good)


@compiled
def take_back_discard(s, c):
    """A40: Estoy de vuelta; everybody sees which card it is."""
    p = s.seat
    play_special(s, p)
    s.discard[p] -= one(c)
    s.hand[p] += one(c)
    s.known[p] += one(c)
    tell(s, What.VUELTA, p, c)


@compiled
def ask_next_for_bid(s):
    """A16, A19, A20: go round those still in; when all have passed, the loot."""
    for _ in range(s.players):
        if not next_seat(s):
            s.first_round = 0
        if not s.passed[s.seat]:
            if s.hand[s.seat] or s.special[s.seat] != NONE:
                return
            s.passed[s.seat] = 1  # A22: nothing left to play
            tell(s, What.NOTHING_LEFT, s.seat)
    loot(s)


# Loot


@compiled
def loot(s):
    """A24-A28: good by good, then the protection is over (A42)."""
    for good in range(GOODS):
        settle(s, good)
    s.protected_seat = s.protected_good = NONE
    open_stash(s)


@compiled
def settle(s, good):
    """A25, A26, A28: the highest total wins; a tie sends the crates to the centre."""
    best, leaders = highest(s, good)
    winner = alone(leaders)
    crates = give_crates(s, good, winner)
    cards = 0 if winner == NONE else s.bid[winner][good]
    for p in range(s.players):
        clear_bid(s, p, good, p == winner)
    if winner != NONE:
        tell(s, What.WON, winner, good, best, crates, cards)
    elif best:
        tell(s, What.TIE, NONE, good, best, crates, leaders)
    else:
        tell(s, What.UNWANTED, NONE, good)


@compiled
def highest(s, good):
    """A24, A25: the highest total for a good, and whose it is as bits."""
    best = 0
    leaders = 0
    for p in range(s.players):
        value = offer(s, p, good)
        if value > best:
            best = value
            leaders = 0
        if value == best:
            leaders |= 1 << p
    return best, leaders


@compiled
def alone(leaders):
    """A26, A28: the one who leads; NONE if two do, or all because nobody bids."""
    return NONE if leaders & (leaders - 1) else lowest(leaders)


@compiled
def offer(s, p, good):
    """A24: a player's total for a good is the cards bid on it, and the bonus."""
    value = bonus(s, p, good)
    cards = int(s.bid[p][good])
    while cards:
        c = first_kind(cards)
        value += many(cards, c) * int(s.card_value[c][good])
        cards = without(cards, c)
    return value


@compiled
def bonus(s, p, good):
    """A31: the highest crate of this good that the player has in play."""
    best = 0
    crates = int(s.in_play[p]) & int(s.of_good[good])
    while crates:
        k = first_kind(crates)
        best = max(best, int(s.crate_value[k]))
        crates = without(crates, k)
    return best


@compiled
def give_crates(s, good, winner):
    """A25, A28: the others' crates of a good that are not protected go to the winner, with
    those of the centre, or else into it. Return what changes hands.
    """
    wanted = int(s.of_good[good])
    moved = 0
    for p in range(s.players):
        if p != winner and not is_protected(s, p, good):
            moved += s.in_play[p] & wanted
            s.in_play[p] &= ~wanted
    if winner == NONE:
        s.centre += moved
    else:
        moved += s.centre & wanted
        s.centre &= ~wanted
        s.in_play[winner] += moved
    return moved


@compiled
def is_protected(s, p, good):
    """A42: Fuera guards the crates of one player and one good this turn."""
    return s.protected_seat == p and s.protected_good == good


@compiled
def clear_bid(s, p, good, has_won):
    """A27: the winner's cards are discarded, all others go back to hand, known to all."""
    cards = s.bid[p][good]
    s.bid[p][good] = 0
    if has_won:
        s.discard[p] += cards
    else:
        s.hand[p] += cards
        s.known[p] += cards


# Stash


@compiled
def open_stash(s):
    """A29, A30: from the first player on, whoever has crates in play is asked."""
    s.phase = Phase.STASH
    s.seat = s.first
    if s.in_play[s.seat] == 0:
        ask_next_for_stash(s)


@compiled
def ask_next_for_stash(s):
    """A30: the next to the left with crates in play, or else the draw."""
    s.phase = Phase.STASH
    while next_seat(s):
        if s.in_play[s.seat]:
            return
    open_draw(s)


@compiled
def legal_stash(s, mask):
    """A29, A43: one crate, none, or En seguridad."""
    allow(mask, KEEP)
    if holds(s, s.seat, Special.SEGURIDAD):
        allow(mask, SEGURIDAD)
    allow_crates(s, mask, MUCH)


@compiled
def apply_stash(s, a):
    """A29, A43."""
    if a == SEGURIDAD:
        play_special(s, s.seat)
        s.safe_left = SAFE
        s.phase = Phase.SEGURIDAD
        tell(s, What.SEGURIDAD, s.seat)
        return
    if a != KEEP:
        turn_over(s, a - STASH)
    else:
        tell(s, What.KEEP, s.seat)
    ask_next_for_stash(s)


@compiled
def turn_over(s, k):
    """A29: face down, and safe for good."""
    s.in_play[s.seat] -= one(k)
    s.stash[s.seat] += one(k)
    tell(s, What.STASH, s.seat, k)


@compiled
def legal_seguridad(s, mask):
    """A43: crates of at most 6 in all, until done."""
    allow(mask, DONE)
    allow_crates(s, mask, int(s.safe_left))


@compiled
def allow_crates(s, mask, most):
    """A29, A43: any crate in play before the player that is worth no more than this."""
    crates = int(s.in_play[s.seat])
    while crates:
        k = first_kind(crates)
        if s.crate_value[k] <= most:
            allow(mask, STASH + k)
        crates = without(crates, k)


@compiled
def apply_seguridad(s, a):
    """A43."""
    if a == DONE:
        s.safe_left = 0
        tell(s, What.DONE, s.seat)
        ask_next_for_stash(s)
    else:
        s.safe_left -= s.crate_value[a - STASH]
        turn_over(s, a - STASH)


# Draw


@compiled
def open_draw(s):
    """A32: from the first player on, two cards each."""
    s.phase = Phase.DRAW
    s.seat = s.first
    s.due = DRAW
    go_on_drawing(s)


@compiled
def go_on_drawing(s):
    """A32: the next card due, if there is one; else the turn is over.

    A pile that ran out when there were no discards is rebuilt now.
    """
    while True:
        if s.pile[s.seat] == 0:
            rebuild_pile(s, s.seat)
        if s.due and s.pile[s.seat]:
            return
        s.due = DRAW
        if not next_seat(s):
            break
    s.due = 0
    close_turn(s)


@compiled
def apply_draw(s, a):
    """A32."""
    take_from_pile(s, a)
    go_on_drawing(s)


@compiled
def close_turn(s):
    """A34: the player to the left is first; A37: unless that was the last turn."""
    s.first = left_of(s, s.first)
    if s.turn == s.max_turns:
        finish(s, End.TURNS)
    else:
        open_turn(s)


# End


@compiled
def finish(s, end):
    """A13, A37: the game is over."""
    s.end = end
    s.phase = Phase.OVER
    tell(s, What.OVER, NONE, end)


@compiled
def stashed_value(s, p):
    """A35: only stashed crates count, whatever the good."""
    return value_of(s, int(s.stash[p]))


@compiled
def value_of(s, crates):
    """What crates are worth together."""
    value = 0
    while crates:
        k = first_kind(crates)
        value += many(crates, k) * int(s.crate_value[k])
        crates = without(crates, k)
    return value


@compiled
def winners(s, points):
    """A36: most points, then most bid cards in hand, then together."""
    best = 0
    for p in range(s.players):
        best = max(best, rank(s, points, p))
    bits = 0
    for p in range(s.players):
        if rank(s, points, p) == best:
            bits |= 1 << p
    return bits


@compiled
def rank(s, points, p):
    """A36: points first, then cards in hand."""
    return points[p] * 1000 + total(int(s.hand[p]))
