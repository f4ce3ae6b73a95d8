// Count, mean and variance by group, without losing digits to a mean that is far from zero.
//
// A block of rows is small enough to be read twice from cache: once for its means, once for the squares around them.
// Blocks, and then parts, are joined by Chan's formula in a fixed order.
#include "loops.hpp"
#include "parallel.hpp"
#include "vector.hpp"

#include <limits>
#include <stdexcept>

namespace credo {
namespace {

constexpr std::size_t grain = std::size_t{1} << 16;  // cells

struct Moments {
  std::vector<double> count, mean, squares;
  explicit Moments(std::size_t cells) : count(cells), mean(cells), squares(cells) {}

  CREDO_VECTOR void join(const Moments& other) {
    for (std::size_t c = 0; c < count.size(); ++c) {
      const double total = count[c] + other.count[c];
      const double share = total > 0 ? other.count[c] / total : 0.0;
      const double apart = other.mean[c] - mean[c];
      mean[c] += apart * share;
      squares[c] += other.squares[c] + apart * apart * share * count[c];
      count[c] = total;
    }
  }
};

CREDO_VECTOR void add_row(const double* x, std::size_t width, double* count, double* sum) {
  for (std::size_t j = 0; j < width; ++j) {
    const bool there = x[j] == x[j];
    count[j] += there ? 1.0 : 0.0;
    sum[j] += there ? x[j] : 0.0;
  }
}

CREDO_VECTOR void add_deviations(const double* x, std::size_t width, const double* mean, double* rest,
                                 double* squares) {
  for (std::size_t j = 0; j < width; ++j) {
    const double deviation = x[j] == x[j] ? x[j] - mean[j] : 0.0;
    rest[j] += deviation;
    squares[j] += deviation * deviation;
  }
}

// The moments of a few rows; `rest` is working space. What rounding left in the mean is moved out of the squares.
void block_moments(const double* X, const std::int32_t* group, std::size_t rows, std::size_t width,
                   std::size_t groups, Moments& block, std::vector<double>& rest) {
  for (auto* field : {&block.count, &block.mean, &block.squares, &rest}) std::fill(field->begin(), field->end(), 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    if (group[i] == -1) continue;
    if (group[i] < 0 || static_cast<std::size_t>(group[i]) >= groups) throw std::out_of_range("group");
    const std::size_t cell = group[i] * width;
    add_row(X + i * width, width, &block.count[cell], &block.mean[cell]);
  }
  for (std::size_t c = 0; c < rest.size(); ++c) block.mean[c] /= std::max(block.count[c], 1.0);
  for (std::size_t i = 0; i < rows; ++i) {
    if (group[i] == -1) continue;
    const std::size_t cell = group[i] * width;
    add_deviations(X + i * width, width, &block.mean[cell], &rest[cell], &block.squares[cell]);
  }
  for (std::size_t c = 0; c < rest.size(); ++c) {
    const double off = rest[c] / std::max(block.count[c], 1.0);
    block.mean[c] += off;
    block.squares[c] -= off * rest[c];
  }
}

}  // namespace

void grouped_moments(const double* X, const std::int32_t* group, std::size_t rows, std::size_t width,
                     std::size_t groups, std::int64_t* count, double* mean, double* variance) {
  const std::size_t cells = groups * width;
  const std::size_t block = std::max<std::size_t>(16384 / std::max<std::size_t>(width, 1), 4 * groups) + 1;
  const std::size_t parts = parts_for(rows, std::max(grain / std::max<std::size_t>(width, 1), 4 * block));
  std::vector<Moments> sums(parts, Moments(cells));
  parallel_for(rows, parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
    Moments here(cells);
    std::vector<double> rest(cells);
    for (std::size_t start = begin; start < end; start += block) {
      block_moments(X + start * width, group + start, std::min(block, end - start), width, groups, here, rest);
      sums[part].join(here);
    }
  });
  for (std::size_t part = 1; part < parts; ++part) sums[0].join(sums[part]);
  for (std::size_t c = 0; c < cells; ++c) {
    const double n = sums[0].count[c];
    count[c] = static_cast<std::int64_t>(n);
    mean[c] = n > 0 ? sums[0].mean[c] : std::numeric_limits<double>::quiet_NaN();
    variance[c] = n > 0 ? std::max(sums[0].squares[c], 0.0) / n : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace credo
