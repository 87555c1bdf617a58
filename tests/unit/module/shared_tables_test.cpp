// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant tables of shared addresses become copies that each function makes.
#include "module/passes/shared_tables.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

TEST(SharedTables, AreMadeWhereTheyAreRead) {
  Ir ir("@a = internal addrspace(3) global i32 undef, align 4\n"
        "@n = internal addrspace(1) global i32 0, align 4\n"
        "@table = internal constant { ptr, [2 x ptr] } { ptr addrspacecast (ptr addrspace(3) @a to "
        "ptr), [2 x ptr] [ptr null, ptr addrspacecast (ptr addrspace(1) @n to ptr)] }, align 8\n"
        "define ptr @f(i64 %i) {\n"
        "  %p = getelementptr { ptr, [2 x ptr] }, ptr @table, i64 0, i32 1, i64 %i\n"
        "  %r = load ptr, ptr %p\n  ret ptr %r\n}\n"
        "define ptr @g() {\n  %r = load ptr, ptr @table\n  ret ptr %r\n}\n");
  expandSharedTables(ir.module());
  ir.verify();
  for (const char *function : {"f", "g"})
    expectInOrder(ir.text(function),
                  {"alloca { ptr, [2 x ptr] }, align 8",
                   "store ptr addrspacecast (ptr addrspace(3) @a", "store ptr null",
                   "store ptr addrspacecast (ptr addrspace(1) @n", "load ptr"});
  expectNone(ir.text(), {"@table"});
}

TEST(SharedTables, OthersStay) {
  Ir ir("@n = internal addrspace(1) global i32 0, align 4\n"
        "@table = internal constant [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @n to ptr)]\n"
        "define ptr @f() {\n  %r = load ptr, ptr @table\n  ret ptr %r\n}\n");
  const std::string before = ir.text();
  expandSharedTables(ir.module());
  EXPECT_EQ(ir.text(), before);
}

} // namespace
