// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables become offsets from the block's shared memory and this device's globals.
#include "engine/compiler/lowering/lower_memory_spaces.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

void lower(Ir &ir) {
  const DeviceLayout layout = layOut(ir.module());
  addThreadContext(ir.module());
  llvm::Function *initialiser = lowerMemorySpaces(ir.module(), layout);
  initialiser->setName("init");
  ir.verify();
}

std::string offset(size_t bytes) { return "i64 " + std::to_string(bytes); }

TEST(LowerMemorySpaces, SharedVariablesAreOffsets) {
  Ir ir("@a = internal addrspace(3) global [4 x i32] undef, align 4\n"
        "@b = internal addrspace(3) global i32 undef, align 4\n"
        "define void @f() {\n  store i32 1, ptr addrspace(3) @b\n  ret void\n}\n");
  lower(ir);
  expectInOrder(ir.text("f"), {offset(offsetof(BlockContext, shared)), offset(16), "store i32 1"});
  expectNone(ir.text(), {"@b", "@a"});
}

TEST(LowerMemorySpaces, DynamicSharedMemoryIsAPointer) {
  Ir ir("@d = external addrspace(3) global [0 x i32], align 4\n"
        "define void @f(i32 %i) {\n"
        "  %p = getelementptr [0 x i32], ptr addrspace(3) @d, i32 0, i32 %i\n"
        "  store i32 1, ptr addrspace(3) %p\n  ret void\n}\n");
  lower(ir);
  expectInOrder(ir.text("f"), {offset(offsetof(BlockContext, dynamic_shared)), "store i32 1"});
  expectNone(ir.text(), {"@d "});
}

TEST(LowerMemorySpaces, ConstantExpressionsAreFollowed) {
  Ir ir("@g = addrspace(1) externally_initialized global [8 x i32] zeroinitializer, align 4\n"
        "define i32 @f() {\n"
        "  %x = load i32, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), "
        "i64 12)\n  ret i32 %x\n}\n");
  lower(ir);
  expectInOrder(ir.text("f"), {offset(offsetof(BlockContext, globals)), offset(12), "load i32"});
  expectNone(ir.text("f"), {"@g"});
}

// Both edges of a switch bring the same address: one value for one predecessor.
TEST(LowerMemorySpaces, AddressesInPhis) {
  Ir ir(
      "@g = addrspace(1) externally_initialized global [8 x i32] zeroinitializer, align 4\n"
      "define i32 @f(i32 %x) {\n"
      "entry:\n  switch i32 %x, label %other [ i32 1, label %join\n i32 2, label %join ]\n"
      "other:\n  br label %join\n"
      "join:\n  %p = phi ptr [ getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), "
      "i64 4), %entry ], [ getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @g to ptr), i64 "
      "4), %entry ], [ addrspacecast (ptr addrspace(1) @g to ptr), %other ]\n"
      "  %v = load i32, ptr %p\n  ret i32 %v\n}\n");
  lower(ir);
  expectNone(ir.text("f"), {"@g"});
}

TEST(LowerMemorySpaces, ManagedVariablesAreReachedThroughTheirPointer) {
  Ir ir("@m = addrspace(1) externally_initialized global i32 0, align 4 #0\n"
        "define void @f() {\n  store i32 5, ptr addrspace(1) @m\n  ret void\n}\n"
        "attributes #0 = { \"heddle.managed\" }\n");
  lower(ir);
  expectInOrder(ir.text("f"), {offset(offsetof(BlockContext, globals)), "load ptr", "store i32 5"});
}

TEST(LowerMemorySpaces, InitialValuesAreWritten) {
  Ir ir("@zero = internal addrspace(1) global [100 x i32] zeroinitializer, align 4\n"
        "@number = internal addrspace(1) global i32 42, align 4\n"
        "@pointer = internal addrspace(1) global ptr addrspacecast (ptr addrspace(1) @number to "
        "ptr), align 8\n"
        "@function = internal addrspace(1) global ptr @f, align 8\n"
        "define void @f() { ret void }\n"
        "define void @k() {\n  %a = load ptr, ptr addrspace(1) @pointer\n"
        "  %b = load ptr, ptr addrspace(1) @function\n  ret void\n}\n");
  lower(ir);
  expectInOrder(ir.text("init"), {"@llvm.memset", "i64 424", "store ptr", "store ptr @f"});
}

TEST(LowerMemorySpaces, ConstantsOfTheCodeStay) {
  Ir ir("@text = private unnamed_addr constant [3 x i8] c\"hi\\00\", align 1\n"
        "define ptr @f() {\n  ret ptr @text\n}\n");
  lower(ir);
  expectInOrder(ir.text(), {"@text = private", "ret ptr @text"});
}

} // namespace
