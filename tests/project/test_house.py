"""The layout of the package: what is compiled, what may import what, and that compiled files match their source."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import SimpleNamespace

import pytest
from material import HOUSE

from ecs_collision import _build, _cython

PACKAGE = HOUSE / "ecs_collision"
HOT_FILES = _build.hot_files()
SOURCES = sorted(PACKAGE.rglob("*.py"))
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
sys.path.insert(0, str(HOUSE))
setup = importlib.import_module("setup")
EXTENSIONS = setup.extensions()


def cython_names_used(node: ast.AST) -> set[str]:
    """Return the names of `cython` used outside `if cython.compiled:`."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "cython.compiled":
        return {"compiled"}.union(*map(cython_names_used, node.orelse))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "cython":
        return {node.attr}
    return set().union(*map(cython_names_used, ast.iter_child_nodes(node)))


def output_of(program: str, environment: dict[str, str]) -> str:
    """Return the output of a program in another interpreter."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=HOUSE, env=environment, check=True, capture_output=True, text=True).stdout


def loaded_hot_files(**environment: str) -> set[str]:
    """Return the file suffixes of the hot files that another interpreter loads, under an environment."""
    program = (
        "import importlib, pathlib\n"
        "from ecs_collision._build import hot_file_names\n"
        "for name in hot_file_names():\n"
        "    print(pathlib.Path(importlib.import_module('ecs_collision.' + name).__file__).suffix)\n"
    )
    inherited = {name: value for name, value in os.environ.items() if name != _build.PURE}
    return set(output_of(program, inherited | environment).split())


def test_every_hot_file_and_the_shared_source_are_built():
    expected = {
        f"ecs_collision.{name}": path.relative_to(HOUSE).as_posix()
        for name, path in zip(_build.hot_file_names(), HOT_FILES, strict=True)
    }
    built = {extension.name: extension.sources[0] for extension in EXTENSIONS}
    assert expected | {setup.SHARED: "ecs_collision/_memoryviews.c"} == built


def test_the_next_build_removes_compiled_files_without_a_source(tmp_path):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    (tmp_path / "push").mkdir()
    kept, gone = tmp_path / f"kept{suffix}", tmp_path / "push" / f"gone{suffix}"
    for path in (kept, gone, tmp_path / "kept.py", tmp_path / "kept.cpython-30-other.so"):
        path.touch()
    assert [gone] == setup.leftovers(tmp_path, {kept})


def test_every_file_with_cython_declarations_is_a_hot_file():
    to_compile = re.compile(r"^ *@cython\.(cclass|cfunc|ccall)", re.MULTILINE)
    assert {path for path in SOURCES if to_compile.search(path.read_text(encoding="utf-8"))} <= set(HOT_FILES)


@pytest.mark.parametrize(
    ("compiler", "wanted", "refused"),
    [("unix", "-ffp-contract=off", "/"), ("mingw32", "-ffp-contract=off", "/"), ("msvc", "/fp:precise", "-")],
)
def test_no_hot_file_is_built_with_fused_multiply_add(monkeypatch, compiler, wanted, refused):
    monkeypatch.setattr(setup.build_ext, "build_extension", lambda self, extension: None)
    build = setup.BuildAll.__new__(setup.BuildAll)
    build.compiler = SimpleNamespace(compiler_type=compiler)
    build._progress = setup.Progress(1)
    (extension, *_) = EXTENSIONS
    build.build_extension(extension)
    assert wanted in extension.extra_compile_args
    assert not any(flag.startswith(refused) for flag in extension.extra_compile_args)


def test_links_of_the_package_page_lead_to_the_repository(monkeypatch):
    monkeypatch.setenv("ECS_COLLISION_URL", "https://code.example/us/it/")
    page = setup.described()
    assert "https://code.example/us/it/issues" == page["project_urls"]["Issues"]
    assert "(https://code.example/us/it/blob/main/docs/rules.md" in page["long_description"]
    assert not re.search(r"\]\((?!https?://|#)", page["long_description"])
    monkeypatch.delenv("ECS_COLLISION_URL")
    assert {} == setup.described()["project_urls"]


def test_the_stand_in_has_every_cython_name_a_hot_file_uses():
    for hot_file in HOT_FILES:
        used = cython_names_used(ast.parse(hot_file.read_text(encoding="utf-8")))
        assert used & {"compiled", "cclass", "cfunc", "ccall", "declare"}, hot_file
        assert not {name for name in used if not hasattr(_cython, name)}, hot_file


def test_hot_files_run_without_cython():
    program = (
        "import sys; sys.modules['cython'] = None\n"
        "import importlib, ecs_collision\n"
        "from ecs_collision._build import hot_file_names\n"
        "modules = [importlib.import_module('ecs_collision.' + name) for name in hot_file_names()]\n"
        "print(sorted({m.cython.__name__ for m in modules if hasattr(m, 'cython')}))\n"
    )
    assert output_of(program, dict(os.environ) | {_build.PURE: "1"}).strip() == "['ecs_collision._cython']"


def test_the_environment_selects_plain_files_beside_compiled_ones():
    assert loaded_hot_files(**{_build.PURE: "1"}) == {".py"}


@pytest.mark.skipif(bool(_build.plain_hot_files()), reason="plain files were selected, or there is no compiler")
def test_compiled_files_are_loaded_if_they_exist():
    assert ".py" not in loaded_hot_files(**{_build.PURE: "0"})
    assert _build.hot_files_are_compiled()


@pytest.mark.skipif(_build.is_pure(), reason="plain files were selected")
def test_hot_files_are_compiled_if_there_is_a_compiler():
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if shutil.which(compiler) and header.is_file():
        assert _build.plain_hot_files() == ()


def test_every_hot_file_has_declarations_beside_it():
    assert [path.with_suffix(".pxd") for path in HOT_FILES] == sorted(PACKAGE.rglob("*.pxd"))


def build_wheel(folder: Path, **environment: str) -> Path:
    """Return the wheel that an installation builds here, under an environment."""
    project = folder / "project"
    project.mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(HOUSE / name, project)
    shutil.copytree(PACKAGE, project / PACKAGE.name, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    wheels = folder / "wheels"
    command = [sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", str(wheels)]
    inherited = {name: value for name, value in os.environ.items() if name not in (_build.PURE, "CC")}
    subprocess.run(command, cwd=project, env=inherited | environment, check=True, capture_output=True, text=True)
    (wheel,) = wheels.iterdir()
    return wheel


@pytest.mark.parametrize("environment", [{_build.PURE: "1"}, {"CC": "no-such-compiler"}], ids=["pure", "no compiler"])
def test_a_plain_wheel_carries_no_platform_tag_and_no_declarations(tmp_path, environment):
    """pip keeps the wheels it builds: one with a platform tag would be reused when a compiler is present."""
    wheel = build_wheel(tmp_path, **environment)
    assert wheel.name.split("-", 2)[2] == "py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        files = {Path(name) for name in archive.namelist()}
    assert {PACKAGE.name / path.relative_to(PACKAGE) for path in HOT_FILES} <= files
    assert not [path for path in files if path.suffix == ".pxd"]


@pytest.mark.skipif(
    not (HOUSE / ".git").exists() or not shutil.which("git"), reason="only git knows which files there should be"
)
def test_a_source_distribution_has_all_that_git_has(tmp_path):
    """Distributors run the tests from it."""
    command = [sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base", str(tmp_path)]
    subprocess.run(command, cwd=HOUSE, check=True, capture_output=True, text=True)
    packed = set((tmp_path / "ecs_collision.egg-info" / "SOURCES.txt").read_text(encoding="utf-8").splitlines())
    tracked = subprocess.run(["git", "ls-files"], cwd=HOUSE, check=True, capture_output=True, text=True).stdout.split()
    missing = {name for name in set(tracked) - packed if (HOUSE / name).exists() and not name.startswith(".git")}
    assert {"systems"} == missing


def test_processes_started_by_tests_use_this_checkout(tmp_path):
    command = [sys.executable, "-c", "import ecs_collision; print(ecs_collision.__file__)"]
    found = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()
    assert PACKAGE / "__init__.py" == Path(found)


@pytest.mark.parametrize("edited", ["grid.py", "grid.pxd", "planner.pxd"])
def test_a_hot_file_edited_after_its_compilation_is_stale(tmp_path, edited):
    sources = [tmp_path / name for name in ("grid.py", "grid.pxd", "planner.py", "planner.pxd")]
    compiled = tmp_path / f"grid{EXTENSION_SUFFIXES[0]}"
    for number, path in enumerate([*sources, compiled]):
        path.write_text("# cython: language_level=3\n", encoding="utf-8")
        os.utime(path, (1000 + number, 1000 + number))
    assert _build.stale_files(tmp_path) == ()
    os.utime(tmp_path / edited, (2000, 2000))
    assert _build.stale_files(tmp_path) == ("grid",)


def test_systems_is_a_link_into_the_package():
    link = HOUSE / "systems"
    if not os.path.lexists(link):
        pytest.skip("a source distribution has no links")
    if not link.is_symlink():  # git makes none here
        assert "ecs_collision/systems" == link.read_text(encoding="utf-8")
        return
    assert os.readlink(link) == "ecs_collision/systems"
    assert (link / "__init__.py").samefile(PACKAGE / "systems" / "__init__.py")


@pytest.mark.parametrize("name", ["model", "normals", "shapes"])
def test_the_model_of_the_rules_shares_no_code_with_the_engine(name):
    tree = ast.parse((HOUSE / "tests" / "model" / f"{name}.py").read_text(encoding="utf-8"))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    others = {module for module in modules if module.partition(".")[0] not in sys.stdlib_module_names}
    assert others <= {"tests.model.model", "tests.model.normals", "tests.model.shapes"}


def test_the_package_contains_py_typed():
    assert (PACKAGE / "py.typed").is_file()
    assert "py.typed" in PROJECT["tool"]["setuptools"]["package-data"]["ecs_collision"]


def test_all_exported_names_exist():
    package = importlib.import_module("ecs_collision")
    assert [name for name in package.__all__ if not hasattr(package, name)] == []
    assert sorted(set(package.__all__)) == sorted(package.__all__)


def test_importing_the_package_imports_no_subpackage():
    program = (
        "import sys, ecs_collision\n"
        "heavy = ('numpy', 'esper', 'sortedcontainers', 'hypothesis')\n"
        "print(sorted(name for name in sys.modules if name.startswith('ecs_collision.') or name in heavy))\n"
        "print(ecs_collision.Moved.__name__, 'Puzzle' in dir(ecs_collision), 'numpy' in sys.modules)\n"
        "print(ecs_collision.world.CollisionWorld is ecs_collision.CollisionWorld)\n"
    )
    expected = "['ecs_collision._build', 'ecs_collision._lazy']\nMoved True False\nTrue\n"
    assert output_of(program, dict(os.environ)) == expected


def test_an_unknown_name_of_the_package_raises_attribute_error():
    package = importlib.import_module("ecs_collision")
    with pytest.raises(AttributeError, match=r"^module 'ecs_collision' has no attribute 'Colider'$"):
        package.Colider
    with pytest.raises(ImportError, match="cannot import name 'Colider'"):
        exec("from ecs_collision import Colider")


@pytest.mark.parametrize("name", ["ecs_collision", "ecs_collision.broadphase", "ecs_collision.testing"])
def test_type_checkers_find_every_exported_name(name):
    package = importlib.import_module(name)
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and not isinstance(node.test, ast.UnaryOp))
    read = {alias.name: node.module for node in block.body for alias in node.names}
    assert sorted(read) == sorted(package.__all__)
    modules = {name: importlib.import_module(module) for name, module in read.items()}
    assert [name for name, module in modules.items() if getattr(package, name) is not getattr(module, name)] == []


def test_the_test_folders_are_the_subpackages():
    folders = {path.parent.name for path in (HOUSE / "tests").glob("*/test_*.py")}
    subpackages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders - subpackages == {"model", "project"}
    assert not list((HOUSE / "tests").glob("test_*.py"))


def test_names_of_tests_have_at_most_80_characters():
    sources = sorted((HOUSE / "tests").rglob("*.py"))
    names = [name for path in sources for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))]
    assert [] == [name for name in names if len(name) > 80]


def test_the_cross_section_names_files_that_exist():
    listed = (HOUSE / "tests" / "cross_section.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(set(listed)) == listed
    assert [] == [line for line in listed if not (HOUSE / line.partition("::")[0]).is_file()]
