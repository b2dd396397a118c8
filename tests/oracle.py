"""The oracle: plain minimax over the rules of play, every card distinct, slow and plainly right.

It shares no code with what it checks. A card is a string of two characters ("SA", "D9", ":G"), a hand a set of them,
a suit or strain one of "S", "H", "D", "C" ("NT" for no trump). Nothing is pruned; a position met again is looked up,
that is all.
"""

Hand = frozenset[str]

RANKS = "23456789TJQKA"
RANGE_OF_RANK = dict.fromkeys("23456789T", "L") | dict.fromkeys("JQK", "R") | {"A": "G"}


def read_hand(text: str) -> Hand:
    """The cards of a hand such as "AK4.QT2.KJ9.A52.G" (spades, hearts, diamonds, clubs, colons)."""
    cards = [suit + rank for suit, field in zip("SHDC:", text.split("."), strict=False) for rank in field]
    assert len(cards) == len(set(cards)), text
    return frozenset(cards)


def write_hand(hand: Hand) -> str:
    """The same notation from the cards, always with five fields."""
    order = "GRL" + RANKS[::-1]
    return ".".join("".join(sorted((c[1] for c in hand if c[0] == suit), key=order.index)) for suit in "SHDC:")


def legal_leads(hand: Hand, barred: str | None) -> list[str]:
    """All but cards of the barred suit, unless there is nothing else."""
    allowed = [card for card in hand if card[0] != barred]
    return sorted(allowed or hand)


def legal_replies(hand: Hand, led: str, free_colon_discard: bool) -> list[str]:
    """What the second player may play to the card led."""
    if led[0] == ":":
        return sorted(hand)
    matching = ":" + RANGE_OF_RANK[led[1]]
    follows = [card for card in hand if card[0] == led[0]]
    if follows:
        return sorted(follows + [card for card in hand if card == matching])
    allowed = [card for card in hand if card[0] != ":" or card == matching or free_colon_discard]
    return sorted(allowed or hand)


def leader_wins(led: str, reply: str, strain: str) -> bool:
    """Whether the card led wins the trick."""
    if reply[0] == ":":
        return True
    if led[0] == ":":
        return reply[0] != strain and RANGE_OF_RANK[reply[1]] != led[1]
    if reply[0] == led[0]:
        return RANKS.index(led[1]) > RANKS.index(reply[1])
    return reply[0] != strain


def bars(led: str, reply: str) -> str | None:
    """The suit that may not be led to the next trick: the suit led, when a matching colon was played to it."""
    return led[0] if led[0] != ":" and reply == ":" + RANGE_OF_RANK[led[1]] else None


class Oracle:
    """Values of positions in one strain under one setting of `free_colon_discard`; remembers those it has seen."""

    def __init__(self, strain: str, free_colon_discard: bool = False) -> None:
        assert strain in ("NT", "S", "H", "D", "C"), strain
        self.strain = strain
        self.free_colon_discard = free_colon_discard
        self.seen: dict[tuple[Hand, Hand, str | None], int] = {}

    def tricks(self, leader: Hand, follower: Hand, barred: str | None = None) -> int:
        """The tricks that the player on lead takes, of as many as there are cards in a hand."""
        if not leader:
            return 0
        key = (leader, follower, barred)
        if key not in self.seen:
            self.seen[key] = max(self.lead_values(leader, follower, barred).values())
        return self.seen[key]

    def lead_values(self, leader: Hand, follower: Hand, barred: str | None = None) -> dict[str, int]:
        """For every legal lead the tricks that the leader then takes."""
        return {
            led: len(leader) - max(self.reply_values(leader, follower, led).values())
            for led in legal_leads(leader, barred)
        }

    def reply_values(self, leader: Hand, follower: Hand, led: str) -> dict[str, int]:
        """For every legal reply to the card led (still in the leader's hand) the tricks that the follower takes."""
        remaining = len(leader) - 1
        values = {}
        for reply in legal_replies(follower, led, self.free_colon_discard):
            leader_after, follower_after, barred = leader - {led}, follower - {reply}, bars(led, reply)
            if leader_wins(led, reply, self.strain):
                values[reply] = remaining - self.tricks(leader_after, follower_after, barred)
            else:
                values[reply] = 1 + self.tricks(follower_after, leader_after, barred)
        return values


def oracle_tricks(
    leader_hand: str, follower_hand: str, strain: str, barred: str | None = None, free_colon_discard: bool = False
) -> int:
    """The tricks of the player on lead with best play by both."""
    return Oracle(strain, free_colon_discard).tricks(read_hand(leader_hand), read_hand(follower_hand), barred)


def oracle_tricks_led(
    leader_hand: str, follower_hand: str, strain: str, led: str, free_colon_discard: bool = False
) -> int:
    """The tricks of the player who led, that trick included; `led` is still in `leader_hand`, the other is to play."""
    leader, follower = read_hand(leader_hand), read_hand(follower_hand)
    assert led in leader, (led, leader_hand)
    return len(leader) - max(Oracle(strain, free_colon_discard).reply_values(leader, follower, led).values())
