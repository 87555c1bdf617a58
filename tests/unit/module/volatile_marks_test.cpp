// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM makes no second copy of an access to volatile memory.
#include "module/passes/volatile_marks.h"

#include "ir.h"

#include "llvm/Transforms/Scalar/JumpThreading.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

// An access between two branches on one condition, which jump threading would have once for each
// outcome.
std::string betweenBranches(const std::string &variables, const std::string &access) {
  return variables +
         "define void @f(i1 %c, ptr %p, ptr %q) {\n"
         "entry:\n  br i1 %c, label %first, label %between\n"
         "first:\n  store i32 1, ptr %p\n  br label %between\n"
         "between:\n  " +
         access +
         "\n  br i1 %c, label %second, label %end\n"
         "second:\n  store i32 2, ptr %p\n  br label %end\n"
         "end:\n  ret void\n}\n";
}

const std::string shared = "@s = internal addrspace(3) global i32 undef\n";

unsigned copies(const std::string &variables, const std::string &access) {
  Ir ir(betweenBranches(variables, access));
  markVolatileAccesses(ir.module());
  ir.run(llvm::JumpThreadingPass());
  removeVolatileMarks(ir.module());
  ir.verify();
  expectNone(ir.text(), {"call", "declare"});
  return count(ir.text("f"), access);
}

TEST(VolatileMarks, KeepOneOfEachAccess) {
  EXPECT_EQ(copies(shared, "store volatile i32 7, ptr addrspace(3) @s"), 1U);
  EXPECT_EQ(copies(shared, "store volatile i32 7, ptr %q"), 1U);
}

TEST(VolatileMarks, LeaveAllElseToLlvm) {
  EXPECT_EQ(copies(shared, "store i32 7, ptr addrspace(3) @s"), 2U);
  EXPECT_EQ(copies("", "store volatile i32 7, ptr %q"), 2U);
}

} // namespace
