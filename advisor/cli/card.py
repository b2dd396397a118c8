"""`bridgette card`: which card to play, with every legal card's expected score."""

from typing import Annotated

import typer

from advisor.cli.options import (
    DealOption,
    JsonOption,
    RuleOption,
    ScoreOption,
    SeedOption,
    ThreadsOption,
    ThrewOption,
    UpcardOption,
    read_option,
    read_standing,
)
from advisor.cli.output import show, write_json
from solver.auction import Auction, Contract
from solver.cards import Card, Hand, parse_cards
from solver.deal import Seat
from solver.errors import BridgetteError
from solver.exchange import Role
from solver.rules import Rules

DEFAULT_SEED = 1
FEWEST_SAMPLES = 2


def command(
    hand: Annotated[
        list[str],
        typer.Argument(help="Your thirteen cards at the start of the play, or those that you still hold."),
    ],
    contract: Annotated[
        str, typer.Option("--contract", metavar="CONTRACT", help="What is played, you being S: 4H S, 3NTX N.")
    ],
    played: Annotated[
        str, typer.Option("--played", metavar="CARDS", help='The cards played so far, in order: "SA :G HQ".')
    ] = "",
    role: Annotated[
        str | None, typer.Option("--role", metavar="ROLE", help="Your part: dealer or nondealer, if not --auction.")
    ] = None,
    auction: Annotated[
        str | None,
        typer.Option("--auction", metavar="CALLS", help="All the calls, the dealer's first. The advice is better so."),
    ] = None,
    upcard: UpcardOption = None,
    threw: ThrewOption = None,
    score: ScoreOption = None,
    deal: DealOption = None,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples",
            metavar="N",
            min=FEWEST_SAMPLES,
            help="Hands of the opponent to solve (up to 200 unless given, as far as about a second goes).",
        ),
    ] = None,
    seed: SeedOption = None,
    rule: RuleOption = None,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Which card to play.

    Every legal card with its expected score: points of this deal, yours less the opponent's. The opponent's hand is
    sampled from all that you have seen, and every card is solved exactly in each sample.

    \b
    Examples:
      bridgette card --contract "3NT N" --role dealer --upcard D8 "AKQ94.QT2.KJ9.54."
      bridgette card --contract "4H S" --auction "1H 2S 4H P" --played "CA C5 D4" "54.AKQT762.AQ.95."
    """
    rules = Rules.with_choices(rule or [])
    played_for = read_option("--contract", Contract.parse, contract)
    cards = read_option("--played", parse_cards, played)
    held = read_option("the hand", Hand.parse, " ".join(hand))
    own_role = None if role is None else read_option("--role", Role.parse, role)
    calls = None if auction is None else read_option("--auction", lambda text: _auction(text, played_for), auction)
    turned = None if upcard is None else read_option("--upcard", Card.parse, upcard)
    discarded = Hand() if threw is None else read_option("--threw", Hand.parse, threw)
    standing = read_standing(score, deal)
    if standing is not None and own_role is None and calls is None:
        raise BridgetteError("--score needs --role or --auction; expected one that tells who deals")
    from advisor.card_play import DEFAULT_SAMPLES, SEARCH_BUDGET, advise
    from advisor.cli.render_card import CardAnswer
    from advisor.seen import Seen, whole_hand

    seen = Seen(whole_hand(held, played_for, cards), played_for, cards, own_role, turned, discarded, calls, rules)
    seed = DEFAULT_SEED if seed is None else seed
    advice = advise(
        seen,
        samples=DEFAULT_SAMPLES if samples is None else samples,
        budget=SEARCH_BUDGET if samples is None else 1 << 60,
        standing=standing,
        seed=seed,
        threads=threads,
    )
    answer = CardAnswer(seen, advice, seed)
    if as_json:
        write_json(answer.json())
    else:
        show(answer.lines(), wrap=True)


def _auction(text: str, contract: Contract) -> Auction:
    """The auction with the dealer whose opening call leaves the declarer of the contract."""
    for dealer in Seat:
        auction = Auction.parse(text, dealer)
        if auction.is_over and auction.contract == contract:
            return auction
    return Auction.parse(text, Seat.SOUTH)
