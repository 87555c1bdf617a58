# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PTX texts do that no CUDA C++ is compiled to here: instructions of sm_100, endless recursion.

Each text is a module that a child process loads and runs, one block of 32 threads, with an array of its numbers.
"""

import sys

from cli import BUILD, CliTest, main

RUN = """\
import ctypes, sys
from ctypes import byref, c_int, c_size_t, c_void_p

driver = ctypes.CDLL("libcuda.so.1")
context, module, function, memory = c_void_p(), c_void_p(), c_void_p(), c_void_p()
assert driver.cuInit(0) == 0 and driver.cuDevicePrimaryCtxRetain(byref(context), 0) == 0
assert driver.cuCtxSetCurrent(context) == 0
error = driver.cuModuleLoadData(byref(module), sys.stdin.buffer.read() + b"\\0")
if error:
    sys.exit(error)
assert driver.cuModuleGetFunction(byref(function), module, b"run") == 0
assert driver.cuMemAlloc_v2(byref(memory), c_size_t(256)) == 0
assert driver.cuMemsetD8_v2(memory, 0xff, c_size_t(256)) == 0
assert driver.cuMemcpyHtoD_v2(memory, bytes(range(64)), c_size_t(64)) == 0
arguments = (c_void_p * 1)(ctypes.addressof(memory))
assert driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, arguments, None) == 0
error = driver.cuCtxSynchronize()
if error:
    sys.exit(error % 256)
out = (ctypes.c_uint8 * 256)()
assert driver.cuMemcpyDtoH_v2(out, memory, c_size_t(256)) == 0
print(list(out))
"""

HEAD = """\
.version 8.8
.target sm_100
.address_size 64
"""

# The first thread of the block alone.
ALONE = """\
.visible .entry run(.param .u64 memory)
{
  .reg .pred %p<5>;
  .reg .b16 %rs<5>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  .shared .align 16 .b8 room[64];
  .shared .align 8 .b64 barrier;
  ld.param.u64 %rd1, [memory];
  cvta.to.global.u64 %rd1, %rd1;
  add.u64 %rd2, %rd1, 128;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
"""

WAIT = """\
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [barrier], 0;
  @!%p2 bra wait;
"""


class PtxTextTest(CliTest):
    def run_text(self, text):
        return self.command(sys.executable, "-c", RUN, stdin=text, env={"LD_LIBRARY_PATH": str(BUILD / "lib")})

    def numbers(self, text):
        result = self.run_text(text)
        self.assertEqual(result.code, 0, str(result))
        return [int(number) for number in result.out.strip("[]\n").split(",")]

    def test_masked_bulk_copy(self):
        numbers = self.numbers(HEAD + ALONE + """\
  mov.u32 %r2, room;
  ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1];
  st.shared.v4.u32 [room], {%r3, %r4, %r5, %r6};
  ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1+16];
  st.shared.v4.u32 [room+16], {%r3, %r4, %r5, %r6};
  mov.u16 %rs1, 0x80f1;
  cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [%r2], 32, %rs1;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ret;
}
""")
        chosen = [0, 4, 5, 6, 7, 15]
        self.assertEqual(numbers[128:160], [i if i % 16 in chosen else 255 for i in range(32)])
        self.assertEqual(numbers[160:], [255] * 96)

    def test_bulk_copy_without_ends(self):
        numbers = self.numbers(HEAD + ALONE + """\
  mov.u32 %r2, room;
  mov.u32 %r3, barrier;
  st.shared.u32 [room], 0;
  st.shared.u32 [room+28], 0;
  mbarrier.init.shared::cta.b64 [barrier], 1;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], 32;
  mov.u32 %r4, 3;
  mov.u32 %r5, 2;
  cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%r2], [%rd1], 32, %r4, %r5, [%r3];
""" + WAIT + """\
  ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [room];
  st.global.v4.u32 [%rd2], {%r6, %r7, %r8, %r9};
  ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [room+16];
  st.global.v4.u32 [%rd2+16], {%r6, %r7, %r8, %r9};
  ret;
}
""")
        self.assertEqual(numbers[131:158], list(range(3, 30)))

    # A block that asks for another one's work is refused, and goes on.
    def test_launch_control(self):
        numbers = self.numbers(HEAD + ALONE + """\
  mov.u32 %r2, room;
  mov.u32 %r3, barrier;
  mbarrier.init.shared::cta.b64 [barrier], 1;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], 16;
  clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r2], [%r3];
""" + WAIT + """\
  ld.shared.v2.u64 {%rd3, %rd4}, [room];
  {
    .reg .b128 answer;
    mov.b128 answer, {%rd3, %rd4};
    clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, answer;
    clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r4, answer;
  }
  selp.u32 %r5, 7, 9, %p3;
  st.global.u32 [%rd2], %r5;
  ret;
}
""")
        self.assertEqual(numbers[128:132], [9, 0, 0, 0])

    def test_older_gpus_have_none_of_these(self):
        for instruction in ("clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %rd1",
                            "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [%rd1], 32, %rs1"):
            result = self.run_text(HEAD.replace("sm_100", "sm_90") + ALONE + f"  {instruction};\n  ret;\n}}\n")
            self.assertEqual(result.code, 218)
            self.assertIn("requires .target sm_100 or higher", result.err)

    # As nvcc writes `return depth(stop, level + 1) + local`, which a compiler may make a loop of.
    def test_endless_recursion_leaves_the_stack(self):
        result = self.run_text("""\
.version 7.8
.target sm_60
.address_size 64
.func (.param .b32 result) depth(.param .b64 stop, .param .b32 level)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [stop];
  ld.param.u32 %r1, [level];
  ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra done;
  add.u32 %r3, %r1, 1;
  {
    .param .b64 stop_argument;
    .param .b32 level_argument;
    .param .b32 depth_result;
    st.param.b64 [stop_argument], %rd1;
    st.param.b32 [level_argument], %r3;
    call.uni (depth_result), depth, (stop_argument, level_argument);
    ld.param.b32 %r4, [depth_result];
  }
  add.u32 %r1, %r1, %r4;
done:
  st.param.b32 [result], %r1;
  ret;
}
.visible .entry run(.param .u64 memory)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [memory];
  cvta.to.global.u64 %rd1, %rd1;
  {
    .param .b64 stop_argument;
    .param .b32 level_argument;
    .param .b32 depth_result;
    st.param.b64 [stop_argument], %rd1;
    st.param.b32 [level_argument], 0;
    call.uni (depth_result), depth, (stop_argument, level_argument);
    ld.param.b32 %r1, [depth_result];
  }
  st.global.u32 [%rd1+64], %r1;
  ret;
}
""")
        self.assertIn(result.code, (700 % 256, 714 % 256, 719 % 256), str(result))
        self.assertIn("stack", result.err)


if __name__ == "__main__":
    main()
