"""Random positions for tests: few or many suits, colons far more often than by chance, now and then a barred suit."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracle import RANKS, write_hand


@dataclass(frozen=True, slots=True)
class RandomPosition:
    """A position with nobody's card on the table, in the oracle's notation."""

    leader_hand: str
    follower_hand: str
    strain: str
    barred: str | None
    free_colon_discard: bool


def random_position(rng: random.Random, cards: int) -> RandomPosition:
    """A position of `cards` cards in each hand.

    Half of the positions draw on one to three suits, so that long suits, voids and interleaved honours come up. Each
    colon is present in three of five. A bar is only put on a suit of which the leader has a card, where it can matter.
    """
    colons = [colon for colon in (":G", ":R", ":L") if rng.random() < 0.6]
    colons = colons[: 2 * cards]
    suits = rng.sample("SHDC", rng.randint(1, 3)) if rng.random() < 0.5 else list("SHDC")
    ranks = RANKS
    if rng.random() < 0.3:  # mostly aces and faces, where the Grand and Royal Colon meet something
        ranks = "".join(sorted(rng.sample(RANKS[:8], 3))) + RANKS[8:]
    pack = [suit + rank for suit in suits for rank in ranks]
    while len(pack) + len(colons) < 2 * cards:
        suits.append(rng.choice([suit for suit in "SHDC" if suit not in suits]))
        pack = [suit + rank for suit in suits for rank in RANKS]
    held = rng.sample(pack, 2 * cards - len(colons)) + colons
    rng.shuffle(held)
    leader, follower = frozenset(held[:cards]), frozenset(held[cards:])
    led_suits = sorted({card[0] for card in leader if card[0] != ":"})
    barred = rng.choice(led_suits) if led_suits and rng.random() < 0.3 else None
    strain = rng.choice([*suits, *suits, "NT", *"SHDC"])
    return RandomPosition(write_hand(leader), write_hand(follower), strain, barred, rng.random() < 0.5)


def random_positions(seed: int, count: int, smallest: int = 1, largest: int = 5) -> Iterator[RandomPosition]:
    """`count` positions of `smallest` to `largest` cards each; the same seed gives the same ones."""
    rng = random.Random(seed)
    for _ in range(count):
        yield random_position(rng, rng.randint(smallest, largest))
