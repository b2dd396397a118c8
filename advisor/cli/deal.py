"""`bridgette deal`: random deals, whole hands of thirteen or the pack before the exchange."""

import random
import secrets
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

import typer

from advisor.cli.options import JsonOption, RuleOption, SeedOption
from advisor.cli.output import show, write_json
from advisor.cli.render import rules_json
from solver.deal import Deal, Pack, Seat
from solver.errors import BridgetteError
from solver.rules import Rules


def command(
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many deals.")] = 1,
    pack: Annotated[
        bool, typer.Option("--pack", help="As before the exchange: dealer, hands and the stock in order, upcard first.")
    ] = False,
    exchanged: Annotated[
        bool, typer.Option("--exchanged", help="After both players have exchanged by the program's own policy.")
    ] = False,
    seed: SeedOption = None,
    rule: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """Random deals.

    One a line, in the form that `bridgette solve --file` reads. With the same seed --exchanged gives the packs that
    --pack shows, played on.

    \b
    Examples:
      bridgette deal --count 3 --seed 7
      bridgette deal --pack --seed 7
      bridgette deal --exchanged --seed 7
    """
    if pack and exchanged:
        raise BridgetteError("--pack and --exchanged; expected one of them, before the exchange or after it")
    rules = Rules.with_choices(rule or [])
    if seed is None:
        seed = secrets.randbelow(1 << 32)
    # One stream for all: the first three of five deals are the deals of --count 3.
    generator = random.Random(seed)
    if pack:
        dealt = _packs(generator)
    elif exchanged:
        dealt = _exchanged(generator, rules)
    else:
        dealt = _deals(generator)
    for number, (text, described) in enumerate(islice(dealt, count), 1):
        if as_json:
            write_json({"seed": seed, "number": number, **described, **(rules_json(rules) if exchanged else {})})
        else:
            show([[text]])


# Each without end: a deal as text, and as fields of JSON.
Dealt = Iterator[tuple[str, dict[str, Any]]]


def _deals(generator: random.Random) -> Dealt:
    while True:
        deal = Deal.random(generator)
        yield str(deal), {"deal": str(deal)}


def _packs(generator: random.Random) -> Dealt:
    while True:
        pack = Pack.shuffled(generator)
        stock = [str(card) for card in pack.stock]
        yield str(pack), _described(pack, pack.deal) | {"stock": stock}


def _exchanged(generator: random.Random, rules: Rules) -> Dealt:
    from advisor.exchanged import exchanged_deals

    for exchanged in exchanged_deals(generator, rules):
        threw = {seat.letter: [str(card) for card in exchanged.threw(seat, rules)] for seat in Seat}
        yield str(exchanged.deal), _described(exchanged.pack, exchanged.deal) | {"threw": threw}


def _described(pack: Pack, deal: Deal) -> dict[str, Any]:
    return {"dealer": pack.dealer.letter, "deal": str(deal), "upcard": str(pack.upcard)}
