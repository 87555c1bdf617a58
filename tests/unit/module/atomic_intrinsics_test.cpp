// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVVM IR's atomic.inc and atomic.dec become LLVM's instructions, for each kind of pointer.
#include "module/passes/atomic_intrinsics.h"

#include "ir.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(AtomicIntrinsics, IncrementAndDecrementThatWrap) {
  Ir ir("declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr, i32)\n"
        "declare i32 @llvm.nvvm.atomic.load.dec.32.p3(ptr addrspace(3), i32)\n"
        "define i32 @f(ptr %p, ptr addrspace(3) %s, i32 %limit) {\n"
        "  %a = call i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr %p, i32 %limit)\n"
        "  %b = call i32 @llvm.nvvm.atomic.load.dec.32.p3(ptr addrspace(3) %s, i32 %a)\n"
        "  ret i32 %b\n}\n");
  lowerAtomicIntrinsics(ir.module());
  ir.verify();
  expectInOrder(ir.text("f"),
                {"%a = atomicrmw uinc_wrap ptr %p, i32 %limit monotonic, align 4",
                 "%b = atomicrmw udec_wrap ptr addrspace(3) %s, i32 %a monotonic", "ret i32 %b"});
}

TEST(AtomicIntrinsics, OtherCallsStay) {
  Ir ir("declare void @llvm.nvvm.barrier0()\n"
        "define i32 @f(ptr %p) {\n"
        "  call void @llvm.nvvm.barrier0()\n"
        "  %a = atomicrmw add ptr %p, i32 1 monotonic\n"
        "  ret i32 %a\n}\n");
  const std::string before = ir.text("f");
  lowerAtomicIntrinsics(ir.module());
  EXPECT_EQ(ir.text("f"), before);
}

} // namespace
} // namespace heddle
