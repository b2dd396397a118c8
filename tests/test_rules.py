"""The named choices: their defaults are those of the law, and each is read, written and bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import BridgetteError, NotationError, RuleError
from solver.rules import DEFAULT_RULES, Rules

rules = st.builds(Rules, st.booleans(), st.integers(1, 13), st.booleans(), st.booleans(), st.booleans())


def test_the_defaults():
    assert Rules() == DEFAULT_RULES == Rules.with_choices([])
    assert Rules() == Rules(
        upcard_drawn=True, nt_jump_min=1, redeal_passed_out=False, free_colon_discard=False, insult_multiplied=True
    )
    assert Rules().changed == ()


@given(rules)
def test_the_changes_are_written_and_read_back(choices):
    assert Rules.with_choices(choices.changed) == choices


@pytest.mark.parametrize("name", ["upcard_drawn", "redeal_passed_out", "free_colon_discard", "insult_multiplied"])
def test_each_choice_is_read_in_each_writing(name):
    for value, words in ((True, ["true", "True", "yes", "on", "1"]), (False, ["false", "FALSE", "no", "off", "0"])):
        for word in words:
            for choice in (f"{name}={word}", f" {name} = {word} ", f"{name.replace('_', '-')}={word}"):
                read = Rules.with_choices([choice])
                assert getattr(read, name) is value
                assert read.changed == (
                    () if value == getattr(DEFAULT_RULES, name) else (f"{name}={str(value).lower()}",)
                )


def test_the_number_is_read():
    assert [Rules.with_choices([f"nt_jump_min={number}"]).nt_jump_min for number in range(1, 14)] == list(range(1, 14))


@pytest.mark.parametrize(
    ("choices", "kind", "named"),
    [
        (["free_colon_discard"], NotationError, ["rule 'free_colon_discard' has no '='; expected NAME=VALUE"]),
        (["colours=true"], NotationError, ["rule 'colours' does not exist; expected one of upcard_drawn, nt_jump_min"]),
        (["upcard_drawn=maybe"], NotationError, ["rule upcard_drawn is 'maybe'; expected true or false"]),
        (["nt_jump_min=two"], NotationError, ["rule nt_jump_min is 'two'; expected a number from 1 to 13"]),
        (["nt_jump_min=-1"], NotationError, ["rule nt_jump_min is '-1'"]),
        (["nt_jump_min=٣"], NotationError, ["rule nt_jump_min is '٣'"]),
        (["nt_jump_min=0"], RuleError, ["nt_jump_min is 0; expected 1 to 13"]),
        (["nt_jump_min=14"], RuleError, ["nt_jump_min is 14"]),
        (["nt_jump_min=2", "nt_jump_min=3"], NotationError, ["rule nt_jump_min is given twice"]),
        (["x", "y=1", "upcard_drawn="], NotationError, ["rule 'x'", "rule 'y'", "rule upcard_drawn is ''"]),
        (["x" * 10_000_000], NotationError, ["too long for a rule"]),
    ],
)
def test_all_that_is_wrong_is_named_at_once(choices, kind, named):
    with pytest.raises(BridgetteError) as error:
        Rules.with_choices(choices)
    assert type(error.value) is kind
    for words in named:
        assert words in str(error.value)
    assert len(str(error.value)) < 500


def test_values_of_another_kind_are_refused():
    with pytest.raises(RuleError) as error:
        Rules(upcard_drawn=1, nt_jump_min=True, insult_multiplied="no")  # type: ignore[arg-type]
    assert len(error.value.faults) == 3
