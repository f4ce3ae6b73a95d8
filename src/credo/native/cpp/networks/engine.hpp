// A model, and the engines that answer questions of one kind about it.
#pragma once

#include "run.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace credo::networks {

struct Factor {
  Scope scope;
  const double* values;
  bool law;  // it sums to one over the last variable of its scope
};

struct Model {
  std::vector<std::int32_t> sizes;
  std::vector<Factor> factors;
};

struct Question {
  Scope factors;                // those of the model that matter
  Scope observed;               // variables whose state each query says
  Scope soft;                   // variables that a query may give a likelihood
  std::vector<Scope> wanted;    // sets of variables whose joint belief is wanted
  std::vector<char> maximise;   // by variable of the model, if a most probable explanation is wanted instead
  bool root_first = false;      // whether the first wanted set is read off the root
  double effort = 1;            // how hard to look for a good order of elimination
};

// The plan is made at once; the program, which takes memory, when the first query comes.
class Engine {
 public:
  Engine(const Model& model, const Question& question);

  double message_cells() const;
  const Tree& tree() const { return program_.tree; }
  const Order& order() const { return order_; }
  Scope named(const Scope& local) const;           // as variables of the model
  std::vector<Scope> answer_axes();                // by wanted set: its variables in the order in which it is answered
  std::size_t answer_cells();

  Outcome answer(const Query& query, double* answers);
  Outcome explain(const Query& query, std::int32_t* codes);  // codes by variable of the model
  // Rows drawn from the joint given the evidence; a number between 0 and 1 for each row and clique, codes by variable of
  // the model.
  Outcome draw(const Query& query, std::size_t rows, const double* uniform, std::int32_t* codes);
  // Many queries at once: codes by row; likelihoods by soft variable, null or with a row for each.
  void answer_rows(std::size_t rows, const std::int32_t* codes, const std::vector<const double*>& likelihood,
                   double* answers, double* log_evidence, std::uint8_t* sure);

  double progress() const { return watch_.done; }  // of the run that is under way, or of the last: entries of cliques
  void cancel() { watch_.cancel = true; }          // it throws Cancelled

 private:
  void prepare();
  Run& run_one();
  void list_after(std::size_t queries);

  Program program_;
  Order order_;
  Scope local_;                // by variable of the program: which of the model it is
  std::vector<Scope> scopes_;
  std::size_t observed_ = 0, all_ = 0;
  std::mutex guard_;
  bool prepared_ = false;
  std::unique_ptr<Run> run_;
  Watch watch_;
  std::size_t queries_ = 0;
  bool listed_ = false;
};

}  // namespace credo::networks
