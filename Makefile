# Every target makes its own virtual environment when it is missing. `make help` lists them.

PYTHON ?= python3
ARGS ?=
DESTDIR ?=
PURGE ?=
FULL ?=
# What is played with needs the libraries of requirements/run.txt, a Raspberry Pi those of pi.txt.
LIBRARIES ?= $(shell grep -qas 'Raspberry Pi' /proc/device-tree/model && echo pi || echo run)

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install
# Each library in one version, and no file of it that is not among those which `make lock` saw.
# requirements/build.txt comes first: to build something pip would else fetch what it likes.
# --no-deps, as the lists are whole: pip would else take a newer release of what a library wants with
# an extra (coverage[toml]), and then refuse it for having no hash.
LOCKED := $(PIP) --require-hashes --no-deps --no-build-isolation --use-pep517
# A path alone: the finder that setuptools else installs made each start of Python three times as long.
OURSELVES := $(PIP) --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
# So lgpio builds the C library that it brings along, which Debian does not have.
export PYPI := 1
PLAYABLE := $(VENV)/.$(LIBRARIES)
# For every machine and every Python from 3.11 on; what is there stays as it is where it may.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --custom-compile-command 'make lock' $(ARGS)
# Tests write thousands of small files, for which a disk took a quarter of their time: into memory,
# where it has 4 GB to spare. What is measured writes to the disk, as memory would count its files.
SCRATCH := $(shell df --output=avail -B1G /dev/shm 2>/dev/null | awk '$$1 + 0 > 4 {print "PYTEST_DEBUG_TEMPROOT=/dev/shm"}')
PYTEST := $(BIN)/python -m pytest
# Many tests wait for a process or a thread, so a third worker fills two cores.
WORKERS := -n 3 --dist worksteal

# What tests/metal needs beside Python packages.
METAL := umockdev gir1.2-umockdev-1.0 python3-gi user-mode-linux strace
# What tests/service needs: a Debian in a container, and its systemd.
CONTAINER := systemd-container debootstrap systemd
# What release/ needs, for packages and for other kinds of machines.
RELEASE := mmdebstrap qemu-user-static qemu-system-arm qemu-system-x86 qemu-utils device-tree-compiler dosfstools fdisk mtools openssh-client $(CONTAINER)
# A reader of PGN of another make.
READERS := pgn-extract
# Opponents for tests/services: programs of their own, under their own licence.
ENGINES := stockfish toga2
# Where the web pages are looked at. Fonts, since a browser without any draws boxes; Firefox for a glance.
BROWSER := chromium fonts-noto-core fonts-dejavu-core firefox-esr $(if $(shell command -v node),,nodejs npm)
# Whoever else installs something is waited for.
APT := DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --yes --no-install-recommends -o DPkg::Lock::Timeout=600

.DELETE_ON_ERROR:
CACHE := $(HOME)/.cache/boardfw
NODE_CACHE := $(CACHE)/web

.PHONY: help run test test-slow test-deb test-machine test-pi test-arm test-image test-web browser pictures look bench bench-web coverage docs lint format lock clean install uninstall deb image

help:
	@echo 'make run [ARGS="..."]   a played game: on the terminal board, or printed without a terminal'
	@echo 'make test               the tests: a few of everything, two and a half minutes on two quiet cores'
	@echo 'make test-slow          samples of the long tests, more examples of the others, drivers on mocked devices, the service in a container, our PGN in another reader; FULL=1 full sizes'
	@echo 'make test-pi            the firmware on an emulated Raspberry Pi 3 (docs/build/proof.md): some ten minutes, the first time half an hour; needs root on Debian'
	@echo 'make test-web           the web pages in a browser: types, units, every page, whole games; FULL=1 full sizes; needs node and chromium'
	@echo 'make pictures           photograph the web pages for the README'
	@echo 'make look [BEFORE=COMMIT]   which web pages look other than in a commit, else than in the last one'
	@echo 'make bench              measure and print; FULL=1 full sizes'
	@echo 'make bench-web          measure the web pages in a browser and print; FULL=1 full sizes'
	@echo 'make coverage           the tests, with lines and branches they never reached'
	@echo 'make docs               draw all pictures and tables of docs/ anew'
	@echo 'make lint               ruff, mypy, import-linter'
	@echo 'make format             let ruff put every file in shape'
	@echo 'make lock [ARGS=--upgrade]   write requirements/ anew, after a change of pyproject.toml or with the newest libraries'
	@echo 'sudo make install        boardfw as a service of this machine, or bring it up to date (docs/service.md); WEB=1 with its page'
	@echo 'sudo make uninstall      remove it; settings and games stay without PURGE=1'
	@echo 'make deb                the Debian package, into dist/; SUITE=trixie, ARCHITECTURE=arm64 (docs/package.md)'
	@echo 'make test-deb           build it, and install, upgrade and remove it in a container; FULL=1 upgrades cut off at ten points each'
	@echo 'make test-machine       upgrades by make install and by .deb in a machine with a kernel of its own, whose power is cut; FULL=1 at ten points each'
	@echo 'make test-arm           what a Raspberry Pi owner types, in emulated Debians for arm64 and armhf; an hour and more (docs/build/proof.md)'
	@echo 'make image              a card for a Raspberry Pi, into dist/; started in an emulated machine only (docs/build/proof.md)'
	@echo 'make test-image         build it, and start it in an emulated machine'
	@echo 'make clean              remove the virtual environment and every cache'

run: $(PLAYABLE)
	$(BIN)/boardfw run --play famous --hands club $(ARGS)

test: $(VENV)/.dev
	$(SCRATCH) $(PYTEST) $(WORKERS) $(ARGS)

# Properties are tried with more examples than in `make test`, and so is what carries `both`.
SLOW := slow or both or hypothesis
test-slow: $(VENV)/.metal
	BOARDFW_SLOW=1 BOARDFW_FULL=$(FULL) $(SCRATCH) $(PYTEST) $(WORKERS) -m "$(SLOW)" $(ARGS)

# Built in a Debian of its own, which is fetched once; ARCHITECTURE=arm64 by emulation.
SUITE ?= bookworm
ARCHITECTURE ?=
deb: $(CACHE)/.release
	$(PYTHON) -m release.deb --suite $(SUITE) $(if $(ARCHITECTURE),--architecture $(ARCHITECTURE))

test-deb: $(CACHE)/.release $(VENV)/.dev
	BOARDFW_FULL=$(FULL) $(PYTEST) -m release $(ARGS) tests/release/test_package.py

# The same upgrades in a PC with a kernel of its own, whose disk loses what was not written to it.
# EMULATED=qemu: a whole PC, some ten times as slow.
EMULATED ?= 1
test-machine: $(CACHE)/.release $(VENV)/.dev
	BOARDFW_EMULATED=$(EMULATED) BOARDFW_FULL=$(FULL) $(PYTEST) -m "slow or release" -k after_an_upgrade \
	    --durations=0 $(ARGS) tests/service/test_upgrades.py tests/release/test_package.py

# One process: two machines at once would share two processors.
test-pi: $(VENV)/.metal
	$(PYTEST) -m pi --durations=0 $(ARGS)

# PACKAGE=dist/boardfw_...deb: with one that is there.
PACKAGE ?=
image: $(CACHE)/.release
	$(PYTHON) -m release.image $(if $(PACKAGE),--package $(PACKAGE))

# Times are what one wants to know here.
test-image: $(CACHE)/.release $(VENV)/.dev
	$(PYTEST) -m release --durations=0 $(ARGS) tests/release/test_image.py

test-arm: $(CACHE)/.release $(VENV)/.dev
	BOARDFW_FULL=$(FULL) $(PYTEST) -m release --durations=0 $(ARGS) tests/release/test_arm.py

# Two files at once: a real board waits for real time while axe works.
test-web: $(NODE_CACHE)/.installed $(PLAYABLE)
	$(NODE_CACHE)/node_modules/.bin/tsc --project tests/web/tsconfig.json
	node --test $(ARGS) tests/web/unit.test.mjs tests/services/web/fold.test.mjs
	BOARDFW_FULL=$(FULL) BOARDFW_WEB_CACHE=$(NODE_CACHE) node --test --test-concurrency=2 $(ARGS) \
	    tests/web/firefox.test.mjs tests/web/german.test.mjs tests/web/pages.test.mjs tests/web/play.test.mjs

# What test-web needs beside Python, alone: whether it can be had here.
browser: $(NODE_CACHE)/.installed

bench-web: $(NODE_CACHE)/.installed $(PLAYABLE)
	BOARDFW_FULL=$(FULL) BOARDFW_WEB_CACHE=$(NODE_CACHE) node tests/web/bench.mjs $(ARGS)

pictures: $(NODE_CACHE)/.installed $(PLAYABLE)
	BOARDFW_WEB_CACHE=$(NODE_CACHE) node tests/web/pictures.mjs docs/pictures

BEFORE ?= HEAD
look: $(NODE_CACHE)/.installed $(PLAYABLE)
	BOARDFW_WEB_CACHE=$(NODE_CACHE) node tests/web/look.mjs $(BEFORE)

# One process and no capture: figures of a busy machine are worth nothing, and nobody sees them.
bench: $(VENV)/.dev
	BOARDFW_FULL=$(FULL) $(PYTEST) -m bench --capture=no $(ARGS)

coverage: $(VENV)/.dev
	$(PYTEST) $(WORKERS) --cov --cov-report=term $(ARGS)

docs: $(PLAYABLE)
	$(BIN)/python -m docs.draw_lights
	$(BIN)/python -m docs.draw_web
	$(BIN)/python -m docs.draw_terminal
	$(BIN)/python -m docs.draw_lessons
	$(BIN)/python -m docs.draw_build
	$(BIN)/python -m docs.openings.make

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

# By the system's Python, which needs nothing else; as root it must leave nothing in the sources.
install uninstall:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo 'boardfw needs Python 3.11 or newer; name one: make $@ PYTHON=/path/to/python3' >&2; exit 1; }
	@$(PYTHON) -B systemd/install.py $@ --destdir '$(DESTDIR)' $(if $(PURGE),--purge) $(if $(WEB),--web)

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage .coverage.* htmlcov
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# All files agree on the libraries that they share: dev.txt decides.
lock: $(VENV)/.made
	$(LOCKED) --requirement requirements/lock.txt
	$(LOCK) --extra dev pyproject.toml --output-file requirements/dev.txt
	$(LOCK) --constraint requirements/dev.txt pyproject.toml --output-file requirements/run.txt
	for extra in pi lgpio rpigpio ws281x hwtest; do \
	    $(LOCK) --constraint requirements/dev.txt --extra $$extra pyproject.toml \
	        --output-file requirements/$$extra.txt || exit; \
	done
	for group in build lock; do \
	    $(LOCK) --constraint requirements/dev.txt --group $$group --output-file requirements/$$group.txt || exit; \
	done

# Playing needs less than developing: `make run` does not wait for the linters.
$(PLAYABLE): pyproject.toml requirements/build.txt requirements/$(LIBRARIES).txt $(VENV)/.made
	@$(PYTHON) -B systemd/packages.py $(LIBRARIES)
	$(LOCKED) --requirement requirements/build.txt
	$(LOCKED) --requirement requirements/$(LIBRARIES).txt
	$(OURSELVES)
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(PLAYABLE)
	$(LOCKED) --requirement requirements/dev.txt
	@touch $@

# For tests/metal, tests/service, tests/services/uci and tests/pgn_extract.py. What cannot be had is said; the tests that need it are skipped and name it too.
# One Debian package at a time, as not each of them exists for every kind of machine.
$(VENV)/.metal: requirements/hwtest.txt Makefile $(VENV)/.dev
	@$(LOCKED) --requirement requirements/hwtest.txt || echo "hwtest is not installed; 'rm $@' tries again" >&2
	@test "$$(id -u)" = 0 && command -v apt-get >/dev/null || exit 0; \
	dpkg --status $(METAL) $(CONTAINER) $(READERS) $(ENGINES) >/dev/null 2>&1 || $(APT) update; \
	for package in $(METAL) $(CONTAINER) $(READERS) $(ENGINES); do \
	    dpkg --status $$package >/dev/null 2>&1 || $(APT) install $$package >/dev/null \
	        || echo "$$package is not installed; 'rm $@' tries again" >&2; \
	done
	@touch $@

# Machines without apt or root hear from release/ what it misses.
$(CACHE)/.release: Makefile
	@mkdir -p $(CACHE)
	@test "$$(id -u)" = 0 && command -v apt-get >/dev/null || exit 0; \
	dpkg --status $(RELEASE) >/dev/null 2>&1 || { $(APT) update; $(APT) install $(RELEASE) >/dev/null; }
	@touch $@

# For tests/web: nothing of it is part of boardfw, and nothing goes into the checkout.
$(NODE_CACHE)/.installed: tests/web/package-lock.json
	@if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	    dpkg --status $(BROWSER) >/dev/null 2>&1 || $(APT) update; \
	    for package in $(BROWSER); do \
	        dpkg --status $$package >/dev/null 2>&1 || $(APT) install $$package >/dev/null \
	            || echo "$$package is not installed" >&2; \
	    done; \
	fi
	@command -v node >/dev/null && command -v npm >/dev/null \
	    && node -e 'process.exit(Number(process.versions.node.split(".")[0] < 20))' || { \
	    echo 'the web pages are tested with node 20 or newer and npm: install them' >&2; exit 1; }
	@test -n "$$BOARDFW_CHROMIUM" || command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	    || command -v google-chrome >/dev/null || { \
	    echo 'the web pages are tested in chromium: install it, or name one in BOARDFW_CHROMIUM' >&2; exit 1; }
	@mkdir -p $(NODE_CACHE)
	cp tests/web/package.json tests/web/package-lock.json $(NODE_CACHE)
	npm ci --prefix $(NODE_CACHE) --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Debian and Raspberry Pi OS ship Python without ensurepip; root gets it, others are told how.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo 'boardfw needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3' >&2; exit 1; }
	@$(PYTHON) -B systemd/packages.py $(LIBRARIES)
	$(PYTHON) -m venv $(VENV)
	@touch $@
