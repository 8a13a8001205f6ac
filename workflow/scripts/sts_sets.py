"""Convert all sets of sentence pairs from their original formats to one JSON Lines file."""

from pathlib import Path

from sentrep.evaluation.sts.reader import collect_custom_sets, read_lee, read_sources
from sentrep.evaluation.sts.sets import write_sets
from sentrep.sources.archives import iter_members


def main(
    *,
    sources: list[str],
    years: list[int],
    source_names: str,
    sample: bool,
    pairs: str,
    description: str,
    own: str | None = None,
    lee_documents: str = "",
    lee_similarities: str = "",
) -> None:
    """Write the sentence pairs of the SemEval sets, and a description of the sets.

    SemEval sets that the sources do not contain are listed as missing in the description. The set of Lee et al. (2005)
    and the user's custom sets are included if their files are given.

    Args:
        sources: source manifests of the SemEval sets, one for each year.
        years: year of each manifest in ``sources``.
        source_names: names of the SemEval sources, to be recorded in the file ``description``.
        sample: True if the SemEval sets are hand-written samples.
        pairs: file to write the sentence pairs to.
        description: file to write the description of the sets to.
        own: source manifest of the user's custom sets, or None.
        lee_documents: file that contains the texts of Lee et al. (2005), or "" to omit this set.
        lee_similarities: file that contains the human similarity scores of Lee et al. (2005), or "" to omit this set.
    """
    of_year = {year: (Path(path).stem, iter_members(path)) for path, year in zip(sources, years, strict=True)}
    sets, missing = read_sources(of_year)
    if lee_similarities:
        documents, matrix = Path(lee_documents).read_bytes(), Path(lee_similarities).read_bytes()
        sets.append(read_lee(documents, matrix, lee_similarities))
    if own:
        sets += collect_custom_sets(iter_members(own), Path(own).stem)
    write_sets(sets, missing, pairs, description, sample=sample, description=source_names)
