"""`bridgette deal`: random deals, whole hands of thirteen or the pack before the exchange."""

import random
import secrets
from typing import Annotated

import typer

from advisor.cli.options import JsonOption, SeedOption
from advisor.cli.output import show, write_json
from solver.deal import Deal, Pack


def command(
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many deals.")] = 1,
    pack: Annotated[
        bool, typer.Option("--pack", help="As before the exchange: dealer, hands and the stock in order, upcard first.")
    ] = False,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Random deals.

    One a line, in the form that `bridgette solve --file` reads.

    \b
    Examples:
      bridgette deal --count 3 --seed 7
      bridgette deal --pack --seed 7
    """
    if seed is None:
        seed = secrets.randbelow(1 << 32)
    # One stream for all: the first three of five deals are the deals of --count 3.
    generator = random.Random(seed)
    for number in range(1, count + 1):
        if pack:
            dealt = Pack.shuffled(generator)
            if as_json:
                write_json(
                    {
                        "seed": seed,
                        "number": number,
                        "dealer": dealt.dealer.letter,
                        "deal": str(dealt.deal),
                        "upcard": str(dealt.upcard),
                        "stock": [str(card) for card in dealt.stock],
                    }
                )
            else:
                show([[str(dealt)]])
        else:
            deal = Deal.random(generator)
            if as_json:
                write_json({"seed": seed, "number": number, "deal": str(deal)})
            else:
                show([[str(deal)]])
