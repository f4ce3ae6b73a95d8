// Sending messages through a junction tree.
#pragma once

#include "program.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace credo::networks {

struct Walker {  // a table that is read, from the point of view of a walk over blocks
  const Operand* operand;
  const double* at;
};

struct Writer {  // and one that is written
  const Operand* operand;
  double* at;
};

struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

struct Watch {  // what another thread sees of a run, and how it stops it
  std::atomic<double> done{0};  // entries of cliques
  std::atomic<bool> cancel{false};

  void check() const {
    if (cancel.load(std::memory_order_relaxed)) throw Cancelled();
  }
};

struct Query {
  const std::int32_t* codes = nullptr;    // of the sliced variables
  std::vector<const double*> likelihood;  // by soft variable, in the order of the model; null where nothing is said
};

struct Outcome {
  double log_evidence = 0;
  bool sure = true;  // false where numbers below the smallest float64 may have mattered
};

// The numbers of one query after another.
class Run {
 public:
  Run(const Program& program, Watch& watch, bool parallel);

  // The wanted answers, each summing to one; NaN if the evidence is impossible, whose log is then -inf.
  Outcome answer(const Query& query, double* answers);

  // A most probable state of each variable that is not summed out, the others' codes are left alone.
  Outcome explain(const Query& query, std::int32_t* codes);

  // Draws rows from the joint given the evidence: `uniform` has a number for each row and clique, `codes` a state for
  // each row and variable of the program.
  Outcome draw(const Query& query, std::size_t rows, const double* uniform, std::int32_t* codes);

 private:
  struct Residual;

  void load(const Query& query);
  void mark_flat();
  bool collect();
  bool send_up(std::int32_t c);
  bool distribute();
  double finish_clique(std::int32_t c, bool root);
  void pass_down(const Operand& operand, double* belief, double scale);
  double total_of(std::int32_t c);
  Residual residual_of(std::int32_t c);
  template <class Reduce>
  void work(std::int32_t c, bool with_down, const std::vector<Writer>& outputs, bool upward);
  std::size_t gather(const CliqueProgram& clique, bool with_down, std::vector<Walker>& inputs) const;
  const double* source(const Operand& operand) const;
  std::size_t message_size(std::int32_t c) const { return program_.message[c + 1] - program_.message[c]; }
  std::size_t output_size(const Operand& operand) const;
  void note_loss(std::int32_t c, double greatest);

  const Program& program_;
  Watch& watch_;
  bool parallel_;
  std::vector<double> up_, down_, answers_, likelihoods_;
  std::vector<const double*> factor_;
  std::vector<const double*> likelihood_;  // by variable; null where nothing was said
  std::vector<char> flat_;                 // by clique: its message upwards is all ones, as nothing was found below
  std::vector<std::int32_t> balance_;
  std::vector<char> changed_;              // by clique: its message upwards is not that of the query before
  std::vector<double> log_up_;             // by clique: the log of what its message and all below it were divided by
  std::vector<double> log_loss_;           // by clique: the log of a bound on what underflow took from its message
  std::vector<Walker> inputs_;
  std::vector<Writer> outputs_;
  double log_scale_ = 0, log_root_loss_ = 0;
  bool certain_ = true;  // if the query is impossible: that it is so, and not too improbable
  bool underflow_ = false;
};

}  // namespace credo::networks
