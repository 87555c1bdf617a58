// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for both sides may contain calls of host functions, as long as no thread comes to them
// (nvcc: warning #20014-D): in templates, constructors, destructors and lambdas, too.
#include "check.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

static int calls = 0;

int countedOnHost(int x) {
  ++calls;
  return x + 1;
}

__host__ __device__ int plain(int x, bool on_host) { return on_host ? countedOnHost(x) : x + 2; }

template <class T> __host__ __device__ T twice(T x, bool on_host) {
  if (on_host)
    x = countedOnHost(x) - 1;
  return 2 * x;
}

/// Memory that only the host allocates.
struct Buffer {
  int *memory = nullptr;
  int size;

  __host__ __device__ explicit Buffer(int size, bool on_host) : size(size) {
    if (on_host) {
      memory = static_cast<int *>(std::calloc(size_t(size), sizeof(int)));
      note("made");
    }
  }
  __host__ __device__ ~Buffer() {
    if (memory) {
      note("gone");
      std::free(memory);
    }
  }
  static void note(const std::string &what) { notes.push_back(what); }
  static std::vector<std::string> notes;
};
std::vector<std::string> Buffer::notes;

/// Whose destructor Clang declares for the host alone.
__host__ __device__ int shared(int x, bool on_host) {
  if (on_host)
    return *std::make_shared<int>(x);
  return x;
}

__host__ __device__ int all(int x, bool on_host) {
  Buffer buffer(x, on_host);
  return plain(x, on_host) + twice(x, on_host) + shared(x, on_host) + buffer.size;
}

__global__ void onDevice(int *out, int x, bool on_host) { out[threadIdx.x] = all(x, on_host); }

int main() {
  DeviceBuffer<int> out(32);
  onDevice<<<1, 32>>>(out.data(), 5, false);
  for (int value : out.download())
    CHECK_EQ(value, 7 + 10 + 5 + 5);
  CHECK_EQ(all(5, true), 6 + 10 + 5 + 5);
  CHECK_EQ(calls, 2);
  CHECK_EQ(Buffer::notes.size(), 2u);
  RETURN_RESULT();
}
