"""Evaluate models on image-caption retrieval with fixed features (Logeswaran and Lee, 2018, section 4.4.3)."""
