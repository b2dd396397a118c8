"""Random positions made by the hundred thousand, compiled: skewed towards what prunings trip over.

Long suits, few suits, ranks about the borders of the ranges, suits that lie mostly in one hand, all colons out, trumps
split every way, a suit barred four times in ten.
"""

import numpy as np
from numba import int64, njit, void

LEADER, FOLLOWER, BARRED, STRAIN = 0, 1, 2, 3
"""The columns of ``fill_positions``: hands as masks, a barred suit 0 to 3 or -1, strains 0 to 4 from clubs."""


@njit(void(int64, int64, int64[:, ::1]), cache=True)
def fill_positions(seed, left, positions):
    """Write random positions of ``left`` cards a hand, one a row."""
    np.random.seed(seed)
    chance = np.zeros(55)
    order = np.zeros(26)
    held = np.zeros(26, dtype=np.int64)
    bias = np.zeros(5)
    weight = np.zeros(5)
    for row in range(len(positions)):
        # how likely each card is to be in one of the hands
        suits = np.random.randint(1, 5)
        first_suit = np.random.randint(0, 4)
        skew = 3.0 * np.random.random()
        for suit in range(4):
            weight[suit] = np.exp(skew * np.random.random())
            if (suit - first_suit) % 4 >= suits:
                weight[suit] *= 1e-6
        ranks = np.random.randint(0, 5)
        for card in range(52):
            rank = card % 13
            likely = 1.0
            if ranks == 1 and rank < 6:
                likely = 0.05  # about both borders
            elif ranks == 2 and rank < 9:
                likely = 0.1  # aces and faces
            elif ranks == 3 and (rank < 7 or rank > 10):
                likely = 0.05  # about the border of number and face cards
            chance[card] = weight[card // 13] * likely
        colons = np.random.random() * 1.5
        number = 0
        for colon in range(3):
            chance[52 + colon] = 0.0
            if np.random.random() < colons and number < 2 * left:
                held[number] = 52 + colon
                number += 1
        while number < 2 * left:
            total = chance.sum()
            point = np.random.random() * total
            card = 0
            while card < 51 and (chance[card] == 0.0 or point > chance[card]):
                point -= chance[card]
                card += 1
            if chance[card] > 0.0:
                held[number] = card
                chance[card] = 0.0
                number += 1
        # who holds it: by chance, each suit leaning to one side
        lean = np.random.randint(0, 4) * 0.7
        for suit in range(5):
            bias[suit] = lean * (np.random.random() - 0.5)
        if np.random.random() < 0.3:
            bias[4] = 2.0 * (np.random.random() - 0.5)
        for place in range(number):
            order[place] = np.random.random() + bias[held[place] // 13]
        leader = int64(0)
        follower = int64(0)
        middle = np.sort(order[:number])[left]
        for place in range(number):
            if order[place] < middle:
                leader |= int64(1) << held[place]
            else:
                follower |= int64(1) << held[place]
        barred = int64(-1)
        if np.random.random() < 0.4:
            barred = int64(np.random.randint(0, 4))
            for _ in range(4):
                if leader >> (13 * barred) & 8191 == 0:
                    barred = (barred + 1) % 4
        strain = int64(np.random.randint(0, 5))
        if strain < 4 and np.random.random() < 0.7 and (leader | follower) >> (13 * strain) & 8191 == 0:
            strain = int64(first_suit)
        positions[row, LEADER] = leader
        positions[row, FOLLOWER] = follower
        positions[row, BARRED] = barred
        positions[row, STRAIN] = strain


def skewed_positions(seed, left, count):
    """``count`` positions of ``left`` cards a hand, shape (count, 4); the same seed gives the same ones."""
    positions = np.zeros((count, 4), dtype=np.int64)
    fill_positions(seed, left, positions)
    return positions
