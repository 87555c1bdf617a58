// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which structures a kernel may read where the launch has put them.
#include "module/passes/read_only_parameters.h"

#include "ir.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

const std::string before = "%P = type { ptr, i32, [225 x float] }\n"
                           "declare void @reads(ptr nocapture readonly)\n"
                           "declare void @keeps(ptr)\n"
                           "declare void @use(float)\n"
                           "declare void @takes(ptr byval(%P))\n"
                           "define void @other() {\n  ret void\n}\n"
                           "@note = private constant [21 x i8] c\"heddle.grid_constant\\00\"\n"
                           "declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)\n"
                           "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";

Ir kernel(const std::string &body, const std::vector<std::string> &kernels = {"k"}) {
  return Ir(before + "define void @k(ptr byval(%P) align 8 %p, i64 %i, ptr %out) {\n" + body +
            "  ret void\n}\n" + kernelAnnotations(kernels));
}

bool readOnly(const std::string &body, const std::vector<std::string> &kernels = {"k"}) {
  Ir ir = kernel(body, kernels);
  markGridConstants(ir.module());
  ir.verify();
  ir.run(ReadOnlyParametersPass());
  const llvm::Argument &parameter = *ir.function("k").getArg(0);
  EXPECT_EQ(parameter.onlyReadsMemory(), parameter.hasNoAliasAttr());
  return parameter.onlyReadsMemory();
}

const std::string element = "  %e = getelementptr %P, ptr %p, i32 0, i32 2, i64 %i\n";

TEST(ReadOnlyParameters, ThatAreLoadedAndCompared) {
  EXPECT_TRUE(readOnly(element + "  %v = load float, ptr %e\n  call void @use(float %v)\n"));
  EXPECT_TRUE(readOnly(element + "  %c = icmp eq ptr %e, %out\n"
                                 "  %s = select i1 %c, ptr %e, ptr %out\n"
                                 "  %v = load float, ptr %s\n  call void @use(float %v)\n"));
}

TEST(ReadOnlyParameters, ThatCalleesReadOrCopy) {
  EXPECT_TRUE(readOnly(element + "  call void @reads(ptr %e)\n"));
  EXPECT_TRUE(readOnly("  call void @takes(ptr byval(%P) %p)\n"));
  EXPECT_TRUE(
      readOnly("  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %p, i64 912, i1 false)\n"));
}

TEST(ReadOnlyParameters, WhoseDeadStoresAreGone) {
  Ir ir = kernel(element + "  %v = load float, ptr %e\n  call void @use(float %v)\n");
  ir.function("k").getArg(0)->addAttr(llvm::Attribute::WriteOnly);
  ir.run(ReadOnlyParametersPass());
  ir.verify();
  EXPECT_TRUE(ir.function("k").getArg(0)->onlyReadsMemory());
}

TEST(ReadOnlyParameters, NotThoseThatAreWritten) {
  EXPECT_FALSE(readOnly(element + "  store float 1.0, ptr %e\n"));
  EXPECT_FALSE(readOnly(element + "  %c = icmp eq i64 %i, 0\n"
                                  "  %s = select i1 %c, ptr %out, ptr %e\n"
                                  "  store float 1.0, ptr %s\n"));
  EXPECT_FALSE(readOnly(element + "  %v = atomicrmw fadd ptr %e, float 1.0 monotonic\n"));
  EXPECT_FALSE(
      readOnly("  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %out, i64 912, i1 false)\n"));
}

// Who has the address might write there.
TEST(ReadOnlyParameters, NotThoseWhoseAddressesGoElsewhere) {
  EXPECT_FALSE(readOnly("  call void @keeps(ptr %p)\n"));
  EXPECT_FALSE(readOnly("  store ptr %p, ptr %out\n"));
  EXPECT_FALSE(readOnly("  %n = ptrtoint ptr %p to i64\n  store i64 %n, ptr %out\n"));
}

TEST(ReadOnlyParameters, OfKernelsAlone) {
  EXPECT_FALSE(readOnly("  call void @reads(ptr %p)\n", {"other"}));
}

TEST(ReadOnlyParameters, DeclaredGridConstant) {
  const std::string note = "  call void @llvm.var.annotation.p0.p0(ptr %p, ptr @note, ptr @note, "
                           "i32 1, ptr null)\n";
  const std::string escapes = "  store ptr %p, ptr %out\n";
  EXPECT_TRUE(readOnly(note + escapes));
  EXPECT_FALSE(readOnly(note + escapes, {"other"}));
  Ir ir = kernel(note + escapes);
  markGridConstants(ir.module());
  expectNone(ir.text("k"), {"annotation"});
}

// `Params q = p;`, and then q is only read.
TEST(ReadOnlyParameters, AreNotCopiedForReading) {
  const std::string copies =
      "  %q = alloca %P, align 8\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 912, i1 false)\n"
      "  %e = getelementptr %P, ptr %q, i32 0, i32 2, i64 %i\n";
  const std::string loads = "  %v = load float, ptr %e\n  call void @use(float %v)\n";
  Ir read = kernel(copies + loads);
  read.run(ReadOnlyParametersPass()).run(llvm::InstCombinePass());
  expectNone(read.text("k"), {"alloca", "memcpy"});
  expectInOrder(read.text("k"), {"getelementptr %P, ptr %p", "load float", "@use"});
  Ir written = kernel(copies + "  store float 1.0, ptr %e\n" + "  call void @reads(ptr %q)\n");
  written.run(ReadOnlyParametersPass()).run(llvm::InstCombinePass());
  expectInOrder(written.text("k"), {"alloca", "memcpy", "store float"});
}

} // namespace
