// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// A fat binary as nvcc writes it, with PTX in it: as a module, and as what a library that nvcc
// compiled registers.
#include "driver.h"

#include <cstdint>
#include <cstring>

using namespace driver;

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, uint3 *, uint3 *, dim3 *, dim3 *, int *);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t size, int constant, int global);
}

namespace {

const char text[] = R"(
.version 7.0
.target sm_52
.address_size 64

.visible .const .align 4 .u32 step = 5;

.visible .entry fill(.param .u64 out, .param .u32 first)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [first];
	mov.u32 %r2, %tid.x;
	ld.const.u32 %r3, [step];
	mad.lo.u32 %r4, %r2, %r3, %r1;
	mul.wide.u32 %rd2, %r2, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r4;
	ret;
}
)";

// Two objects of a device link.
const char caller[] = R"(
.version 7.0
.target sm_52
.address_size 64

.extern .func (.param .b32 result) twice(.param .b32 value);

.visible .entry fill(.param .u64 out, .param .u32 first)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	.param .b32 value;
	.param .b32 result;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	st.param.b32 [value], %r1;
	call.uni (result), twice, (value);
	ld.param.b32 %r2, [result];
	ld.param.u32 %r3, [first];
	add.u32 %r2, %r2, %r3;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r2;
	ret;
}
)";

const char called[] = R"(
.version 7.0
.target sm_52
.address_size 64

.visible .func (.param .b32 result) twice(.param .b32 value)
{
	.reg .b32 %r<2>;
	ld.param.b32 %r1, [value];
	add.u32 %r1, %r1, %r1;
	st.param.b32 [result], %r1;
	ret;
}
)";

// One entry behind one header; packed, of literals only, if `packed`.
struct FatBinary {
  struct {
    uint32_t magic = 0xba55ed50;
    uint16_t version = 1, header_bytes = 16;
    uint64_t bytes = sizeof(FatBinary) - 16;
  } header;
  struct {
    uint16_t kind = 1, version = 0x101; // PTX
    uint32_t header_bytes = 64;
    uint64_t bytes = sizeof(FatBinary) - 80;
    uint32_t packed_bytes = 0, options = 64;
    uint16_t minor = 0, major = 7;
    uint32_t capability = 52;
    uint64_t name = 0, flags = 0x11, reserved = 0, unpacked_bytes = 0;
  } entry;
  char code[1024] = "";
};
static_assert(sizeof(text) < 1000);

template <size_t Size> FatBinary plain(const char (&code)[Size]) {
  FatBinary binary;
  static_assert(Size <= sizeof binary.code);
  std::memcpy(binary.code, code, Size);
  return binary;
}

const FatBinary &packed() {
  static FatBinary binary;
  size_t size = 0, left = sizeof text - 15;
  binary.code[size++] = char(0xf0);
  for (; left >= 255; left -= 255)
    binary.code[size++] = char(255);
  binary.code[size++] = char(left);
  std::memcpy(binary.code + size, text, sizeof text);
  binary.entry.flags |= 0x2000;
  binary.entry.packed_bytes = size + sizeof text;
  binary.entry.unpacked_bytes = sizeof text;
  return binary;
}

void check(const int *device, int first, int step) {
  int got[32];
  CHECK_CUDA(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(got[i], first + i * step);
}

void asModule(const FatBinary &binary, int *out, int first) {
  CUmodule module;
  CUfunction function;
  CHECK_DRIVER(cuModuleLoadData(&module, &binary));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "fill"));
  void *parameters[] = {&out, &first};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  check(out, first, 5);
  CHECK_DRIVER(cuModuleUnload(module));
}

// What nvcc's host code does.
char host_function, host_variable[4];

void asLibrary(int *out) {
  static struct {
    int magic = 0x466243b1, version = 1;
    const void *data = &packed();
    void *unused = nullptr;
  } wrapper;
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &host_function, (char *)"fill", "fill", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, host_variable, (char *)"step", "step", 0, 4, 1, 0);
  __cudaRegisterFatBinaryEnd(handle);
  int first = 100, step = 7;
  void *parameters[] = {&out, &first};
  CHECK_CUDA(cudaLaunchKernel(&host_function, dim3(1), dim3(32), parameters, 0, nullptr));
  check(out, 100, 5);
  CHECK_CUDA(cudaMemcpyToSymbol((const void *)host_variable, &step, sizeof step));
  CHECK_CUDA(cudaLaunchKernel(&host_function, dim3(1), dim3(32), parameters, 0, nullptr));
  check(out, 100, 7);
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, &host_function));
  CHECK_EQ(attributes.ptxVersion, 52);
}

// After a device link: machine code, and the objects that it was made of.
char linked_function;

void asLinkedLibrary(int *out) {
  static FatBinary machine_code = plain(text), objects[] = {plain(caller), plain(called)};
  machine_code.entry.kind = 2;
  static const void *list[] = {&objects[0], &objects[1], nullptr};
  static struct {
    int magic = 0x466243b1, version = 2;
    const void *data = &machine_code;
    const void **objects = list;
  } wrapper;
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &linked_function, (char *)"fill", "fill", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  int first = 9;
  void *parameters[] = {&out, &first};
  CHECK_CUDA(cudaLaunchKernel(&linked_function, dim3(1), dim3(32), parameters, 0, nullptr));
  check(out, 9, 2);
}

// Machine code alone is no code for this device, as on a GPU for which there is none.
void machineCode() {
  FatBinary binary = plain(text);
  binary.entry.kind = 2;
  CUmodule module;
  CHECK_CODE(cuModuleLoadData(&module, &binary), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

} // namespace

int main() {
  begin();
  int *out;
  CHECK_CUDA(cudaMalloc(&out, 32 * sizeof(int)));
  asModule(plain(text), out, 3);
  asModule(packed(), out, 4);
  asLibrary(out);
  asLinkedLibrary(out);
  machineCode();
  RETURN_RESULT();
}
