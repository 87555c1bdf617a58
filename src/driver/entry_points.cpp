// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuGetProcAddress: the driver's functions by name. A program that asks for one that Heddle does
// not have is told so, and can do without.
#include "driver/entry.h"

#include <cctype>
#include <dlfcn.h>
#include <string>

using namespace heddle::driver;

namespace {

/// The library's own function of this name.
void *exported(const std::string &name) {
  static void *const library = [] {
    Dl_info self;
    return dladdr(reinterpret_cast<const void *>(&cuInit), &self)
               ? dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD)
               : nullptr;
  }();
  return library ? dlsym(library, name.c_str()) : nullptr;
}

/// Functions that have had another form under the same name, which programs for `since` and later
/// mean by it.
struct Form {
  const char *name, *form;
  int since;
};

const Form forms[] = {
    {"cuCtxCreate", "cuCtxCreate_v4", 12050},
    {"cuCtxCreate", "cuCtxCreate_v3", 11040},
    {"cuDevicePrimaryCtxRelease", "cuDevicePrimaryCtxRelease_v2", 11000},
    {"cuDeviceGetUuid", "cuDeviceGetUuid_v2", 11040},
    {"cuGraphAddNode", "cuGraphAddNode_v2", 12030},
    {"cuGraphAddDependencies", "cuGraphAddDependencies_v2", 12030},
    {"cuGraphRemoveDependencies", "cuGraphRemoveDependencies_v2", 12030},
    {"cuGraphGetEdges", "cuGraphGetEdges_v2", 12030},
    {"cuGraphNodeGetDependencies", "cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes", "cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuStreamGetCtx", "cuStreamGetCtx_v2", 12050},
    {"cuStreamGetCaptureInfo", "cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCaptureInfo", "cuStreamGetCaptureInfo_v2", 11030},
    {"cuStreamUpdateCaptureDependencies", "cuStreamUpdateCaptureDependencies_v2", 12030},
    {"cuMemcpyBatchAsync", "cuMemcpyBatchAsync_v2", 13000},
    {"cuMemcpyBatchAsync", "cuMemcpyBatchAsync", 0},
    {"cuMemcpy3DBatchAsync", "cuMemcpy3DBatchAsync_v2", 13000},
    {"cuMemcpy3DBatchAsync", "cuMemcpy3DBatchAsync", 0},
    {"cuLaunchHostFunc", "cuLaunchHostFunc", 0},
    {"cuGraphInstantiate", "cuGraphInstantiateWithFlags", 12000},
    {"cuGraphExecUpdate", "cuGraphExecUpdate_v2", 12000},
    {"cuGraphAddKernelNode", "cuGraphAddKernelNode_v2", 12000},
    {"cuGraphKernelNodeGetParams", "cuGraphKernelNodeGetParams_v2", 12000},
    {"cuGraphKernelNodeSetParams", "cuGraphKernelNodeSetParams_v2", 12000},
    {"cuGraphExecKernelNodeSetParams", "cuGraphExecKernelNodeSetParams_v2", 12000},
    {"cuStreamBeginCapture", "cuStreamBeginCapture_v2", 10010},
    {"cuGetProcAddress", "cuGetProcAddress_v2", 12000},
    {"cuMemPrefetchAsync", "cuMemPrefetchAsync", 0}, // the second forms only by their own names
    {"cuMemAdvise", "cuMemAdvise", 0},
};

/// The form that a program for `version` means.
std::string formOf(const std::string &name, int version) {
  bool known = false;
  for (const Form &form : forms)
    if (name == form.name) {
      known = true;
      if (version >= form.since)
        return form.form;
    }
  // Of others, the second form is as old as CUDA 4, or the same under another name.
  return !known && exported(name + "_v2") ? name + "_v2" : name;
}

void *find(const std::string &name, int version, bool per_thread) {
  if (!name.starts_with("cu") || name.size() < 3 ||
      !std::isupper(static_cast<unsigned char>(name[2])))
    return nullptr;
  const std::string form = formOf(name, version);
  if (per_thread)
    for (const char *stream : {"_ptsz", "_ptds"})
      if (void *function = exported(form + stream))
        return function;
  return exported(form);
}

CUresult getAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                    CUdriverProcAddressQueryResult *status) {
  constexpr cuuint64_t known =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!symbol || !*symbol || !function || (flags & ~known) || flags == known)
    return CUDA_ERROR_INVALID_VALUE;
  *function = find(symbol, version, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

} // namespace

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status) {
  return getAddress(symbol, function, version, flags, status);
}

// Before CUDA 12.
#undef cuGetProcAddress
extern "C" HEDDLE_EXPORT CUresult cuGetProcAddress(const char *symbol, void **function, int version,
                                                   cuuint64_t flags) {
  return getAddress(symbol, function, version, flags, nullptr);
}
