#include "tree.hpp"

#include <algorithm>
#include <numeric>

namespace credo::networks {
namespace {

// The cliques as they come from the elimination, each with its parent; those within another are joined to it.
struct Forest {
  std::vector<Scope> scopes;  // sorted by place in the order
  Scope parent;
  Scope clique_of;  // by variable: the clique in which it is eliminated
};

Forest eliminate(const std::vector<Scope>& scopes, const Order& order, const Scope& place, bool keep_stages) {
  const std::size_t n = order.variables.size();
  std::vector<Scope> clique(n);               // by place
  std::vector<std::vector<Scope>> meeting(n);  // the scopes and messages that meet there
  const auto sorted = [&](Scope scope) {
    for (auto& v : scope) v = place[v];
    std::sort(scope.begin(), scope.end());
    return scope;
  };
  for (const auto& scope : scopes) {
    if (!scope.empty()) {
      auto held = sorted(scope);
      const auto at = held[0];
      meeting[at].push_back(std::move(held));
    }
  }
  Forest forest;
  forest.clique_of.assign(n, -1);
  Scope parent_place(n, -1), merged;
  for (std::size_t i = 0; i < n; ++i) {
    Scope all{static_cast<std::int32_t>(i)};
    for (const auto& scope : meeting[i]) {
      merged.clear();
      std::set_union(all.begin(), all.end(), scope.begin(), scope.end(), std::back_inserter(merged));
      all.swap(merged);
    }
    meeting[i].clear();
    if (all.size() > 1) {
      parent_place[i] = all[1];
      meeting[all[1]].emplace_back(all.begin() + 1, all.end());
    }
    clique[i] = std::move(all);
  }
  // Clique i without its first variable lies in its parent's; when they are equal, the parent is not needed.
  Scope keeper(n, -1);  // by place: the place whose clique stands for it
  for (std::size_t i = 0; i < n; ++i) {
    if (keeper[i] < 0) keeper[i] = static_cast<std::int32_t>(i);
    const auto p = parent_place[i];
    if (!keep_stages && p >= 0 && keeper[p] < 0 && clique[p].size() + 1 == clique[i].size()) keeper[p] = keeper[i];
  }
  Scope index(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    if (keeper[i] == static_cast<std::int32_t>(i)) {
      index[i] = static_cast<std::int32_t>(forest.scopes.size());
      Scope scope = clique[i];
      for (auto& at : scope) at = order.variables[at];
      forest.scopes.push_back(std::move(scope));
      forest.parent.push_back(-1);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto mine = index[keeper[i]];
    forest.clique_of[order.variables[i]] = mine;
    const auto p = parent_place[i];
    // The last place that a clique stands for has the parent of them all.
    if (p >= 0 && keeper[p] != keeper[i]) forest.parent[mine] = index[keeper[p]];
  }
  return forest;
}

// Turn each part of the forest so that its root is the wanted clique.
void reroot(Scope& parent, std::int32_t root) {
  std::int32_t above = -1;
  for (std::int32_t at = root; at >= 0;) {
    const auto next = parent[at];
    parent[at] = above;
    above = at;
    at = next;
  }
}

}  // namespace

Tree make_tree(const std::vector<std::int32_t>& sizes, const std::vector<Scope>& scopes, const Order& order,
               std::int32_t first, bool keep_stages) {
  const std::size_t n = sizes.size();
  Scope place(n, -1);
  for (std::size_t i = 0; i < order.variables.size(); ++i) place[order.variables[i]] = static_cast<std::int32_t>(i);
  auto forest = eliminate(scopes, order, place, keep_stages);
  const std::size_t m = forest.scopes.size();
  Tree tree;
  tree.cliques.resize(m);
  std::vector<double> entries(m);
  for (std::size_t c = 0; c < m; ++c) {
    double cells = 1;
    for (const auto v : forest.scopes[c]) cells *= sizes[v];
    entries[c] = cells;
    tree.entries += cells;
    tree.widest = std::max(tree.widest, cells);
  }
  tree.clique_of_factor.assign(scopes.size(), -1);
  for (std::size_t f = 0; f < scopes.size(); ++f) {
    if (scopes[f].empty()) continue;
    const auto v = *std::min_element(scopes[f].begin(), scopes[f].end(),
                                     [&](auto a, auto b) { return place[a] < place[b]; });
    tree.clique_of_factor[f] = forest.clique_of[v];
  }
  if (!keep_stages) {
    std::vector<std::int32_t> best(m, -1);
    Scope root_of(m, -1);
    for (std::size_t c = 0; c < m; ++c) {
      Scope path;
      auto at = static_cast<std::int32_t>(c);
      while (root_of[at] < 0 && forest.parent[at] >= 0) {
        path.push_back(at);
        at = forest.parent[at];
      }
      const auto root = root_of[at] >= 0 ? root_of[at] : at;
      root_of[at] = root;
      for (const auto p : path) root_of[p] = root;
      if (best[root] < 0 || entries[c] > entries[best[root]]) best[root] = static_cast<std::int32_t>(c);
    }
    if (first >= 0 && tree.clique_of_factor[first] >= 0) {
      const auto c = tree.clique_of_factor[first];
      best[root_of[c]] = c;
    }
    for (std::size_t c = 0; c < m; ++c) {
      if (best[c] >= 0) reroot(forest.parent, best[c]);
    }
  }
  for (std::size_t c = 0; c < m; ++c) {
    auto& clique = tree.cliques[c];
    clique.scope = std::move(forest.scopes[c]);
    clique.entries = entries[c];
    clique.parent = forest.parent[c];
    if (clique.parent >= 0) tree.cliques[clique.parent].children.push_back(static_cast<std::int32_t>(c));
  }
  for (std::size_t c = 0; c < m; ++c) {
    if (tree.cliques[c].parent < 0) tree.topological.push_back(static_cast<std::int32_t>(c));
  }
  for (std::size_t i = 0; i < tree.topological.size(); ++i) {
    for (const auto child : tree.cliques[tree.topological[i]].children) tree.topological.push_back(child);
  }
  tree.clique_of_variable.assign(n, -1);
  for (std::size_t c = 0; c < m; ++c) {
    for (const auto v : tree.cliques[c].scope) {
      auto& held = tree.clique_of_variable[v];
      if (held < 0 || entries[c] < entries[held]) held = static_cast<std::int32_t>(c);
    }
  }
  for (std::size_t f = 0; f < scopes.size(); ++f) {
    if (tree.clique_of_factor[f] >= 0) tree.cliques[tree.clique_of_factor[f]].factors.push_back(static_cast<std::int32_t>(f));
  }
  return tree;
}

}  // namespace credo::networks
