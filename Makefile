# make demo starts the companion on a simulated table; make test checks everything.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo compiler parts test bench soak train clean

setup: .venv/ready

.venv/ready: pyproject.toml $(wildcard companion/solvers/core/*)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 setup"; rm -rf .venv; exit 1; }
	@echo "installing into .venv …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test]'
	@$(BIN)/python -m compileall -q companion vision web  # commands start fast from the first on
	@touch $@

demo: setup
	@$(BIN)/companion demo

# The solvers' core is written in C; where nothing compiles it they go the pure way, which is slower.
compiler:
	@command -v cc >/dev/null || command -v gcc >/dev/null || { $(call install,gcc libc6-dev); rm -f .venv/ready; }

# Real parts for the tests: a browser for the pages, an Uno's machine code in simavr and MicroPython in node for the LED
# firmware. Where apt and root are not there, the tests that need them say so and are skipped.
parts: compiler
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { $(call install,chromium chromium-driver); }
	@command -v avr-gcc >/dev/null || { $(call install,gcc-avr avr-libc); }
	@command -v simavr >/dev/null || { $(call install,simavr libsimavr-dev); }
	@command -v npm >/dev/null || { $(call install,nodejs npm); }
	@test -d tests/firmware/node_modules/@micropython || ! command -v npm >/dev/null || \
	  (cd tests/firmware && npm install --silent --no-audit --no-fund --no-package-lock) || true

# $(call install,PACKAGES): by apt where that can be done
install = if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
    echo "installing $(1) …"; apt-get update -qq; \
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(1) >/dev/null; \
  fi

test: parts setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy companion vision web
	$(BIN)/pytest

bench: parts setup
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'  # the peers
	@$(BIN)/python -m tests.bench

soak: parts setup
	$(BIN)/pytest -m soak

train: setup  # draws the pictures and trains the networks of all fields anew; takes an evening
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train]'
	$(BIN)/python -m vision.training pictures

clean:
	rm -rf firmware/avr/build tests/firmware/build tests/firmware/node_modules companion/solvers/_core.*
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
