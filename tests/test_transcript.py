"""One whole deal from the pack to the score, as a text in which any change of a rule shows as a difference.

After a change that is meant, `python -m tests.test_transcript` writes the text anew.
"""

from pathlib import Path

from solver.auction import Auction, parse_call
from solver.cards import Hand, parse_cards
from solver.deal import Pack, Seat
from solver.exchange import Role, drawn, exchange, held, keep_count
from solver.game import Game
from solver.play import Position, replay
from solver.rules import Rules
from solver.scoring import score

GOLDEN = Path(__file__).parent / "data" / "whole_deal.txt"

RULES = Rules()
PACK_SEED = 234
SOUTH_KEEPS = "Q.AK87642.AQJ..GR"
NORTH_KEEPS = "AJ.QJ.K976.AJ63.L"
CALLS = "1H 1NT 4H X XX P"
PLAY = "SA :G HQ :R SJ SQ HA HJ HK C3 H8 :L DA D6 H7 C6 H6 CJ H4 CA H2 D7 DQ DK D9 DJ"


def listed(cards):
    return " ".join(str(card) for card in cards) or "none"


def transcript():
    """The deal told step by step: at each step what was open to the player, then what it did and what came of it."""
    pack = Pack.shuffled(PACK_SEED)
    lines = ["PACK", str(pack), f"dealer {pack.dealer.title}, upcard {pack.upcard}", "", "EXCHANGE"]
    for seat, keeps in ((Seat.NORTH, NORTH_KEEPS), (Seat.SOUTH, SOUTH_KEEPS)):
        role = Role.of(seat, pack.dealer)
        cards = held(pack, seat, RULES)
        lines += [
            f"{seat.title}, the {role.title}, is dealt {pack.hand(seat)}",
            f"  draws {listed(drawn(pack, role, RULES))} and holds {len(cards)}: {cards}",
            f"  keeps one of {keep_count(cards)} hands, {keeps}, and throws {listed(cards - Hand.parse(keeps))}",
        ]
    deal = exchange(pack, Hand.parse(SOUTH_KEEPS), Hand.parse(NORTH_KEEPS), RULES)
    lines += ["", "DEAL", str(deal), "", "AUCTION"]
    auction = Auction(pack.dealer)
    for word in CALLS.split():
        seat = auction.to_call
        lines.append(f"{seat.title} calls {word} of {listed(auction.legal_calls(deal.hand(seat), RULES))}")
        auction = auction.after(parse_call(word))
    contract = auction.contract
    assert contract is not None
    lines += [f"the contract is {contract}", "", "PLAY"]
    cards = parse_cards(PLAY)
    record = replay(Position.opening(deal, contract.strain, contract.declarer, RULES), cards)
    tricks = iter(record.tricks)
    for position, card in zip(record.positions, cards, strict=False):
        what = "leads" if position.led is None else "plays"
        lines.append(f"{position.to_play.title} {what} {card} of {listed(position.legal())}")
        if position.led is not None:
            lines.append(f"  {next(tricks)}")
    taken = record.tricks_won(contract.declarer)
    lines += [f"{contract.declarer.title} takes {taken} of {len(record.tricks)} tricks", "", "SCORE"]
    result = score(contract, taken, RULES)
    lines += [f"{item.points:+} {item.what}" for item in result.items]
    lines += [f"{seat.title}: {result.points(seat):+}" for seat in Seat]
    game = Game(pack.dealer, rules=RULES).after(contract, taken)
    lines.append(f"game after {game.counted} deal: South {game.total(Seat.SOUTH)}, North {game.total(Seat.NORTH)}")
    lines.append(f"next dealer {game.dealer.title}")
    return "\n".join(lines) + "\n"


def test_the_whole_deal_goes_as_it_went():
    assert transcript() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(transcript(), encoding="utf-8")
