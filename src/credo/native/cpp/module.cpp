// What Python sees: arrays in, arrays out, the interpreter free to go on while a loop runs.
#include "arrays.hpp"
#include "loops.hpp"
#include "networks/bind.hpp"
#include "parallel.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <nanobind/stl/optional.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using credo::require;
using credo::Result;
using credo::Zeros;

using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Answer = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <class Cell>
Result<Cell, 1> count(const std::vector<Codes>& columns, const std::vector<std::uint32_t>& sizes,
                      const double* weights) {
  require(!columns.empty() && columns.size() == sizes.size());
  const std::size_t rows = columns[0].shape(0);
  std::size_t cells = 1;
  std::vector<const std::int32_t*> data;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    require(columns[c].shape(0) == rows);
    data.push_back(columns[c].data());
    cells *= sizes[c];
    require(cells < (std::size_t{1} << 31));  // an index has 32 bits
  }
  Zeros<Cell> table(cells + 1);
  {
    nb::gil_scoped_release free;
    credo::contingency(data, sizes, weights, rows, cells, table.data());
  }
  return table.template release<1>({cells});
}

nb::object contingency(const std::vector<Codes>& columns, const std::vector<std::uint32_t>& sizes,
                       const std::optional<Vector>& weights) {
  if (!weights) return nb::cast(count<std::int64_t>(columns, sizes, nullptr));
  require(!columns.empty() && weights->shape(0) == columns[0].shape(0));
  return nb::cast(count<double>(columns, sizes, weights->data()));
}

Result<double, 2> log_sum_exp(const Cube& a) {
  const std::size_t outer = a.shape(0), length = a.shape(1), inner = a.shape(2);
  Zeros<double> out(outer * inner);
  {
    nb::gil_scoped_release free;
    credo::log_sum_exp(a.data(), outer, length, inner, out.data());
  }
  return out.release<2>({outer, inner});
}

std::tuple<Result<std::int64_t, 2>, Result<double, 2>, Result<double, 2>> grouped_moments(const Matrix& X,
                                                                                         const Codes& groups,
                                                                                         std::size_t k) {
  const std::size_t rows = X.shape(0), width = X.shape(1);
  require(groups.shape(0) == rows);
  Zeros<std::int64_t> count(k * width);
  Zeros<double> mean(k * width), variance(k * width);
  {
    nb::gil_scoped_release free;
    credo::grouped_moments(X.data(), groups.data(), rows, width, k, count.data(), mean.data(), variance.data());
  }
  return {count.release<2>({k, width}), mean.release<2>({k, width}), variance.release<2>({k, width})};
}

Result<double, 2> gaussian_log_joint(const Matrix& X, const Matrix& mean, const Matrix& variance,
                                     const Vector& log_prior) {
  const std::size_t rows = X.shape(0), width = X.shape(1), groups = mean.shape(0);
  require(mean.shape(1) == width && variance.shape(0) == groups && variance.shape(1) == width);
  require(log_prior.shape(0) == groups);
  Zeros<double> out(rows * groups);
  {
    nb::gil_scoped_release free;
    credo::gaussian_log_joint(X.data(), rows, width, mean.data(), variance.data(), log_prior.data(), groups,
                              out.data());
  }
  return out.release<2>({rows, groups});
}

std::tuple<double, Result<double, 1>, Result<double, 2>> sigmoid_pass(const Matrix& X, const Vector& w, double b,
                                                                      const Codes& codes, const Vector& weight) {
  const std::size_t rows = X.shape(0), width = X.shape(1);
  require(w.shape(0) == width && codes.shape(0) == rows && weight.shape(0) == rows);
  Zeros<double> gradient(width + 1), probs(2 * rows);
  double loss = 0;
  {
    nb::gil_scoped_release free;
    loss = credo::sigmoid_pass(X.data(), rows, width, w.data(), b, codes.data(), weight.data(), gradient.data(),
                               probs.data());
  }
  return {loss, gradient.release<1>({width + 1}), probs.release<2>({2, rows})};
}

// (The answer is large and made in Python, whose arrays come from larger pages of memory.)
void radial(int shape, const Matrix& U, const std::optional<Matrix>& V, double power, const Answer& out) {
  const std::size_t rows = U.shape(0), width = U.shape(1), others = V ? V->shape(0) : rows;
  require(!V || V->shape(1) == width);
  require(out.shape(0) == rows && out.shape(1) == others);
  nb::gil_scoped_release free;
  credo::radial(shape, U.data(), rows, V ? V->data() : nullptr, others, width, power, out.data());
}

std::tuple<double, Result<double, 1>, double> radial_pull(int shape, const Matrix& U,
                                                          const std::optional<Matrix>& along, const Matrix& W,
                                                          double power) {
  const std::size_t rows = U.shape(0), width = U.shape(1);
  require(W.shape(0) == rows && W.shape(1) == rows);
  require(!along || (along->shape(0) == rows && along->shape(1) == width));
  std::vector<double> sums(width + 2);
  {
    nb::gil_scoped_release free;
    credo::radial_pull(shape, U.data(), rows, width, along ? along->data() : nullptr, W.data(), power, sums.data());
  }
  Zeros<double> by_column(width);
  std::copy(sums.begin() + 2, sums.end(), by_column.data());
  return {sums[0], by_column.release<1>({width}), sums[1]};
}

// Beta, slack, steps and gap. What comes in is copied: a caller's arrays are its own.
template <class Cell>
std::tuple<Result<double, 1>, Result<double, 1>, std::int64_t, double> smo(
    const nb::ndarray<const Cell, nb::ndim<2>, nb::c_contig, nb::device::cpu>& K, const Vector& beta,
    const Vector& slack, const Vector& low, const Vector& high, double tolerance, std::int64_t steps) {
  const std::size_t n = K.shape(0);
  require(K.shape(1) == n && beta.shape(0) == n && slack.shape(0) == n && low.shape(0) == n && high.shape(0) == n);
  Zeros<double> moved(n), left(n);
  std::copy_n(beta.data(), n, moved.data());
  std::copy_n(slack.data(), n, left.data());
  credo::SmoEnd end;
  {
    nb::gil_scoped_release free;
    end = credo::smo(K.data(), n, low.data(), high.data(), tolerance, steps, moved.data(), left.data());
  }
  return {moved.template release<1>({n}), left.template release<1>({n}), end.steps, end.gap};
}

}  // namespace

NB_MODULE(_core, m) {
  m.def("set_threads", [](std::size_t n) { credo::thread_limit = std::max<std::size_t>(n, 1); }, "n"_a);
  m.def("contingency", &contingency, "columns"_a.noconvert(), "sizes"_a, "weights"_a.none());
  m.def("log_sum_exp", &log_sum_exp, "a"_a.noconvert());
  m.def("grouped_moments", &grouped_moments, "X"_a.noconvert(), "groups"_a.noconvert(), "k"_a);
  m.def("sigmoid_pass", &sigmoid_pass, "X"_a.noconvert(), "w"_a.noconvert(), "b"_a, "codes"_a.noconvert(),
        "weight"_a.noconvert());
  m.def("gaussian_log_joint", &gaussian_log_joint, "X"_a.noconvert(), "mean"_a.noconvert(), "variance"_a.noconvert(),
        "log_prior"_a.noconvert());
  m.def("radial", &radial, "shape"_a, "U"_a.noconvert(), "V"_a.noconvert().none(), "power"_a, "out"_a.noconvert());
  m.def("radial_pull", &radial_pull, "shape"_a, "U"_a.noconvert(), "along"_a.noconvert().none(), "W"_a.noconvert(),
        "power"_a);
  m.def("smo", &smo<float>, "K"_a.noconvert(), "beta"_a.noconvert(), "slack"_a.noconvert(), "low"_a.noconvert(),
        "high"_a.noconvert(), "tolerance"_a, "steps"_a);
  m.def("smo", &smo<double>, "K"_a.noconvert(), "beta"_a.noconvert(), "slack"_a.noconvert(), "low"_a.noconvert(),
        "high"_a.noconvert(), "tolerance"_a, "steps"_a);
  credo::networks::bind(m);
}
