// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lnvJitLink -lnvrtc -lcuda
//
// nvJitLink: code that NVRTC leaves to be linked becomes one image; options, logs and bad input.
#include "driver.h"

#include <nvJitLink.h>
#include <nvrtc.h>

#define CHECK_LINK(call, expected) CHECK_EQ(int(call), int(expected))

using Bytes = std::vector<char>;
using Words = std::vector<const char *>;

Bytes compile(const char *source, const Words &options) {
  nvrtcProgram program;
  CHECK_EQ(int(nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr)), 0);
  CHECK_EQ(int(nvrtcCompileProgram(program, int(options.size()), options.data())), 0);
  const bool later = options[0] == std::string("-dlto");
  const bool ptx = options[0] == std::string("-arch=compute_75");
  size_t size = 0;
  const auto get_size = later ? nvrtcGetLTOIRSize : ptx ? nvrtcGetPTXSize : nvrtcGetCUBINSize;
  CHECK_EQ(int(get_size(program, &size)), 0);
  Bytes bytes(size);
  const auto get = later ? nvrtcGetLTOIR : ptx ? nvrtcGetPTX : nvrtcGetCUBIN;
  CHECK_EQ(int(get(program, bytes.data())), 0);
  CHECK_EQ(int(nvrtcDestroyProgram(&program)), 0);
  CHECK(!bytes.empty());
  return bytes;
}

const char *caller = "extern __device__ int cube(int x);\n"
                     "extern __device__ int offset;\n"
                     "extern \"C\" __global__ void cubes(int *out) {\n"
                     "  out[threadIdx.x] = cube(threadIdx.x) + offset;\n"
                     "}\n";
const char *callee = "__device__ int offset = 5;\n"
                     "__device__ int cube(int x) { return x * x * x; }\n";

nvJitLinkHandle create(Words options = {"-arch=sm_75", "-lto"}) {
  nvJitLinkHandle handle = nullptr;
  CHECK_LINK(nvJitLinkCreate(&handle, uint32_t(options.size()), options.data()), NVJITLINK_SUCCESS);
  return handle;
}

void add(nvJitLinkHandle handle, nvJitLinkInputType type, const Bytes &bytes, const char *name) {
  CHECK_LINK(nvJitLinkAddData(handle, type, bytes.data(), bytes.size(), name), NVJITLINK_SUCCESS);
}

std::string errors(nvJitLinkHandle handle) {
  size_t size = 0;
  CHECK_LINK(nvJitLinkGetErrorLogSize(handle, &size), NVJITLINK_SUCCESS);
  Bytes log(size + 1);
  CHECK_LINK(nvJitLinkGetErrorLog(handle, log.data()), NVJITLINK_SUCCESS);
  return log.data();
}

Bytes linked(nvJitLinkHandle handle) {
  size_t size = 0;
  CHECK_LINK(nvJitLinkGetLinkedCubinSize(handle, &size), NVJITLINK_SUCCESS);
  Bytes cubin(size);
  CHECK_LINK(nvJitLinkGetLinkedCubin(handle, cubin.data()), NVJITLINK_SUCCESS);
  return cubin;
}

void checkImage(const Bytes &image) {
  CUmodule module;
  CUfunction function;
  CUdeviceptr memory;
  CHECK_DRIVER(cuModuleLoadData(&module, image.data()));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "cubes"));
  CHECK_DRIVER(cuMemAlloc(&memory, 32 * sizeof(int)));
  void *arguments[] = {&memory};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  std::vector<int> host(32);
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), memory, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(host[i], i * i * i + 5);
  CHECK_DRIVER(cuMemFree(memory));
  CHECK_DRIVER(cuModuleUnload(module));
}

// 32 values that are needed at once.
const char *hungry = "extern \"C\" __global__ void hungry(float *x) {\n"
                     "  float v[32];\n"
                     "  for (int i = 0; i < 32; ++i) v[i] = x[i];\n"
                     "  __syncthreads();\n"
                     "  for (int i = 0; i < 32; ++i) x[31 - i] = v[i] * v[(i + 7) % 32];\n"
                     "}\n";

int registersOf(Bytes image, const char *kernel) {
  CUmodule module;
  CUfunction function;
  int registers = 0;
  image.push_back(0);
  CHECK_DRIVER(cuModuleLoadData(&module, image.data()));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, kernel));
  CHECK_DRIVER(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  CHECK_DRIVER(cuModuleUnload(module));
  return registers;
}

void checkLinks() {
  const Bytes first = compile(caller, {"-dlto", "-arch=sm_75"});
  const Bytes second = compile(callee, {"-dlto", "-arch=sm_75"});
  nvJitLinkHandle handle = create();
  add(handle, NVJITLINK_INPUT_LTOIR, first, "caller");
  add(handle, NVJITLINK_INPUT_ANY, second, nullptr);
  CHECK_LINK(nvJitLinkComplete(handle), NVJITLINK_SUCCESS);
  checkImage(linked(handle));
  CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);

  // What has no code of its own is linked, too. A kernel has no more registers than it may have.
  handle = create({"-arch=sm_75", "-lto", "-maxrregcount=24"});
  add(handle, NVJITLINK_INPUT_LTOIR, compile("// nothing\n", {"-dlto", "-arch=sm_75"}), "nothing");
  add(handle, NVJITLINK_INPUT_LTOIR, compile(hungry, {"-dlto", "-arch=sm_75"}), "hungry");
  CHECK_LINK(nvJitLinkComplete(handle), NVJITLINK_SUCCESS);
  CHECK_EQ(registersOf(linked(handle), "hungry"), 24);
  CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);
  CHECK(registersOf(compile(hungry, {"-arch=sm_75"}), "hungry") > 24);
  CHECK_EQ(registersOf(compile(hungry, {"-arch=compute_75", "-maxrregcount=24"}), "hungry"), 24);

  // A whole image is linked alone, too.
  handle = create({"-arch=sm_75"});
  add(handle, NVJITLINK_INPUT_CUBIN,
      compile((std::string(callee) + caller).c_str(), {"-arch=sm_75"}), "whole");
  CHECK_LINK(nvJitLinkComplete(handle), NVJITLINK_SUCCESS);
  checkImage(linked(handle));
  CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);

  // Relocatable cubins, one of them from a file.
  const char *file = "nvjitlink_part.cubin";
  const Bytes relocatable = compile(callee, {"-arch=sm_75", "-rdc=true"});
  std::ofstream(file, std::ios::binary).write(relocatable.data(), long(relocatable.size()));
  handle = create({"-arch=sm_75"});
  add(handle, NVJITLINK_INPUT_CUBIN, compile(caller, {"-arch=sm_75", "-rdc=true"}), "caller");
  CHECK_LINK(nvJitLinkAddFile(handle, NVJITLINK_INPUT_CUBIN, file), NVJITLINK_SUCCESS);
  CHECK_LINK(nvJitLinkComplete(handle), NVJITLINK_SUCCESS);
  checkImage(linked(handle));
  CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);
  std::remove(file);

  // PTX, with PTX and with code that is not.
  for (const bool both : {true, false}) {
    const Words as_ptx = {"-arch=compute_75", "-rdc=true"};
    handle = create({"-arch=sm_75"});
    add(handle, NVJITLINK_INPUT_PTX, compile(caller, as_ptx), "caller.ptx");
    add(handle, both ? NVJITLINK_INPUT_PTX : NVJITLINK_INPUT_CUBIN,
        both ? compile(callee, as_ptx) : relocatable, "callee");
    CHECK_LINK(nvJitLinkComplete(handle), NVJITLINK_SUCCESS);
    checkImage(linked(handle));
    CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);
  }

  handle = create({"-arch=sm_75", "-lto", "-ptx"});
  add(handle, NVJITLINK_INPUT_LTOIR, first, "caller");
  add(handle, NVJITLINK_INPUT_LTOIR, second, "callee");
  CHECK_LINK(nvJitLinkComplete(handle), NVJITLINK_SUCCESS);
  size_t size = 0;
  CHECK_LINK(nvJitLinkGetLinkedPtxSize(handle, &size), NVJITLINK_SUCCESS);
  Bytes ptx(size + 1);
  CHECK_LINK(nvJitLinkGetLinkedPtx(handle, ptx.data()), NVJITLINK_SUCCESS);
  CHECK(std::string(ptx.data()).find(".entry cubes(") != std::string::npos);
  CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);
}

void checkErrors() {
  const Bytes part = compile(caller, {"-dlto", "-arch=sm_75"});
  nvJitLinkHandle handle = create();
  size_t size = 0;
  CHECK_LINK(nvJitLinkGetLinkedCubinSize(handle, &size), NVJITLINK_ERROR_INVALID_INPUT);
  add(handle, NVJITLINK_INPUT_LTOIR, part, "caller");
  CHECK(nvJitLinkComplete(handle) != NVJITLINK_SUCCESS);
  CHECK(errors(handle).find("Undefined reference to '_Z4cubei'") != std::string::npos);
  CHECK_LINK(nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, nullptr, 1, "x"),
             NVJITLINK_ERROR_INVALID_INPUT);
  CHECK_LINK(nvJitLinkAddFile(handle, NVJITLINK_INPUT_LTOIR, "/nonexistent/file"),
             NVJITLINK_ERROR_INVALID_INPUT);
  CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);

  for (size_t length : {size_t(3), part.size() / 2, part.size() - 1}) {
    handle = create();
    add(handle, NVJITLINK_INPUT_LTOIR, Bytes(part.begin(), part.begin() + long(length)), "cut");
    CHECK(nvJitLinkComplete(handle) != NVJITLINK_SUCCESS);
    CHECK(errors(handle).find("cut") != std::string::npos);
    CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);
  }

  handle = create();
  const std::string broken = ".version 8.0\n.target sm_75\n.address_size 64\nnonsense\n";
  add(handle, NVJITLINK_INPUT_PTX, Bytes(broken.begin(), broken.end()), "broken.ptx");
  CHECK_LINK(nvJitLinkComplete(handle), NVJITLINK_ERROR_PTX_COMPILE);
  CHECK(errors(handle).find("line 4") != std::string::npos);
  CHECK_LINK(nvJitLinkDestroy(&handle), NVJITLINK_SUCCESS);

  Words none;
  CHECK_LINK(nvJitLinkCreate(&handle, 0, none.data()), NVJITLINK_ERROR_MISSING_ARCH);
  Words bad = {"-arch=sm_75", "-nonsense"};
  CHECK_LINK(nvJitLinkCreate(&handle, 2, bad.data()), NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  CHECK_LINK(nvJitLinkCreate(nullptr, 2, bad.data()), NVJITLINK_ERROR_INVALID_INPUT);
  CHECK_LINK(nvJitLinkComplete(nullptr), NVJITLINK_ERROR_INVALID_INPUT);
  unsigned major = 0, minor = 0;
  CHECK_LINK(nvJitLinkVersion(&major, &minor), NVJITLINK_SUCCESS);
  CHECK(major >= 12);
}

int main() {
  driver::begin();
  checkLinks();
  checkErrors();
  RETURN_RESULT();
}
