// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of passes (pipeline.h) against themselves and against docs/engine.md, as is that of
// access kinds, and what happens around passes (pass.h).
#include "engine/compiler/pipeline.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/simd/form/verify_form.h"
#include "engine/compiler/simd/widen/kinds/access_kinds.h"
#include "ir.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace heddle;
using namespace heddle::engine;

namespace {

template <class Code> void expectForms(llvm::ArrayRef<Pass<Code>> passes, unsigned &forms) {
  for (const Pass<Code> &pass : passes) {
    EXPECT_EQ(forms & pass.needs, pass.needs) << pass.name;
    EXPECT_EQ(pass.needs & pass.gives, 0u) << pass.name;
    forms = (forms & ~pass.ends) | pass.gives;
  }
}

TEST(Pipeline, EachPassFindsTheFormThatItNeeds) {
  unsigned forms = 0;
  expectForms(programPasses(), forms);
  EXPECT_EQ(forms, thread_function_forms);
  expectForms(kernelPasses(), forms);
  EXPECT_TRUE(forms & Gang);
  expectForms(linkPasses(), forms);
}

TEST(Pipeline, EachRowSaysWhyItStandsThere) {
  for (const PassInfo &pass : pipeline()) {
    EXPECT_GT(std::string(pass.why).size(), 8u) << pass.name;
    for (const char letter : std::string(pass.name))
      EXPECT_TRUE(std::islower(letter) || letter == '-') << pass.name;
  }
}

// The first column of the table in docs/engine.md under the heading: `name`.
std::vector<std::string> documentedUnder(const std::string &heading) {
  std::ifstream file(HEDDLE_SOURCE "/docs/engine.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string document = text.str();
  std::vector<std::string> result;
  const size_t start = document.find(heading);
  const size_t end = document.find("\n## ", start + 1);
  for (size_t place = document.find("\n| `", start); place < end;
       place = document.find("\n| `", place + 1))
    result.push_back(document.substr(place + 4, document.find('`', place + 4) - place - 4));
  return result;
}

TEST(Pipeline, TheDocumentationHasTheSameOrder) {
  std::vector<std::string> passes, accesses;
  for (const PassInfo &pass : pipeline())
    passes.push_back(pass.name);
  EXPECT_EQ(documentedUnder("## The passes in order"), passes);
  for (const simd::AccessKind &kind : simd::accessKinds())
    accesses.push_back(kind.name);
  EXPECT_EQ(documentedUnder("## 8. Widening"), accesses);
}

TEST(Pipeline, EachKindOfAccessHasAnEmitter) {
  const auto kinds = simd::accessKinds();
  const auto emitters = simd::accessEmitters();
  ASSERT_EQ(kinds.size(), emitters.size());
  for (size_t i = 0; i < kinds.size(); ++i) {
    EXPECT_STREQ(kinds[i].name, emitters[i].kind);
    EXPECT_EQ(kinds[i].loads_only, !emitters[i].store) << kinds[i].name;
  }
}

TEST(Pipeline, PassesAreLeftOutWhereTheyDoNotApply) {
  struct Numbers {
    llvm::Module &module;
    int value = 0;
  };
  const Pass<Numbers> passes[] = {
      {.name = "add-one", .run = [](Numbers &n) { n.value += 1; }, .why = ""},
      {.name = "add-ten",
       .run = [](Numbers &n) { n.value += 10; },
       .why = "",
       .when = [](const Numbers &n) { return n.value > 1; }},
      {.name = "add-one", .run = [](Numbers &n) { n.value += 1; }, .why = ""},
  };
  Ir ir("define void @f() {\n  ret void\n}\n");
  Numbers numbers{ir.module()};
  PassObserver observer("numbers");
  runPasses(llvm::ArrayRef(passes), numbers, observer, 0);
  EXPECT_EQ(numbers.value, 2);
}

std::string problems(const std::string &body) {
  Ir ir("define void @f(i32 %n, i1 %c) {\nentry:\n" + body + "}\n");
  return simd::problemsOfForm(ir.function("f"), Canonical);
}

TEST(VerifyForm, CanonicalCode) {
  EXPECT_EQ(problems("  ret void\n"), "");
  EXPECT_EQ(problems("  br label %loop\nloop:\n"
                     "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n  %next = add i32 %i, 1\n"
                     "  %more = icmp slt i32 %next, %n\n  br i1 %more, label %loop, label %end\n"
                     "end:\n  ret void\n"),
            "");
}

TEST(VerifyForm, SaysWhatIsWrong) {
  const auto expect = [](const std::string &body, const std::string &problem) {
    EXPECT_NE(problems(body).find(problem), std::string::npos) << problems(body);
  };
  expect("  br i1 %c, label %a, label %b\na:\n  ret void\nb:\n  ret void\n", "several returns");
  expect("  switch i32 %n, label %a [ i32 1, label %b ]\na:\n  br label %b\nb:\n  ret void\n",
         "a terminator that is no branch");
  expect("  %t = trunc i32 %n to i7\n  %z = zext i7 %t to i32\n  ret void\n",
         "an integer of odd width");
  expect("  br i1 %c, label %a, label %loop\na:\n  br label %loop\nloop:\n"
         "  br i1 %c, label %loop, label %end\nend:\n  ret void\n",
         "a loop that is not in simplified form at %loop");
}

} // namespace
