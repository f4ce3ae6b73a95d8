# make run   the main job on a bundled data set: a report to look at
# make test  the whole test suite
# make check every habit of the design a machine can check, and the tests
# make bench Credo beside its peers, in one run
PYTHON ?= python3
BIN := .venv/bin
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What an installed tree depends on: how to build, the loops in C++, and which modules there are (an editable install
# keeps a map of them, so one that moved would not be found).
MODULES := $(sort $(shell find src -name '*.py'))
BUILT_FROM := pyproject.toml constraints.txt CMakeLists.txt $(wildcard src/credo/native/cpp/* src/credo/native/cpp/networks/*) .venv/modules

.PHONY: run test check lint types layers bench docs pictures clean ALWAYS
ALWAYS:

run: .venv/installed
	$(BIN)/credo study examples/breast-cancer.csv --target diagnosis --loss examples/breast-cancer-loss.csv --out credo-report

test: .venv/developing
	$(BIN)/python -m pytest -n 2 -q

check: lint types layers test

lint: .venv/developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tools/limits.py

types: .venv/developing
	$(BIN)/mypy

layers: .venv/developing
	$(BIN)/lint-imports

bench: .venv/benching
	$(BIN)/python -m benchmarks

docs: .venv/developing
	$(BIN)/python tools/cli_reference.py docs/commands.md

pictures: .venv/developing
	$(BIN)/python tools/tutorial_pictures.py docs
	$(BIN)/credo study examples/breast-cancer.csv --target diagnosis --loss examples/breast-cancer-loss.csv --out credo-report
	$(BIN)/python tools/browser.py credo-report/report.html docs/report.png --height 1590

clean:
	rm -rf .venv build credo-report

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Credo needs Python 3.11 or later: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/modules: ALWAYS | .venv/bin/python
	@echo '$(MODULES)' | cmp -s - $@ || echo '$(MODULES)' > $@

.venv/installed: $(BUILT_FROM) | .venv/bin/python
	@echo "installing into .venv; this takes about a minute"
	@$(BIN)/pip install -q -e .
	@$(BIN)/credo --version
	@touch $@

.venv/developing: $(BUILT_FROM) | .venv/bin/python
	@echo "installing into .venv; this takes about a minute"
	@$(BIN)/pip install -q -e '.[dev]'
	@$(BIN)/credo --version
	@touch $@ .venv/installed

.venv/benching: .venv/developing benchmarks/requirements.txt
	$(BIN)/pip install -q -r benchmarks/requirements.txt
	@touch $@
