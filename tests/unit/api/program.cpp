// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <cstdlib>

using namespace heddle;

extern "C" {
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *,
                            dim3 *, dim3 *, int *);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);
void __heddleRegisterManagedVar(void **, void *, const char *, size_t);
}

namespace program {

char store, store_bounded, heavy, reads_shared, uncompilable, unknown;
int device_variable[16], constant_variable[4], managed_variable[4], uninitialised_variable[16],
    not_a_variable;

namespace {

struct Wrapper {
  int magic = 0x466243b1, version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

KernelInfo kernel(const char *name) {
  KernelInfo info;
  info.name = info.display_name = name;
  info.registers = 32;
  return info;
}

ImageInfo describe() {
  ImageInfo info;
  info.source = "program.cu";
  info.arch = 750;
  info.globals_bytes = 96;
  info.globals_align = 16;
  info.variables = {{"device_variable", 0, 64, false, false},
                    {"constant_variable", 64, 16, true, false},
                    {"managed_variable", 80, 8, false, true}};
  KernelInfo stores = kernel("store");
  stores.parameters = {{0, 8}, {8, 4}};
  stores.parameter_bytes = 12;
  KernelInfo bounded = kernel("store_bounded");
  bounded.max_threads_per_block = 128;
  KernelInfo many_registers = kernel("heavy");
  many_registers.registers = 255;
  KernelInfo shared = kernel("reads_shared");
  shared.static_shared_bytes = 1024;
  info.kernels = {stores, bounded, many_registers, shared};
  return info;
}

void registerKernel(void **handle, char &stub, const char *name) {
  __cudaRegisterFunction(handle, &stub, const_cast<char *>(name), name, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
}

void registerVariable(void **handle, int *variable, const char *name, size_t size, int constant) {
  __cudaRegisterVar(handle, reinterpret_cast<char *>(variable), const_cast<char *>(name), name, 0,
                    size, constant, 0);
}

/// What Clang's module constructor does.
const int registered = [] {
  setenv("HEDDLE_DEVICES", "2", 1);
  setenv("HEDDLE_GPU", "t4", 1);
  setenv("HEDDLE_QUIET", "1", 1);
  static const int initial[16] = {10, 11, 12};
  static const std::string image = fake::makeImage(
      describe(), std::string(reinterpret_cast<const char *>(initial), sizeof initial));
  static Wrapper wrapper;
  wrapper.data = image.data();
  void **handle = __cudaRegisterFatBinary(&wrapper);
  registerKernel(handle, store, "store");
  registerKernel(handle, store_bounded, "store_bounded");
  registerKernel(handle, heavy, "heavy");
  registerKernel(handle, reads_shared, "reads_shared");
  registerVariable(handle, device_variable, "device_variable", sizeof device_variable, 0);
  registerVariable(handle, constant_variable, "constant_variable", sizeof constant_variable, 1);
  registerVariable(handle, managed_variable, "managed_variable", sizeof managed_variable, 0);
  __heddleRegisterManagedVar(handle, managed_variable, "managed_variable", sizeof managed_variable);
  __cudaRegisterFatBinaryEnd(handle);

  ImageInfo bad = describe();
  bad.kernels = {kernel("uncompilable")};
  static const std::string bad_image = fake::makeImage(bad, "does not compile");
  static Wrapper bad_wrapper;
  bad_wrapper.data = bad_image.data();
  void **bad_handle = __cudaRegisterFatBinary(&bad_wrapper);
  registerKernel(bad_handle, uncompilable, "uncompilable");
  registerVariable(bad_handle, uninitialised_variable, "device_variable",
                   sizeof uninitialised_variable, 0);
  return 0;
}();

} // namespace

cudaError_t launchStore(int *address, int value, cudaStream_t stream) {
  void *arguments[] = {&address, &value};
  return cudaLaunchKernel(&store, dim3(1), dim3(1), arguments, 0, stream);
}

cudaError_t launch(const void *kernel, dim3 grid, dim3 block, size_t shared) {
  return cudaLaunchKernel(kernel, grid, block, nullptr, shared, nullptr);
}

void Test::SetUp() {
  fake::define("store", [](const engine::Launch &launch) -> std::optional<engine::Fault> {
    int *address = fake::parameter<int *>(launch, 0);
    if (!address)
      return engine::Fault{cudaErrorIllegalAddress, "store: address 0"};
    *address = fake::parameter<int>(launch, 1);
    return std::nullopt;
  });
  for (const char *name : {"store_bounded", "heavy", "reads_shared", "uncompilable"})
    fake::define(name, [](const engine::Launch &) { return std::nullopt; });
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

void Test::TearDown() {
  for (int device : {1, 0}) {
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  }
  cudaGetLastError();
}

} // namespace program
