// Models and engines as Python sees them; the border in Python has checked what comes in.
#include "bind.hpp"

#include "../arrays.hpp"
#include "engine.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

namespace nb = nanobind;
using namespace nb::literals;

namespace credo::networks {
namespace {

using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using NumberRows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

struct HeldModel : Model {
  std::vector<Numbers> held;  // keeps the tables alive
};

void require_variables(const Model& model, const Scope& scope) {
  for (const auto v : scope) require(v >= 0 && static_cast<std::size_t>(v) < model.sizes.size());
}

class HeldEngine {
 public:
  HeldEngine(const HeldModel& model, const Question& question)
      : observed(question.observed), soft(question.soft), sizes(model.sizes), maximises(!question.maximise.empty()),
        engine(model, question) {}

  const Scope observed, soft, sizes;
  const bool maximises;
  Engine engine;

  void check(const std::int32_t* codes, std::size_t rows) const {
    for (std::size_t row = 0; row < rows; ++row) {
      for (const auto v : observed) {
        const auto code = *codes++;
        require(code >= 0 && code < sizes[v]);
      }
    }
  }

  Query query(const Codes& codes, const std::vector<std::optional<Numbers>>& likelihood) const {
    require(codes.shape(0) == observed.size() && likelihood.size() == soft.size());
    check(codes.data(), 1);
    Query made{codes.data(), {}};
    for (std::size_t i = 0; i < soft.size(); ++i) {
      require(!likelihood[i] || likelihood[i]->shape(0) == static_cast<std::size_t>(sizes[soft[i]]));
      made.likelihood.push_back(likelihood[i] ? likelihood[i]->data() : nullptr);
    }
    return made;
  }
};

HeldModel* make_model(const std::vector<std::int32_t>& sizes, const std::vector<Scope>& scopes,
                      const std::vector<Numbers>& values, const std::vector<bool>& laws) {
  require(scopes.size() == values.size() && scopes.size() == laws.size());
  auto model = std::make_unique<HeldModel>();
  model->sizes = sizes;
  for (const auto size : sizes) require(size >= 1);
  for (std::size_t f = 0; f < scopes.size(); ++f) {
    require_variables(*model, scopes[f]);
    std::size_t cells = 1;
    for (const auto v : scopes[f]) cells *= static_cast<std::size_t>(sizes[v]);
    require(values[f].shape(0) == cells && (!laws[f] || !scopes[f].empty()));
    model->factors.push_back({scopes[f], values[f].data(), laws[f]});
  }
  model->held = values;
  return model.release();
}

HeldEngine* make_engine(const HeldModel& model, const Scope& factors, const Scope& observed, const Scope& soft,
                        const std::vector<Scope>& wanted, const std::vector<bool>& maximise, bool root_first,
                        double effort) {
  for (const auto f : factors) require(f >= 0 && static_cast<std::size_t>(f) < model.factors.size());
  require_variables(model, observed);
  require_variables(model, soft);
  for (const auto& scope : wanted) require_variables(model, scope);
  require(maximise.empty() || maximise.size() == model.sizes.size());
  const Question question{factors, observed, soft, wanted, {maximise.begin(), maximise.end()}, root_first, effort};
  nb::gil_scoped_release free;
  return new HeldEngine(model, question);
}

std::tuple<Result<double, 1>, double, bool> answer(HeldEngine& self, const Codes& codes,
                                                   const std::vector<std::optional<Numbers>>& likelihood) {
  require(!self.maximises);
  const auto query = self.query(codes, likelihood);
  Zeros<double> answers(self.engine.answer_cells());
  Outcome outcome;
  {
    nb::gil_scoped_release free;
    outcome = self.engine.answer(query, answers.data());
  }
  return {answers.release<1>({self.engine.answer_cells()}), outcome.log_evidence, outcome.sure};
}

std::tuple<Result<std::int32_t, 1>, double, bool> explain(HeldEngine& self, const Codes& codes,
                                                          const std::vector<std::optional<Numbers>>& likelihood) {
  require(self.maximises);
  const auto query = self.query(codes, likelihood);
  Zeros<std::int32_t> found(self.sizes.size());
  Outcome outcome;
  {
    nb::gil_scoped_release free;
    outcome = self.engine.explain(query, found.data());
  }
  return {found.release<1>({self.sizes.size()}), outcome.log_evidence, outcome.sure};
}

std::tuple<Result<std::int32_t, 2>, double, bool> draw(HeldEngine& self, const Codes& codes,
                                                       const std::vector<std::optional<Numbers>>& likelihood,
                                                       const NumberRows& uniform) {
  require(!self.maximises);
  const auto query = self.query(codes, likelihood);
  const std::size_t rows = uniform.shape(0);
  require(uniform.shape(1) == self.engine.tree().cliques.size());
  Zeros<std::int32_t> found(rows * self.sizes.size());
  Outcome outcome;
  {
    nb::gil_scoped_release free;
    outcome = self.engine.draw(query, rows, uniform.data(), found.data());
  }
  return {found.release<2>({rows, self.sizes.size()}), outcome.log_evidence, outcome.sure};
}

std::tuple<Result<double, 2>, Result<double, 1>, Result<std::uint8_t, 1>> answer_rows(
    HeldEngine& self, const Rows& codes, const std::vector<std::optional<NumberRows>>& likelihood) {
  const std::size_t rows = codes.shape(0);
  require(!self.maximises && codes.shape(1) == self.observed.size() && likelihood.size() == self.soft.size());
  self.check(codes.data(), rows);
  std::vector<const double*> held;
  for (std::size_t i = 0; i < likelihood.size(); ++i) {
    require(!likelihood[i] || (likelihood[i]->shape(0) == rows &&
                               likelihood[i]->shape(1) == static_cast<std::size_t>(self.sizes[self.soft[i]])));
    held.push_back(likelihood[i] ? likelihood[i]->data() : nullptr);
  }
  const std::size_t cells = self.engine.answer_cells();
  Zeros<double> answers(rows * cells), log_evidence(rows);
  Zeros<std::uint8_t> sure(rows);
  {
    nb::gil_scoped_release free;
    self.engine.answer_rows(rows, codes.data(), held, answers.data(), log_evidence.data(), sure.data());
  }
  return {answers.release<2>({rows, cells}), log_evidence.release<1>({rows}), sure.release<1>({rows})};
}

std::vector<Scope> cliques(const HeldEngine& self) {
  std::vector<Scope> found;
  for (const auto& clique : self.engine.tree().cliques) found.push_back(self.engine.named(clique.scope));
  return found;
}

Scope parents(const HeldEngine& self) {
  Scope found;
  for (const auto& clique : self.engine.tree().cliques) found.push_back(clique.parent);
  return found;
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<HeldModel>(m, "Model");
  m.def("network_model", &make_model, "sizes"_a, "scopes"_a, "values"_a, "laws"_a);
  nb::class_<HeldEngine>(m, "Engine")
      .def("answer", &answer, "codes"_a.noconvert(), "likelihood"_a)
      .def("answer_rows", &answer_rows, "codes"_a.noconvert(), "likelihood"_a)
      .def("explain", &explain, "codes"_a.noconvert(), "likelihood"_a)
      .def("draw", &draw, "codes"_a.noconvert(), "likelihood"_a, "uniform"_a.noconvert())
      .def("cancel", [](HeldEngine& self) { self.engine.cancel(); })
      .def_prop_ro("progress", [](const HeldEngine& self) { return self.engine.progress(); })
      .def("answer_axes", [](HeldEngine& self) { return self.engine.answer_axes(); })
      .def_prop_ro("entries", [](const HeldEngine& self) { return self.engine.tree().entries; })
      .def_prop_ro("widest", [](const HeldEngine& self) { return self.engine.tree().widest; })
      .def_prop_ro("message_cells", [](const HeldEngine& self) { return self.engine.message_cells(); })
      .def_prop_ro("cliques", &cliques)
      .def_prop_ro("parents", &parents)
      .def_prop_ro("order", [](const HeldEngine& self) { return self.engine.named(self.engine.order().variables); })
      .def_prop_ro("orders_tried", [](const HeldEngine& self) { return self.engine.order().tried; });
  m.def("network_engine", &make_engine, "model"_a, "factors"_a, "observed"_a, "soft"_a, "wanted"_a, "maximise"_a,
        "root_first"_a, "effort"_a, nb::keep_alive<0, 1>());  // it reads the tables where they are
}

}  // namespace credo::networks
