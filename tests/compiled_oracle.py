"""The oracle compiled: fast enough for millions of positions, plain enough to be seen right, checked against oracle.py.

Every card is distinct, no position is remembered and nothing is bounded: a trick is lead and reply, and a player stops
looking when it has found a card that is good enough. It shares no code with the search. A hand is a mask of 55 bits
(13 cards a suit from clubs, deuce lowest, then :L :R :G); a strain 0 to 4 from clubs to no trump; a barred suit 0 to 3,
or -1.
"""

from numba import int64, njit

COLONS = 4


@njit(int64(int64), cache=True)
def suit_of(card):
    return card // 13


@njit(int64(int64), cache=True)
def range_of(card):
    """0 number card or :L, 1 face card or :R, 2 ace or :G."""
    if card >= 52:
        return card - 52
    rank = card % 13
    if rank < 9:
        return 0
    return 1 if rank < 12 else 2


@njit(int64(int64, int64, int64), cache=True)
def reply_wins(led, reply, strain):
    if suit_of(reply) == COLONS:
        return 0
    if suit_of(reply) == strain:
        return int64(suit_of(led) != strain or reply > led)
    if suit_of(led) == COLONS:
        return int64(range_of(reply) == range_of(led))
    return int64(suit_of(reply) == suit_of(led) and reply > led)


@njit(int64(int64, int64), cache=True)
def in_suit(hand, suit):
    return hand >> (13 * suit) & 8191


@njit(int64(int64, int64, int64), cache=True)
def may_reply(hand, led, free_colon_discard):
    """The cards of the hand that may be played to the card led."""
    if suit_of(led) == COLONS:
        return hand
    matching = int64(1) << (52 + range_of(led)) & hand
    suit = suit_of(led)
    if in_suit(hand, suit):
        return in_suit(hand, suit) << (13 * suit) | matching
    if free_colon_discard:
        return hand
    suit_cards = hand & (int64(1) << 52) - 1
    return suit_cards | matching if suit_cards | matching else hand


@njit(int64(int64, int64), cache=True)
def may_lead(hand, barred):
    if barred < 0:
        return hand
    allowed = hand & ~(int64(8191) << (13 * barred))
    return allowed if allowed else hand


@njit(int64(int64, int64), cache=True)
def next_card(hand, card):
    """The first card of a hand from ``card`` on, 55 if there is none."""
    rest = hand >> card
    if rest == 0:
        return 55
    while rest & 255 == 0:
        rest >>= 8
        card += 8
    while rest & 1 == 0:
        rest >>= 1
        card += 1
    return card


@njit(int64(int64, int64, int64, int64, int64, int64, int64), cache=True)
def oracle_takes(leader, follower, left, barred, strain, free_colon_discard, target):
    """1 if the player on lead takes at least ``target`` of the ``left`` tricks."""
    if target <= 0:
        return 1
    if target > left:
        return 0
    nothing = int64(-1)
    leads = may_lead(leader, barred)
    led = next_card(leads, int64(0))
    while led < 55:
        leader_after = leader ^ int64(1) << led
        replies = may_reply(follower, led, free_colon_discard)
        holds = int64(1)
        reply = next_card(replies, int64(0))
        while reply < 55 and holds:
            follower_after = follower ^ int64(1) << reply
            if reply_wins(led, reply, strain):
                # the follower leads the rest and must not take all but what the leader may lose
                holds = 1 - oracle_takes(
                    follower_after, leader_after, left - 1, nothing, strain, free_colon_discard, left - target
                )
            else:
                bars = nothing
                if suit_of(led) != COLONS and reply == 52 + range_of(led):
                    bars = suit_of(led)
                holds = oracle_takes(
                    leader_after, follower_after, left - 1, bars, strain, free_colon_discard, target - 1
                )
            reply = next_card(replies, reply + 1)
        if holds:
            return 1
        led = next_card(leads, led + 1)
    return 0


@njit(int64(int64, int64, int64, int64, int64, int64), cache=True)
def oracle_value(leader, follower, left, barred, strain, free_colon_discard):
    """The tricks that the player on lead takes with best play by both."""
    value = int64(0)
    while value < left and oracle_takes(leader, follower, left, barred, strain, free_colon_discard, value + 1):
        value += 1
    return value
