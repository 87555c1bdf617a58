// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops LLVM may unroll.
#include "module/leave_rolled.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

std::string leftRolled(const std::string &metadata = "", const std::string &definitions = "") {
  Ir ir("define void @f(ptr %p, i32 %n) {\nentry:\n  br label %loop\nloop:\n"
        "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
        "  %a = getelementptr float, ptr %p, i32 %i\n  store float 0.0, ptr %a\n"
        "  %next = add i32 %i, 1\n  %go = icmp slt i32 %next, %n\n"
        "  br i1 %go, label %loop, label %end" +
        metadata + "\nend:\n  ret void\n}\n" + definitions);
  return ir.run(LeaveRolledPass()).text();
}

const std::string mark = "llvm.loop.unroll.runtime.disable";

TEST(LeaveRolled, LoopsOfAnyLength) {
  expectInOrder(leftRolled(), {"br i1 %go, label %loop, label %end, !llvm.loop !", mark});
}

TEST(LeaveRolled, KeepsWhatElseIsSaid) {
  expectInOrder(leftRolled(", !llvm.loop !0",
                           "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n"),
                {"br i1 %go", "!llvm.loop !", "llvm.loop.mustprogress", mark});
}

TEST(LeaveRolled, NotWhatTheProgramWantsUnrolled) {
  for (const char *wish : {"!\"llvm.loop.unroll.enable\"", "!\"llvm.loop.unroll.full\"",
                           "!\"llvm.loop.unroll.count\", i32 4", "!\"llvm.loop.unroll.disable\""})
    expectNone(leftRolled(", !llvm.loop !0",
                          std::string("!0 = distinct !{!0, !1}\n!1 = !{") + wish + "}\n"),
               {mark});
}

} // namespace
