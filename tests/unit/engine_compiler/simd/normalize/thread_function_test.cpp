// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel becomes the function of one thread that gangs are called by (thread_function.h).
#include "engine/compiler/lowering/thread_context.h"
#include "engine/compiler/simd/normalize/thread_function.h"

#include "engine/compiler/lowering/thread_context.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

struct Thread {
  // Parameters lie at these offsets.
  Thread(const std::string &kernel, std::vector<ParameterInfo> parameters)
      : ir(declarations + kernel) {
    KernelInfo info;
    info.name = "k";
    info.parameters = std::move(parameters);
    inlineCalls(ir.module());
    addThreadContext(ir.module());
    result = makeThreadFunction(ir.function("k"), info);
    ir.verify();
    text = ir.text("heddle.gang.k");
  }
  Ir ir;
  ThreadFunction result;
  std::string text;
};

TEST(ThreadFunction, HasTheSignatureOfASimdEntry) {
  Thread thread("define void @k() {\n  call void @A()\n  ret void\n}\n", {});
  EXPECT_EQ(thread.result.function, &thread.ir.function("heddle.gang.k"));
  expectInOrder(thread.text, {"void @heddle.gang.k(ptr %gang, ptr %parameters, i32 %x, i32 %y, "
                              "i32 %z, i32 %lanes, i32 %state)",
                              "call void @A(", "ret void"});
  EXPECT_TRUE(thread.result.function->hasFnAttribute(gang_attribute));
  EXPECT_TRUE(thread.result.aligned.empty());
}

// Each parameter is where the launch put it, and never changes.
TEST(ThreadFunction, ReadsItsParameters) {
  Thread thread("define void @k(i32 %a, i64 %b, i1 %c) {\n  call void @use(i64 %b)\n"
                "  call void @out(i32 %a)\n  br i1 %c, label %yes, label %end\n"
                "yes:\n  call void @A()\n  br label %end\nend:\n  ret void\n}\n"
                "declare void @use(i64)\n",
                {{0, 4}, {8, 8}, {16, 1}});
  expectInOrder(thread.text, {"%parameters", "load i32", "!invariant.load"});
  expectInOrder(thread.text, {"getelementptr inbounds", "ptr %parameters, i64 8", "load i64",
                              "!invariant.load"});
  // A bool is a byte in memory.
  expectInOrder(thread.text, {"ptr %parameters, i64 16", "load i8", "icmp ne i8"});
}

// A structure that is changed is each thread's own; one that is only read is read where it is.
TEST(ThreadFunction, CopiesStructuresThatItChanges) {
  const auto with = [](const std::string &attributes, const std::string &body) {
    return Thread("%s = type {i32, [3 x i32]}\ndeclare void @keep(ptr)\n"
                  "define void @k(ptr byval(%s) align 4 " +
                      attributes + " %a) {\n  %e = getelementptr i8, ptr %a, i64 8\n" + body +
                      "  ret void\n}\n",
                  {{32, 16}})
        .text;
  };
  const std::string changed = with("", "  store i32 1, ptr %e\n");
  expectInOrder(changed, {"alloca %s"});
  expectInOrder(changed, {"ptr %parameters, i64 32", "@llvm.memcpy", "i64 16",
                          "getelementptr i8, ptr %", "store i32 1"});
  EXPECT_EQ(count(changed, "@llvm.memcpy"), 1u);
  const std::string read =
      with("readonly nocapture", "  %v = load i32, ptr %e\n  call void @out(i32 %v)\n");
  expectNone(read, {"alloca", "memcpy"});
  expectInOrder(read, {"ptr %parameters, i64 32", "load i32", "call void @out"});
  // Where its address goes does not matter.
  expectNone(with("readonly noalias", "  call void @keep(ptr %e)\n"), {"alloca", "memcpy"});
}

// What the kernel's accesses need of a pointer's alignment the runtime asks before the launch: the
// code takes it for granted.
TEST(ThreadFunction, SaysWhatItExpectsOfPointers) {
  Thread thread("define void @k(ptr %floats, ptr %doubles, ptr %bytes, ptr %wide, i64 %i) {\n"
                "  %a = getelementptr float, ptr %floats, i64 %i\n  store float 1.0, ptr %a\n"
                "  %b = getelementptr i8, ptr %doubles, i64 16\n"
                "  %c = atomicrmw add ptr %b, i64 1 seq_cst, align 8\n"
                "  %d = getelementptr i8, ptr %bytes, i64 %i\n  %e = load i32, ptr %d, align 4\n"
                "  %f = load <4 x float>, ptr %wide, align 16\n  ret void\n}\n",
                {{0, 8}, {8, 8}, {16, 8}, {24, 8}, {32, 8}});
  // Of `bytes + i` the base says nothing; and 16 bytes at once must work where they cannot be.
  ASSERT_EQ(thread.result.aligned.size(), 2u);
  EXPECT_EQ(thread.result.aligned[0].offset, 0u);
  EXPECT_EQ(thread.result.aligned[0].alignment, 4u);
  EXPECT_EQ(thread.result.aligned[1].offset, 8u);
  EXPECT_EQ(thread.result.aligned[1].alignment, 8u);
  expectInOrder(thread.text, {"%parameters", "load ptr", "!align"});
}

// An access through pointer + 4 needs no more than 4 of the pointer.
TEST(ThreadFunction, ExpectsNoMoreThanAccessesShow) {
  Thread thread("define void @k(ptr %p) {\n  %a = getelementptr i8, ptr %p, i64 4\n"
                "  %v = load i64, ptr %a, align 8\n  ret void\n}\n",
                {{0, 8}});
  ASSERT_EQ(thread.result.aligned.size(), 1u);
  EXPECT_EQ(thread.result.aligned[0].alignment, 4u);
}

// All that can be is inlined, __noinline__ or not: a gang cannot call a thread's function but lane
// by lane.
TEST(InlineCalls, LeavesOnlyRecursionAndPointers) {
  Thread thread(
      "define void @k(i32 %n) {\n  call void @plain(i32 %n)\n"
      "  call void @recursive(i32 %n)\n  ret void\n}\n"
      "define void @plain(i32 %n) noinline {\n  call void @deeper(i32 %n)\n  ret void\n}\n"
      "define void @deeper(i32 %n) {\n  call void @out(i32 %n)\n  ret void\n}\n"
      "define void @recursive(i32 %n) {\n  %m = sub i32 %n, 1\n"
      "  call void @recursive(i32 %m)\n  ret void\n}\n",
      {{0, 4}});
  expectNone(thread.text, {"@plain", "@deeper"});
  expectInOrder(thread.text,
                {"call void @out(ptr %gang, i32", "call void @recursive(ptr %gang, i32"});
}

// Atomics of shared memory are cheaper (widen_test.cpp); generic pointers hide where they point.
TEST(InlineCalls, FindsOutWhatIsInSharedMemory) {
  Thread thread("@s = internal addrspace(3) global [8 x i32] undef\n"
                "define void @k(i32 %i) {\n"
                "  %p = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %i\n"
                "  call void @add(ptr %p)\n  ret void\n}\n"
                "define void @add(ptr %p) {\n  %old = atomicrmw add ptr %p, i32 1 seq_cst\n"
                "  ret void\n}\n",
                {{0, 4}});
  expectInOrder(thread.text, {"atomicrmw add ptr addrspace(3)"});
}

} // namespace
