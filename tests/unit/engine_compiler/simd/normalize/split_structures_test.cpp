// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures that are values become members (split_structures.h).
#include "engine/compiler/simd/normalize/split_structures.h"

#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

const char *const pair = "{ double, i32 }";

std::string split(const std::string &code) {
  Ir ir("declare { double, i32 } @make(i32)\ndeclare { [2 x float], i1 } @nested(i32)\n"
        "define double @f(i1 %c, i32 %n) {\n" +
        code + "}\n");
  splitStructures(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

TEST(SplitStructures, AreMergedMemberByMember) {
  const std::string text =
      split("entry:\n  %a = call { double, i32 } @make(i32 0)\n"
            "  br i1 %c, label %other, label %end\n"
            "other:\n  %b = call { double, i32 } @make(i32 1)\n  br label %end\n"
            "end:\n  %w = phi { double, i32 } [ %a, %entry ], [ %b, %other ]\n"
            "  %r = extractvalue { double, i32 } %w, 0\n  ret double %r\n");
  expectInOrder(text, {"phi double", "phi i32"});
  expectNone(text, {std::string("phi ") + pair});
}

TEST(SplitStructures, AreChosenMemberByMember) {
  const std::string text = split("  %a = call { double, i32 } @make(i32 0)\n"
                                 "  %b = call { double, i32 } @make(i32 1)\n"
                                 "  %w = select i1 %c, { double, i32 } %a, { double, i32 } %b\n"
                                 "  %k = freeze { double, i32 } %w\n"
                                 "  %r = extractvalue { double, i32 } %k, 0\n  ret double %r\n");
  expectInOrder(text, {"select i1 %c, double", "select i1 %c, i32"});
  expectInOrder(text, {"freeze double", "freeze i32"});
  expectNone(text, {std::string("select i1 %c, ") + pair, std::string("freeze ") + pair});
}

TEST(SplitStructures, GoRoundLoopsAsMembers) {
  const std::string text =
      split("entry:\n  %a = call { double, i32 } @make(i32 0)\n  br label %loop\n"
            "loop:\n  %w = phi { double, i32 } [ %a, %entry ], [ %w, %loop ], [ %x, %more ]\n"
            "  br i1 %c, label %loop, label %more\n"
            "more:\n  %x = call { double, i32 } @make(i32 %n)\n  %e = icmp eq i32 %n, 3\n"
            "  br i1 %e, label %loop, label %end\n"
            "end:\n  %r = extractvalue { double, i32 } %w, 0\n  ret double %r\n");
  expectInOrder(text, {"phi double", "phi i32"});
  expectNone(text, {std::string("phi ") + pair});
}

TEST(SplitStructures, InStructuresAreSplitToo) {
  const std::string text =
      split("  %a = call { [2 x float], i1 } @nested(i32 0)\n"
            "  %b = call { [2 x float], i1 } @nested(i32 1)\n"
            "  %w = select i1 %c, { [2 x float], i1 } %a, { [2 x float], i1 } %b\n"
            "  %l = extractvalue { [2 x float], i1 } %w, 0, 1\n"
            "  %r = fpext float %l to double\n  ret double %r\n");
  expectInOrder(text, {"select i1 %c, float", "select i1 %c, float"});
  expectNone(text, {"select i1 %c, {", "select i1 %c, ["});
}

} // namespace
