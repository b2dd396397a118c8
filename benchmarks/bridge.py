"""The known solver of bridge deals, DDS, through endplay: what a result costs there."""

import importlib.util
import random
import time
from typing import NamedTuple


class BridgeCost(NamedTuple):
    """Milliseconds of the processor (of all threads) a result, one strain and declarer, and a table of twenty."""

    deals: int
    milliseconds_a_result: float
    milliseconds_a_table: float


def is_installed() -> bool:
    """Whether endplay can be used here."""
    return importlib.util.find_spec("endplay") is not None


def bridge_cost(deals: int, seed: int) -> BridgeCost:
    """Solves random bridge deals (four hands of 13) by DDS, all twenty results a deal.

    Raises:
        ImportError: endplay is not installed.
    """
    from endplay.dds import calc_dd_table
    from endplay.types import Deal

    generator = random.Random(seed)
    texts = []
    for _ in range(deals):
        cards = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]
        generator.shuffle(cards)
        hands = [
            ".".join("".join(rank for rank in "AKQJT98765432" if suit + rank in held) for suit in "SHDC")
            for held in (set(cards[first : first + 13]) for first in range(0, 52, 13))
        ]
        texts.append("N:" + " ".join(hands))
    calc_dd_table(Deal(texts[0]))
    start = time.process_time()
    for text in texts:
        calc_dd_table(Deal(text))
    milliseconds = 1000 * (time.process_time() - start) / deals
    return BridgeCost(deals, milliseconds / 20, milliseconds)
