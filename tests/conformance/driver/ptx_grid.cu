// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// What nvcc makes of grid.sync() and of volatile shared memory, as PTX: a barrier that counts in
// the memory whose address is in %envreg1 and %envreg2 in cooperative launches, and accesses
// between two branches on one condition.
#include "driver.h"

#include <vector>

using namespace driver;

namespace {

const char *const text = R"(
.version 7.8
.target sm_70
.address_size 64

// steps[block * 3 + k]: how many blocks had come to step k when this one was past it.
.visible .entry steps(.param .u64 out, .param .u64 counter)
{
	.reg .pred %p<4>;
	.reg .b32 %r<16>;
	.reg .b64 %rd<12>;
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [counter];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %nctaid.x;
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, %envreg2;
	mov.u32 %r5, %envreg1;
	cvt.u64.u32 %rd3, %r4;
	cvt.u64.u32 %rd4, %r5;
	shl.b64 %rd4, %rd4, 32;
	or.b64 %rd5, %rd3, %rd4;
	mad.lo.u32 %r6, %r1, 3, 0;
	mul.wide.u32 %rd6, %r6, 4;
	add.u64 %rd7, %rd1, %rd6;
	setp.ne.s64 %p1, %rd5, 0;
	@%p1 bra begin;
	trap;
begin:
	// Block 0 turns the highest bit, once all the others have added one.
	setp.eq.u32 %p2, %r1, 0;
	sub.u32 %r7, 2147483649, %r2;
	selp.b32 %r7, %r7, 1, %p2;
	mov.u32 %r8, 0;
step:
	setp.ne.u32 %p3, %r3, 0;
	bar.sync 0;
	@%p3 bra joined;
	red.global.add.u32 [%rd2], 1;
	membar.gl;
	atom.add.u32 %r9, [%rd5+4], %r7;
spin:
	ld.volatile.u32 %r10, [%rd5+4];
	xor.b32 %r11, %r9, %r10;
	setp.ge.s32 %p1, %r11, 0;
	@%p1 bra spin;
	membar.gl;
	ld.volatile.global.u32 %r12, [%rd2];
	st.global.u32 [%rd7], %r12;
joined:
	bar.sync 0;
	add.u64 %rd7, %rd7, 4;
	add.u32 %r8, %r8, 1;
	setp.lt.u32 %p1, %r8, 3;
	@%p1 bra step;
	ret;
}

// Each lane from `first` on stores to two elements, with a store of all lanes between the two
// branches, and reads what the others have stored.
.visible .entry between(.param .u64 out, .param .u32 first)
{
	.reg .pred %p<2>;
	.reg .b32 %r<16>;
	.reg .b64 %rd<4>;
	.shared .align 4 .b8 s[128];
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r1, [first];
	mov.u32 %r2, %tid.x;
	shl.b32 %r3, %r2, 2;
	mov.u32 %r4, s;
	add.s32 %r5, %r4, %r3;
	st.volatile.shared.u32 [%r5], %r2;
	setp.lt.s32 %p1, %r2, %r1;
	sub.s32 %r6, %r2, %r1;
	shl.b32 %r6, %r6, 2;
	add.s32 %r6, %r4, %r6;
	@%p1 bra all;
	add.s32 %r7, %r2, 100;
	st.volatile.shared.u32 [%r6], %r7;
all:
	xor.b32 %r8, %r3, 32;
	add.s32 %r8, %r4, %r8;
	add.s32 %r9, %r2, 200;
	mov.u32 %r10, 0;
	st.volatile.shared.u32 [%r8], %r9;
	@%p1 bra done;
	ld.volatile.shared.u32 %r10, [%r6];
done:
	mul.wide.s32 %rd2, %r2, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r10;
	ret;
}
)";

CUfunction functionOf(CUmodule module, const char *name) {
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, name));
  return function;
}

void barriers(CUmodule module) {
  for (const unsigned blocks : {1u, 2u, 7u, 40u}) {
    CUdeviceptr out, counter;
    CHECK_DRIVER(cuMemAlloc(&out, blocks * 3 * sizeof(unsigned)));
    CHECK_DRIVER(cuMemAlloc(&counter, sizeof(unsigned)));
    CHECK_DRIVER(cuMemsetD32(counter, 0, 1));
    void *parameters[] = {&out, &counter};
    CHECK_DRIVER(cuLaunchCooperativeKernel(functionOf(module, "steps"), blocks, 1, 1, 64, 1, 1, 0,
                                           nullptr, parameters));
    std::vector<unsigned> seen(blocks * 3);
    CHECK_DRIVER(cuMemcpyDtoH(seen.data(), out, seen.size() * sizeof(unsigned)));
    for (unsigned block = 0; block < blocks; ++block)
      for (unsigned step = 0; step < 3; ++step)
        CHECK(seen[block * 3 + step] >= blocks * (step + 1));
    CHECK_DRIVER(cuMemFree(out));
    CHECK_DRIVER(cuMemFree(counter));
  }
}

void between(CUmodule module, unsigned first) {
  unsigned expected[32] = {};
  for (unsigned t = first; t < 32; ++t)
    expected[t] = 200 + ((t - first) ^ 8); // who stored there last
  CUdeviceptr out;
  CHECK_DRIVER(cuMemAlloc(&out, sizeof expected));
  void *parameters[] = {&out, &first};
  CHECK_DRIVER(cuLaunchKernel(functionOf(module, "between"), 1, 1, 1, 32, 1, 1, 0, nullptr,
                              parameters, nullptr));
  unsigned result[32];
  CHECK_DRIVER(cuMemcpyDtoH(result, out, sizeof result));
  for (unsigned t = 0; t < 32; ++t)
    CHECK_EQ(result[t], expected[t]);
  CHECK_DRIVER(cuMemFree(out));
}

} // namespace

int main() {
  begin();
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, text));
  barriers(module);
  for (const unsigned first : {0u, 3u, 8u, 31u})
    between(module, first);
  CHECK_DRIVER(cuModuleUnload(module));
  RETURN_RESULT();
}
