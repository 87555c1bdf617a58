// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of what an observer is told.
#pragma once

#include "cupti/call_names.h"
#include "engine/observe/host.h"

#include <atomic>
#include <string>

namespace heddle::cupti {

struct Times {
  uint64_t begin = 0, end = 0;
};

/// How records name streams: 7 is each device's default stream, as with NVIDIA's CUPTI.
uint32_t streamId(const engine::observe::StreamName &stream);
/// … and the primary context of a device, in which they say that all happens.
uint32_t contextId(int device);

/// A text that stays where it is: programs keep the pointers that records have.
const char *keepForEver(const std::string &text);

/// How records name the calling thread.
uint32_t threadId();
extern std::atomic<CUpti_ActivityThreadIdType> thread_id_type;

CUpti_ActivityKernel13 kernelRecord(CUpti_ActivityKind kind, const engine::observe::Task &task,
                                    const Times &times);
CUpti_ActivityMemcpy7 copyRecord(const engine::observe::Task &task, const Times &times);
/// Of a copy from one device to another.
CUpti_ActivityMemcpyPtoP4 peerCopyRecord(const engine::observe::Task &task, const Times &times);
CUpti_ActivityMemset5 fillRecord(const engine::observe::Task &task, const Times &times);
CUpti_ActivityAPI callRecord(const CallId &id, const engine::observe::Call &call,
                             const Times &times);
/// `event_number`: the recording of the event that it is about.
CUpti_ActivitySynchronization2 waitRecord(CUpti_ActivitySynchronizationType type,
                                          const engine::observe::Call &call, uint64_t event_number,
                                          const Times &times);
CUpti_ActivityCudaEvent3 eventRecord(const engine::observe::Call &call, uint64_t event_number);

} // namespace heddle::cupti
