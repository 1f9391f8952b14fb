"""The pictures of docs/rules.md: each is the one that the engine draws, and is shown with its rule."""

import re

import pytest
from material import HOUSE

from tools.rule_pictures import FOLDER, PICTURES, file_of, picture


@pytest.mark.parametrize("rule", PICTURES)
def test_a_committed_picture_is_the_one_that_the_engine_draws(rule):
    assert picture(rule) == file_of(rule).read_text(encoding="utf-8")


def test_every_picture_stands_with_its_rule():
    document = (HOUSE / "docs" / "rules.md").read_text(encoding="utf-8")
    shown = {}
    for rule, text in re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", document, re.MULTILINE | re.DOTALL):
        shown |= dict.fromkeys(re.findall(r"^!\[[^]\n]+\]\(rules/(\w+)\.svg\)$", text, re.MULTILINE), rule)
    assert {rule: rule for rule in PICTURES} == shown
    assert {file_of(rule) for rule in PICTURES} == set(FOLDER.iterdir())
