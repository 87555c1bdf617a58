// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's libraries are loaded when they are needed: few programs of a library do.
#include "linked_code.h"

#include <dlfcn.h>
#include <nvJitLink.h>
#include <nvrtc.h>

namespace heddle::library {
namespace {

/// A function of a library beside this one.
template <typename F> F *function(const char *library, const char *name) {
  void *const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL); // stays, as kernels of it may
  return loaded ? reinterpret_cast<F *>(dlsym(loaded, name)) : nullptr;
}
#define NVRTC(name) function<decltype(name)>("libnvrtc.so.12", #name)
#define JITLINK(name) function<decltype(name)>("libnvJitLink.so.12", #name)

int computeCapability() {
  int device = 0, major = 0, minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
    return 0;
  return major * 10 + minor;
}

std::string logOf(nvrtcProgram program) {
  size_t size = 0;
  if (NVRTC(nvrtcGetProgramLogSize)(program, &size) != NVRTC_SUCCESS || size == 0)
    return "the library's kernels cannot be compiled";
  std::string log(size, '\0');
  NVRTC(nvrtcGetProgramLog)(program, log.data());
  return log.c_str();
}

/// The source as LTO-IR; empty, and `why`, if it cannot be compiled.
std::vector<char> compile(const char *source, std::vector<std::string> options, std::string &why) {
  if (!NVRTC(nvrtcCompileProgram)) {
    why = "libnvrtc.so.12 is not there";
    return {};
  }
  options.push_back("-arch=compute_" + std::to_string(computeCapability()));
  options.insert(options.end(), {"-rdc=true", "-dlto", "-std=c++17"});
  std::vector<const char *> words;
  for (const std::string &option : options)
    words.push_back(option.c_str());
  nvrtcProgram program = nullptr;
  std::vector<char> code;
  size_t size = 0;
  if (NVRTC(nvrtcCreateProgram)(&program, source, "kernels.cu", 0, nullptr, nullptr) !=
      NVRTC_SUCCESS) {
    why = "the library's kernels cannot be compiled";
    return {};
  }
  if (NVRTC(nvrtcCompileProgram)(program, int(words.size()), words.data()) == NVRTC_SUCCESS &&
      NVRTC(nvrtcGetLTOIRSize)(program, &size) == NVRTC_SUCCESS) {
    code.resize(size);
    if (NVRTC(nvrtcGetLTOIR)(program, code.data()) != NVRTC_SUCCESS)
      code.clear();
  }
  if (code.empty())
    why = logOf(program);
  NVRTC(nvrtcDestroyProgram)(&program);
  return code;
}

std::string logOf(nvJitLinkHandle link) {
  size_t size = 0;
  if (JITLINK(nvJitLinkGetErrorLogSize)(link, &size) != NVJITLINK_SUCCESS || size == 0)
    return "the device code cannot be linked";
  std::string log(size, '\0');
  JITLINK(nvJitLinkGetErrorLog)(link, log.data());
  return log.c_str();
}

std::vector<char> link(const std::vector<LinkedCode::Part> &parts, std::string &why) {
  if (!JITLINK(nvJitLinkCreate)) {
    why = "libnvJitLink.so.12 is not there";
    return {};
  }
  const std::string arch = "-arch=sm_" + std::to_string(computeCapability());
  const char *options[] = {"-lto", arch.c_str()};
  nvJitLinkHandle handle = nullptr;
  if (JITLINK(nvJitLinkCreate)(&handle, 2, options) != NVJITLINK_SUCCESS) {
    why = "the device code cannot be linked";
    return {};
  }
  bool good = true;
  for (const LinkedCode::Part &part : parts)
    good = good && JITLINK(nvJitLinkAddData)(handle, NVJITLINK_INPUT_LTOIR, part.code, part.size,
                                             "device code") == NVJITLINK_SUCCESS;
  size_t size = 0;
  std::vector<char> image;
  if (good && JITLINK(nvJitLinkComplete)(handle) == NVJITLINK_SUCCESS &&
      JITLINK(nvJitLinkGetLinkedCubinSize)(handle, &size) == NVJITLINK_SUCCESS) {
    image.resize(size);
    if (JITLINK(nvJitLinkGetLinkedCubin)(handle, image.data()) != NVJITLINK_SUCCESS)
      image.clear();
  }
  if (image.empty())
    why = logOf(handle);
  JITLINK(nvJitLinkDestroy)(&handle);
  return image;
}

} // namespace

std::unique_ptr<LinkedCode> LinkedCode::make(const char *source,
                                             const std::vector<std::string> &options,
                                             const std::vector<Part> &parts, std::string &why) {
  const std::vector<char> own = compile(source, options, why);
  if (own.empty())
    return nullptr;
  std::vector<Part> all = parts;
  all.push_back({own.data(), own.size()});
  const std::vector<char> image = link(all, why);
  if (image.empty())
    return nullptr;
  cudaLibrary_t loaded = nullptr;
  const cudaError_t error =
      cudaLibraryLoadData(&loaded, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (error != cudaSuccess) {
    why = cudaGetErrorString(error);
    return nullptr;
  }
  return std::unique_ptr<LinkedCode>(new LinkedCode(loaded));
}

LinkedCode::~LinkedCode() { cudaLibraryUnload(loaded_); }

cudaKernel_t LinkedCode::kernel(const char *name) const {
  cudaKernel_t found = nullptr;
  return cudaLibraryGetKernel(&found, loaded_, name) == cudaSuccess ? found : nullptr;
}

void *LinkedCode::variable(const char *name, size_t &size) const {
  void *found = nullptr;
  if (cudaLibraryGetGlobal(&found, &size, loaded_, name) == cudaSuccess)
    return found;
  cudaGetLastError(); // a name that is not there is for the caller to report
  return nullptr;
}

} // namespace heddle::library
