// An order of elimination made better a subtree at a time.
#pragma once

#include "order.hpp"

#include <cstdint>
#include <vector>

namespace credo::networks {

using Neighbours = std::vector<std::vector<std::int32_t>>;

// Variables that are eliminated together in a subtree of the elimination tree can be put into any order without a change
// to any clique outside; the best order of a few is found over all their subsets. Subtrees are taken from the largest
// cliques first, again and again until none gets better or so many `steps` are spent. Returns what was spent.
double reconfigure(Order& order, const Neighbours& graph, const std::vector<double>& sizes,
                   const std::vector<std::int32_t>& stage, double steps);

}  // namespace credo::networks
