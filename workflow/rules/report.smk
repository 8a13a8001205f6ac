# This rule writes a report on the whole run as one HTML file. The report is not a target of the rule `all`; the command
# `make report` creates it.
#
# needs: all results, results/provenance.json, results/<preset>/benchmarks/
# gives: results/report.html


rule report:
    """Write a report on the whole run as one self-contained HTML file."""
    input:
        PLAN.targets,
        rules.provenance.output.record,
        BASE / "workflow" / "tables.yaml",
        [SCRIPTS / "sentrep" / "report" / name for name in ("report.html.jinja", "report.css", "report.js")],
    output:
        html="results/report.html",
    log:
        "logs/results/report.log",
    conda:
        ENVS / "results.yaml"
    params:
        **call("report"),
    script:
        "../scripts/run.py"
