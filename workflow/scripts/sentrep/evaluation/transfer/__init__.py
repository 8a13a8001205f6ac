"""Evaluate sentence vectors as features of classifiers on transfer tasks (Logeswaran and Lee 2018, section 4.4)."""
