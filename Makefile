# make run: the whole house on this machine; make test: the tests that need no server, in five minutes.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
CHAIN := .venv-chain
STAMP := $(VENV)/.installed

# Where it is set, every process of the house and of its tests would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: proofs chain chain-ready run page pictures demo test test-page test-house test-all full mutants bench load side-channels check format lock clean
.DEFAULT_GOAL := run

# The fast curve engine is asked for by itself: where no wheel exists the house runs on py-ecc and says so.
$(STAMP): requirements.lock requirements-fast.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Cloche needs Python 3.11 or newer (try: make PYTHON=python3)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the locked dependencies into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: -r requirements-fast.lock \
		|| echo "No wheel of the fast curve engine for this machine: the house will use py-ecc."
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Where Node.js and npm's registry are at hand, the house has its page in the browser too.
run: $(STAMP)
	@$(BIN)/python web/build.py --if-possible
	@exec $(BIN)/cloche serve

page: $(STAMP)
	@$(BIN)/python web/build.py

# The pictures of the page in docs/pictures, from the test that looks at every screen. Chromium takes them.
pictures: $(STAMP)
	$(BIN)/python -m pytest tests/web/test_screens.py --pictures docs/pictures

demo: $(STAMP)
	@$(BIN)/cloche demo

# A worker that dies ends it all: the rest of its files would be waited for without end.
BY_FILE := --dist loadfile --no-loadscope-reorder --max-worker-restart 0
SIDE_BY_SIDE := -n 3 $(BY_FILE)

# REPORTS=folder keeps the results there for a program to read, in a file of the target's name.
WRITE = $(if $(REPORTS),--junit-xml "$(REPORTS)/$@.xml")

# What needs no server and starts no process. tests/tiers.py marks the tests by what they use.
test: $(STAMP)
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(WRITE) -m "not (servers or processes or slow or long)"

# Exactly what `make test` leaves out, apart from the long tests: the page in browsers, then everything else.
test-all: $(STAMP)
	@$(MAKE) --no-print-directory --keep-going test-page test-house

LEFT_OUT := $(BY_FILE) -m "(servers or processes or slow) and not long"

# The page in browsers and its kitchen in Node: eight minutes on two quiet cores. A browser is several busy
# processes. With more files side by side they crowd each other: four took a third more work than two.
test-page: $(STAMP)
	$(BIN)/python -m pytest -n 2 $(LEFT_OUT) $(WRITE) tests/web

# Processes, servers, faults, leaks and attacks: fifteen minutes on two quiet cores. These tests wait for
# processes and servers a part of their time, so three files run side by side.
test-house: $(STAMP)
	$(BIN)/python -m pytest -n 3 $(LEFT_OUT) $(WRITE) --ignore tests/web

# Every test, the long ones too, and the mutants.
full: $(STAMP) $(CHAIN)/.installed
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(WRITE) --timeout 7200 --hypothesis-profile default -m "long or not long"
	$(CHAIN)/bin/python -m pytest --confcutdir tests/chain -n 2 --timeout 7200 --hypothesis-profile default -m long tests/chain
	$(BIN)/python -m tests.mutation

# Whether the tests notice when verifying code goes wrong; FILES=crypto/meal.py tries that file alone.
mutants: $(STAMP)
	$(BIN)/python -m tests.mutation $(FILES)

# Minutes on a quiet machine: every ratio anew, and docs/performance.md with its picture from them. Other
# libraries' games are played beside ours where requirements-bench.lock is installed.
bench: $(STAMP)
	@$(BIN)/cloche bench --write

# A quarter of an hour on a quiet machine: what a house bears, and its section of docs/performance.md. boardgame.io
# is measured beside it after `npm install` in benchmarks/boardgame.
load: $(STAMP)
	@$(BIN)/cloche load --all --write

# What the time of secret work tells about its secrets; writes the table in docs/security.md.
side-channels: $(STAMP)
	@$(BIN)/python -m benchmarks.side_channels --write

# The algebra of docs/proofs.md that Coq checks: every theorem anew, and what each one assumes. Needs coqc.
proofs:
	@$(MAKE) --no-print-directory -C proofs check

# The contracts, compiled and run on a chain of this machine. What that needs can't be installed beside the rest.
chain-ready: $(CHAIN)/.installed

# The longest test takes a minute and a half on a slow machine. A test that hangs fails by name after ten minutes.
chain: $(CHAIN)/.installed
	$(CHAIN)/bin/python -m pytest --confcutdir tests/chain -n 2 --dist worksteal --max-worker-restart 0 --timeout 600 $(WRITE) -m "not long" tests/chain

$(CHAIN)/.installed: requirements-chain.lock pyproject.toml
	@test -x $(CHAIN)/bin/python || $(PYTHON) -m venv $(CHAIN)
	@$(CHAIN)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-chain.lock
	@PYTHONWARNINGS=ignore $(CHAIN)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# requirements-house.lock is what a house needs, without development; deploy/install installs it.
# requirements-deploy.lock has linters and a proxy for the tests of deploy/.
lock: $(STAMP)
	$(BIN)/pip-compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header --extra dev --extra servers -o requirements.lock pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header --extra servers --build-deps-for wheel --constraint requirements.lock -o requirements-house.lock pyproject.toml
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header -o requirements-fast.lock requirements-fast.in
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header -o requirements-bench.lock requirements-bench.in
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header -o requirements-deploy.lock requirements-deploy.in
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--no-header --extra chain -o requirements-chain.lock pyproject.toml requirements-chain.in

clean:
	rm -rf $(VENV) $(CHAIN) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
