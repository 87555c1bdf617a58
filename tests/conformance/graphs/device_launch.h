// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs that kernels launch, in few lines.
#pragma once

#include "graphs.h"

#include <cuda_device_runtime_api.h>

/// What kernels have done, in order.
struct Log {
  int count;
  int entries[64];
};

__device__ inline void note(Log *log, int what) { log->entries[atomicAdd(&log->count, 1)] = what; }
__global__ void noteKernel(Log *log, int what) { note(log, what); }

inline bool happened(const DeviceBuffer<Log> &log, const std::vector<int> &expected) {
  const Log got = log.download()[0];
  return std::vector<int>(got.entries, got.entries + got.count) == expected;
}

/// A graph of one kernel that notes a number; kernels may launch it.
inline cudaGraph_t noteGraph(Log *log, int what) {
  cudaGraph_t graph = newGraph();
  addKernel(graph, {}, noteKernel, log, what);
  return graph;
}

/// An executable that kernels may launch, uploaded.
class Launchable : public Executable {
public:
  explicit Launchable(cudaGraph_t graph) : Executable(graph, cudaGraphInstantiateFlagDeviceLaunch) {
    CHECK_CUDA(cudaGraphUpload(*this, nullptr));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
};
