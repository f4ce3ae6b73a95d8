// Where tables are mostly zero: the cells of a clique that can be anything else, found once and listed.
#include "program.hpp"

#include <algorithm>

namespace credo::networks {
namespace {

constexpr double sparse = 0.2;              // a clique is listed if at most this share of its cells can be
constexpr double least_entries = 256, most_entries = 1e9;  // of those that are looked at
constexpr std::size_t steps_between_checks = 1 << 16;
constexpr std::size_t most_places = 1 << 26;               // in all lists together

// Whether each cell of what is left of a table can be other than zero, by its offset in the table.
std::vector<char> support_of(const Table& table, const std::vector<std::int32_t>& sizes) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < table.scope.size(); ++i) last += table.stride[i] * (sizes[table.scope[i]] - 1);
  std::vector<char> possible(static_cast<std::size_t>(last) + 1, 0);
  std::vector<std::int64_t> offsets{0}, longer;
  for (std::size_t i = 0; i < table.slice_size.size(); ++i) {
    longer.clear();
    for (const auto offset : offsets) {
      for (std::int32_t code = 0; code < table.slice_size[i]; ++code) {
        longer.push_back(offset + table.slice_stride[i] * code);
      }
    }
    offsets.swap(longer);
  }
  // (cells between those of the table are marked too, but never looked at)
  for (const auto offset : offsets) {
    const double* values = table.values + offset;
    for (std::size_t cell = 0; cell < possible.size(); ++cell) possible[cell] |= values[cell] != 0;
  }
  return possible;
}

// Walks over the axes from the outermost, and turns back where the tables that are settled so far are zero.
class Listing {
 public:
  Listing(CliqueProgram& clique, const std::vector<std::int32_t>& sizes) : clique_(clique), sizes_(sizes) {
    for (auto& operand : clique.inputs) operands_.push_back(&operand);
    for (auto& operand : clique.outputs) operands_.push_back(&operand);
    operands_.push_back(&clique.down);
    operands_.push_back(&clique.up);
    settled_.resize(clique.axes.size() + 1);
  }

  // Cell i of the clique can only be other than zero where `support` is.
  void consider(std::size_t operand, const std::vector<char>& support) {
    const auto& stride = operands_[operand]->stride;
    std::size_t axes = stride.size();
    while (axes > 0 && stride[axes - 1] == 0) --axes;
    settled_[axes].push_back({operand, support.data()});
  }

  // Whether no more than `limit` cells can be; they are listed then, and their places in the message marked.
  bool list(std::size_t limit, std::vector<char>& message, const std::function<void()>& check) {
    const std::size_t depth = clique_.axes.size(), wide = operands_.size();
    std::vector<std::int32_t> digit(depth, -1);
    std::vector<std::int64_t> offset((depth + 1) * wide, 0);  // of each operand, by how many axes are settled
    std::vector<std::vector<std::int32_t>> found(wide);
    const auto open = [&](std::size_t axes) {
      return std::all_of(settled_[axes].begin(), settled_[axes].end(),
                         [&](const auto& view) { return view.support[offset[axes * wide + view.operand]] != 0; });
    };
    std::size_t count = 0, level = 0, steps = 0;
    if (!open(0)) return finish(0, found);
    while (true) {
      if (++steps % steps_between_checks == 0) check();
      if (level == depth) {
        if (++count > limit) return false;
        for (std::size_t i = 0; i < wide; ++i) found[i].push_back(static_cast<std::int32_t>(offset[depth * wide + i]));
        message[static_cast<std::size_t>(found.back().back())] = 1;
        if (level == 0) break;
        --level;
      }
      if (++digit[level] == sizes_[clique_.axes[level]]) {
        digit[level] = -1;
        if (level-- == 0) break;
        continue;
      }
      for (std::size_t i = 0; i < wide; ++i) {
        offset[(level + 1) * wide + i] = offset[level * wide + i] + operands_[i]->stride[level] * digit[level];
      }
      if (open(level + 1)) ++level;
    }
    return finish(count, found);
  }

 private:
  struct View {
    std::size_t operand;
    const char* support;
  };

  bool finish(std::size_t count, std::vector<std::vector<std::int32_t>>& found) {
    clique_.listed = true;
    clique_.count = count;
    for (std::size_t i = 0; i < operands_.size(); ++i) operands_[i]->cells = std::move(found[i]);
    return true;
  }

  CliqueProgram& clique_;
  const std::vector<std::int32_t>& sizes_;
  std::vector<Operand*> operands_;
  std::vector<std::vector<View>> settled_;  // tables, by the number of axes after which nothing more varies in them
};

}  // namespace

void Program::list_cells(const std::function<void()>& check) {
  const std::size_t m = cliques.size();
  std::vector<std::vector<char>> possible(tables.size() + m);
  for (std::size_t f = 0; f < tables.size(); ++f) {
    if (!tables[f].scope.empty()) possible[f] = support_of(tables[f], sizes);
  }
  std::size_t places = 0;
  for (std::size_t i = tree.topological.size(); i-- > 0;) {
    const auto c = tree.topological[i];
    auto& clique = cliques[c];
    auto& below = possible[tables.size() + static_cast<std::size_t>(c)];
    const double entries = tree.cliques[c].entries;
    if (entries < least_entries || entries > most_entries || places > most_places) continue;
    Listing listing(clique, sizes);
    for (std::size_t k = 0; k < clique.inputs.size(); ++k) {
      const auto& operand = clique.inputs[k];
      const auto from = operand.kind == Kind::factor ? static_cast<std::size_t>(operand.id)
                                                     : tables.size() + static_cast<std::size_t>(operand.id);
      if (operand.kind != Kind::likelihood && !possible[from].empty()) listing.consider(k, possible[from]);
    }
    below.assign(message[c + 1] - message[c], 0);
    if (listing.list(static_cast<std::size_t>(entries * sparse), below, check)) {
      places += clique.count * (clique.inputs.size() + clique.outputs.size() + 2);
    } else {
      below.clear();  // nothing is known of its message
    }
  }
}

}  // namespace credo::networks
