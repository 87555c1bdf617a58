// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of a GPU's random numbers an element gets from PyTorch's elementwise kernels.
#pragma once

#include "philox.h"
#include "random.h"

#include <ATen/Parallel.h>
#include <ATen/cuda/CUDAContextLight.h>

#include <algorithm>

namespace heddle::aten {

// A launch of PyTorch's random kernels: blocks of 256 threads, as many as the GPU holds at once,
// and each thread takes `Unroll` elements that lie a grid apart from four (or two wide) random
// numbers.
struct Grid {
  int64_t Elements, Unroll, Threads = 0;
  uint64_t Increment = 0; // of the generator's offset

  Grid(int64_t Elements, int64_t Unroll, c10::DeviceIndex Device)
      : Elements(Elements), Unroll(Unroll) {
    const cudaDeviceProp &Gpu = *at::cuda::getDeviceProperties(Device);
    const int64_t Resident =
        int64_t(Gpu.multiProcessorCount) * (Gpu.maxThreadsPerMultiProcessor / 256);
    Threads = 256 * std::min(Resident, (Elements + 255) / 256);
    if (Elements > 0)
      Increment = uint64_t((Elements - 1) / (Threads * Unroll) + 1) * 4;
  }

  // Calls `Each(words, first element, distance)` for the four words that a thread draws at once.
  template <typename Fn> void forEach(const Draw &From, const Fn &Each) const {
    const uint64_t Seed = From.seed(), Offset = From.offset();
    const int64_t Rounds = Elements ? (Elements - 1) / (Threads * Unroll) + 1 : 0;
    at::parallel_for(0, Rounds * Threads, 4096, [&](int64_t Begin, int64_t End) {
      for (int64_t I = Begin; I < End; ++I) {
        const int64_t Round = I / Threads, Thread = I % Threads;
        Each(philox(Seed, uint64_t(Thread), Offset + uint64_t(Round) * 4),
             Round * Threads * Unroll + Thread);
      }
    });
  }
};

// Fills `Out`, contiguous, with Value(random numbers, k) for the k-th of a thread's elements.
template <typename T, typename Fn>
void fill(T *Out, const Grid &G, const Draw &From, const Fn &Values) {
  G.forEach(From, [&](const Words &W, int64_t First) {
    const auto V = Values(W);
    for (int64_t K = 0; K < G.Unroll; ++K)
      if (const int64_t At = First + K * G.Threads; At < G.Elements)
        Out[At] = T(V[K]);
  });
}

} // namespace heddle::aten
