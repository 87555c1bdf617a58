// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries: device code that a program loads for all contexts, and the kernels in it.
#include "api/kernel_queries.h"
#include "driver/module/module.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

/// Libraries need no context.
template <class Body> CUresult callLibrary(CUlibrary handle, Body body) {
  return call([&]() -> CUresult {
    const std::shared_ptr<Module> module = Registry::instance().findModule(handle);
    if (!module || !isLibrary(*module))
      return CUDA_ERROR_INVALID_HANDLE;
    return result(body(*module));
  });
}

template <class Body> CUresult callKernel(CUkernel handle, Body body) {
  return call([&]() -> CUresult {
    std::shared_ptr<Kernel> kernel;
    if (const cudaError_t error = Registry::instance().findKernel(handle, kernel))
      return result(error);
    return result(body(*kernel));
  });
}

template <class Body> CUresult callKernelOn(CUkernel handle, CUdevice device, Body body) {
  return callKernel(handle, [&](Kernel &kernel) {
    return driver::callDevice(device, [&](Device &device) { return body(kernel, device); });
  });
}

template <class Load>
CUresult loadLibrary(CUlibrary *handle, CUjit_option *names, void **values, unsigned count,
                     const CUlibraryOption *library_names, unsigned library_count, Load load) {
  return call([&]() -> CUresult {
    JitOptions options;
    std::shared_ptr<Module> module;
    if (!handle || (library_count && !library_names))
      return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < library_count; ++i)
      if (unsigned(library_names[i]) >= CU_LIBRARY_NUM_OPTIONS)
        return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = options.read(count, names, values))
      return error;
    if (const CUresult error = load(options, module))
      return error;
    *handle = reinterpret_cast<CUlibrary>(module.get());
    return CUDA_SUCCESS;
  });
}

} // namespace

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions,
                           void **jitOptionsValues, unsigned numJitOptions,
                           CUlibraryOption *libraryOptions, void **, unsigned numLibraryOptions) {
  return loadLibrary(library, jitOptions, jitOptionsValues, numJitOptions, libraryOptions,
                     numLibraryOptions, [&](JitOptions &options, std::shared_ptr<Module> &module) {
                       return driver::load(code, no_limit, options, nullptr, module);
                     });
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned numJitOptions,
                               CUlibraryOption *libraryOptions, void **,
                               unsigned numLibraryOptions) {
  return loadLibrary(library, jitOptions, jitOptionsValues, numJitOptions, libraryOptions,
                     numLibraryOptions, [&](JitOptions &options, std::shared_ptr<Module> &module) {
                       return loadFile(file, options, nullptr, module);
                     });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return callLibrary(library, [](Module &module) {
    Platform &platform = Platform::instance();
    for (int i = 0; i < platform.deviceCount(); ++i)
      platform.device(i).synchronize();
    Registry::instance().removeModule(&module);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernel(CUkernel *handle, CUlibrary library, const char *name) {
  return callLibrary(library, [&](Module &module) {
    std::shared_ptr<Kernel> kernel;
    if (!handle)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = driver::findKernel(module, name, kernel))
      return error;
    *handle = reinterpret_cast<CUkernel>(kernel.get());
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
  return callLibrary(library, [&](Module &module) {
    if (!count)
      return CUDA_ERROR_INVALID_VALUE;
    *count = unsigned(module.kernelCount());
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library) {
  return callLibrary(library, [&](Module &module) {
    if (!kernels)
      return CUDA_ERROR_INVALID_VALUE;
    return enumerateKernels(module, reinterpret_cast<void **>(kernels), count);
  });
}

// Each device has its own copy of a module's variables, so that one module serves all contexts.
CUresult cuLibraryGetModule(CUmodule *handle, CUlibrary library) {
  return callModule(library, true, [&](Module &module, Context &) {
    if (!handle)
      return CUDA_ERROR_INVALID_VALUE;
    *handle = reinterpret_cast<CUmodule>(&module);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
                            const char *name) {
  return callModule(library, true, [&](Module &module, Context &context) {
    return driver::findVariable(module, context.device, name, false, pointer, bytes);
  });
}

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
                             const char *name) {
  return callModule(library, true, [&](Module &module, Context &context) {
    return driver::findVariable(module, context.device, name, true, pointer, bytes);
  });
}

// ---- Kernels ------------------------------------------------------------------------------------

CUresult cuKernelGetFunction(CUfunction *function, CUkernel handle) {
  return callContext([&] {
    return callKernel(handle, [&](Kernel &kernel) {
      if (!function)
        return CUDA_ERROR_INVALID_VALUE;
      *function = driver::handleOf(&kernel);
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel handle) {
  return callKernel(handle, [&](Kernel &kernel) {
    if (!library)
      return CUDA_ERROR_INVALID_VALUE;
    *library = reinterpret_cast<CUlibrary>(&kernel.module->whole());
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel handle,
                              CUdevice device) {
  return callKernelOn(handle, device, [&](Kernel &kernel, Device &device) {
    return api::attributeOf(device, kernel, int(attribute), value);
  });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle,
                              CUdevice device) {
  return callKernelOn(handle, device, [&](Kernel &kernel, Device &device) {
    return api::setAttribute(device, kernel, cudaFuncAttribute(attribute), value);
  });
}

CUresult cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice device) {
  return callKernelOn(handle, device, [&](Kernel &kernel, Device &device) {
    if (unsigned(config) > CU_FUNC_CACHE_PREFER_EQUAL)
      return CUDA_ERROR_INVALID_VALUE;
    kernel.settings[device.ordinal].cache = cudaFuncCache(config);
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetName(const char **name, CUkernel handle) {
  if (!handle)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callKernel(handle, [&](Kernel &kernel) {
    if (!name)
      return CUDA_ERROR_INVALID_VALUE;
    *name = kernel.info().name.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetParamInfo(CUkernel handle, size_t index, size_t *offset, size_t *size) {
  if (!handle)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callKernel(handle,
                    [&](Kernel &kernel) { return api::parameterOf(kernel, index, offset, size); });
}

CUresult cuKernelGetParamCount(CUkernel handle, size_t *count) {
  if (!handle || !count)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callKernel(handle, [&](Kernel &kernel) {
    *count = kernel.info().parameters.size();
    return cudaSuccess;
  });
}
