# The report: one HTML file on the whole run. Not among the targets of `all`: `make report`.
#
# needs: rule files, all results, results/provenance.json, results/<preset>/benchmarks/
# gives: results/steps.csv (which rule needs which), results/report.html

REPORT_PARTS = Path(workflow.basedir) / "workflow" / "scripts" / "sentrep" / "report"


rule steps:
    """Which rule needs which, of this run: Snakemake's own graph."""
    input:
        rules=[workflow.main_snakefile, *sorted((Path(workflow.basedir) / "workflow" / "rules").glob("*.smk"))],
    output:
        csv="results/steps.csv",
    log:
        "logs/results/steps.log",
    conda:
        ENVS / "results.yaml"
    params:
        configuration=config,
        python=sys.executable,
        code=code("steps"),
    script:
        "../scripts/steps.py"


rule report:
    """One self-contained HTML file: headline, claims, tables, figures, data, costs, steps, provenance."""
    input:
        results=PLAN.targets,
        provenance=[rules.provenance.output.provenance],
        steps=rules.steps.output.csv,
        layout=[REPORT_PARTS / name for name in ("report.html.jinja", "report.css", "report.js")],
    output:
        html="results/report.html",
    log:
        "logs/results/report.log",
    conda:
        ENVS / "results.yaml"
    params:
        benchmarks=PATHS.benchmarks,
        code=code("report"),
    script:
        "../scripts/report.py"
