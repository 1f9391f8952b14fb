"""Declares the fields of components once.

Constructors, properties, `repr` and copies are generated from these declarations. Snapshots, level files and scenes
also use them: they call `fields_of` and name no field. A field is declared in its class, as in a dataclass:

    @component
    class Sleeping(Component):
        asleep: Field[bool, bool] = field(flag, "Whether the body is asleep; may be assigned.", default=False)
        after: Field[int, int] = field(whole, "How many quiet frames pass before rest.", default=30, minimum=1)
        __slots__ = slots(vars())

Not taken: dataclasses, whose fields are not checked on assignment, and custom descriptors, which cost a call for each
read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NoReturn, TypeVar, dataclass_transform

from ecs_collision.errors import CollisionTypeError
from ecs_collision.fixed_point import MAX_COORDINATE, shown

Read = TypeVar("Read")
Written = TypeVar("Written", contravariant=True)
Kind = TypeVar("Kind", bound=type[Any])

Check = Callable[..., Any]

REQUIRED: Final = object()
"""The default of a required field."""


@dataclass(slots=True, eq=False)
class Field(Generic[Read, Written]):
    """A field of a component: `Field[type read, type written]`.

    check: called as check(value, where, owner=component), with `minimum` if there is one; returns the value to store or
    raises. is_optional: None is allowed too. repr_style: how `repr` shows the field: its value only, with its name, or
    with its name unless it has the default. is_volatile: it may change every turn, so snapshots store it outside of
    component records. is_shorthand: it stands for all other fields unless it is None; a method reads it instead of a
    slot. writer: the method that receives the values of all fields with this writer and stores them.
    """

    check: Check
    doc: str
    default: Any = REQUIRED
    kw_only: bool = False
    minimum: int | None = None
    is_optional: bool = False
    repr_style: Literal["value", "named", "non_default"] = "non_default"
    is_volatile: bool = False
    is_shorthand: bool = False
    writer: str = ""
    name: str = ""
    written_type: str = ""
    """The type that may be written, from the annotation."""

    if TYPE_CHECKING:

        def __get__(self, component: object, kind: object = None, /) -> Read: ...
        def __set__(self, component: object, value: Written, /) -> None: ...

    @property
    def slot(self) -> str:
        """The attribute that holds the value."""
        return f"_{self.name}"

    @property
    def holds_text(self) -> bool:
        """Return whether its values are strings or sets of strings."""
        return "str" in self.written_type or "Rule" in self.written_type


def field(check: Check, doc: str, *, default: Any = REQUIRED, kw_only: bool = False, **more: Any) -> Any:
    """Return a field, for the body of a component class; see `Field`."""
    return Field(check, doc, default, kw_only, **more)


def slots(body: Mapping[str, Any], *more: str) -> tuple[str, ...]:
    """Return the slots for the fields in a class body, and `more`."""
    fields = [name for name, each in body.items() if isinstance(each, Field) and not each.is_shorthand]
    return (*(f"_{name}" for name in fields), *more)


def fields_of(kind: type[Any]) -> tuple[Field[Any, Any], ...]:
    """Return the fields of a component class: its own, then those of its base."""
    fields: tuple[Field[Any, Any], ...] = kind._schema
    return fields


def stored_fields(kind: type[Any]) -> list[Field[Any, Any]]:
    """Return the fields that store a value, which are all but shorthands."""
    return [each for each in fields_of(kind) if not each.is_shorthand]


def refuse_call(
    kind: type[Any], required: Mapping[str, object], surplus: tuple[object, ...], unknown: Mapping[str, object]
) -> NoReturn:
    """Raise CollisionTypeError for arguments of a constructor that do not fit; it says what to write.

    required: the arguments of the required fields. surplus: values without a name for which there is no field.
    """
    missing = [name for name, value in required.items() if value is REQUIRED]
    given = [shown(value) for value in required.values() if value is not REQUIRED]
    if unknown:
        problem = "has no field " + " and no field ".join(unknown)
    elif surplus:
        problem = f"got {shown(surplus[0])} without the name of its field"
    else:
        problem = "got " + " and ".join([*given, *(f"no {name}" for name in missing)])
    fields = _parameter_fields(kind)
    usage = ", ".join([each.name if each.default is REQUIRED else f"{each.name}={each.default!r}" for each in fields])
    notes = "".join([f" {each.name}: {each.doc}" for each in fields if each.name in missing and each.doc])
    if "rotation" in unknown:
        notes = " rotation: give it to the Transform of the body."
    raise CollisionTypeError(f"{kind.__name__} {problem}; write {kind.__name__}({usage}){notes and '.' + notes}")


@dataclass_transform(field_specifiers=(field,), eq_default=False)
def component(kind: Kind) -> Kind:
    """Add properties for the fields of a class and its base, and a constructor unless it has one."""
    own = []
    for name, annotation in kind.__annotations__.items():
        if isinstance(each := kind.__dict__.get(name), Field):
            each.name, each.written_type = name, annotation[:-1].replace(", ...", "").partition(", ")[2]
            own.append(each)
    kind._schema = (*own, *kind._schema)
    own_slots = [each.slot for each in stored_fields(kind) if not isinstance(kind.__dict__.get(each.slot), property)]
    kind._values = (*own_slots, *kind._derived)
    functions = _compiled(kind)
    for each in fields_of(kind):
        read = getattr(kind, each.slot) if each.is_shorthand else attrgetter(each.slot)
        made: Any = property(read, functions[each.name], doc=each.doc)
        made.__set_name__(kind, each.name)
        setattr(kind, each.name, made)
    if "__init__" not in kind.__dict__:
        kind.__init__ = functions["__init__"]
    return kind


def _compiled(kind: type[Any]) -> dict[str, Callable[..., None]]:
    """Return the constructor of a class and the setters of its fields.

    They are compiled from generated source text: loops over the fields would take twice as long.
    """
    fields = fields_of(kind)
    names: dict[str, Any] = {"kind": kind, "REQUIRED": REQUIRED, "refuse_call": refuse_call}
    names["__name__"] = kind.__module__  # `warn_caller` counts these functions as part of the package
    for each in fields:
        names |= {f"check_{each.name}": each.check, f"default_{each.name}": each.default}
    exec("\n".join([_constructor(kind), *(_setter(kind, each) for each in fields)]), names)
    made: dict[str, Callable[..., None]] = {}
    for name, written_type in [
        ("__init__", {each.name: each.written_type for each in _parameter_fields(kind)}),
        *((each.name, {"value": each.written_type}) for each in fields),
    ]:
        made[name] = function = names[name]
        function.__qualname__, function.__module__ = f"{kind.__name__}.{name}", kind.__module__
        function.__annotations__ = {**written_type, "return": "None"}
    names["__init__"].__signature__ = _signature(kind)
    return made


def _parameter_fields(kind: type[Any]) -> list[Field[Any, Any]]:
    """Return the fields of a class in the order of the constructor's parameters: keyword-only fields come last."""
    return sorted(fields_of(kind), key=attrgetter("kw_only"))


def _signature(kind: type[Any]) -> inspect.Signature:
    """Return the signature of a constructor, without the parameters that take wrong arguments."""
    found = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for each in _parameter_fields(kind):
        how = inspect.Parameter.KEYWORD_ONLY if each.kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = inspect.Parameter.empty if each.default is REQUIRED else each.default
        found.append(inspect.Parameter(each.name, how, default=default, annotation=each.written_type))
    return inspect.Signature(found, return_annotation="None")


def _setter(kind: type[Any], field: Field[Any, Any]) -> str:
    lines = [f"checked = {_checked(kind, field, 'value', ', owner=self')}"]
    if field.writer:
        together = [each for each in fields_of(kind) if each.writer == field.writer]
        given = ["checked" if each is field else f"self.{each.slot}" for each in together]
        lines.append(f"self.{field.writer}({', '.join(given)})")
    else:
        lines += ["self._note_write()", f"self.{field.slot} = checked"]
    return "\n    ".join([f"def {field.name}(self, value):", *lines])


def _constructor(kind: type[Any]) -> str:
    fields = _parameter_fields(kind)
    required = [each.name for each in fields if each.default is REQUIRED]
    wrong = " or ".join(["surplus", "unknown", *(f"{name} is REQUIRED" for name in required)])
    given = ", ".join([f"'{name}': {name}" for name in required])
    parameters, written = ["self"], dict[str, list[str]]()
    lines = [f"if {wrong}: refuse_call(kind, {{{given}}}, surplus, unknown)", "self._init_binding()"]
    lines += ["self._init_request()"] if hasattr(kind, "_init_request") else []
    for each in fields:
        name, checked = each.name, _checked(kind, each, each.name)
        if each.kw_only and "*surplus" not in parameters:
            parameters.append("*surplus")
        if each.default is not REQUIRED:
            checked = f"{name} if {name} is default_{name} else {checked}"  # the default needs no check
        parameters.append(f"{name}=REQUIRED" if each.default is REQUIRED else f"{name}=default_{name}")
        lines.append(f"{name} = {checked}" if each.writer else f"self.{each.slot} = {checked}")
        if each.writer:
            written.setdefault(each.writer, []).append(name)
    parameters += ["**unknown"] if "*surplus" in parameters else ["*surplus", "**unknown"]
    lines += [f"self.{writer}({', '.join(names)})" for writer, names in written.items()]
    return "\n    ".join([f"def __init__({', '.join(parameters)}):", *lines])


def _checked(kind: type[Any], field: Field[Any, Any], value: str, owner: str = "") -> str:
    """Return the source text of the check of a value."""
    minimum = "" if field.minimum is None else f", minimum={field.minimum}"
    called = f"check_{field.name}({value}, '{kind.__name__}.{field.name}'{owner}{minimum})"
    if field.check.__name__ == "half_extent":  # the usual case, without a call
        called = f"{value} if type({value}) is float and 0.0 < {value} <= {MAX_COORDINATE!r} else {called}"
    return f"None if {value} is None else {called}" if field.is_optional else called
