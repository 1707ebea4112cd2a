"""Squad plans on small random maps with all rules mixed, against a search of all configurations."""

from hypothesis import given
from hypothesis import strategies as st

from tests.squads.brute_force import METHOD, check_plan
from tests.support.reference import thoroughly
from tests.support.squad_maps import crowded, mixed


@given(mixed(), METHOD, st.integers(0, 3))
def test_plans_with_all_rules_mixed(squad, method, seed):
    check_plan(squad, method, seed)


@given(crowded(), METHOD, st.integers(0, 3))
@thoroughly(150)
def test_plans_on_crowded_maps(squad, method, seed):
    plan = check_plan(squad, method, seed)
    assert plan.is_cheapest or not plan or method != "cheapest"
