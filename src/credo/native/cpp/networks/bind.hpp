#pragma once

#include <nanobind/nanobind.h>

namespace credo::networks {

void bind(nanobind::module_& m);

}  // namespace credo::networks
