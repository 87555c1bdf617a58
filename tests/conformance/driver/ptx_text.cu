// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// PTX text as a module: what its structure is made of, written by hand.
#include "driver.h"

#include <algorithm>
#include <cstring>

using namespace driver;

namespace {

// Variables with initial values that are lists, addresses and functions; functions called in all
// ways.
const char *const functions_text = R"(
.version 7.8
.target sm_70
.address_size 64

.visible .global .align 4 .u32 counter = 3;
.visible .global .attribute(.managed) .align 4 .u32 kept[2] = {40, 50};
.visible .global .align 4 .s32 table[2][3] = {{1, 2, 3}, {4, -5}};
.visible .global .align 4 .u32 list[3] = {10, 20, 30};
.visible .const .align 8 .f64 factors[2] = {0d3FF8000000000000, 0d4000000000000000};
.global .align 8 .u64 where[2] = {generic(table), generic(table)+12};
.extern .shared .align 16 .b8 dynamic[];

.visible .entry keep()
{
	.reg .b32 %r<4>;
	ld.global.u32 %r1, [kept];
	ld.global.u32 %r2, [kept+4];
	add.u32 %r3, %r1, %r2;
	st.global.u32 [kept], %r3;
	ret;
}

// Elements of arrays by their index.
.visible .entry indexed(.param .u64 out)
{
	.reg .b32 %r<7>;
	.reg .b64 %rd<5>;
	.shared .align 4 .u32 cells[4];
	ld.param.u64 %rd1, [out];
	mov.u64 %rd2, cells[0];
	mov.u64 %rd3, cells[2];
	mov.u32 %r1, 7;
	st.shared.u32 [%rd2+8], %r1;
	ld.shared.u32 %r2, [%rd3];
	ld.global.u32 %r3, list[1];
	ld.global.u32 %r4, [list+8];
	mov.u64 %rd4, list[1+1];
	ld.global.u32 %r5, [%rd4];
	sub.u32 %r5, %r5, %r4;
	add.u32 %r2, %r2, %r3;
	add.u32 %r2, %r2, %r5;
	st.global.u32 [%rd1], %r2;
	ret;
}

// The memory of all rounds together is more than a thread has.
.visible .entry stacked(.param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, 0;
	mov.u32 %r2, 0;
again:
	stacksave.u64 %rd2;
	alloca.u64 %rd3, 4096, 16;
	st.local.u32 [%rd3], %r1;
	st.local.u32 [%rd3+4092], %r2;
	ld.local.u32 %r3, [%rd3];
	add.u32 %r2, %r2, %r3;
	stackrestore.u64 %rd2;
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 1000;
	@%p1 bra again;
	st.global.u32 [%rd1], %r2;
	ret;
}

.func (.param .b32 result) twice(.param .b32 x)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [x];
	shl.b32 %r2, %r1, 1;
	st.param.b32 [result], %r2;
	ret;
}

.func (.param .b32 result) thrice(.param .b32 x)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [x];
	mul.lo.u32 %r2, %r1, 3;
	st.param.b32 [result], %r2;
	ret;
}

.func (.reg .u32 sum) addInRegisters(.reg .u32 a, .reg .u32 b)
{
	add.u32 sum, a, b;
	ret;
}

// A structure by value, and one as the result.
.func (.param .align 8 .b8 result[16]) swapped(.param .align 8 .b8 pair[16])
{
	.reg .b64 %rd<3>;
	ld.param.v2.b64 {%rd1, %rd2}, [pair];
	st.param.b64 [result], %rd2;
	st.param.b64 [result+8], %rd1;
	ret;
}

.global .align 8 .u64 functions[2] = {twice, thrice};

// out[i] = functions[i & 1](in[i]) + table[i % 6] for each thread i < n
.visible .entry calls(.param .u64 .ptr .global .align 4 out, .param .u64 in, .param .u32 n)
.maxntid 64, 1, 1
{
	.reg .pred %p<3>;
	.reg .b32 %r<12>;
	.reg .b64 %rd<14>;

	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r1, %r1, %r2, %r3;
	ld.param.u32 %r4, [n];
	setp.ge.u32 %p1, %r1, %r4;
	@%p1 ret;
	ld.param.u64 %rd1, [in];
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r5, [%rd3];
	and.b32 %r6, %r1, 1;
	mul.wide.u32 %rd4, %r6, 8;
	mov.u64 %rd5, functions;
	add.s64 %rd6, %rd5, %rd4;
	ld.global.u64 %rd7, [%rd6];
	{
	.param .b32 argument;
	.param .b32 answer;
	st.param.b32 [argument+0], %r5;
prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
	call (answer), %rd7, (argument), prototype;
	ld.param.b32 %r7, [answer+0];
	}
	rem.u32 %r8, %r1, 6;
	mul.wide.u32 %rd8, %r8, 4;
	ld.global.u64 %rd9, [where];
	add.s64 %rd10, %rd9, %rd8;
	ld.u32 %r9, [%rd10];
	call (%r10), addInRegisters, (%r7, %r9);
	ld.param.u64 %rd11, [out];
	add.s64 %rd12, %rd11, %rd2;
	st.global.u32 [%rd12], %r10;
	red.global.add.u32 [counter], 1;
}

// A branch through a table, a local array, scopes with labels of the same name, and exit.
.visible .entry branches(.param .u64 out)
{
	.local .align 8 .b8 memory[32];
	.reg .pred %p;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;

	mov.u32 %r1, %tid.x;
	and.b32 %r2, %r1, 3;
	mov.b64 %rd1, memory;
	cvta.local.u64 %rd1, %rd1;
	mul.wide.u32 %rd2, %r2, 8;
	add.u64 %rd3, %rd1, %rd2;
	st.u64 [%rd3], %rd2;
	mov.u32 %r3, 0;
	{
	.reg .u32 %r3;
	mov.u32 %r3, 100;
again:
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p, %r3, 103;
	@%p bra again;
	}
	{
again:
	add.u32 %r3, %r3, 2;
	setp.lt.u32 %p, %r3, 7;
	@%p bra again;
	}
	bra.uni choose;
choose:
targets: .branchtargets first, second, third, first;
	brx.idx %r2, targets;
first:
	add.u32 %r3, %r3, 1000;
	bra store;
second:
	add.u32 %r3, %r3, 2000;
	bra store;
third:
	setp.eq.u32 %p, %r1, 6;
	@%p exit;
	add.u32 %r3, %r3, 3000;
store:
	ld.u32 %r4, [%rd3];
	add.u32 %r3, %r3, %r4;
	ld.param.u64 %rd4, [out];
	mul.wide.u32 %rd5, %r1, 4;
	add.u64 %rd6, %rd4, %rd5;
	st.global.u32 [%rd6], %r3;
	ret;
}

// A structure of two doubles as the kernel's parameter, constants, and memory that the launch gives.
.visible .entry structures(.param .u64 out, .param .align 8 .b8 pair[16])
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<9>;
	.reg .f64 %d<6>;
	.shared .align 4 .u32 order[32];

	mov.u32 %r1, %tid.x;
	mov.u32 %r2, order;
	shl.b32 %r3, %r1, 2;
	add.u32 %r2, %r2, %r3;
	st.shared.u32 [%r2], %r1;
	bar.sync 0;
	xor.b32 %r3, %r3, 4;
	mov.u32 %r2, order;
	add.u32 %r2, %r2, %r3;
	ld.shared.u32 %r4, [%r2];
	ld.param.f64 %d1, [pair];
	ld.param.f64 %d2, [pair+8];
	ld.const.f64 %d3, [factors];
	ld.const.f64 %d4, [factors+8];
	mov.b64 %rd1, %d1;
	mov.b64 %rd2, %d2;
	{
	.param .align 8 .b8 given[16];
	.param .align 8 .b8 back[16];
	st.param.v2.b64 [given], {%rd1, %rd2};
	call (back), swapped, (given);
	ld.param.f64 %d1, [back];
	ld.param.f64 %d2, [back+8];
	}
	mul.rn.f64 %d1, %d1, %d3;
	fma.rn.f64 %d1, %d2, %d4, %d1;
	cvt.rn.f64.u32 %d5, %r4;
	add.rn.f64 %d1, %d1, %d5;
	mov.u64 %rd3, dynamic;
	mul.wide.u32 %rd4, %r1, 8;
	add.u64 %rd5, %rd3, %rd4;
	st.shared.f64 [%rd5], %d1;
	ld.shared.f64 %d2, [%rd5];
	ld.param.u64 %rd6, [out];
	add.u64 %rd7, %rd6, %rd4;
	st.global.f64 [%rd7], %d2;
	ret;
}
)";

void calls(CUmodule module) {
  constexpr int count = 100;
  const int table[6] = {1, 2, 3, 4, -5, 0};
  std::vector<int> in(count), out(count);
  for (int i = 0; i < count; ++i)
    in[i] = i * 7;
  CUdeviceptr device_in, device_out, counter;
  size_t bytes = 0;
  CHECK_DRIVER(cuMemAlloc(&device_in, count * sizeof(int)));
  CHECK_DRIVER(cuMemAlloc(&device_out, count * sizeof(int)));
  CHECK_DRIVER(cuMemcpyHtoD(device_in, in.data(), count * sizeof(int)));
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "calls"));
  int most = 0;
  CHECK_DRIVER(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  CHECK_EQ(most, 64);
  unsigned n = count;
  void *parameters[] = {&device_out, &device_in, &n};
  CHECK_DRIVER(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(out.data(), device_out, count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    CHECK_EQ(out[i], in[i] * (i & 1 ? 3 : 2) + table[i % 6]);
  CHECK_DRIVER(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
  CHECK_EQ(bytes, sizeof(int));
  int counted = 0;
  CHECK_DRIVER(cuMemcpyDtoH(&counted, counter, sizeof counted));
  CHECK_EQ(counted, 3 + count);
}

void branches(CUmodule module) {
  constexpr int count = 8;
  std::vector<int> out(count, -1);
  CUdeviceptr device_out;
  CHECK_DRIVER(cuMemAlloc(&device_out, count * sizeof(int)));
  CHECK_DRIVER(cuMemcpyHtoD(device_out, out.data(), count * sizeof(int)));
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "branches"));
  void *parameters[] = {&device_out};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, count, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(out.data(), device_out, count * sizeof(int)));
  const int places[4] = {1000, 2000, 3000, 1000};
  for (int i = 0; i < count; ++i)
    CHECK_EQ(out[i], i == 6 ? -1 : 8 + places[i & 3] + (i & 3) * 8);
}

void structures(CUmodule module) {
  constexpr int count = 32;
  std::vector<double> out(count);
  CUdeviceptr device_out;
  CHECK_DRIVER(cuMemAlloc(&device_out, count * sizeof(double)));
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "structures"));
  double pair[2] = {10, 1000};
  void *parameters[] = {&device_out, pair};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, count, 1, 1, count * sizeof(double), nullptr,
                              parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(out.data(), device_out, count * sizeof(double)));
  for (int i = 0; i < count; ++i)
    CHECK_EQ(out[i], 1000 * 1.5 + 10 * 2.0 + (i ^ 1));
}

// Two texts, one of which has what the other needs.
const char *const library_text = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .global .align 4 .u32 added = 5;
.visible .func (.param .b32 sum) plus(.param .b32 x)
{
	.reg .b32 %r<4>;
	ld.param.u32 %r1, [x];
	ld.global.u32 %r2, [added];
	add.u32 %r3, %r1, %r2;
	st.param.b32 [sum], %r3;
	ret;
}
)";

const char *const program_text = R"(
.version 7.8
.target sm_70
.address_size 64
.extern .global .align 4 .u32 added;
.extern .func (.param .b32 sum) plus(.param .b32 x);
.visible .entry linked(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	ld.global.u32 %r1, [added];
	{
	.param .b32 x;
	.param .b32 sum;
	st.param.b32 [x], %r1;
	call.uni (sum), plus, (x);
	ld.param.b32 %r2, [sum];
	}
	st.global.u32 [%rd1], %r2;
	ret;
}
)";

// A managed variable, which the host uses where it is.
void managed(CUmodule module) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  CHECK_DRIVER(cuModuleGetGlobal(&address, &bytes, module, "kept"));
  CHECK_EQ(bytes, size_t(8));
  unsigned is_managed = 0;
  CHECK_DRIVER(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
  CHECK_EQ(is_managed, 1u);
  auto *kept = reinterpret_cast<volatile unsigned *>(address);
  CHECK_EQ(kept[0], 40u);
  CHECK_EQ(kept[1], 50u);
  kept[1] = 60;
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "keep"));
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  CHECK_EQ(kept[0], 100u);
}

// What a kernel of one thread writes.
unsigned resultOf(CUmodule module, const char *kernel) {
  CUfunction function;
  CUdeviceptr out;
  unsigned result = 0;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, kernel));
  CHECK_DRIVER(cuMemAlloc(&out, sizeof result));
  void *parameters[] = {&out};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(&result, out, sizeof result));
  CHECK_DRIVER(cuMemFree(out));
  return result;
}

void stacked(CUmodule module) {
  CHECK_DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 8192)); // of 1024 bytes, a round takes more
  CHECK_EQ(resultOf(module, "stacked"), 499500u);
}

void linked() {
  CUmodule module;
  CHECK(cuModuleLoadData(&module, program_text) != CUDA_SUCCESS);
  CUlinkState state;
  void *image = nullptr;
  size_t bytes = 0;
  CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &state));
  for (const char *text : {program_text, library_text})
    CHECK_DRIVER(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)text, std::strlen(text) + 1, "text",
                               0, nullptr, nullptr));
  CHECK_DRIVER(cuLinkComplete(state, &image, &bytes));
  CHECK_DRIVER(cuModuleLoadData(&module, image));
  CHECK_DRIVER(cuLinkDestroy(state));
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "linked"));
  CUdeviceptr out;
  int got = 0;
  CHECK_DRIVER(cuMemAlloc(&out, sizeof got));
  void *parameters[] = {&out};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(&got, out, sizeof got));
  CHECK_EQ(got, 10);
}

// A text with one line changed is refused, with a log that names the line.
void refused(const std::string &text, const char *line, const char *instead, CUresult expected) {
  std::string changed = text;
  const size_t at = changed.find(line);
  CHECK(at != std::string::npos);
  const auto number = 1 + std::count(changed.begin(), changed.begin() + long(at), '\n');
  changed.replace(at, std::strlen(line), instead);
  char log[1024] = "";
  CUmodule module;
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)sizeof log};
  CHECK_CODE(cuModuleLoadDataEx(&module, changed.c_str(), 2, options, values), expected);
  if (expected == CUDA_ERROR_INVALID_PTX)
    CHECK(std::string(log).find("line " + std::to_string(number)) != std::string::npos);
}

} // namespace

int main() {
  begin();
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, functions_text));
  calls(module);
  branches(module);
  structures(module);
  managed(module);
  stacked(module);
  CHECK_EQ(resultOf(module, "indexed"), 27u);
  CHECK_DRIVER(cuModuleUnload(module));
  linked();

  refused(functions_text, "add.u32 sum, a, b;", "add.u32 sum, a, c;", CUDA_ERROR_INVALID_PTX);
  refused(functions_text, "add.u32 sum, a, b;", "ad.u32 sum, a, b;", CUDA_ERROR_INVALID_PTX);
  refused(functions_text, "add.u32 sum, a, b;", "add.u32 sum, a b;", CUDA_ERROR_INVALID_PTX);
  refused(functions_text, "add.u32 sum, a, b;", "add.u32 sum, a, b; // \u2026",
          CUDA_ERROR_INVALID_PTX);
  refused(functions_text, "add.u32 sum, a, b;", "bra nowhere;", CUDA_ERROR_INVALID_PTX);
  refused(functions_text, ".version 7.8", ".version 99.0", CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  RETURN_RESULT();
}
