// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source/shared_objects.h"

#include <gtest/gtest.h>

using namespace heddle::frontend;

namespace {

std::string changed(const std::string &text, const std::string &name) {
  SharedObjects objects;
  const bool added = objects.add("f.cu", text, text.find(name));
  EXPECT_EQ(added, objects.grew());
  EXPECT_FALSE(objects.grew());
  EXPECT_EQ(objects.change("other.cu", text), std::nullopt);
  return added ? *objects.change("f.cu", text) : "refused";
}

TEST(SharedObjects, AreDeclaredWithoutTheirConstructor) {
  EXPECT_EQ(changed("{\n  __shared__ A<b> a;\n}", "a;"),
            "{\n  __shared__ __heddle_uninitialized<A<b> > a__object; auto &a = "
            "a__object.object;\n}");
  EXPECT_EQ(changed("static __shared__ alignas(8) ns::T x[2][3]; int y;", "x["),
            "static __shared__ alignas(8) __heddle_uninitialized<ns::T [2][3]> x__object; auto &x "
            "= x__object.object; int y;");
}

TEST(SharedObjects, AreLeftAloneIfDeclaredInOtherWays) {
  EXPECT_EQ(changed("__shared__ T x, y;", "x,"), "refused");
  EXPECT_EQ(changed("__shared__ T x(1);", "x("), "refused");
  EXPECT_EQ(changed("T x;", "x;"), "refused");
}

TEST(SharedObjects, MoreOfThemAreFoundInWhatWasChangedBefore) {
  const std::string text = "__shared__ A a;\n__shared__ B b;\n";
  SharedObjects objects;
  EXPECT_TRUE(objects.add("f.cu", text, text.find("a;")));
  const std::string once = *objects.change("f.cu", text);
  EXPECT_TRUE(objects.add("f.cu", once, once.find("b;")));
  EXPECT_TRUE(objects.grew());
  EXPECT_EQ(*objects.change("f.cu", text),
            "__shared__ __heddle_uninitialized<A > a__object; auto &a = a__object.object;\n"
            "__shared__ __heddle_uninitialized<B > b__object; auto &b = b__object.object;\n");
}

} // namespace
