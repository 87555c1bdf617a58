// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory, input that is the same in each run and each variant, and comparing results.
//
// Buffer is what a careful programmer allocates for large arrays on Linux: aligned to, and made of,
// huge pages where the kernel has them, as Heddle's and PoCL's device memory may be.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <sys/mman.h>

namespace bench {

/// An array of `size` elements, zero at first.
template <class T> class Buffer {
public:
  explicit Buffer(std::size_t size) : count(size) {
    const std::size_t page = std::size_t(2) << 20;
    const std::size_t bytes = (size * sizeof(T) + page - 1) / page * page;
    void *memory = std::aligned_alloc(page, bytes ? bytes : page);
    if (!memory)
      throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);
    elements = static_cast<T *>(memory);
    for (std::size_t i = 0; i < size; ++i)
      new (&elements[i]) T();
  }
  ~Buffer() { std::free(elements); }
  Buffer(Buffer &&other) noexcept : elements(other.elements), count(other.count) {
    other.elements = nullptr;
    other.count = 0;
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  T *data() { return elements; }
  const T *data() const { return elements; }
  std::size_t size() const { return count; }
  std::size_t bytes() const { return count * sizeof(T); }
  T &operator[](std::size_t i) { return elements[i]; }
  const T &operator[](std::size_t i) const { return elements[i]; }
  T *begin() { return elements; }
  T *end() { return elements + count; }

private:
  T *elements;
  std::size_t count;
};

/// 32 bits that look random, a function of `i` alone.
inline std::uint32_t randomBits(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 31) * 0xD6E8FEB86659FD93u;
  return std::uint32_t(x >> 32);
}

/// A number of [0, 1) that looks random, a function of `i` alone.
inline float randomUnit(std::uint64_t i) { return float(randomBits(i) >> 8) * 0x1p-24f; }

inline bool close(double actual, double expected, double tolerance) {
  return std::fabs(actual - expected) <= tolerance * (1 + std::fabs(expected));
}

/// What a check returns when an element is wrong.
inline std::string wrong(const std::string &what, double actual, double expected) {
  return what + " is " + std::to_string(actual) + ", expected " + std::to_string(expected);
}

} // namespace bench
