// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which threads run one at a time (gang_width.h), and what becomes of their code: gangs of one
// lane.
#include "engine/compiler/simd/plan/gang_width.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Whether vectors are worth it --------------------------------------------------------------

// Code of a thread with threadIdx.x (%x, %wide), pointers %p and %q, and a number %n.
bool alone(const std::string &body, unsigned lanes = 32) {
  Ir ir(declarations +
        "define void @f(ptr %p, ptr %q, i32 %n) {\nentry:\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %wide = zext i32 %x to i64\n" +
        body + "}\n");
  canonicalizeLoops(ir.function("f"));
  return shouldScalarize(ir.function("f"), row(lanes),
                         {.registers = {32, 64}, .native_gather = true});
}

// The loop `body`, until %go fails.
std::string loop(const std::string &phis, const std::string &body) {
  return "  br label %loop\nloop:\n" + phis + body +
         "  br i1 %go, label %loop, label %end\nend:\n  ret void\n";
}

TEST(ScalarGangs, ThreadsThatFollowPointers) {
  const std::string list = "  %first = getelementptr ptr, ptr %p, i64 %wide\n" +
                           loop("  %node = phi ptr [ %first, %entry ], [ %next, %loop ]\n",
                                "  %next = load ptr, ptr %node\n  %go = icmp ne ptr %next, null\n");
  EXPECT_TRUE(alone(list));
  EXPECT_TRUE(alone(list, 8));
}

// A row of a sparse matrix: its length and its columns are from memory.
TEST(ScalarGangs, ThreadsThatReadFromAnywhere) {
  EXPECT_TRUE(alone("  %a = getelementptr i32, ptr %p, i64 %wide\n  %start = load i32, ptr %a\n"
                    "  %b = getelementptr i32, ptr %a, i64 1\n  %last = load i32, ptr %b\n" +
                    loop("  %k = phi i32 [ %start, %entry ], [ %next, %loop ]\n",
                         "  %kw = sext i32 %k to i64\n  %c = getelementptr i32, ptr %q, i64 %kw\n"
                         "  %column = load i32, ptr %c\n  %cw = sext i32 %column to i64\n"
                         "  %d = getelementptr float, ptr %p, i64 %cw\n  %v = load float, ptr %d\n"
                         "  %next = add i32 %k, 1\n  %go = icmp slt i32 %next, %last\n")));
}

TEST(VectorGangs, ThreadsThatReadBesideEachOther) {
  EXPECT_FALSE(alone("  %a = getelementptr float, ptr %p, i64 %wide\n  %v = load float, ptr %a\n"
                     "  %w = fmul float %v, 2.0\n  store float %w, ptr %a\n  ret void\n"));
}

// One gather is no reason yet, for what is around it would lose.
TEST(VectorGangs, ThreadsThatReadFromAnywhereOnce) {
  std::string work;
  for (unsigned i = 0; i < 30; ++i)
    work += "  %w" + std::to_string(i + 1) + " = fmul float %w" + std::to_string(i) + ", 2.0\n";
  const std::string gather = "  %a = getelementptr i32, ptr %q, i64 %wide\n"
                             "  %i = load i32, ptr %a\n  %iw = sext i32 %i to i64\n"
                             "  %b = getelementptr float, ptr %p, i64 %iw\n"
                             "  %w0 = load float, ptr %b\n";
  EXPECT_FALSE(alone(gather + work + "  store float %w30, ptr %a\n  ret void\n"));
}

// In 32 bits an index may wrap in theory, but it will be asked for: no gather is expected.
TEST(VectorGangs, ThreadsWithIndicesThatMightWrap) {
  const auto sum = [](const std::string &index) {
    return alone(loop("  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n",
                      "  %i = " + index +
                          "\n  %iw = sext i32 %i to i64\n"
                          "  %a = getelementptr float, ptr %p, i64 %iw\n"
                          "  %v = load float, ptr %a\n"
                          "  %b = getelementptr float, ptr %q, i64 %iw\n"
                          "  %w = load float, ptr %b\n"
                          "  %next = add i32 %k, %n\n  %go = icmp slt i32 %next, 1000\n"));
  };
  EXPECT_FALSE(sum("add i32 %k, %x"));
  EXPECT_TRUE(sum("mul i32 %k, %x"));
}

// The bus is locked for each lane in either case: it is no reason for vectors.
TEST(ScalarGangs, AtomicsDoNotMatter) {
  std::string atomics;
  for (unsigned i = 0; i < 10; ++i)
    atomics += "  %o" + std::to_string(i) + " = atomicrmw add ptr %node, i32 1 monotonic\n";
  EXPECT_TRUE(alone("  %first = getelementptr ptr, ptr %p, i64 %wide\n" +
                    loop("  %node = phi ptr [ %first, %entry ], [ %next, %loop ]\n",
                         atomics + "  %next = load ptr, ptr %node\n"
                                   "  %go = icmp ne ptr %next, null\n")));
}

// Lanes whose loop ends wait for the others: what just pays otherwise does not then.
TEST(ScalarGangs, ThreadsThatWaitForTheirNeighbours) {
  const auto sum = [](const std::string &last) {
    return alone("  %a = getelementptr i32, ptr %q, i64 %wide\n  %u = load i32, ptr %a\n" +
                 loop("  %k = phi i32 [ %n, %entry ], [ %next, %loop ]\n",
                      "  %c = xor i32 %k, %u\n  %cw = sext i32 %c to i64\n"
                      "  %d = getelementptr float, ptr %p, i64 %cw\n"
                      "  %v = load float, ptr %d\n  %w = fmul float %v, 2.0\n"
                      "  %next = add i32 %k, 1\n  %go = icmp slt i32 %next, " +
                          last + "\n"));
  };
  EXPECT_TRUE(sum("%u"));
  EXPECT_FALSE(sum("1000"));
}

// ---- Gangs of one ------------------------------------------------------------------------------

std::string single(const std::string &body, const std::string &more = "") {
  return widened(body, {layoutFor(parseVariant("simd:32:full"), 1, false)}, more);
}

TEST(WidenAlone, EverythingIsScalar) {
  const std::string text =
      single("  %i = sext i32 %u to i64\n  %a = getelementptr float, ptr %p, i64 %i\n"
             "  %v = load float, ptr %a, align 4\n  %w = fadd float %v, 1.0\n"
             "  store float %w, ptr %e, align 4\n");
  expectInOrder(text, {"%a = getelementptr float, ptr %p", "%v = load float, ptr %a",
                       "%w = fadd float %v", "store float %w, ptr %e"});
  expectNone(text, {" x float>", " x i32>", "br i1"});
}

// Branches are those of the program.
TEST(WidenAlone, BranchesAreBranches) {
  const std::string text = single("  br i1 %c, label %a, label %b\na:\n  store i32 1, ptr %p\n"
                                  "  br label %b\nb:\n");
  expectInOrder(text, {"br i1 %c, label %a, label %b", "a:", "store i32 1, ptr %p"});
}

TEST(WidenAlone, CallsAndAtomicsAreMadeOnce) {
  const std::string text =
      single("  %r = call i32 @g(ptr %gang, i32 %u)\n"
             "  %o = atomicrmw add ptr %p, i32 %r monotonic\n  store i32 %o, ptr %e\n",
             "declare i32 @g(ptr, i32)\n");
  EXPECT_EQ(count(text, "call i32 @g("), 1u);
  EXPECT_EQ(count(text, "atomicrmw add ptr %p, i32 %r"), 1u);
  expectInOrder(text, {"%r = call i32 @g(", "%o = atomicrmw", "store i32 %o"});
  expectNone(text, {" x i32>"});
}

} // namespace
