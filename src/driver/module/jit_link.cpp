// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/module/jit_link.h"

#include "support/paths.h"

#include <dlfcn.h>
#include <nvJitLink.h>

namespace heddle::driver {
namespace {

constexpr std::string_view relocatable = "HEDR"; // device code that is to be linked
constexpr std::string_view elf = "\x7f"
                                 "ELF";
constexpr std::string_view archive = "!<arch>";

/// libnvJitLink.so.12 of this installation, which asks the compiler. This library has no LLVM.
class JitLinker {
public:
  static const JitLinker &instance() {
    static const JitLinker linker;
    return linker;
  }
  bool isThere() const { return library_; }

  decltype(&nvJitLinkCreate) create = nullptr;
  decltype(&nvJitLinkDestroy) destroy = nullptr;
  decltype(&nvJitLinkAddData) add = nullptr;
  decltype(&nvJitLinkComplete) complete = nullptr;
  decltype(&nvJitLinkGetLinkedCubinSize) cubinSize = nullptr;
  decltype(&nvJitLinkGetLinkedCubin) cubin = nullptr;
  decltype(&nvJitLinkGetErrorLogSize) logSize = nullptr;
  decltype(&nvJitLinkGetErrorLog) log = nullptr;

private:
  JitLinker() {
    const std::string path = (installRoot() / "lib" / "libnvJitLink.so.12").string();
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_)
      return;
    find(create, "nvJitLinkCreate");
    find(destroy, "nvJitLinkDestroy");
    find(add, "nvJitLinkAddData");
    find(complete, "nvJitLinkComplete");
    find(cubinSize, "nvJitLinkGetLinkedCubinSize");
    find(cubin, "nvJitLinkGetLinkedCubin");
    find(logSize, "nvJitLinkGetErrorLogSize");
    find(log, "nvJitLinkGetErrorLog");
  }
  template <class F> void find(F &function, const char *name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
  }
  void *library_ = nullptr;
};

nvJitLinkInputType kindOf(CUjitInputType type) {
  switch (type) {
  case CU_JIT_INPUT_PTX:
    return NVJITLINK_INPUT_PTX;
  case CU_JIT_INPUT_OBJECT:
    return NVJITLINK_INPUT_OBJECT;
  case CU_JIT_INPUT_LIBRARY:
    return NVJITLINK_INPUT_LIBRARY;
  case CU_JIT_INPUT_NVVM:
    return NVJITLINK_INPUT_LTOIR;
  default:
    return NVJITLINK_INPUT_CUBIN;
  }
}

CUresult errorOf(nvJitLinkResult result) {
  switch (result) {
  case NVJITLINK_SUCCESS:
    return CUDA_SUCCESS;
  case NVJITLINK_ERROR_PTX_COMPILE:
  case NVJITLINK_ERROR_FINALIZE:
    return CUDA_ERROR_INVALID_PTX;
  case NVJITLINK_ERROR_UNRECOGNIZED_INPUT:
  case NVJITLINK_ERROR_INVALID_INPUT:
    return CUDA_ERROR_INVALID_IMAGE;
  default:
    return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
  }
}

nvJitLinkResult link(const JitLinker &linker, nvJitLinkHandle handle,
                     const std::vector<JitInput> &inputs, std::vector<std::byte> &image) {
  for (const JitInput &input : inputs)
    if (const nvJitLinkResult error = linker.add(handle, kindOf(input.type), input.bytes.data(),
                                                 input.bytes.size(), input.name.c_str()))
      return error;
  if (const nvJitLinkResult error = linker.complete(handle))
    return error;
  size_t size = 0;
  if (const nvJitLinkResult error = linker.cubinSize(handle, &size))
    return error;
  image.resize(size);
  return linker.cubin(handle, image.data());
}

} // namespace

bool looksLike(CUjitInputType type, const std::string &bytes) {
  switch (type) {
  case CU_JIT_INPUT_OBJECT:
    return bytes.starts_with(elf) || bytes.starts_with(relocatable);
  case CU_JIT_INPUT_LIBRARY:
    return bytes.starts_with(archive);
  default: // an image is looked at by those who read it
    return bytes.starts_with(relocatable);
  }
}

CUresult jitLink(const std::vector<JitInput> &inputs, std::vector<std::byte> &image,
                 std::string &log) {
  const JitLinker &linker = JitLinker::instance();
  if (!linker.isThere()) {
    log = "Heddle's libnvJitLink.so.12 is missing\n";
    return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
  }
  CUdevice device = 0;
  int major = 0, minor = 0;
  if (const CUresult error = cuCtxGetDevice(&device))
    return error;
  if (const CUresult error = cuDeviceComputeCapability(&major, &minor, device))
    return error;
  const std::string arch = "-arch=sm_" + std::to_string(10 * major + minor);
  const char *options[] = {arch.c_str()};
  nvJitLinkHandle handle = nullptr;
  if (const nvJitLinkResult error = linker.create(&handle, 1, options))
    return errorOf(error);
  const nvJitLinkResult result = link(linker, handle, inputs, image);
  size_t size = 0;
  if (result != NVJITLINK_SUCCESS && linker.logSize(handle, &size) == NVJITLINK_SUCCESS) {
    log.resize(size);
    linker.log(handle, log.data());
    log.resize(log.find('\0') == std::string::npos ? size : log.find('\0'));
  }
  linker.destroy(&handle);
  return errorOf(result);
}

} // namespace heddle::driver
