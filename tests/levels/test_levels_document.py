"""Untrusted JSON: every fault has a position, and the cost of a file is limited."""

from __future__ import annotations

import json
import pickle
import random
import tracemalloc

import msgspec
import pytest
from boards import trials

from ecs_collision import LevelError
from ecs_collision.levels import FrozenMap
from ecs_collision.levels.json_document import MAX_DIGITS, Node, pointer_to, read_json
from ecs_collision.levels.limits import MAX_BYTES, MAX_DEPTH
from ecs_collision.levels.source import Source


def a_node(text: str | bytes) -> Node:
    data = text.encode() if isinstance(text, str) else text
    return read_json(Source("map.json", data), remedy="save it again")


def refused(text: str | bytes, read=lambda node: None) -> str:
    """Return the error message for a document, or for a value read from it."""
    with pytest.raises(LevelError) as caught:
        read(a_node(text))
    return str(caught.value)


NO_DOCUMENTS = {
    "nothing": (b"", ":1:1: found the end of the file"),
    "an array that goes on": (b"[1,\n 2", ":2:3: found the end of the file"),
    "a comma too many": (b'{\n "a": [1,]\n}', ":2:"),
    "a comment": (b"[1] // one", ":1:5: found '// one'"),
    "two documents": (b"1 1", ":1:3: found '1'"),
    "a bare fraction": (b"[.5]", ":1:2: found '.5]'"),
    "digits of another script": ("[٣]".encode(), ":1:2: found '٣]'"),
    "a raw newline in a text": (b'"a\nb"', ":1:3: found '\\nb\"'"),
    "an unknown escape": (b'"\\x41"', ":1:2: found '\\\\x41\"'"),
    "no UTF-8": (b'{"a":\n "\xff"}', ":2:3: found the byte 0xff; expected text in UTF-8; save the file as UTF-8"),
    "a long form in UTF-8": (b'"\xc0\x80"', ":1:2: found the byte 0xc0; expected text in UTF-8"),
    "UTF-16": ("[1]".encode("utf-16"), ":1:1: found the byte 0xff; expected text in UTF-8"),
    "a half of a pair": (b'{"a": ["x", "\\ud83d"]}', ":1:14: found half of a surrogate pair, '\\\\ud83d'; expected"),
    "a half in a key": (b'{"a": {"\\udc00": 1}}', ":1:9: found half of a surrogate pair, '\\\\udc00'; expected"),
    "halves in equal keys": (b'{"\\udc00": 1, "\\udc00": 2}', " at '/\\udc00': found the key '\\udc00' twice"),
    "NaN": (b'{"x": [1, NaN]}', " at /x/1: found NaN; expected a finite number; save it again"),
    "infinity": (b'{"x": [Infinity]}', " at /x/0: found Infinity; expected a finite number"),
    "NaN before no JSON": (b'[NaN, "NaN", }', ":1:14: found '}'"),
    "equal keys": (b'{"a": {"b": 1, "b": 1}}', " at /a/b: found the key 'b' twice; expected every key once; save it"),
    "equal keys, not the first": (b'[{"a":1},{"a/~":1,"b":0,"a/~":1}]', " at /1/a~1~0: found the key 'a/~' twice"),
    "equal keys before no JSON": (b'[{"a":1,"a":1} 3', ":1:16: found '3'"),
    "an endless number": (
        b'["1",\n -' + b"1" * 400 + b"]",
        ":2:3: found a number of 400 digits; expected less than 400",
    ),
    "an endless fraction": (b"[0." + b"1" * 5000 + b"]", ":1:4: found a number of 5000 digits; expected less than"),
}


@pytest.mark.parametrize(("text", "expected"), NO_DOCUMENTS.values(), ids=NO_DOCUMENTS)
def test_invalid_json_is_an_error_with_a_position(text, expected):
    assert refused(text).startswith("map.json" + expected)


def test_a_byte_order_mark_and_all_line_ends_are_accepted():
    assert a_node(b'\xef\xbb\xbf{"a":\r\n1}').integer("a") == 1
    assert refused(b"[\r\n1,\r2,\nx]").startswith("map.json:4:1: found 'x]'")


def test_surrogate_pairs_and_zero_are_characters():
    assert a_node(b'["\\ud83d\\ude00", "\\u0000", "\\\\ud800"]').plain() == ("\N{GRINNING FACE}", "\0", "\\ud800")


@pytest.mark.parametrize("unit", ['{"a":', "[", '["]}",'], ids=["objects", "arrays", "brackets in texts"])
def test_nesting_is_allowed_up_to_the_limit(unit):
    end = {"{": "}", "[": "]"}[unit[0]]
    assert a_node(unit * MAX_DEPTH + "0" + end * MAX_DEPTH).value
    message = refused(unit * MAX_DEPTH + "\n[0" + end * MAX_DEPTH)
    assert message.startswith("map.json:2:1: found '[' inside 32 others; expected at most 32 nested arrays and objects")


def test_brackets_in_strings_are_not_nesting():
    text = json.dumps(["[" * 100, '"' + "{" * 100, "\\" * 3 + '"[' * 100, {"[[" * 50: "\\"}])
    assert json.loads(text) == a_node(text).value


def test_a_syntax_error_before_deep_or_long_content_is_reported():
    assert refused('\\"' + "[" * 50 + '"').startswith("map.json:1:1: found '\\\\\"[[[")
    assert refused('\\"' + "1" * 500 + '"').startswith("map.json:1:1: found '\\\\\"1111")


@pytest.mark.parametrize("data", [b"[" * MAX_BYTES, b"7" * MAX_BYTES, b"[0," * 40 + b"0," * (MAX_BYTES // 2 - 80)])
def test_deep_nesting_and_long_numbers_are_rejected_before_decoding(data):
    tracemalloc.start()
    try:
        message = refused(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "expected at most" in message or f"expected less than {MAX_DIGITS}" in message
    assert peak < 6 * MAX_BYTES


def test_keys_in_pointers_are_escaped():
    assert pointer_to("a/b", 3, "~1", "") == "/a~1b/3/~01/"
    node = a_node('{"a/b": {"~": [{"": "x"}]}}')
    inner = next(node.get("a/b").each("~")).get("")
    assert inner.pointer == "/a~1b/~0/0/"
    assert node.pointer == ""


READINGS = {
    "a whole number": ('{"a": 3}', lambda node: node.integer("a", minimum=3, maximum=3), 3),
    "a whole number that is missing": ("{}", lambda node: node.integer("a", default=-1), -1),
    "a whole number that is null": ('{"a": null}', lambda node: node.integer("a", default=0), 0),
    "a number": ('{"a": -2.5e1}', lambda node: node.number("a"), -25.0),
    "a whole number as a number": ('{"a": 7}', lambda node: node.number("a"), 7.0),
    "a text": ('{"a": "x"}', lambda node: node.text("a", among=("x", "y")), "x"),
    "a flag": ('{"a": false}', lambda node: node.flag("a", default=True), False),
    "the value itself": ("[4]", lambda node: [item.integer() for item in node.each()], [4]),
    "by index": ("[4, 5]", lambda node: node.integer(1), 5),
    "beyond the end": ("[4]", lambda node: node.integer(1, default=9), 9),
    "an array that is missing": ("{}", lambda node: list(node.each("a", optional=True)), []),
    "many whole numbers": (
        '{"a": [1, 0, 2]}',
        lambda node: node.integers("a", count=3, minimum=0, maximum=2),
        [1, 0, 2],
    ),
    "none of many": ("[]", lambda node: node.integers(), []),
    "items": ('{"a": {"x": 1}}', lambda node: [(key, item.integer()) for key, item in node.items("a")], [("x", 1)]),
    "what is there": ('{"a": 0, "b": null}', lambda node: [node.has(key) for key in "abc"], [True, False, False]),
    "plain data": ('{"a": [1, {"b": null}]}', lambda node: node.plain(), {"a": (1, FrozenMap({"b": None}))}),
    "plain data that is missing": ("{}", lambda node: node.plain("a"), None),
}


@pytest.mark.parametrize(("text", "read", "expected"), READINGS.values(), ids=READINGS)
def test_members_are_read(text, read, expected):
    assert expected == read(a_node(text))


def test_numbers_keep_their_kind():
    assert type(a_node("[7]").number(0)) is float
    assert [type(value) for value in a_node("[7, 7.0]").plain()] == [int, float]


WRONG = {
    "a member that is missing": ("{}", lambda node: node.integer("a", minimum=1),
        "/a: found nothing; expected a whole number of at least 1"),
    "a member that is null": ('{"a": null}', lambda node: node.text("a"), "/a: found null; expected a text"),
    "a text for a number": ('{"a": "3"}', lambda node: node.integer("a"),
        "/a: found the text '3'; expected a whole number"),
    "a fraction": ('{"a": 3.0}', lambda node: node.integer("a"), "/a: found 3.0; expected a whole number"),
    "true for a number": ('{"a": true}', lambda node: node.integer("a"), "/a: found true; expected a whole number"),
    "a number for a flag": ('{"a": 1}', lambda node: node.flag("a"), "/a: found 1; expected true or false"),
    "too small": ('{"a": 0}', lambda node: node.integer("a", minimum=1, maximum=9),
        "/a: found 0; expected a whole number from 1 to 9"),
    "far too large": (f'{{"a": {10**30}}}', lambda node: node.integer("a"),
        f"/a: found {10**30}; expected a whole number"),
    "an infinite number": ('{"a": 1e400}', lambda node: node.number("a"), "/a: found inf; expected a number"),
    "an infinite number in plain data": ('{"a": [1e400]}', lambda node: node.plain(),
        "/a/0: found inf; expected a number"),
    "a large number in plain data": (f"[{10**30}]", lambda node: node.plain(),
        f"/0: found {10**30}; expected a number"),
    "a large number among many": (f"[1, {10**30}]", lambda node: node.integers(),
        f"/1: found {10**30}; expected a whole"),
    "true among many": ("[1, true]", lambda node: node.integers(), "/1: found true; expected a whole number"),
    "one of many too small": ("[1, -1]", lambda node: node.integers(minimum=0),
        "/1: found -1; expected a whole number of at least 0"),
    "one too few": ('{"a": [1, 2]}', lambda node: node.integers("a", count=3),
        "/a: found an array of 2; expected an array of 3"),
    "an array that is missing": ("{}", lambda node: list(node.each("a")), "/a: found nothing; expected an array"),
    "an array that is long": ("[1, 2]", lambda node: list(node.each(maximum=1)),
        "the root: found an array of 2; expected an array of at most 1"),
    "an array for an object": ("[]", lambda node: node.text("a"), "the root: found an array of 0; expected an object"),
    "items that are missing": ("{}", lambda node: list(node.items("a")), "/a: found nothing; expected an object"),
    "another word": ('{"a": "z"}', lambda node: node.text("a", among=("x", "y")),
        "/a: found the text 'z'; expected one of 'x', 'y'"),
    "a long text": ('{"a": "xyz"}', lambda node: node.text("a", maximum=2),
        "/a: found a text of 3 characters; expected a text of at most 2"),
    "an object that must be there": ("{}", lambda node: node.get("a", "an object"),
        "/a: found nothing; expected an object"),
    "an item that must be there": ("[]", lambda node: node.get(0), "/0: found nothing; expected a value"),
    "a path that is no text": ('{"a": 3}', lambda node: node.open_reference("a"), "/a: found 3; expected a text"),
    "a path out of nowhere": ('{"a": "x"}', lambda node: node.open_reference("a"),
        "/a: found a reference to 'x'; expected a level without references; load the level"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "read", "expected"), WRONG.values(), ids=WRONG)
def test_an_invalid_member_is_an_error_with_its_pointer(text, read, expected):
    message = refused(text, read)
    assert message.startswith("map.json at " + expected)
    assert message.endswith("; save it again") or "path" in text or "reference" in message


def test_a_message_is_short_and_on_one_line_for_any_keys():
    key = "x" * 10_000 + "\n\x1b[2J"
    with pytest.raises(LevelError) as caught:
        a_node(json.dumps({key: "y" * 10_000})).integer(key)
    assert caught.value.pointer == "/" + key
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


SEEDS = (
    b'{"a": [1, -2.5e-3, true, false, null], "b\\n": {"c/~": "\\u00e9\\ud83d\\ude00 \xc3\xa9", "d": []}, "e": {}}',
    b'[[], [[]], {"x": [{"y": {"z": "\\\\\\""}}]}, 0, -0, 1E5, "", " ", "[{"]',
)


def test_accepted_documents_are_read_like_by_msgspec():
    """Mutants of small documents, compared with msgspec: equal values or both errors, except for duplicate keys."""
    dice = random.Random(4)
    both = read = 0
    for _ in range(trials(4000)):
        data = bytearray(dice.choice(SEEDS))
        for _ in range(dice.randint(1, 3)):
            spot = dice.randrange(len(data))
            piece = bytes(
                dice.choice(b'0123456789"\\[]{}:,.eE+-truefalsn ud8\xff\xc3\xa9\n\x00a')
                for _ in range(dice.randint(0, 2))
            )
            data[spot : spot + dice.randint(0, 2)] = piece
        try:
            expected = msgspec.json.decode(bytes(data))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            with pytest.raises(LevelError):
                a_node(bytes(data)).plain()
            both += 1
            continue
        try:
            value = a_node(bytes(data)).value
        except LevelError as problem:
            assert "twice" in str(problem) or "half" in str(problem), (bytes(data), problem)
        else:
            assert expected == value, bytes(data)
            read += 1
    assert both > read > both / 50
