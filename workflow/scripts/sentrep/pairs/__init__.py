"""Mine related and non-related pairs of short texts, on which De Boom et al. (2016) train word weights."""
