// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects CUPTI's records in memory, for programs that look at them.
#pragma once

#include "../check.h"

#include <cupti.h>
#include <mutex>
#include <string>
#include <vector>

#define CHECK_CUPTI(call) CHECK_EQ(int(call), int(CUPTI_SUCCESS))

namespace records {

inline size_t buffer_bytes = 64 << 10;
inline int requested = 0, completed = 0;
inline std::mutex mutex;
inline std::vector<CUpti_ActivityKernel9> kernels;
inline std::vector<CUpti_ActivityMemcpy5> copies;
inline std::vector<CUpti_ActivityMemcpyPtoP4> peer_copies;
inline std::vector<CUpti_ActivityMemset4> fills;
inline std::vector<CUpti_ActivityAPI> calls;
inline std::vector<CUpti_ActivityExternalCorrelation> external;
inline std::vector<CUpti_ActivitySynchronization2> waits;
inline std::vector<CUpti_ActivityCudaEvent2> events;

inline void request(uint8_t **buffer, size_t *size, size_t *most) {
  const std::lock_guard lock(mutex);
  ++requested;
  *size = buffer_bytes;
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(8, buffer_bytes));
  *most = 0;
}

template <class Record> void take(std::vector<Record> &to, const CUpti_Activity *record) {
  to.push_back(*reinterpret_cast<const Record *>(record));
}

inline void sort(const CUpti_Activity *record) {
  switch (record->kind) {
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
  case CUPTI_ACTIVITY_KIND_KERNEL:
    return take(kernels, record);
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    return take(copies, record);
  case CUPTI_ACTIVITY_KIND_MEMCPY2:
    return take(peer_copies, record);
  case CUPTI_ACTIVITY_KIND_MEMSET:
    return take(fills, record);
  case CUPTI_ACTIVITY_KIND_RUNTIME:
  case CUPTI_ACTIVITY_KIND_DRIVER:
    return take(calls, record);
  case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
    return take(external, record);
  case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
    return take(waits, record);
  case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
    return take(events, record);
  default:
    CHECK(!"a kind that was asked for");
  }
}

inline void complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  const std::lock_guard lock(mutex);
  ++completed;
  CUpti_Activity *record = nullptr;
  CUptiResult result = CUPTI_SUCCESS;
  while ((result = cuptiActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS)
    sort(record);
  CHECK_EQ(int(result), int(CUPTI_ERROR_MAX_LIMIT_REACHED));
  std::free(buffer);
}

inline void clear() {
  kernels.clear();
  copies.clear();
  peer_copies.clear();
  fills.clear();
  calls.clear();
  external.clear();
  waits.clear();
  events.clear();
}

/// The call with that number in the program; null if there is none.
inline const CUpti_ActivityAPI *callOf(uint32_t correlation) {
  for (const CUpti_ActivityAPI &call : calls)
    if (call.correlationId == correlation)
      return &call;
  return nullptr;
}

inline std::string nameOf(const CUpti_ActivityAPI *call) {
  const char *name = nullptr;
  if (call)
    cuptiGetCallbackName(call->kind == CUPTI_ACTIVITY_KIND_RUNTIME ? CUPTI_CB_DOMAIN_RUNTIME_API
                                                                   : CUPTI_CB_DOMAIN_DRIVER_API,
                         call->cbid, &name);
  return name ? name : "";
}

} // namespace records
