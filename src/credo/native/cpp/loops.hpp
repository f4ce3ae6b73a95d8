// What the loops promise. Shapes and types are checked before they are called; codes are checked inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace credo {

// Counts (Cell = int64) or sums of weights (Cell = double) for every combination of codes, the last column changing
// fastest. `table` holds product(sizes) + 1 zeros; the last cell collects rows with a missing code (-1).
// A code below -1 or not below its size throws std::out_of_range.
template <class Cell>
void contingency(const std::vector<const std::int32_t*>& columns, const std::vector<std::uint32_t>& sizes,
                 const double* weights, std::size_t rows, std::size_t cells, Cell* table);

// log of the sum of exponentials along the middle axis of an (outer, length, inner) array.
void log_sum_exp(const double* a, std::size_t outer, std::size_t length, std::size_t inner, double* out);

// Count, mean and population variance of each column of X (rows, width) in each of `groups` groups, over the cells that
// are not NaN; rows of group -1 are left out. Where there is nothing, mean and variance are NaN.
void grouped_moments(const double* X, const std::int32_t* group, std::size_t rows, std::size_t width,
                     std::size_t groups, std::int64_t* count, double* mean, double* variance);

// log_prior[k] + sum over columns of log N(X[i, j] | mean[k, j], variance[k, j]); a NaN cell adds nothing.
// The loss of a sigmoid of b + Xw for two classes, its gradient by w and b, and P(class) in two rows.
double sigmoid_pass(const double* X, std::size_t rows, std::size_t width, const double* w, double b,
                    const std::int32_t* codes, const double* weight, double* gradient, double* probs);

void gaussian_log_joint(const double* X, std::size_t rows, std::size_t width, const double* mean,
                        const double* variance, const double* log_prior, std::size_t groups, double* out);

// A kernel of the distance between every row of U (rows, width) and every row of V (others, width), or of U itself,
// symmetric, where V is null. The shapes are those of native/radial.py, in that order.
void radial(int shape, const double* U, std::size_t rows, const double* V, std::size_t others, std::size_t width,
            double power, double* out);

// The sum over W (rows, rows) times the kernel of the rows of U, then its slope along the logarithm of `power`, then
// one for each column: its slope if that column of U moves along that of `along` (rows, width), or along its own
// negative where `along` is null, as it does when a length it was divided by grows. width + 2 numbers.
void radial_pull(int shape, const double* U, std::size_t rows, std::size_t width, const double* along,
                 const double* W, double power, double* sums);

// How a run of SMO ended: the steps taken, and by how much the worst pair of rows still violates the conditions.
struct SmoEnd {
  std::int64_t steps;
  double gap;
};

// Steps, two coefficients each, towards the least of beta K beta / 2 - y beta with sum(beta) unchanged and
// low <= beta <= high. `slack` is y - K beta; it and `beta` are moved until no pair violates by more than `tolerance`,
// or `steps` are taken. K is symmetric, n by n, of floats or doubles.
template <class Cell>
SmoEnd smo(const Cell* K, std::size_t n, const double* low, const double* high, double tolerance, std::int64_t steps,
           double* beta, double* slack);

}  // namespace credo
