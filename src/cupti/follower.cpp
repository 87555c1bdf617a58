// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cupti/follower.h"

#include "cupti/buffers.h"
#include "cupti/subscriber.h"
#include "engine/observe/entry_point.h"

#include <ctime>

namespace heddle::cupti {
namespace {

using namespace engine::observe;

std::atomic<CUpti_TimestampCallbackFunc> program_clock = nullptr;

/// The call that this thread is in, and when the task that it runs has begun.
struct Thread {
  CallId id;
  uint64_t call_begin = 0, task_begin = 0;
  uint64_t subscriber_data = 0;
};
thread_local Thread thread;

struct Wait {
  std::string_view name;
  CUpti_ActivitySynchronizationType type;
};
constexpr Wait waits[] = {
    {"cudaDeviceSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE},
    {"cudaThreadSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE},
    {"cuCtxSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE},
    {"cudaStreamSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE},
    {"cuStreamSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE},
    {"cudaStreamWaitEvent", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT},
    {"cuStreamWaitEvent", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT},
    {"cudaEventSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE},
    {"cuEventSynchronize", CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE},
};

CUpti_ActivitySynchronizationType waitOf(std::string_view name) {
  for (const Wait &wait : waits)
    if (wait.name == name)
      return wait.type;
  return CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN;
}

bool recordsEvent(std::string_view name) {
  return name == "cudaEventRecord" || name == "cudaEventRecordWithFlags" ||
         name == "cuEventRecord" || name == "cuEventRecordWithFlags";
}

bool isSupported(CUpti_ActivityKind kind) {
  switch (kind) {
  case CUPTI_ACTIVITY_KIND_MEMCPY:
  case CUPTI_ACTIVITY_KIND_MEMCPY2:
  case CUPTI_ACTIVITY_KIND_MEMSET:
  case CUPTI_ACTIVITY_KIND_KERNEL:
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
  case CUPTI_ACTIVITY_KIND_DRIVER:
  case CUPTI_ACTIVITY_KIND_RUNTIME:
  case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
  case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
  case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
  case CUPTI_ACTIVITY_KIND_OVERHEAD: // none that CUPTI knows of arises
    return true;
  default:
    return false;
  }
}

} // namespace

uint64_t now() {
  if (const CUpti_TimestampCallbackFunc clock = program_clock.load(std::memory_order_relaxed))
    return clock();
  timespec time = {};
  clock_gettime(CLOCK_REALTIME, &time); // the time of day, as NVIDIA's CUPTI has it
  return uint64_t(time.tv_sec) * 1'000'000'000 + uint64_t(time.tv_nsec);
}

void setClock(CUpti_TimestampCallbackFunc clock) { program_clock = clock; }

Follower &Follower::instance() {
  static Follower *follower = [] {
    auto *made = new Follower; // calls may be under way to the program's end
    made->next_ = hostObserver();
    host_observer.store(made, std::memory_order_release);
    return made;
  }();
  return *follower;
}

CUptiResult Follower::enable(CUpti_ActivityKind kind, bool enable) {
  if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT)
    return CUPTI_ERROR_INVALID_KIND;
  if (!isSupported(kind))
    return enable ? notSupported(("records of the activity kind " + std::to_string(kind)).c_str())
                  : CUPTI_SUCCESS;
  kinds_[kind] = enable;
  return CUPTI_SUCCESS;
}

CUptiResult Follower::enableCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, bool enable) {
  if (id == 0 || id >= sizeOfDomain(domain))
    return CUPTI_ERROR_INVALID_PARAMETER;
  (domain == CUPTI_CB_DOMAIN_RUNTIME_API ? runtime_calls_[id] : driver_calls_[id]) = enable;
  return CUPTI_SUCCESS;
}

void Follower::disableAll() {
  for (auto &each : kinds_)
    each = false;
  for (auto &each : runtime_calls_)
    each = false;
  for (auto &each : driver_calls_)
    each = false;
}

std::vector<uint64_t> &Follower::externalIds(CUpti_ExternalCorrelationKind kind) {
  thread_local std::array<std::vector<uint64_t>, CUPTI_EXTERNAL_CORRELATION_KIND_SIZE> ids;
  return ids[kind];
}

bool Follower::recordsCall(const CallId &id) const {
  if (id.domain == CUPTI_CB_DOMAIN_RUNTIME_API)
    return records(CUPTI_ACTIVITY_KIND_RUNTIME) || runtime_calls_[id.id];
  return records(CUPTI_ACTIVITY_KIND_DRIVER) || driver_calls_[id.id];
}

uint64_t Follower::numberOf(uint64_t event, bool recorded) {
  const std::lock_guard lock(mutex_);
  uint64_t &number = recordings_[event];
  if (recorded)
    number = ++last_recording_;
  return number;
}

// ---- Calls --------------------------------------------------------------------------------------

void Follower::calling(const Call &call) {
  if (next_)
    next_->calling(call);
  thread.id = findCall(entryPoint(call));
  if (thread.id.domain == CUPTI_CB_DOMAIN_INVALID)
    return;
  thread.subscriber_data = 0;
  Subscriber::instance().callBegins(thread.id, call, thread.subscriber_data);
  // Before the records of what the call does, which readers relate to it.
  if (records(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
    writeExternalIds(call);
  thread.call_begin = now();
}

void Follower::writeExternalIds(const Call &call) const {
  for (int kind = CUPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN;
       kind < CUPTI_EXTERNAL_CORRELATION_KIND_SIZE; ++kind) {
    const auto external = CUpti_ExternalCorrelationKind(kind);
    const std::vector<uint64_t> &ids = externalIds(external);
    if (ids.empty())
      continue;
    CUpti_ActivityExternalCorrelation record = {};
    record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    record.externalKind = external;
    record.externalId = ids.back();
    record.correlationId = uint32_t(call.number);
    Buffers::instance().write(record);
  }
}

void Follower::called(const Call &call) {
  const CallId id = thread.id;
  if (id.domain != CUPTI_CB_DOMAIN_INVALID) {
    const Times times = {thread.call_begin, now()};
    writeWait(id, call, times);
    if (recordsCall(id))
      Buffers::instance().write(callRecord(id, call, times));
    Subscriber::instance().callEnds(id, call, thread.subscriber_data);
  }
  if (next_)
    next_->called(call);
}

void Follower::writeWait(const CallId &id, const Call &call, const Times &times) {
  if (recordsEvent(id.name)) {
    if (!records(CUPTI_ACTIVITY_KIND_CUDA_EVENT) && !records(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION))
      return;
    const uint64_t number = numberOf(call.event, true);
    if (records(CUPTI_ACTIVITY_KIND_CUDA_EVENT))
      Buffers::instance().write(eventRecord(call, number));
    return;
  }
  const CUpti_ActivitySynchronizationType type = waitOf(id.name);
  if (type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN)
    return;
  if (records(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION))
    Buffers::instance().write(
        waitRecord(type, call, call.event ? numberOf(call.event, false) : 0, times));
  if (type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE)
    Subscriber::instance().synchronized(CUPTI_CBID_SYNCHRONIZE_STREAM_SYNCHRONIZED, call);
  else if (type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE)
    Subscriber::instance().synchronized(CUPTI_CBID_SYNCHRONIZE_CONTEXT_SYNCHRONIZED, call);
}

// ---- Devices' work ------------------------------------------------------------------------------

void Follower::begins(TaskKind kind) {
  if (next_)
    next_->begins(kind);
  thread.task_begin = now();
}

void Follower::done(const Task &task) {
  const Times times = {thread.task_begin, now()};
  Buffers &buffers = Buffers::instance();
  if (task.kind == TaskKind::Kernel) {
    if (records(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL))
      buffers.write(kernelRecord(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, task, times));
    else if (records(CUPTI_ACTIVITY_KIND_KERNEL))
      buffers.write(kernelRecord(CUPTI_ACTIVITY_KIND_KERNEL, task, times));
  } else if (task.kind == TaskKind::Copy) {
    const bool between =
        task.from_device >= 0 && task.to_device >= 0 && task.from_device != task.to_device;
    if (between && records(CUPTI_ACTIVITY_KIND_MEMCPY2))
      buffers.write(peerCopyRecord(task, times));
    else if (!between && records(CUPTI_ACTIVITY_KIND_MEMCPY))
      buffers.write(copyRecord(task, times));
  } else if (task.kind == TaskKind::Fill && records(CUPTI_ACTIVITY_KIND_MEMSET)) {
    buffers.write(fillRecord(task, times));
  }
  if (next_)
    next_->done(task);
}

// ---- Contexts and streams -----------------------------------------------------------------------

void Follower::made(Resource what, const void *context, const void *stream) {
  if (next_)
    next_->made(what, context, stream);
  Subscriber::instance().resource(what == Resource::Context ? CUPTI_CBID_RESOURCE_CONTEXT_CREATED
                                                            : CUPTI_CBID_RESOURCE_STREAM_CREATED,
                                  context, stream);
}

void Follower::ends(Resource what, const void *context, const void *stream) {
  Subscriber::instance().resource(what == Resource::Context
                                      ? CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING
                                      : CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING,
                                  context, stream);
  if (next_)
    next_->ends(what, context, stream);
}

// ---- What is not for CUPTI ----------------------------------------------------------------------

void Follower::profiler(bool on) {
  if (next_)
    next_->profiler(on);
}
bool Follower::followsManaged() const { return next_ && next_->followsManaged(); }
void Follower::managed(const void *base, size_t bytes) {
  if (next_)
    next_->managed(base, bytes);
}
void Follower::hinted(const ManagedHint &hint) {
  if (next_)
    next_->hinted(hint);
}
void Follower::annotated(const Annotation &annotation) {
  if (next_)
    next_->annotated(annotation);
}

} // namespace heddle::cupti
