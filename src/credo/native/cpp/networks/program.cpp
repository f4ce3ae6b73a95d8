#include "program.hpp"

#include <algorithm>
#include <limits>

namespace credo::networks {
namespace {

struct Axes {  // of a clique, those of one state left out
  Scope variables;
  std::vector<std::uint32_t> sizes;
  std::size_t outer = 0;  // how many of them are outer
};

// The strides of a table whose axes are `scope`, the last changing fastest, by axis of the clique; 0 where it has none.
std::vector<std::int64_t> strides_in(const Axes& axes, const Scope& scope, const std::vector<std::int64_t>& stride) {
  std::vector<std::int64_t> found(axes.variables.size(), 0);
  for (std::size_t i = 0; i < scope.size(); ++i) {
    const auto at = std::find(axes.variables.begin(), axes.variables.end(), scope[i]);
    if (at != axes.variables.end()) found[at - axes.variables.begin()] = stride[i];
  }
  return found;
}

std::vector<std::int64_t> compact(const Scope& scope, const std::vector<std::int32_t>& sizes) {
  std::vector<std::int64_t> stride(scope.size());
  std::int64_t step = 1;
  for (std::size_t i = scope.size(); i-- > 0;) {
    stride[i] = step;
    step *= sizes[scope[i]];
  }
  return stride;
}

// Where each cell of the block lies.
std::vector<std::int32_t> places(const Axes& axes, const std::vector<std::int64_t>& stride, std::size_t block) {
  std::vector<std::int32_t> at(1, 0), longer;
  for (std::size_t axis = axes.outer; axis < axes.sizes.size(); ++axis) {
    longer.clear();
    longer.reserve(at.size() * axes.sizes[axis]);
    for (const auto place : at) {
      for (std::uint32_t code = 0; code < axes.sizes[axis]; ++code) {
        longer.push_back(place + static_cast<std::int32_t>(stride[axis] * code));
      }
    }
    at.swap(longer);
  }
  at.resize(block);
  return at;
}

// The pattern of a table's inner axes, if they lie next to each other: runs of at least this many cells pay.
constexpr std::uint32_t least_run = 8;

Pattern pattern_of(const Axes& axes, const std::vector<std::int64_t>& stride, std::size_t block, bool output) {
  Pattern found;
  std::size_t first = axes.outer;
  while (first < stride.size() && stride[first] == 0) found.before *= axes.sizes[first++];
  std::size_t last = stride.size();
  while (last > first && stride[last - 1] == 0) found.run *= axes.sizes[--last];
  bool plain = true;
  for (std::size_t i = first; i < last; ++i) {
    found.width *= axes.sizes[i];
    plain &= i + 1 == last || stride[i] == stride[i + 1] * axes.sizes[i + 1];
  }
  if (first == last) return found;
  found.step = static_cast<std::uint32_t>(stride[last - 1]);
  if (plain && (found.run == 1 ? found.step == 1 && found.width >= least_run : found.run >= least_run)) return found;
  found.before = found.run = found.width = 1;
  const auto at = places(axes, stride, block);
  if (!output) {
    found.at = at;
    found.width = 2;  // (not a single number)
    return found;
  }
  // An output's inner axes are its own last ones: its places run from 0 to width - 1.
  const auto width = static_cast<std::uint32_t>(*std::max_element(at.begin(), at.end())) + 1;
  std::vector<std::uint32_t> filled(width, 0);
  found.width = width;
  found.at.resize(block);
  for (std::size_t i = 0; i < block; ++i) {
    const auto j = static_cast<std::size_t>(at[i]);
    const auto t = filled[j]++;
    // Many places: one cell of each at a time. Few places: all the cells of each in a row.
    found.at[width >= 4 ? t * width + j : j * (block / width) + t] = static_cast<std::int32_t>(i);
  }
  return found;
}

Operand operand(Kind kind, std::int32_t id, const CliqueProgram& clique, const Axes& axes,
                const std::vector<std::int64_t>& stride, bool output) {
  Operand made{kind, id, stride, {}, pattern_of(axes, stride, clique.block, output), {}};
  made.delta.assign(stride.begin(), stride.begin() + static_cast<std::ptrdiff_t>(axes.outer));
  std::int64_t back = 0;
  for (std::size_t digit = axes.outer; digit-- > 0;) {
    made.delta[digit] -= back;
    back += made.stride[digit] * (axes.sizes[digit] - 1);
  }
  return made;
}

// The axes of a clique: of its separator (in the order of the parent's axes), those that fit into a block last, and its
// residual before them. So a message is written where it has just been written, in the order in which it is read.
void arrange(Clique& clique, const Clique* parent, const std::vector<std::int32_t>& sizes) {
  const auto within = [](const Scope& scope, std::int32_t v) {
    return std::find(scope.begin(), scope.end(), v) != scope.end();
  };
  Scope residual;
  clique.separator.clear();
  if (parent) {
    for (const auto v : parent->scope) {
      if (within(clique.scope, v)) clique.separator.push_back(v);
    }
  }
  for (const auto v : clique.scope) {
    if (!within(clique.separator, v)) residual.push_back(v);
  }
  std::size_t inner = clique.separator.size(), cells = 1;
  while (inner > 0 && cells * sizes[clique.separator[inner - 1]] <= block_cells) {
    cells *= sizes[clique.separator[--inner]];
  }
  const auto split = clique.separator.begin() + static_cast<std::ptrdiff_t>(inner);
  clique.scope.assign(clique.separator.begin(), split);
  clique.scope.insert(clique.scope.end(), residual.begin(), residual.end());
  clique.scope.insert(clique.scope.end(), split, clique.separator.end());
}

Axes shape(const Clique& clique, const std::vector<std::int32_t>& sizes, CliqueProgram& program) {
  Axes axes;
  for (const auto v : clique.scope) {
    if (sizes[v] > 1) {
      axes.variables.push_back(v);
      axes.sizes.push_back(static_cast<std::uint32_t>(sizes[v]));
    }
  }
  axes.outer = axes.sizes.size();
  while (axes.outer > 0 && (program.block == 1 || program.block * axes.sizes[axes.outer - 1] <= block_cells)) {
    program.block *= axes.sizes[--axes.outer];
  }
  program.digits.assign(axes.sizes.begin(), axes.sizes.begin() + static_cast<std::ptrdiff_t>(axes.outer));
  for (const auto size : program.digits) program.outer *= size;
  for (std::size_t i = 0; i < axes.outer; ++i) {
    if (std::find(clique.separator.begin(), clique.separator.end(), axes.variables[i]) == clique.separator.end()) break;
    program.separator_blocks *= axes.sizes[i];
  }
  return axes;
}

Scope ordered_as(const Scope& scope, const Scope& order) {
  Scope found;
  for (const auto v : order) {
    if (std::find(scope.begin(), scope.end(), v) != scope.end()) found.push_back(v);
  }
  return found;
}

std::size_t cells_of(const Scope& scope, const std::vector<std::int32_t>& sizes) {
  std::size_t cells = 1;
  for (const auto v : scope) cells *= static_cast<std::size_t>(sizes[v]);
  return cells;
}

}  // namespace

bool Program::maximised(std::int32_t c) const {
  if (maximise.empty()) return false;
  const auto& clique = tree.cliques[c];
  return std::any_of(clique.scope.begin(), clique.scope.end(), [&](auto v) {
    return maximise[v] && std::find(clique.separator.begin(), clique.separator.end(), v) == clique.separator.end();
  });
}

void Program::complete(const std::vector<Scope>& scopes) {
  auto& held = tree.cliques;
  const std::size_t m = held.size();
  for (const auto c : tree.topological) {
    arrange(held[c], held[c].parent < 0 ? nullptr : &held[held[c].parent], sizes);
  }
  message.assign(m + 1, 0);
  for (std::size_t c = 0; c < m; ++c) message[c + 1] = message[c] + cells_of(held[c].separator, sizes);
  tree.separator_entries = static_cast<double>(message[m]);
  cliques.resize(m);
  const auto wanted_in = place_answers(scopes);
  std::vector<Scope> soft_in(m);
  for (const auto v : soft) soft_in[tree.clique_of_variable[v]].push_back(v);
  for (std::size_t c = 0; c < m; ++c) {
    auto& made = cliques[c];
    const auto& clique = held[c];
    const auto axes = shape(clique, sizes, made);
    made.axes = axes.variables;
    const auto view = [&](Kind kind, std::int32_t id, const Scope& scope, const std::vector<std::int64_t>& stride,
                          bool output) {
      return operand(kind, id, made, axes, strides_in(axes, scope, stride), output);
    };
    for (const auto f : clique.factors) {
      if (static_cast<std::size_t>(f) >= tables.size()) continue;  // a wanted scope has no numbers
      made.inputs.push_back(view(Kind::factor, f, tables[f].scope, tables[f].stride, false));
    }
    for (const auto v : soft_in[c]) made.inputs.push_back(view(Kind::likelihood, v, {v}, {1}, false));
    for (const auto child : clique.children) {
      const auto& scope = held[child].separator;
      made.inputs.push_back(view(Kind::up, child, scope, compact(scope, sizes), false));
      if (needed[child] || !cliques[child].answers_above.empty()) {
        made.outputs.push_back(view(Kind::down, child, scope, compact(scope, sizes), true));
      }
    }
    const auto stride = compact(clique.separator, sizes);
    made.up = view(Kind::up, static_cast<std::int32_t>(c), clique.separator, stride, true);
    made.down = view(Kind::down, static_cast<std::int32_t>(c), clique.separator, stride, false);
    for (const auto w : wanted_in[c]) {
      made.outputs.push_back(view(Kind::together, w, answer_axes[w], compact(answer_axes[w], sizes), true));
    }
    // A root without outputs still says how probable the evidence is.
    if (clique.parent < 0 && made.outputs.empty()) {
      made.outputs.push_back(view(Kind::together, static_cast<std::int32_t>(answers.size()), {}, {}, true));
      answers.push_back({true, static_cast<std::int32_t>(c), answer_cells++, 1, 1});
      answer_axes.emplace_back();
    }
  }
}

// Each wanted answer is read off the smallest table it is in: a separator, or its clique. Says what each clique is asked.
std::vector<Scope> Program::place_answers(const std::vector<Scope>& scopes) {
  const auto& held = tree.cliques;
  needed.assign(held.size(), 0);
  std::vector<Scope> wanted_in(held.size()), separators_of(sizes.size());
  for (std::size_t c = 0; c < held.size(); ++c) {
    for (const auto v : held[c].separator) separators_of[v].push_back(static_cast<std::int32_t>(c));
  }
  for (std::size_t w = tables.size(); w < scopes.size(); ++w) {
    const auto id = static_cast<std::int32_t>(w - tables.size());
    const auto& scope = scopes[w];
    Answer answer;
    answer.home = tree.clique_of_factor[w];
    if (scope.size() == 1 && id != first) {
      answer.home = tree.clique_of_variable[scope[0]];
      double best = held[answer.home].entries / 2;
      for (const auto c : separators_of[scope[0]]) {
        if (static_cast<double>(message[c + 1] - message[c]) < best) {
          best = static_cast<double>(message[c + 1] - message[c]);
          answer.home = c;
          answer.in_clique = false;
        }
      }
    }
    answer.size = cells_of(scope, sizes);
    answer.offset = answer_cells;
    answer_cells += answer.size;
    const auto& clique = held[answer.home];
    answer_axes.push_back(ordered_as(scope, answer.in_clique ? clique.scope : clique.separator));
    if (answer.in_clique) {
      wanted_in[answer.home].push_back(id);
    } else {
      cliques[answer.home].answers_above.push_back(id);
      for (std::size_t i = clique.separator.size(); clique.separator[--i] != scope[0];) {
        answer.run *= static_cast<std::size_t>(sizes[clique.separator[i]]);
      }
    }
    for (auto c = answer.in_clique ? answer.home : clique.parent; c >= 0 && !needed[c]; c = held[c].parent) needed[c] = 1;
    answers.push_back(answer);
  }
  return wanted_in;
}

}  // namespace credo::networks
