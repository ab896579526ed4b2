# make demo starts the companion on a simulated table; make test checks everything; make setup readies .venv for work.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo compiler parts test bench bench-vision soak train clean again

# The solvers' core is written in C; where nothing compiles it they go the pure way, which is slower.
compiles = printf '\043include <math.h>\nint main(void) { return 0; }\n' | cc -x c -o /dev/null - 2>/dev/null
compiler_came = $(if $(wildcard .venv/uncompiled),$(shell $(compiles) && echo yes))

setup: .venv/tools

demo: .venv/ready
	@trap : INT; $(BIN)/companion demo || [ $$? = 130 ]  # ended by Ctrl-C, as it says itself

# What playing needs. It is made again when an installation was interrupted, and when a C compiler has come since.
.venv/ready: pyproject.toml $(wildcard companion/solvers/core/*) $(if $(wildcard .venv/unfinished)$(compiler_came),again)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 demo"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv is not installed (on Debian: apt install python3-venv); then run make again"; exit 1; }
	@printf 'installing into .venv '
	@if [ -e .venv/unfinished ] || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
	  rm -rf .venv; mkdir .venv; touch .venv/unfinished; $(PYTHON) -m venv .venv; fi
	@$(call pip,--editable .)
	@$(BIN)/python -m compileall -q companion vision web  # commands start fast from the first on
	@rm -f .venv/uncompiled; ls companion/solvers/_core.* >/dev/null 2>&1 || $(compiles) || { touch .venv/uncompiled; \
	  echo "no C compiler: the computer thinks in Python, and sees less far; install gcc, and the next make uses it"; }
	@touch $@

# What checking needs as well.
.venv/tools: .venv/ready
	@printf 'installing the tools for tests '
	@$(BIN)/python -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	  print(*(need for part in ("test", "kit", "hall") for need in project["optional-dependencies"][part]), sep="\n")' >.venv/tools.txt
	@$(call pip,--requirement .venv/tools.txt)
	@touch $@

# $(call pip,WHAT): installs, and shows that it is at work. Until it is done .venv/unfinished is there.
pip = touch .venv/unfinished; \
  { PYTHONUNBUFFERED=1 $(BIN)/python -m pip install --disable-pip-version-check $(1) && \
    rm .venv/unfinished; } | while read -r line; do case "$$line" in \
      Collecting*|Processing*) printf . ;; \
      "Building editable"*started) printf ' building ' ;; \
      "Installing collected"*) printf ' unpacking ' ;; \
    esac; done; echo; test ! -e .venv/unfinished

compiler:
	@$(compiles) || { $(call install,gcc libc6-dev); ! $(compiles) || rm -f .venv/ready; }

# Real parts for the tests: a browser for the pages, poppler to see what is printed, an Uno's machine code in simavr and
# MicroPython in node for the LED firmware, PostgreSQL and mosquitto for the hall. Where apt and root are not there, the
# tests that need them say so and are skipped.
parts: compiler
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || { $(call install,chromium chromium-driver); }
	@command -v avr-gcc >/dev/null || { $(call install,gcc-avr avr-libc); }
	@command -v simavr >/dev/null || { $(call install,simavr libsimavr-dev); }
	@command -v pdftoppm >/dev/null || { $(call install,poppler-utils); }
	@command -v mosquitto >/dev/null || { $(call install,mosquitto); }
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { $(call install,postgresql); }
	@test -d /usr/share/arduino/hardware/arduino/avr/bootloaders || { $(call install,arduino-core-avr); }
	@command -v systemd-analyze >/dev/null || { $(call install,systemd); }
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
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

bench: parts setup
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'  # the peers
	@$(BIN)/python -m tests.bench

bench-vision: setup  # how well and how fast pictures are read; writes docs/benchmark.md
	@$(BIN)/python -m tests.bench.sight

soak: parts setup
	$(BIN)/pytest -m soak

train: setup  # draws the pictures and trains the networks of all fields anew; takes an evening
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train]'
	$(BIN)/python -m vision.training pictures

clean:
	rm -rf firmware/avr/build tests/firmware/build tests/firmware/node_modules companion/solvers/_core.*
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
