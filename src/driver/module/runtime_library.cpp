// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's libraries (CUDA runtime API, "Library Management"): the driver's, with the
// runtime's types, in the primary context. The options have the driver's numbers.
#include "driver/entry.h"

namespace {

/// Makes the primary context, and remembers the error for cudaGetLastError. The driver's errors
/// have the runtime's values.
template <class Body> cudaError_t inRuntime(Body body) {
  return heddle::api::callDevice([&](heddle::Device &) { return cudaError_t(body()); });
}

CUlibrary driverHandle(cudaLibrary_t library) { return reinterpret_cast<CUlibrary>(library); }

CUdeviceptr *address(void **pointer) { return reinterpret_cast<CUdeviceptr *>(pointer); }

} // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, cudaJitOption *jitOptions,
                                void **jitOptionsValues, unsigned numJitOptions,
                                cudaLibraryOption *libraryOptions, void **libraryOptionValues,
                                unsigned numLibraryOptions) {
  return inRuntime([&] {
    return cuLibraryLoadData(reinterpret_cast<CUlibrary *>(library), code,
                             reinterpret_cast<CUjit_option *>(jitOptions), jitOptionsValues,
                             numJitOptions, reinterpret_cast<CUlibraryOption *>(libraryOptions),
                             libraryOptionValues, numLibraryOptions);
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName,
                                    cudaJitOption *jitOptions, void **jitOptionsValues,
                                    unsigned numJitOptions, cudaLibraryOption *libraryOptions,
                                    void **libraryOptionValues, unsigned numLibraryOptions) {
  return inRuntime([&] {
    return cuLibraryLoadFromFile(reinterpret_cast<CUlibrary *>(library), fileName,
                                 reinterpret_cast<CUjit_option *>(jitOptions), jitOptionsValues,
                                 numJitOptions, reinterpret_cast<CUlibraryOption *>(libraryOptions),
                                 libraryOptionValues, numLibraryOptions);
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return inRuntime([&] { return cuLibraryUnload(driverHandle(library)); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name) {
  return inRuntime([&] {
    return cuLibraryGetKernel(reinterpret_cast<CUkernel *>(pKernel), driverHandle(library), name);
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
  return inRuntime([&] { return cuLibraryGetKernelCount(count, driverHandle(library)); });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned numKernels,
                                        cudaLibrary_t library) {
  return inRuntime([&] {
    return cuLibraryEnumerateKernels(reinterpret_cast<CUkernel *>(kernels), numKernels,
                                     driverHandle(library));
  });
}

cudaError_t cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library,
                                 const char *name) {
  return inRuntime(
      [&] { return cuLibraryGetGlobal(address(dptr), bytes, driverHandle(library), name); });
}

cudaError_t cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library,
                                  const char *name) {
  return inRuntime(
      [&] { return cuLibraryGetManaged(address(dptr), bytes, driverHandle(library), name); });
}

cudaError_t cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library, const char *symbol) {
  return inRuntime(
      [&] { return cuLibraryGetUnifiedFunction(fptr, driverHandle(library), symbol); });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attr, int value,
                                            int device) {
  return inRuntime([&] {
    return cuKernelSetAttribute(CUfunction_attribute(attr), value,
                                reinterpret_cast<CUkernel>(kernel), device);
  });
}
