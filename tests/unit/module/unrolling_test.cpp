// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM is told about unrolling loops of unknown length.
#include "module/passes/unrolling.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

// for (i = start; i < end; i += step) `body`, where %t is less than 1024.
std::string marked(const std::string &end, const std::string &start = "0",
                   const std::string &step = "1", const std::string &body = "",
                   const std::string &metadata = "") {
  Ir ir("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void @llvm.nvvm.barrier0()\n"
        "declare void @meet() convergent\n"
        "define void @f(ptr %p, i32 %n) {\nentry:\n"
        "  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %enters = icmp slt i32 " +
        start + ", " + end +
        "\n  br i1 %enters, label %loop, label %end\n"
        "loop:\n  %i = phi i32 [ " +
        start +
        ", %entry ], [ %next, %loop ]\n"
        "  %a = getelementptr float, ptr %p, i32 %i\n  store volatile float 0.0, ptr %a\n" +
        body + "  %next = add nsw i32 %i, " + step + "\n  %go = icmp slt i32 %next, " + end +
        "\n  br i1 %go, label %loop, label %end" + (metadata.empty() ? "" : ", !llvm.loop !0") +
        "\nend:\n  ret void\n}\n" +
        (metadata.empty() ? "" : "!0 = distinct !{!0, !1}\n!1 = !{" + metadata + "}\n"));
  return ir.run(UnrollingPass()).text();
}

const std::string rolled = "llvm.loop.unroll.runtime.disable", count = "llvm.loop.unroll.count";

TEST(Unrolling, NotOfLoopsOfAnyLength) {
  const std::string text = marked("%n");
  expectInOrder(text, {"br i1 %go, label %loop, label %end, !llvm.loop !", rolled});
  expectNone(text, {count});
}

// A tile of 20 by threads in rows of 16: once or twice.
TEST(Unrolling, OfLoopsWithAFewRounds) {
  const std::string text = marked("20", "%t", "16");
  expectInOrder(text,
                {"br i1 %go, label %loop, label %end, !llvm.loop !", "!\"" + count + "\", i32 2}"});
  expectNone(text, {rolled});
  expectInOrder(marked("33", "%t", "16"), {rolled}); // three
}

TEST(Unrolling, NotOfLongPieces) {
  std::string body;
  for (int i = 0; i < 60; ++i)
    body += "  store volatile float 1.0, ptr %a\n";
  expectInOrder(marked("20", "%t", "16", body), {rolled});
}

// At a barrier all threads have to be in the same piece of code.
TEST(Unrolling, NotWhereThreadsMeet) {
  expectInOrder(marked("20", "%t", "16", "  call void @meet()\n"), {rolled});
}

// LLVM knows what to do.
TEST(Unrolling, SaysNothingOfKnownLengths) { expectNone(marked("20"), {rolled, count}); }

TEST(Unrolling, KeepsWhatElseIsSaid) {
  expectInOrder(marked("%n", "0", "1", "", "!\"llvm.loop.mustprogress\""),
                {"br i1 %go", "!llvm.loop !", "llvm.loop.mustprogress", rolled});
}

TEST(Unrolling, IsAsTheProgramWants) {
  for (const char *wish : {"!\"llvm.loop.unroll.enable\"", "!\"llvm.loop.unroll.full\"",
                           "!\"llvm.loop.unroll.count\", i32 4", "!\"llvm.loop.unroll.disable\""}) {
    expectNone(marked("%n", "0", "1", "", wish), {rolled});
    expectNone(marked("20", "%t", "16", "", wish), {rolled, "i32 2}"});
  }
}

// for (i = 0; i < end; ++i) array[i * scale + at] = input[i], `copies` times.
std::string ofArray(const std::string &end, const std::string &scale = "1", int copies = 1,
                    const std::string &array = "%array") {
  std::string body;
  for (int i = 0; i < copies; ++i)
    body += "  store volatile float %x, ptr %to\n";
  Ir ir("define void @f(ptr %p, ptr %q, i64 %n) {\nentry:\n  %array = alloca [64 x float]\n"
        "  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
        "  %from = getelementptr float, ptr %p, i64 %i\n  %x = load float, ptr %from\n"
        "  %at = mul i64 %i, " +
        scale + "\n  %to = getelementptr float, ptr " + array + ", i64 %at\n" + body +
        "  %next = add nuw nsw i64 %i, 1\n  %go = icmp ult i64 %next, " + end +
        "\n  br i1 %go, label %loop, label %end\nend:\n  ret void\n}\n");
  return ir.run(llvm::createFunctionToLoopPassAdaptor(UnrollArrayLoopsPass())).text();
}

const std::string full = "llvm.loop.unroll.full";

TEST(UnrollingArrays, MakesValuesOfTheirElements) {
  expectInOrder(ofArray("9"), {"br i1 %go, label %loop, label %end, !llvm.loop !", full});
}

TEST(UnrollingArrays, OnlyOfKnownLength) { expectNone(ofArray("%n"), {full}); }

TEST(UnrollingArrays, OnlyOfAThreadsOwn) {
  expectNone(ofArray("9", "1", 1, "%q"), {full});
  expectNone(ofArray("9", "0"), {full}); // the same element in all rounds
}

TEST(UnrollingArrays, NotOfLongCode) {
  expectInOrder(ofArray("60"), {full});
  expectNone(ofArray("60", "1", 40), {full});
}

} // namespace
