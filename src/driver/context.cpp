// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts: primary ones, those that programs make, and each thread's stack of them.
#include "driver/entry.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

constexpr unsigned api_version = 3020; // of contexts, since cuCtxCreate_v2

bool good(unsigned flags) {
  const unsigned schedule = flags & CU_CTX_SCHED_MASK;
  return !(flags & ~unsigned(CU_CTX_FLAGS_MASK)) && (schedule & (schedule - 1)) == 0;
}

CUresult create(CUcontext *context, unsigned flags, CUdevice number) {
  return driver::callDevice(number, [&](Device &device) {
    if (!context || !good(flags))
      return CUDA_ERROR_INVALID_VALUE;
    std::shared_ptr<Context> made = Context::create(device, flags);
    *context = driver::handleOf(made.get());
    Context::push(std::move(made));
    return CUDA_SUCCESS;
  });
}

template <class Body> CUresult callPrimary(CUdevice number, Body body) {
  return driver::callDevice(number,
                            [&](Device &device) { return body(*Context::primaryOf(device)); });
}

/// The context of a handle, or the current one if it is null.
template <class Body> CUresult callOrCurrent(CUcontext handle, Body body) {
  if (!handle)
    return callContext(body);
  return callNamedContext(handle,
                          [&](const std::shared_ptr<Context> &context) { return body(*context); });
}

} // namespace

// ---- Primary contexts ---------------------------------------------------------------------------

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  return callPrimary(device, [&](Context &primary) {
    if (!context)
      return CUDA_ERROR_INVALID_VALUE;
    primary.retain();
    *context = driver::handleOf(&primary);
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return callPrimary(device, [](Context &primary) {
    return primary.release() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
}
HEDDLE_OLDER_NAME("cuDevicePrimaryCtxRelease", "cuDevicePrimaryCtxRelease_v2")

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return callPrimary(device, [&](Context &primary) {
    if (!good(flags))
      return CUDA_ERROR_INVALID_VALUE;
    primary.device.flags = flags | CU_CTX_MAP_HOST;
    primary.flags = flags;
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuDevicePrimaryCtxSetFlags", "cuDevicePrimaryCtxSetFlags_v2")

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  return callPrimary(device, [&](Context &primary) {
    if (!flags || !active)
      return CUDA_ERROR_INVALID_VALUE;
    *flags = primary.flags;
    *active = primary.active;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  return callPrimary(device, [](Context &primary) {
    primary.reset();
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuDevicePrimaryCtxReset", "cuDevicePrimaryCtxReset_v2")

// ---- Contexts -----------------------------------------------------------------------------------

CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  return create(context, flags, device);
}
HEDDLE_OLDER_NAME("cuCtxCreate", "cuCtxCreate_v2")

CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *affinity, int affinities,
                        unsigned flags, CUdevice device) {
  if (affinities < 0 || (affinities > 0 && !affinity))
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  if (affinities > 0) // needs MPS on a GPU, too
    return call([] { return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY; });
  return create(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned flags,
                        CUdevice device) {
  if (!parameters)
    return create(context, flags, device);
  if (parameters->cigParams)
    return call([] { return notSupported("contexts for graphics queues"); });
  return cuCtxCreate_v3(context, parameters->execAffinityParams, parameters->numExecAffinityParams,
                        flags, device);
}

CUresult cuCtxDestroy(CUcontext handle) {
  if (!handle)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callNamedContext(handle, [](const std::shared_ptr<Context> &context) {
    if (context->primary())
      return CUDA_ERROR_INVALID_CONTEXT;
    if (Context::current() == context)
      Context::pop();
    return context->destroy() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  });
}
HEDDLE_OLDER_NAME("cuCtxDestroy", "cuCtxDestroy_v2")

CUresult cuCtxAttach(CUcontext *handle, unsigned flags) {
  return callContext([&](Context &context) {
    if (!handle || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    ++context.attached;
    *handle = driver::handleOf(&context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDetach(CUcontext handle) {
  return callNamedContext(handle, [&](const std::shared_ptr<Context> &context) {
    if (Context::current() != context)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (--context->attached > 0)
      return CUDA_SUCCESS;
    return cuCtxDestroy(handle);
  });
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  if (!handle)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callNamedContext(handle, [](const std::shared_ptr<Context> &context) {
    Context::push(context);
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuCtxPushCurrent", "cuCtxPushCurrent_v2")

CUresult cuCtxPopCurrent(CUcontext *handle) {
  return call([&] {
    const std::shared_ptr<Context> popped = Context::pop();
    if (!popped)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (handle)
      *handle = driver::handleOf(popped.get());
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuCtxPopCurrent", "cuCtxPopCurrent_v2")

CUresult cuCtxSetCurrent(CUcontext handle) {
  if (!handle)
    return call([] {
      Context::setCurrent(nullptr);
      return CUDA_SUCCESS;
    });
  return callNamedContext(handle, [](const std::shared_ptr<Context> &context) {
    Context::setCurrent(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext *handle) {
  return call([&] {
    if (!handle)
      return CUDA_ERROR_INVALID_VALUE;
    *handle = driver::handleOf(Context::current().get());
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice *device) {
  return callContext([&](Context &context) {
    if (!device)
      return CUDA_ERROR_INVALID_VALUE;
    *device = context.device.ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetFlags(unsigned *flags) {
  return callContext([&](Context &context) {
    if (!flags)
      return CUDA_ERROR_INVALID_VALUE;
    *flags = context.flags | CU_CTX_MAP_HOST; // always on with unified addressing
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return callContext([&](Context &context) {
    if (!good(flags))
      return CUDA_ERROR_INVALID_VALUE;
    context.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long *id) {
  return callOrCurrent(handle, [&](Context &context) {
    if (!id)
      return CUDA_ERROR_INVALID_VALUE;
    *id = context.id();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned *version) {
  return callOrCurrent(handle, [&](Context &) {
    if (!version)
      return CUDA_ERROR_INVALID_VALUE;
    *version = api_version;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSynchronize() { return callContext(cudaDeviceSynchronize); }

// ---- Settings -----------------------------------------------------------------------------------

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return callContext([&] { return cudaDeviceSetLimit(cudaLimit(limit), value); });
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  return callContext([&] { return cudaDeviceGetLimit(value, cudaLimit(limit)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  return callContext([&] { return cudaDeviceGetCacheConfig(as<cudaFuncCache>(config)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return callContext([&] { return cudaDeviceSetCacheConfig(cudaFuncCache(config)); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  return callContext([&] { return cudaDeviceGetSharedMemConfig(as<cudaSharedMemConfig>(config)); });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return callContext([&] { return cudaDeviceSetSharedMemConfig(cudaSharedMemConfig(config)); });
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return callContext([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxResetPersistingL2Cache() { return callContext(cudaCtxResetPersistingL2Cache); }

CUresult cuCtxGetExecAffinity(CUexecAffinityParam *affinity, CUexecAffinityType type) {
  return callContext([&](Context &) {
    if (!affinity || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
      return CUDA_ERROR_INVALID_VALUE;
    return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  });
}

// ---- Peers --------------------------------------------------------------------------------------

namespace {

template <class Body> CUresult callPeer(CUcontext peer, Body body) {
  return callContext([&](Context &) -> CUresult {
    const std::shared_ptr<Context> found = Context::handles().find(peer);
    return found ? result(body(found->device.ordinal)) : CUDA_ERROR_INVALID_CONTEXT;
  });
}

} // namespace

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return callPeer(peer, [&](int device) { return cudaDeviceEnablePeerAccess(device, flags); });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return callPeer(peer, [&](int device) { return cudaDeviceDisablePeerAccess(device); });
}
