// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked CUDA calls and device arrays, for the CUDA variants.
#pragma once

#include "common/data.h"
#include "common/measure.h"
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t status = (call);                                                             \
    if (status != cudaSuccess)                                                                     \
      bench::Options::fail(std::string(#call) + ": " + cudaGetErrorString(status));                \
  } while (0)

namespace bench {

/// Copies a host array to new device memory, which lives as long as the program.
template <class T> T *toDevice(const T *host, std::size_t count) {
  T *device = nullptr;
  CHECK(cudaMalloc(&device, count * sizeof(T)));
  CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T> T *toDevice(const Buffer<T> &host) { return toDevice(host.data(), host.size()); }

/// New device memory, filled with zeros.
template <class T> T *onDevice(std::size_t count) {
  T *device = nullptr;
  CHECK(cudaMalloc(&device, count * sizeof(T)));
  CHECK(cudaMemset(device, 0, count * sizeof(T)));
  return device;
}

template <class T> Buffer<T> toHost(const T *device, std::size_t count) {
  Buffer<T> host(count);
  CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

/// Waits for the kernels before it; ends the program if one failed.
inline void finish() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

} // namespace bench
