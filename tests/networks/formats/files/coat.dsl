// What to wear
net "to wear"
{
  HEADER = { ID = wear; NAME = "to \"wear\"; {really}"; };
  CREATION = { CREATOR = ""; };
  node rain
  {
    TYPE = CPT;
    HEADER = { ID = rain; NAME = "Rain /* or snow */"; };
    PARENTS = ();
    DEFINITION = { NAMESTATES = (yes, no); PROBABILITIES = (0.2, 0.8); };
  };
  node cold
  {
    TYPE = CPT;
    PARENTS = (rain);
    DEFINITION = { NAMESTATES = (below, above); PROBABILITIES = (0.5, 0.5, 0.25, 0.75); };
  };
  node coat
  {
    TYPE = TRUTHTABLE;
    PARENTS = (rain, cold);
    DEFINITION = { NAMESTATES = (on, off); RESULTINGSTATES = (on, on, on, off); };
  };
  OBSERVATION_COST = { node x { PARENTS = (); DEFINITION = { COSTS = (0.0); }; }; };
};
