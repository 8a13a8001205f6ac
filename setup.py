"""Build the package ``sentrep``, whose subpackage ``sentrep.workflow`` contains data files from ``workflow/``."""

from pathlib import Path

from setuptools import find_packages, setup

FOLDERS = ("presets", "reported", "sample", "schemas")
DATA = [path for folder in FOLDERS for path in sorted(Path("workflow", folder).rglob("*")) if path.is_file()]

setup(
    packages=[*find_packages("workflow/scripts", include=["sentrep*"]), "sentrep.workflow"],
    package_dir={"": "workflow/scripts", "sentrep.workflow": "workflow"},
    include_package_data=False,  # include only the data files that are listed below
    package_data={
        "sentrep": ["py.typed", "*.pyi"],
        "sentrep.report": ["*.jinja", "*.css", "*.js"],
        "sentrep.tables": ["*.jinja", "*.css"],
        "sentrep.workflow": ["sources.tsv", "tables.yaml", *(str(path.relative_to("workflow")) for path in DATA)],
    },
)
