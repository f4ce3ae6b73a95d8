// Junction trees: structure only, no numbers.
#pragma once

#include "order.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace credo::networks {

struct Clique {
  Scope scope;         // axes in memory order, the last changing fastest
  Scope separator;     // what it shares with its parent, in the order of the parent's axes
  std::int32_t parent = -1;
  Scope children;
  std::vector<std::int32_t> factors;  // those assigned to it
  double entries = 1;
};

struct Tree {
  std::vector<Clique> cliques;
  Scope topological;         // parents before their children
  Scope clique_of_factor;    // by factor; -1 for one without variables
  Scope clique_of_variable;  // the smallest clique that holds it; -1 for a variable in no scope
  double entries = 0, separator_entries = 0, widest = 0;
};

// The tree that eliminating in this order makes. Every scope lies in the clique of its factor. Each connected part is
// rooted in the clique of scope `first` if it holds that, else in its largest clique. With `keep_stages`, cliques are
// not joined and the last variable eliminated is the root, so that a clique's residual is of one stage only.
Tree make_tree(const std::vector<std::int32_t>& sizes, const std::vector<Scope>& scopes, const Order& order,
               std::int32_t first, bool keep_stages);

}  // namespace credo::networks
