// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in device code become calls to the device; kernels become numbers.
#include "module/passes/launches.h"

#include "ir.h"
#include "module/description/describe.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

const char *const declarations =
    "%struct.dim3 = type { i32, i32, i32 }\n%struct.Pair = type { i8, i64 }\n"
    "declare i32 @__cudaPushCallConfiguration(ptr byval(%struct.dim3) align 4, "
    "ptr byval(%struct.dim3) align 4, i64, ptr)\n";

// As Clang emits it.
std::string launch(const std::string &call) {
  return "  %grid = alloca %struct.dim3, align 4\n  %block = alloca %struct.dim3, align 4\n"
         "  %failed = call i32 @__cudaPushCallConfiguration(ptr byval(%struct.dim3) align 4 %grid, "
         "ptr byval(%struct.dim3) align 4 %block, i64 48, ptr %stream)\n"
         "  %skip = icmp ne i32 %failed, 0\n"
         "  br i1 %skip, label %kcall.end, label %kcall.configok\n"
         "kcall.configok:\n" +
         call + "  br label %kcall.end\nkcall.end:\n  ret void\n";
}

TEST(Launches, PutTheLaunchInMemory) {
  Ir ir(declarations +
        std::string("define void @child(i8 %a, double %b, ptr byval(%struct.Pair) align 8 %c) {\n"
                    "  ret void\n}\n"
                    "define void @parent(double %b, ptr %c, ptr %stream) {\n") +
        launch("  %x = call double @llvm.sqrt.f64(double %b)\n"
               "  call void @child(i8 7, double %x, ptr byval(%struct.Pair) align 8 %c)\n"
               "  call void @llvm.lifetime.end.p0(i64 8, ptr %c)\n") +
        "}\ndeclare double @llvm.sqrt.f64(double)\n"
        "declare void @llvm.lifetime.end.p0(i64, ptr)\n" +
        kernelAnnotations({"child", "parent"}));
  EXPECT_TRUE(lowerLaunches(ir.module()).empty());
  EXPECT_TRUE(numberKernels(ir.module()).empty());
  ir.verify();
  const std::string text = ir.text("parent");
  // The number of the first kernel, and parameters at offsets 0, 8 and 16.
  expectInOrder(text, {"alloca [32 x i8], align 16", "llvm.memcpy", "%grid", "llvm.memcpy",
                       "%block", "store i64 48", "store ptr %stream",
                       "store ptr inttoptr (i64 5404319552844595200 to ptr)", "store i8 7",
                       "store double %x", "llvm.memcpy", "%c", "i64 16",
                       "call i32 @__heddle_device_call(i32 0, ptr"});
  expectNone(text, {"@child", "call i32 @__cudaPushCallConfiguration"});
  const auto named = namedKernels(ir.module());
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(named[0]->getName(), "child");
}

TEST(Launches, ByPointer) {
  Ir ir(declarations +
        std::string("define internal void @a() {\n  ret void\n}\n"
                    "define linkonce_odr void @b() {\n  ret void\n}\n"
                    "define void @unnamed() {\n  ret void\n}\n"
                    "@table = global [2 x ptr] [ptr @b, ptr @a]\n"
                    "define void @parent(ptr %kernel, ptr %stream) {\n") +
        launch("  call void %kernel()\n") + "}\n" +
        kernelAnnotations({"parent", "a", "b", "unnamed"}));
  EXPECT_TRUE(lowerLaunches(ir.module()).empty());
  EXPECT_TRUE(numberKernels(ir.module()).empty());
  ir.verify();
  expectInOrder(ir.text("parent"), {"store ptr %kernel", "store ptr null", "__heddle_device_call"});
  // The optimiser must keep them, and the image lists them first.
  expectInOrder(ir.text(), {"@table = global [2 x ptr] [ptr inttoptr (i64 5404319552844595201",
                            "inttoptr (i64 5404319552844595200", "void @a()", "void @b()"});
  ImageInfo info;
  describe(ir.module(), info);
  ASSERT_EQ(info.kernels.size(), 4u);
  EXPECT_EQ(info.kernels[0].name, "a");
  EXPECT_EQ(info.kernels[1].name, "b");
}

TEST(Launches, OfKernelsThatAreNowhere) {
  Ir ir(declarations +
        std::string("declare void @_Z5childv()\n"
                    "define void @parent(ptr %stream) {\n") +
        launch("  call void @_Z5childv()\n") + "}\n" + kernelAnnotations({"parent"}));
  EXPECT_TRUE(lowerLaunches(ir.module()).empty());
  const std::vector<std::string> problems = numberKernels(ir.module());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0], "error: kernel 'child()' is launched here, but defined nowhere in this "
                         "program");
}

TEST(Launches, AreNotWaitedFor) {
  Ir ir("declare i32 @cudaDeviceSynchronize()\ndefine void @k() {\n"
        "  %error = call i32 @cudaDeviceSynchronize()\n  ret void\n}\n" +
        kernelAnnotations({"k"}));
  const std::vector<std::string> problems = lowerLaunches(ir.module());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("-DCUDA_FORCE_CDP1_IF_SUPPORTED"), std::string::npos);
}

TEST(Launches, WithoutAnyNothingChanges) {
  Ir ir("define void @k() {\n  ret void\n}\n@llvm.used = appending global [1 x ptr] [ptr @k]\n" +
        kernelAnnotations({"k"}));
  const std::string before = ir.text();
  EXPECT_TRUE(lowerLaunches(ir.module()).empty());
  EXPECT_TRUE(numberKernels(ir.module()).empty());
  EXPECT_EQ(ir.text(), before);
}

} // namespace
