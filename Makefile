# Everything from a fresh clone, with Python 3.11+ and make:  make demo, make test
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KERNELS := $(wildcard src/peneira/kernels/*.py src/peneira/kernels/*.pyx src/peneira/kernels/*.pxd)
# Test files run in two processes at once; more than the machine has cores only slows the tests that wait for a browser
WORKERS ?= 2
CORPORA := $(or $(PENEIRA_CORPORA),$(wildcard ../shared/corpora))

.DEFAULT_GOAL := help
.PHONY: help pictures demo test test-train lint types pytest bench gate fuzz adversarial soak chromium java postgres reference locales docs clean

help:
	@echo "make demo    extract the records of the sample page into demo/records.csv"
	@echo "make test    lint, types and all tests"
	@echo "make test-train  tests of training with torch, which is installed for them"
	@echo "make bench   the scoreboard over the corpora (PENEIRA_CORPORA, or ../shared/corpora)"
	@echo "make gate    fail where a corpus scores below its floor"
	@echo "make fuzz    random inputs through every front door (FUZZ=count of the slowest target, SEED=n)"
	@echo "make adversarial  every verb and method on pages made to be slow or large; the slowest again at 20 MB (CHARS=n SAMPLE=n)"
	@echo "make soak    50,000 pages in one process, 2,000 in one browser, 1,000 kills of writers (PAGES=n RENDERED=n KILLS=n)"
	@echo "make reference  write docs/reference/ again from the code"
	@echo "make locales  write the table of languages again from Unicode CLDR"
	@echo "make pictures  take the pictures of the studio in docs/pictures again"
	@echo "make docs    build the documentation as a site into site/, links checked"
	@echo "make clean   remove what the other targets made"

$(VENV)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "peneira needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/runtime: $(VENV)/pip pyproject.toml setup.py $(KERNELS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/research: $(VENV)/runtime research/pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ./research
	touch $@

# Both packages are installed by now, so that these get what their extras need, and compile no kernel again
$(VENV)/dev: $(VENV)/research
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'peneira[dev]' 'peneira-research[forests]'
	touch $@

$(VENV)/train: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'peneira[dev]' 'peneira-research[train]'
	touch $@

demo: $(VENV)/runtime
	@$(BIN)/peneira extract demo/jobs.html --url https://vagas.example/jobs --format table
	@$(BIN)/peneira extract demo/jobs.html --url https://vagas.example/jobs --output demo/records.csv 2>/dev/null
	@echo "The same records as CSV: demo/records.csv"

test: lint types pytest

test-train: $(VENV)/train
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest research/tests_train

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev
	$(BIN)/mypy

pytest: $(VENV)/dev chromium java postgres
	PENEIRA_CORPORA="$(CORPORA)" $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile

chromium: $(VENV)/dev
	@$(BIN)/python tools/chromium.py

java: $(VENV)/dev
	@$(BIN)/python tools/java.py

postgres: $(VENV)/dev
	@$(BIN)/python tools/postgres.py

bench: $(VENV)/research
	$(BIN)/peneira bench records --corpora "$(CORPORA)"

gate: $(VENV)/research
	$(BIN)/peneira bench gate --corpora "$(CORPORA)"

fuzz: $(VENV)/dev
	$(BIN)/python tools/fuzz.py --count $(or $(FUZZ),200) --seed $(or $(SEED),1)

adversarial: $(VENV)/dev
	$(BIN)/python tools/adversarial.py --chars 20000 --seconds 0.2 --results $(or $(RESULTS),adversarial.jsonl)
	$(BIN)/python tools/adversarial.py --chars $(or $(CHARS),20000000) --seconds 5 --sample $(or $(SAMPLE),12) --results $(or $(RESULTS),adversarial.jsonl)

soak: $(VENV)/dev
	$(BIN)/python tools/soak.py pages --count $(or $(PAGES),50000)
	$(BIN)/python tools/soak.py rendered --count $(or $(RENDERED),2000)
	$(BIN)/python tools/soak.py kills --count $(or $(KILLS),1000)

locales: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check babel==2.18.0
	$(BIN)/python tools/locale_table.py

reference: $(VENV)/dev
	$(BIN)/python tools/reference.py

pictures: $(VENV)/dev chromium
	$(BIN)/python tools/screenshots.py

$(VENV)/docs: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'peneira[docs]'
	touch $@

docs: $(VENV)/docs
	$(BIN)/mkdocs build --strict
	@echo "The documentation as a site: site/index.html (its search needs a server: python -m http.server -d site)"

clean:
	rm -rf $(VENV) build dist site src/peneira/kernels/*.so src/*.egg-info research/src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis demo/records.csv bench.json adversarial.jsonl
	find src tests research -name __pycache__ -type d -prune -exec rm -rf {} +
