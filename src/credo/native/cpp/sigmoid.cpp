// The log odds of rows, and what follows from them, in one pass through the rows.
#include "loops.hpp"
#include "parallel.hpp"
#include "vector.hpp"

#include <cmath>

namespace credo {
namespace {

constexpr std::size_t tile = 64;                     // rows whose log odds are made into probabilities together
constexpr std::size_t grain = std::size_t{1} << 18;  // cells

// (sixteen sums at a time, so that an addition need not wait for the one before it)
CREDO_VECTOR void dot_rows(const double* X, std::size_t rows, std::size_t width, const double* w, double b,
                           double* out) {
  for (std::size_t r = 0; r < rows; ++r, X += width) {
    double lanes[16] = {};
    std::size_t j = 0;
    for (; j + 16 <= width; j += 16) {
      for (std::size_t k = 0; k < 16; ++k) lanes[k] += X[j + k] * w[j + k];
    }
    double sum = b;
    for (; j < width; ++j) sum += X[j] * w[j];
    for (std::size_t k = 0; k < 16; ++k) sum += lanes[k];
    out[r] = sum;
  }
}

CREDO_VECTOR void add_rows(const double* X, std::size_t rows, std::size_t width, const double* times, double* out) {
  for (std::size_t r = 0; r < rows; ++r, X += width) {
    const double t = times[r];
    for (std::size_t j = 0; j < width; ++j) out[j] += t * X[j];
  }
}

// From log odds to P(class 0), P(class 1), the derivative of each row's loss, and the loss of all.
CREDO_VECTOR double believe(std::size_t rows, const double* eta, const double* sign, const double* weight, double* none,
                            double* one, double* slope) {
  double loss = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const double far = exp_negative(-std::fabs(eta[r])), more = 1.0 / (1.0 + far), less = far * more;
    one[r] = eta[r] > 0 ? more : less;
    none[r] = eta[r] > 0 ? less : more;
    const double wrong = -sign[r] * eta[r];
    slope[r] = -sign[r] * weight[r] * (wrong > 0 ? more : less);
    loss += weight[r] * (log_one_plus(far) + (wrong > 0 ? wrong : 0.0));
  }
  return loss;
}

}  // namespace

double sigmoid_pass(const double* X, std::size_t rows, std::size_t width, const double* w, double b,
                    const std::int32_t* codes, const double* weight, double* gradient, double* probs) {
  const std::size_t parts = parts_for(rows * (width + 8), grain), stride = width + 2;
  std::vector<double> sums(parts * stride, 0.0);  // of each part: the gradient by w and b, and the loss
  parallel_for(rows, parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double* sum = sums.data() + part * stride;
    double eta[tile], sign[tile], slope[tile];
    for (std::size_t start = begin; start < end; start += tile) {
      const std::size_t held = std::min(tile, end - start);
      dot_rows(X + start * width, held, width, w, b, eta);
      for (std::size_t r = 0; r < held; ++r) sign[r] = codes[start + r] == 1 ? 1.0 : -1.0;
      sum[width + 1] += believe(held, eta, sign, weight + start, probs + start, probs + rows + start, slope);
      add_rows(X + start * width, held, width, slope, sum);
      for (std::size_t r = 0; r < held; ++r) sum[width] += slope[r];
    }
  });
  double loss = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t j = 0; j <= width; ++j) gradient[j] += sums[part * stride + j];
    loss += sums[part * stride + width + 1];
  }
  return loss;
}

}  // namespace credo
