/# the same, with a comment
that holds a # and { #/
net fever
{
  node cold { TYPE = CPT; DEFINITION = { NAMESTATES = (yes, no); PROBABILITIES = (0.2, 0.8); }; };
  node flu { TYPE = CPT; DEFINITION = { NAMESTATES = (none, mild, severe); PROBABILITIES = (0.9, 0.05, 0.05); }; };
  node fever
  {
    TYPE = NOISY_MAX;
    PARENTS = (cold, flu);
    DEFINITION =
    {
      NAMESTATES = (high, low, none);
      STRENGTHS = (0, 1, 2, 1, 0);
      PROBABILITIES = (0.125, 0.5, 0.375, 0, 0, 1, 0.5, 0.25, 0.25, 0.25, 0.5, 0.25, 0, 0, 1,
        0, 0.0625, 0.9375);
    };
    EXTRA_DEFINITION = { DOCUMENTATION = { }; DOCUMENTATION = { }; };
  };
};
