// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where __host__ __device__ is put before a declaration, and `template` before a name.
#include "frontend/source/redeclarations.h"

#include <gtest/gtest.h>

using heddle::frontend::Redeclarations;

namespace {

// The text with the function called `name` (its first mention) named.
std::string changed(const std::string &text, const std::string &name = "f(") {
  Redeclarations redeclarations;
  if (!redeclarations.add("file.cu", text, text.find(name)))
    return "no place";
  return redeclarations.change("file.cu", text).value_or("unchanged");
}

TEST(Redeclarations, AtTheBeginningOfTheDeclaration) {
  EXPECT_EQ(changed("int g; static int *f(int x);"),
            "int g; __host__ __device__ static int *f(int x);");
  EXPECT_EQ(changed("int f(int x) { return f(x); }"),
            "__host__ __device__ int f(int x) { return f(x); }");
  EXPECT_EQ(changed("#define Q 1\nint f();"), "#define Q 1\n__host__ __device__ int f();");
  EXPECT_EQ(changed("void g() {}\ninline\nint f();"),
            "void g() {}\n__host__ __device__ inline\nint f();");
  EXPECT_EQ(changed("class C { public: int f(); };"),
            "class C { public: __host__ __device__ int f(); };");
}

TEST(Redeclarations, BehindTemplateAndLinkage) {
  EXPECT_EQ(changed("template <class T, class U = A<B<int>>> T f(U);"),
            "template <class T, class U = A<B<int>>> __host__ __device__ T f(U);");
  EXPECT_EQ(changed("extern \"C\" int f();"), "extern \"C\" __host__ __device__ int f();");
}

TEST(Redeclarations, EachOnce) {
  Redeclarations redeclarations;
  const std::string text = "int a();\nint b();";
  EXPECT_FALSE(redeclarations.grew());
  EXPECT_TRUE(redeclarations.add("file.cu", text, text.find("b")));
  EXPECT_TRUE(redeclarations.grew());
  EXPECT_FALSE(redeclarations.grew());
  const std::string once = *redeclarations.change("file.cu", text);
  EXPECT_EQ(once, "int a();\n__host__ __device__ int b();");
  EXPECT_FALSE(redeclarations.add("file.cu", once, once.find("b(")));
  EXPECT_TRUE(redeclarations.add("file.cu", once, once.find("a(")));
  EXPECT_EQ(*redeclarations.change("file.cu", text),
            "__host__ __device__ int a();\n__host__ __device__ int b();");
  EXPECT_FALSE(redeclarations.change("other.cu", text).has_value());
}

using Word = Redeclarations::Word;

// The text where `name`, at its first mention, lacks the word.
std::string withWord(Word word, const std::string &text, const std::string &name) {
  Redeclarations redeclarations;
  if (!redeclarations.add("file.cu", text, text.find(name), word))
    return "no place";
  return redeclarations.change("file.cu", text).value_or("unchanged");
}

TEST(Redeclarations, TemplateInTypename) {
  const Word word = Word::template_name;
  EXPECT_EQ(withWord(word, "typename T::ref<> r;", "ref"), "typename T::template ref<> r;");
  EXPECT_EQ(withWord(word, "typename A<T>::B::ref<int> f(ref<int>);", "ref"),
            "typename A<T>::B::template ref<int> f(ref<int>);");
  EXPECT_EQ(withWord(word, "int x; T::ref<int> r;", "ref"), "no place"); // nvcc refuses that
  EXPECT_EQ(withWord(word, "typename T::a x = T::ref<int>;", "ref"), "no place");
}

TEST(Redeclarations, TemplateOfMember) {
  const Word word = Word::member_template;
  EXPECT_EQ(withWord(word, "return a.f<true>(x);", "f<"), "return a.template f<true>(x);");
  EXPECT_EQ(withWord(word, "p->f<A<B<int>>>(x);", "f<"), "p->template f<A<B<int>>>(x);");
  EXPECT_EQ(withWord(word, "this->eq.operator()<N::yes>(x);", "operator"),
            "this->eq.template operator()<N::yes>(x);");
  EXPECT_EQ(withWord(word, "return a.f < b;", "f <"), "no place"); // no call of a template
  EXPECT_EQ(withWord(word, "return a.f;", "f;"), "no place");
}

TEST(Redeclarations, TypenameAndThis) {
  EXPECT_EQ(withWord(Word::type_name, "auto s = T::type(1);", "T::"),
            "auto s = typename T::type(1);");
  EXPECT_EQ(withWord(Word::type_name, "x = typename T::type(1);", "T::"), "no place");
  EXPECT_EQ(withWord(Word::type_name, "T::type x = 1;", "T::"), "no place"); // nvcc refuses that
  EXPECT_EQ(withWord(Word::this_object, "auto s = slot(g, k);", "slot"),
            "auto s = this->slot(g, k);");
  EXPECT_EQ(withWord(Word::this_object, "auto s = b.slot(g);", "slot"), "no place");
}

TEST(Redeclarations, NoName) { EXPECT_EQ(changed("/* f( */ int g();"), "no place"); }

} // namespace
