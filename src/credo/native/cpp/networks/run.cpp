#include "run.hpp"

#include "../parallel.hpp"
#include "block.hpp"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <limits>

namespace credo::networks {
namespace {

constexpr std::size_t part_cells = 1 << 18;  // a clique larger than this is divided among threads
constexpr std::size_t most_parts = 4;
constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr double tiny = std::numeric_limits<double>::min();  // the smallest normal number
constexpr double log_tiny = -708.0;
constexpr double log_noise = -34.0;   // what is this much smaller than the answer does not show

double log_add(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return low == nothing ? high : high + std::log1p(std::exp(low - high));
}

template <class Pointer>
void start(Pointer& at, const Operand& operand, const std::vector<std::uint32_t>& digits, std::size_t block) {
  for (std::size_t d = digits.size(); d-- > 0;) {
    at += operand.stride[d] * static_cast<std::int64_t>(block % digits[d]);
    block /= digits[d];
  }
}

// Walks over the blocks from `begin` to `end`: the product of the inputs, added up (or its greatest) into the outputs.
// The first `scalars` inputs do not vary within a block.
template <class Reduce>
void walk(const CliqueProgram& clique, std::vector<Walker>& inputs, std::size_t scalars, std::vector<Writer>& outputs,
          std::size_t begin, std::size_t end, const Watch& watch) {
  alignas(64) double cells[block_cells];
  std::vector<double> wide;
  double* acc = cells;
  if (clique.block > block_cells) {
    wide.resize(clique.block);
    acc = wide.data();
  }
  const auto& digits = clique.digits;
  for (auto& input : inputs) start(input.at, *input.operand, digits, begin);
  for (auto& output : outputs) start(output.at, *output.operand, digits, begin);
  std::uint32_t digit[64];
  for (std::size_t d = digits.size(), rest = begin; d-- > 0; rest /= digits[d]) {
    digit[d] = static_cast<std::uint32_t>(rest % digits[d]);
  }
  for (std::size_t block = begin; block < end; ++block) {
    watch.check();
    double scale = 1;
    for (std::size_t i = 0; i < scalars; ++i) scale *= *inputs[i].at;
    if (scale != 0) {
      if (scalars == inputs.size()) {
        std::fill_n(acc, clique.block, scale);
      } else {
        assign(acc, clique.block, inputs[scalars].at, inputs[scalars].operand->inner, scale);
        for (std::size_t i = scalars + 1; i < inputs.size(); ++i) {
          multiply(acc, clique.block, inputs[i].at, inputs[i].operand->inner);
        }
      }
      for (const auto& output : outputs) Reduce::into(output.at, acc, clique.block, output.operand->inner);
    }
    if (block + 1 == end) break;
    std::size_t d = digits.size() - 1;
    while (++digit[d] == digits[d]) digit[d--] = 0;
    for (auto& input : inputs) input.at += input.operand->delta[d];
    for (auto& output : outputs) output.at += output.operand->delta[d];
  }
}

// The same over a clique's listed cells.
template <class Reduce>
void walk_list(const std::vector<Walker>& inputs, const std::vector<Writer>& outputs, std::size_t begin,
               std::size_t end, const Watch& watch) {
  double acc[block_cells];
  for (; begin < end; begin += block_cells) {
    watch.check();
    const std::size_t n = std::min(block_cells, end - begin);
    std::fill_n(acc, n, 1.0);
    for (const auto& input : inputs) cells::multiply_at(acc, n, input.at, input.operand->cells.data() + begin);
    for (const auto& output : outputs) {
      const std::int32_t* at = output.operand->cells.data() + begin;
      for (std::size_t i = 0; i < n; ++i) output.at[at[i]] = Reduce::two(output.at[at[i]], acc[i]);
    }
  }
}

}  // namespace

Run::Run(const Program& program, Watch& watch, bool parallel)
    : program_(program), watch_(watch), parallel_(parallel) {
  const std::size_t m = program.cliques.size();
  std::size_t cells = 0;
  for (const auto v : program.soft) cells += static_cast<std::size_t>(program.sizes[v]);
  likelihoods_.resize(cells);
  likelihood_.assign(program.sizes.size(), nullptr);
  factor_.assign(program.tables.size(), nullptr);
  flat_.assign(m, 0);
  balance_.assign(m, 0);
  changed_.assign(m, 1);
  log_up_.assign(m, 0.0);
  log_loss_.assign(m, nothing);
  up_.resize(program.message.back());
  down_.resize(!program.maximise.empty() ? 0 : program.message.back());
  answers_.resize(program.answer_cells);
}

const double* Run::source(const Operand& operand) const {
  switch (operand.kind) {
    case Kind::factor: return factor_[operand.id];
    case Kind::likelihood: return likelihood_[operand.id];
    case Kind::up: return flat_[operand.id] ? nullptr : up_.data() + program_.message[operand.id];
    default: return down_.data() + program_.message[operand.id];
  }
}

std::size_t Run::output_size(const Operand& operand) const {
  return operand.kind == Kind::together ? program_.answers[operand.id].size : message_size(operand.id);
}

// What is multiplied in a clique; what varies only from block to block comes first.
std::size_t Run::gather(const CliqueProgram& clique, bool with_down, std::vector<Walker>& inputs) const {
  inputs.clear();
  const auto take = [&](bool scalar) {
    const auto consider = [&](const Operand& operand) {
      if (operand.inner.scalar() != scalar) return;
      if (const auto* at = source(operand)) inputs.push_back({&operand, at});
    };
    if (with_down) consider(clique.down);
    for (const auto& operand : clique.inputs) consider(operand);
  };
  take(true);
  const std::size_t scalars = inputs.size();
  take(false);
  return scalars;
}

template <class Reduce>
void Run::work(std::int32_t c, bool with_down, const std::vector<Writer>& outputs, bool upward) {
  const auto& clique = program_.cliques[c];
  const std::size_t scalars = gather(clique, with_down, inputs_);
  const auto some = [&](std::vector<Walker>& in, std::vector<Writer>& out, std::size_t begin, std::size_t end) {
    if (clique.listed) return walk_list<Reduce>(in, out, begin, end, watch_);
    walk<Reduce>(clique, in, scalars, out, begin, end, watch_);
  };
  const std::size_t items = clique.listed ? clique.count : clique.outer;
  const std::size_t cells = clique.listed ? clique.count : clique.outer * clique.block;
  const std::size_t parts = std::min(std::clamp<std::size_t>(cells / part_cells, 1, most_parts), items);
  if (parts <= 1 || !parallel_) {
    auto out = outputs;
    some(inputs_, out, 0, items);
    return;
  }
  // Parts that write to different cells of the message need no tables of their own.
  const bool apart = upward && !clique.listed && clique.separator_blocks >= parts;
  const std::size_t unit = apart ? items / clique.separator_blocks : 1;
  std::size_t total = 0;
  for (const auto& output : outputs) total += output_size(*output.operand);
  std::vector<double> copies(apart ? 0 : total * (parts - 1));
  std::atomic<bool> underflow{false};
  parallel_for(items / unit, parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
    auto in = inputs_;
    auto out = outputs;
    if (!apart && part > 0) {
      double* at = copies.data() + total * (part - 1);
      for (auto& output : out) {
        output.at = at;
        at += output_size(*output.operand);
      }
    }
    std::feclearexcept(FE_UNDERFLOW);
    some(in, out, begin * unit, end * unit);
    if (std::fetestexcept(FE_UNDERFLOW)) underflow = true;
  });
  underflow_ |= underflow;
  const double* at = copies.data();
  for (std::size_t part = 1; part < parts && !apart; ++part) {
    for (const auto& output : outputs) {
      const std::size_t size = output_size(*output.operand);
      for (std::size_t j = 0; j < size; ++j) output.at[j] = Reduce::two(output.at[j], at[j]);
      at += size;
    }
  }
}

// Takes in a query, and marks the cliques whose messages upwards it changes.
void Run::load(const Query& query) {
  for (std::size_t f = 0; f < program_.tables.size(); ++f) {
    const auto& table = program_.tables[f];
    const double* at = table.values;
    for (std::size_t i = 0; i < table.sliced.size(); ++i) at += table.slice_stride[i] * query.codes[table.sliced[i]];
    if (at != factor_[f] && !table.scope.empty()) changed_[program_.tree.clique_of_factor[f]] = 1;
    factor_[f] = at;
  }
  double* at = likelihoods_.data();
  for (std::size_t i = 0; i < program_.soft.size(); ++i) {
    const auto v = program_.soft[i];
    const auto size = static_cast<std::size_t>(program_.sizes[v]);
    const double* said = query.likelihood[i];
    if (!said != !likelihood_[v] || (said && !std::equal(said, said + size, at))) {
      changed_[program_.tree.clique_of_variable[v]] = 1;
    }
    if (said) std::copy_n(said, size, at);
    likelihood_[v] = said ? at : nullptr;
    at += size;
  }
  log_scale_ = 0;
  log_root_loss_ = nothing;
  certain_ = true;
  underflow_ = false;
  std::feclearexcept(FE_UNDERFLOW);
  for (const auto f : program_.constants) log_scale_ += std::log(*factor_[f]);
}

// A message is all ones when it sums the laws of exactly the variables that it sums out: each sums to one in its turn.
void Run::mark_flat() {
  const auto& tree = program_.tree;
  constexpr auto spoilt = std::numeric_limits<std::int32_t>::min();
  for (std::size_t i = tree.topological.size(); i-- > 0;) {
    const auto c = tree.topological[i];
    const auto& clique = tree.cliques[c];
    // Each law has a child of its own, so it is enough to count: laws below here less variables that lie only there.
    auto balance = -static_cast<std::int32_t>(clique.scope.size() - clique.separator.size());
    bool plain = true;
    for (const auto& operand : program_.cliques[c].inputs) {
      if (operand.kind == Kind::likelihood) plain &= likelihood_[operand.id] == nullptr;
      if (operand.kind != Kind::factor) continue;
      plain &= program_.tables[operand.id].law;
      ++balance;
    }
    for (const auto child : clique.children) {
      plain &= balance_[child] != spoilt;
      balance += plain ? balance_[child] : 0;
    }
    balance_[c] = plain ? balance : spoilt;
    const char flat = plain && balance == 0 && clique.parent >= 0;
    if (flat != flat_[c]) changed_[c] = 1;
    flat_[c] = flat;
  }
}

// A bound on what a message lost: each of its cells sums products of numbers up to one, less what they lost.
void Run::note_loss(std::int32_t c, double greatest) {
  const auto& clique = program_.tree.cliques[c];
  double loss = nothing;
  if (underflow_ || std::fetestexcept(FE_UNDERFLOW)) {
    loss = log_tiny;
    underflow_ = false;
    std::feclearexcept(FE_UNDERFLOW);
  }
  for (const auto child : clique.children) {
    if (!flat_[child]) loss = log_add(loss, log_loss_[child]);
  }
  if (loss != nothing) {
    const double summed = clique.parent < 0 ? clique.entries : clique.entries / static_cast<double>(message_size(c));
    loss += std::log(summed) - std::log(greatest);
  }
  log_loss_[c] = loss;
  if (clique.parent < 0) log_root_loss_ = std::max(log_root_loss_, loss);
}

// Sends the messages upwards; those that nothing changed below are still there from the query before.
bool Run::collect() {
  const auto& tree = program_.tree;
  bool possible = true;
  for (std::size_t i = tree.topological.size(); i-- > 0;) {
    const auto c = tree.topological[i];
    const auto parent = tree.cliques[c].parent;
    if (parent < 0) continue;
    if (changed_[c]) {
      changed_[parent] = 1;
      if (!flat_[c] && possible) {
        possible = send_up(c);
      } else {
        log_up_[c] = 0;
      }
      changed_[c] = !possible;  // what is not sent now must be sent next time
    }
    if (tree.cliques[parent].parent < 0) log_scale_ += log_up_[c];
  }
  return possible;
}

bool Run::send_up(std::int32_t c) {
  watch_.check();
  double* message = up_.data() + program_.message[c];
  const std::size_t size = message_size(c);
  std::fill_n(message, size, 0.0);
  outputs_.assign(1, {&program_.cliques[c].up, message});
  if (program_.maximised(c)) {
    work<Max>(c, false, outputs_, true);
  } else {
    work<Sum>(c, false, outputs_, true);
  }
  const double greatest = cells::greatest_run(message, size);
  note_loss(c, greatest);
  if (!(greatest >= tiny)) {  // (dividing by what is smaller would overflow)
    certain_ = greatest == 0 && log_loss_[c] == nothing;
    return false;
  }
  cells::scale_run(message, size, 1 / greatest);
  log_up_[c] = std::log(greatest);
  for (const auto child : program_.tree.cliques[c].children) log_up_[c] += log_up_[child];
  watch_.done += program_.tree.cliques[c].entries;
  return true;
}

// Makes a clique's outputs; the sum of its cells is returned.
double Run::finish_clique(std::int32_t c, bool root) {
  const auto& clique = program_.cliques[c];
  outputs_.clear();
  for (const auto& operand : clique.outputs) {
    double* at = operand.kind == Kind::together ? answers_.data() + program_.answers[operand.id].offset
                                                : down_.data() + program_.message[operand.id];
    std::fill_n(at, output_size(operand), 0.0);
    outputs_.push_back({&operand, at});
  }
  work<Sum>(c, !root, outputs_, false);
  double sum = 0;
  const std::size_t size = output_size(*outputs_[0].operand);
  for (std::size_t j = 0; j < size; ++j) sum += outputs_[0].at[j];
  return sum;
}

// From the belief over a child's separator: what is wanted of it, and the message down to the child.
void Run::pass_down(const Operand& operand, double* belief, double scale) {
  const auto child = operand.id;
  const std::size_t size = message_size(child);
  cells::scale_run(belief, size, scale);
  for (const auto w : program_.cliques[child].answers_above) {
    const auto& answer = program_.answers[w];
    double* out = answers_.data() + answer.offset;
    std::fill_n(out, answer.size, 0.0);
    marginal(belief, size, answer, out);
  }
  if (flat_[child] || !program_.needed[child]) return;
  const double* message = up_.data() + program_.message[child];
  for (std::size_t j = 0; j < size; ++j) belief[j] = message[j] > 0 ? belief[j] / message[j] : 0;
}

bool Run::distribute() {
  const auto& tree = program_.tree;
  for (const auto c : tree.topological) {
    const bool root = tree.cliques[c].parent < 0;
    if (!root && !program_.needed[c]) continue;
    watch_.check();
    const double sum = finish_clique(c, root);
    watch_.done += tree.cliques[c].entries;
    if (root) {
      note_loss(c, sum);
      if (!(sum > 0)) {
        certain_ = log_loss_[c] == nothing;
        return false;
      }
      log_scale_ += std::log(sum);
    }
    if (!(sum >= tiny) || !std::isfinite(sum)) {
      log_root_loss_ = 0;
      return true;
    }
    for (const auto& output : outputs_) {
      if (output.operand->kind == Kind::down) pass_down(*output.operand, output.at, 1 / sum);
    }
  }
  return true;
}

Outcome Run::answer(const Query& query, double* answers) {
  load(query);
  mark_flat();
  const bool possible = log_scale_ != nothing && collect() && distribute();
  for (const auto& answer : program_.answers) {
    const double* held = answers_.data() + answer.offset;
    double sum = 0;
    for (std::size_t j = 0; j < answer.size; ++j) sum += held[j];
    if (!possible) sum = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t j = 0; j < answer.size; ++j) answers[answer.offset + j] = held[j] / sum;
  }
  return possible ? Outcome{log_scale_, log_root_loss_ < log_noise} : Outcome{nothing, certain_};
}

// The sum of a root's cells (or their greatest).
double Run::total_of(std::int32_t c) {
  const auto& clique = program_.cliques[c];
  const std::size_t scalars = gather(clique, false, inputs_);
  Operand total{};
  total.stride.assign(clique.axes.size(), 0);
  total.delta = total.stride;
  total.inner.before = static_cast<std::uint32_t>(clique.block);
  double value = 0;
  outputs_.assign(1, {&total, &value});
  if (program_.maximised(c)) {
    walk<Max>(clique, inputs_, scalars, outputs_, 0, clique.outer, watch_);
  } else {
    walk<Sum>(clique, inputs_, scalars, outputs_, 0, clique.outer, watch_);
  }
  note_loss(c, value);
  certain_ = log_loss_[c] == nothing;
  log_scale_ += std::log(value);
  return value;
}

// The part of a clique that its separator leaves open.
struct Run::Residual {
  const Program& program;
  std::int32_t c;
  std::vector<Walker> inputs;
  std::vector<std::size_t> settled, open;  // axes of the separator, and the others
  std::size_t combinations = 1;

  // Calls visit(i, product) for each combination of the open axes, the last changing fastest.
  template <class Visit>
  void each(const std::int32_t* codes, std::vector<const double*>& at, std::vector<std::int32_t>& digit,
            const Visit& visit) const {
    const auto& axes = program.cliques[c].axes;
    at.clear();
    for (const auto& input : inputs) {
      const double* start = input.at;
      for (const auto axis : settled) start += input.operand->stride[axis] * codes[axes[axis]];
      at.push_back(start);
    }
    digit.assign(open.size(), 0);
    for (std::size_t i = 0; i < combinations; ++i) {
      double product = 1;
      for (const auto* cell : at) product *= *cell;
      visit(i, product);
      for (std::size_t k = open.size(); k-- > 0;) {
        const auto size = program.sizes[axes[open[k]]];
        const bool carry = ++digit[k] == size;
        const std::int32_t step = carry ? 1 - size : 1;
        if (carry) digit[k] = 0;
        for (std::size_t j = 0; j < at.size(); ++j) at[j] += inputs[j].operand->stride[open[k]] * step;
        if (!carry) break;
      }
    }
  }

  // The codes of the open axes in combination i.
  void settle(std::size_t i, std::int32_t* codes) const {
    const auto& axes = program.cliques[c].axes;
    for (std::size_t k = open.size(); k-- > 0;) {
      const auto size = static_cast<std::size_t>(program.sizes[axes[open[k]]]);
      codes[axes[open[k]]] = static_cast<std::int32_t>(i % size);
      i /= size;
    }
  }
};

Run::Residual Run::residual_of(std::int32_t c) {
  Residual made{program_, c, {}, {}, {}};
  const auto& clique = program_.cliques[c];
  const auto& separator = program_.tree.cliques[c].separator;
  gather(clique, false, made.inputs);
  for (std::size_t axis = 0; axis < clique.axes.size(); ++axis) {
    const auto v = clique.axes[axis];
    const bool shared = std::find(separator.begin(), separator.end(), v) != separator.end();
    (shared ? made.settled : made.open).push_back(axis);
    if (!shared) made.combinations *= static_cast<std::size_t>(program_.sizes[v]);
  }
  return made;
}

Outcome Run::explain(const Query& query, std::int32_t* codes) {
  load(query);
  std::fill(flat_.begin(), flat_.end(), 0);
  if (log_scale_ == nothing || !collect()) return {nothing, certain_};
  std::vector<const double*> at;
  std::vector<std::int32_t> digit;
  for (const auto c : program_.tree.topological) {
    if (program_.tree.cliques[c].parent < 0 && !(total_of(c) > 0)) return {nothing, certain_};
    if (!program_.maximised(c)) continue;
    const auto residual = residual_of(c);
    std::size_t best = 0;
    double greatest = -1;
    residual.each(codes, at, digit, [&](std::size_t i, double product) {
      if (product > greatest) {
        greatest = product;
        best = i;
      }
    });
    residual.settle(best, codes);
  }
  return {log_scale_, log_root_loss_ < log_noise};
}

Outcome Run::draw(const Query& query, std::size_t rows, const double* uniform, std::int32_t* codes) {
  load(query);
  mark_flat();
  if (log_scale_ == nothing || !collect()) return {nothing, certain_};
  const std::size_t wide = program_.sizes.size(), m = program_.cliques.size();
  for (const auto c : program_.tree.topological) {
    if (program_.tree.cliques[c].parent < 0 && !(total_of(c) > 0)) return {nothing, certain_};
    const auto residual = residual_of(c);
    const auto pick = [&](const std::vector<double>& sums, std::size_t row) {
      const double at = uniform[row * m + static_cast<std::size_t>(c)] * sums.back();
      const auto found = std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin();
      residual.settle(static_cast<std::size_t>(found), codes + row * wide);
    };
    // What no separator says anything about is the same for every row.
    const bool same = residual.settled.empty();
    std::vector<double> shared;
    const auto add_up = [&](const std::int32_t* row, std::vector<double>& sums, std::vector<const double*>& at,
                            std::vector<std::int32_t>& digit) {
      sums.clear();
      double sum = 0;
      residual.each(row, at, digit, [&](std::size_t, double product) { sums.push_back(sum += product); });
    };
    if (same) {
      std::vector<const double*> at;
      std::vector<std::int32_t> digit;
      add_up(codes, shared, at, digit);
    }
    const std::size_t work = rows * (same ? 10 : residual.combinations * residual.inputs.size());
    parallel_for(rows, std::min(rows, parts_for(work, 1 << 18)), [&](std::size_t, std::size_t begin, std::size_t end) {
      std::vector<double> sums;
      std::vector<const double*> at;
      std::vector<std::int32_t> digit;
      for (std::size_t row = begin; row < end; ++row) {
        watch_.check();
        if (!same) add_up(codes + row * wide, sums, at, digit);
        pick(same ? shared : sums, row);
      }
    });
  }
  return {log_scale_, log_root_loss_ < log_noise};
}

}  // namespace credo::networks
