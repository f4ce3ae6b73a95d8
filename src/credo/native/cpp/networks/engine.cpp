#include "engine.hpp"

#include "../parallel.hpp"

#include <algorithm>
#include <new>

namespace credo::networks {
namespace {

constexpr std::size_t queries_before_lists = 32;
constexpr double most_entries = 0x1p62;  // beyond these, places in a clique could not be counted

}  // namespace

Engine::Engine(const Model& model, const Question& question) : observed_(question.observed.size()), all_(model.sizes.size()) {
  const std::size_t n = model.sizes.size();
  Scope place(n, -1), mine(n, -1);  // by variable of the model: its place among the observed, and in the program
  for (std::size_t i = 0; i < question.observed.size(); ++i) place[question.observed[i]] = static_cast<std::int32_t>(i);
  const auto take = [&](std::int32_t v) {
    if (mine[v] < 0) {
      mine[v] = static_cast<std::int32_t>(local_.size());
      local_.push_back(v);
      program_.sizes.push_back(model.sizes[v]);
    }
    return mine[v];
  };
  std::size_t laws = 0;
  for (const auto f : question.factors) {
    const auto& factor = model.factors[f];
    Table table{factor.values, {}, {}, {}, {}, {}, factor.law && place[factor.scope.back()] < 0};
    laws += table.law;
    std::int64_t step = 1;
    for (std::size_t i = factor.scope.size(); i-- > 0;) {
      const auto v = factor.scope[i];
      if (place[v] >= 0) {
        table.sliced.push_back(place[v]);
        table.slice_stride.push_back(step);
        table.slice_size.push_back(model.sizes[v]);
      } else {
        table.scope.push_back(take(v));
        table.stride.push_back(step);
      }
      step *= model.sizes[v];
    }
    if (table.scope.empty()) program_.constants.push_back(static_cast<std::int32_t>(program_.tables.size()));
    scopes_.push_back(table.scope);
    program_.tables.push_back(std::move(table));
  }
  for (const auto& set : question.wanted) {
    Scope scope;
    for (const auto v : set) scope.push_back(take(v));
    scopes_.push_back(std::move(scope));
  }
  for (const auto v : question.soft) program_.soft.push_back(take(v));
  // Messages may be taken for ones only where every variable has its law.
  if (laws != local_.size()) {
    for (auto& table : program_.tables) table.law = false;
  }
  std::vector<std::int32_t> stage(local_.size(), 0);
  if (!question.maximise.empty()) {
    for (const auto v : local_) program_.maximise.push_back(question.maximise[v]);
    std::copy(program_.maximise.begin(), program_.maximise.end(), stage.begin());
  }
  const bool mixed = std::adjacent_find(stage.begin(), stage.end(), std::not_equal_to<>()) != stage.end();
  order_ = best_order(program_.sizes, scopes_, stage, question.effort);
  if (question.root_first) program_.first = 0;
  program_.tree = make_tree(program_.sizes, scopes_, order_,
                            question.root_first ? static_cast<std::int32_t>(program_.tables.size()) : -1, mixed);
}

double Engine::message_cells() const {
  double cells = 0;
  for (const auto& clique : program_.tree.cliques) {
    if (clique.parent < 0) continue;
    const auto& above = program_.tree.cliques[clique.parent].scope;
    double shared = 1;
    for (const auto v : clique.scope) {
      if (std::find(above.begin(), above.end(), v) != above.end()) shared *= program_.sizes[v];
    }
    cells += shared;
  }
  return cells;
}

Scope Engine::named(const Scope& local) const {
  Scope found;
  for (const auto v : local) found.push_back(local_[v]);
  return found;
}

void Engine::prepare() {
  const std::lock_guard<std::mutex> held(guard_);
  if (prepared_) return;
  if (!(program_.tree.entries < most_entries)) throw std::bad_alloc();
  program_.complete(scopes_);
  prepared_ = true;
}

std::vector<Scope> Engine::answer_axes() {
  prepare();
  std::vector<Scope> found;
  for (std::size_t w = program_.tables.size(); w < scopes_.size(); ++w) {
    found.push_back(named(program_.answer_axes[w - program_.tables.size()]));
  }
  return found;
}

std::size_t Engine::answer_cells() {
  prepare();
  return program_.answer_cells;
}

// The numbers of single queries. To list cells takes as long as some queries, so it waits for those.
Run& Engine::run_one() {
  watch_.done = 0;
  watch_.cancel = false;
  list_after(queries_++);
  if (!run_) run_ = std::make_unique<Run>(program_, watch_, true);
  return *run_;
}

void Engine::list_after(std::size_t queries) {
  if (listed_ || queries < queries_before_lists) return;
  program_.list_cells([this] { watch_.check(); });
  listed_ = true;
}

Outcome Engine::answer(const Query& query, double* answers) {
  prepare();
  const std::lock_guard<std::mutex> held(guard_);
  return run_one().answer(query, answers);
}

Outcome Engine::explain(const Query& query, std::int32_t* codes) {
  prepare();
  const std::lock_guard<std::mutex> held(guard_);
  std::vector<std::int32_t> found(local_.size(), 0);
  const auto outcome = run_one().explain(query, found.data());
  for (std::size_t v = 0; v < local_.size(); ++v) {
    if (program_.maximise[v]) codes[local_[v]] = found[v];
  }
  return outcome;
}

Outcome Engine::draw(const Query& query, std::size_t rows, const double* uniform, std::int32_t* codes) {
  prepare();
  const std::lock_guard<std::mutex> held(guard_);
  const std::size_t wide = local_.size(), all = all_;
  std::vector<std::int32_t> found(rows * wide, 0);
  const auto outcome = run_one().draw(query, rows, uniform, found.data());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t v = 0; v < wide; ++v) codes[row * all + static_cast<std::size_t>(local_[v])] = found[row * wide + v];
  }
  return outcome;
}

void Engine::answer_rows(std::size_t rows, const std::int32_t* codes, const std::vector<const double*>& likelihood,
                         double* answers, double* log_evidence, std::uint8_t* sure) {
  prepare();
  const std::lock_guard<std::mutex> held(guard_);
  watch_.done = 0;
  watch_.cancel = false;
  list_after(rows);
  const double work = static_cast<double>(rows) * (program_.tree.entries + 1000.0);
  const auto parts = parts_for(static_cast<std::size_t>(std::min(work, 1e15)), 1 << 18);
  parallel_for(rows, std::min(parts, std::max<std::size_t>(rows, 1)), [&](std::size_t, std::size_t begin,
                                                                          std::size_t end) {
    Run run(program_, watch_, false);
    Query query;
    query.likelihood.resize(likelihood.size());
    for (std::size_t row = begin; row < end; ++row) {
      query.codes = codes + row * observed_;
      for (std::size_t i = 0; i < likelihood.size(); ++i) {
        query.likelihood[i] =
            likelihood[i] ? likelihood[i] + row * static_cast<std::size_t>(program_.sizes[program_.soft[i]]) : nullptr;
      }
      const auto outcome = run.answer(query, answers + row * program_.answer_cells);
      log_evidence[row] = outcome.log_evidence;
      sure[row] = outcome.sure;
    }
  });
}

}  // namespace credo::networks
