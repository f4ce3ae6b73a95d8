// In which order to eliminate variables: the work of everything after depends on it more than on any loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace credo::networks {

using Scope = std::vector<std::int32_t>;

struct Order {
  std::vector<std::int32_t> variables;  // the first is eliminated first
  double entries = 0;                   // cells of all cliques that eliminating in this order makes
  std::size_t tried = 0;                // orders that were tried to find it
};

// The best of a portfolio of greedy orders: min-fill, weighted min-fill and min-weight, then randomised ones, each made
// better a subtree at a time, for as long as the search stays cheap beside the work it saves. Variables of a later `stage`
// are eliminated after all of an earlier one. `effort` scales how much is searched; what is found depends on the arguments
// alone, not on the clock.
Order best_order(const std::vector<std::int32_t>& sizes, const std::vector<Scope>& scopes,
                 const std::vector<std::int32_t>& stage, double effort);

}  // namespace credo::networks
