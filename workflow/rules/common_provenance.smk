# Which steps made which files, read from the rules themselves: nothing is listed twice. No rules here.
from functools import cache
from types import SimpleNamespace


@cache
def step_of(path):
    """The job that makes a file below results/: its rule, code digest, inputs and outputs."""
    for maker in workflow.rules:
        if any(output.match(path) for output in maker.output):
            wildcards = maker.get_wildcards(path)
            digest = maker.params.get("code")
            return {
                "rule": maker.name,
                "code": digest(SimpleNamespace(**wildcards)) if callable(digest) else digest,
                "inputs": sorted(set(map(str, maker.expand_input(wildcards)[0]))),
                "outputs": sorted(map(str, maker.expand_output(wildcards)[0])),
            }
    raise WorkflowError(f"{path}: expected a rule that makes it, found none; correct the list of results")


@cache
def steps_behind(*targets):
    """All jobs that some files need, directly or not, in the order of their first outputs."""
    steps, waiting = {}, list(targets)
    while waiting:
        path = waiting.pop()
        if path.startswith("results/"):
            step = step_of(path)
            if step["outputs"][0] not in steps:
                steps[step["outputs"][0]] = step
                waiting += step["inputs"]
    return [steps[first] for first in sorted(steps)]


def result_files(wildcards):
    """Every file that the rules of the results write, such as all formats of a table."""
    return sorted({path for target in RESULTS for path in step_of(target)["outputs"]})


def intermediate_files(wildcards):
    """What the results are made from, below results/<preset>/."""
    made = {path for step in steps_behind(*RESULTS) for path in step["outputs"]}
    return sorted(made - set(result_files(wildcards)))


def files_after(record):
    """Results that are made from the record, such as the report, and what else these need: they cannot be in it."""
    readers = [reader for reader in workflow.rules if record in map(str, reader.input)]
    outputs = [path for reader in readers for path in map(str, reader.output)]
    made = {path for step in steps_behind(*outputs) for path in step["outputs"]}
    return sorted(made - set(result_files(None)) - set(intermediate_files(None)))
