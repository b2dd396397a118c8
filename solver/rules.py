"""The named choices: where the published rules are silent or can be read two ways, how this table plays."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from solver.errors import Faults, check_length, quote

_BOOLEANS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Rules:
    """The choices of a table; the defaults are this project's reading.

    Attributes:
        upcard_drawn: the non-dealer draws the upcard as the first of its two cards; False: it is out of play.
        nt_jump_min: how many cards of each suit a jump in no trump needs, 1 to 13.
        redeal_passed_out: a deal passed out does not count as one of the six and the same dealer deals again.
        free_colon_discard: a player void of the suit led may throw any colon; False: one that does not match
            the card led only when nothing else is legal.
        insult_multiplied: the 400 or 1000 for making a doubled or redoubled contract is doubled or quadrupled with
            the rest; False: it is added after.
    """

    upcard_drawn: bool = True
    nt_jump_min: int = 1
    redeal_passed_out: bool = False
    free_colon_discard: bool = False
    insult_multiplied: bool = True

    def __post_init__(self) -> None:
        faults = Faults()
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is bool:
                if not isinstance(value, bool):
                    faults.broken.append(f"{field.name} is {value!r}; expected True or False")
            elif isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 13:
                faults.broken.append(f"{field.name} is {value!r}; expected 1 to 13")
        faults.check()

    @classmethod
    def with_choices(cls, choices: Iterable[str]) -> "Rules":
        """The defaults but for choices written `name=value`, such as `free_colon_discard=true` or `nt_jump_min=3`.

        Raises:
            NotationError: an unknown name, a value that cannot be read, or a name given twice.
            RuleError: a value out of its bounds.
        """
        kinds = {field.name: field.type for field in fields(cls)}
        faults = Faults()
        values: dict[str, bool | int] = {}
        for choice in choices:
            check_length(choice, "a rule")
            name, equals, written = (part.strip() for part in choice.partition("="))
            name = name.replace("-", "_")
            if not equals:
                faults.unreadable.append(f"rule {quote(choice)} has no '='; expected NAME=VALUE")
                continue
            if name not in kinds:
                faults.unreadable.append(f"rule {quote(name)} does not exist; expected one of {', '.join(kinds)}")
                continue
            if name in values:
                faults.unreadable.append(f"rule {name} is given twice")
                continue
            value: bool | int | None
            if kinds[name] is bool:
                value = _BOOLEANS.get(written.lower())
            else:
                value = int(written) if written.isascii() and written.isdecimal() and len(written) < 4 else None
            if value is None:
                expected = "true or false" if kinds[name] is bool else "a number from 1 to 13"
                faults.unreadable.append(f"rule {name} is {quote(written)}; expected {expected}")
                continue
            values[name] = value
        faults.check()
        return cls(**values)  # type: ignore[arg-type]

    @property
    def changed(self) -> tuple[str, ...]:
        """The choices that differ from the defaults, each as `name=value`, in the form that `with_choices` reads."""
        return tuple(
            f"{field.name}={str(getattr(self, field.name)).lower()}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )


DEFAULT_RULES = Rules()
