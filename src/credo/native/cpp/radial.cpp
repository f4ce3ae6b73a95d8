// Kernels of the distance between rows, and their slopes, a tile at a time: a tile of the matrix lives in the nearest
// cache, so that whatever is made of it there costs no memory and little time.
//
// Columns are turned on their side, so that one column's numbers are neighbours; every loop goes along a tile's width.
#include "loops.hpp"
#include "parallel.hpp"
#include "vector.hpp"

#include <array>
#include <cmath>

namespace credo {
namespace {

constexpr std::size_t side = 64;
constexpr std::size_t together = 4;  // rows that are worked on at once, so that a column's numbers are read once for all
constexpr std::size_t grain = std::size_t{1} << 23;  // cells × columns: under a millisecond, which is not worth a thread
constexpr double smallest = 1e-290;  // squared distances below it count as zero where a slope has no limit
constexpr double farthest = 1e6;  // squared: there exp() of a multiple of the distance is zero, and its powers are finite

enum Shape { squared_exponential, exponential, matern32, matern52, gamma_exponential, rational_quadratic };

// exp(x) for x <= 0, and zero where that is next to nothing.
inline double exp_or_zero(double x) { return x < -708.0 ? 0.0 : exp_negative(x); }

// Columns side by side, each padded with zeros to a whole number of tiles.
struct Turned {
  std::size_t rows, width, stride;
  std::vector<double> data;
  Turned(const double* U, std::size_t rows, std::size_t width)
      : rows(rows), width(width), stride((rows + side - 1) / side * side), data(stride * width + together) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < width; ++j) data[j * stride + i] = U[i * width + j];
    }
  }
  std::size_t tiles() const { return stride / side; }
  std::size_t held(std::size_t tile) const { return std::min(side, rows - tile * side); }
};

using Rows = std::array<double, together * side>;

// The squared distances of four rows, which are neighbours in `u`, from a tile's width of others.
CREDO_VECTOR void squared_distances(const double* u, const double* __restrict v, std::size_t u_stride,
                                    std::size_t v_stride, std::size_t width, double* __restrict out) {
  for (std::size_t k = 0; k < together * side; ++k) out[k] = 0.0;
  for (std::size_t j = 0; j < width; ++j) {
    const double a = u[j * u_stride], b = u[j * u_stride + 1], c = u[j * u_stride + 2], d = u[j * u_stride + 3];
    const double* __restrict others = v + j * v_stride;
    for (std::size_t k = 0; k < side; ++k) {
      const double to_a = a - others[k], to_b = b - others[k], to_c = c - others[k], to_d = d - others[k];
      out[k] += to_a * to_a;
      out[side + k] += to_b * to_b;
      out[2 * side + k] += to_c * to_c;
      out[3 * side + k] += to_d * to_d;
    }
  }
}

// From squared distances, of four rows, to the kernel.
CREDO_VECTOR void se_value(double* a) {
  for (std::size_t c = 0; c < together * side; ++c) a[c] = exp_or_zero(-0.5 * a[c]);
}
CREDO_VECTOR void exponential_value(double* a) {
  for (std::size_t c = 0; c < together * side; ++c) a[c] = exp_or_zero(-std::sqrt(a[c]));
}
CREDO_VECTOR void matern32_value(double* a) {
  for (std::size_t c = 0; c < together * side; ++c) {
    const double r = std::sqrt(3.0 * std::min(a[c], farthest));
    a[c] = (1.0 + r) * exp_or_zero(-r);
  }
}
CREDO_VECTOR void matern52_value(double* a) {
  for (std::size_t c = 0; c < together * side; ++c) {
    const double r = std::sqrt(5.0 * std::min(a[c], farthest));
    a[c] = (1.0 + r + r * r / 3.0) * exp_or_zero(-r);
  }
}
// r^power, as far as exp(-r^power) is not zero anyway.
inline double raised(double square, double power) {
  const double safe = square > smallest ? square : 1.0;
  const double x = 0.5 * power * log_normal(safe);
  return square > smallest ? exp_negative(x < 7.0 ? x : 7.0) : 0.0;
}
CREDO_VECTOR void gamma_value(double power, double* a) {
  for (std::size_t c = 0; c < together * side; ++c) a[c] = exp_or_zero(-raised(a[c], power));
}
CREDO_VECTOR void rational_value(double power, double* a) {
  for (std::size_t c = 0; c < together * side; ++c) a[c] = exp_or_zero(-power * log_one_plus(a[c] / (2.0 * power)));
}

void value(int shape, double power, double* a) {
  switch (shape) {
    case squared_exponential: return se_value(a);
    case exponential: return exponential_value(a);
    case matern32: return matern32_value(a);
    case matern52: return matern52_value(a);
    case gamma_exponential: return gamma_value(power, a);
    default: return rational_value(power, a);
  }
}

// From squared distances to the kernel, in place, and its slope -2 dk/dr².
CREDO_VECTOR void se_both(double* a, double* slope) {
  for (std::size_t c = 0; c < together * side; ++c) slope[c] = a[c] = exp_or_zero(-0.5 * a[c]);
}
CREDO_VECTOR void exponential_both(double* a, double* slope) {
  for (std::size_t c = 0; c < together * side; ++c) {
    const double r = std::sqrt(a[c]), k = exp_or_zero(-r);
    slope[c] = a[c] > smallest ? k / r : 0.0;
    a[c] = k;
  }
}
CREDO_VECTOR void matern32_both(double* a, double* slope) {
  for (std::size_t c = 0; c < together * side; ++c) {
    const double r = std::sqrt(3.0 * std::min(a[c], farthest)), e = exp_or_zero(-r);
    slope[c] = 3.0 * e;
    a[c] = (1.0 + r) * e;
  }
}
CREDO_VECTOR void matern52_both(double* a, double* slope) {
  for (std::size_t c = 0; c < together * side; ++c) {
    const double r = std::sqrt(5.0 * std::min(a[c], farthest)), e = exp_or_zero(-r);
    slope[c] = 5.0 / 3.0 * (1.0 + r) * e;
    a[c] = (1.0 + r + r * r / 3.0) * e;
  }
}

// The same with a power; `by_power` is dk/d log power.
CREDO_VECTOR void gamma_both(double power, double* a, double* slope, double* by_power) {
  for (std::size_t c = 0; c < together * side; ++c) {
    const bool apart = a[c] > smallest;
    const double safe = apart ? a[c] : 1.0, part = raised(a[c], power), k = exp_or_zero(-part);
    slope[c] = apart ? power * part / safe * k : 0.0;
    by_power[c] = -0.5 * power * part * log_normal(safe) * k;
    a[c] = k;
  }
}
CREDO_VECTOR void rational_both(double power, double* a, double* slope, double* by_power) {
  for (std::size_t c = 0; c < together * side; ++c) {
    const double part = a[c] / (2.0 * power), log_whole = log_one_plus(part), k = exp_or_zero(-power * log_whole);
    slope[c] = k / (1.0 + part);
    by_power[c] = power * (part / (1.0 + part) - log_whole) * k;
    a[c] = k;
  }
}

void both(int shape, double power, double* a, double* slope, double* by_power) {
  switch (shape) {
    case squared_exponential: return se_both(a, slope);
    case exponential: return exponential_both(a, slope);
    case matern32: return matern32_both(a, slope);
    case matern52: return matern52_both(a, slope);
    case gamma_exponential: return gamma_both(power, a, slope, by_power);
    default: return rational_both(power, a, slope, by_power);
  }
}

CREDO_VECTOR void add_products(const double* a, const double* b, double* total) {
  for (std::size_t r = 0; r < together; ++r) {
    for (std::size_t c = 0; c < side; ++c) total[c] += a[r * side + c] * b[r * side + c];
  }
}

// total[j] += weight · (difference in column j)², over four rows.
CREDO_VECTOR void add_squares(const double* u, const double* v, std::size_t stride, std::size_t width,
                              const double* __restrict weight, double* __restrict total) {
  for (std::size_t j = 0; j < width; ++j) {
    const double a = u[j * stride], b = u[j * stride + 1], c = u[j * stride + 2], d = u[j * stride + 3];
    const double* __restrict others = v + j * stride;
    double* __restrict sum = total + j * side;
    for (std::size_t k = 0; k < side; ++k) {
      const double to_a = a - others[k], to_b = b - others[k], to_c = c - others[k], to_d = d - others[k];
      sum[k] += weight[k] * (to_a * to_a) + weight[side + k] * (to_b * to_b) +
                (weight[2 * side + k] * (to_c * to_c) + weight[3 * side + k] * (to_d * to_d));
    }
  }
}

// total[j] -= weight · (difference in column j) · (difference in column j of the directions s and t), over four rows.
CREDO_VECTOR void add_along(const double* u, const double* v, const double* s, const double* t, std::size_t stride,
                            std::size_t width, const double* weight, double* total) {
  for (std::size_t r = 0; r < together; ++r, weight += side) {
    for (std::size_t j = 0; j < width; ++j) {
      const double at = u[j * stride + r], going = s[j * stride + r];
      const double *others = v + j * stride, *go = t + j * stride;
      double* sum = total + j * side;
      for (std::size_t k = 0; k < side; ++k) sum[k] -= weight[k] * ((at - others[k]) * (going - go[k]));
    }
  }
}

CREDO_VECTOR void multiply(const double* weight, double* slope) {
  for (std::size_t c = 0; c < together * side; ++c) slope[c] *= weight[c];
}

// The pair (row of tiles, column of tiles) that stands at `place` in the upper triangle, row after row.
struct Pair {
  std::size_t row, column;
  Pair(std::size_t place, std::size_t tiles) : row(0), column(0) {
    while (place >= tiles - row) place -= tiles - row++;
    column = row + place;
  }
  void next(std::size_t tiles) {
    if (++column == tiles) column = ++row;
  }
};

void upper_tiles(const Turned& U, int shape, double power, double* out) {
  const std::size_t tiles = U.tiles(), pairs = tiles * (tiles + 1) / 2, n = U.rows;
  const std::size_t work = side * side * (U.width + 8);
  parallel_for(pairs, parts_for(pairs, grain / work + 1), [&](std::size_t, std::size_t begin, std::size_t end) {
    std::vector<double> tile(side * side);
    Pair at(begin, tiles);
    for (std::size_t place = begin; place < end; ++place, at.next(tiles)) {
      const std::size_t top = at.row * side, left = at.column * side;
      const std::size_t height = U.held(at.row), breadth = U.held(at.column);
      for (std::size_t i = 0; i < height; i += together) {
        squared_distances(&U.data[top + i], &U.data[left], U.stride, U.stride, U.width, &tile[i * side]);
        value(shape, power, &tile[i * side]);
      }
      for (std::size_t i = 0; i < height; ++i) std::copy_n(&tile[i * side], breadth, out + (top + i) * n + left);
      if (at.row == at.column) continue;
      for (std::size_t c = 0; c < breadth; ++c) {
        double* mirrored = out + (left + c) * n + top;
        for (std::size_t i = 0; i < height; ++i) mirrored[i] = tile[i * side + c];
      }
    }
  });
}

void all_tiles(const Turned& U, const Turned& V, int shape, double power, double* out) {
  const std::size_t work = V.stride * (U.width + 8);
  parallel_for(U.rows, parts_for(U.rows, grain / std::max<std::size_t>(work, 1) + 1),
               [&](std::size_t, std::size_t begin, std::size_t end) {
                 Rows four;
                 for (std::size_t i = begin; i < end; i += together) {
                   for (std::size_t tile = 0; tile < V.tiles(); ++tile) {
                     squared_distances(&U.data[i], &V.data[tile * side], U.stride, V.stride, U.width, four.data());
                     value(shape, power, four.data());
                     for (std::size_t r = 0; r < std::min(together, end - i); ++r) {
                       std::copy_n(&four[r * side], V.held(tile), out + (i + r) * V.rows + tile * side);
                     }
                   }
                 }
               });
}

// The weights of a tile, with those of its mirror image added; zeros beyond the last row and column.
void weights_of_tile(const double* W, std::size_t n, std::size_t top, std::size_t left, std::size_t height,
                     std::size_t breadth, double* weights) {
  std::fill_n(weights, side * side, 0.0);
  for (std::size_t i = 0; i < height; ++i) std::copy_n(W + (top + i) * n + left, breadth, weights + i * side);
  if (top == left) return;
  for (std::size_t c = 0; c < breadth; ++c) {
    const double* mirrored = W + (left + c) * n + top;
    for (std::size_t i = 0; i < height; ++i) weights[i * side + c] += mirrored[i];
  }
}

}  // namespace

void radial(int shape, const double* U, std::size_t rows, const double* V, std::size_t others, std::size_t width,
            double power, double* out) {
  const Turned left(U, rows, width);
  if (V) {
    all_tiles(left, Turned(V, others, width), shape, power, out);
  } else {
    upper_tiles(left, shape, power, out);
  }
}

void radial_pull(int shape, const double* U, std::size_t rows, std::size_t width, const double* along,
                 const double* W, double power, double* sums) {
  const Turned turned(U, rows, width), directions(along, along ? rows : 0, width);
  const std::size_t tiles = turned.tiles(), pairs = tiles * (tiles + 1) / 2, held = (width + 2) * side;
  const std::size_t parts = parts_for(pairs, grain / (side * side * (2 * width + 8)) + 1);
  std::vector<double> totals(parts * held);  // of each part: by value, by power, by column; each by place in a tile
  parallel_for(pairs, parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
    std::vector<double> weights(side * side);
    Rows k, slope{}, by_power{};
    double* total = &totals[part * held];
    Pair at(begin, tiles);
    for (std::size_t place = begin; place < end; ++place, at.next(tiles)) {
      const std::size_t top = at.row * side, left = at.column * side, height = turned.held(at.row);
      weights_of_tile(W, rows, top, left, height, turned.held(at.column), weights.data());
      for (std::size_t i = 0; i < height; i += together) {
        const double *u = &turned.data[top + i], *v = &turned.data[left], *weight = &weights[i * side];
        squared_distances(u, v, turned.stride, turned.stride, width, k.data());
        both(shape, power, k.data(), slope.data(), by_power.data());
        add_products(weight, k.data(), total);
        add_products(weight, by_power.data(), total + side);
        multiply(weight, slope.data());
        if (along) {
          const double *s = &directions.data[top + i], *t = &directions.data[left];
          add_along(u, v, s, t, turned.stride, width, slope.data(), total + 2 * side);
        } else {
          add_squares(u, v, turned.stride, width, slope.data(), total + 2 * side);
        }
      }
    }
  });
  std::fill_n(sums, width + 2, 0.0);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t s = 0; s < width + 2; ++s) {
      for (std::size_t c = 0; c < side; ++c) sums[s] += totals[part * held + s * side + c];
    }
  }
}

}  // namespace credo
