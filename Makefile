# `make results` runs the sample preset and writes its report, `make test` the tests; both set up .venv first and need only Python 3.11 and git.
PYTHON ?= python3.11
CORES ?= all
BIN := .venv/bin
# Thread pools of numerical libraries must not fight over the cores that test processes share.
export OMP_NUM_THREADS ?= 1

.PHONY: results report docs test test-slow test-conda check format bench scale-test clean

results: .venv/run
	$(BIN)/snakemake --cores $(CORES) all results/report.html

report: .venv/run
	$(BIN)/snakemake --cores $(CORES) results/report.html

# The documentation site, in build/site; warnings are errors.
docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

test: .venv/dev
	$(BIN)/python -m pytest -q -n 2 -m "not slow"

# Those that take minutes: whole runs in copies of the project.
test-slow: .venv/dev
	$(BIN)/python -m pytest -q -m slow --ignore tests/test_conda.py

# Builds every environment of envs/ (six minutes, some gigabytes): `--use-conda` without conda.
test-conda: .venv/dev
	$(BIN)/python -m pytest -q tests/test_conda.py

# Everything a change has to pass.
check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/basedpyright --level error
	$(BIN)/snakemake --lint

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/snakefmt Snakefile workflow/rules

# Compares our training with other implementations, on an idle machine; ARGS="--quick", ARGS="--text FILE" and others: benchmarks/README.md.
bench: .venv-bench/ready
	.venv-bench/bin/python benchmarks/run.py $(ARGS)

# Runs the pipeline on a synthetic text of BookCorpus' size, in a new folder with room for 11 GB: FOLDER=/data/new.
scale-test: .venv/run
	$(BIN)/python benchmarks/scale_test.py --folder $(FOLDER) $(ARGS)

clean:
	rm -rf .venv .venv-bench .snakemake

.venv/run: requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet -r requirements.txt
	$(BIN)/pip install --quiet --no-deps --editable .
	touch $@

.venv/dev: .venv/run requirements-dev.txt
	$(BIN)/pip install --quiet -r requirements-dev.txt
	touch $@

.venv/docs: .venv/run requirements-docs.txt
	$(BIN)/pip install --quiet -r requirements-docs.txt
	touch $@

# Peers have an environment of their own: the project needs none of them.
.venv-bench/ready: requirements.txt benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet -r benchmarks/requirements.txt
	touch $@
