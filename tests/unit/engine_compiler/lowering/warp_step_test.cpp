// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which accesses a warp's threads come to together.
#include "engine/compiler/lowering/warp_step.h"

#include "engine/compiler/lowering/thread_context.h"
#include "ir.h"

#include "llvm/IR/InstIterator.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

const char *const shared = "@s = internal addrspace(3) global [64 x float] undef\n"
                           "@g = internal addrspace(1) global float undef\n";

std::string functionOf(const std::string &code) {
  return shared + ("define void @f(ptr %p, i64 %i, float %v) {\n" + code + "\n  ret void\n}\n");
}

std::string inStep(const std::string &code) {
  Ir ir(functionOf(code));
  addThreadContext(ir.module());
  keepInStep(ir.module());
  ir.verify();
  return ir.text("f");
}

bool anyVolatileShared(const std::string &code) {
  Ir ir(functionOf(code));
  return llvm::any_of(llvm::instructions(ir.function("f")), isVolatileShared);
}

const char *const place = "  %a = getelementptr float, ptr addrspace(3) @s, i64 %i\n"
                          "  %b = addrspacecast ptr addrspace(3) %a to ptr\n"
                          "  %c = getelementptr i8, ptr %b, i64 4\n";

TEST(WarpStep, VolatileSharedMemoryIsFoundBehindGenericAddresses) {
  const std::string code = place;
  EXPECT_TRUE(anyVolatileShared(code + "  store volatile float %v, ptr %c"));
  EXPECT_TRUE(anyVolatileShared(code + "  %r = load volatile float, ptr addrspace(3) %a"));
  EXPECT_FALSE(anyVolatileShared(code + "  store float %v, ptr %c"));
  EXPECT_FALSE(anyVolatileShared(code + "  store volatile float %v, ptr addrspace(1) @g"));
  EXPECT_FALSE(anyVolatileShared(code + "  store volatile float %v, ptr %p"));
  EXPECT_FALSE(anyVolatileShared(code + "  %r = atomicrmw volatile fadd ptr %c, float %v seq_cst"));
}

TEST(WarpStep, ThreadsWaitForTheirWarpBeforeEachAccess) {
  const std::string code = place;
  expectInOrder(inStep(code + "  %r = load volatile float, ptr %c\n"
                              "  store volatile float %r, ptr %b"),
                {"call i32 @llvm.nvvm.activemask()", "load volatile",
                 "call i32 @llvm.nvvm.activemask()", "store volatile"});
  expectNone(inStep(code + "  store float %v, ptr %c"), {"activemask"});
  expectNone(inStep(code + "  store volatile float %v, ptr addrspace(1) @g"), {"activemask"});
}

TEST(WarpStep, SoTheyDoWhereAPointerMayBeOfSharedMemory) {
  expectInOrder(inStep("  store volatile float %v, ptr %p"), {"activemask", "store volatile"});
  expectNone(inStep("  %own = alloca float\n  store volatile float %v, ptr %own"), {"activemask"});
}

TEST(WarpStep, NotWithoutAnySharedMemory) {
  Ir ir("define void @f(ptr %p, float %v) {\n  store volatile float %v, ptr %p\n  ret void\n}\n");
  addThreadContext(ir.module());
  keepInStep(ir.module());
  expectNone(ir.text("f"), {"activemask"});
}

} // namespace
