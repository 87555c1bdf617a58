// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution contexts, and the parts of a device's multiprocessors that green contexts have.
#include "device/partition/execution_context.h"
#include "api/entry.h"
#include "device/partition/multiprocessors.h"

#include <algorithm>
#include <climits>
#include <cstring>

using namespace heddle;
using namespace heddle::api;

namespace {

// What a cudaDevResource holds where programs do not look.
struct Hidden {
  static constexpr unsigned mark = 0x48444c52;
  unsigned marked = mark;
  int device = 0;
  unsigned split = 0;
  bool rest = false;
};

void write(const SmResource &sm, cudaDevResource &resource) {
  const Hidden hidden{.device = sm.device, .split = sm.split, .rest = sm.rest};
  resource = {};
  resource.type = cudaDevResourceTypeSm;
  std::memcpy(resource._internal_padding, &hidden, sizeof hidden);
  resource.sm = {sm.count, sm.least, sm.alignment, sm.flags};
}

cudaError_t read(const cudaDevResource &resource, SmResource &sm) {
  Hidden hidden;
  std::memcpy(&hidden, resource._internal_padding, sizeof hidden);
  if (resource.type != cudaDevResourceTypeSm)
    return cudaErrorInvalidResourceType;
  if (hidden.marked != Hidden::mark)
    return cudaErrorInvalidValue; // not from one of our calls
  sm = {hidden.device,
        resource.sm.smCount,
        resource.sm.minSmPartitionSize,
        resource.sm.smCoscheduledAlignment,
        resource.sm.flags,
        hidden.split,
        hidden.rest};
  return cudaSuccess;
}

cudaError_t tell(const SmResource &sm, cudaDevResource *resource, cudaDevResourceType type) {
  if (!resource)
    return cudaErrorInvalidValue;
  if (type == cudaDevResourceTypeWorkqueue || type == cudaDevResourceTypeWorkqueueConfig)
    return notSupported("work queues as resources of execution contexts");
  if (type != cudaDevResourceTypeSm)
    return cudaErrorInvalidResourceType;
  write(sm, *resource);
  return cudaSuccess;
}

bool exists(int device) { return device >= 0 && device < Platform::instance().deviceCount(); }

/// Runs a body that uses an execution context.
template <class Body>
cudaError_t callContext(cudaExecutionContext_t handle, Body body,
                        const char *name = __builtin_FUNCTION()) {
  return callPlatform(
      [&](Platform &) {
        const auto found = ExecutionContext::handles().find(handle);
        return found ? body(*found) : cudaErrorInvalidValue;
      },
      name);
}

cudaExecutionContext_t handleOf(const std::shared_ptr<ExecutionContext> &context) {
  return reinterpret_cast<cudaExecutionContext_t>(context.get());
}

/// The event is recorded in a stream that no program knows, after all work of the context.
cudaError_t recordAfter(ExecutionContext &context, Event &event) {
  Device &device = context.context->device;
  if (&event.device != &device)
    return cudaErrorInvalidResourceHandle;
  for (const auto &stream : context.streams())
    if (Capture::anywhere() && stream->capture())
      return cudaErrorStreamCaptureUnsupported;
  auto work = makeWork([] {});
  for (const auto &stream : context.streams())
    work->after.push_back(stream->queue->last());
  const std::shared_ptr<DeviceStream> joined = device.createStream(StreamKind::NonBlocking, 0);
  device.submit(*joined, std::move(work));
  const cudaError_t error = event.record(*joined, false);
  device.destroyStream(joined);
  return error;
}

/// Of all calls that split.
std::atomic<unsigned> splits = 0;

cudaError_t split(cudaDevResource *result, unsigned *groups, const cudaDevResource &input,
                  cudaDevResource *remaining, unsigned flags, unsigned least) {
  SmResource sm;
  if (cudaError_t error = read(input, sm))
    return error;
  if (sm.split || !exists(sm.device)) // a group first becomes a context
    return cudaErrorInvalidResourceConfiguration;
  const bool alone = flags & cudaDevSmResourceSplitIgnoreSmCoscheduling;
  const bool clusters = flags & cudaDevSmResourceSplitMaxPotentialClusterSize;
  const gpu::Gpu &gpu = Platform::instance().device(sm.device).gpu;
  if (clusters && gpu.compute_major < 9)
    return cudaErrorNotSupported;
  const Grain grain = grainOf(gpu, alone, clusters);
  const auto division = divide(sm.count, least, grain, result ? *groups : UINT_MAX);
  if (!division)
    return cudaErrorInvalidResourceConfiguration;
  *groups = division->groups;
  SmResource part{sm.device, division->each, grain.least, grain.alignment, flags, ++splits};
  for (unsigned i = 0; result && i < division->groups; ++i)
    write(part, result[i]);
  part.count = division->remaining;
  if (remaining && part.count)
    write(part, *remaining);
  else if (remaining)
    *remaining = {};
  return cudaSuccess;
}

cudaError_t read(const cudaDevSmResourceGroupParams &from, const gpu::Gpu &gpu, unsigned all,
                 GroupRequest &request) {
  constexpr unsigned domains =
      cudaDevSmResourceGroupLocalityDomainId | cudaDevSmResourceGroupLocalityDomainSupplementalSms;
  if (from.flags & domains)
    return notSupported("locality domains of multiprocessors");
  request = {from.smCount, from.coscheduledSmCount, from.preferredCoscheduledSmCount,
             bool(from.flags & cudaDevSmResourceGroupBackfill)};
  const bool reserved = std::any_of(std::begin(from.reserved), std::end(from.reserved),
                                    [](unsigned each) { return each != 0; });
  return reserved || (from.flags & ~unsigned(cudaDevSmResourceGroupBackfill)) ||
                 !isGroup(gpu, request, all)
             ? cudaErrorInvalidValue
             : cudaSuccess;
}

/// `result` may be null: then the sizes are asked alone.
cudaError_t splitInGroups(cudaDevResource *result, unsigned count, const cudaDevResource &input,
                          cudaDevResource *remainder, cudaDevSmResourceGroupParams *wanted) {
  SmResource sm;
  if (cudaError_t error = read(input, sm))
    return error;
  if ((sm.split && !sm.rest) || !exists(sm.device))
    return cudaErrorInvalidResourceConfiguration;
  const gpu::Gpu &gpu = Platform::instance().device(sm.device).gpu;
  const Grain grain = grainOf(gpu);
  std::vector<SmResource> groups;
  unsigned left = sm.count;
  for (unsigned i = 0; i < count; ++i) {
    GroupRequest request;
    if (cudaError_t error = read(wanted[i], gpu, sm.count, request))
      return error;
    const auto size = groupSize(request, grain, left);
    if (!size || (result && *size == 0))
      return cudaErrorInvalidResourceConfiguration;
    const unsigned piece = request.piece(grain);
    groups.push_back({sm.device, *size, piece, piece, wanted[i].flags});
    left -= *size;
  }
  const unsigned number = ++splits;
  for (unsigned i = 0; i < count; ++i) {
    wanted[i].smCount = groups[i].count;
    groups[i].split = number;
    if (result)
      write(groups[i], result[i]);
  }
  if (remainder && left)
    write({sm.device, left, grain.least, grain.alignment, 0, number, true}, *remainder);
  else if (remainder)
    *remainder = {};
  return cudaSuccess;
}

/// Several parts are one if they come from one split.
cudaError_t join(const cudaDevResource *resources, unsigned count, SmResource &all) {
  for (unsigned i = 0; i < count; ++i) {
    SmResource sm;
    if (cudaError_t error = read(resources[i], sm))
      return error;
    if (i > 0 && (sm.device != all.device || sm.split != all.split || sm.split == 0 ||
                  sm.alignment != all.alignment))
      return cudaErrorInvalidResourceConfiguration;
    sm.count += i > 0 ? all.count : 0;
    all = sm;
  }
  return cudaSuccess;
}

cudaError_t resourceOfStream(cudaStream_t handle, cudaDevResource *resource,
                             cudaDevResourceType type) {
  return callStream(handle, [&](DeviceStream &stream) {
    if (type != cudaDevResourceTypeSm)
      return cudaErrorInvalidResourceType;
    const auto green = ExecutionContext::ofContext(stream.context);
    return tell((green ? green : ExecutionContext::of(*stream.device))->sm, resource, type);
  });
}

} // namespace

// ---- Multiprocessors ----------------------------------------------------------------------------

cudaError_t cudaDeviceGetDevResource(int device, cudaDevResource *resource,
                                     cudaDevResourceType type) {
  return callPlatform([&](Platform &platform) {
    return exists(device) ? tell(ExecutionContext::of(platform.device(device))->sm, resource, type)
                          : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDevSmResourceSplitByCount(cudaDevResource *result, unsigned *nbGroups,
                                          const cudaDevResource *input, cudaDevResource *remaining,
                                          unsigned flags, unsigned minCount) {
  return callPlatform([&](Platform &) {
    constexpr unsigned known =
        cudaDevSmResourceSplitIgnoreSmCoscheduling | cudaDevSmResourceSplitMaxPotentialClusterSize;
    if (!nbGroups || !input || (flags & ~known) || (result && *nbGroups == 0))
      return cudaErrorInvalidValue;
    return split(result, nbGroups, *input, remaining, flags, minCount);
  });
}

cudaError_t cudaDevSmResourceSplit(cudaDevResource *result, unsigned nbGroups,
                                   const cudaDevResource *input, cudaDevResource *remainder,
                                   unsigned flags, cudaDevSmResourceGroupParams *groupParams) {
  return callPlatform([&](Platform &) {
    return nbGroups == 0 || !input || flags != 0 || !groupParams
               ? cudaErrorInvalidValue
               : splitInGroups(result, nbGroups, *input, remainder, groupParams);
  });
}

cudaError_t cudaDevResourceGenerateDesc(cudaDevResourceDesc_t *phDesc, cudaDevResource *resources,
                                        unsigned nbResources) {
  return callPlatform([&](Platform &) {
    if (!phDesc || !resources || nbResources == 0)
      return cudaErrorInvalidValue;
    auto made = std::make_shared<ResourceDescription>();
    if (cudaError_t error = join(resources, nbResources, made->sm))
      return error;
    ResourceDescription::handles().add(made);
    *phDesc = reinterpret_cast<cudaDevResourceDesc_t>(made.get());
    return cudaSuccess;
  });
}

// ---- Contexts -----------------------------------------------------------------------------------

cudaError_t cudaGreenCtxCreate(cudaExecutionContext_t *phCtx, cudaDevResourceDesc_t desc,
                               int device, unsigned flags) {
  return callPlatform([&](Platform &platform) {
    if (!phCtx || flags != 0)
      return cudaErrorInvalidValue;
    if (!exists(device))
      return cudaErrorInvalidDevice;
    const auto described = ResourceDescription::handles().find(desc);
    if (!described || described->sm.device != device)
      return cudaErrorInvalidValue;
    *phCtx = handleOf(ExecutionContext::create(platform.device(device), described->sm));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetExecutionCtx(cudaExecutionContext_t *ctx, int device) {
  return callPlatform([&](Platform &platform) {
    if (!ctx)
      return cudaErrorInvalidValue;
    if (!exists(device))
      return cudaErrorInvalidDevice;
    *ctx = handleOf(ExecutionContext::of(platform.device(device)));
    return cudaSuccess;
  });
}

cudaError_t cudaExecutionCtxDestroy(cudaExecutionContext_t ctx) {
  return callContext(ctx, [](ExecutionContext &context) {
    if (context.isDevice())
      return cudaErrorInvalidValue;
    context.destroy();
    return cudaSuccess;
  });
}

cudaError_t cudaExecutionCtxGetDevResource(cudaExecutionContext_t ctx, cudaDevResource *resource,
                                           cudaDevResourceType type) {
  return callContext(ctx,
                     [&](ExecutionContext &context) { return tell(context.sm, resource, type); });
}

cudaError_t cudaExecutionCtxGetDevice(int *device, cudaExecutionContext_t ctx) {
  return callContext(ctx, [&](ExecutionContext &context) {
    if (!device)
      return cudaErrorInvalidValue;
    *device = context.context->device.ordinal;
    return cudaSuccess;
  });
}

cudaError_t cudaExecutionCtxGetId(cudaExecutionContext_t ctx, unsigned long long *ctxId) {
  return callContext(ctx, [&](ExecutionContext &context) {
    if (!ctxId)
      return cudaErrorInvalidValue;
    *ctxId = context.context->id();
    return cudaSuccess;
  });
}

cudaError_t cudaExecutionCtxStreamCreate(cudaStream_t *phStream, cudaExecutionContext_t ctx,
                                         unsigned flags, int priority) {
  return callContext(ctx, [&](ExecutionContext &context) {
    if (!phStream || (flags & ~unsigned(cudaStreamNonBlocking)))
      return cudaErrorInvalidValue;
    Device &device = context.context->device;
    const bool blocking = context.isDevice() && !(flags & cudaStreamNonBlocking);
    const auto &gpu = device.gpu;
    priority = std::clamp(priority, gpu.highest_stream_priority, gpu.lowest_stream_priority);
    const auto stream =
        device.createStream(blocking ? StreamKind::Blocking : StreamKind::NonBlocking, priority,
                            context.context->number);
    *phStream = reinterpret_cast<cudaStream_t>(stream.get());
    return cudaSuccess;
  });
}

cudaError_t cudaExecutionCtxSynchronize(cudaExecutionContext_t ctx) {
  return callContext(ctx, [&](ExecutionContext &context) {
    Device &device = context.context->device;
    if (context.isDevice()) {
      const cudaError_t error = Capture::checkUnsafe();
      return error ? error : device.synchronize();
    }
    for (const auto &stream : context.streams()) {
      if (cudaError_t error = Capture::checkWait(*stream))
        return error;
      if (cudaError_t error = device.synchronize(stream->queue->last()))
        return error;
    }
    return device.error();
  });
}

cudaError_t cudaExecutionCtxRecordEvent(cudaExecutionContext_t ctx, cudaEvent_t event) {
  return callContext(ctx, [&](ExecutionContext &context) {
    std::shared_ptr<Event> found;
    const cudaError_t error = findEvent(event, found);
    return error ? error : recordAfter(context, *found);
  });
}

cudaError_t cudaExecutionCtxWaitEvent(cudaExecutionContext_t ctx, cudaEvent_t event) {
  return callContext(ctx, [&](ExecutionContext &context) {
    std::shared_ptr<Event> found;
    if (cudaError_t error = findEvent(event, found))
      return error;
    for (const auto &stream : context.streams())
      if (cudaError_t error = found->waitIn(*stream))
        return error;
    return cudaSuccess;
  });
}

HEDDLE_STREAM_CALL(cudaStreamGetDevResource,
                   (cudaStream_t stream, cudaDevResource *resource, cudaDevResourceType type),
                   resourceOfStream(stream, resource, type))

cudaError_t cudaGraphConditionalHandleCreate_v2(cudaGraphConditionalHandle *pHandle_out,
                                                cudaGraph_t graph, cudaExecutionContext_t ctx,
                                                unsigned defaultLaunchValue, unsigned flags) {
  return callPlatform([&](Platform &) {
    if (ctx && !ExecutionContext::handles().find(ctx))
      return cudaErrorInvalidValue;
    return cudaGraphConditionalHandleCreate(pHandle_out, graph, defaultLaunchValue, flags);
  });
}
