// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where variables live: one block of globals, one of shared memory, constants in the code.
#include "module/description/layout.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

TEST(Layout, GlobalsInOrderAndAligned) {
  Ir ir(
      "@byte = addrspace(1) externally_initialized global i8 1, align 1\n"
      "@number = addrspace(1) externally_initialized global double 0.0, align 8\n"
      "@constant = addrspace(4) externally_initialized constant [3 x i8] zeroinitializer, align 1\n"
      "@vector = internal addrspace(1) global [4 x i32] zeroinitializer, align 64\n");
  const DeviceLayout layout = layOut(ir.module());
  EXPECT_EQ(layout.globals.lookup(ir.variable("byte")), 0u);
  EXPECT_EQ(layout.globals.lookup(ir.variable("number")), 8u);
  EXPECT_EQ(layout.globals.lookup(ir.variable("constant")), 16u);
  EXPECT_EQ(layout.globals.lookup(ir.variable("vector")), 64u);
  EXPECT_EQ(layout.globals.size(), 4u);
  EXPECT_EQ(layout.globals_bytes, 80u);
  EXPECT_EQ(layout.globals_align, 64u);
}

// LLVM may leave the alignment to the type.
TEST(Layout, TheBlockIsAlignedAsItsVariablesNeed) {
  Ir ir("@number = internal addrspace(1) global double 0.0\n");
  EXPECT_EQ(layOut(ir.module()).globals_align, 8u);
}

TEST(Layout, WhatNobodyCanWriteStaysInTheCode) {
  Ir ir("@.str = private unnamed_addr constant [3 x i8] c\"hi\\00\", align 1\n"
        "@vtable = linkonce_odr unnamed_addr addrspace(1) constant [1 x ptr] [ptr @f], align 8\n"
        "@llvm.used = appending global [1 x ptr] [ptr @f], section \"llvm.metadata\"\n"
        "define void @f() { ret void }\n");
  const DeviceLayout layout = layOut(ir.module());
  EXPECT_TRUE(layout.globals.empty());
  EXPECT_EQ(layout.globals_bytes, 0u);
}

// Each device has its own @value, so the table of its address cannot be shared; nor can a table of
// that table.
TEST(Layout, ConstantTablesOfAddressesAreGlobals) {
  Ir ir("@indirect = internal addrspace(4) constant ptr addrspacecast (ptr addrspace(4) @table to "
        "ptr), align 8\n"
        "@value = addrspace(1) externally_initialized global i32 0, align 4\n"
        "@table = internal addrspace(4) constant { i32, ptr } { i32 1, ptr getelementptr (i8, ptr "
        "addrspacecast (ptr addrspace(1) @value to ptr), i64 2) }, align 8\n"
        "@plain = internal addrspace(4) constant { i32, ptr } { i32 1, ptr null }, align 8\n");
  const DeviceLayout layout = layOut(ir.module());
  EXPECT_TRUE(layout.globals.contains(ir.variable("table")));
  EXPECT_TRUE(layout.globals.contains(ir.variable("indirect")));
  EXPECT_FALSE(layout.globals.contains(ir.variable("plain")));
}

// What fills a line of the cache begins one.
TEST(Layout, LargeSharedArraysBeginLines) {
  Ir ir("@small = internal addrspace(3) global [15 x i32] undef, align 4\n"
        "@line = internal addrspace(3) global [16 x i32] undef, align 4\n"
        "@large = internal addrspace(3) global [100 x i8] undef, align 1\n"
        "@next = internal addrspace(3) global i8 undef, align 1\n");
  const DeviceLayout layout = layOut(ir.module());
  EXPECT_EQ(layout.shared.lookup(ir.variable("small")), 0u);
  EXPECT_EQ(layout.shared.lookup(ir.variable("line")), 64u);
  EXPECT_EQ(layout.shared.lookup(ir.variable("large")), 128u);
  EXPECT_EQ(layout.shared.lookup(ir.variable("next")), 228u);
}

TEST(Layout, SharedMemory) {
  Ir ir("@a = internal addrspace(3) global i8 undef, align 1\n"
        "@b = internal addrspace(3) global [4 x double] undef, align 16\n"
        "@dynamic1 = external addrspace(3) global [0 x float], align 4\n"
        "@dynamic2 = external addrspace(3) global [0 x i8], align 1\n");
  const DeviceLayout layout = layOut(ir.module());
  EXPECT_EQ(layout.shared.lookup(ir.variable("a")), 0u);
  EXPECT_EQ(layout.shared.lookup(ir.variable("b")), 16u);
  EXPECT_EQ(layout.shared_bytes, 48u);
  EXPECT_EQ(layout.dynamic_shared.size(), 2u);
  EXPECT_TRUE(layout.globals.empty());
}

TEST(Layout, ManagedVariablesHaveAPointer) {
  Ir ir("@x = addrspace(1) externally_initialized global i32 0, align 4\n"
        "@m = addrspace(1) externally_initialized global [100 x i32] zeroinitializer, align 4 #0\n"
        "@n = addrspace(1) externally_initialized global i8 0, align 1 #0\n"
        "attributes #0 = { \"heddle.managed\" }\n");
  const DeviceLayout layout = layOut(ir.module());
  EXPECT_EQ(layout.managed.lookup(ir.variable("m")), 8u);
  EXPECT_EQ(layout.managed.lookup(ir.variable("n")), 16u);
  EXPECT_EQ(layout.globals.size(), 1u);
  EXPECT_EQ(layout.globals_bytes, 24u);
  EXPECT_EQ(layout.globals_align, 8u);
}

} // namespace
