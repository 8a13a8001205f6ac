# This file defines the output files of tables and figures. It contains no rules.
from sentrep.report.papers import heading, paper_name
from sentrep.tables.views import read_views

VIEWS = read_views()
TABLE = ("csv", "md", "tex", "html")
FIGURE = ("svg", "pdf", "csv")
SHOWN = {"html", "svg"}  # formats that are included in Snakemake's own report


def item_of(stem):
    """Return the name, `<paper>/<item>`, of the table or figure whose files in results/ have the given stem."""
    if "/" in stem:
        return stem
    return f"sentrep/{stem}"


def file_of(name):
    """Return the common stem of the files of a table or figure, relative to results/."""
    return name.removeprefix("sentrep/")


def outputs(stem, suffixes):
    """Return the output files of a table or figure by format; files for Snakemake's report are marked with `report`."""

    def of_job(name):
        return lambda wildcards: name(stem.format(**dict(wildcards.items())))

    files = {suffix: f"{stem}.{suffix}" for suffix in suffixes}
    for suffix in SHOWN.intersection(suffixes):
        files[suffix] = report(
            files[suffix],
            caption="../report/result.rst",  # relative to the rule file
            category=of_job(paper_name),
            labels=of_job(lambda path: {"result": heading(path)}),
        )
    return files


def caption(title, **declaration):
    """Return the content of a result's caption in Snakemake's report, for the parameter `caption` of a rule."""
    return {**declaration, "title": title, "preset": PRESET, "sample": SAMPLE}


def caption_of(stem):
    """Return the content of the caption of the table or figure whose files in results/ have the given stem.

    The content includes the declaration of the table or figure. If the declaration changes, Snakemake therefore writes
    the table or figure again.
    """
    name = item_of(stem)
    declaration = VIEWS.declaration(name)
    title = PLAN.tables.sts.get(name, declaration).get("title", declaration["title"])
    return caption(**{**declaration, "title": title})
