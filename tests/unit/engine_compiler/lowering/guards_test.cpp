// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that a GPU makes by itself: stack, alignment, turns for other threads.
#include "engine/compiler/lowering/guards.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

std::string guarded(const std::string &text, void (*guard)(llvm::Module &),
                    const std::string &function = "f") {
  Ir ir(text);
  addThreadContext(ir.module());
  guard(ir.module());
  ir.verify();
  return ir.text(function);
}

std::string offset(size_t bytes) { return "i64 " + std::to_string(bytes); }

// ---- Stack -------------------------------------------------------------------------------------

TEST(GuardStack, RecursiveFunctionsCheckOnEntry) {
  const char *text = "define void @f(i32 %n) {\n  call void @g(i32 %n)\n  ret void\n}\n"
                     "define void @g(i32 %n) {\n  call void @f(i32 %n)\n  ret void\n}\n"
                     "define void @h() {\n  call void @f(i32 1)\n  ret void\n}\n";
  for (const char *function : {"f", "g"})
    expectInOrder(guarded(text, guardStack, function),
                  {"%stack.position = alloca", offset(offsetof(ThreadContext, stack_limit)),
                   "icmp ult", "br i1", offset(offsetof(RuntimeTable, stack_overflow)),
                   "unreachable"});
  expectNone(guarded(text, guardStack, "h"), {"stack.position"});
}

TEST(GuardStack, SoDoThoseThatMayBeCalledIndirectly) {
  const char *text = "@table = constant [1 x ptr] [ptr @f]\n"
                     "define void @f() { ret void }\ndefine void @g() { ret void }\n";
  expectInOrder(guarded(text, guardStack), {"stack.position"});
  expectNone(guarded(text, guardStack, "g"), {"stack.position"});
}

// ---- Alignment ---------------------------------------------------------------------------------

std::string alignment(const std::string &access) {
  return guarded("define void @f(ptr %p, i64 %i, i32 %v) {\n  " + access + "\n  ret void\n}\n",
                 guardAlignment);
}

TEST(GuardAlignment, AccessesAreChecked) {
  const std::pair<const char *, const char *> checked[] = {
      {"%r = load i32, ptr %p, align 4", "i64 %1, 3"},
      {"%r = load <4 x float>, ptr %p, align 16", "i64 %1, 15"},
      {"store i32 %v, ptr %p, align 2", "i64 %1, 1"},
      {"%r = atomicrmw add ptr %p, i32 1 seq_cst, align 4", "i64 %1, 3"},
      {"%r = cmpxchg ptr %p, i64 0, i64 %i seq_cst seq_cst, align 8", "i64 %1, 7"}};
  for (auto [access, mask] : checked)
    expectInOrder(alignment(access), {"ptrtoint ptr %p to i64", mask, "icmp ne", "br i1",
                                      offset(offsetof(RuntimeTable, misaligned)), "unreachable"});
}

TEST(GuardAlignment, WhatIsKnownIsNot) {
  expectNone(alignment("%r = load i8, ptr %p, align 1"), {"ptrtoint"});
  expectNone(alignment("%a = alloca i32, align 4\n  store i32 1, ptr %a, align 4"), {"ptrtoint"});
  expectNone(alignment("%r = load i32, ptr %p, align 1"), {"ptrtoint"});
}

// ---- Turns -------------------------------------------------------------------------------------

std::string loop(const std::string &body) {
  return guarded("declare void @llvm.assume(i1)\ndefine void @g() { ret void }\n"
                 "define void @f(ptr %p) {\nentry:\n  br label %loop\nloop:\n  " +
                     body +
                     "\n  %go = icmp eq i32 %v, 0\n  br i1 %go, label %loop, label %end\n"
                     "end:\n  ret void\n}\n",
                 giveTurns);
}

TEST(GiveTurns, LoopsThatMayWaitYield) {
  for (const char *body :
       {"%v = load volatile i32, ptr %p", "%v = load atomic i32, ptr %p monotonic, align 4",
        "%v = atomicrmw or ptr %p, i32 0 seq_cst", "fence seq_cst\n  %v = load i32, ptr %p",
        "call void @g()\n  %v = load i32, ptr %p"})
    expectInOrder(loop(body), {"loop:", offset(offsetof(ThreadContext, spin_budget)), "sub i64",
                               "icmp slt", offset(offsetof(RuntimeTable, yield))});
}

TEST(GiveTurns, OthersDoNot) {
  expectNone(loop("%v = load i32, ptr %p"), {"sub i64"});
  expectNone(guarded("define void @f(ptr %p) {\n  %v = load volatile i32, ptr %p\n  ret void\n}\n",
                     giveTurns),
             {"sub i64"});
}

} // namespace
