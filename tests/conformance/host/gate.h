// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the order of work in streams visible.
//
// A Gate holds a stream up until the host opens it: what waits for that stream is then seen not to
// have run, and what does not is seen to have. A Log notes in which order kernels ran. Programs
// that use them set CUDA_MODULE_LOADING=EAGER, as loading a kernel late would wait for the gate.
#pragma once

#include "check.h"
#include "stream.h"

/// Ends only when the host says so.
__global__ void waitForGate(volatile int *open) {
  while (*open == 0) {
  }
}

class Gate {
public:
  Gate() {
    void *memory = nullptr;
    CHECK_CUDA(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped));
    flag = static_cast<int *>(memory);
    *flag = 0;
  }
  Gate(const Gate &) = delete;
  Gate &operator=(const Gate &) = delete;
  ~Gate() { CHECK_CUDA(cudaFreeHost(const_cast<int *>(flag))); }

  /// Later work in the stream waits until open() is called.
  void holdUp(cudaStream_t stream) {
    waitForGate<<<1, 1, 0, stream>>>(flag);
    CHECK_CUDA(cudaGetLastError());
  }
  void open() { *flag = 1; }
  volatile int *data() const { return flag; }

private:
  volatile int *flag = nullptr;
};

__global__ void appendToLog(int *log, int entry) { log[1 + atomicAdd(log, 1)] = entry; }

/// Up to 100 entries in the order in which kernels added them.
class Log {
public:
  Log() : memory(101) { CHECK_CUDA(cudaDeviceSynchronize()); }
  void append(int entry, cudaStream_t stream) {
    appendToLog<<<1, 1, 0, stream>>>(memory, entry);
    CHECK_CUDA(cudaGetLastError());
  }
  /// The entries once all work is done.
  std::vector<int> entries() const {
    std::vector<int> all = memory.download();
    return std::vector<int>(all.begin() + 1, all.begin() + 1 + all[0]);
  }

private:
  DeviceBuffer<int> memory;
};
