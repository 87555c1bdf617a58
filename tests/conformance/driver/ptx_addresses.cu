// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// PTX text that compilers of tensor programs write: addresses of 32 bits in local memory, elements
// of arrays by their index, rsqrt.approx.ftz.f64, registers about warps and grids.
#include "driver.h"

#include <cmath>
#include <cstdint>

using namespace driver;

namespace {

const char *const text = R"(
.version 8.0
.target sm_70
.address_size 64

.const .align 4 .u32 squares[5] = {0, 1, 4, 9, 16};

// out[t] = the sum of what is written along a loop over an array of 8 words, read from the other
// end, where the addresses come from two places: t odd begins one later.
.visible .entry locals(.param .u64 out)
{
	.local .align 4 .b8 depot[36];
	.reg .pred %p<3>;
	.reg .b32 %r<12>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [out];
	mov.u64 %rd2, depot;
	cvt.u32.u64 %r1, %rd2;
	mov.u32 %r2, %tid.x;
	and.b32 %r3, %r2, 1;
	shl.b32 %r3, %r3, 2;
	add.s32 %r4, %r1, %r3;
	mov.u32 %r5, 0;
fill:
	mad.lo.u32 %r6, %r2, 10, %r5;
	st.local.u32 [%r4], %r6;
	add.s32 %r4, %r4, 4;
	add.s32 %r5, %r5, 1;
	setp.lt.u32 %p1, %r5, 8;
	@%p1 bra fill;
	mov.u32 %r7, 0;
	sub.s32 %r8, %r4, %r3;
	add.s32 %r8, %r8, %r3;
sum:
	ld.local.u32 %r9, [%r8+-4];
	mad.lo.u32 %r7, %r7, 3, %r9;
	sub.s32 %r8, %r8, 4;
	sub.s32 %r5, %r5, 1;
	setp.ne.u32 %p2, %r5, 0;
	@%p2 bra sum;
	mul.wide.u32 %rd3, %r2, 4;
	add.u64 %rd4, %rd1, %rd3;
	st.global.u32 [%rd4], %r7;
	ret;
}

// out = {squares[3], squares[4] by its address, %nwarpid, whether %gridid is not 0}
.visible .entry elements(.param .u64 out)
{
	.shared .align 8 .u64 pairs[4];
	.reg .pred %p;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [out];
	ld.const.u32 %r1, squares[3];
	mov.u64 %rd2, squares[4];
	ld.const.u32 %r2, [%rd2];
	mov.u32 %r3, %nwarpid;
	mov.u64 %rd3, %gridid;
	setp.ne.u64 %p, %rd3, 0;
	selp.u32 %r4, 1, 0, %p;
	st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
	mov.u64 %rd4, 77;
	st.shared.u64 [pairs[2]], %rd4;
	mov.u64 %rd5, pairs;
	ld.shared.u64 %rd6, [%rd5+16];
	st.global.u64 [%rd1+16], %rd6;
	st.global.u64 [%rd1+24], %rd3;
	ret;
}

.visible .entry roots(.param .u64 out, .param .u64 in)
{
	.reg .b32 %r<3>;
	.reg .f64 %fd<3>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [in];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 8;
	add.u64 %rd4, %rd1, %rd3;
	add.u64 %rd5, %rd2, %rd3;
	ld.global.f64 %fd1, [%rd5];
	rsqrt.approx.ftz.f64 %fd2, %fd1;
	st.global.f64 [%rd4], %fd2;
	ret;
}
)";

template <class T>
std::vector<T> run(CUmodule module, const char *name, unsigned threads, size_t outputs,
                   CUdeviceptr in = 0) {
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, name));
  std::vector<T> out(outputs);
  CUdeviceptr out_there;
  CHECK_DRIVER(cuMemAlloc(&out_there, outputs * sizeof(T)));
  void *parameters[] = {&out_there, &in};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(out.data(), out_there, outputs * sizeof(T)));
  CHECK_DRIVER(cuMemFree(out_there));
  return out;
}

void locals(CUmodule module) {
  const auto out = run<uint32_t>(module, "locals", 96, 96);
  for (uint32_t t = 0; t < 96; ++t) {
    uint32_t sum = 0;
    for (uint32_t i = 8; i-- > 0;)
      sum = sum * 3 + t * 10 + i;
    CHECK_EQ(out[t], sum);
  }
}

void elements(CUmodule module) {
  const auto out = run<uint32_t>(module, "elements", 1, 8),
             again = run<uint32_t>(module, "elements", 1, 8);
  int threads = 0;
  CHECK_DRIVER(
      cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 0));
  CHECK_EQ(out[0], 9u);
  CHECK_EQ(out[1], 16u);
  CHECK_EQ(out[2], uint32_t(threads) / 32);
  CHECK_EQ(out[4], 77u);
  CHECK_EQ(again[3], 1u);
  CHECK(out[6] != again[6]);
}

void roots(CUmodule module) {
  const std::vector<double> in = {1, 2, 1e300, 1e-300, 0, -0.0, INFINITY, -1, NAN, 0x1p-1060};
  CUdeviceptr there;
  CHECK_DRIVER(cuMemAlloc(&there, in.size() * sizeof(double)));
  CHECK_DRIVER(cuMemcpyHtoD(there, in.data(), in.size() * sizeof(double)));
  const auto out = run<double>(module, "roots", unsigned(in.size()), in.size(), there);
  for (size_t i = 0; i < 4; ++i) {
    CHECK_NEAR(out[i] * std::sqrt(in[i]), 1.0, 0x1p-19);
    uint64_t bits;
    std::memcpy(&bits, &out[i], 8);
    CHECK_EQ(bits & 0xffffffff, 0u);
  }
  CHECK_EQ(out[4], double(INFINITY));
  CHECK_EQ(out[5], -double(INFINITY));
  CHECK_EQ(out[6], 0.0);
  CHECK(std::isnan(out[7]) && std::isnan(out[8]));
  CHECK_EQ(out[9], double(INFINITY)); // a subnormal is taken as 0
  CHECK_DRIVER(cuMemFree(there));
}

void refused() {
  // Of which of two variables would an address of 32 bits be?
  const std::string two = R"(.version 8.0
.target sm_70
.address_size 64
.visible .entry f() { .local .u32 a; .local .u32 b; .reg .b32 %r; .reg .b64 %rd;
mov.u64 %rd, a; cvt.u32.u64 %r, %rd; st.local.u32 [%r], 1; ret; }
)";
  CUmodule module;
  CHECK_EQ(cuModuleLoadData(&module, two.c_str()), CUDA_ERROR_INVALID_PTX);
}

} // namespace

int main() {
  begin();
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, text));
  locals(module);
  elements(module);
  roots(module);
  CHECK_DRIVER(cuModuleUnload(module));
  refused();
  RETURN_RESULT();
}
