// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers in as few bits as hold what matters of them (narrow_integers.h). What comes out is also
// executed, for numbers about which one might be wrong: gang.h.
#include "engine/compiler/simd/optimize/narrow_integers.h"

#include "simd/gang.h"
#include "simd/passes.h"

#include "llvm/Transforms/Scalar/DCE.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned lanes = 32, register_bytes = 64;

// The body of a function with arguments %n, %m and %w, where %x = threadIdx.x, and %a and %b are
// bytes that differ between lanes: those of %n and %m, as far as the compiler does not know.
std::string function(const std::string &body) {
  return declarations + R"(
declare void @byte(i8)
declare void @flag(i1)
declare void @wide(i64)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
define void @f(i32 %n, i32 %m, i32 %w, ptr %p, ptr %q) {
)" + two_bytes +
         R"(  %as = sext i8 %a to i32
  %bs = sext i8 %b to i32
)" + body +
         "  ret void\n}\n";
}

std::string narrowed(const std::string &body, unsigned width = lanes) {
  Ir ir(function(body));
  narrowIntegers(ir.function("f"), row(width), register_bytes);
  ir.verify();
  ir.run(llvm::DCEPass()); // what the body does not use
  return ir.text("f").substr(ir.text("f").find("%a = load"));
}

// The code after the pass, which does what it did before.
std::string same(const std::string &body) {
  Ir before(function(body)), after(function(body));
  narrowIntegers(after.function("f"), row(lanes), register_bytes);
  for (const uint64_t n : {0, 1, 2, 3, 15, 100, 127, 128, 129, 200, 254, 255})
    for (const uint64_t m : {0, 1, 2, 127, 128, 255})
      for (const uint64_t w : {0u, 1u, 7u, 255u, 256u, 40000u, 65535u, 65536u, 0xffffffffu}) {
        Gang one(1), other(1);
        EXPECT_EQ(other.run(after.function("f"), {n, m, w}),
                  one.run(before.function("f"), {n, m, w}))
            << n << ", " << m << ", " << w;
      }
  return narrowed(body);
}

bool isUnchanged(const std::string &body, unsigned width = lanes) {
  const Ir before(function(body));
  Ir after(function(body));
  narrowIntegers(after.function("f"), row(width), register_bytes);
  return after.text() == before.text();
}

// Conway's neighbours: at most 4 * 255, so 16 bits hold the sum.
const std::string sum = "  %s = add nuw nsw i32 %az, %bz\n  %s2 = add nuw nsw i32 %s, %az\n"
                        "  %s3 = add nuw nsw i32 %s2, %bz\n";

TEST(NarrowIntegers, SumsOfBytesAreWords) {
  const std::string text = same(sum + "  %c = icmp slt i32 %s3, 300\n  call void @flag(i1 %c)\n");
  expectInOrder(text, {"zext i8 %a to i16", "zext i8 %b to i16", "%s.narrow = add i16",
                       "%s3.narrow = add i16", "icmp ult i16 %s3.narrow, 300"});
  expectNone(text, {"i32"});
}

// Truth values and low bits are so small that bytes hold their sums.
TEST(NarrowIntegers, SumsOfBitsAreBytes) {
  const std::string text =
      same("  %t = icmp ugt i8 %a, 100\n  %u = icmp ugt i8 %b, 100\n  %v = icmp eq i8 %a, %b\n"
           "  %tz = zext i1 %t to i32\n  %uz = zext i1 %u to i32\n  %vz = zext i1 %v to i32\n"
           "  %bit = and i32 %az, 1\n  %s = add i32 %tz, %uz\n  %s2 = add i32 %s, %vz\n"
           "  %s3 = add i32 %s2, %bit\n  %c = icmp eq i32 %s3, 2\n  call void @flag(i1 %c)\n");
  expectInOrder(text, {"and i8 %a, 1", "add i8", "icmp eq i8 %s3.narrow, 2"});
  expectNone(text, {"i32", "i16"});
}

// Whatever the high bits are, they do not change the low ones.
TEST(NarrowIntegers, OnlyLowBitsMatterToATruncation) {
  const std::string text =
      same("  %k = mul i32 %az, %w\n  %l = sub i32 %k, %bz\n  %s = shl i32 %l, 3\n"
           "  %y = xor i32 %s, %x\n  %t = trunc i32 %y to i16\n  %tw = zext i16 %t to i32\n"
           "  call void @out(i32 %tw)\n");
  expectInOrder(text, {"mul i16", "sub i16", "shl i16", "xor i16", "zext i16 %"});
  expectNone(text, {"mul i32"});
  expectInOrder(same("  %l = sub i32 %az, %bz\n  %s = or i32 %l, %w\n  %t = trunc i32 %s to i8\n"
                     "  call void @byte(i8 %t)\n"),
                {"sub i8 %a, %b", "or i8"});
}

// (a + b + 1) / 2, and a number that the lanes have in common.
TEST(NarrowIntegers, ShiftsToTheRightNeedTheWholeNumber) {
  const std::string text =
      same("  %s = add i32 %az, %bz\n  %r = add i32 %s, 1\n  %h = lshr i32 %r, 1\n"
           "  %t = trunc i32 %h to i8\n  call void @byte(i8 %t)\n");
  expectInOrder(text, {"add i16", "lshr i16", "trunc i16"});
  EXPECT_TRUE(isUnchanged("  %s = add i32 %az, %w\n  %h = lshr i32 %s, 1\n"
                          "  %t = trunc i32 %h to i8\n  call void @byte(i8 %t)\n"));
  expectInOrder(same("  %s = add i32 %as, %bs\n  %h = ashr i32 %s, 1\n  %i = add i32 %h, %as\n"
                     "  %t = trunc i32 %i to i8\n  call void @byte(i8 %t)\n"),
                {"sext i8 %a to i16", "add i16", "ashr i16"});
  // 255 * 255 and 2 are 65027, whose highest bit of 16 is no sign.
  expectInOrder(same("  %s = mul i32 %az, %bz\n  %r = add i32 %s, 2\n  %h = ashr i32 %r, 8\n"
                     "  %t = trunc i32 %h to i8\n  call void @byte(i8 %t)\n"),
                {"mul i16", "lshr i16"});
}

TEST(NarrowIntegers, ShiftsByLessThanTheWidth) {
  expectInOrder(same("  %s = shl i32 %az, 15\n  %t = trunc i32 %s to i16\n"
                     "  %z = zext i16 %t to i32\n  call void @out(i32 %z)\n"),
                {"shl i16"});
  EXPECT_TRUE(isUnchanged("  %s = shl i32 %az, 16\n  %r = xor i32 %s, %bz\n"
                          "  %t = trunc i32 %r to i16\n  %z = zext i16 %t to i32\n"
                          "  call void @out(i32 %z)\n"));
  expectInOrder(same("  %by = and i32 %bz, 7\n  %s = shl i32 %az, %by\n  %r = or i32 %s, %bz\n"
                     "  %c = icmp ult i32 %r, 300\n  call void @flag(i1 %c)\n"),
                {"shl i16", "or i16", "icmp ult i16"});
  EXPECT_TRUE(isUnchanged("  %by = and i32 %bz, 31\n  %s = lshr i32 %az, %by\n"
                          "  %t = trunc i32 %s to i16\n  %z = zext i16 %t to i32\n"
                          "  call void @out(i32 %z)\n"));
}

// By constants only: other divisions are done in double precision, lane by lane of 32 bits.
TEST(NarrowIntegers, Divisions) {
  const std::string three = "  %s = add i32 %az, %bz\n  %s2 = add i32 %s, %az\n";
  const std::string end = "  %t = trunc i32 %d to i8\n  call void @byte(i8 %t)\n";
  expectInOrder(same(three + "  %d = udiv i32 %s2, 3\n" + end), {"udiv i16 %s2.narrow, 3"});
  expectInOrder(same(three + "  %d = sdiv i32 %s2, 3\n" + end), {"udiv i16 %s2.narrow, 3"});
  expectInOrder(same(three + "  %d = srem i32 %s2, 10\n" + end), {"urem i16 %s2.narrow, 10"});
  expectInOrder(same("  %s = sub i32 %az, %bz\n  %d = sdiv i32 %s, 3\n" + end), {"sdiv i16"});
  expectInOrder(same("  %s = sub i32 %az, %bz\n  %d = srem i32 %s, 7\n" + end), {"srem i16"});
  EXPECT_TRUE(isUnchanged("  %s = sub i32 %az, %bz\n  %d = udiv i32 %s, 3\n" + end));
  EXPECT_TRUE(isUnchanged("  %o = or i32 %bz, 1\n  %d = udiv i32 %az, %o\n" + end));
  EXPECT_TRUE(isUnchanged("  %s = sub i32 %az, %bz\n  %d = sdiv i32 %s, -1\n" + end));
}

// |a - b|, and what becomes of it between bounds.
TEST(NarrowIntegers, ExtremesAndDistances) {
  const std::string distance =
      "  %d = sub nsw i32 %az, %bz\n  %u = call i32 @llvm.abs.i32(i32 %d, i1 true)\n";
  expectInOrder(same(distance + "  %c = icmp sgt i32 %u, 30\n  call void @flag(i1 %c)\n"),
                {"sub i16", "call i16 @llvm.abs.i16(i16", "i1 false", "icmp ugt i16"});
  expectInOrder(same("  %d = sub nsw i32 %az, %bz\n"
                     "  %l = call i32 @llvm.smax.i32(i32 %d, i32 -7)\n"
                     "  %h = call i32 @llvm.smin.i32(i32 %l, i32 %bz)\n"
                     "  %t = trunc i32 %h to i8\n  call void @byte(i8 %t)\n"),
                {"@llvm.smax.i16", "@llvm.smin.i16"});
  // Without signs: 255 * 255 is more than the largest of 16 bits with sign.
  expectInOrder(same("  %k = mul i32 %az, %bz\n  %l = call i32 @llvm.smax.i32(i32 %k, i32 %az)\n"
                     "  %c = icmp sgt i32 %l, 40000\n  call void @flag(i1 %c)\n"),
                {"mul i16", "@llvm.umax.i16", "icmp ugt i16 %l.narrow, -25536"});
  // With signs, and compared as if without: -1 is the largest.
  expectInOrder(same("  %d = sub i32 %as, %bs\n  %e = add i32 %d, %as\n"
                     "  %l = call i32 @llvm.umax.i32(i32 %e, i32 %as)\n"
                     "  %c = icmp ugt i32 %l, %bs\n  call void @flag(i1 %c)\n"),
                {"@llvm.umax.i16", "icmp ugt i16"});
}

// A comparison of what has a sign with what is too large for one stays wide.
TEST(NarrowIntegers, ComparisonsInOneOrder) {
  EXPECT_TRUE(isUnchanged("  %k = mul i32 %az, %bz\n  %c = icmp slt i32 %as, %k\n"
                          "  call void @flag(i1 %c)\n"));
  EXPECT_TRUE(isUnchanged(sum + "  %c = icmp slt i32 %s3, %w\n  call void @flag(i1 %c)\n"
                                "  call void @out(i32 %s)\n  call void @out(i32 %s2)\n"));
}

// An extension for users of the whole number, if the rest is worth it.
TEST(NarrowIntegers, WideUses) {
  expectInOrder(same(sum + "  call void @out(i32 %s3)\n"),
                {"%s3.narrow = add i16", "= zext i16 %s3.narrow to i32", "call void @out(i32 %"});
  expectInOrder(same("  %s = add i32 %as, %bs\n  %s2 = add i32 %s, %bs\n  %s3 = sub i32 %s2, %as\n"
                     "  %s4 = sub i32 %s3, %bs\n  call void @out(i32 %s4)\n"),
                {"%s4.narrow = sub i16", "sext i16", "call void @out(i32 %"});
  EXPECT_TRUE(isUnchanged("  %s = add i32 %az, %bz\n  call void @out(i32 %s)\n"));
}

TEST(NarrowIntegers, NumbersOf64Bits) {
  expectInOrder(same("  %s = add nuw nsw i32 %az, %bz\n  %sw = zext i32 %s to i64\n"
                     "  %aw = zext i8 %a to i64\n  %k = add i64 %sw, %aw\n"
                     "  %l = sub i64 %k, 20\n  %c = icmp slt i64 %l, 100\n"
                     "  call void @flag(i1 %c)\n  call void @wide(i64 %l)\n"),
                {"add i16", "sub i16", "sext i16 %l.narrow to i64", "icmp slt i16 %l.narrow, 100"});
  expectInOrder(
      same("  %aw = zext i8 %a to i64\n  %k = mul i64 %aw, %aw\n  %t = trunc i64 %k to i32\n"
           "  %u = sub i32 %t, %bz\n  %v = trunc i32 %u to i16\n"
           "  %vw = sext i16 %v to i32\n  call void @out(i32 %vw)\n"),
      {"mul i16", "sub i16", "sext i16"});
}

TEST(NarrowIntegers, ChoicesAndWays) {
  const std::string text = same("  %c = icmp ult i8 %a, %b\n  %k = select i1 %c, i32 %az, i32 300\n"
                                "  %l = sub i32 %k, %bz\n  br i1 %c, label %in, label %end\nin:\n"
                                "  %i = mul i32 %l, 2\n  br label %end\nend:\n"
                                "  %r = phi i32 [ %l, %0 ], [ %i, %in ]\n"
                                "  %d = icmp slt i32 %r, -100\n  call void @flag(i1 %d)\n");
  expectInOrder(text, {"select i1 %c, i16", "i16 300", "sub i16", "mul i16", "phi i16 [ %l.narrow",
                       "icmp slt i16 %r.narrow, -100"});
}

// It is unknown how often a loop adds: only a truncation behind it may be served.
TEST(NarrowIntegers, Loops) {
  const std::string loop =
      "  br label %loop\nloop:\n  %i = phi i32 [ 0, %0 ], [ %i1, %loop ]\n"
      "  %s = phi i32 [ %bz, %0 ], [ %s1, %loop ]\n  %k = mul i32 %s, 5\n"
      "  %s1 = add i32 %k, %az\n  %i1 = add i32 %i, 1\n  %c = icmp ult i32 %i1, 9\n"
      "  br i1 %c, label %loop, label %end\nend:\n";
  expectInOrder(same(loop + "  %t = trunc i32 %s1 to i16\n  %z = zext i16 %t to i32\n"
                            "  call void @out(i32 %z)\n"),
                {"phi i16", "mul i16", "add i16", "%i1 = add i32", "zext i16"});
  EXPECT_TRUE(isUnchanged(loop + "  %d = icmp ult i32 %s1, 9\n  call void @flag(i1 %d)\n"));
}

// The low bits of one tree are the beginning of another.
TEST(NarrowIntegers, TreesOnTrees) {
  const std::string text = same("  %l = sub i32 %az, %bz\n  %t = trunc i32 %l to i8\n"
                                "  %tz = zext i8 %t to i32\n  %s = add i32 %tz, %az\n"
                                "  %s2 = add i32 %s, %bz\n  %c = icmp sgt i32 %s2, %tz\n"
                                "  %d = icmp eq i32 %s, 256\n  call void @flag(i1 %c)\n"
                                "  call void @flag(i1 %d)\n  call void @byte(i8 %t)\n");
  expectInOrder(text, {"sub i8 %a, %b", "add i16", "icmp ugt i16", "icmp eq i16"});
  expectNone(text, {"poison", "i32"});
  // At once in bytes.
  expectInOrder(same("  %l = sub i32 %az, %bz\n  %t = trunc i32 %l to i8\n"
                     "  %tz = zext i8 %t to i32\n  %y = and i32 %tz, %bz\n"
                     "  %c = icmp ugt i32 %y, %tz\n  call void @flag(i1 %c)\n"
                     "  %d = icmp eq i32 %y, %tz\n  call void @flag(i1 %d)\n"),
                {"sub i8 %a, %b", "and i8 %l.narrow, %b", "icmp ugt i8 %y.narrow, %l.narrow"});
}

// Scalars, addresses, what begins wide, and what would be no fewer registers.
TEST(NarrowIntegers, WhatStays) {
  const std::string end = "  call void @flag(i1 %c)\n";
  EXPECT_TRUE(isUnchanged("  %u = load i8, ptr %p\n  %uz = zext i8 %u to i32\n"
                          "  %s = add i32 %uz, 7\n  %s2 = mul i32 %s, %uz\n"
                          "  %c = icmp ugt i32 %s2, 99\n" +
                          end));
  EXPECT_TRUE(isUnchanged("  %s = add i32 %x, 7\n  %s2 = add i32 %s, 3\n"
                          "  %c = icmp ugt i32 %s2, 99\n" +
                          end));
  EXPECT_TRUE(isUnchanged(sum + "  %e = zext i32 %s3 to i64\n"
                                "  %g = getelementptr i8, ptr %p, i64 %e\n"
                                "  store i8 0, ptr %g\n"));
  EXPECT_TRUE(isUnchanged("  %v = load i32, ptr %p.x\n  %s = add i32 %v, %az\n"
                          "  %t = trunc i32 %s to i8\n  call void @byte(i8 %t)\n"));
  const std::string compared = sum + "  %c = icmp slt i32 %s3, 300\n" + end;
  EXPECT_FALSE(isUnchanged(compared));
  EXPECT_TRUE(isUnchanged(compared, 16));
  EXPECT_TRUE(isUnchanged(compared, 1));
}

} // namespace
