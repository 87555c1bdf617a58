// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every device function gets the thread's context, and every call passes it on.
#include "engine/compiler/lowering/thread_context.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

TEST(ThreadContext, FunctionsGetAFirstArgument) {
  Ir ir("define i32 @f(i32 noundef %x, ptr readonly %p) {\n  ret i32 %x\n}\n");
  addThreadContext(ir.module());
  ir.verify();
  expectInOrder(ir.text("f"),
                {"define i32 @f(ptr ", "%context, i32 noundef %x, ptr readonly %p)", "ret i32 %x"});
  EXPECT_TRUE(takesContext(ir.function("f")));
}

TEST(ThreadContext, CallsPassItOn) {
  Ir ir("declare void @outside()\n"
        "define i32 @callee(i32 %x) {\n  ret i32 %x\n}\n"
        "define i32 @caller(ptr %function) {\n"
        "  %a = call i32 @callee(i32 noundef 1)\n"
        "  %b = call i32 %function(i32 %a)\n"
        "  ret i32 %b\n}\n");
  addThreadContext(ir.module());
  ir.verify();
  expectInOrder(ir.text("caller"), {"%a = call i32 @callee(ptr %context, i32 noundef 1)",
                                    "%b = call i32 %function(ptr %context, i32 %a)"});
  EXPECT_FALSE(takesContext(ir.function("outside")));
}

TEST(ThreadContext, TablesOfFunctionsFollow) {
  Ir ir("@table = constant [1 x ptr] [ptr @f]\ndefine void @f() { ret void }\n");
  addThreadContext(ir.module());
  ir.verify();
  expectInOrder(ir.text(), {"@table = constant [1 x ptr] [ptr @f]", "define void @f(ptr "});
}

TEST(ThreadContext, IntrinsicsAndTheEnginesFunctionsStayAsTheyAre) {
  Ir ir("declare i32 @vprintf(ptr, ptr)\ndeclare float @llvm.fabs.f32(float)\n"
        "define float @f(float %x) {\n"
        "  %n = call i32 @vprintf(ptr null, ptr null)\n"
        "  %r = call float @llvm.fabs.f32(float %x)\n"
        "  call void asm sideeffect \"\", \"~{memory}\"()\n"
        "  ret float %r\n}\n");
  addThreadContext(ir.module());
  ir.verify();
  expectInOrder(ir.text("f"), {"@vprintf(ptr null, ptr null)", "@llvm.fabs.f32(float %x)",
                               "asm sideeffect \"\", \"~{memory}\"()"});
}

TEST(ThreadContext, RecursionAndItsAddressAreRewritten) {
  Ir ir("define ptr @f() {\n  %r = call ptr @f()\n  ret ptr @f\n}\n");
  addThreadContext(ir.module());
  ir.verify();
  expectInOrder(ir.text("f"), {"call ptr @f(ptr %context)", "ret ptr @f"});
}

// A function said to read no memory now reads the context.
TEST(ThreadContext, PromisesAboutMemoryAreTakenBack) {
  Ir ir("define i32 @f(i32 %x) memory(none) nounwind {\n  ret i32 %x\n}\n"
        "define i32 @g() {\n  %r = call i32 @f(i32 1) memory(none)\n  ret i32 %r\n}\n");
  addThreadContext(ir.module());
  ir.verify();
  expectNone(ir.text(), {"memory(none)"});
  expectInOrder(ir.text(), {"nounwind"});
}

// `operator new` and its kin: attributes that number the arguments.
TEST(ThreadContext, AttributesThatCountArguments) {
  Ir ir("define ptr @_Znwm(i64 %bytes) allocsize(0) {\n  ret ptr null\n}\n"
        "define ptr @f() {\n  %p = call ptr @_Znwm(i64 8) allocsize(0)\n  ret ptr %p\n}\n");
  addThreadContext(ir.module());
  ir.verify();
}

} // namespace
