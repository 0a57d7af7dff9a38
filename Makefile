# `make` says what there is. Everything runs in .venv; PYTHON picks the interpreter (3.11 or newer).
.DEFAULT_GOAL := help
.PHONY: help install test soak mutation killed lint demo bench docs clean
# Without bytecode every start of the command line compiles it again: hooks and figures would be slower than they are.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
INSTALLED := .venv/.installed

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{ printf "make %-8s %s\n", $$1, $$2 }'

install: $(INSTALLED) ## make .venv with minutebook and its tools in it

$(INSTALLED): pyproject.toml
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer found; set PYTHON=/path/to/python3" >&2; exit 2; }
	test -x $(BIN)/python || "$(PYTHON)" -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(INSTALLED)

test: lint ## lint, then every test
	$(BIN)/python -m pytest -n 2 -q

HISTORIES ?= 10000

soak: install ## random histories against an oracle, HISTORIES of them; stopped, it goes on where it was
	$(BIN)/python tests/histories/soak.py --histories $(HISTORIES)

mutation: install ## mutants of the append-only core, and how many of them the tests kill; ten minutes of a core
	$(BIN)/python tests/core/mutation.py

KILLS ?= 100

killed: install ## kill -9 at random moments of refresh, compact and restore, KILLS times: old or new, never a mix
	MINUTEBOOK_KILLS=$(KILLS) $(BIN)/python -m pytest -q tests/test_killed.py

lint: install ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

demo: install ## the whole life of a memory, in a scratch repository
	$(BIN)/python tests/demo/demo.py

bench: install ## figures, each below its command: ratios, measured in one run
	$(BIN)/python tests/bench/run.py

docs: install ## what comes from the code and from schemas/: docs/, rules.json, shipped.py, the verbs in README.md
	$(BIN)/python tests/shipped.py
	$(BIN)/python tests/readme.py
	$(BIN)/python tests/docs.py

clean: ## remove .venv, caches and builds
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
