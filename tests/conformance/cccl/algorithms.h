// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data for tests of device-wide algorithms: sizes at which blocks, tiles and grids begin and end,
// and values of which sums are exact in every type, so that the order of additions is of no
// account.
#pragma once

#include "../check.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

// HEDDLE_ENGINE=reference runs threads one by one, so the largest size is for the others.
inline std::vector<int> sizes() {
  std::vector<int> result = {0, 1, 31, 1000, 30001};
  const char *engine = std::getenv("HEDDLE_ENGINE");
  if (!engine || std::strcmp(engine, "reference") != 0)
    result.push_back(1000000);
  return result;
}

struct Random {
  uint64_t state = 88172645463325252ull;
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return uint32_t(state >> 20);
  }
};

// Small whole numbers, of both signs if the type has them.
template <class T> std::vector<T> smallValues(int count, int bound = 8) {
  Random random;
  std::vector<T> values(count);
  for (T &value : values)
    value = T(int(random.next() % unsigned(2 * bound)) - (T(-1) < T(0) ? bound : 0));
  return values;
}

// All bits of the type; of floating point, whole numbers of both signs.
template <class T> std::vector<T> keys(int count) {
  Random random;
  std::vector<T> values(count);
  for (T &value : values) {
    const uint64_t bits = uint64_t(random.next()) << 32 | random.next();
    if constexpr (std::is_floating_point_v<T>)
      value = T(int32_t(bits)) / 16;
    else
      value = T(bits);
  }
  return values;
}

template <class T> void checkSame(const std::vector<T> &got, const std::vector<T> &expected) {
  CHECK_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size() && i < expected.size(); ++i)
    CHECK_EQ(got[i], expected[i]);
}

// Memory of the device with room for no elements, too.
template <class T> struct Buffer : DeviceBuffer<T> {
  explicit Buffer(size_t count) : DeviceBuffer<T>(count + 1), size(count) {}
  explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) { this->upload(values); }
  std::vector<T> first(size_t count) const {
    std::vector<T> values = this->download();
    values.resize(count);
    return values;
  }
  std::vector<T> all() const { return first(size); }
  size_t size;
};

// CUB's algorithms are called twice: with no memory they say how much they need.
template <class F> void runCub(F call) {
  size_t bytes = 0;
  CHECK_CUDA(call(nullptr, bytes));
  DeviceBuffer<char> temporary(bytes + 1);
  CHECK_CUDA(call(static_cast<void *>(temporary.data()), bytes));
}
