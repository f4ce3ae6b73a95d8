// The innermost loops: a block of cells times a table, and a block added up into a table.
#pragma once

#include "../vector.hpp"
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace credo::networks {

namespace cells {

CREDO_VECTOR void assign_at(double* acc, std::size_t n, const double* f, const std::int32_t* at, double scale);
CREDO_VECTOR void multiply_at(double* acc, std::size_t n, const double* f, const std::int32_t* at);
CREDO_VECTOR void multiply_run(double* acc, std::size_t n, const double* f);
CREDO_VECTOR void scale_run(double* acc, std::size_t n, double factor);
CREDO_VECTOR void add_run(double* out, std::size_t n, const double* acc);
CREDO_VECTOR double sum_run(const double* acc, std::size_t n);
CREDO_VECTOR void add_at(double* out, std::size_t width, std::size_t depth, const double* acc, const std::int32_t* at);
CREDO_VECTOR void max_run(double* out, std::size_t n, const double* acc);
CREDO_VECTOR double greatest_run(const double* acc, std::size_t n);
CREDO_VECTOR void max_at(double* out, std::size_t width, std::size_t depth, const double* acc, const std::int32_t* at);

}  // namespace cells

inline void multiply(double* acc, std::size_t n, const double* f, const Pattern& p) {
  if (!p.at.empty()) return cells::multiply_at(acc, n, f, p.at.data());
  for (std::uint32_t a = 0; a < p.before; ++a) {
    if (p.run == 1) {
      cells::multiply_run(acc, p.width, f);
      acc += p.width;
      continue;
    }
    for (std::uint32_t j = 0; j < p.width; ++j, acc += p.run) cells::scale_run(acc, p.run, f[j * p.step]);
  }
}

inline void assign(double* acc, std::size_t n, const double* f, const Pattern& p, double scale) {
  if (!p.at.empty()) return cells::assign_at(acc, n, f, p.at.data(), scale);
  std::fill_n(acc, n, scale);
  multiply(acc, n, f, p);
}

struct Sum {
  static double two(double a, double b) { return a + b; }
  static void into(double* out, const double* acc, std::size_t n, const Pattern& p) {
    if (!p.at.empty()) return cells::add_at(out, p.width, n / p.width, acc, p.at.data());
    for (std::uint32_t a = 0; a < p.before; ++a) {
      if (p.run == 1 && p.width > 1) {
        cells::add_run(out, p.width, acc);
        acc += p.width;
      } else if (p.width == 1) {
        out[0] += cells::sum_run(acc, n);
        return;
      } else {
        for (std::uint32_t j = 0; j < p.width; ++j, acc += p.run) out[j * p.step] += cells::sum_run(acc, p.run);
      }
    }
  }
};

struct Max {
  static double two(double a, double b) { return std::max(a, b); }
  static void into(double* out, const double* acc, std::size_t n, const Pattern& p) {
    if (!p.at.empty()) return cells::max_at(out, p.width, n / p.width, acc, p.at.data());
    for (std::uint32_t a = 0; a < p.before; ++a) {
      if (p.run == 1 && p.width > 1) {
        cells::max_run(out, p.width, acc);
        acc += p.width;
      } else if (p.width == 1) {
        out[0] = std::max(out[0], cells::greatest_run(acc, n));
        return;
      } else {
        for (std::uint32_t j = 0; j < p.width; ++j, acc += p.run) {
          out[j * p.step] = std::max(out[j * p.step], cells::greatest_run(acc, p.run));
        }
      }
    }
  }
};

// One variable summed out of the belief over a separator.
inline void marginal(const double* belief, std::size_t size, const Answer& answer, double* out) {
  for (std::size_t begin = 0; begin < size;) {
    for (std::size_t j = 0; j < answer.size; ++j, begin += answer.run) {
      out[j] += answer.run < 8 ? std::accumulate(belief + begin, belief + begin + answer.run, 0.0)
                               : cells::sum_run(belief + begin, answer.run);
    }
  }
}

}  // namespace credo::networks
