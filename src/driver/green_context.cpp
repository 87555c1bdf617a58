// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Green contexts: the runtime's execution contexts under the driver's names.
#include "device/partition/execution_context.h"
#include "driver/entry.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

cudaExecutionContext_t runtimeContext(CUgreenCtx context) {
  return reinterpret_cast<cudaExecutionContext_t>(context);
}

/// The execution context that a context is, or works in.
std::shared_ptr<ExecutionContext> executionOf(const Context &context) {
  const auto green = ExecutionContext::ofContext(context.number);
  return green ? green : ExecutionContext::of(context.device);
}

cudaExecutionContext_t handleOf(const std::shared_ptr<ExecutionContext> &context) {
  return reinterpret_cast<cudaExecutionContext_t>(context.get());
}

/// Runs a body that uses a green context.
template <class Body>
CUresult callGreen(CUgreenCtx handle, Body body, const char *name = __builtin_FUNCTION()) {
  return call(
      [&]() -> CUresult {
        const auto found = ExecutionContext::handles().find(handle);
        if (!found || found->isDevice())
          return CUDA_ERROR_INVALID_CONTEXT;
        return result(body(*found));
      },
      name);
}

CUresult greenContextOf(CUstream handle, CUgreenCtx *context) {
  return callContext([&] {
    return api::callStream(handle, [&](DeviceStream &stream) {
      if (!context)
        return cudaErrorInvalidValue;
      *context = reinterpret_cast<CUgreenCtx>(ExecutionContext::ofContext(stream.context).get());
      return cudaSuccess;
    });
  });
}

/// Of a stream of a green context: that, and its device's primary context.
CUresult contextsOf(CUstream handle, CUcontext *context, CUgreenCtx *green) {
  if (!context || !green)
    return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = greenContextOf(handle, green))
    return error;
  if (!*green)
    return cuStreamGetCtx(handle, context);
  return callContext([&] {
    return api::callStream(handle, [&](DeviceStream &stream) {
      *context = driver::handleOf(Context::primaryOf(*stream.device).get());
      return cudaSuccess;
    });
  });
}

} // namespace

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type) {
  return driver::callDevice(device, [&](Device &) {
    return cudaDeviceGetDevResource(device, as<cudaDevResource>(resource),
                                    cudaDevResourceType(type));
  });
}

CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *resource, CUdevResourceType type) {
  return callNamedContext(context, [&](const std::shared_ptr<Context> &found) {
    return cudaExecutionCtxGetDevResource(handleOf(executionOf(*found)),
                                          as<cudaDevResource>(resource), cudaDevResourceType(type));
  });
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx context, CUdevResource *resource,
                                  CUdevResourceType type) {
  if (!resource)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callGreen(context, [&](ExecutionContext &) {
    return cudaExecutionCtxGetDevResource(runtimeContext(context), as<cudaDevResource>(resource),
                                          cudaDevResourceType(type));
  });
}

HEDDLE_DRIVER_STREAM_CALL(cuStreamGetDevResource,
                          (CUstream stream, CUdevResource *resource, CUdevResourceType type),
                          callContext([&] {
                            return cudaStreamGetDevResource(stream, as<cudaDevResource>(resource),
                                                            cudaDevResourceType(type));
                          }))

CUresult cuDevSmResourceSplitByCount(CUdevResource *result, unsigned *groups,
                                     const CUdevResource *input, CUdevResource *remaining,
                                     unsigned flags, unsigned least) {
  return call([&] {
    return cudaDevSmResourceSplitByCount(as<cudaDevResource>(result), groups,
                                         as<const cudaDevResource>(input),
                                         as<cudaDevResource>(remaining), flags, least);
  });
}

CUresult cuDevSmResourceSplit(CUdevResource *result, unsigned groups, const CUdevResource *input,
                              CUdevResource *remainder, unsigned flags,
                              CU_DEV_SM_RESOURCE_GROUP_PARAMS *parameters) {
  return call([&] {
    return cudaDevSmResourceSplit(as<cudaDevResource>(result), groups,
                                  as<const cudaDevResource>(input), as<cudaDevResource>(remainder),
                                  flags, as<cudaDevSmResourceGroupParams>(parameters));
  });
}

CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *description, CUdevResource *resources,
                                   unsigned count) {
  return call([&] {
    return cudaDevResourceGenerateDesc(description, as<cudaDevResource>(resources), count);
  });
}

CUresult cuGreenCtxCreate(CUgreenCtx *context, CUdevResourceDesc description, CUdevice device,
                          unsigned flags) {
  return driver::callDevice(device, [&](Device &) {
    if (flags != CU_GREEN_CTX_DEFAULT_STREAM)
      return cudaErrorInvalidValue;
    return cudaGreenCtxCreate(reinterpret_cast<cudaExecutionContext_t *>(context), description,
                              device, 0);
  });
}

CUresult cuGreenCtxDestroy(CUgreenCtx context) {
  return callGreen(context, [&](ExecutionContext &found) {
    found.destroy();
    return cudaSuccess;
  });
}

CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green) {
  if (!context)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callGreen(green, [&](ExecutionContext &found) {
    *context = driver::handleOf(found.context.get());
    return cudaSuccess;
  });
}

CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx context, unsigned flags,
                                int priority) {
  return callGreen(context, [&](ExecutionContext &) {
    if (flags != CU_STREAM_NON_BLOCKING)
      return cudaErrorInvalidValue;
    return cudaExecutionCtxStreamCreate(stream, runtimeContext(context), flags, priority);
  });
}

CUresult cuGreenCtxGetId(CUgreenCtx context, unsigned long long *id) {
  return callGreen(context, [&](ExecutionContext &) {
    return cudaExecutionCtxGetId(runtimeContext(context), id);
  });
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx context, CUevent event) {
  return callGreen(context, [&](ExecutionContext &) {
    return cudaExecutionCtxRecordEvent(runtimeContext(context), event);
  });
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx context, CUevent event) {
  return callGreen(context, [&](ExecutionContext &) {
    return cudaExecutionCtxWaitEvent(runtimeContext(context), event);
  });
}

CUresult cuCtxRecordEvent(CUcontext context, CUevent event) {
  return callNamedContext(context, [&](const std::shared_ptr<Context> &found) {
    return cudaExecutionCtxRecordEvent(handleOf(executionOf(*found)), event);
  });
}

CUresult cuCtxWaitEvent(CUcontext context, CUevent event) {
  return callNamedContext(context, [&](const std::shared_ptr<Context> &found) {
    return cudaExecutionCtxWaitEvent(handleOf(executionOf(*found)), event);
  });
}

CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx *context) {
  return greenContextOf(stream, context);
}

HEDDLE_DRIVER_STREAM_CALL(cuStreamGetCtx_v2,
                          (CUstream stream, CUcontext *context, CUgreenCtx *green),
                          contextsOf(stream, context, green))
