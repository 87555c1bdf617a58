// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is promised beyond the 16 bytes of a GPU's widest access is not relied on.
#include "module/passes/promised_alignment.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

TEST(PromisedAlignment, IsThatOfTheWidestAccess) {
  Ir ir("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
        "define void @f(ptr align 64 %p, ptr byval(i64) align 64 %v, ptr align 8 %q) {\n"
        "  %a = load i32, ptr %p, align 32\n"
        "  %b = load i32, ptr %q, align 4\n"
        "  store i32 %a, ptr %p, align 64\n"
        "  %c = atomicrmw add ptr %p, i32 %b seq_cst, align 128\n"
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 32 %p, ptr align 1 %q, i64 64, i1 false)\n"
        "  %local = alloca i32, align 64\n"
        "  ret void\n}\n");
  limitPromisedAlignment(ir.module());
  ir.verify();
  const std::string text = ir.text("f");
  expectInOrder(text, {"ptr align 16 %p", "ptr byval(i64) align 64 %v", "ptr align 8 %q",
                       "load i32, ptr %p, align 16", "load i32, ptr %q, align 4",
                       "store i32 %a, ptr %p, align 16", "atomicrmw add ptr %p", "align 16",
                       "memcpy", "ptr align 16 %p, ptr align 1 %q", "alloca i32, align 64"});
}

} // namespace
