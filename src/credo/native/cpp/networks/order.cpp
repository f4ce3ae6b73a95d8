#include "order.hpp"

#include "reconfigure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <random>
#include <tuple>

namespace credo::networks {
namespace {

enum class Rule { fill, weighted_fill, weight };

constexpr double step_cost = 2.0;   // of a clique entry: what one step of the search costs, beside half a query's work
constexpr double most_steps = 1e8;  // with effort 1, about a second
constexpr double fill_steps = 3e7;  // counting what to fill in takes too long in a large dense graph
constexpr double slack = 2.0;       // an order so much worse than the best may still be made better than it
constexpr int most_idle = 100;      // orders in a row, with effort 1, that are no better: the search ends
constexpr double infinite = std::numeric_limits<double>::infinity();

// Every pair of variables in a scope is joined.
Neighbours interaction_graph(std::size_t n, const std::vector<Scope>& scopes) {
  Neighbours graph(n);
  for (const auto& scope : scopes) {
    for (const auto u : scope) {
      for (const auto v : scope) {
        if (u != v) graph[u].push_back(v);
      }
    }
  }
  for (auto& row : graph) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return graph;
}

// One greedy elimination of a graph that is used up by it.
class Greedy {
 public:
  Greedy(Neighbours graph, const std::vector<double>& bits, const std::vector<std::int32_t>& stage)
      : graph_(std::move(graph)), bits_(bits), stage_(stage), mark_(graph_.size(), 0), stamp_(graph_.size(), 0),
        done_(graph_.size(), 0) {}

  // Stops, with infinite entries, as soon as the order is worse than `bound` or took more steps than `most`.
  Order run(Rule rule, double noise, std::uint64_t seed, double bound, double most) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const auto entry = [&](std::int32_t v) {
      auto score = priority(v, rule);
      if (noise > 0) score.first *= 1.0 + noise * uniform(random);
      return Entry{stage_[v], score.first, noise > 0 ? uniform(random) : score.second, v, stamp_[v]};
    };
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    for (std::size_t v = 0; v < graph_.size(); ++v) queue.push(entry(static_cast<std::int32_t>(v)));
    Order order;
    order.variables.reserve(graph_.size());
    std::vector<std::int32_t> touched;
    while (!queue.empty()) {
      const auto [stage, score, tie, v, stamp] = queue.top();
      queue.pop();
      if (done_[v] || stamp != stamp_[v]) continue;
      double clique = bits_[v];
      for (const auto u : graph_[v]) clique += bits_[u];
      order.entries += std::exp2(clique);
      if (order.entries > bound || steps > most) {
        order.entries = infinite;
        return order;
      }
      order.variables.push_back(v);
      eliminate(v, rule, touched);
      for (const auto u : touched) {
        ++stamp_[u];
        queue.push(entry(u));
      }
    }
    return order;
  }

  double steps = 0;

 private:
  using Entry = std::tuple<std::int32_t, double, double, std::int32_t, std::uint32_t>;

  std::pair<double, double> priority(std::int32_t v, Rule rule) {
    const auto& near = graph_[v];
    double weight = bits_[v];
    for (const auto u : near) weight += bits_[u];
    steps += 1 + static_cast<double>(near.size());
    if (rule == Rule::weight) return {weight, 0.0};
    ++round_;
    for (const auto u : near) mark_[u] = round_;
    double missing = 0;
    for (const auto u : near) {
      std::size_t joined = 0;
      double joined_bits = 0;
      for (const auto w : graph_[u]) {
        if (mark_[w] == round_) {
          ++joined;
          joined_bits += bits_[w];
        }
      }
      steps += static_cast<double>(graph_[u].size());
      missing += rule == Rule::fill ? static_cast<double>(near.size() - 1 - joined)
                                    : bits_[u] * (weight - bits_[v] - bits_[u] - joined_bits);
    }
    return {missing < 1e-9 ? 0.0 : missing, weight};
  }

  // Joins the neighbours of v and takes v away; `touched` are those whose priority may have changed.
  void eliminate(std::int32_t v, Rule rule, std::vector<std::int32_t>& touched) {
    done_[v] = 1;
    const std::vector<std::int32_t> near = std::move(graph_[v]);
    graph_[v].clear();
    touched = near;
    bool filled = false;
    for (const auto u : near) {
      auto& row = graph_[u];
      merged_.clear();
      std::set_union(row.begin(), row.end(), near.begin(), near.end(), std::back_inserter(merged_));
      steps += static_cast<double>(merged_.size());
      filled |= merged_.size() > row.size() + 1;  // more than u itself came in
      merged_.erase(std::remove_if(merged_.begin(), merged_.end(), [&](auto w) { return w == u || w == v; }),
                    merged_.end());
      row.swap(merged_);
    }
    if (rule != Rule::weight && filled) {
      ++round_;
      for (const auto u : near) mark_[u] = round_;
      for (const auto u : near) {
        for (const auto w : graph_[u]) {
          if (mark_[w] != round_) {
            mark_[w] = round_;
            touched.push_back(w);
          }
        }
      }
    }
  }

  Neighbours graph_;
  const std::vector<double>& bits_;
  const std::vector<std::int32_t>& stage_;
  std::vector<std::uint64_t> mark_;
  std::vector<std::uint32_t> stamp_;
  std::vector<char> done_;
  std::vector<std::int32_t> merged_;
  std::uint64_t round_ = 0;
};

}  // namespace

Order best_order(const std::vector<std::int32_t>& sizes, const std::vector<Scope>& scopes,
                 const std::vector<std::int32_t>& stage, double effort) {
  const auto graph = interaction_graph(sizes.size(), scopes);
  const std::vector<double> cells(sizes.begin(), sizes.end());
  std::vector<double> bits(sizes.size());
  std::transform(sizes.begin(), sizes.end(), bits.begin(), [](auto size) { return std::log2(size); });
  constexpr std::array rules{Rule::fill, Rule::weighted_fill, Rule::weight};
  Order best;
  best.entries = infinite;
  double spent = 0;
  // A simple graph is searched no longer than it takes to answer one query; a hard one up to the limit.
  const auto left = [&] { return effort * std::min(most_steps, best.entries / step_cost) - spent; };
  const auto attempt = [&](Rule rule, double noise, std::uint64_t seed) {
    Greedy greedy(graph, bits, stage);
    auto order = greedy.run(rule, noise, seed, slack * best.entries, rule == Rule::weight ? infinite : fill_steps);
    spent += greedy.steps;
    if (seed > 0 && order.entries < infinite && left() > 0) {
      spent += reconfigure(order, graph, cells, stage, left());
    }
    const bool better = order.entries < best.entries || best.variables.empty();
    order.tried = best.tried + 1;
    if (better) {
      best = std::move(order);
    } else {
      best.tried = order.tried;
    }
    return better;
  };
  attempt(Rule::weight, 0.0, 0);
  for (const auto rule : {Rule::weighted_fill, Rule::fill}) {
    if (left() > 0) attempt(rule, 0.0, 0);
  }
  if (left() > 0) spent += reconfigure(best, graph, cells, stage, left());
  int idle = 0;
  for (std::uint64_t seed = 1; left() > 0 && idle < most_idle * effort; ++seed) {
    idle = attempt(rules[seed % rules.size()], seed % 2 ? 1e-9 : 0.3, seed) ? 0 : idle + 1;
  }
  return best;
}

}  // namespace credo::networks
