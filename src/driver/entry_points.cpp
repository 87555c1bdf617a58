// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuGetProcAddress: the driver's functions by name. A program that asks for one that Heddle does
// not have is told so, and can do without.
#include "driver/entry.h"

#include <dlfcn.h>
#include <string>

namespace {

/// The library's own function of this name; the newest of its versions.
void *find(const std::string &name) {
  Dl_info self;
  if (!dladdr(reinterpret_cast<const void *>(&cuInit), &self))
    return nullptr;
  void *library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  if (!library)
    return nullptr;
  void *function = nullptr;
  for (const char *version : {"_v2", ""})
    if (!function)
      function = dlsym(library, (name + version).c_str());
  dlclose(library);
  return function;
}

} // namespace

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status) {
  constexpr cuuint64_t known =
      CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!symbol || !function || (flags & ~known) || flags == known)
    return CUDA_ERROR_INVALID_VALUE;
  const std::string name = symbol;
  *function = name.starts_with("cu") ? find(name) : nullptr;
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  (void)version; // all that is here has been there since CUDA 12 or before
  return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
