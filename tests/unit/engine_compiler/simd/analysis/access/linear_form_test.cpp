// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as sums of terms (linear_form.h).
#include "engine/compiler/simd/analysis/access/linear_form.h"

#include "ir.h"

#include "llvm/IR/ValueSymbolTable.h"
#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

class Code {
public:
  explicit Code(const std::string &body)
      : ir_("define void @f(ptr %p, i32 %i, i32 %j, i64 %w, i64 %c) {\n" + body +
            "  ret void\n}\n") {}

  llvm::Value &value(const char *name) {
    return *ir_.function("f").getValueSymbolTable()->lookup(name);
  }
  LinearForm form(const char *name, const std::set<std::string> &factors = {}) {
    return linearForm(value(name), ir_.module().getDataLayout(), [&](const llvm::Value &part) {
      return factors.count(part.getName().str()) != 0;
    });
  }

private:
  Ir ir_;
};

TEST(LinearForm, ComparesWhatIsWrittenDifferently) {
  Code code("  %k = add nsw i32 %i, 5\n  %k2 = shl i32 %k, 1\n  %k2w = sext i32 %k2 to i64\n"
            "  %left = getelementptr i16, ptr %p, i64 %k2w\n"
            "  %m = sub nsw i32 %i, %j\n  %mw = zext i32 %m to i64\n"
            "  %more = getelementptr i8, ptr %p, i64 3\n"
            "  %right = getelementptr float, ptr %more, i64 %mw\n");
  const LinearForm apart = code.form("left") - code.form("right");
  EXPECT_EQ(apart.constant, 5u * 4 - 3);
  ASSERT_EQ(apart.terms.size(), 1u);
  EXPECT_EQ(apart.terms[0].value, &code.value("j"));
  EXPECT_EQ(apart.terms[0].coefficient, 4u);
  EXPECT_TRUE((code.form("left") - code.form("left")).terms.empty());
}

TEST(LinearForm, KnowsHowManyBitsItHas) {
  Code code("  %s = add i32 %i, %j\n  %e = sext i32 %s to i64\n  %d = add i64 %e, %w\n"
            "  %t = trunc i64 %w to i8\n");
  EXPECT_EQ(code.form("s").bits, 64u); // of an i32, all that there are
  EXPECT_EQ(code.form("e").bits, 32u);
  EXPECT_EQ(code.form("d").bits, 32u);
  EXPECT_EQ(code.form("t").bits, 8u);
}

TEST(LinearForm, DistributesFactors) {
  Code code("  %iw = sext i32 %i to i64\n  %row = mul i64 %iw, %w\n  %s = add i64 %row, 7\n"
            "  %v = mul i64 %s, %c\n");
  EXPECT_EQ(code.form("v").terms.size(), 1u); // a product of two unknown values
  const LinearForm form = code.form("v", {"w", "c"});
  ASSERT_EQ(form.terms.size(), 2u); // i * w * c + 7 * c
  for (const LinearForm::Term &term : form.terms)
    if (term.value == &code.value("i"))
      EXPECT_EQ(term.factors.size(), 2u);
    else
      EXPECT_EQ(term.coefficient, 7u);
  EXPECT_EQ(form.constant, 0u);
}

TEST(LinearForm, TermsThatCancelAreNone) {
  Code code("  %a = mul i32 %i, 3\n  %b = add i32 %a, %j\n  %d = sub i32 %b, %a\n"
            "  %o = or disjoint i32 %d, 1\n  %x = or i32 %d, 1\n");
  ASSERT_EQ(code.form("o").terms.size(), 1u);
  EXPECT_EQ(code.form("o").terms[0].value, &code.value("j"));
  EXPECT_EQ(code.form("o").constant, 1u);
  EXPECT_EQ(code.form("x").terms[0].value, &code.value("x")); // no sum
}

} // namespace
