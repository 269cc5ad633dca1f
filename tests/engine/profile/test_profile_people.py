"""How many people the rows are about."""

from tests.engine.profile import slow_profile as slow


def test_rows_about_fewer_people_are_told_by_the_column_that_says_so() -> None:
    cells = [f"M{number % 1210}" for number in range(4820)]
    (found,) = slow.profile_of({"member_id": cells, "x": ["1"] * 4820}).people
    assert (found.column, found.rows, found.people, found.missing) == (0, 4820, 1210, 0)
    assert found.reason == "4\u00a0820\u00a0rows about 1\u00a0210\u00a0people, by column member_id."


def test_a_column_that_is_called_like_a_person_counts_them_where_its_values_are_codes() -> None:
    codes, kinds = [f"P{number % 60:04}" for number in range(240)], ["new", "old"] * 120
    (found,) = slow.profile_of({"patient": codes, "customer": kinds}).people
    assert (found.column, found.people) == (0, 60)


def test_rows_that_do_not_say_whom_are_told() -> None:
    cells = [None, *(f"{number % 20}" for number in range(100))]
    (found,) = slow.profile_of({"Kundennummer": cells}).people
    assert found.reason == ("100\u00a0rows about 20\u00a0people, by column Kundennummer; 1\u00a0row does not say whom.")


def test_the_surest_column_comes_first() -> None:
    mails = [f"person{number % 50}@example.org" for number in range(100)]
    numbers = [str(1000 + number % 40) for number in range(100)]
    found = slow.profile_of({"email": mails, "patient_id": numbers}).people
    assert [(each.column, each.people, each.confidence) for each in found] == [(1, 40, "likely"), (0, 50, "possible")]


def test_identifiers_of_things_count_no_people() -> None:
    numbers = [str(1000 + number % 40) for number in range(100)]
    assert slow.profile_of({"product_id": numbers, "id": numbers, "customer_product_id": numbers}).people == ()
