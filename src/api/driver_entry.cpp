// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGetDriverEntryPoint and cudaGetDriverEntryPointByVersion: functions of the driver API for
// programs that do not link libcuda. They come from Heddle's libcuda.so.1, which lies beside this
// library.
#include "api/entry.h"

#include <dlfcn.h>
#include <filesystem>

using namespace heddle;
using namespace heddle::api;

namespace {

/// cuGetProcAddress_v2; its types are cuda.h's.
using GetAddress = int(const char *symbol, void **function, int version, unsigned long long flags,
                       int *status);

GetAddress *driver() {
  Dl_info self;
  if (!dladdr(reinterpret_cast<const void *>(&driver), &self))
    return nullptr;
  const auto path = std::filesystem::path(self.dli_fname).parent_path() / "libcuda.so.1";
  static void *const library = dlopen(path.c_str(), RTLD_NOW);
  return library ? reinterpret_cast<GetAddress *>(dlsym(library, "cuGetProcAddress_v2")) : nullptr;
}

/// The form of the function that programs for this version of CUDA mean.
cudaError_t find(const char *symbol, void **function, unsigned version, unsigned long long flags,
                 cudaDriverEntryPointQueryResult *status,
                 const char *caller = __builtin_FUNCTION()) {
  const auto body = [&](Platform &) {
    if (!symbol || !*symbol || !function)
      return cudaErrorInvalidValue;
    GetAddress *const get = driver();
    if (!get)
      return notSupported("the driver API without libcuda.so.1 beside libcudart.so.12");
    int found = cudaDriverEntryPointSuccess;
    const int error = get(symbol, function, int(version), flags, &found);
    if (status)
      *status = cudaDriverEntryPointQueryResult(found);
    return cudaError_t(error);
  };
  return callPlatform(body, caller);
}

unsigned long long perThread(unsigned long long flags) {
  return flags ? flags : cudaEnablePerThreadDefaultStream;
}

} // namespace

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) {
  return find(symbol, function, CUDART_VERSION, flags, status);
}
extern "C" HEDDLE_EXPORT cudaError_t
cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function, unsigned long long flags,
                             cudaDriverEntryPointQueryResult *status) {
  return find(symbol, function, CUDART_VERSION, perThread(flags), status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                             unsigned int cudaVersion, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *status) {
  return find(symbol, function, cudaVersion, flags, status);
}
extern "C" HEDDLE_EXPORT cudaError_t cudaGetDriverEntryPointByVersion_ptsz(
    const char *symbol, void **function, unsigned int cudaVersion, unsigned long long flags,
    cudaDriverEntryPointQueryResult *status) {
  return find(symbol, function, cudaVersion, perThread(flags), status);
}
