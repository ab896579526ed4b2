# make demo starts the companion on a simulated table; make test checks everything.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo browser compiler firmware test bench soak train clean

setup: .venv/ready

.venv/ready: pyproject.toml $(wildcard companion/solvers/core/*)
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 setup"; rm -rf .venv; exit 1; }
	@echo "installing into .venv …"
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[test,bench]'
	@$(BIN)/python -m compileall -q companion vision web  # commands start fast from the first on
	@touch $@

demo: setup
	@$(BIN)/companion demo

# the pages are tested in Debian's chromium; where apt and root are not there, those tests say so and are skipped
browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	    echo "installing chromium …"; apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium chromium-driver >/dev/null; \
	  fi

# the solvers' core is written in C; where it cannot be compiled they go the pure way, and the tests that compare the two
# say so and are skipped
compiler:
	@command -v cc >/dev/null || command -v gcc >/dev/null || \
	  if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	    echo "installing gcc …"; apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends gcc libc6-dev >/dev/null; \
	    rm -f .venv/ready; \
	  fi

# the LED firmware is tested as machine code in simavr, and in MicroPython that runs in node
firmware:
	@for part in "gcc gcc libc6-dev" "avr-gcc gcc-avr avr-libc" "simavr simavr libsimavr-dev" "node nodejs" "npm npm"; do \
	  set -- $$part; command -v $$1 >/dev/null && continue; shift; \
	  command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] || continue; \
	  echo "installing $$* …"; [ "$$updated" ] || apt-get update -qq; updated=yes; \
	  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$* >/dev/null; \
	done
	@test -d tests/firmware/node_modules/@micropython || ! command -v npm >/dev/null || \
	  (cd tests/firmware && npm install --silent --no-audit --no-fund --no-package-lock) || true

test: compiler setup browser firmware
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy companion vision web
	$(BIN)/pytest

bench: compiler setup firmware
	@$(BIN)/python -m tests.bench

soak: compiler setup firmware
	$(BIN)/pytest -m soak

train: setup  # draws the pictures and trains the networks of all fields anew; takes an evening
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train]'
	$(BIN)/python -m vision.training pictures

clean:
	rm -rf firmware/avr/build tests/firmware/build tests/firmware/node_modules
	rm -rf .venv build dist companion/solvers/_core.* *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
