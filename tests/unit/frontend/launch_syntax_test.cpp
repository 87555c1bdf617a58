// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch brackets that a formatter has broken apart, and all that only looks like them.
#include "frontend/source/launch_syntax.h"

#include <gtest/gtest.h>

using heddle::frontend::joinLaunchBrackets;

namespace {

// The result with the blanks after `<<<` and `>>>` (they keep the columns) left out.
std::string joined(const std::string &source) {
  auto result = joinLaunchBrackets(source);
  if (!result)
    return "unchanged";
  EXPECT_EQ(result->size(), source.size()) << "columns have moved";
  std::string text = *result;
  for (const std::string bracket : {"<<<", ">>>"})
    for (size_t at = 0; (at = text.find(bracket + " ", at)) != std::string::npos;)
      text.erase(at + 3, 1);
  return text;
}

void expectUnchanged(const std::string &source) { EXPECT_EQ(joined(source), "unchanged"); }

TEST(LaunchSyntax, EverySpelling) {
  for (const char *open : {"<< <", "< <<", "< < <"})
    for (const char *close : {">> >", "> >>", "> > >", ">>>"}) {
      const std::string source =
          std::string("void f() { k") + open + "grid, block" + close + "(x, 1); }";
      EXPECT_EQ(joined(source), "void f() { k<<<grid, block>>>(x, 1); }") << source;
    }
}

TEST(LaunchSyntax, AsVisualStudioFormatsIt) {
  EXPECT_EQ(joined("kernel << <blocks, threads, bytes, stream >> > (a, b);"),
            "kernel <<<blocks, threads, bytes, stream >>>(a, b);");
}

TEST(LaunchSyntax, OfATemplate) {
  EXPECT_EQ(joined("k<float, A<B<int> > > << <1, 2>> >(p);"),
            "k<float, A<B<int> > > <<<1, 2>>>(p);");
  EXPECT_EQ(joined("k<A<B<C>>> << <1, f<int>()>> >(p);"), "k<A<B<C>>><<<1, f<int>()>>>(p);");
}

TEST(LaunchSyntax, ArgumentsWithShiftsAndTemplates) {
  EXPECT_EQ(joined("k<< <n >> 5, 1 << 5>> >(x);"), "k<<<n >> 5, 1 << 5>>>(x);");
  EXPECT_EQ(joined("k<< <dim3(n), sizeof(A<B<int> >)>> >(x);"),
            "k<<<dim3(n), sizeof(A<B<int> >)>>>(x);");
}

TEST(LaunchSyntax, SeveralInOneFile) {
  EXPECT_EQ(joined("a<< <1, 1>> >();\nb<<<1, 1>>>();\nc< < <1, 1> > >();\n"),
            "a<<<1, 1>>>();\nb<<<1, 1>>>();\nc<<<1, 1>>>();\n");
}

TEST(LaunchSyntax, LinesStayWhereTheyAre) {
  const std::string source = "\n\n// comment\nk<< <1,\n  2>> >(x);\nint y;\n";
  EXPECT_EQ(joined(source), "\n\n// comment\nk<<<1,\n  2>>>(x);\nint y;\n");
}

TEST(LaunchSyntax, OrdinaryCodeIsLeftAlone) {
  expectUnchanged("");
  expectUnchanged("k<<<1, 2>>>(x);");
  expectUnchanged("A<B<C> > x; A<B<C<D> > > y;");
  expectUnchanged("std::cout << 1 << 2; x = a >> b >> 3;");
  expectUnchanged("bool b = a < b && c > (d);");
}

TEST(LaunchSyntax, OperatorsAreNot) {
  expectUnchanged("template <> std::ostream &operator<< <int>(std::ostream &, const A<int> &);");
  expectUnchanged("friend std::ostream &operator<< <>(std::ostream &, const A &);");
}

TEST(LaunchSyntax, CommentsAndLiteralsAreNot) {
  expectUnchanged("// k<< <1, 2>> >(x)\nint a;");
  expectUnchanged("/* k<< <1, 2>> >(x) */ int a;");
  expectUnchanged("const char *s = \"k<< <1, 2>> >(x)\";");
  expectUnchanged("const char *s = R\"(k<< <1, 2>> >(x))\";");
  EXPECT_EQ(joined("puts(\"<< <\"); k<< <1, 2>> >(x);"), "puts(\"<< <\"); k<<<1, 2>>>(x);");
}

TEST(LaunchSyntax, BrokenSourceDoesNoHarm) {
  for (const char *source : {"k<< <", "<< < >> >", ">> > << <", "k<< <1, 2", "\"unfinished << <",
                             "/* unfinished << <", "R\"(unfinished << <"})
    joinLaunchBrackets(source);
}

// The types that are named before braces, each with the text that follows it.
std::vector<std::string> named(const std::string &source) {
  const auto tokens = heddle::frontend::tokensOf(source);
  std::vector<std::string> result;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].text == "<<<")
      for (const auto &[brace, type] : heddle::frontend::unnamedBraces(tokens, i))
        result.push_back(type + source.substr(tokens[brace].start, 4));
  return result;
}

TEST(LaunchBraces, TypesByPlace) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(named("k<<<grid, {x, y, 1}, 0, stream>>>(p);"), Words{"::dim3{x, "});
  EXPECT_EQ(named("k<<<{2, 3}, {8}, {16}, {0}>>>(p);"),
            (Words{"::dim3{2, ", "::dim3{8},", "::size_t{16}", "::cudaStream_t{0}>"}));
  EXPECT_EQ(named("k<<<f({1}), [&] { return 1; }()>>>({2}); g({3}, {4});"), Words{});
  EXPECT_EQ(named("k<<<{f({1, 2})}, A{3}, A<int, 4>::b>>>();"), Words{"::dim3{f({"});
  EXPECT_EQ(named("k<<<A<1, 2>::x, {3, 4}>>>();"), Words{"::dim3{3, "});
}

TEST(LaunchBraces, NoLaunches) {
  EXPECT_TRUE(named("int a = f<<<1; int b[] = {1, {2}}; c>>>1;").empty());
  EXPECT_TRUE(named("f(a<<<b, {1})").empty());
  EXPECT_TRUE(named("k<<<{1}, 2").empty());
}

} // namespace
