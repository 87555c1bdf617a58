// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small branches that may part lanes become choices (if_conversion.h). Threads that execute what
// comes out do what they did before: gang.h.
#include "engine/compiler/simd/optimize/if_conversion.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

std::string function(const std::string &body) {
  return ofThread("  br label %start\nstart:\n" + body + "  ret void\n");
}

void flatten(Ir &ir) {
  canonicalizeLoops(ir.function("f"));
  convertBranchesToSelects(ir.function("f"), row(32));
  ir.verify();
}

std::string flattened(const std::string &body) {
  Ir ir(function(body));
  flatten(ir);
  return ir.text("f");
}

// The code after the pass. Threads with other numbers do as they did.
std::string same(const std::string &body) {
  Ir before(function(body)), after(function(body));
  flatten(after);
  for (unsigned x = 0; x < 40; ++x)
    for (const uint64_t n : {0, 1, 3, 31, 32, 100}) {
      Gang one(1, x), other(1, x);
      EXPECT_EQ(other.run(after.function("f"), {n}), one.run(before.function("f"), {n}))
          << x << ", " << n;
    }
  return after.text("f");
}

unsigned branches(const std::string &text) { return count(text, "br i1"); }

TEST(IfConversion, TwoSides) {
  const std::string text =
      same("  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %b\n"
           "a:\n  %v = add i32 %x, 5\n  br label %end\nb:\n  %w = mul i32 %x, %n\n"
           "  br label %end\nend:\n  %r = phi i32 [ %v, %a ], [ %w, %b ]\n"
           "  call void @out(i32 %r)\n");
  expectInOrder(text, {"add i32 %x, 5", "select i1 %c, i32 %v, i32 %w"});
  EXPECT_EQ(branches(text), 0u);
}

TEST(IfConversion, OneSide) {
  for (const std::string ways : {"label %a, label %end", "label %end, label %a"}) {
    const std::string text = same("  %c = icmp ult i32 %x, 7\n  br i1 %c, " + ways +
                                  "\na:\n  %v = add i32 %x, %n\n  br label %end\nend:\n"
                                  "  %r = phi i32 [ %v, %a ], [ 9, %start ]\n"
                                  "  call void @out(i32 %r)\n");
    EXPECT_EQ(branches(text), 0u);
    EXPECT_EQ(count(text, "select i1 %c"), 1u);
  }
}

// n == 3 || (n == 2 && alive), as a switch that became branches.
TEST(IfConversion, TreesOfASwitch) {
  const std::string text =
      same("  %pivot = icmp ult i32 %x, 3\n  br i1 %pivot, label %low, label %high\n"
           "high:\n  %three = icmp eq i32 %x, 3\n  br i1 %three, label %end, label %default\n"
           "low:\n  %two = icmp eq i32 %x, 2\n  br i1 %two, label %ask, label %default\n"
           "ask:\n  %v = load i32, ptr %p\n  br label %end\n"
           "default:\n  br label %end\n"
           "end:\n  %r = phi i32 [ 1, %high ], [ %v, %ask ], [ 7, %default ]\n"
           "  call void @out(i32 %r)\n");
  EXPECT_EQ(branches(text), 1u);
  EXPECT_EQ(blockText(text, "low") + blockText(text, "high") + blockText(text, "default"), "");
  expectInOrder(text, {"select i1 %three, i32 1, i32 7", "select i1 %pivot, i32 7, i32 %",
                       "select i1 %pivot, i1 %two, i1 false", "br i1 %", "label %ask, label %end"});
}

// From each side of each branch, and with values of their own at both ends.
TEST(IfConversion, QuestionsInARow) {
  for (const std::string first : {"label %a, label %end", "label %end, label %a"})
    for (const std::string second : {"label %b, label %end", "label %end, label %b"}) {
      const std::string text = same("  %c = icmp ult i32 %x, %n\n  br i1 %c, " + first +
                                    "\na:\n  %v = add i32 %x, 5\n  %d = icmp ugt i32 %v, 9\n"
                                    "  br i1 %d, " +
                                    second +
                                    "\nb:\n  %s = phi i32 [ %v, %a ]\n  call void @A()\n"
                                    "  call void @out(i32 %s)\n  br label %end\nend:\n"
                                    "  %r = phi i32 [ %v, %a ], [ 1, %start ], [ 2, %b ]\n"
                                    "  call void @out(i32 %r)\n");
      EXPECT_EQ(branches(text), 1u);
      EXPECT_EQ(blockText(text, "a"), "");
    }
}

// What a thread would not have asked may have no answer.
TEST(IfConversion, ResultsWithoutUsers) {
  const std::string text =
      same("  %c = icmp ult i32 %x, 8\n  br i1 %c, label %a, label %end\n"
           "a:\n  %bit = shl i32 1, %x\n  %d = icmp ugt i32 %bit, 9\n"
           "  br i1 %d, label %b, label %end\nb:\n  call void @A()\n  br label %end\nend:\n");
  expectInOrder(text, {"select i1 %c, i1 %d, i1 false"});
}

// Memory, effects, divisions, a lot of work; branches that all lanes take alike; loops.
TEST(IfConversion, WhatStays) {
  for (const std::string &side :
       {"  %v = load i32, ptr %p\n", "  call void @A()\n  %v = add i32 %x, 1\n",
        "  %v = udiv i32 7, %x\n", "  %v = udiv i32 %x, 7\n",
        "  %v1 = mul i32 %x, %x\n  %v2 = mul i32 %v1, %x\n  %v3 = mul i32 %v2, %x\n"
        "  %v4 = mul i32 %v3, %x\n  %v = mul i32 %v4, %x\n"}) {
    const std::string body = "  br i1 %c, label %a, label %end\na:\n" + side +
                             "  br label %end\nend:\n"
                             "  %r = phi i32 [ %v, %a ], [ 9, %start ]\n"
                             "  call void @out(i32 %r)\n";
    EXPECT_EQ(branches(flattened("  %c = icmp ult i32 %x, %n\n" + body)), 1u) << side;
  }
  EXPECT_EQ(branches(flattened("  %c = icmp ult i32 5, %n\n  br i1 %c, label %a, label %end\n"
                               "a:\n  %v = add i32 %x, 5\n  br label %end\nend:\n"
                               "  %r = phi i32 [ %v, %a ], [ 9, %start ]\n"
                               "  call void @out(i32 %r)\n")),
            1u);
  const std::string loop =
      same("  br label %loop\nloop:\n  %i = phi i32 [ 0, %start ], [ %i1, %again ]\n"
           "  %i1 = add i32 %i, 1\n  %c = icmp ult i32 %i1, %x\n"
           "  br i1 %c, label %more, label %end\nmore:\n  %d = icmp ult i32 %i1, %n\n"
           "  br i1 %d, label %again, label %end\nagain:\n  br label %loop\n"
           "end:\n  %r = phi i32 [ 1, %loop ], [ %i, %more ]\n"
           "  call void @out(i32 %r)\n");
  EXPECT_EQ(branches(loop), 2u);
}

} // namespace
