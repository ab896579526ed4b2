# make demo starts the companion on a simulated table; make test checks everything.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test bench soak train clean

setup: .venv/ready

.venv/ready: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 setup"; rm -rf .venv; exit 1; }
	@echo "installing into .venv …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	@$(BIN)/python -m compileall -q companion vision web  # commands start fast from the first on
	@touch $@

demo: setup
	@$(BIN)/companion demo

test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy companion vision web
	$(BIN)/pytest

bench: setup
	@$(BIN)/python -m tests.bench

soak: setup
	$(BIN)/pytest -m soak

train: setup  # draws the pictures and trains the networks of all fields anew; takes an evening
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train]'
	$(BIN)/python -m vision.training pictures

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
