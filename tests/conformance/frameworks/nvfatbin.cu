// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fat binaries that a program makes with nvFatbin of what NVRTC has compiled: modules and libraries
// load them, and take the code that suits the device best; nvJitLink links the LTO-IR in one.
// flags: -lnvfatbin -lnvrtc -lnvJitLink -lcuda
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cuda.h>
#include <nvFatbin.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <string>

enum class Form { Ptx, Cubin, LtoIr };

int capability() {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  return properties.major * 10 + properties.minor;
}

std::string compile(const std::string &source, Form form, int arch) {
  nvrtcProgram program = nullptr;
  CHECK_EQ(nvrtcCreateProgram(&program, source.c_str(), "k.cu", 0, nullptr, nullptr),
           NVRTC_SUCCESS);
  const std::string option =
      (form == Form::Cubin ? "-arch=sm_" : "-arch=compute_") + std::to_string(arch);
  const char *options[] = {option.c_str(), "-dlto"};
  CHECK_EQ(nvrtcCompileProgram(program, form == Form::LtoIr ? 2 : 1, options), NVRTC_SUCCESS);
  size_t bytes = 0;
  std::string code;
  const auto take = [&](auto size, auto get) {
    CHECK_EQ(size(program, &bytes), NVRTC_SUCCESS);
    code.resize(bytes);
    CHECK_EQ(get(program, code.data()), NVRTC_SUCCESS);
  };
  if (form == Form::Ptx)
    take(nvrtcGetPTXSize, nvrtcGetPTX);
  else if (form == Form::Cubin)
    take(nvrtcGetCUBINSize, nvrtcGetCUBIN);
  else
    take(nvrtcGetLTOIRSize, nvrtcGetLTOIR);
  CHECK_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
  return code;
}

std::string writes(int value) {
  return "extern \"C\" __global__ void k(int *out) { *out = " + std::to_string(value) + "; }";
}

class FatBinary {
public:
  explicit FatBinary(std::vector<const char *> options = {}) {
    CHECK_EQ(nvFatbinCreate(&handle, options.data(), options.size()), NVFATBIN_SUCCESS);
  }
  ~FatBinary() { CHECK_EQ(nvFatbinDestroy(&handle), NVFATBIN_SUCCESS); }
  FatBinary &ptx(const std::string &code, int arch) {
    CHECK_EQ(nvFatbinAddPTX(handle, code.data(), code.size(), std::to_string(arch).c_str(), "k",
                            nullptr),
             NVFATBIN_SUCCESS);
    return *this;
  }
  FatBinary &cubin(const std::string &code, int arch) {
    CHECK_EQ(nvFatbinAddCubin(handle, code.data(), code.size(), std::to_string(arch).c_str(), "k"),
             NVFATBIN_SUCCESS);
    return *this;
  }
  FatBinary &ltoIr(const std::string &code, int arch) {
    CHECK_EQ(nvFatbinAddLTOIR(handle, code.data(), code.size(), std::to_string(arch).c_str(), "k",
                              nullptr),
             NVFATBIN_SUCCESS);
    return *this;
  }
  std::vector<char> bytes() {
    size_t size = 0;
    CHECK_EQ(nvFatbinSize(handle, &size), NVFATBIN_SUCCESS);
    std::vector<char> all(size);
    CHECK_EQ(nvFatbinGet(handle, all.data()), NVFATBIN_SUCCESS);
    return all;
  }
  nvFatbinHandle handle = nullptr;
};

int valueOf(CUfunction function) {
  DeviceBuffer<int> out(1);
  int *pointer = out;
  void *arguments[] = {&pointer};
  CHECK_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr),
           CUDA_SUCCESS);
  return out.download()[0];
}

int valueOf(const std::vector<char> &binary) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CHECK_EQ(cuModuleLoadData(&module, binary.data()), CUDA_SUCCESS);
  CHECK_EQ(cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
  const int value = valueOf(function);
  CHECK_EQ(cuModuleUnload(module), CUDA_SUCCESS);
  return value;
}

void loaded(int arch) {
  const std::string ptx = compile(writes(1), Form::Ptx, arch);
  for (const auto &options : std::vector<std::vector<const char *>>{
           {}, {"-compress=false"}, {"-compress-all"}, {"-compress-mode=size", "-g"}})
    CHECK_EQ(valueOf(FatBinary(options).ptx(ptx, arch).bytes()), 1);
  const std::string cubin = compile(writes(2), Form::Cubin, arch);
  CHECK_EQ(valueOf(FatBinary().cubin(cubin, arch).bytes()), 2);
  CHECK_EQ(valueOf(FatBinary({"-compress=false"}).ptx(ptx, arch).cubin(cubin, arch).bytes()), 2);
  // Code for an older GPU, as PTX, and for this one.
  const std::string older = compile(writes(3), Form::Ptx, 80);
  CHECK_EQ(valueOf(FatBinary().ptx(older, 80).ptx(ptx, arch).bytes()), 1);
  CHECK_EQ(valueOf(FatBinary().ptx(older, 80).cubin(cubin, arch).bytes()), 2);

  const std::vector<char> binary = FatBinary().ptx(ptx, arch).bytes();
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  CHECK_CUDA(
      cudaLibraryLoadData(&library, binary.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK_CUDA(cudaLibraryGetKernel(&kernel, library, "k"));
  DeviceBuffer<int> out(1);
  int *pointer = out;
  void *arguments[] = {&pointer};
  CHECK_CUDA(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1), dim3(1), arguments,
                              0, nullptr));
  CHECK_EQ(out.download()[0], 1);
  CHECK_CUDA(cudaLibraryUnload(library));
}

void linked(int arch) {
  const std::string own = compile("__device__ int f() { return 40; }", Form::LtoIr, arch);
  const std::string user =
      compile("__device__ int f(); extern \"C\" __global__ void k(int *out) { *out = f() + 2; }",
              Form::LtoIr, arch);
  const std::string option = "-arch=sm_" + std::to_string(arch);
  const char *options[] = {option.c_str(), "-lto"};
  nvJitLinkHandle link = nullptr;
  CHECK_EQ(nvJitLinkCreate(&link, 2, options), NVJITLINK_SUCCESS);
  for (const std::string *code : {&own, &user}) {
    const std::vector<char> binary = FatBinary().ltoIr(*code, arch).bytes();
    CHECK_EQ(nvJitLinkAddData(link, NVJITLINK_INPUT_FATBIN, binary.data(), binary.size(),
                              code == &own ? "own" : "user"),
             NVJITLINK_SUCCESS);
  }
  CHECK_EQ(nvJitLinkComplete(link), NVJITLINK_SUCCESS);
  size_t bytes = 0;
  CHECK_EQ(nvJitLinkGetLinkedCubinSize(link, &bytes), NVJITLINK_SUCCESS);
  std::vector<char> cubin(bytes);
  CHECK_EQ(nvJitLinkGetLinkedCubin(link, cubin.data()), NVJITLINK_SUCCESS);
  CHECK_EQ(nvJitLinkDestroy(&link), NVJITLINK_SUCCESS);
  CHECK_EQ(valueOf(cubin), 42);
}

/// As nvFatbin 13.5 and 12.9 answer; those that are refused leave no trace.
void refused() {
  const std::string ptx = ".version 7.0\n.target sm_75\n.address_size 64\n", junk(200, 'x');
  FatBinary fat;
  const size_t size = ptx.size() + 1;
  const auto add = [&](const std::string &code, size_t bytes, const char *arch) {
    return nvFatbinAddPTX(fat.handle, code.c_str(), bytes, arch, "k", "");
  };
  CHECK_EQ(nvFatbinAddPTX(nullptr, ptx.c_str(), size, "75", "k", ""), NVFATBIN_ERROR_NULL_POINTER);
  CHECK_EQ(nvFatbinAddPTX(fat.handle, nullptr, size, "75", "k", ""), NVFATBIN_ERROR_NULL_POINTER);
  CHECK_EQ(add(ptx, size, nullptr), NVFATBIN_ERROR_NULL_POINTER);
  CHECK_EQ(add(ptx, 0, "75"), NVFATBIN_ERROR_EMPTY_INPUT);
  CHECK_EQ(add("", 1, "75"), NVFATBIN_ERROR_EMPTY_INPUT);
  CHECK_EQ(add(ptx, size, "sm_75"), NVFATBIN_ERROR_INVALID_ARCH);
  CHECK_EQ(add(ptx, size, "75x"), NVFATBIN_ERROR_INVALID_ARCH);
  CHECK_EQ(add("hello", 6, "75"), NVFATBIN_ERROR_MISSING_PTX_VERSION);
  CHECK_EQ(nvFatbinAddCubin(fat.handle, junk.data(), junk.size(), "75", "k"),
           NVFATBIN_ERROR_ELF_SIZE_MISMATCH);
  CHECK_EQ(nvFatbinAddCubin(fat.handle, junk.data(), 0, "75", "k"), NVFATBIN_ERROR_EMPTY_INPUT);
  CHECK_EQ(nvFatbinAddLTOIR(fat.handle, junk.data(), junk.size(), "75", "k", ""),
           NVFATBIN_ERROR_INTERNAL);
  CHECK_EQ(nvFatbinAddIndex(fat.handle, junk.data(), junk.size(), "k"),
           NVFATBIN_ERROR_INVALID_INDEX);
  CHECK_EQ(nvFatbinAddReloc(fat.handle, junk.data(), junk.size()), NVFATBIN_ERROR_INTERNAL);
  CHECK_EQ(nvFatbinSize(fat.handle, nullptr), NVFATBIN_ERROR_NULL_POINTER);
  CHECK_EQ(fat.bytes().size(), 16u);
  nvFatbinHandle other = nullptr;
  for (const char *option : {"-bogus", "-compress=maybe", "-host=amiga", "-compress-mode=bad", ""})
    CHECK_EQ(nvFatbinCreate(&other, &option, 1), NVFATBIN_ERROR_UNRECOGNIZED_OPTION);
  CHECK_EQ(nvFatbinDestroy(nullptr), NVFATBIN_ERROR_NULL_POINTER);
  CHECK(nvFatbinGetErrorString(NVFATBIN_SUCCESS) == nullptr);
  CHECK(nvFatbinGetErrorString(NVFATBIN_ERROR_INVALID_ARCH) != nullptr);
  unsigned major = 0, minor = 0;
  CHECK_EQ(nvFatbinVersion(&major, &minor), NVFATBIN_SUCCESS);
  CHECK_EQ(major, unsigned(CUDART_VERSION / 1000));
}

int main() {
  CHECK_CUDA(cudaFree(nullptr));
  const int arch = capability();
  loaded(arch);
  linked(arch);
  refused();
  RETURN_RESULT();
}
