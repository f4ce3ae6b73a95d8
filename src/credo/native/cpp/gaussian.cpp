// The log joint of rows and groups whose columns are independent normals.
#include "loops.hpp"
#include "parallel.hpp"
#include "vector.hpp"

#include <cmath>
#include <numbers>

namespace credo {
namespace {

constexpr std::size_t tile = 64;  // rows turned on their side together, so that one column's values are neighbours
constexpr std::size_t grain = std::size_t{1} << 15;  // cells

CREDO_VECTOR void add_column(const double* x, double mean, double half_precision, double log_scale, double* total) {
  for (std::size_t r = 0; r < tile; ++r) {
    const double z = x[r] - mean;
    total[r] += x[r] == x[r] ? log_scale - z * z * half_precision : 0.0;
  }
}

}  // namespace

void gaussian_log_joint(const double* X, std::size_t rows, std::size_t width, const double* mean,
                        const double* variance, const double* log_prior, std::size_t groups, double* out) {
  std::vector<double> log_scale(groups * width), half_precision(groups * width);
  for (std::size_t c = 0; c < groups * width; ++c) {
    log_scale[c] = -0.5 * (std::log(2.0 * std::numbers::pi) + std::log(variance[c]));
    half_precision[c] = 0.5 / variance[c];
  }
  const std::size_t work = std::max<std::size_t>(width * groups, 1);
  parallel_for(rows, parts_for(rows, grain / work + 1), [&](std::size_t, std::size_t begin, std::size_t end) {
    std::vector<double> turned(width * tile);
    double total[tile];
    for (std::size_t start = begin; start < end; start += tile) {
      const std::size_t held = std::min(tile, end - start);
      for (std::size_t r = 0; r < held; ++r) {
        for (std::size_t j = 0; j < width; ++j) turned[j * tile + r] = X[(start + r) * width + j];
      }
      for (std::size_t k = 0; k < groups; ++k) {
        std::fill_n(total, tile, log_prior[k]);
        for (std::size_t j = 0; j < width; ++j) {
          const std::size_t c = k * width + j;
          add_column(&turned[j * tile], mean[c], half_precision[c], log_scale[c], total);
        }
        for (std::size_t r = 0; r < held; ++r) out[(start + r) * groups + k] = total[r];
      }
    }
  });
}

}  // namespace credo
