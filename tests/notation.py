"""What tests look for in text that people read: cards and calls in letters, where suit symbols are meant."""

import re

_IN_LETTERS = re.compile(r"\b(?:[1-7][SHDC]|[SHDC](?:[2-9TJQKA]|10))X{0,2}\b")


def in_letters(text):
    """The cards and suit bids that a text writes in letters, such as DK and 4H."""
    return _IN_LETTERS.findall(text)
