// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of bytes that stop at 255, where no user needs more (saturating_sums.h). What comes out is
// also executed, for bytes of all sizes: gang.h.
#include "engine/compiler/simd/optimize/saturating_sums.h"

#include "simd/gang.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned lanes = 32;

// The body of a function with arguments %n and %m, where %x = threadIdx.x, and %az and %bz are
// bytes that differ between lanes: those of %n and %m, as far as the compiler does not know.
std::string function(const std::string &body) {
  return declarations + R"(
declare void @flag(i1)
define void @f(i32 %n, i32 %m, ptr %p, ptr %q) {
)" + two_bytes +
         body + "  ret void\n}\n";
}

std::string saturated(const std::string &body, unsigned width = lanes) {
  Ir ir(function(body));
  saturateSums(ir.function("f"), row(width));
  ir.verify();
  return ir.text("f");
}

// Two of each byte.
const std::string sum = "  %s = add i32 %az, %bz\n  %t = add nuw i32 %s, %az\n"
                        "  %sum = add nsw i32 %bz, %t\n";

std::string asked(const std::string &predicate, const std::string &number) {
  return sum + "  %c = icmp " + predicate + " i32 %sum, " + number + "\n  call void @flag(i1 %c)\n";
}

TEST(SaturatingSums, SumsOfBytesThatAreComparedWithLittle) {
  const std::string text = saturated(asked("slt", "3"));
  expectInOrder(text,
                {"= call i8 @llvm.uadd.sat.i8(i8 %a, i8 %b)", "@llvm.uadd.sat.i8(i8 %", "i8 %a)",
                 "@llvm.uadd.sat.i8(i8 %b, i8 %", "%c = icmp ult i8 %", ", 3", "@flag(i1 %c)"});
  expectNone(text, {"add i32", "add nuw i32", "add nsw i32"});
}

// Several questions, of parts of the sum too, and a number on the other side.
TEST(SaturatingSums, AllThatAskForASum) {
  const std::string text =
      saturated(asked("eq", "254") + "  %d = icmp sgt i32 9, %t\n  call void @flag(i1 %d)\n");
  expectInOrder(text, {"%c = icmp eq i8 %", ", -2", "%d = icmp ugt i8 9, %"});
  expectNone(text, {" i32 %s", " i32 %t"});
}

TEST(SaturatingSums, ComesOutAsBefore) {
  std::string body = sum;
  for (const char *predicate : {"eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"})
    for (const char *number : {"0", "3", "253", "254"}) {
      const std::string name = std::string("%c.") + predicate + number;
      body += "  " + name + " = icmp " + predicate + " i32 %sum, " + number +
              "\n  call void @flag(i1 " + name + ")\n";
    }
  for (const uint64_t n : {0, 1, 63, 64, 127, 128, 200, 255})
    for (const uint64_t m : {0, 1, 2, 63, 64, 127, 255}) {
      Ir before(function(body)), after(function(body));
      saturateSums(after.function("f"), row(lanes));
      expectInOrder(after.text("f"), {"@llvm.uadd.sat"});
      Gang expected(1), found(1);
      expected.run(before.function("f"), {n, m});
      found.run(after.function("f"), {n, m});
      EXPECT_EQ(found.lane(0), expected.lane(0)) << n << ", " << m;
    }
}

void expectUnchanged(const std::string &body, unsigned width = lanes) {
  expectNone(saturated(body, width), {"uadd.sat"});
}

// 255 may be 255 or more.
TEST(SaturatingSums, NotComparedWithMuch) {
  expectUnchanged(asked("ult", "255"));
  expectUnchanged(asked("sgt", "300"));
  expectUnchanged(asked("sgt", "-1"));
  expectUnchanged(asked("ult", "%n"));
}

TEST(SaturatingSums, NotIfTheSumIsUsedOtherwise) {
  expectUnchanged(asked("eq", "3") + "  store i32 %sum, ptr %p\n");
  expectUnchanged(asked("eq", "3") + "  %d = mul i32 %s, 2\n  store i32 %d, ptr %p\n");
}

TEST(SaturatingSums, NotSumsOfOtherThings) {
  const std::string ask = "  %c = icmp eq i32 %sum, 3\n  call void @flag(i1 %c)\n";
  expectUnchanged("  %s = add i32 %az, %bz\n  %sum = add i32 %s, %n\n" + ask);
  expectUnchanged("  %s = add i32 %az, %bz\n  %sum = add i32 %s, -1\n" + ask);
  expectUnchanged("  %as = sext i8 %a to i32\n  %s = add i32 %as, %bz\n  %sum = add i32 %s, %bz\n" +
                  ask);
}

// One that is in 16 bits could wrap.
TEST(SaturatingSums, NotSumsThatMayWrap) {
  std::string body = "  %a16 = zext i8 %a to i9\n  %b16 = zext i8 %b to i9\n"
                     "  %s = add i9 %a16, %b16\n  %c = icmp eq i9 %s, 3\n"
                     "  call void @flag(i1 %c)\n";
  expectUnchanged(body);
}

// Those are no vectors; and sums that fit a byte are for another pass.
TEST(SaturatingSums, NotWhereItGainsNothing) {
  expectUnchanged(asked("eq", "3"), 1);
  expectUnchanged("  %u = zext i8 %n.8 to i32\n  %s = add i32 %u, %u\n"
                  "  %c = icmp eq i32 %s, 3\n  call void @flag(i1 %c)\n");
}

} // namespace
