"""Computing the strategies anew: deals, exact tables, models, blueprint, reports; run as `python -m advisor.build`."""
