// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// constexpr functions of templates: they may hold what can be no constant, choose a host function
// beside a template for the device, and give __builtin_assume_aligned its number.
#include "../check.h"

#include <vector>

enum class Chosen { nothing, host, device };

class Stream {
public:
  constexpr explicit Stream(int number) : number(number) {}
  int number;
};

template <class Group> __device__ Chosen chooseForGroup(const Group &group) {
  return group.thread_rank() == 0 ? Chosen::device : Chosen::nothing;
}

template <class Value> class Sketch {
public:
  // Not a constant anywhere, yet constexpr.
  [[nodiscard]] __host__ constexpr size_t count(size_t size) const {
    std::vector<Value> values(size);
    return values.size();
  }

  template <class Group> __device__ constexpr Chosen clear(const Group &group) {
    return chooseForGroup(group);
  }
  __host__ constexpr Chosen clear(Stream) { return Chosen::host; }

  // The host's to nvcc, and for both sides to Clang.
  constexpr Chosen clearAll(Stream stream) { return this->clear(stream); }

  __host__ __device__ static constexpr size_t alignment() {
    return sizeof(Value) * words < 16 ? sizeof(Value) * words : 16;
  }
  __host__ __device__ static Value last(const Value *values) {
    const void *place = __builtin_assume_aligned(values, least(alignment(), size_t(32)));
    return static_cast<const Value *>(place)[words - 1];
  }

private:
  static constexpr int words = 4;
  __host__ __device__ static constexpr const size_t &least(const size_t &a, const size_t &b) {
    return b < a ? b : a;
  }
};

struct Lane {
  __device__ unsigned thread_rank() const { return threadIdx.x; }
};

__global__ void use(const int *values, int *last, Chosen *chosen) {
  Sketch<int> sketch;
  *last = sketch.last(values);
  *chosen = sketch.clear(Lane());
}

int main() {
  DeviceBuffer<int> values(std::vector<int>{1, 2, 3, 4}), last(1);
  DeviceBuffer<Chosen> chosen(1);
  use<<<1, 1>>>(static_cast<const int *>(values), static_cast<int *>(last),
                static_cast<Chosen *>(chosen));
  CHECK_EQ(last.download()[0], 4);
  CHECK_EQ(int(chosen.download()[0]), int(Chosen::device));
  Sketch<int> sketch;
  CHECK_EQ(int(sketch.clearAll(Stream(1))), int(Chosen::host));
  CHECK_EQ(sketch.count(9), size_t(9));
  RETURN_RESULT();
}
