#include "reconfigure.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

namespace credo::networks {
namespace {

constexpr std::size_t most_members = 8;     // of a subtree: 2 to the power of these are the subsets looked at
constexpr std::size_t most_vertices = 128;  // of a subtree and its separator
constexpr double worth_it = 1e-4;           // a subtree of a smaller share of all entries is left alone
constexpr double better = 1 - 1e-9;         // what is not smaller by more than rounding is no gain

struct Set {  // of vertices of a subtree and its separator, by number
  std::array<std::uint64_t, most_vertices / 64> words{};

  void add(std::size_t i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  Set& operator|=(const Set& other) {
    for (std::size_t w = 0; w < words.size(); ++w) words[w] |= other.words[w];
    return *this;
  }
};

// What eliminating in an order leads to: for each variable the rest of its clique, and the cells of that.
class Elimination {
 public:
  Elimination(const Neighbours& graph, const std::vector<double>& sizes, const std::vector<std::int32_t>& order)
      : above(graph.size()), children(graph.size()), parent(graph.size(), -1), entries(graph.size()),
        place(graph.size()) {
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int32_t>(i);
    const auto earlier = [&](auto a, auto b) { return place[a] < place[b]; };
    std::vector<std::int32_t> merged;
    for (const auto v : order) {
      auto& rest = above[v];
      for (const auto u : graph[v]) {
        if (place[u] > place[v]) rest.push_back(u);
      }
      std::sort(rest.begin(), rest.end(), earlier);
      for (const auto child : children[v]) {
        merged.clear();
        std::set_union(rest.begin(), rest.end(), above[child].begin() + 1, above[child].end(), std::back_inserter(merged),
                       earlier);
        rest.swap(merged);
      }
      steps += 1 + static_cast<double>(rest.size());
      if (!rest.empty()) {
        parent[v] = rest.front();
        children[parent[v]].push_back(v);
      }
      entries[v] = std::accumulate(rest.begin(), rest.end(), sizes[v], [&](double cells, auto u) { return cells * sizes[u]; });
      total += entries[v];
    }
  }

  std::vector<std::vector<std::int32_t>> above, children;
  std::vector<std::int32_t> parent;
  std::vector<double> entries;
  std::vector<std::int32_t> place;
  double total = 0, steps = 0;
};

// The best order of the members of one subtree.
class Subtree {
 public:
  // The largest cliques next to each other, from `root` downwards.
  Subtree(const Elimination& tree, std::int32_t root) {
    std::vector<std::int32_t> open{root};
    while (!open.empty() && members.size() < most_members) {
      const auto next = std::max_element(open.begin(), open.end(),
                                         [&](auto a, auto b) { return tree.entries[a] < tree.entries[b]; });
      const auto v = *next;
      open.erase(next);
      members.push_back(v);
      entries += tree.entries[v];
      open.insert(open.end(), tree.children[v].begin(), tree.children[v].end());
    }
  }

  // Whether there is a better order than that of the tree; `members` are in it then.
  bool improve(const Elimination& tree, const Neighbours& graph, const std::vector<double>& sizes,
               const std::vector<std::int32_t>& stage) {
    if (!describe(tree, graph, sizes)) return false;
    const std::size_t k = members.size(), subsets = std::size_t{1} << k;
    std::size_t first_stage = 0;  // those that must go before any other
    const auto earliest = std::min_element(members.begin(), members.end(),
                                           [&](auto a, auto b) { return stage[a] < stage[b]; });
    for (std::size_t i = 0; i < k; ++i) first_stage |= std::size_t{stage[members[i]] == stage[*earliest]} << i;
    std::vector<double> least(subsets, std::numeric_limits<double>::infinity());
    std::vector<std::uint8_t> last(subsets, 0);
    least[0] = 0;
    for (std::size_t gone = 0; gone + 1 < subsets; ++gone) {
      if (!(least[gone] < entries * better)) continue;
      for (std::size_t i = 0; i < k; ++i) {
        if (gone >> i & 1) continue;
        if (!(first_stage >> i & 1) && (gone & first_stage) != first_stage) continue;
        const double cells = least[gone] + clique(i, gone);
        const std::size_t then = gone | std::size_t{1} << i;
        if (cells < least[then]) {
          least[then] = cells;
          last[then] = static_cast<std::uint8_t>(i);
        }
      }
    }
    if (!(least[subsets - 1] < entries * better)) return false;
    std::vector<std::int32_t> found;
    for (std::size_t gone = subsets - 1; gone; gone &= ~(std::size_t{1} << last[gone])) found.push_back(members[last[gone]]);
    members.assign(found.rbegin(), found.rend());
    return true;
  }

  std::vector<std::int32_t> members;
  double entries = 0, steps = 0;

 private:
  // Who touches whom when all below is gone: the members by number, then the variables of the separator above them.
  bool describe(const Elimination& tree, const Neighbours& graph, const std::vector<double>& sizes) {
    std::vector<std::int32_t> vertices = members;
    const auto& separator = tree.above[members.front()];
    vertices.insert(vertices.end(), separator.begin(), separator.end());
    if (vertices.size() > most_vertices) return false;
    const auto number = [&](std::int32_t v) {
      return static_cast<std::size_t>(std::find(vertices.begin(), vertices.end(), v) - vertices.begin());
    };
    near_.assign(members.size(), {});
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (const auto u : graph[members[i]]) {
        if (const auto j = number(u); j < vertices.size()) near_[i].add(j);
      }
      for (const auto child : tree.children[members[i]]) {
        if (number(child) < members.size()) continue;
        Set message;
        for (const auto u : tree.above[child]) message.add(number(u));
        for (std::size_t j = 0; j < members.size(); ++j) {
          if (message.words[0] >> j & 1) near_[j] |= message;
        }
        steps += static_cast<double>(tree.above[child].size());
      }
    }
    cells_.assign((vertices.size() + 7) / 8, {});
    for (std::size_t byte = 0; byte < cells_.size(); ++byte) {
      cells_[byte][0] = 1;
      for (std::size_t bits = 1; bits < 256; ++bits) {
        const auto low = static_cast<std::size_t>(std::countr_zero(bits));
        const double size = 8 * byte + low < vertices.size() ? sizes[vertices[8 * byte + low]] : 1;
        cells_[byte][bits] = cells_[byte][bits & (bits - 1)] * size;
      }
    }
    steps += 256.0 * static_cast<double>(cells_.size());
    return true;
  }

  // The cells of the clique of member `i` when the members in `gone` went before it.
  double clique(std::size_t i, std::size_t gone) {
    Set reached = near_[i];
    reached.add(i);
    std::size_t seen = 0;
    while (const std::size_t fresh = reached.words[0] & gone & ~seen) {
      const auto u = static_cast<std::size_t>(std::countr_zero(fresh));
      reached |= near_[u];
      seen |= std::size_t{1} << u;
    }
    reached.words[0] &= ~static_cast<std::uint64_t>(gone);
    double cells = 1;
    for (std::size_t byte = 0; byte < cells_.size(); ++byte) {
      cells *= cells_[byte][reached.words[byte / 8] >> (8 * (byte % 8)) & 255];
    }
    steps += 8;
    return cells;
  }

  std::vector<Set> near_;                       // by member
  std::vector<std::array<double, 256>> cells_;  // products of sizes, eight vertices at a time
};

// The same tree with the members of a subtree in another order: all that is not above them goes before.
std::vector<std::int32_t> with(const std::vector<std::int32_t>& order, const Elimination& tree,
                               const Subtree& subtree, std::int32_t root) {
  std::vector<char> later(order.size(), 0);
  for (const auto v : subtree.members) later[tree.place[v]] = 1;
  for (auto v = tree.parent[root]; v >= 0; v = tree.parent[v]) later[tree.place[v]] = 2;
  std::vector<std::int32_t> made;
  made.reserve(order.size());
  for (const auto v : order) {
    if (later[tree.place[v]] == 0) made.push_back(v);
  }
  made.insert(made.end(), subtree.members.begin(), subtree.members.end());
  for (const auto v : order) {
    if (later[tree.place[v]] == 2) made.push_back(v);
  }
  return made;
}

}  // namespace

double reconfigure(Order& order, const Neighbours& graph, const std::vector<double>& sizes,
                   const std::vector<std::int32_t>& stage, double steps) {
  auto& variables = order.variables;
  Elimination tree(graph, sizes, variables);
  double spent = tree.steps;
  std::vector<std::int32_t> roots;
  for (bool again = true; again && spent < steps;) {
    again = false;
    roots = variables;
    std::stable_sort(roots.begin(), roots.end(), [&](auto a, auto b) { return tree.entries[a] > tree.entries[b]; });
    for (const auto root : roots) {
      if (!(spent < steps)) break;
      Subtree subtree(tree, root);
      if (subtree.members.size() < 2 || subtree.entries < worth_it * tree.total) continue;
      const bool improved = subtree.improve(tree, graph, sizes, stage);
      spent += subtree.steps;
      if (!improved) continue;
      variables = with(variables, tree, subtree, root);
      tree = Elimination(graph, sizes, variables);
      spent += tree.steps;
      again = true;
    }
  }
  // Where a later stage came before an earlier one, it was in another branch of the tree.
  std::stable_sort(variables.begin(), variables.end(), [&](auto a, auto b) { return stage[a] < stage[b]; });
  order.entries = tree.total;
  return spent;
}

}  // namespace credo::networks
