"""`kinds=`: the components that a program, or a file next to a level, gives to the things of a level.

A plain key is a kind and gives defaults: components in the level take precedence. A key with a selector in front, such
as "layer:Walls" or "name:player", selects things and overrides the level. Its value is a mapping of components, or the
kind of these things, whose components they get.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from ecs_collision.errors import CollisionError, CollisionTypeError, CollisionValueError
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.json_document import Node, read_json
from ecs_collision.levels.level import listed
from ecs_collision.levels.limits import MAX_NAME
from ecs_collision.levels.registry import Registry
from ecs_collision.levels.source import VALID_NAME, Source, name_problem, open_source, said_by, short, shown
from ecs_collision.similar import did_you_mean

SELECTORS = {"layer": "layers", "class": "classes", "tile": "tiles", "gid": "gids", "name": "names", "id": "ids"}
"""What a key may select things by, with its plural, from the weakest to the strongest; see docs/levels.md."""

KINDS_SUFFIX = ".kinds.json"
"""The end of the name of the file of kinds next to a level: `first.kinds.json` for `first.tmx`."""

MAX_SEEN = 1000
"""Number of layers, names and so on of a file that are kept for hints."""

Fields: TypeAlias = FrozenMap | None
"""The fields of a component; None removes it."""

Components: TypeAlias = Mapping[str, Any]
"""The fields of components by name."""

GivenKinds: TypeAlias = Mapping[str, str | Mapping[str, object]] | str | os.PathLike[str]
"""`kinds=` of a loader: a mapping, or the path of a JSON file with one."""

NONE: Components = FrozenMap()


class Choice(NamedTuple):
    """What `kinds=` chose for a thing: its kind, components unless the level gives them, and those that override.

    keys: the key of `kinds=` that gave each component that overrides.
    """

    kind: str
    defaults: Components = NONE
    overrides: Components = NONE
    keys: Mapping[str, Any] = FrozenMap()

    def merged(self, given: Components) -> dict[str, Fields]:
        """Return the components of a thing with these components in the level; None for removed ones."""
        return {**self.defaults, **given, **self.overrides}

    def origins(self, given: Components, components: Iterable[str]) -> str:
        """Return which keys gave some components of a thing, for messages; "" if `kinds=` gave none of them."""
        defaults = {name: self.kind for name in self.defaults if name not in given}
        found = {**defaults, **self.keys}
        parts = [f"{found[name]!r} gives {name}" for name in components if name in found]
        return f" (in kinds {', '.join(parts)})" if parts else ""

    def applied(self, given: Components = NONE) -> FrozenMap:
        """Return the components of a thing with these components in the level."""
        return present(self.merged(given))


def present(components: Components) -> FrozenMap:
    """Return components without the removed ones."""
    return FrozenMap({name: fields for name, fields in components.items() if fields is not None})


@dataclass(slots=True)
class Kinds:
    """The kinds for one reading of a file: `choose` returns those of a thing, `check` finds keys that matched nothing.

    by_kind: components by kind. selected: by selector and value, components or a kind. node: the document, if they are
    from a file.
    """

    by_kind: dict[str, Components] = field(default_factory=dict)
    selected: dict[str, dict[str, str | Components]] = field(default_factory=dict)
    node: Node | None = None
    _kinds: set[str] = field(default_factory=set)
    _matched: set[tuple[str, str]] = field(default_factory=set)
    _seen: dict[str, dict[str, None]] = field(default_factory=dict)

    def values(self, selector: str) -> list[str]:
        """Return the values of all keys with a selector."""
        return list(self.selected.get(selector, ()))

    def see(self, selector: str, value: str) -> None:
        """Note that the file has a layer, a tile and so on, which a key may therefore name."""
        if value in self.selected.get(selector, ()):
            self._matched.add((selector, value))
        if selector in self.selected and len(seen := self._seen.setdefault(selector, {})) < MAX_SEEN:
            seen[value] = None

    def choose(self, kind: str, facts: Mapping[str, str]) -> Choice:
        """Return the choice for a thing of a kind in the file; `facts` are its values by selector, "" for none."""
        self._kinds.add(kind)
        overrides: dict[str, Fields] = {}
        keys_of: dict[str, str] = {}
        for selector, keys in self.selected.items():
            value = facts.get(selector, "")
            if value:
                self.see(selector, value)
                found = keys.get(value, NONE)
                if isinstance(found, str):
                    kind = found
                else:
                    overrides.update(found)
                    keys_of.update(dict.fromkeys(found, f"{selector}:{value}"))
        return Choice(kind, self.by_kind.get(kind, NONE), overrides, keys_of)

    def check(self, file: str, kinds: Iterable[str], defined: Iterable[str]) -> None:
        """Raise an error for the first key that matched nothing, because its components would silently be missing.

        kinds: those of all things. defined: those that the file defines, whether used or not.
        """
        for kind in (defined := sorted(defined)):
            self.see("class", kind)
            self._kinds.add(kind)
        chosen = {
            f"{selector}:{value}": kind
            for selector, keys in self.selected.items()
            for value, kind in keys.items()
            if isinstance(kind, str)
        }
        known = dict.fromkeys([*kinds, *defined, *chosen.values()])
        for kind in self.by_kind:
            if kind not in known:
                form = f"; a key that selects begins with one of {listed(SELECTORS)}" if ":" in kind else ""
                raise self._no_such("kind", "kinds", kind, file, known, did_you_mean(kind, known) + form)
        for selector, keys in self.selected.items():
            for value in keys:
                if (selector, value) not in self._matched:
                    seen = self._seen.get(selector, {})
                    near = did_you_mean(value, seen).replace("mean '", f"mean '{selector}:", 1)
                    raise self._no_such(selector, SELECTORS[selector], f"{selector}:{value}", file, seen, near)
        for key, kind in chosen.items():
            if kind not in self.by_kind and kind not in self._kinds:
                raise self._unknown_kind(key, kind, file)

    def _no_such(self, what: str, plural: str, key: str, file: str, known: Iterable[str], hint: str) -> CollisionError:
        if self.node is None:
            text = f"{file} has no such {what}; its {plural} are {listed(known, 20)}{hint}"
            return CollisionValueError(f"kinds={{{key!r}: ...}}: {text}")
        return self.node.at(key).error(
            f"the key {shown(key)}, but {file} has no such {what}", f"one of its {plural}: {listed(known)}",
            hint.removeprefix("; ") or "correct the key, or remove it",
        )  # fmt: skip

    def _unknown_kind(self, key: str, kind: str, file: str) -> CollisionError:
        remedy = f"add {kind!r} with its components"
        hint = did_you_mean(kind, [*self.by_kind, *self._kinds])
        if self.node is None:
            text = f"neither kinds= nor {file} has this kind; {remedy}{hint}"
            return CollisionValueError(f"kinds={{{key!r}: {kind!r}}}: {text}")
        return self.node.at(key).error(f"the unknown kind {kind!r}", f"a kind of this file or of {file}", remedy + hint)


def kinds_of(given: GivenKinds | None, source: Source, registry: Registry) -> Kinds:
    """Return the kinds for a level file: those given, else those in the file of kinds next to it, if there is one."""
    if given is None:
        beside = source.open_beside(KINDS_SUFFIX)
        return Kinds() if beside is None else _from_file(beside, registry)
    if isinstance(given, Mapping):
        return _from_program(given, registry)
    if isinstance(given, str | os.PathLike):
        return _from_file(open_source(given, expected="a file of kinds"), registry)
    raise CollisionTypeError(f"kinds is {given!r}; give a mapping such as {{'wall': {{'Static': True}}}}, or a path")


def _from_program(given: Mapping[str, Any], registry: Registry) -> Kinds:
    def make_error(key: str, name: str | None, problem: CollisionError) -> CollisionError:
        value = given[key] if name is None else {name: given[key][name]}
        return type(problem)(f"kinds={{{key!r}: {value!r}}}: {problem}")

    return _read(given, registry, make_error)


def _from_file(source: Source, registry: Registry) -> Kinds:
    """Return the kinds in a JSON file; raises LevelError with the JSON pointer of the first fault."""
    root = read_json(source, "correct the file")
    for key, _ in root.items():
        if len(key) > 2 * MAX_NAME:
            raise root.error(f"a key of {len(key)} characters", f"at most {2 * MAX_NAME}", "choose a shorter name")

    def make_error(key: str, name: str | None, problem: CollisionError) -> CollisionError:
        node = root.at(key)
        if name is None:
            return node.unexpected("components or, if the key selects things, their kind", short(problem))
        return node.at(name).error(*said_by(problem, node.remedy))

    kinds = _read({key: root.plain(key) for key, _ in root.items()}, registry, make_error)
    kinds.node = root
    return kinds


def _read(
    given: Mapping[str, Any],
    registry: Registry,
    make_error: Callable[[str, str | None, CollisionError], CollisionError],
) -> Kinds:
    """Return checked kinds; `make_error` creates the error for a key, or for a component of a key."""
    kinds = Kinds()
    selected: dict[str, dict[str, str | Components]] = {selector: {} for selector in SELECTORS}
    for key, value in given.items():
        name: str | None = None
        try:
            selector, what = _split(key)
            if isinstance(value, str) and selector:
                selected[selector][what] = _checked_kind(value)
                continue
            if not isinstance(value, Mapping):
                kind = ", or the kind of these things" if selector else ""
                raise CollisionValueError(f"give a mapping such as {{'Static': True}}{kind}")
            components: dict[str, Fields] = {}
            for name, fields in value.items():
                components[name] = registry.read(name, fields)
        except CollisionError as problem:
            raise make_error(key, name, problem) from problem
        if selector:
            selected[selector][what] = components
        else:
            kinds.by_kind[what] = components
    kinds.selected = {selector: keys for selector, keys in selected.items() if keys}
    return kinds


def _split(key: object) -> tuple[str, str]:
    """Return the selector of a key and what it selects; the selector is "" for a kind."""
    if not isinstance(key, str):
        raise CollisionTypeError("a key is a text: a kind, or a selector such as 'name:player'")
    selector, colon, what = key.partition(":")
    if not colon or selector not in SELECTORS:
        return "", key
    if not what:
        raise CollisionValueError(f"{key!r} selects nothing; write a name after the colon, as in '{key}walls'")
    return selector, what


def _checked_kind(kind: str) -> str:
    problem = "an empty kind" if not kind.strip() else "a kind with quotes" if '"' in kind else name_problem(kind)
    if problem:
        raise CollisionValueError(f"{problem} cannot be given to things; choose {VALID_NAME}")
    return kind
