// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc takes and Clang refuses becomes what both take; all that only looks like it stays.
#include "frontend/source/nvcc_syntax.h"

#include <gtest/gtest.h>

using heddle::frontend::mendNvccSyntax;

namespace {

std::string mended(const std::string &source) {
  return mendNvccSyntax(source).value_or("unchanged");
}

TEST(NvccSyntax, OperandsWithoutCommas) {
  EXPECT_EQ(mended(R"x(asm("x" : "=r"(a) : "r"(b) "l"(f(c)));)x"),
            R"x(asm("x" : "=r"(a) : "r"(b),"l"(f(c)));)x");
  EXPECT_EQ(mended(R"x(asm volatile("x" : "=r"(a)"=r"(b) :: "memory");)x"),
            R"x(asm volatile("x" : "=r"(a),"=r"(b) :: "memory");)x");
  EXPECT_EQ(mended("__asm__ __volatile__(\"x\" :: \"r\"(a)\n  [n] \"l\"(b));"),
            "__asm__ __volatile__(\"x\" :: \"r\"(a),\n  [n] \"l\"(b));");
}

TEST(NvccSyntax, BracesInLaunches) {
  EXPECT_EQ(mended("k << <n, {2, 3}>> >(asm_, {1});\nalignas(8) int x;"),
            "k <<< n, ::dim3{2, 3}>>> (asm_, {1});\nalignas(8) int x;");
  EXPECT_EQ(mended("k<<<1, 2>>>(x); int a[] = {1};"), "unchanged");
}

TEST(NvccSyntax, UnrollBeforeNoStatement) {
  EXPECT_EQ(mended("#pragma unroll\n__global__ void k();"),
            "#pragma ignored\n__global__ void k();");
  EXPECT_EQ(mended("{\n#pragma unroll (4) // four\n}"), "{\n#pragma ignored (4) // four\n}");
  EXPECT_EQ(mended("# pragma unroll"), "# pragma ignored");
  EXPECT_EQ(mended("#pragma unroll 4\nfor (;;) {}\n#pragma unroll\n#pragma unroll 2\nwhile (x) {}"),
            "unchanged");
}

TEST(NvccSyntax, OperandsWithCommas) {
  EXPECT_EQ(mended(R"x(asm("x" "y" : "=r"(a), [n] "=r"(b) : "r"(g(c)("d")) : "memory");)x"),
            "unchanged");
  EXPECT_EQ(mended(R"x(int plasma(int a); const char *asm_text = "asm(" "x";)x"), "unchanged");
  EXPECT_EQ(mended(R"x(#define F(x) asm("t" :: "r"(x))
int i = F(1) "l";)x"),
            "unchanged");
}

TEST(NvccSyntax, PercentSigns) {
  EXPECT_EQ(mended(R"x(asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));)x"),
            R"x(asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));)x");
  EXPECT_EQ(
      mended(
          R"x(asm("{ mov.u32 %0, %%laneid;" "add.u32 %0, %1, %tid.x; }" : "=r"(a) : "r"(b) "r"(c));)x"),
      R"x(asm("{ mov.u32 %0, %%laneid;" "add.u32 %0, %1, %%tid.x; }" : "=r"(a) : "r"(b),"r"(c));)x");
  EXPECT_EQ(mended(R"x(asm("mov %%eax, %c0, %[in], %%, %=, %" : : "r"(x));)x"), "unchanged");
  EXPECT_EQ(mended(R"x(asm("mov %eax, %ebx"); puts("asm %s %d");)x"), "unchanged");
}

TEST(NvccSyntax, UnfinishedAsm) {
  EXPECT_EQ(mended(R"x(asm("x" : "=r"(a)"r"(b))x"), "unchanged");
  EXPECT_EQ(mended("asm"), "unchanged");
}

TEST(NvccSyntax, AlignasAmongSpecifiers) {
  EXPECT_EQ(mended("__shared__ alignas(16) float tile[4];"),
            "__shared__ _Alignas(16) float tile[4];");
  EXPECT_EQ(mended("extern __shared__ alignas(T) char memory[];"),
            "extern __shared__ _Alignas(T) char memory[];");
  EXPECT_EQ(mended("alignas(16) __shared__ float tile[4]; struct alignas(8) S {};"), "unchanged");
  EXPECT_EQ(mended("// __shared__ alignas(16)\nalignas(8) int x;"), "unchanged");
}

TEST(NvccSyntax, AttributesBehindExecutionSpaces) {
  EXPECT_EQ(mended("struct S { __host__ __device__ [[nodiscard]] int f(); };"),
            "struct S { [[nodiscard]] __host__ __device__  int f(); };");
  EXPECT_EQ(mended("auto f = [=] __device__ (int i) { return a[b[i]]; };"), "unchanged");
  EXPECT_EQ(mended("[[nodiscard]] __device__ int f(); int x = a[[] { return 0; }()];"),
            "unchanged");
}

TEST(NvccSyntax, OffsetsFromNull) {
  EXPECT_EQ(mended("#define ZERO(type, member) !(&(((type*) 0)->member))"),
            "#define ZERO(type, member) !(__builtin_offsetof(type, member))");
  EXPECT_EQ(mended("static_assert(!(&(((S *)0)->a)), \"\");"),
            "static_assert(!(__builtin_offsetof(S, a)), \"\");");
  EXPECT_EQ(mended("int *p = (&(((S *)0)->a)); bool b = !(&(((S *)0)->a[1])) || !(&(((S *)q)->a));"
                   "p = f(0)->a;"),
            "unchanged");
  EXPECT_EQ(mended("!(&(((S *)0)->"), "unchanged");
}

TEST(NvccSyntax, TogetherWithLaunches) {
  EXPECT_EQ(mended("k<< <1, 1>> >(); asm(\"\" :: \"r\"(a) \"r\"(b));"),
            "k<<< 1, 1>>> (); asm(\"\" :: \"r\"(a),\"r\"(b));");
}

} // namespace
