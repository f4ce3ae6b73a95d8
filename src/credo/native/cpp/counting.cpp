// Contingency tables: how often each combination of codes occurs.
#include "loops.hpp"
#include "parallel.hpp"
#include "vector.hpp"

#include <stdexcept>

namespace credo {
namespace {

constexpr std::size_t block = 1024;         // rows indexed at a time: their indices stay in the nearest cache
constexpr std::size_t lanes = 4;            // a small table is kept four times, so that equal neighbours do not wait
constexpr std::size_t small_table = 1024;   // for each other's store
constexpr std::size_t grain = std::size_t{1} << 16;

// One more digit of the mixed-radix index; whether all codes were from -1 to size - 1.
CREDO_VECTOR bool add_digit(const std::int32_t* codes, std::uint32_t size, std::size_t rows, std::uint32_t* index,
                            std::int32_t* missing) {
  std::uint32_t stray = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto code = static_cast<std::uint32_t>(codes[i]);
    index[i] = index[i] * size + code;
    missing[i] |= codes[i];  // negative as soon as one code is
    stray |= static_cast<std::uint32_t>(code + 1u > size);
  }
  return stray == 0;
}

template <class Cell>
void count_rows(const std::vector<const std::int32_t*>& columns, const std::vector<std::uint32_t>& sizes,
                const double* weights, std::size_t begin, std::size_t end, std::size_t cells, Cell* const* tables) {
  std::uint32_t index[block];
  std::int32_t missing[block];
  for (std::size_t start = begin; start < end; start += block) {
    const std::size_t rows = std::min(block, end - start);
    std::fill_n(index, rows, 0u);
    std::fill_n(missing, rows, 0);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!add_digit(columns[c] + start, sizes[c], rows, index, missing)) throw std::out_of_range("code");
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t cell = missing[i] < 0 ? cells : index[i];
      tables[i % lanes][cell] += weights ? static_cast<Cell>(weights[start + i]) : Cell{1};
    }
  }
}

}  // namespace

template <class Cell>
void contingency(const std::vector<const std::int32_t*>& columns, const std::vector<std::uint32_t>& sizes,
                 const double* weights, std::size_t rows, std::size_t cells, Cell* table) {
  // A table for each part pays only while adding the tables up is less work than counting.
  const std::size_t parts = parts_for(rows, std::max(grain, 2 * cells));
  const std::size_t copies = cells <= small_table && rows >= lanes * cells ? lanes : 1;
  std::vector<Cell> scratch((parts * copies - 1) * (cells + 1));
  const auto copy = [&](std::size_t i) { return i == 0 ? table : scratch.data() + (i - 1) * (cells + 1); };
  parallel_for(rows, parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
    Cell* tables[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) tables[lane] = copy(part * copies + lane % copies);
    count_rows(columns, sizes, weights, begin, end, cells, tables);
  });
  for (std::size_t i = 1; i < parts * copies; ++i) {
    for (std::size_t cell = 0; cell < cells; ++cell) table[cell] += copy(i)[cell];
  }
}

template void contingency(const std::vector<const std::int32_t*>&, const std::vector<std::uint32_t>&, const double*,
                          std::size_t, std::size_t, std::int64_t*);
template void contingency(const std::vector<const std::int32_t*>&, const std::vector<std::uint32_t>&, const double*,
                          std::size_t, std::size_t, double*);

}  // namespace credo
