// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole image: compiled to a shared object, loaded, and called as the engine calls it.
#include "engine/abi.h"
#include "engine/compiler/reference_compiler.h"
#include "ir.h"
#include "module/description/describe.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace heddle;
using namespace heddle::engine;
namespace fs = std::filesystem;

namespace {

class Compile : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-compile-test-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  const ModuleTable *compile(const std::string &text) {
    Ir ir(text);
    ir.verify();
    std::string bitcode;
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(ir.module(), stream);
    info_ = {};
    describe(ir.module(), info_);
    compileForReference({info_, bitcode}, folder_ / "kernel.so");
    void *library = dlopen((folder_ / "kernel.so").c_str(), RTLD_NOW);
    EXPECT_NE(library, nullptr) << dlerror();
    return library ? static_cast<const ModuleTable *>(dlsym(library, "heddle_module")) : nullptr;
  }

  // One thread in a block of its own.
  void call(const ModuleTable *table, const void *parameters, uint32_t kernel = 0) {
    BlockContext block = {};
    block.block_index[0] = 3;
    block.block_dim[0] = 64;
    block.shared = shared_;
    block.dynamic_shared = shared_ + 128;
    block.globals = globals_;
    ThreadContext thread = {};
    thread.thread_index[0] = 5;
    thread.linear_index = 5;
    thread.block = &block;
    thread.runtime = &runtime_;
    thread.spin_budget = 1000;
    table->kernels[kernel].entry(&thread, parameters);
  }

  fs::path folder_;
  ImageInfo info_;
  RuntimeTable runtime_ = {};
  alignas(64) char shared_[256] = {};
  alignas(64) char globals_[1024] = {};
};

TEST_F(Compile, TheTableListsTheKernels) {
  const ModuleTable *table =
      compile("define void @first() { ret void }\ndefine void @second() { ret void }\n" +
              kernelAnnotations({"first", "second"}));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->abi, abi_version);
  ASSERT_EQ(table->kernel_count, 2u);
  EXPECT_STREQ(table->kernels[0].name, "first");
  EXPECT_STREQ(table->kernels[1].name, "second");
  EXPECT_EQ(table->kernels[0].recursive, 0u);
}

TEST_F(Compile, StacksAreMeasured) {
  const ModuleTable *table =
      compile("define void @flat(ptr %p) {\n  %a = alloca [1000 x i32]\n"
              "  store volatile ptr %a, ptr %p\n  ret void\n}\n"
              "define void @deep(ptr %p) {\n  call void @deep(ptr %p)\n  ret void\n}\n" +
              kernelAnnotations({"flat", "deep"}));
  ASSERT_NE(table, nullptr);
  EXPECT_GE(table->kernels[0].stack_bytes, 4000u);
  EXPECT_EQ(table->kernels[0].recursive, 0u);
  EXPECT_EQ(table->kernels[1].recursive, 1u);
}

TEST_F(Compile, ParametersOfEveryKindArrive) {
  const ModuleTable *table = compile(
      "%S = type { i32, [3 x i8] }\n"
      "define void @k(i8 %a, double %b, ptr %out, i1 %c, ptr byval(%S) align 4 %s, i16 %d) {\n"
      "  store i8 %a, ptr %out\n"
      "  %p1 = getelementptr i8, ptr %out, i64 8\n  store double %b, ptr %p1\n"
      "  %wide = zext i1 %c to i8\n"
      "  %p2 = getelementptr i8, ptr %out, i64 16\n  store i8 %wide, ptr %p2\n"
      "  %v = load i32, ptr %s\n"
      "  %p3 = getelementptr i8, ptr %out, i64 20\n  store i32 %v, ptr %p3\n"
      "  store i32 0, ptr %s\n" // its own copy
      "  %p4 = getelementptr i8, ptr %out, i64 24\n  store i16 %d, ptr %p4\n"
      "  ret void\n}\n" +
      kernelAnnotations({"k"}));
  ASSERT_NE(table, nullptr);
  alignas(16) char parameters[64] = {}, out[32] = {};
  char *out_pointer = out;
  const double b = 2.5;
  const int32_t s = 77;
  const int16_t d = -3;
  const auto &list = info_.kernels[0].parameters;
  parameters[list[0].offset] = 9;
  std::memcpy(parameters + list[1].offset, &b, 8);
  std::memcpy(parameters + list[2].offset, &out_pointer, 8);
  parameters[list[3].offset] = 1;
  std::memcpy(parameters + list[4].offset, &s, 4);
  std::memcpy(parameters + list[5].offset, &d, 2);
  call(table, parameters);
  EXPECT_EQ(out[0], 9);
  EXPECT_EQ(std::memcmp(out + 8, &b, 8), 0);
  EXPECT_EQ(out[16], 1);
  EXPECT_EQ(std::memcmp(out + 20, &s, 4), 0);
  EXPECT_EQ(std::memcmp(out + 24, &d, 2), 0);
  EXPECT_EQ(std::memcmp(parameters + list[4].offset, &s, 4), 0);
}

// Its address is the launch's own.
TEST_F(Compile, StructuresThatAreOnlyReadStayInPlace) {
  const ModuleTable *table =
      compile("%S = type { i32, [3 x i8] }\n"
              "define void @k(ptr %out, ptr byval(%S) align 4 readonly %s) {\n"
              "  store ptr %s, ptr %out\n  ret void\n}\n" +
              kernelAnnotations({"k"}));
  ASSERT_NE(table, nullptr);
  alignas(16) char parameters[64] = {};
  const char *out = nullptr, **out_pointer = &out;
  const auto &list = info_.kernels[0].parameters;
  std::memcpy(parameters + list[0].offset, &out_pointer, 8);
  call(table, parameters);
  EXPECT_EQ(out, parameters + list[1].offset);
}

TEST_F(Compile, GlobalsStartWithTheirValues) {
  const ModuleTable *table = compile(
      "@number = addrspace(1) externally_initialized global i32 42, align 4\n"
      "@table = internal addrspace(4) constant { i8, ptr, [2 x i16] } { i8 7, ptr addrspacecast "
      "(ptr addrspace(1) @number to ptr), [2 x i16] [i16 1, i16 -2] }, align 8\n"
      "@managed = addrspace(1) externally_initialized global i32 17, align 4 #0\n"
      "define void @k(ptr %out) {\n"
      "  %p = load ptr, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @table, i64 8)\n"
      "  %v = load i32, ptr %p\n  store i32 %v, ptr %out\n"
      "  store i32 99, ptr addrspace(1) @managed\n"
      "  ret void\n}\n"
      "attributes #0 = { \"heddle.managed\" }\n" +
      kernelAnnotations({"k"}));
  ASSERT_NE(table, nullptr);
  std::memset(globals_, 0x55, sizeof globals_);
  int32_t managed = 0;
  void *managed_addresses[] = {&managed, nullptr};
  ASSERT_LE(info_.globals_bytes, sizeof globals_);
  table->init_globals(globals_, managed_addresses);
  EXPECT_EQ(managed, 0) << "the host may have changed it already";
  managed_addresses[1] = &managed;
  table->init_globals(globals_, managed_addresses);
  EXPECT_EQ(managed, 17);
  EXPECT_EQ(globals_[info_.globals_bytes], 0x55) << "wrote beyond the globals";
  int32_t out = 0;
  int32_t *parameter = &out;
  call(table, &parameter);
  EXPECT_EQ(out, 42);
  EXPECT_EQ(managed, 99);
}

TEST_F(Compile, SharedMemoryAndIndices) {
  const ModuleTable *table = compile(
      "@pad = internal addrspace(3) global [4 x i32] undef, align 4\n"
      "@s = internal addrspace(3) global [64 x i32] undef, align 4\n"
      "@d = external addrspace(3) global [0 x i32], align 4\n"
      "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
      "define void @k() {\n"
      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
      "  %p = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t\n"
      "  store i32 %b, ptr addrspace(3) %p\n"
      "  store i32 11, ptr addrspace(3) @d\n  store i32 1, ptr addrspace(3) @pad\n  ret void\n}\n" +
      kernelAnnotations({"k"}));
  ASSERT_NE(table, nullptr);
  call(table, nullptr);
  const auto *numbers = reinterpret_cast<const int32_t *>(shared_);
  EXPECT_EQ(numbers[64 / 4 + 5], 3); // where a line begins
  EXPECT_EQ(numbers[128 / 4], 11);
}

TEST_F(Compile, MisalignedAccessesAreReported) {
  runtime_.misaligned = [](ThreadContext *, const void *) {
    std::_Exit(3); // it must not return
  };
  const ModuleTable *table = compile("define void @k(ptr %p) {\n  store i32 1, ptr %p, align 4\n"
                                     "  ret void\n}\n" +
                                     kernelAnnotations({"k"}));
  ASSERT_NE(table, nullptr);
  char *good = globals_ + 8, *bad = globals_ + 9;
  call(table, &good);
  EXPECT_EQ(globals_[8], 1);
  EXPECT_EXIT(call(table, &bad), testing::ExitedWithCode(3), "");
}

TEST_F(Compile, BrokenBitcodeIsAnError) {
  ImageInfo info;
  EXPECT_THROW(compileForReference({info, "no bitcode"}, folder_ / "x.so"), std::runtime_error);
}

TEST_F(Compile, AnUnknownBuiltInIsAnErrorThatNamesIt) {
  try {
    compile("declare i32 @llvm.nvvm.read.ptx.sreg.envreg3()\n"
            "define void @k(ptr %p) {\n  %x = call i32 @llvm.nvvm.read.ptx.sreg.envreg3()\n"
            "  store i32 %x, ptr %p\n  ret void\n}\n" +
            kernelAnnotations({"k"}));
    FAIL();
  } catch (const std::runtime_error &error) {
    EXPECT_NE(std::string(error.what()).find("envreg3"), std::string::npos);
  }
}

} // namespace
