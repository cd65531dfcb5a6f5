"""The rules of the Race, in the order of the rule book (RULES.md).

`legal` and `apply` are one match on the phase, then one pair of functions a phase. A phase
is opened by `open_x`, which moves on by itself where nobody is to be asked.
"""

from caramba.games.chance import below
from caramba.games.compiled import compiled, no_such_phase
from caramba.games.contract import CHANCE, OVER
from caramba.games.masks import allow, allow_range, forbid
from caramba.games.paper import tell
from caramba.games.race.actions import ACCEPT, AMBUSH, DICE, DIE, FIRST, NO, OFFER, PLACE
from caramba.games.race.components import AMBUSH_DICE, FACES, FEW
from caramba.games.race.state import IN_HAND, NONE, OFF_TRACK, ZONES, End, Phase, What


@compiled
def actor(s):
    """Whose step it is."""
    match s.phase:
        case Phase.FIRST | Phase.ROLL:
            return CHANCE
        case Phase.OVER:
            return OVER
        case (
            Phase.PLACE
            | Phase.ROUND_AMBUSH
            | Phase.TURN_AMBUSH
            | Phase.DICE
            | Phase.OFFERS
            | Phase.ANSWER
        ):
            return int(s.seat)
        case _:
            return no_such_phase()


@compiled
def legal(s, mask):
    """What the actor may do."""
    match s.phase:
        case Phase.PLACE:
            legal_place(s, mask)
        case Phase.ROUND_AMBUSH | Phase.TURN_AMBUSH:
            legal_ambush(s, mask)
        case Phase.DICE:
            legal_dice(s, mask)
        case Phase.OFFERS:
            legal_offer(s, mask)
        case Phase.ANSWER:
            legal_answer(s, mask)
        case _:
            no_such_phase()


@compiled
def chances(s, weights):
    """What chance may do: the first outcome's number, and how many are weighted."""
    match s.phase:
        case Phase.FIRST:
            return chances_first(s, weights)
        case Phase.ROLL:
            return chances_die(s, weights)
        case _:
            return no_such_phase(), 0


@compiled
def draw(s, rng):
    """What chance does, by these weights."""
    match s.phase:
        case Phase.FIRST:
            return FIRST + (below(rng, s.players) if s.chosen_first == NONE else s.chosen_first)
        case Phase.ROLL:
            return DIE + below(rng, FACES)
        case _:
            return no_such_phase()


@compiled
def apply(s, a):
    """Take one step."""
    match s.phase:
        case Phase.FIRST:
            apply_first(s, a)
        case Phase.PLACE:
            apply_place(s, a)
        case Phase.ROUND_AMBUSH:
            apply_round_ambush(s, a)
        case Phase.TURN_AMBUSH:
            apply_turn_ambush(s, a)
        case Phase.DICE:
            apply_dice(s, a)
        case Phase.OFFERS:
            apply_offer(s, a)
        case Phase.ANSWER:
            apply_answer(s, a)
        case Phase.ROLL:
            apply_die(s, a)
        case _:
            no_such_phase()


@compiled
def outcome(s, points):
    """R24: silver is points; the end (0 while playing), and the winners as bits."""
    for p in range(s.players):
        points[p] = s.money[p]
    return int(s.end), winners(s) if s.end else 0


# Small words of the rules


@compiled
def each(s):
    """R01: how many sombreros, and ambush tokens, a player has."""
    return 2 if s.players <= FEW else 1


@compiled
def hats(s):
    """How many sombreros there are."""
    return int(s.players) * each(s)


@compiled
def owner(s, hat):
    """Whose sombrero, or token, this is."""
    return int(hat) // 2 if each(s) == 2 else int(hat)


@compiled
def mover(s):
    """The sombrero whose turn it is."""
    return int(s.order[s.place])


@compiled
def on_track(s, hat):
    """Whether a sombrero is in the race and not in the mine."""
    return s.position[hat] != OFF_TRACK


@compiled
def left_of(s, seat):
    """The player to the left."""
    return int(seat) + 1 if seat + 1 < s.players else 0


@compiled
def last_space(s):
    """R03: the space next to the mine."""
    return int(s.zone_end[ZONES - 1])


@compiled
def zone(s, space):
    """R03: stone, gravel or earth."""
    z = 0
    while space > s.zone_end[z]:
        z += 1
    return z


@compiled
def hat_on(s, space, apart_from):
    """The sombrero on a space, other than this one; NONE if there is none."""
    for hat in range(hats(s)):
        if s.position[hat] == space and hat != apart_from:
            return hat
    return NONE


@compiled
def has_ambush(s, space):
    """Whether an ambush token lies on a space."""
    for token in range(hats(s)):
        if s.token[token] == space:
            return True
    return False


# Start of a race


@compiled
def chances_first(s, weights):
    """R05: anyone has the highest die, or the seat that was chosen."""
    for p in range(s.players):
        weights[p] = s.chosen_first == NONE or s.chosen_first == p
    return FIRST, int(s.players)


@compiled
def apply_first(s, a):
    """R05, R06: clockwise from the first, once for each sombrero that one has."""
    for i in range(hats(s)):
        p = (a - FIRST + i) % s.players
        s.order[i] = p * each(s) + i // int(s.players)
    tell(s, What.FIRST, a - FIRST)
    open_places(s)


@compiled
def open_places(s):
    """R06: every sombrero is put on the track, in this order."""
    s.phase = Phase.PLACE
    s.many = hats(s)
    s.place = 0
    s.seat = owner(s, mover(s))


@compiled
def legal_place(s, mask):
    """R06: on any free space."""
    allow_free_spaces(s, mask, PLACE)


@compiled
def allow_free_spaces(s, mask, do):
    """Every space without a sombrero; OFF_TRACK, where the others are, is no space."""
    allow_range(mask, do + 1, do + last_space(s))
    for hat in range(hats(s)):
        forbid(mask, do + int(s.position[hat]))


@compiled
def apply_place(s, a):
    """R06: one sombrero a space."""
    s.position[mover(s)] = a - PLACE
    tell(s, What.PLACE, s.seat, a - PLACE)
    s.place += 1
    if s.place < s.many:
        s.seat = owner(s, mover(s))
    else:
        open_round(s)


# Rounds and turns


@compiled
def open_round(s):
    """R07: from the sombrero nearest the mine to the last; the order of a round is fixed."""
    s.many = 0
    for hat in range(hats(s)):
        if on_track(s, hat):
            line_up(s, hat)
    s.place = NONE
    ask_next_for_round_ambush(s)


@compiled
def line_up(s, hat):
    """R07: put a sombrero into the order behind those that are nearer the mine."""
    at = int(s.many)
    while at > 0 and s.position[s.order[at - 1]] < s.position[hat]:
        s.order[at] = s.order[at - 1]
        at -= 1
    s.order[at] = hat
    s.many += 1


@compiled
def open_turn(s):
    """R07: the sombrero in turn; nobody arrives but in an own turn, so it is on the track."""
    s.seat = owner(s, mover(s))
    if is_asked_before_turn(s):
        s.phase = Phase.TURN_AMBUSH
    else:
        open_dice(s)


@compiled
def rank(s, hat):
    """R08: 1 for the leader of those on the track, 2 for the next, and so on."""
    ahead = 0
    for other in range(hats(s)):
        if s.position[other] > s.position[hat]:
            ahead += 1
    return ahead + 1


# Ambush


@compiled
def ask_next_for_round_ambush(s):
    """R11(a): at the start of a round everyone who holds a token is asked once."""
    s.phase = Phase.ROUND_AMBUSH
    s.place += 1
    while s.place < s.many:
        s.seat = owner(s, mover(s))
        if is_foremost(s) and token_in_hand(s, s.seat) != NONE:
            return
        s.place += 1
    s.place = 0
    open_turn(s)


@compiled
def is_foremost(s):
    """R11: whether the sombrero in turn is the first of its owner in the order."""
    for i in range(s.place):
        if owner(s, s.order[i]) == s.seat:
            return False
    return True


@compiled
def is_asked_before_turn(s):
    """R11(b): who holds a token or has one to take back; the first mover only the latter."""
    can_take_back = passed_token(s, s.seat) != NONE
    return can_take_back or (s.place > 0 and token_in_hand(s, s.seat) != NONE)


@compiled
def token_in_hand(s, p):
    """A token that the player holds, or NONE."""
    for token in range(p * each(s), (p + 1) * each(s)):
        if s.token[token] == IN_HAND:
            return token
    return NONE


@compiled
def next_token(s, p):
    """R13: the token that a player would lay: one in hand first, else the passed one; or NONE."""
    token = token_in_hand(s, p)
    return passed_token(s, p) if token == NONE else token


@compiled
def passed_token(s, p):
    """R12, R13: the player's passed token that lies farthest from the mine, or NONE."""
    found = NONE
    for token in range(p * each(s), (p + 1) * each(s)):
        if is_passed(s, token) and (found == NONE or s.token[token] < s.token[found]):
            found = token
    return found


@compiled
def is_passed(s, token):
    """R12: all sombreros on the track are beyond it."""
    for hat in range(hats(s)):
        if on_track(s, hat) and s.position[hat] <= s.token[token]:
            return False
    return s.token[token] != IN_HAND


@compiled
def legal_ambush(s, mask):
    """R11, R13: any empty space, or no."""
    allow_free_spaces(s, mask, AMBUSH)
    for token in range(hats(s)):
        forbid(mask, AMBUSH + int(s.token[token]))
    allow(mask, NO)


@compiled
def place_ambush(s, a):
    """R13: on a space, or not at all."""
    if a == NO:
        return
    s.token[next_token(s, s.seat)] = a - AMBUSH
    tell(s, What.AMBUSH, s.seat, a - AMBUSH)


@compiled
def apply_round_ambush(s, a):
    """R11(a)."""
    place_ambush(s, a)
    ask_next_for_round_ambush(s)


@compiled
def apply_turn_ambush(s, a):
    """R11(b), R13."""
    place_ambush(s, a)
    open_dice(s)


# Dice


@compiled
def open_dice(s):
    """R08, R10: the mover says how many dice it rolls."""
    s.phase = Phase.DICE
    s.seat = owner(s, mover(s))


@compiled
def legal_dice(s, mask):
    """R08, R10: as many dice as the rank, or fewer for money."""
    due = rank(s, mover(s))
    for dice in range(1, due + 1):
        if dice == due or can_afford(s, s.seat, price(s, due - dice)):
            allow(mask, DICE + dice)


@compiled
def price(s, bought_off):
    """R10, R20: 1 silver for the first die, 2 for the second, ... times the race number."""
    return bought_off * (bought_off + 1) // 2 * int(s.race)


@compiled
def can_afford(s, p, silver):
    """R10, R21: only in full, and not in bankruptcy."""
    return s.money[p] >= silver and not s.bankrupt[p]


@compiled
def apply_dice(s, a):
    """R10: into the pot for each die that is not rolled."""
    s.dice = a - DICE
    fewer = rank(s, mover(s)) - s.dice
    paid = pay_pot(s, s.seat, price(s, fewer))
    tell(s, What.DICE, s.seat, s.dice, paid, fewer)
    open_offers(s)


# Persuasion


@compiled
def open_offers(s):
    """R18: before the roll, each other player may offer money for one die more."""
    s.phase = Phase.OFFERS
    for p in range(s.players):
        s.offer[p] = 0
    if s.persuasion:
        ask_next_for_offer(s)
    else:
        open_roll(s)


@compiled
def ask_next_for_offer(s):
    """R18: clockwise from the mover; who has no money or is bankrupt is not asked."""
    s.seat = left_of(s, s.seat)
    while s.seat != owner(s, mover(s)):
        if can_afford(s, s.seat, 1):
            return
        s.seat = left_of(s, s.seat)
    if has_offers(s):
        s.phase = Phase.ANSWER
    else:
        open_roll(s)


@compiled
def has_offers(s):
    """Whether anybody has offered money."""
    for p in range(s.players):
        if s.offer[p]:
            return True
    return False


@compiled
def legal_offer(s, mask):
    """R18: an amount that one owns, or no."""
    allow(mask, NO)
    allow_range(mask, OFFER + 1, OFFER + int(s.money[s.seat]))


@compiled
def apply_offer(s, a):
    """R18: one public offer each, no raising."""
    if a != NO:
        s.offer[s.seat] = a - OFFER
        tell(s, What.OFFER, s.seat, a - OFFER)
    ask_next_for_offer(s)


@compiled
def legal_answer(s, mask):
    """R18: the mover accepts one offer, or none."""
    allow(mask, NO)
    for p in range(s.players):
        if s.offer[p]:
            allow(mask, ACCEPT + p)


@compiled
def apply_answer(s, a):
    """R18: the money passes at once, and one die more is rolled."""
    if a != NO:
        p = a - ACCEPT
        s.money[p] -= s.offer[p]
        s.money[s.seat] += s.offer[p]
        s.dice += 1
        tell(s, What.ACCEPT, s.seat, p, s.offer[p])
    else:
        tell(s, What.DECLINE, s.seat)
    open_roll(s)


# Moving


@compiled
def open_roll(s):
    """R09: the dice that were declared."""
    roll(s, s.dice)


@compiled
def roll(s, dice):
    """So many dice are rolled now."""
    s.phase = Phase.ROLL
    s.dice_left = dice
    s.sum_rolled = 0


@compiled
def chances_die(s, weights):
    """R02: 0 to 5, all alike."""
    for face in range(FACES):
        weights[face] = 1
    return DIE, FACES


@compiled
def apply_die(s, a):
    """R09: when all dice lie, the sombrero advances by their sum."""
    s.sum_rolled += a - DIE
    s.dice_left -= 1
    tell(s, What.DIE, owner(s, mover(s)), mover(s), a - DIE)
    if s.dice_left == 0:
        advance(s, mover(s))


@compiled
def advance(s, hat):
    """R09, R14, R16, R17, R19: move on, then see where it has landed."""
    start = int(s.position[hat])
    space = start + int(s.sum_rolled)
    if space > last_space(s):
        arrive(s, hat)
        return
    s.position[hat] = space
    tell(s, What.MOVE, owner(s, hat), hat, start, space)
    host = hat_on(s, space, hat)
    if has_ambush(s, space):
        roll(s, AMBUSH_DICE[zone(s, space)])
        tell(s, What.AMBUSHED, owner(s, hat), hat, space, s.dice_left)
    elif host != NONE:
        welcome(s, host, hat)
        roll(s, 1)
    else:
        close_turn(s)


@compiled
def welcome(s, other, hat):
    """R15, R16, R20: a gift of 1 silver times the race number, unless to oneself."""
    host = owner(s, other)
    guest = owner(s, hat)
    gift = int(s.race) if host != guest else 0
    given = spend(s, host, gift)
    s.money[guest] += given
    tell(s, What.WELCOME, guest, hat, s.position[hat], host, given)
    see_ruin(s, host, gift, given)


@compiled
def close_turn(s):
    """R07: the next of the round, or a new round begun by the leader of this moment."""
    s.place += 1
    if s.place < s.many:
        open_turn(s)
    else:
        open_round(s)


# Arrival


@compiled
def arrive(s, hat):
    """R19: into the mine for a fee that grows with every arrival; the last one stays out."""
    start = s.position[hat]
    p = owner(s, hat)
    due = fee(s)
    s.arrival[hat] = arrived(s) + 1
    s.position[hat] = OFF_TRACK
    paid = pay_pot(s, p, due)
    tell(s, What.ARRIVE, p, hat, start, s.arrival[hat], paid)
    see_ruin(s, p, due, paid)
    if on_track_now(s) == 1:
        close_race(s)
    else:
        close_turn(s)


@compiled
def fee(s):
    """R19, R20: what the next one pays who arrives: 1 silver for the first, 2 for the second."""
    return (arrived(s) + 1) * int(s.race)


@compiled
def arrived(s):
    """How many sombreros are in the mine."""
    found = 0
    for hat in range(hats(s)):
        if s.arrival[hat]:
            found += 1
    return found


@compiled
def on_track_now(s):
    """How many sombreros are still on the track."""
    found = 0
    for hat in range(hats(s)):
        if on_track(s, hat):
            found += 1
    return found


@compiled
def pay_pot(s, p, silver):
    """Money goes into the pot; return how much."""
    paid = spend(s, p, silver)
    s.pot += paid
    return paid


@compiled
def spend(s, p, silver):
    """R21: what a player really pays: all there is, if it is too much; in bankruptcy nothing."""
    paid = 0 if s.bankrupt[p] else min(silver, int(s.money[p]))
    s.money[p] -= paid
    return paid


@compiled
def see_ruin(s, p, silver, paid):
    """R21: who cannot pay in full is bankrupt."""
    if paid < silver and not s.bankrupt[p]:
        s.bankrupt[p] = 1
        tell(s, What.BANKRUPT, p)


# The end of a race


@compiled
def close_race(s):
    """R19: the pot goes to the owner of the last sombrero; R22, R23, R25: it may be the end."""
    winner = NONE
    for hat in range(hats(s)):
        if on_track(s, hat):
            winner = owner(s, hat)
    pot = s.pot
    s.money[winner] += pot
    s.pot = 0
    tell(s, What.RACE_WON, winner, pot)
    for p in range(s.players):
        s.gone[p] = s.bankrupt[p] and p != winner
    s.end = reason_to_end(s)
    if s.end:
        s.phase = Phase.OVER
        tell(s, What.OVER, NONE, s.end)
    else:
        next_race(s)


@compiled
def reason_to_end(s):
    """R22, R23, R25: the first reason that holds."""
    for p in range(s.players):
        if s.gone[p]:
            return End.BANKRUPT
    for p in range(s.players):
        if s.money[p] == 0:
            return End.BROKE
    if s.race == s.max_races:
        return End.RACES
    return End.NOT_YET


@compiled
def next_race(s):
    """R05, R12, R20: whoever stayed out of the mine longer places earlier."""
    for hat in range(hats(s)):
        behind = hats(s) - s.arrival[hat] if s.arrival[hat] else 0
        s.order[behind] = hat
    for hat in range(hats(s)):
        s.position[hat] = OFF_TRACK
        s.arrival[hat] = 0
        s.token[hat] = IN_HAND
    for p in range(s.players):
        s.bankrupt[p] = 0
    s.race += 1
    tell(s, What.RACE, NONE, s.race)
    open_places(s)


@compiled
def winners(s):
    """R24: the richest of those who have not left."""
    most = 0
    for p in range(s.players):
        if not s.gone[p]:
            most = max(most, int(s.money[p]))
    bits = 0
    for p in range(s.players):
        if not s.gone[p] and s.money[p] == most:
            bits |= 1 << p
    return bits
