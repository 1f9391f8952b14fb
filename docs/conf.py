"""Settings of Sphinx for the site. `make docs` lays out the pages (tools/site.py), then runs Sphinx on them."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import ecs_collision

project = "ecs-collision"
author = "the authors of ecs-collision"
release = version = ecs_collision.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # CHANGELOG.md and rules.md skip levels of headings
default_role = "py:obj"
smartquotes = False

autodoc_member_order = "alphabetical"
autodoc_typehints = "signature"
autoclass_content = "both"
maximum_signature_line_length = 88
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "ecs-collision"
html_favicon = "static/favicon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
copybutton_selector = "div.highlight-python pre, div.highlight-sh pre"
pygments_style = "default"  # readable on light grey; others are too pale
pygments_dark_style = "github-dark"


RULES = set(re.findall(r"^### (\w+)$", (Path(__file__).parent / "rules.md").read_text(encoding="utf-8"), re.MULTILINE))
FIELD = re.compile(r"^((?:\w+, )*[A-Za-z]\w*): (\S.*(?:\n(?!(?:\w+, )*\w+: ).+)*)\n?", re.MULTILINE)
"""Where a docstring describes parameters or attributes: their names, and the lines about them."""
MARKS = re.compile(r"(`[^`]+`)|\b([A-Z]\d{1,2})\b|([*|_\\])")


def without_attributes(kind, text):
    """Return the docstring of a class without the lines about attributes that have no other: they get them."""

    def kept(match):
        members = [inspect.getattr_static(kind, name, None) for name in match[1].split(", ")]
        return "" if all(map(inspect.isdatadescriptor, members)) and property not in map(type, members) else match[0]

    return FIELD.sub(kept, re.sub("^Create new instance of .*", "", text, flags=re.MULTILINE))


def from_class(name):
    """Return what the docstring of a class says about an attribute, by its full name."""
    module, kind, attribute = name.rsplit(".", 2)
    for each in getattr(importlib.import_module(module), kind).__mro__:
        for names, text in FIELD.findall(inspect.getdoc(each) or ""):
            if attribute in names.split(", "):
                return text[0].upper() + text[1:]
    return ""


def without_signature(app, what, name, value, options, signature, returned):
    """Show no arguments of a class that games do not make."""
    return ("", "") if what == "class" and "Made by " in (value.__doc__ or "") else None


def plain_text(app, what, name, value, options, lines):
    """Show docstrings as written: names in backticks and rule ids are links, other marks are text."""

    def shown(match):
        if match[2] in RULES:
            return f"`{match[2]} <../rules.html#{match[2].lower()}>`__"
        return "\\" + match[3] if match[3] else match[0]

    if lines and (
        lines[0].startswith("Alias for field number") or (what == "data" and value.__doc__ == type(value).__doc__)
    ):
        lines[:] = []
    if what == "class":
        lines[:] = without_attributes(value, "\n".join(lines)).splitlines()
    elif what == "attribute" and not any(lines):
        lines[:] = from_class(name).splitlines()
    old, lines[:] = lines[:], []
    for line in old:
        if line.startswith("    ") and lines and not lines[-1]:
            lines += ["::", ""]  # a program
        if line.startswith("    ") and "::" in lines:
            lines.append(line)
            continue
        text, field = MARKS.sub(shown, line), FIELD.match(line)
        if field and (not lines or not lines[-1] or lines[-1].endswith((".", ":"))):
            lines.append("")  # a paragraph for each
            text = f"**{field[1]}:** " + MARKS.sub(shown, line[field.start(2) :])
        lines.append(text)


def setup(app):
    """Change docstrings before Sphinx reads them."""
    app.connect("autodoc-process-docstring", plain_text)
    app.connect("autodoc-process-signature", without_signature)
