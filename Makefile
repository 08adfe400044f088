# `make play` and `make test` need only Python (3.11, 3.12 or 3.13), git and make: both set up .venv by themselves, once.

# Versions on which all tests pass come before whatever else a machine calls python3. Each is tried: a shim may lead nowhere.
PYTHON  ?= $(shell for name in python3.11 python3.12 python3.13 python3; do $$name -c "" 2>/dev/null && command -v $$name && break; done)
VENV    := .venv
BIN     := $(VENV)/bin
# Two more than cores: many tests wait, for processes that they have killed or for a clock.
WORKERS ?= 4

# A stamp file says that the requirements as they stand are installed; it is older than a changed list.
RUNTIME     := $(VENV)/.runtime
PREVIEW     := $(VENV)/.preview
DEVELOPMENT := $(VENV)/.development
INSTALL     := $(BIN)/python -m pip install -qq --disable-pip-version-check

# Compiled once, not by each of the hundreds of processes that the tests start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install play preview event backup test tests test-quick quick lint types boxes release bench load season soak gallery documents format coverage reached clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(RUNTIME) ## what the bot needs, for a service that starts it: .venv/bin/python bot.py

play: $(RUNTIME) ## start the bot: on Discord with DISCORD_TOKEN set, in the browser without
	@$(BIN)/python -m operations has-token || $(MAKE) --no-print-directory $(PREVIEW)
	@exec $(BIN)/python bot.py $$($(BIN)/python -m operations has-token || echo --preview)

preview: $(PREVIEW) ## the bot on an offline Discord in the browser, whatever is set; in a language: make preview SPEAK=cs
	@exec env $(if $(SPEAK),CASTELLAN_PREVIEW_LANGUAGE=$(SPEAK)) $(BIN)/python bot.py --preview

event: $(PREVIEW) ## the same with an example event that six have entered, its first round drawn
	@exec env $(if $(SPEAK),CASTELLAN_PREVIEW_LANGUAGE=$(SPEAK)) $(BIN)/python -m preview --event

backup: $(RUNTIME) ## copy the file of games, also while the bot runs: make backup FILE=…
	@$(BIN)/python -m operations backup $(if $(FILE),"$(FILE)")

# The types take a minute of one core on a fresh clone: they are looked at beside the tests.
test: lint ## everything that has to be green
	@$(MAKE) --no-print-directory -j 2 types tests

tests: $(DEVELOPMENT)
	$(BIN)/python -m pytest -n $(WORKERS)

# Two processes: each further one takes seconds to start, and few of these tests wait.
test-quick: $(DEVELOPMENT) ## what finds most faults within two minutes: style, types and the tests of tests/quick.txt
	@$(MAKE) --no-print-directory -j 3 lint types quick

quick: $(DEVELOPMENT)
	$(BIN)/python -m pytest -q -n 2 --tests-from=tests/quick.txt

lint: $(DEVELOPMENT) ## style, formatting and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(DEVELOPMENT) ## mypy, strict
	$(BIN)/mypy

boxes: $(DEVELOPMENT) ## what boxes lack on any floor, before anything is played: make boxes BOX=name
	@$(BIN)/python -m tests.boxes $(BOX)

# A text may be written in English first; before a version is tagged every language has to have it.
release: $(RUNTIME) ## what no version may lack: all texts in all languages
	$(BIN)/python -m cogs.texts check --release

bench: $(DEVELOPMENT) ## measure, print, write bench.json
	$(BIN)/python -m benchmarks

load: $(DEVELOPMENT) ## many games at once: GAMES=200 RATE=3 DURATION=60 COMPUTERS=20, `make load LOAD=--profile` says where the time went
	$(BIN)/python -m benchmarks.load --games $(or $(GAMES),200) --rate $(or $(RATE),3) --seconds $(or $(DURATION),60) --computers $(or $(COMPUTERS),0) $(LOAD)

season: $(DEVELOPMENT) ## weeks of simulated games, a line of JSON for each: make season SEED=1 PLAYERS=60 GAMES=40
	@$(BIN)/python -m benchmarks.season --seed $(or $(SEED),1) --players $(or $(PLAYERS),60) --games $(or $(GAMES),40)

soak: $(DEVELOPMENT) ## the long random tests, with longer settings
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -m "soak or hypothesis"

gallery: $(RUNTIME) ## draw a sheet of every tile and card
	$(BIN)/python -m gallery

documents: $(DEVELOPMENT) ## write anew what documents show of the bot: commands, transcripts, samples, texts read most
	$(BIN)/python -m tests.golden.command_list
	$(BIN)/python -m tests.golden.first_keys
	$(BIN)/python -m tests.golden.guide_samples
	$(BIN)/python -m tests.golden.transcript

format: $(DEVELOPMENT) ## apply the house style
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# What is left out here takes long and reaches nothing more: counts of all moves, properties, recorded games.
coverage: $(DEVELOPMENT) ## the scenarios and tests of the engine with branch coverage: all of it has to be reached
	$(BIN)/python -m pytest -n $(WORKERS) --cov=engine --cov-report=term-missing:skip-covered --cov-fail-under=100 \
		tests/scenarios $(filter-out %_perft.py %_properties.py %_contract.py,$(wildcard tests/engine/test_*.py))

reached: $(DEVELOPMENT) ## all tests with branch coverage of everything, which takes long
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term-missing:skip-covered

clean: ## forget the environment and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

# Without ensurepip (Debian splits it off as python3-venv) venv leaves half an environment behind: remove it and say so.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none is on the PATH." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is too old: Python 3.11 or newer is needed (make PYTHON=/path/to/python)." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot create virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }

$(RUNTIME): requirements.txt constraints.txt | $(BIN)/python
	$(INSTALL) -r requirements.txt
	@touch $@

# The preview's video libraries are larger than all the rest; a bot on Discord needs none of them.
$(PREVIEW): requirements-preview.txt $(RUNTIME)
	$(INSTALL) -r requirements-preview.txt
	@touch $@

$(DEVELOPMENT): requirements-dev.txt $(PREVIEW)
	$(INSTALL) -r requirements-dev.txt
	@touch $@
