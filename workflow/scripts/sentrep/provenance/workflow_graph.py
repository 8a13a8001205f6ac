"""Use the rules of the workflow to find the jobs that create given files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import SimpleNamespace
from typing import Any

from sentrep.errors import SentrepError


class WorkflowGraph:
    """The graph of the jobs that create the files of a run.

    Args:
        rules: rules of a Snakemake workflow. Rules that are added to this iterable later are also used.
    """

    def __init__(self, rules: Iterable[Any]) -> None:
        self._rules = rules
        self._jobs: dict[str, dict[str, Any]] = {}  # output path -> job
        self.jobs_behind = cache(self._jobs_behind)

    def job(self, path: str) -> dict[str, Any]:
        """Return the job that creates a file.

        The job is a mapping with four keys: ``rule`` is the name of the rule, ``code`` is a digest of the code that the
        job runs, and ``inputs`` and ``outputs`` are sorted lists of paths.

        Raises:
            SentrepError: no rule creates the file.
        """
        if path not in self._jobs:
            job = self._job(path)
            self._jobs.update(dict.fromkeys([path, *job["outputs"]], job))
        return self._jobs[path]

    def _job(self, path: str) -> dict[str, Any]:
        for rule in self._rules:
            if any(output.match(path) for output in rule.output):
                wildcards = rule.get_wildcards(path)
                digest = rule.params.get("code")
                return {
                    "rule": rule.name,
                    "code": digest(SimpleNamespace(**wildcards)) if callable(digest) else digest,
                    "inputs": sorted(set(map(str, rule.expand_input(wildcards)[0]))),
                    "outputs": sorted(map(str, rule.expand_output(wildcards)[0])),
                }
        raise SentrepError(
            path, expected="a rule that writes this file", found="none", remedy="correct the path or add a rule"
        )

    def _jobs_behind(self, *targets: str) -> list[dict[str, Any]]:
        """Return all jobs that are needed to create the given files, sorted by the path of each job's first output."""
        jobs: dict[str, dict[str, Any]] = {}
        waiting = list(targets)
        while waiting:
            path = waiting.pop()
            if path.startswith("results/"):
                job = self.job(path)
                if job["outputs"][0] not in jobs:
                    jobs[job["outputs"][0]] = job
                    waiting += job["inputs"]
        return [jobs[first] for first in sorted(jobs)]

    def outputs_of(self, targets: Iterable[str]) -> list[str]:
        """Return all outputs of the jobs that create the targets, such as every format of a requested table."""
        return sorted({path for target in targets for path in self.job(target)["outputs"]})

    def intermediate(self, targets: Iterable[str]) -> list[str]:
        """Return the outputs of all jobs on which the targets depend, except the jobs that create the targets."""
        targets = tuple(targets)
        made = {path for job in self.jobs_behind(*targets) for path in job["outputs"]}
        return sorted(made - set(self.outputs_of(targets)))

    def after(self, record: str, targets: Iterable[str]) -> list[str]:
        """Return the record of a run and the files that are created from it, such as the report.

        Intermediate files that are needed to create these files, but not to create the targets, are also returned.

        Args:
            record: path of the record of the run, ``results/provenance.json``.
            targets: files that are created before the record is written.
        """
        targets = tuple(targets)
        readers = [rule for rule in self._rules if record in map(str, rule.input)]
        outputs = [path for rule in readers for path in map(str, rule.output)]
        made = {path for job in self.jobs_behind(*outputs) for path in job["outputs"]}
        return sorted(made - {path for job in self.jobs_behind(*targets) for path in job["outputs"]})


def needed_rules(jobs: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Map the name of each rule to the names of the other rules whose outputs this rule reads.

    Args:
        jobs: jobs, as returned by :meth:`WorkflowGraph.job`.
    """
    jobs = list(jobs)
    made_by = {path: job["rule"] for job in jobs for path in job["outputs"]}
    needed: dict[str, set[str]] = {}
    for job in jobs:
        needed.setdefault(job["rule"], set()).update(made_by[path] for path in job["inputs"] if path in made_by)
    return {rule: sorted(needed[rule] - {rule}) for rule in sorted(needed)}
