// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module's table of contents: parameters, memory, launch bounds, and what kernels can reach.
#include "module/description/describe.h"

#include "ir.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace heddle;

namespace {

ImageInfo described(const std::string &text) {
  Ir ir(text);
  ImageInfo info;
  describe(ir.module(), info);
  return info;
}

const KernelInfo &kernel(const ImageInfo &info, const std::string &name) {
  auto found = std::find_if(info.kernels.begin(), info.kernels.end(),
                            [&](const KernelInfo &each) { return each.name == name; });
  if (found == info.kernels.end())
    throw std::runtime_error("no kernel " + name);
  return *found;
}

TEST(Describe, KernelsOnlyAndDemangled) {
  const ImageInfo info = described("define void @_Z3addPfi(ptr %p, i32 %n) { ret void }\n"
                                   "define void @helper() { ret void }\n" +
                                   kernelAnnotations({"_Z3addPfi"}));
  ASSERT_EQ(info.kernels.size(), 1u);
  EXPECT_EQ(info.kernels[0].name, "_Z3addPfi");
  EXPECT_EQ(info.kernels[0].display_name, "add(float*, int)");
}

// Driver API, cuLaunchKernel: each parameter is aligned as its type.
TEST(Describe, ParametersArePacked) {
  const ImageInfo info =
      described("%S = type { i32, i8 }\n"
                "define void @k(i8 %a, double %b, ptr %c, i1 %d, ptr byval(%S) align 4 %e,\n"
                "               <4 x float> %f, i16 %g) { ret void }\n"
                "define void @none() { ret void }\n" +
                kernelAnnotations({"k", "none"}));
  const std::vector<std::pair<uint32_t, uint32_t>> expected = {{0, 1},  {8, 8},   {16, 8}, {24, 1},
                                                               {28, 8}, {48, 16}, {64, 2}};
  const KernelInfo &k = kernel(info, "k");
  ASSERT_EQ(k.parameters.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(k.parameters[i].offset, expected[i].first) << i;
    EXPECT_EQ(k.parameters[i].size, expected[i].second) << i;
  }
  EXPECT_EQ(k.parameter_bytes, 66u);
  EXPECT_EQ(kernel(info, "none").parameter_bytes, 0u);
}

TEST(Describe, LaunchBounds) {
  const ImageInfo info = described(
      "define void @one() { ret void }\ndefine void @three() { ret void }\n"
      "define void @no() { ret void }\n"
      "!nvvm.annotations = !{!0, !1, !2, !3, !4}\n"
      "!0 = !{ptr @one, !\"kernel\", i32 1}\n!1 = !{ptr @three, !\"kernel\", i32 1}\n"
      "!2 = !{ptr @no, !\"kernel\", i32 1}\n"
      "!3 = !{ptr @one, !\"maxntidx\", i32 256, !\"minctasm\", i32 2}\n"
      "!4 = !{ptr @three, !\"maxntidx\", i32 16, !\"maxntidy\", i32 8, !\"maxntidz\", i32 2}\n");
  EXPECT_EQ(kernel(info, "one").max_threads_per_block, 256u);
  EXPECT_EQ(kernel(info, "one").min_blocks_per_sm, 2u);
  EXPECT_EQ(kernel(info, "three").max_threads_per_block, 256u);
  EXPECT_EQ(kernel(info, "no").max_threads_per_block, 0u);
  EXPECT_EQ(kernel(info, "no").min_blocks_per_sm, 0u);
}

// The compiler sees to it that a block of the largest size can be launched.
TEST(Describe, LaunchBoundsLimitRegisters) {
  std::string loads, stores;
  for (int i = 0; i < 160; ++i) {
    const std::string number = std::to_string(i);
    loads += "  %v" + number + " = load volatile i32, ptr %p\n";
    stores += "  store volatile i32 %v" + number + ", ptr %p\n";
  }
  const auto define = [&](const char *name) {
    return std::string("define void @") + name + "(ptr %p) {\n" + loads + stores +
           "  ret void\n}\n";
  };
  const ImageInfo info =
      described(define("free") + define("bound") + define("twice") + define("small") +
                "!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6}\n"
                "!0 = !{ptr @free, !\"kernel\", i32 1}\n!1 = !{ptr @bound, !\"kernel\", i32 1}\n"
                "!2 = !{ptr @twice, !\"kernel\", i32 1}\n!3 = !{ptr @small, !\"kernel\", i32 1}\n"
                "!4 = !{ptr @bound, !\"maxntidx\", i32 512}\n"
                "!5 = !{ptr @twice, !\"maxntidx\", i32 512, !\"minctasm\", i32 2}\n"
                "!6 = !{ptr @small, !\"maxntidx\", i32 32}\n");
  EXPECT_GT(kernel(info, "free").registers, 160u);
  EXPECT_EQ(kernel(info, "bound").registers, 128u);
  EXPECT_EQ(kernel(info, "twice").registers, 64u);
  EXPECT_EQ(kernel(info, "small").registers, kernel(info, "free").registers);
}

const char *const with_memory =
    "@tile = internal addrspace(3) global [100 x float] undef, align 4\n"
    "@other = internal addrspace(3) global [16 x double] undef, align 16\n"
    "@dynamic = external addrspace(3) global [0 x i32], align 4\n"
    "@table = addrspace(4) externally_initialized constant [8 x i32] zeroinitializer, align 4\n"
    "@count = addrspace(1) externally_initialized global i32 0, align 4\n"
    "define void @helper(i32 %i) {\n"
    "  %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 %i\n"
    "  store float 1.0, ptr %p\n"
    "  ret void\n}\n"
    "define void @both() {\n"
    "  call void @helper(i32 1)\n"
    "  store double 0.0, ptr addrspace(3) @other\n"
    "  %x = load i32, ptr addrspace(4) @table\n"
    "  store i32 %x, ptr addrspace(3) @dynamic\n"
    "  ret void\n}\n"
    "define void @one() {\n  call void @helper(i32 0)\n  ret void\n}\n"
    "define void @none() {\n  ret void\n}\n";

TEST(Describe, MemoryThatAKernelCanReach) {
  const ImageInfo info = described(with_memory + kernelAnnotations({"both", "one", "none"}));
  EXPECT_GE(kernel(info, "both").static_shared_bytes, 400u + 128);
  EXPECT_LE(kernel(info, "both").static_shared_bytes, 400u + 128 + 12);
  EXPECT_EQ(kernel(info, "one").static_shared_bytes, 400u);
  EXPECT_EQ(kernel(info, "none").static_shared_bytes, 0u);
  EXPECT_EQ(kernel(info, "both").constant_bytes, 32u);
  EXPECT_EQ(kernel(info, "one").constant_bytes, 0u);
  EXPECT_EQ(info.shared_bytes, 448u + 128); // @other begins a line
}

TEST(Describe, Variables) {
  const ImageInfo info = described(
      std::string(with_memory) +
      "@m = addrspace(1) externally_initialized global [3 x i32] zeroinitializer, align 4 #0\n"
      "attributes #0 = { \"heddle.managed\" }\n");
  ASSERT_EQ(info.variables.size(), 3u);
  EXPECT_EQ(info.variables[0].name, "table");
  EXPECT_TRUE(info.variables[0].constant);
  EXPECT_EQ(info.variables[0].size, 32u);
  EXPECT_EQ(info.variables[1].name, "count");
  EXPECT_FALSE(info.variables[1].constant);
  EXPECT_EQ(info.variables[1].offset, 32u);
  EXPECT_EQ(info.variables[2].name, "m");
  EXPECT_TRUE(info.variables[2].managed);
  EXPECT_EQ(info.variables[2].size, 12u);
}

TEST(Describe, FramesOfAllFunctionsOnTheWay) {
  const ImageInfo info = described("define void @leaf() {\n  %a = alloca [100 x i32]\n"
                                   "  call void @leaf()\n  ret void\n}\n" // recursion ends here
                                   "define void @k() {\n  %a = alloca i64\n"
                                   "  call void @leaf()\n  ret void\n}\n" +
                                   kernelAnnotations({"k"}));
  EXPECT_EQ(kernel(info, "k").local_bytes, 408u);
}

TEST(Reachable, ThroughTablesOfFunctions) {
  Ir ir("@table = internal addrspace(1) constant [2 x ptr] [ptr @first, ptr @second]\n"
        "@used = internal addrspace(1) global i32 0\n"
        "@unused = internal addrspace(1) global i32 0\n"
        "define void @first() { ret void }\n"
        "define void @second() {\n  store i32 1, ptr addrspace(1) @used\n  ret void\n}\n"
        "define void @alone() {\n  store i32 1, ptr addrspace(1) @unused\n  ret void\n}\n"
        "define void @k(i32 %i) {\n"
        "  %p = getelementptr [2 x ptr], ptr addrspace(1) @table, i32 0, i32 %i\n"
        "  %f = load ptr, ptr addrspace(1) %p\n  call void %f()\n  ret void\n}\n");
  const Reachable reachable = reachableFrom(ir.function("k"));
  EXPECT_EQ(reachable.functions.size(), 3u);
  EXPECT_TRUE(reachable.functions.contains(&ir.function("second")));
  EXPECT_FALSE(reachable.functions.contains(&ir.function("alone")));
  EXPECT_TRUE(reachable.variables.contains(ir.variable("used")));
  EXPECT_FALSE(reachable.variables.contains(ir.variable("unused")));
}

} // namespace
