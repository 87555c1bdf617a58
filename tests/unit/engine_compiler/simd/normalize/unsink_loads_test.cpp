// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where ways meet (unsink_loads.h): what all of them access, or compute, is taken apart again.
#include "engine/compiler/simd/normalize/unsink_loads.h"

#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

std::string separated(const std::string &body) {
  Ir ir("define void @f(i1 %c, i1 %d, ptr %p, ptr addrspace(3) %s, i32 %t, float %w) {\n" + body +
        "}\n");
  unsinkLoads(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

// The address is that of shared memory on one way, and on the other that of an array.
const std::string chosen_address =
    "entry:\n  br i1 %c, label %yes, label %no\n"
    "yes:\n  %a = getelementptr float, ptr addrspace(3) %s, i32 %t\n"
    "  %ag = addrspacecast ptr addrspace(3) %a to ptr\n  br label %join\n"
    "no:\n  %b = getelementptr float, ptr %p, i32 %t\n  br label %join\n"
    "join:\n  %q = phi ptr [ %ag, %yes ], [ %b, %no ]\n";

TEST(UnsinkLoads, LoadOnEachWay) {
  const std::string text = separated(chosen_address + "  %v = load float, ptr %q, align 4\n"
                                                      "  store float %v, ptr %p\n  ret void\n");
  expectInOrder(text, {"yes:", "load float, ptr addrspace(3) %a, align 4", "no:",
                       "load float, ptr %b, align 4", "join:", "%v = phi float [ ", "store float"});
  EXPECT_EQ(count(text, "load float"), 2u);
}

TEST(UnsinkLoads, StoreOnEachWay) {
  const std::string text =
      separated(chosen_address + "  store float %w, ptr %q, align 4\n  ret void\n");
  expectInOrder(text, {"yes:", "store float %w, ptr addrspace(3) %a",
                       "no:", "store float %w, ptr %b", "join:", "ret void"});
  EXPECT_EQ(count(text, "store float"), 2u);
}

// A way that is also one to somewhere else gets a block of its own: nothing may be loaded there.
TEST(UnsinkLoads, LoadOnThisWayOnly) {
  const std::string text =
      separated("entry:\n  br i1 %c, label %yes, label %join\n"
                "yes:\n  %a = getelementptr float, ptr %p, i32 %t\n"
                "  br i1 %d, label %join, label %end\n"
                "join:\n  %q = phi ptr [ %p, %entry ], [ %a, %yes ]\n"
                "  %v = load float, ptr %q, align 4\n  store float %v, ptr %p\n  br label %end\n"
                "end:\n  ret void\n");
  expectInOrder(text, {"entry.join_crit_edge:", "load float, ptr %p", "yes:", "br i1 %d, label %",
                       "load float, ptr %a", "join:"});
}

// Something may have changed what is loaded; others want to be asked once; a loop's address is no
// choice.
TEST(UnsinkLoads, OtherAccessesStay) {
  const auto loads = [](const std::string &text) { return count(text, "load "); };
  EXPECT_EQ(loads(separated(chosen_address + "  store float %w, ptr %p\n"
                                             "  %v = load float, ptr %q, align 4\n"
                                             "  store float %v, ptr %p\n  ret void\n")),
            1u);
  EXPECT_EQ(loads(separated(chosen_address + "  %v = load volatile float, ptr %q, align 4\n"
                                             "  store float %v, ptr %p\n  ret void\n")),
            1u);
  EXPECT_EQ(loads(separated("entry:\n  br label %loop\n"
                            "loop:\n  %q = phi ptr [ %p, %entry ], [ %next, %loop ]\n"
                            "  %next = load ptr, ptr %q, align 8\n"
                            "  br i1 %c, label %loop, label %end\nend:\n  ret void\n")),
            1u);
}

// An index is extended with its sign on one side, and on the other it is known to have none.
TEST(UnsinkLoads, ExtendOnceBehindAllWays) {
  const auto extended = [](const std::string &yes, const std::string &no) {
    return separated("entry:\n  br i1 %c, label %yes, label %no\n"
                     "yes:\n  %a = " +
                     yes +
                     " i32 %t to i64\n  br label %join\n"
                     "no:\n  %b = " +
                     no +
                     " i32 %t to i64\n  br label %join\n"
                     "join:\n  %i = phi i64 [ %a, %yes ], [ %b, %no ]\n"
                     "  store i64 %i, ptr %p\n  ret void\n");
  };
  expectInOrder(extended("sext", "zext nneg"), {"join:", "%i = sext i32 %t to i64"});
  expectInOrder(extended("zext nneg", "sext"), {"join:", "%i = sext i32 %t to i64"});
  expectInOrder(extended("zext nneg", "zext nneg"), {"join:", "%i = zext nneg i32 %t to i64"});
  expectInOrder(extended("sext", "zext"), {"join:", "%i = phi"});
}

// Where t is found to be 0, LLVM says 0 for t.
TEST(UnsinkLoads, RecogniseAConstantOfAComparison) {
  const auto joined = [](const std::string &branch, const std::string &constant,
                         const std::string &extension = "sext") {
    return separated("entry:\n  %e = icmp eq i32 %t, 0\n  %n = icmp ne i32 %t, -1\n"
                     "  %o = icmp eq i32 %t, 7\n  br i1 " +
                     branch + "no:\n  %b = " + extension +
                     " i32 %t to i64\n  br label %join\n"
                     "join:\n  %i = phi i64 [ " +
                     constant +
                     ", %entry ], [ %b, %no ]\n"
                     "  store i64 %i, ptr %p\n  ret void\n");
  };
  const std::string if_equal = "%e, label %join, label %no\n",
                    if_not = "%n, label %no, label %join\n";
  expectInOrder(joined(if_equal, "0"), {"join:", "%i = sext i32 %t to i64"});
  expectInOrder(joined(if_not, "-1"), {"join:", "%i = sext i32 %t to i64"});
  expectInOrder(joined(if_not, "4294967295", "zext"), {"join:", "%i = zext i32 %t to i64"});
  for (const std::string &other :
       {joined(if_equal, "1"), joined(if_not, "4294967295"), joined(if_not, "-1", "zext"),
        joined("%o, label %join, label %no\n", "0"), joined("%e, label %no, label %join\n", "0"),
        joined("%c, label %join, label %no\n", "0")})
    expectInOrder(other, {"join:", "%i = phi i64"});
}

// t + 1 of either side is t + 1 behind both, with what both promise of it.
TEST(UnsinkLoads, ComputeOnceBehindAllWays) {
  const auto sum = [](const std::string &other) {
    return separated(
        "entry:\n  br i1 %c, label %yes, label %no\n"
        "yes:\n  %x = add nuw nsw i32 %t, 1\n  store i32 %x, ptr %p\n  br label %join\n"
        "no:\n  %y = " +
        other +
        "\n  br label %join\n"
        "join:\n  %z = phi i32 [ %x, %yes ], [ %y, %no ]\n"
        "  store i32 %z, ptr %p\n  ret void\n");
  };
  expectInOrder(sum("add nsw i32 %t, 1"), {"join:", "%z = add nsw i32 %t, 1", "store i32 %z"});
  expectInOrder(sum("add nsw i32 %t, 2"), {"join:", "%z = phi i32"});
  expectInOrder(sum("load i32, ptr %p"), {"join:", "%z = phi i32"});
}

} // namespace
