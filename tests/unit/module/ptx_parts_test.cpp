// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parts a PTX text has, and what each of them holds.
#include "module/image/ptx_parts.h"

#include <gtest/gtest.h>

using heddle::PtxParts;

namespace {

const std::string head = ".version 8.0\n.target sm_75\n.address_size 64\n";

std::string kernel(const std::string &name, const std::string &body = "ret;") {
  return "// a comment: {\n.visible .entry " + name + "(.param .u64 p)\n.maxntid 32, 1, 1\n{\n" +
         body + "\n}\n";
}

std::optional<PtxParts> divide(const std::string &text) {
  return PtxParts::divide(std::make_shared<const std::string>(text));
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// The text of the part that has this kernel or variable.
std::string partOf(const PtxParts &parts, const char *name) {
  const auto part = parts.find(name);
  return part ? parts.text(*part) : "none";
}

} // namespace

TEST(PtxParts, KernelsAreApart) {
  const auto parts = divide(head + kernel("one") + kernel("two", "/* } */ call other;") +
                            ".file 1 \"a {.cu\"\n.section .debug_str { .b8 1 }\n");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->count(), 2u);
  EXPECT_EQ(parts->kernels(), (std::vector<std::string_view>{"one", "two"}));
  const std::string two = partOf(*parts, "two");
  EXPECT_TRUE(two.starts_with(head));
  EXPECT_TRUE(contains(two, ".maxntid 32, 1, 1\n{\n/* } */ call other;\n}\n"));
  EXPECT_TRUE(contains(two, ".file 1 \"a {.cu\""));
  EXPECT_FALSE(contains(two, "one"));
  EXPECT_FALSE(contains(two, ".debug_str"));
  EXPECT_EQ(partOf(*parts, "three"), "none");
}

TEST(PtxParts, FunctionsFollowTheirCallers) {
  const std::string functions = ".extern .func (.param .b32 r) vprintf (.param .b64 f);\n"
                                ".func (.param .b32 result) inner(.param .b32 a)\n{ ret; }\n"
                                ".alias other, inner;\n"
                                ".func outer()\n{ call (%r1), other, (%r2); }\n";
  const auto parts = divide(head + functions + kernel("one", "call outer;") + kernel("two") +
                            kernel("three", "call (%r1), vprintf, (%rd1);"));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->count(), 3u);
  const std::string one = partOf(*parts, "one"), three = partOf(*parts, "three");
  EXPECT_TRUE(contains(one, " inner(") && contains(one, ".alias other, inner;") &&
              contains(one, " outer("));
  EXPECT_FALSE(contains(one, "vprintf"));
  EXPECT_TRUE(contains(three, ".extern .func (.param .b32 r) vprintf"));
  EXPECT_FALSE(contains(three, "outer"));
}

TEST(PtxParts, KernelsThatShareAVariableAreTogether) {
  const auto parts = divide(
      head +
      ".visible .global .align 4 .u32 count = 3;\n.const .align 4 .b8 bytes[4] = {1, 2, 3, 4};\n"
      ".extern .shared .align 16 .b8 room[];\n.global .u32 a, b;\n"
      ".global .align 8 .u64 table[2] = {far, generic(a)};\n.func far()\n{ ld.global.u32 %r1, [b]; "
      "}\n" +
      kernel("one", "ld.global.u32 %r1, [count]; mov.u64 %rd1, room;") +
      kernel("two", "st.global.u32 [count], %r1;") + kernel("three", "mov.u64 %rd1, room;") +
      kernel("four", "mov.u64 %rd1, three;"));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->find("one"), parts->find("two"));
  EXPECT_EQ(parts->find("one"), parts->find("count"));
  EXPECT_EQ(parts->find("three"), parts->find("four")); // it launches the other
  EXPECT_NE(parts->find("one"), parts->find("three"));
  EXPECT_TRUE(contains(partOf(*parts, "three"), "room[]"));
  // No kernel uses them.
  EXPECT_EQ(parts->count(), 3u);
  for (const char *name : {"a", "b", "table"})
    EXPECT_EQ(parts->find(name), parts->find("bytes")) << name;
  EXPECT_TRUE(contains(partOf(*parts, "bytes"), " far()"));
}

TEST(PtxParts, IsNotDividedIfThatIsNotSafe) {
  const std::string kernels = kernel("one") + kernel("two");
  EXPECT_TRUE(divide(head + kernels));
  EXPECT_FALSE(divide(head + kernel("one")));
  EXPECT_FALSE(divide(""));
  EXPECT_FALSE(divide(kernels)); // no version
  for (const char *version : {"9.9", "x", "8", "99999999999.1"})
    EXPECT_FALSE(divide(std::string(".version ") + version + "\n" + kernels)) << version;
  for (const char *text :
       {".global .attribute(.managed) .u32 m;", ".global .u32 a = 1, b = 2;", "strange;", "}", "{",
        "\"", "@@DWARF x", ".global", ".entry three(", ".section x {", ".pragma \"x\";"})
    EXPECT_FALSE(divide(head + kernels + text)) << text;
}
