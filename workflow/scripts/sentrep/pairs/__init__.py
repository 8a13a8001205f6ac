"""Mine related and non-related pairs of short texts to train and test word weights (De Boom et al. 2016)."""
