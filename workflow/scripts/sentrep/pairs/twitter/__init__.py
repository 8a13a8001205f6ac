"""Read and clean tweets, and form related and non-related pairs of tweets (De Boom et al. 2016, section 4.2)."""
