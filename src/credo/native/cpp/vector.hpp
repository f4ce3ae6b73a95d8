// Loops that the compiler turns into vector instructions, chosen when the program is loaded so that one build runs on
// any machine.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__x86_64__) && defined(__ELF__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define CREDO_VECTOR __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CREDO_VECTOR
#endif

namespace credo {

// exp(x) for x <= 0, within two units in the last place, without a branch so that a loop over it can be vectorised;
// below -708 it stays at exp(-708). NaN stays NaN. Up to 700 it holds for x > 0 too.
inline double exp_negative(double x) {
  constexpr double log2_e = 1.4426950408889634, ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
  constexpr double shifter = 0x1.8p52;  // adding it leaves the rounded value in the low bits
  x = x < -708.0 ? -708.0 : x;
  const double shifted = x * log2_e + shifter;
  const double k = shifted - shifter;
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| <= ln(2)/2, where the series below is exact to 2^-53
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}

// log(x) for a normal x > 0, within two units in the last place, without a branch.
inline double log_normal(double x) {
  constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd;  // the bits of the square root of 1/2
  constexpr double shifter = 0x1.8p52;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) - root_half;
  const std::uint64_t exponent = (bits >> 52) - ((bits >> 63) << 12);  // signed, two's complement
  const double e = std::bit_cast<double>(exponent + std::bit_cast<std::uint64_t>(shifter)) - shifter;
  const double m = std::bit_cast<double>((bits & 0x000fffffffffffff) + root_half);  // from √½ to √2
  const double f = (m - 1.0) / (m + 1.0), s = f * f;
  double p = 2.0 / 21.0;
  p = p * s + 2.0 / 19.0;
  p = p * s + 2.0 / 17.0;
  p = p * s + 2.0 / 15.0;
  p = p * s + 2.0 / 13.0;
  p = p * s + 2.0 / 11.0;
  p = p * s + 2.0 / 9.0;
  p = p * s + 2.0 / 7.0;
  p = p * s + 2.0 / 5.0;
  p = p * s + 2.0 / 3.0;
  return e * ln2_high + (2.0 * f + (f * s * p + e * ln2_low));
}

// log(1 + x) for a finite x >= 0, within a few units in the last place.
inline double log_one_plus(double x) {
  const double whole = 1.0 + x;
  return log_normal(whole) + (x - (whole - 1.0)) / whole;
}

}  // namespace credo
