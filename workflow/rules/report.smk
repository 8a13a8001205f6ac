# The report: one HTML file on the whole run. Not among the targets of `all`: `make report`.
#
# needs: all results, results/provenance.json, results/<preset>/benchmarks/
# gives: results/report.html


rule report:
    """One self-contained HTML file: headline, claims, tables, figures, data, costs, workflow, provenance."""
    input:
        results=PLAN.targets,
        provenance=[rules.provenance.output.provenance],
        declarations=BASE / "workflow" / "tables.yaml",
        layout=[SCRIPTS / "sentrep" / "report" / name for name in ("report.html.jinja", "report.css", "report.js")],
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
