// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of 3 bits become integers of 8 (legalize_integers.h). What comes out is executed, for
// all that goes in.
#include "engine/compiler/simd/normalize/legalize_integers.h"

#include "simd/gang.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

// %a and %b are the low three bits of %n and the next three.
std::string code(const std::string &body) {
  return ofThread("  %a = trunc i32 %n to i3\n  %m = lshr i32 %n, 3\n  %b = trunc i32 %m to i3\n" +
                  body + "  ret void\n");
}

// Widened; does the same for all numbers.
std::string widened(const std::string &body) {
  Ir before(code(body)), after(code(body));
  legalizeIntegers(after.function("f"));
  after.verify();
  for (uint64_t n = 0; n < 64; ++n) {
    Gang one(1, 0), other(1, 0);
    one.run(before.function("f"), {n});
    other.run(after.function("f"), {n});
    EXPECT_EQ(one.lane(0), other.lane(0)) << n;
  }
  return after.text("f");
}

const std::string use = "  %r = zext i3 %c to i32\n  call void @out(i32 %r)\n"
                        "  %s = sext i3 %c to i32\n  call void @out(i32 %s)\n";

TEST(LegalizeIntegers, Compute) {
  for (const std::string operation :
       {"add i3 %a, %b", "sub i3 %a, %b", "mul i3 %a, %b", "and i3 %a, %b", "or i3 %a, %b",
        "xor i3 %a, -1", "add i3 %a, -1", "shl i3 %a, 2", "lshr i3 %a, 1", "ashr i3 %a, 1",
        "udiv i3 %a, 3", "urem i3 %a, 3", "sdiv i3 %a, -3", "srem i3 %a, 3", "freeze i3 %a"}) {
    const std::string text = widened("  %c = " + operation + "\n" + use);
    expectNone(text, {"i3 "});
    expectInOrder(text, {"i8"});
  }
}

TEST(LegalizeIntegers, Compare) {
  for (const std::string predicate : {"eq", "ne", "ult", "uge", "slt", "sge"}) {
    const std::string text = widened("  %d = add i3 %a, 3\n  %o = icmp " + predicate +
                                     " i3 %d, %b\n" + "  %c = select i1 %o, i3 %a, i3 2\n" + use);
    expectNone(text, {"i3 "});
  }
}

TEST(LegalizeIntegers, Convert) {
  const std::string text =
      widened("  %w = zext i3 %a to i5\n  %v = sext i3 %b to i12\n"
              "  %t = trunc i12 %v to i5\n  %s5 = mul i5 %w, %t\n"
              "  %c = trunc i5 %s5 to i3\n" +
              use + "  %u12 = zext i12 %v to i32\n  call void @out(i32 %u12)\n");
  expectNone(text, {"i3 ", "i5 ", "i12 "});
  expectInOrder(text, {"i16"});
}

TEST(LegalizeIntegers, GoRound) {
  const std::string text =
      widened("  br label %loop\nloop:\n  %k = phi i3 [ %a, %entry ], [ %next, %loop ]\n"
              "  %next = add i3 %k, -1\n  %kw = zext i3 %k to i32\n  call void @out(i32 %kw)\n"
              "  %go = icmp ne i3 %next, 0\n  br i1 %go, label %loop, label %end\nend:\n");
  expectNone(text, {"i3 "});
  expectInOrder(text, {"phi i8", "add i8"});
}

// What is not known here gets the number that it wants, and others do not change.
TEST(LegalizeIntegers, StayWhereTheyMust) {
  expectInOrder(widened("  store i3 %a, ptr %p\n"), {"trunc i8 %", " to i3", "store i3"});
  expectNone(
      widened("  %w = add i32 %n, 1\n  %y = trunc i32 %w to i8\n  %z = zext i8 %y to i32\n"
              "  %o = icmp eq i32 %z, 3\n  %q = zext i1 %o to i32\n  call void @out(i32 %q)\n"),
      {"and i"});
}

} // namespace
