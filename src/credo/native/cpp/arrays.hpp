// Arrays that go to and come from Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

namespace credo {

namespace nb = nanobind;

template <class T, std::size_t n>
using Result = nb::ndarray<nb::numpy, T, nb::ndim<n>, nb::c_contig>;

// Zeros that Python takes over when the loop is done.
template <class T>
class Zeros {
 public:
  explicit Zeros(std::size_t size) : data_(static_cast<T*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(T)))) {
    if (!data_) throw std::bad_alloc();
  }
  T* data() const { return data_.get(); }
  template <std::size_t n>
  Result<T, n> release(const std::size_t (&shape)[n]) {
    T* data = data_.get();
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    static_cast<void>(data_.release());
    return Result<T, n>(data, n, shape, owner);
  }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
};

// The border in Python has checked this already and says it better; here it only keeps the loops within their arrays.
inline void require(bool fits) {
  if (!fits) throw std::invalid_argument("shapes do not fit each other");
}

}  // namespace credo
