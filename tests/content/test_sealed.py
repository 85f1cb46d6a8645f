"""Sealed items: kept out of every sitting, and the lint says where one could be met all the same."""

from __future__ import annotations

import pytest

from tutor.content.transfers import generate_transfer

SEALED = """
[[item]]
id = "rng-5s1d"
kind = "choice"
concept = "rng.replay"
level = "medium"
rev = 1
sealed = true
stem = 'Which state does a checkpoint keep beside the inputs of its block?'
answer = ["states"]
why = 'Without the generators of the forward pass the replay draws other masks.'
sources = ["torch.utils.checkpoint, note on preserve_rng_state"]

[item.option.states]
text = 'The states of the generators'

[item.option.outputs]
text = 'The outputs of its layers'
myth = "one-stream"
"""


def test_a_sealed_item_is_kept_apart(shelf) -> None:
    """It is in the library, is never scheduled, and follows no miss."""
    shelf.append(SEALED)
    library = shelf.load()

    item = library.items["rng-5s1d"]
    assert library.problems == ()
    assert (item.sealed, item.scheduled) == (True, False)
    assert [other.id for other in library.sealed()] == ["rng-5s1d"]
    assert item not in list(library.scheduled())
    assert item not in list(library.transfers(library.items["rng-7f3k"]))
    assert shelf.said("sealed") == []


def test_no_transfer_is_generated_from_one(shelf, catalogue) -> None:
    """Fresh numbers of a sealed question would show what it asks."""
    shelf.edit('id = "rng-2m9d"\n', 'id = "rng-2m9d"\nsealed = true\n')
    library = shelf.load()
    kin = [item for item in library.scheduled() if item.concept == library.items["rng-2m9d"].concept]

    made = [generate_transfer(item, 1, library, catalogue) for item in kin]
    assert not any(transfer and transfer.family for transfer in made)


def test_a_mark_that_is_no_flag(shelf) -> None:
    """The mark is true or false."""
    line = shelf.edit('id = "rng-7f3k"\n', 'id = "rng-7f3k"\nsealed = "yes"\n')
    assert shelf.load().problems[0].line >= line
    assert "sealed of item rng-7f3k must be true or false" in shelf.load().problems[0].message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('blurb = "Masks', 'quiz = true\nblurb = "Masks', "a quiz asks all its items"),
        ("sealed = true\n", 'sealed = true\ntransfer_of = "rng-7f3k"\n', "sealed and a transfer"),
        ('transfer_of = "rng-7f3k"', 'transfer_of = "rng-5s1d"', "name an item that is asked"),
    ],
)
def test_where_one_could_be_met(shelf, old: str, new: str, words: str) -> None:
    """A sealed item is in no quiz, is no transfer and has none."""
    shelf.append(SEALED)
    shelf.edit(old, new)
    said = shelf.said("sealed")

    assert said and all(problem.severity == "error" for problem in said)
    assert any(words in problem.message for problem in said), said


def test_no_prediction_is_sealed(shelf) -> None:
    """A mock runs nothing that could be its key."""
    shelf.edit('id = "rng-4c1p"\n', 'id = "rng-4c1p"\nsealed = true\n')
    assert any("runs no experiment" in problem.message for problem in shelf.said("sealed"))


def test_a_concept_that_nothing_teaches(shelf) -> None:
    """A forecast is made from practised items; without one there is nothing to check."""
    shelf.append(SEALED.replace('concept = "rng.replay"', 'concept = "rng.state-cost"'))
    for id, item in shelf.load().items.items():
        if item.concept == "rng.state-cost" and not item.sealed:
            shelf.edit(f'id = "{id}"\n', f'id = "{id}"\nsealed = true\n')
    assert any("nothing teaches" in problem.message for problem in shelf.said("sealed"))
