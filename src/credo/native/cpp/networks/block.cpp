#include "block.hpp"

#include <algorithm>

namespace credo::networks::cells {

CREDO_VECTOR void assign_at(double* __restrict acc, std::size_t n, const double* __restrict f,
                            const std::int32_t* __restrict at, double scale) {
  for (std::size_t i = 0; i < n; ++i) acc[i] = scale * f[at[i]];
}

CREDO_VECTOR void multiply_at(double* __restrict acc, std::size_t n, const double* __restrict f,
                              const std::int32_t* __restrict at) {
  for (std::size_t i = 0; i < n; ++i) acc[i] *= f[at[i]];
}

CREDO_VECTOR void multiply_run(double* __restrict acc, std::size_t n, const double* __restrict f) {
  for (std::size_t i = 0; i < n; ++i) acc[i] *= f[i];
}

CREDO_VECTOR void scale_run(double* acc, std::size_t n, double factor) {
  for (std::size_t i = 0; i < n; ++i) acc[i] *= factor;
}

CREDO_VECTOR void add_run(double* __restrict out, std::size_t n, const double* __restrict acc) {
  for (std::size_t i = 0; i < n; ++i) out[i] += acc[i];
}

// (eight sums at a time, so that an addition need not wait for the one before it)
CREDO_VECTOR double sum_run(const double* acc, std::size_t n) {
  double lanes[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t j = 0; j < 8; ++j) lanes[j] += acc[i + j];
  }
  for (std::size_t j = 0; i + j < n; ++j) lanes[j] += acc[i + j];
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

CREDO_VECTOR double greatest_run(const double* acc, std::size_t n) {
  double greatest = 0;
  for (std::size_t i = 0; i < n; ++i) greatest = acc[i] > greatest ? acc[i] : greatest;
  return greatest;
}

CREDO_VECTOR void max_run(double* __restrict out, std::size_t n, const double* __restrict acc) {
  for (std::size_t i = 0; i < n; ++i) out[i] = acc[i] > out[i] ? acc[i] : out[i];
}

CREDO_VECTOR void add_at(double* __restrict out, std::size_t width, std::size_t depth, const double* __restrict acc,
                         const std::int32_t* __restrict at) {
  if (width >= 4) {
    for (std::size_t t = 0; t < depth; ++t, at += width) {
      for (std::size_t j = 0; j < width; ++j) out[j] += acc[at[j]];
    }
    return;
  }
  for (std::size_t j = 0; j < width; ++j, at += depth) {
    double even = 0, odd = 0;
    std::size_t t = 0;
    for (; t + 2 <= depth; t += 2) {
      even += acc[at[t]];
      odd += acc[at[t + 1]];
    }
    if (t < depth) even += acc[at[t]];
    out[j] += even + odd;
  }
}

CREDO_VECTOR void max_at(double* __restrict out, std::size_t width, std::size_t depth, const double* __restrict acc,
                         const std::int32_t* __restrict at) {
  if (width >= 4) {
    for (std::size_t t = 0; t < depth; ++t, at += width) {
      for (std::size_t j = 0; j < width; ++j) out[j] = acc[at[j]] > out[j] ? acc[at[j]] : out[j];
    }
    return;
  }
  for (std::size_t j = 0; j < width; ++j, at += depth) {
    for (std::size_t t = 0; t < depth; ++t) out[j] = acc[at[t]] > out[j] ? acc[at[t]] : out[j];
  }
}

}  // namespace credo::networks::cells
