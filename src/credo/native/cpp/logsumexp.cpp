// log Σ exp along an axis, without overflow: the largest term is taken out first.
#include "loops.hpp"
#include "parallel.hpp"
#include "vector.hpp"

#include <cmath>
#include <limits>

namespace credo {
namespace {

constexpr std::size_t buffer = 1024;  // numbers worked on at a time: they stay in the nearest cache
constexpr std::size_t grain = std::size_t{1} << 15;
constexpr double infinity = std::numeric_limits<double>::infinity();

CREDO_VECTOR void exp_in_place(double* a, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) a[i] = exp_negative(a[i]);
}

// The largest of `length` numbers, or NaN if one of them is.
CREDO_VECTOR double largest(const double* a, std::size_t length) {
  double top = -infinity;
  bool nan = false;
  for (std::size_t i = 0; i < length; ++i) {
    top = a[i] > top ? a[i] : top;
    nan |= a[i] != a[i];
  }
  return nan ? std::numeric_limits<double>::quiet_NaN() : top;
}

// top + log(total), where total is the sum of exp(a - top); all -inf gives -inf, one +inf gives +inf, NaN gives NaN.
double finish(double top, double total) { return std::isfinite(top) ? top + std::log(total) : top; }

// Rows that lie side by side: several short ones at a time, a long one in pieces.
void along_rows(const double* a, std::size_t rows, std::size_t length, double* out) {
  double terms[buffer], top[buffer];
  const std::size_t together = std::max<std::size_t>(1, buffer / length);
  for (std::size_t row = 0; row < rows; row += together) {
    const std::size_t held = std::min(together, rows - row);
    const double* first = a + row * length;
    for (std::size_t r = 0; r < held; ++r) {
      top[r] = largest(first + r * length, length);
      out[row + r] = 0.0;
    }
    const std::size_t piece = std::min(length, buffer);
    for (std::size_t start = 0; start < length; start += piece) {
      const std::size_t width = std::min(piece, length - start);
      for (std::size_t r = 0; r < held; ++r) {
        const double shift = std::isfinite(top[r]) ? top[r] : 0.0;
        for (std::size_t i = 0; i < width; ++i) terms[r * width + i] = first[r * length + start + i] - shift;
      }
      exp_in_place(terms, held * width);
      for (std::size_t r = 0; r < held; ++r) {
        double total = 0.0;
        for (std::size_t i = 0; i < width; ++i) total += terms[r * width + i];
        out[row + r] += total;
      }
    }
    for (std::size_t r = 0; r < held; ++r) out[row + r] = finish(top[r], out[row + r]);
  }
}

// Columns from `begin` to `begin + width` of a (length, inner) table: neighbours are worked on side by side.
CREDO_VECTOR void along_columns(const double* a, std::size_t length, std::size_t inner, std::size_t width,
                                double* out) {
  double top[buffer], shift[buffer], total[buffer];
  for (std::size_t j = 0; j < width; ++j) top[j] = -infinity;
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const double x = a[i * inner + j];
      top[j] = x <= top[j] || top[j] != top[j] ? top[j] : x;  // a NaN comes in, and once there it stays
    }
  }
  for (std::size_t j = 0; j < width; ++j) {
    shift[j] = top[j] - top[j] == 0.0 ? top[j] : 0.0;
    total[j] = 0.0;
  }
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t j = 0; j < width; ++j) total[j] += exp_negative(a[i * inner + j] - shift[j]);
  }
  for (std::size_t j = 0; j < width; ++j) out[j] = finish(top[j], total[j]);
}

}  // namespace

void log_sum_exp(const double* a, std::size_t outer, std::size_t length, std::size_t inner, double* out) {
  if (length == 0) {
    std::fill_n(out, outer * inner, -infinity);
  } else if (inner == 1) {
    parallel_for(outer, parts_for(outer, grain / length + 1), [&](std::size_t, std::size_t begin, std::size_t end) {
      along_rows(a + begin * length, end - begin, length, out + begin);
    });
  } else if (inner > 1) {
    const std::size_t slabs = (inner + buffer - 1) / buffer;  // of each outer table
    parallel_for(outer * slabs, parts_for(outer * slabs, grain / (length * std::min(inner, buffer)) + 1),
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t slab = begin; slab < end; ++slab) {
                     const std::size_t table = slab / slabs, column = slab % slabs * buffer;
                     along_columns(a + table * length * inner + column, length, inner, std::min(buffer, inner - column),
                                   out + table * inner + column);
                   }
                 });
  }
}

}  // namespace credo
