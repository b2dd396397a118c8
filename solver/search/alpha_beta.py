"""The search: can the player on lead take at least so many of the tricks left?

Alpha-beta with a null window, trick by trick. The leader is always "mine"; when the follower wins a trick the players
change roles: the leader takes ``target`` of ``left`` exactly when the follower, leading the rest, cannot take ``left -
target`` of it.
"""

from numba import int64
from numba.types import UniTuple

from solver.search.bounds import cashed, leader_at_most
from solver.search.compiled import MEMORY, kernel
from solver.search.layout import (
    BARRED,
    BARRED_FIELD,
    COUNT_MINE,
    DEAD_HIS,
    DEAD_MINE,
    HIS,
    MINE,
    NOTRUMP,
    OWNERS,
)
from solver.search.lead_order import features_of, learn
from solver.search.memory import (
    DOMINANCE_GUARD,
    EXPANDED,
    FOLLOWER_BOUND,
    FREE_DISCARD,
    LEAD_ORDER,
    LEADER_BOUND,
    LEARN_AT,
    MOVES_AT,
    MOVES_PER_DEPTH,
    ORDER_AT,
    PATTERNS_AT,
    PROBED,
    REPLY_DOMINANCE,
    SWITCHED_OFF,
    TOUCHING_CARDS,
    TRANSPOSITIONS,
)
from solver.search.moves import UNMARKED, kind_of, turned_cards, turned_marks, unmarked, without, without_colon
from solver.search.transposition import LEAST, MOST, POSITION_MASK, canonical, slot_of, store

# A move: bits 0-2 suit, or 4 + colon, or DEAD_COLON; bits 3-6 position in the suit's pattern; bits 7-10 index among
# the hand's cards of the suit from below; bit 11 a reply that wins; bit 12 a reply that bars the suit led.
COLON = 4
DEAD_COLON = 7
POSITION = 3
INDEX = 7
WINS = 1 << 11
BARS = 1 << 12


@kernel(int64(int64, int64, int64, MEMORY))
def rank_is_irrelevant_below(cards, marks, left, memory):
    """1 where of two replies of one suit, kind and result of the trick the lower card is proven as good as the higher.

    It is sound where being on lead costs at most one trick in every position that can follow, of at most left - 2 cards
    of those now held. By complete enumeration that holds without colons, with at most 7 cards (6 with
    free_colon_discard) but for one family (one hand with :R and number cards of one suit, the other with :L and K Q J
    of another), and by default rules with dead colons only up to 10 cards. The family shows in the marks: three of a
    suit that :L meets, three of another that :R meets.
    """
    if memory[SWITCHED_OFF] & DOMINANCE_GUARD:
        return 1
    colons = marks >> OWNERS & 0x3FF
    if colons == 0:
        return 1
    free = memory[FREE_DISCARD]
    if left <= 9 - free:
        little = colons & 3
        royal = colons >> 2 & 3
        if little == 0 or royal == 0 or little == royal:
            return 1
        numbers = int64(0)
        faces = int64(0)
        for suit in range(4):
            if marks >> (4 * suit) & 15 >= 3:
                numbers |= int64(1) << suit
            if marks >> (16 + 2 * suit) & 3 == 3:
                faces |= int64(1) << suit
        if numbers == 0 or faces == 0 or (numbers == faces and numbers & (numbers - 1) == 0):
            return 1
        return 0
    if free == 0 and left <= 12 and colons & 63 == 0:
        return 1
    return 0


@kernel(int64(int64, int64, int64, MEMORY))
def generate_leads(cards, marks, at, memory):
    """Write the leads at ``memory[at]`` on, one for each set of touching cards of one kind; returns how many."""
    number = int64(0)
    barred = (marks >> BARRED & 7) - 1
    separate = memory[SWITCHED_OFF] & TOUCHING_CARDS
    for suit in range(4):
        if suit == barred:
            continue
        pattern = cards >> (16 * suit) & 0xFFFF
        info = memory[PATTERNS_AT + pattern]
        count = info >> COUNT_MINE & 15
        if count == 0:
            continue
        index = count
        last_kind = int64(-1)
        last_position = int64(-9)
        for position in range((info & 15) - 1, -1, -1):
            if pattern >> position & 1 == 0:
                continue
            index -= 1
            kind = kind_of(marks, suit, index, count, MINE)
            if separate == 0 and position == last_position - 1 and kind == last_kind:
                last_position = position
                continue
            last_position = position
            last_kind = kind
            memory[at + number] = suit | position << POSITION | index << INDEX
            number += 1
    owners = marks >> OWNERS
    for colon in range(3):
        if owners >> (2 * colon) & 3 == MINE:
            memory[at + number] = COLON + colon
            number += 1
    if marks >> DEAD_MINE & 3:
        memory[at + number] = DEAD_COLON
        number += 1
    return number


@kernel(int64(int64, int64, int64, int64, int64, int64, int64, int64, MEMORY))
def suit_replies(cards, marks, suit, from_position, below_position, flags, lowest_only, at, memory):
    """Append the follower's cards of ``suit`` from ``from_position`` to below ``below_position``; returns the new end.

    One for each set of touching cards of one kind; with ``lowest_only`` only the lowest of each kind.
    """
    pattern = cards >> (16 * suit) & 0xFFFF
    info = memory[PATTERNS_AT + pattern]
    length = info & 15
    count = length - (info >> COUNT_MINE & 15)
    if count == 0:
        return at
    separate = memory[SWITCHED_OFF] & TOUCHING_CARDS
    index = int64(-1)
    last_kind = int64(-1)
    last_position = int64(-9)
    kinds = int64(0)
    top = min(length, below_position)
    for position in range(top):
        if pattern >> position & 1:
            continue
        index += 1
        if position < from_position:
            continue
        kind = kind_of(marks, suit, index, count, HIS)
        if lowest_only:
            if kinds >> kind & 1:
                continue
            kinds |= int64(1) << kind
        elif separate == 0 and position == last_position + 1 and kind == last_kind:
            last_position = position
            continue
        last_position = position
        last_kind = kind
        memory[at] = suit | position << POSITION | index << INDEX | flags
        at += 1
    return at


@kernel(int64(int64, int64, int64, MEMORY))
def colon_replies(marks, except_colon, at, memory):
    """Append the follower's colons as losing replies, the dead ones once; returns the new end."""
    owners = marks >> OWNERS
    for colon in range(3):
        if owners >> (2 * colon) & 3 == HIS and colon != except_colon:
            memory[at] = COLON + colon
            at += 1
    if marks >> DEAD_HIS & 3:
        memory[at] = DEAD_COLON
        at += 1
    return at


@kernel(int64(int64, int64, int64, int64, int64, int64, int64, MEMORY))
def generate_replies(cards, marks_before, marks, lead, left, trump, at, memory):
    """Write the follower's replies at ``memory[at]`` on, in the order to try; returns how many.

    ``cards`` and ``marks`` after the lead has left, ``marks_before`` with it: they tell what the lead is matched by.
    Order: lowest winner, matching colon, losers of the suit, discards.
    """
    start = at
    lowest_only = int64(0)
    if memory[SWITCHED_OFF] & REPLY_DOMINANCE == 0:
        lowest_only = rank_is_irrelevant_below(cards, marks_before, left, memory)
    suit = lead & 7
    everything = int64(16)
    if suit >= COLON:
        if trump < NOTRUMP:
            at = suit_replies(cards, marks_before, trump, 0, everything, WINS, lowest_only, at, memory)
        middle = at
        if suit != DEAD_COLON:
            colon = suit - COLON
            # of the marked cards those of the range win
            for other_suit in range(4):
                if other_suit == trump:
                    continue
                at = suit_replies(cards, marks_before, other_suit, 0, everything, 0, lowest_only, at, memory)
            # put the winners first
            last = at
            first = middle
            for place in range(middle, last):
                move = memory[place]
                reply_suit = move & 7
                info = memory[PATTERNS_AT + (cards >> (16 * reply_suit) & 0xFFFF)]
                count = (info & 15) - (info >> COUNT_MINE & 15)
                if kind_of(marks_before, reply_suit, move >> INDEX & 15, count, HIS) == colon:
                    memory[place] = memory[first]
                    memory[first] = move | WINS
                    first += 1
        else:
            for other_suit in range(4):
                if other_suit != trump:
                    at = suit_replies(cards, marks_before, other_suit, 0, everything, 0, lowest_only, at, memory)
        return colon_replies(marks_before, -1, at, memory) - start

    position = lead >> POSITION & 15
    matching_colon = int64(-1)
    info = memory[PATTERNS_AT + (cards >> (16 * suit) & 0xFFFF)]
    count_mine = info >> COUNT_MINE & 15
    kind = kind_of(marks_before, suit, lead >> INDEX & 15, count_mine + 1, MINE)
    if kind != UNMARKED:
        matching_colon = kind
    if info & 15 > count_mine:
        at = suit_replies(cards, marks, suit, position, everything, WINS, lowest_only, at, memory)
        if matching_colon >= 0:
            memory[at] = COLON + matching_colon | BARS
            at += 1
        at = suit_replies(cards, marks, suit, 0, position, 0, lowest_only, at, memory)
        return at - start
    if trump < NOTRUMP and trump != suit:
        at = suit_replies(cards, marks, trump, 0, everything, WINS, lowest_only, at, memory)
    if matching_colon >= 0:
        memory[at] = COLON + matching_colon | BARS
        at += 1
    for other_suit in range(4):
        if other_suit != suit and other_suit != trump:
            at = suit_replies(cards, marks, other_suit, 0, everything, 0, lowest_only, at, memory)
    # A colon that does not match: by the free choice at any time, else only when nothing else is legal.
    if at == start or memory[FREE_DISCARD]:
        at = colon_replies(marks_before, matching_colon, at, memory)
    return at - start


@kernel(int64(int64, int64, int64))
def after_colon(marks, move, owner):
    """``marks`` after ``owner`` plays a colon."""
    if move & 7 == DEAD_COLON:
        return marks - (int64(1) << (DEAD_MINE if owner == MINE else DEAD_HIS))
    colon = (move & 7) - COLON
    if marks >> (OWNERS + 2 * colon) & 3:
        return without_colon(marks, colon)
    # it died in this very trick, when the lead that it matches left
    return marks - (int64(1) << (DEAD_MINE if owner == MINE else DEAD_HIS))


@kernel(UniTuple(int64, 2)(int64, int64, int64, MEMORY))
def after_lead(cards, marks, lead, memory):
    """The position without the card led; the bar on the lead is over."""
    suit = lead & 7
    marks &= ~BARRED_FIELD
    if suit >= COLON:
        return cards, after_colon(marks, lead, MINE)
    count = memory[PATTERNS_AT + (cards >> (16 * suit) & 0xFFFF)] >> COUNT_MINE & 15
    return without(cards, suit, lead >> POSITION & 15), unmarked(marks, suit, lead >> INDEX & 15, count, MINE)


@kernel(UniTuple(int64, 2)(int64, int64, int64, int64, MEMORY))
def after_reply(cards, marks, lead, reply, memory):
    """The position (after the lead) without the reply too, still seen by the one who led."""
    suit = reply & 7
    if suit >= COLON:
        marks = after_colon(marks, reply, HIS)
        if reply & BARS:
            marks |= ((lead & 7) + 1) << BARRED
        return cards, marks
    info = memory[PATTERNS_AT + (cards >> (16 * suit) & 0xFFFF)]
    count = (info & 15) - (info >> COUNT_MINE & 15)
    return without(cards, suit, reply >> POSITION & 15), unmarked(marks, suit, reply >> INDEX & 15, count, HIS)


@kernel(int64(int64, int64, int64, int64, int64, MEMORY))
def can_take(cards, marks, left, trump, target, memory):
    """1 if the leader can take at least ``target`` of the ``left`` tricks, else 0."""
    if target <= 0:
        return 1
    if target > left:
        return 0
    memory[PROBED] += 1
    switched_off = memory[SWITCHED_OFF]

    barred = marks >> BARRED & 7
    if barred:
        # a bar on a suit that the leader has not got, or has nothing beside, forbids nothing
        held = memory[PATTERNS_AT + (cards >> (16 * (barred - 1)) & 0xFFFF)] >> COUNT_MINE & 15
        if held == 0 or held == left:
            marks &= ~BARRED_FIELD

    sure = int64(0)
    if switched_off & LEADER_BOUND == 0:
        sure = cashed(cards, marks, trump, MINE, memory) & 0xFFFF
        if sure >= target:
            return 1
    most = left
    if switched_off & FOLLOWER_BOUND == 0:
        most = leader_at_most(cards, marks, trump, left, target, memory)
        if most < target:
            return 0

    first = int64(0)
    second = int64(0)
    slot = int64(0)
    if switched_off & TRANSPOSITIONS == 0:
        first, second = canonical(cards, marks, trump, memory)
        slot = slot_of(first, second, memory)
        for place in (slot, slot ^ 2):
            if memory[place] & POSITION_MASK == first and memory[place + 1] == second:
                if memory[place] >> LEAST & 15 >= target:
                    return 1
                if memory[place] >> MOST & 15 < target:
                    return 0
                break

    memory[EXPANDED] += 1
    leads_at = MOVES_AT + left * MOVES_PER_DEPTH
    features_at = leads_at + 16
    orders_at = leads_at + 32
    replies_at = leads_at + 64
    number = generate_leads(cards, marks, leads_at, memory)
    if switched_off & LEAD_ORDER == 0:
        for place in range(number):
            feature = features_of(
                cards, marks, memory[leads_at + place], left, trump, target - sure, left - target, memory
            )
            memory[orders_at + place] = memory[ORDER_AT + feature]
            memory[features_at + place] = feature
    result = int64(0)
    for tried in range(number):
        best = tried
        if switched_off & LEAD_ORDER == 0:
            for place in range(tried + 1, number):
                if memory[orders_at + place] > memory[orders_at + best]:
                    best = place
        lead = memory[leads_at + best]
        memory[leads_at + best] = memory[leads_at + tried]
        memory[orders_at + best] = memory[orders_at + tried]
        feature = memory[features_at + best]
        memory[features_at + best] = memory[features_at + tried]
        memory[features_at + tried] = feature
        before = memory[EXPANDED]

        led_cards, led_marks = after_lead(cards, marks, lead, memory)
        replies = generate_replies(led_cards, marks, led_marks, lead, left, trump, replies_at, memory)
        holds = int64(1)
        for place in range(replies_at, replies_at + replies):
            reply = memory[place]
            next_cards, next_marks = after_reply(led_cards, led_marks, lead, reply, memory)
            if reply & WINS:
                if can_take(turned_cards(next_cards), turned_marks(next_marks), left - 1, trump, left - target, memory):
                    holds = 0
                    break
            elif can_take(next_cards, next_marks, left - 1, trump, target - 1, memory) == 0:
                holds = 0
                break
        memory[orders_at + tried] = memory[EXPANDED] - before
        if holds:
            result = 1
            if memory[LEARN_AT]:
                learn(features_at, orders_at, tried, memory)
            break

    if switched_off & TRANSPOSITIONS == 0:
        store(first, second, slot, sure, most, target, result, memory)
    return result


@kernel(int64(int64, int64, int64, int64, int64, int64, MEMORY))
def lead_takes(cards, marks, left, trump, lead, target, memory):
    """1 if the leader takes at least ``target`` of the ``left`` tricks after this lead (a legal one), else 0."""
    if target <= 0:
        return 1
    if target > left:
        return 0
    replies_at = MOVES_AT + (left + 1) * MOVES_PER_DEPTH
    led_cards, led_marks = after_lead(cards, marks, lead, memory)
    replies = generate_replies(led_cards, marks, led_marks, lead, left, trump, replies_at, memory)
    for place in range(replies_at, replies_at + replies):
        reply = memory[place]
        next_cards, next_marks = after_reply(led_cards, led_marks, lead, reply, memory)
        if reply & WINS:
            if can_take(turned_cards(next_cards), turned_marks(next_marks), left - 1, trump, left - target, memory):
                return 0
        elif can_take(next_cards, next_marks, left - 1, trump, target - 1, memory) == 0:
            return 0
    return 1
