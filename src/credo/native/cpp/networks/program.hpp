// What is done in each clique, worked out once: which tables are read at which places, and which are written.
//
// A clique's table is never stored. Its cells are made a block at a time (the trailing axes, at most `block` cells) as
// the product of the tables that meet there, and added up into the tables that leave. A block whose product is zero
// before its cells are looked at is passed over.
#pragma once

#include "tree.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace credo::networks {

constexpr std::size_t block_cells = 512;

// How the cells of a block lie in another table: cell i at ((i / run) % width) * step, or at `at[i]`.
struct Pattern {
  std::uint32_t before = 1, width = 1, run = 1, step = 1;
  std::vector<std::int32_t> at;  // for an input, by cell; for an output, the cells that add up to each of its places

  bool scalar() const { return width == 1 && at.empty(); }
};

enum class Kind : std::uint8_t { factor, likelihood, up, down, together };

struct Operand {
  Kind kind;
  std::int32_t id;                    // factor, variable, clique whose message it is, or scope of a joint answer
  std::vector<std::int64_t> stride;   // by axis of the clique, the outer ones first
  std::vector<std::int64_t> delta;    // what is added when this outer digit goes up and all after it go back to 0
  Pattern inner;
  std::vector<std::int32_t> cells;    // where each listed cell of the clique lies, if only those that can be are listed
};

struct CliqueProgram {
  Scope axes;                         // those of more than one state
  std::vector<std::uint32_t> digits;  // sizes of the outer axes
  std::size_t outer = 1, block = 1;   // how many blocks, and of how many cells
  std::size_t separator_blocks = 1;   // how many blocks of the outermost axes belong to different cells of its message
  std::vector<Operand> inputs;        // factors, likelihoods, and the messages of the children
  Operand up, down;                   // its own message, written on the way up and read on the way down
  std::vector<Operand> outputs;       // beliefs over the children's separators, then what is wanted of this clique
  std::vector<std::int32_t> answers_above;  // those read off the separator above it
  bool listed = false;                // whether the cells that are not zero whatever was found are listed
  std::size_t count = 0;              // and how many they are
};

struct Answer {  // where a wanted table is found
  bool in_clique = true;             // as an output of clique `home`; else summed out of the separator above it
  std::int32_t home = -1;
  std::size_t offset = 0, size = 1;  // in the answers
  std::size_t run = 1;               // in a separator: how many cells follow each other in one state of the variable
};

// A factor, and where its table begins when the sliced variables are in some state.
struct Table {
  const double* values;
  Scope scope;                              // all of its variables, those that are sliced too
  std::vector<std::int64_t> stride;         // by variable of the scope
  std::vector<std::int64_t> slice_stride;   // by sliced variable
  std::vector<std::int32_t> slice_size;
  std::vector<std::int32_t> sliced;         // which these are, as places in the codes of a query
  bool law = false;                         // it sums to one over its last variable, which is not sliced
};

struct Program {
  std::vector<std::int32_t> sizes;   // by variable
  std::vector<Table> tables;
  std::vector<std::int32_t> soft;    // variables that may be given a likelihood
  std::vector<char> maximise;        // by variable, if a most probable explanation is wanted: not summed out
  std::vector<std::int32_t> constants;  // tables of which nothing is left but a number
  std::int32_t first = -1;           // the wanted scope that is read off the root, if any
  Tree tree;
  std::vector<CliqueProgram> cliques;
  std::vector<std::size_t> message;  // where the message of each clique begins, and at the end their sum
  std::vector<Answer> answers;       // by wanted scope
  std::vector<Scope> answer_axes;    // by wanted scope: its variables in the order in which they are answered
  std::vector<char> needed;          // cliques that a wanted answer lies in or under
  std::size_t answer_cells = 0;

  // Whether the residual of a clique is maximised; if anything is, no clique has variables of both kinds in it.
  bool maximised(std::int32_t c) const;
  // Works out the rest; `scopes` are those that are left of the tables without sliced variables, then those wanted.
  void complete(const std::vector<Scope>& scopes);
  // Lists the cells of cliques that are mostly zero, whatever the states of the sliced variables; `check` may throw.
  void list_cells(const std::function<void()>& check);

 private:
  std::vector<Scope> place_answers(const std::vector<Scope>& scopes);
};

}  // namespace credo::networks
