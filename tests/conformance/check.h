// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a conformance program needs to check itself, on the host only: device code reports by
// writing to memory.
//
//   CHECK(condition)                 CHECK_EQ(actual, expected)
//   CHECK_NEAR(actual, expected, allowed difference)
//   CHECK_CUDA(call)                 ends the program if the call does not return cudaSuccess
//   RETURN_RESULT();                 the end of main
//   DeviceBuffer<T>                  device memory that fills and reads itself
//
// A failed check prints file, line and values to stderr. The program's exit code is 1 when a check
// failed, and also when none ran.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <type_traits>
#include <vector>

namespace check {

struct Counts {
  long long checks = 0;
  long long failures = 0;
};

inline Counts &counts() {
  static Counts instance;
  return instance;
}

template <class T> void print(const T &value) {
  if constexpr (std::is_same_v<T, bool>)
    std::fprintf(stderr, "%s", value ? "true" : "false");
  else if constexpr (std::is_enum_v<T>)
    std::fprintf(stderr, "%lld", static_cast<long long>(value));
  else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    std::fprintf(stderr, "%lld", static_cast<long long>(value));
  else if constexpr (std::is_integral_v<T>)
    std::fprintf(stderr, "%llu (0x%llx)", static_cast<unsigned long long>(value),
                 static_cast<unsigned long long>(value));
  else if constexpr (std::is_floating_point_v<T>)
    std::fprintf(stderr, "%.17g (%a)", static_cast<double>(value), static_cast<double>(value));
  else if constexpr (std::is_pointer_v<T>)
    std::fprintf(stderr, "%p", static_cast<const void *>(value));
  else
    std::fprintf(stderr, "(%zu bytes)", sizeof(T));
}

/// Counts a check; true if it failed and is to be reported. Many failures are reported only by
/// count.
inline bool failed(bool good, const char *file, int line, const char *text) {
  ++counts().checks;
  if (good)
    return false;
  if (++counts().failures > 10)
    return false;
  std::fprintf(stderr, "%s:%d: check failed: %s", file, line, text);
  return true;
}

inline void checkTrue(bool good, const char *file, int line, const char *text) {
  if (failed(good, file, line, text))
    std::fprintf(stderr, "\n");
}

template <class A, class B>
void checkEqual(const A &actual, const B &expected, const char *file, int line, const char *text) {
  if (failed(actual == static_cast<A>(expected), file, line, text)) {
    std::fprintf(stderr, ": is ");
    print(actual);
    std::fprintf(stderr, ", expected ");
    print(expected);
    std::fprintf(stderr, "\n");
  }
}

inline void checkNear(double actual, double expected, double allowed, const char *file, int line,
                      const char *text) {
  const bool good = std::fabs(actual - expected) <= allowed; // false for NaN
  if (failed(good, file, line, text))
    std::fprintf(stderr, ": is %.17g, expected %.17g within %g\n", actual, expected, allowed);
}

inline void checkCuda(cudaError_t error, const char *file, int line, const char *text) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s (%d)\n", file, line, text, cudaGetErrorName(error),
               static_cast<int>(error));
  std::exit(1);
}

inline int result() {
  std::fflush(stdout);
  const Counts &total = counts();
  if (total.failures != 0)
    std::fprintf(stderr, "%lld of %lld checks failed\n", total.failures, total.checks);
  if (total.checks == 0)
    std::fprintf(stderr, "no check ran\n");
  return total.failures != 0 || total.checks == 0 ? 1 : 0;
}

} // namespace check

#define CHECK(condition)                                                                           \
  check::checkTrue(static_cast<bool>(condition), __FILE__, __LINE__, #condition)
#define CHECK_EQ(actual, expected)                                                                 \
  check::checkEqual((actual), (expected), __FILE__, __LINE__, #actual " == " #expected)
#define CHECK_NEAR(actual, expected, allowed)                                                      \
  check::checkNear((actual), (expected), (allowed), __FILE__, __LINE__, #actual " ~ " #expected)
#define CHECK_CUDA(call) check::checkCuda((call), __FILE__, __LINE__, #call)
#define RETURN_RESULT() return check::result()

/// `count` elements of device memory, zero or copied from the host at first, freed at the end. The
/// host waits for the zeros, as a stream made with cudaStreamNonBlocking would not (CUDA
/// Programming Guide, "Implicit Synchronization").
template <class T> class DeviceBuffer {
public:
  explicit DeviceBuffer(size_t count) : count(count) {
    CHECK_CUDA(cudaMalloc(reinterpret_cast<void **>(&pointer), count * sizeof(T)));
    CHECK_CUDA(cudaMemset(pointer, 0, count * sizeof(T)));
    CHECK_CUDA(cudaStreamSynchronize(nullptr));
  }
  explicit DeviceBuffer(const std::vector<T> &values) : DeviceBuffer(values.size()) {
    upload(values);
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { CHECK_CUDA(cudaFree(pointer)); }

  void upload(const std::vector<T> &values) {
    CHECK_CUDA(
        cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  /// The contents once all kernels launched so far have ended well.
  std::vector<T> download() const {
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<T> values(count);
    CHECK_CUDA(cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  T *data() const { return pointer; }
  operator T *() const { return pointer; }

private:
  T *pointer = nullptr;
  size_t count;
};
