// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on which a gang's lanes agree come first (uniform_reassociation.h).
#include "engine/compiler/simd/post/uniform_reassociation.h"
#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

const std::string yes = "<4 x i1> <i1 true, i1 true, i1 true, i1 true>";

/// %v and %w are masks, %a, %b and %c are in all lanes of %A, %B and %C.
std::string joined(const std::string &operations, const std::string &result) {
  std::string text = "define <4 x i1> @f(<4 x i1> %v, <4 x i1> %w, i1 %a, i1 %b, i1 %c) {\n";
  for (const std::string name : {"a", "b", "c"}) {
    const std::string upper(1, char(std::toupper(name[0])));
    text += "  %" + name + "1 = insertelement <4 x i1> poison, i1 %" + name + ", i64 0\n  %" +
            upper + " = shufflevector <4 x i1> %" + name +
            "1, <4 x i1> poison, <4 x i32> zeroinitializer\n";
  }
  Ir ir(text + operations + "  ret <4 x i1> " + result + "\n}\n");
  reassociateUniformTerms(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

TEST(UniformReassociation, ComeFirst) {
  expectInOrder(joined("  %1 = or <4 x i1> %v, %A\n"
                       "  %2 = or <4 x i1> %1, %B\n",
                       "%2"),
                {"or i1 %a, %b", "shufflevector", "or <4 x i1> %v, ", "ret"});
  expectInOrder(joined("  %1 = and <4 x i1> %A, %v\n"
                       "  %2 = and <4 x i1> %B, %1\n",
                       "%2"),
                {"and i1 %a, %b", "shufflevector", "and <4 x i1> %v, ", "ret"});
}

TEST(UniformReassociation, ChainsAreOne) {
  const std::string text = joined("  %1 = or <4 x i1> %v, %A\n"
                                  "  %2 = or <4 x i1> %1, %B\n"
                                  "  %3 = or <4 x i1> %2, %C\n",
                                  "%3");
  expectInOrder(text, {"or i1 %a, %b", "or i1 %", ", %c", "or <4 x i1> %v, ", "ret"});
  EXPECT_EQ(count(text, "= or <4 x i1>"), 1u) << text;
}

// A right operand that is not evaluated may be poison: it stays behind the left one.
TEST(UniformReassociation, ChoicesStayChoices) {
  expectInOrder(joined("  %1 = select <4 x i1> %v, " + yes + ", <4 x i1> %A\n" +
                           "  %2 = select <4 x i1> %1, " + yes + ", <4 x i1> %B\n",
                       "%2"),
                {"select i1 %a, i1 true, i1 %b", "select <4 x i1> %v, " + yes, "ret"});
  expectInOrder(joined("  %1 = select <4 x i1> %v, <4 x i1> %A, <4 x i1> zeroinitializer\n"
                       "  %2 = select <4 x i1> %1, <4 x i1> %B, <4 x i1> zeroinitializer\n",
                       "%2"),
                {"select i1 %a, i1 %b, i1 false", "select <4 x i1> %v, ", "ret"});
}

TEST(UniformReassociation, OnlyOfOneKindAndWithoutOtherUsers) {
  for (const std::string &operations :
       {"  %x = or <4 x i1> %v, %A\n  %z = and <4 x i1> %x, %B\n",
        "  %x = or <4 x i1> %v, %A\n  %z = or <4 x i1> %x, %w\n",
        "  %x = or <4 x i1> %v, %A\n  %y = or <4 x i1> %x, %B\n  %z = xor <4 x i1> %x, %y\n"}) {
    const std::string text = joined(operations, "%z");
    EXPECT_EQ(count(text, "or i1") + count(text, "and i1"), 0u) << text;
  }
}

} // namespace
