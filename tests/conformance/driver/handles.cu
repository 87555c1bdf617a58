// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Functions that take a handle, with null and with one that has been destroyed: an error, never a
// crash.
#include "driver.h"

#include <functional>

using namespace driver;

__global__ void nothing() {}

struct Call {
  const char *name;
  std::function<CUresult(void *)> call;
  int null, stale; // the error, or any_error, or skipped
};

constexpr int any_error = -1, skipped = -2;

void expect(const Call &call, void *handle, int expected, const char *which) {
  if (expected == skipped)
    return;
  const int found = int(call.call(handle));
  const bool good = expected == any_error ? found != 0 : found == expected;
  CHECK(good);
  if (!good)
    std::fprintf(stderr, "%s with a %s handle gives %d, expected %d\n", call.name, which, found,
                 expected);
}

#define CALL(name, expression, null, stale)                                                        \
  {name, [](void *handle) -> CUresult { return expression; }, null, stale}

size_t number;
int integer;
unsigned natural;
unsigned long long big;
CUcontext a_context;
CUdeviceptr pointer;
CUmodule a_module;
CUfunction a_function;
const char *name;

const Call contexts[] = {
    CALL("cuCtxPushCurrent", cuCtxPushCurrent(CUcontext(handle)), CUDA_ERROR_INVALID_VALUE,
         any_error),
    CALL("cuCtxSetCurrent", cuCtxSetCurrent(CUcontext(handle)), skipped, any_error),
    CALL("cuCtxDestroy", cuCtxDestroy(CUcontext(handle)), any_error, any_error),
    CALL("cuCtxEnablePeerAccess", cuCtxEnablePeerAccess(CUcontext(handle), 0),
         CUDA_ERROR_INVALID_CONTEXT, any_error),
};

const Call streams[] = {
    CALL("cuStreamDestroy", cuStreamDestroy(CUstream(handle)), any_error, any_error),
    CALL("cuStreamSynchronize", cuStreamSynchronize(CUstream(handle)), skipped, any_error),
    CALL("cuStreamQuery", cuStreamQuery(CUstream(handle)), skipped, any_error),
    CALL("cuStreamGetFlags", cuStreamGetFlags(CUstream(handle), &natural), skipped, any_error),
    CALL("cuStreamGetPriority", cuStreamGetPriority(CUstream(handle), &integer), skipped,
         any_error),
    CALL("cuStreamGetCtx", cuStreamGetCtx(CUstream(handle), &a_context), skipped, any_error),
    CALL("cuMemsetD8Async", cuMemsetD8Async(pointer, 0, 4, CUstream(handle)), skipped, any_error),
};

const Call events[] = {
    CALL("cuEventDestroy", cuEventDestroy(CUevent(handle)), any_error, any_error),
    CALL("cuEventRecord", cuEventRecord(CUevent(handle), nullptr), any_error, any_error),
    CALL("cuEventQuery", cuEventQuery(CUevent(handle)), any_error, any_error),
    CALL("cuEventSynchronize", cuEventSynchronize(CUevent(handle)), any_error, any_error),
    CALL("cuStreamWaitEvent", cuStreamWaitEvent(nullptr, CUevent(handle), 0), any_error, any_error),
};

const Call modules[] = {
    CALL("cuModuleUnload", cuModuleUnload(CUmodule(handle)), any_error, any_error),
    CALL("cuModuleGetFunction", cuModuleGetFunction(&a_function, CUmodule(handle), "f"), any_error,
         any_error),
    CALL("cuModuleGetGlobal", cuModuleGetGlobal(&pointer, &number, CUmodule(handle), "v"),
         any_error, any_error),
};

const Call functions[] = {
    CALL("cuLaunchKernel",
         cuLaunchKernel(CUfunction(handle), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
         any_error, any_error),
    CALL("cuFuncGetAttribute",
         cuFuncGetAttribute(&integer, CU_FUNC_ATTRIBUTE_NUM_REGS, CUfunction(handle)), any_error,
         any_error),
    CALL("cuFuncGetModule", cuFuncGetModule(&a_module, CUfunction(handle)), any_error, any_error),
    CALL("cuFuncGetName", cuFuncGetName(&name, CUfunction(handle)), any_error, any_error),
    CALL("cuOccupancyMaxActiveBlocksPerMultiprocessor",
         cuOccupancyMaxActiveBlocksPerMultiprocessor(&integer, CUfunction(handle), 32, 0),
         any_error, any_error),
};

const Call libraries[] = {
    CALL("cuLibraryUnload", cuLibraryUnload(CUlibrary(handle)), any_error, any_error),
    CALL("cuLibraryGetModule", cuLibraryGetModule(&a_module, CUlibrary(handle)), any_error,
         any_error),
};

const Call graphs[] = {
    CALL("cuGraphDestroy", cuGraphDestroy(CUgraph(handle)), any_error, any_error),
    CALL("cuGraphGetNodes", cuGraphGetNodes(CUgraph(handle), nullptr, &number),
         CUDA_ERROR_INVALID_VALUE, any_error),
    CALL("cuGraphGetEdges",
         cuGraphGetEdges(CUgraph(handle), nullptr, nullptr,
#if CUDA_VERSION >= 13000
                         nullptr,
#endif
                         &number),
         CUDA_ERROR_INVALID_VALUE, any_error),
};

const Call arrays[] = {
    CALL("cuArrayDestroy", cuArrayDestroy(CUarray(handle)), any_error, any_error),
    CALL("cuMipmappedArrayDestroy", cuMipmappedArrayDestroy(CUmipmappedArray(handle)), any_error,
         any_error),
    CALL("cuMemPoolDestroy", cuMemPoolDestroy(CUmemoryPool(handle)), any_error, any_error),
};

template <size_t count> void checkAll(const Call (&calls)[count], void *stale) {
  for (const Call &call : calls) {
    expect(call, nullptr, call.null, "null");
    if (stale)
      expect(call, stale, call.stale, "destroyed");
  }
}

int main() {
  begin();
  CUstream stream;
  CUevent event;
  CUmodule module;
  CUgraph graph;
  CUlibrary library;
  CHECK_DRIVER(cuMemAlloc(&pointer, 64));
  CHECK_DRIVER(cuStreamCreate(&stream, 0));
  CHECK_DRIVER(cuStreamDestroy(stream));
  CHECK_DRIVER(cuEventCreate(&event, 0));
  CHECK_DRIVER(cuEventDestroy(event));
  CHECK_DRIVER(cuModuleLoadData(&module, ownImage()));
  CHECK_DRIVER(cuModuleUnload(module));
  CHECK_DRIVER(cuLibraryLoadData(&library, ownImage(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK_DRIVER(cuLibraryUnload(library));
  CHECK_DRIVER(cuGraphCreate(&graph, 0));
  CHECK_DRIVER(cuGraphDestroy(graph));
  checkAll(contexts, nullptr);
  // A real driver reads what stale handles point to; it documents no error for them.
#ifdef __clang__ // Heddle
  const bool stale = true;
#else
  const bool stale = false;
#endif
  checkAll(streams, stale ? stream : nullptr);
  checkAll(events, stale ? event : nullptr);
  checkAll(modules, stale ? module : nullptr);
  checkAll(functions, nullptr);
  checkAll(libraries, stale ? library : nullptr);
  checkAll(graphs, stale ? graph : nullptr);
  checkAll(arrays, nullptr);
  CHECK_DRIVER(cuCtxSynchronize());
  RETURN_RESULT();
}
