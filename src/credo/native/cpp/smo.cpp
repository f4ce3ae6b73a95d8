// The dual of a support vector machine, two coefficients at a time.
//
// Two passes over the rows for each step, both without branches so that they become vector instructions: one weighs
// the partners of the row that violates most, one moves the slacks and finds the next row. What may not rise or fall
// is pushed out of the way by a large number rather than tested. This file is compiled without NaN and infinity.
#include "loops.hpp"
#include "vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#if defined(__GNUC__)
#define CREDO_INLINE inline __attribute__((always_inline))
#else
#define CREDO_INLINE inline
#endif

namespace credo {
namespace {

constexpr double far = 1e300;
constexpr std::size_t block = 128;  // rows looked at together: where the best is, is only looked up in the best block

struct Ends {
  double most, least;
};

// Move the slacks of some rows by a step along two of them; the most that may rise and the least that may fall.
template <class Cell>
CREDO_INLINE Ends moved(const Cell* one, const Cell* other, double step, double* slack, const double* no_rise,
                        const double* no_fall, std::size_t n) {
  Ends ends{-far, far};
  for (std::size_t t = 0; t < n; ++t) {
    const double x = slack[t] - step * (static_cast<double>(one[t]) - static_cast<double>(other[t]));
    slack[t] = x;
    const double rise = x - no_rise[t], fall = x + no_fall[t];
    ends.most = rise > ends.most ? rise : ends.most;
    ends.least = fall < ends.least ? fall : ends.least;
  }
  return ends;
}

// What a step along a row and each partner would gain (twice that), and the largest of it.
template <class Cell>
CREDO_INLINE float gains(const Cell* row, double most, float own, const float* diagonal, const double* slack,
                         const double* no_fall, std::size_t n, float* gain) {
  float best = 0;
  for (std::size_t t = 0; t < n; ++t) {
    float rise = static_cast<float>(most - slack[t] - no_fall[t]);
    rise = rise > 0.0F ? rise : 0.0F;
    const float sum = own + diagonal[t], least = 1e-6F * sum + 1e-30F;
    float bend = sum - 2.0F * static_cast<float>(row[t]);
    bend = bend > least ? bend : least;
    const float x = rise * rise / bend;
    gain[t] = x;
    best = x > best ? x : best;
  }
  return best;
}

// (a clone of a template for each machine cannot be had, so each type is spelt out)
CREDO_VECTOR Ends move(const float* one, const float* other, double step, double* slack, const double* no_rise,
                       const double* no_fall, std::size_t n) {
  return moved(one, other, step, slack, no_rise, no_fall, n);
}
CREDO_VECTOR Ends move(const double* one, const double* other, double step, double* slack, const double* no_rise,
                       const double* no_fall, std::size_t n) {
  return moved(one, other, step, slack, no_rise, no_fall, n);
}
CREDO_VECTOR float weigh(const float* row, double most, float own, const float* diagonal, const double* slack,
                         const double* no_fall, std::size_t n, float* gain) {
  return gains(row, most, own, diagonal, slack, no_fall, n, gain);
}
CREDO_VECTOR float weigh(const double* row, double most, float own, const float* diagonal, const double* slack,
                         const double* no_fall, std::size_t n, float* gain) {
  return gains(row, most, own, diagonal, slack, no_fall, n, gain);
}

}  // namespace

template <class Cell>
SmoEnd smo(const Cell* K, std::size_t n, const double* low, const double* high, double tolerance, std::int64_t steps,
           double* beta, double* slack) {
  std::vector<double> no_rise(n), no_fall(n);
  std::vector<float> diagonal(n), gain(n);
  const auto bound = [&](std::size_t t) {
    no_rise[t] = beta[t] < high[t] ? 0 : far;
    no_fall[t] = beta[t] > low[t] ? 0 : far;
  };
  for (std::size_t t = 0; t < n; ++t) {
    bound(t);
    diagonal[t] = static_cast<float>(K[t * n + t]);
  }
  std::size_t i = 0, j = 0;
  double step = 0;
  for (std::int64_t taken = 0;; ++taken) {
    const Cell *one = K + i * n, *other = K + j * n;
    Ends ends{-far, far};
    std::size_t where = 0;
    for (std::size_t begin = 0; begin < n; begin += block) {
      const Ends part = move(one + begin, other + begin, step, slack + begin, no_rise.data() + begin,
                             no_fall.data() + begin, std::min(block, n - begin));
      if (part.most > ends.most) ends.most = part.most, where = begin;
      ends.least = std::min(ends.least, part.least);
    }
    const double gap = ends.most - ends.least;
    if (std::abs(gap) > far / 2) return {taken, 0};  // nothing may rise, or nothing may fall
    if (!(gap > tolerance) || taken >= steps) return {taken, gap};
    for (i = where; i + 1 < std::min(n, where + block) && slack[i] - no_rise[i] < ends.most;) ++i;
    float best = 0;
    for (std::size_t begin = 0; begin < n; begin += block) {
      const std::size_t length = std::min(block, n - begin);
      const float part = weigh(K + i * n + begin, ends.most, diagonal[i], diagonal.data() + begin, slack + begin,
                               no_fall.data() + begin, length, gain.data() + begin);
      if (part > best) best = part, where = begin;
    }
    if (best == 0) return {taken, gap};
    for (j = where; j + 1 < std::min(n, where + block) && gain[j] < best;) ++j;
    const double sum = static_cast<double>(K[i * n + i]) + static_cast<double>(K[j * n + j]);
    const double bend = std::max(sum - 2 * static_cast<double>(K[i * n + j]), 1e-12 * sum);
    const double rise = high[i] - beta[i], fall = beta[j] - low[j];
    step = (ends.most - slack[j]) / std::max(bend, std::numeric_limits<double>::min());
    step = std::min(step, std::min(rise, fall));
    beta[i] = step == rise ? high[i] : beta[i] + step;
    beta[j] = step == fall ? low[j] : beta[j] - step;
    bound(i);
    bound(j);
  }
}

template SmoEnd smo<float>(const float*, std::size_t, const double*, const double*, double, std::int64_t, double*,
                           double*);
template SmoEnd smo<double>(const double*, std::size_t, const double*, const double*, double, std::int64_t, double*,
                            double*);

}  // namespace credo
