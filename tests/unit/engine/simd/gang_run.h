// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a SIMD kernel that is a plain C++ function: what compiled code does for a gang, by hand.
//
// Such a function goes through its lanes one by one where compiled code would use vectors. To wait,
// it writes a record and returns; `state` says where it goes on.
#pragma once

#include "engine/abi.h"
#include "engine/warp.h"
#include "kernel_run.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace heddle::engine {

/// A group's record, with the values that are the same for all its lanes.
struct Record : GroupRecord {
  uint64_t values[2];
};

/// Runs a kernel whose records are `Record`s, if it waits at all; `info` says the rest.
std::optional<Fault> runGangs(const KernelRun &run, SimdKernelInfo info, const void *parameters);

// ---- For kernels -------------------------------------------------------------------------------

inline void suspend(GangContext *gang, uint32_t lanes, uint32_t state, Suspension kind,
                    uint32_t operand0 = 0, uint32_t operand1 = 0, uint32_t operand2 = 0,
                    uint64_t value0 = 0, uint64_t value1 = 0) {
  auto *record = static_cast<Record *>(gang->suspended);
  record->lanes = lanes;
  record->state = state;
  record->kind = kind;
  record->operands[0] = operand0;
  record->operands[1] = operand1;
  record->operands[2] = operand2;
  record->values[0] = value0;
  record->values[1] = value1;
  gang->suspended = record + 1;
}

inline void waitAtBarrier(GangContext *gang, uint32_t lanes, uint32_t state, uint32_t id = 0,
                          uint32_t count = 0, BarrierReduction reduction = BarrierReduction::None) {
  suspend(gang, lanes, state, Suspension::Barrier, id, count, uint32_t(reduction));
}

/// Asks for a warp operation on behalf of one lane.
inline void request(GangContext *gang, uint32_t lane, uint32_t mask, uint64_t value) {
  gang->requests[lane].mask = mask;
  gang->requests[lane].value = value;
}

inline uint32_t indexOf(const GangContext *gang, uint32_t lane) {
  return gang->linear_index + lane;
}

template <typename T> T &parametersAs(const void *parameters) {
  return *const_cast<T *>(static_cast<const T *>(parameters));
}

/// What kernels note down.
struct GangLog {
  struct Call {
    uint32_t block, gang, lanes, state;
    bool operator==(const Call &) const = default;
  };
  std::mutex lock;
  std::vector<Call> calls;
  std::atomic<int> wrong{0}, count{0};
  std::atomic<uint32_t> values[1024] = {};

  static GangLog &of(const void *parameters) { return parametersAs<GangLog>(parameters); }
  void add(const GangContext *gang, uint32_t lanes, uint32_t state) {
    std::lock_guard guard(lock);
    calls.push_back({blockOf(gang), gang->linear_index, lanes, state});
  }
};

inline SimdKernelInfo gangKernel(SimdEntry entry, uint32_t gang_lanes = 32, bool waits = true) {
  SimdKernelInfo info = {};
  info.name = "fake";
  info.entry = entry;
  info.gang_lanes = gang_lanes;
  info.frame_bytes = 100;
  info.record_bytes = waits ? sizeof(Record) : 0;
  info.calls_lanes = 1;
  info.warp_level = gang_lanes == 32;
  info.stack_bytes = 4096;
  return info;
}

} // namespace heddle::engine
