"""Every quoted rule id exists in docs/rules.md, and every rule is named by a test.

A rule is quoted by its id, `P12`, alone or in a range, `T1 to T6`, and at the end of a test name. Case ids have two
digits and look the same. They follow the word "case" or "cases", or are the name of a drawn scene, `P12-negative`, or
end the test names in `test_*_cases.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatch

from drawing import pictured
from material import HOUSE

THIS = "tests/project/test_rules.py"
RULES = HOUSE / "docs" / "rules.md"
FOLDERS = ("ecs_collision", "tests", "docs", "examples", "benchmarks")
KINDS = {".py", ".pxd", ".md", ".txt"}
HEADING = re.compile(r"^### (\w+)$", re.MULTILINE)
CASES = re.compile(r"\bcases? [A-Z]\d\d(?:(?:,? and|,| to) [A-Z]\d\d)*\b|\b[A-Z]\d\d-[a-z]|\b[A-Z]0\d\b")
RANGE = re.compile(r"\b([A-Z])([1-9]\d?) to \1([1-9]\d?)\b")
IDENTIFIER = re.compile(r"\b[A-Z][1-9]\d?\b")
NAME = re.compile(r"^ *def (test_\w+?)((?:_[A-Z]\d{1,2})+)\(", re.MULTILINE)


def rules_of(document: str) -> list[str]:
    """Return the rule ids in the order of their headings."""
    return HEADING.findall(document)


def quoted_ids(path: str, text: str) -> list[str]:
    """Return all rule ids quoted in a file, with repetitions; a range gives its two ends."""
    is_of_cases = fnmatch(path, "*test_*_cases.py")
    in_names = [
        identifier
        for name, ending in NAME.findall(text)
        if not name.endswith(("_case", "_cases"))
        for identifier in ending.split("_")[1:]
        if identifier[1] != "0" and not (is_of_cases and len(identifier) > 2)
    ]
    return IDENTIFIER.findall(CASES.sub("", text)) + in_names


def unknown_ids(files: Mapping[str, str], rules: list[str]) -> list[str]:
    """Return messages for quoted ids that do not exist, and for ranges that run backwards."""
    letters = {rule[0] for rule in rules}
    wrong = []
    for path, text in files.items():
        missing = {each for each in quoted_ids(path, text) if each[0] in letters and each not in rules}
        wrong += [f"{path} quotes {each}, which is no rule" for each in sorted(missing)]
        ranges = [(letter, int(first), int(last)) for letter, first, last in RANGE.findall(CASES.sub("", text))]
        backwards = {each for each in ranges if each[0] in letters and each[1] >= each[2]}
        wrong += [f"{path} quotes {a}{first} to {a}{last}, which is no range" for a, first, last in sorted(backwards)]
    return wrong


def untested_rules(tests: Mapping[str, str], rules: list[str]) -> list[str]:
    """Return the rules that no test names individually; a range does not count."""
    named = {each for path, text in tests.items() for each in quoted_ids(path, RANGE.sub("", text))}
    return [rule for rule in rules if rule not in named]


def all_texts() -> dict[str, str]:
    """Return all texts that may quote rules, by path."""
    paths = [*HOUSE.glob("*.md"), *(path for folder in FOLDERS for path in (HOUSE / folder).rglob("*"))]
    return {
        path.relative_to(HOUSE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(paths)
        if path.suffix in KINDS and path.is_file()
    }


def test_every_quoted_rule_is_in_the_rules():
    files = all_texts()
    assert {"docs/rules.md", "ecs_collision/events.py", "tests/model/model.py", "README.md"} <= files.keys()
    assert [] == unknown_ids(files, rules_of(files["docs/rules.md"]))


def test_every_rule_is_named_by_a_test():
    files = all_texts()
    tests = {path: text for path, text in files.items() if fnmatch(path, "tests/*/test_*.py") and path != THIS}
    assert [] == untested_rules(tests, rules_of(files["docs/rules.md"]))


def test_the_rules_are_numbered_without_gaps_and_start_with_a_sentence():
    document = RULES.read_text(encoding="utf-8")
    rules = rules_of(document)
    counts = {letter: sum(rule[0] == letter for rule in rules) for letter in "LBPQHSTCIMEN"}
    assert [f"{letter}{number + 1}" for letter, count in counts.items() for number in range(count)] == rules
    assert document.count("\n### ") == len(re.findall(r"^### \w+\n\*\*[^*\n]", document, re.MULTILINE)) == len(rules)


def test_the_drawings_in_the_rules_are_played_by_the_push_tests():
    plans = pictured(RULES.read_text(encoding="utf-8"))
    drawn = re.findall(r"^\w[\w-]*: [xy][+-]", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(drawn) == len(plans) >= 6
