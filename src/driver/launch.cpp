// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of functions, and of the program's own.
#include "driver/launch.h"
#include "api/launch.h"
#include "driver/module/module.h"

#include <cstring>
#include <generated_cuda_meta.h>
#include <map>

using namespace heddle;
using namespace heddle::driver;

namespace {

CUresult launch(CUfunction function, const LaunchRequest &request, CUstream stream,
                void **extra = nullptr) {
  return callFunction(
      function, [&](Kernel &, Device &) { return api::launch(function, request, stream, extra); });
}

// An observer is told of the kernel before anything is done for it, and of the parameters.
CUresult launchPlain(const cuLaunchKernel_params &call) {
  const engine::observe::ApiCall this_call("cuLaunchKernel", call.f, &call);
  return launch(call.f,
                {{call.gridDimX, call.gridDimY, call.gridDimZ},
                 {call.blockDimX, call.blockDimY, call.blockDimZ},
                 call.sharedMemBytes,
                 false,
                 call.kernelParams},
                call.hStream, call.extra);
}

CUresult launchWith(const CUlaunchConfig *config, CUfunction function, void **parameters,
                    void **extra, bool thread_stream) {
  const cuLaunchKernelEx_params call{config, function, parameters, extra};
  const engine::observe::ApiCall this_call("cuLaunchKernelEx", function, &call);
  return callFunction(function, [&](Kernel &, Device &) {
    if (!config || (config->numAttrs && !config->attrs))
      return cudaErrorInvalidValue;
    LaunchRequest request{{config->gridDimX, config->gridDimY, config->gridDimZ},
                          {config->blockDimX, config->blockDimY, config->blockDimZ},
                          config->sharedMemBytes,
                          false,
                          parameters};
    if (cudaError_t error = api::readAttributes(as<const cudaLaunchAttribute>(config->attrs),
                                                config->numAttrs, request))
      return error;
    const CUstream stream =
        thread_stream && !config->hStream ? CU_STREAM_PER_THREAD : config->hStream;
    return api::launch(function, request, stream, extra);
  });
}

} // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CUstream stream, void **parameters, void **extra) {
  return launchPlain({function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream,
                      parameters, extra});
}
extern "C" HEDDLE_EXPORT CUresult cuLaunchKernel_ptsz(CUfunction function, unsigned gridX,
                                                      unsigned gridY, unsigned gridZ,
                                                      unsigned blockX, unsigned blockY,
                                                      unsigned blockZ, unsigned sharedBytes,
                                                      CUstream stream, void **parameters,
                                                      void **extra) {
  return launchPlain({function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                      stream ? stream : CU_STREAM_PER_THREAD, parameters, extra});
}
HEDDLE_DRIVER_STREAM_CALL(
    cuLaunchCooperativeKernel,
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
     unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream, void **parameters),
    launch(function,
           {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, true, parameters},
           stream))

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                          void **extra) {
  return launchWith(config, function, parameters, extra, false);
}
extern "C" HEDDLE_EXPORT CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config,
                                                        CUfunction function, void **parameters,
                                                        void **extra) {
  return launchWith(config, function, parameters, extra, true);
}

HEDDLE_DRIVER_STREAM_CALL(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *userData),
                          call([&] { return cudaLaunchHostFunc(stream, function, userData); }))

// ---- Launches as before CUDA 4: a function holds what its next launch needs ---------------------

namespace {

struct NextLaunch {
  unsigned block[3] = {1, 1, 1};
  unsigned shared = 0;
  std::vector<char> parameters;
};

std::mutex mutex;

/// Runs a body with what a function holds.
template <class Body> CUresult callNext(CUfunction function, Body body) {
  return callFunction(function, [&](Kernel &kernel, Device &) {
    static auto *all = new std::map<const Kernel *, NextLaunch>;
    std::lock_guard lock(mutex);
    return body((*all)[&kernel]);
  });
}

CUresult setParameter(CUfunction function, int offset, const void *value, size_t bytes) {
  return callNext(function, [&](NextLaunch &next) {
    constexpr size_t most = 4096;
    if (offset < 0 || !value || bytes > most || size_t(offset) > most - bytes)
      return CUDA_ERROR_INVALID_VALUE;
    if (next.parameters.size() < size_t(offset) + bytes)
      next.parameters.resize(size_t(offset) + bytes);
    memcpy(&next.parameters[size_t(offset)], value, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult launchGrid(CUfunction function, int width, int height, CUstream stream) {
  NextLaunch now;
  const CUresult error = callNext(function, [&](NextLaunch &next) {
    now = next;
    return width > 0 && height > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
  if (error)
    return error;
  size_t bytes = now.parameters.size();
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, now.parameters.data(),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  return launch(function,
                {{unsigned(width), unsigned(height), 1},
                 {now.block[0], now.block[1], now.block[2]},
                 now.shared},
                stream, bytes ? extra : nullptr);
}

} // namespace

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return callNext(function, [&](NextLaunch &next) {
    if (x <= 0 || y <= 0 || z <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    next.block[0] = unsigned(x);
    next.block[1] = unsigned(y);
    next.block[2] = unsigned(z);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return callNext(function, [&](NextLaunch &next) {
    next.shared = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  return callNext(function, [&](NextLaunch &next) {
    if (bytes > 4096)
      return CUDA_ERROR_INVALID_VALUE;
    next.parameters.resize(bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return setParameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return setParameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void *pointer, unsigned bytes) {
  return setParameter(function, offset, pointer, bytes);
}
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref) {
  // References are bound when they are given something.
  return callFunction(function, [&](Kernel &, Device &) {
    return unit == CU_PARAM_TR_DEFAULT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuLaunch(CUfunction function) { return launchGrid(function, 1, 1, nullptr); }
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return launchGrid(function, width, height, nullptr);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launchGrid(function, width, height, stream);
}
