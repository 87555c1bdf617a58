// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What modules, libraries and functions have in common. A library is a module that belongs to no
// context; a function's (or a library's kernel's) handle is the address of a Kernel, or of the host
// function that stands for it.
#pragma once

#include "device/registry.h"
#include "driver/module/image.h"

namespace heddle::driver {

inline bool isLibrary(const Module &module) { return module.wasLoaded() && module.device < 0; }
inline CUfunction handleOf(const Kernel *kernel) {
  return reinterpret_cast<CUfunction>(const_cast<Kernel *>(kernel));
}

/// Loads code into a context, or as a library if it is null.
CUresult load(const void *data, size_t limit, JitOptions &options, const Context *context,
              std::shared_ptr<Module> &module);
/// The same of a file.
CUresult loadFile(const char *path, JitOptions &options, const Context *context,
                  std::shared_ptr<Module> &module);

/// CUDA_ERROR_NOT_FOUND if there is none.
CUresult findKernel(Module &module, const char *name, std::shared_ptr<Kernel> &kernel);
CUresult enumerateKernels(Module &module, void **handles, unsigned count);
CUresult findVariable(Module &module, Device &device, const char *name, bool managed,
                      CUdeviceptr *pointer, size_t *bytes);

/// Runs a body with a module, or a library.
template <class Body> CUresult callModule(const void *handle, bool library, Body body) {
  return callContext([&](Context &context) -> CUresult {
    const std::shared_ptr<Module> module = Registry::instance().findModule(handle);
    if (!module || isLibrary(*module) != library)
      return CUDA_ERROR_INVALID_HANDLE;
    return result(body(*module, context));
  });
}

/// Runs a body with a function of the current context, and the context's device.
template <class Body> CUresult callFunction(const void *handle, Body body) {
  return callContext([&](Context &context) -> CUresult {
    std::shared_ptr<Kernel> kernel;
    if (const cudaError_t error = Registry::instance().findKernel(handle, kernel))
      return result(error);
    const Module &module = *kernel->module;
    if (module.device >= 0 &&
        (module.device != context.device.ordinal || module.context != context.number))
      return CUDA_ERROR_INVALID_HANDLE;
    return result(body(*kernel, context.device));
  });
}

} // namespace heddle::driver
