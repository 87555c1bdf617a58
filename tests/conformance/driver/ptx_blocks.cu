// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// PTX text that CUDA C++ does not become: reductions at numbered barriers of some threads, fns, and
// vectors of registers.
#include "driver.h"

#include <cstdint>

using namespace driver;

namespace {

const char *const text = R"(
.version 7.8
.target sm_70
.address_size 64

// 96 threads: the first two warps meet at barrier 3, the third one at barrier 4, and then all of
// them at barrier 5. out[4 i]: how many say yes, whether all do, whether one does, and of all 96.
.visible .entry reductions(.param .u64 out, .param .u64 in)
{
	.reg .pred %p<6>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [in];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd4, %rd2, %rd3;
	ld.global.u32 %r2, [%rd4];
	setp.ne.u32 %p1, %r2, 0;
	setp.ge.u32 %p2, %r1, 64;
	@%p2 bra third;
	bar.red.popc.u32 %r3, 3, 64, %p1;
	barrier.red.and.pred %p3, 3, 64, %p1;
	barrier.cta.red.or.aligned.pred %p4, 3, 64, %p1;
	bra.uni all;
third:
	mov.u32 %r8, 4;
	bar.red.popc.u32 %r3, %r8, 32, %p1;
	bar.red.and.pred %p3, 4, 32, !%p1;
	bar.red.or.pred %p4, 4, 32, !%p1;
all:
	bar.red.popc.u32 %r6, 5, %p1;
	selp.u32 %r4, 1, 0, %p3;
	selp.u32 %r5, 1, 0, %p4;
	mul.wide.u32 %rd5, %r1, 16;
	add.u64 %rd5, %rd1, %rd5;
	st.global.v4.u32 [%rd5], {%r3, %r4, %r5, %r6};
	ret;
}

// out[i] = fns(in[3 i], in[3 i + 1], in[3 i + 2])
.visible .entry finds(.param .u64 out, .param .u64 in)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [in];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ntid.x;
	mad.lo.u32 %r1, %r1, %r3, %r2;
	mul.wide.u32 %rd3, %r1, 12;
	add.u64 %rd3, %rd2, %rd3;
	ld.global.u32 %r4, [%rd3];
	ld.global.u32 %r5, [%rd3+4];
	ld.global.u32 %r6, [%rd3+8];
	fns.b32 %r7, %r4, %r5, %r6;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd4, %rd1, %rd4;
	st.global.u32 [%rd4], %r7;
	ret;
}

// out[4 i ...] = {in.y, in.x, in.w + in.z, in.z}
.visible .entry vectors(.param .u64 out, .param .u64 in)
{
	.reg .v4 .f32 a, b;
	.reg .b32 %r<3>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [in];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 16;
	add.u64 %rd4, %rd1, %rd3;
	add.u64 %rd5, %rd2, %rd3;
	ld.global.v4.f32 a, [%rd5];
	mov.f32 b.x, a.y;
	mov.f32 b.g, a.r;
	add.f32 b.z, a.w, a.b;
	mov.f32 b.a, a.z;
	st.global.v4.f32 [%rd4], b;
	ret;
}
)";

CUfunction functionOf(CUmodule module, const char *name) {
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, name));
  return function;
}

template <typename Out, typename In>
std::vector<Out> run(CUfunction function, unsigned blocks, unsigned threads, size_t outputs,
                     const std::vector<In> &in) {
  std::vector<Out> out(outputs);
  CUdeviceptr out_there, in_there;
  CHECK_DRIVER(cuMemAlloc(&out_there, outputs * sizeof(Out)));
  CHECK_DRIVER(cuMemAlloc(&in_there, in.size() * sizeof(In)));
  CHECK_DRIVER(cuMemcpyHtoD(in_there, in.data(), in.size() * sizeof(In)));
  void *parameters[] = {&out_there, &in_there};
  CHECK_DRIVER(
      cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(out.data(), out_there, outputs * sizeof(Out)));
  CHECK_DRIVER(cuMemFree(out_there));
  CHECK_DRIVER(cuMemFree(in_there));
  return out;
}

void reductions(CUmodule module) {
  // Some, all and none of a group's threads.
  const auto group = [](int kind, int i) { return kind == 0 ? i % 3 == 0 : kind == 1; };
  for (int first = 0; first < 3; ++first)
    for (int second = 0; second < 3; ++second) {
      std::vector<unsigned> in(96);
      unsigned counts[2] = {0, 0};
      for (int i = 0; i < 96; ++i) {
        in[size_t(i)] = group(i < 64 ? first : second, i);
        counts[i >= 64] += in[size_t(i)];
      }
      const std::vector<unsigned> out =
          run<unsigned>(functionOf(module, "reductions"), 1, 96, 96 * 4, in);
      for (size_t i = 0; i < 96; ++i) {
        const bool third = i >= 64;
        const unsigned asked = third ? 32 - counts[1] : counts[0], of = third ? 32 : 64;
        CHECK_EQ(out[4 * i], counts[third]);
        CHECK_EQ(out[4 * i + 1], unsigned(asked == of));
        CHECK_EQ(out[4 * i + 2], unsigned(asked > 0));
        CHECK_EQ(out[4 * i + 3], counts[0] + counts[1]);
      }
    }
}

// PTX ISA, "fns".
uint32_t found(uint32_t mask, uint32_t base, int32_t offset) {
  if (base > 31)
    return ~0u;
  if (offset == 0)
    return mask >> base & 1 ? base : ~0u;
  const int step = offset < 0 ? -1 : 1;
  int64_t left = offset < 0 ? -int64_t(offset) : offset;
  for (int at = int(base); at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0)
      return uint32_t(at);
  return ~0u;
}

void finds(CUmodule module) {
  std::vector<uint32_t> in;
  for (uint32_t mask : {0u, 1u, 0x80000000u, 0xffffffffu, 0x0f0f3300u, 0xaaaa5555u})
    for (uint32_t base : {0u, 1u, 8u, 15u, 30u, 31u})
      for (int offset : {0, 1, 2, 3, 9, 16, 31, 32, 33, -1, -2, -7, -16, -32, -33})
        in.insert(in.end(), {mask, base, uint32_t(offset)});
  while (in.size() % (3 * 64) != 0)
    in.insert(in.end(), {0x12345678u, 3u, 1u});
  const unsigned count = unsigned(in.size() / 3);
  const auto out = run<uint32_t>(functionOf(module, "finds"), count / 64, 64, count, in);
  for (size_t i = 0; i < count; ++i)
    CHECK_EQ(out[i], found(in[3 * i], in[3 * i + 1], int32_t(in[3 * i + 2])));
}

void vectors(CUmodule module) {
  std::vector<float> in(32 * 4);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i) * 0.5f + 1;
  const auto out = run<float>(functionOf(module, "vectors"), 1, 32, in.size(), in);
  for (size_t i = 0; i < in.size(); i += 4) {
    CHECK_EQ(out[i], in[i + 1]);
    CHECK_EQ(out[i + 1], in[i]);
    CHECK_EQ(out[i + 2], in[i + 3] + in[i + 2]);
    CHECK_EQ(out[i + 3], in[i + 2]);
  }
}

} // namespace

int main() {
  begin();
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, text));
  reductions(module);
  finds(module);
  vectors(module);
  CHECK_DRIVER(cuModuleUnload(module));
  RETURN_RESULT();
}
