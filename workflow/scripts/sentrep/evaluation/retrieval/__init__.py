"""Image-caption retrieval from fixed sentence vectors and image features (Logeswaran and Lee 2018, section 4.4.3)."""
