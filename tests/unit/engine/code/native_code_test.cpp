// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is compiled, when, and how often: with a script in place of the compiler, which notes what
// it is asked for and answers with a file that was made beforehand (fake_code.cpp).
#include "engine/code/native_code.h"

#include "engine/code/compiled_module.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>
#include <thread>

using namespace heddle;
using namespace heddle::engine;
namespace fs = std::filesystem;

namespace {

// FAKES is where the fake code lies, by the names of parts.
constexpr const char *compiler = R"(#!/bin/sh
echo "$1 $2 $3" >> "$LOG"
if [ "$1" = explain ]; then echo "explained: $3"; exit 0; fi
if [ "$3" = bad ]; then echo "error: bad is bad"; exit 1; fi
cp ")" FAKES R"(/fake_code_${3#@}.so" "$5"
)";

const simd::Variant likely = {256, 0, true, true}, small = {64, 0, true, true},
                    partial = {32, 0, false}, tiled = {16, 32, true};

class NativeCodeTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    char name[] = "/tmp/heddle-native-code-test-XXXXXX";
    root_ = mkdtemp(name);
    setenv("HEDDLE_HOME", root_.c_str(), 1);
    setenv("LOG", (root_ / "log").c_str(), 1);
    const fs::path program = root_ / "libexec" / "heddle" / "heddle-jit";
    fs::create_directories(program.parent_path());
    std::ofstream(program) << compiler;
    fs::permissions(program, fs::perms::owner_all);
  }
  static void TearDownTestSuite() { fs::remove_all(root_); }

  void SetUp() override {
    static int number = 0;
    cache_ = root_ / ("cache" + std::to_string(number++));
    setenv("HEDDLE_CACHE", cache_.c_str(), 1);
    info_.kernels = {{"first"}, {"second"}, {"bad"}, {"other"}, {"sized"}};
  }
  void TearDown() override { fs::remove(root_ / "log"); }

  // What the compiler has been asked for, and forgets it.
  std::string asked() {
    std::stringstream text;
    text << std::ifstream(root_ / "log").rdbuf();
    fs::remove(root_ / "log");
    return text.str();
  }
  fs::path onlyEntry() {
    fs::path found;
    for (const auto &entry : fs::recursive_directory_iterator(cache_))
      if (entry.path().extension() == ".so") {
        EXPECT_TRUE(found.empty());
        found = entry.path();
      }
    return found;
  }
  // A file of that many bytes of it, and then zeros up to `size`. Not the same file, which is
  // loaded.
  static void damage(const fs::path &entry, uint64_t kept, uint64_t size) {
    const fs::path copy = entry.string() + ".damaged";
    fs::copy_file(entry, copy);
    fs::resize_file(copy, kept);
    fs::resize_file(copy, size);
    fs::rename(copy, entry);
  }
  // As another process would see the image.
  NativeCode make(bool explain = false) { return NativeCode("image", info_, explain); }

  static fs::path root_;
  fs::path cache_;
  ImageInfo info_;
};
fs::path NativeCodeTest::root_;

TEST_F(NativeCodeTest, OneKernelIsCompiledForOneClassOfBlocks) {
  NativeCode code = make();
  EXPECT_STREQ(code.simdKernel(0, partial).name, "first");
  EXPECT_EQ(asked(), "compile simd:32:partial first\n");
  EXPECT_STREQ(code.simdKernel(0, partial).name, "first");
  EXPECT_EQ(asked(), "");
  EXPECT_STREQ(code.simdKernel(0, tiled).name, "first");
  EXPECT_STREQ(code.simdKernel(1, likely).name, "second");
  EXPECT_EQ(asked(), "compile simd:16x32:full first\ncompile simd:256:whole second\n");
}

TEST_F(NativeCodeTest, WhatIsInTheCacheIsNotCompiled) {
  make().simdKernel(0, partial);
  asked();
  EXPECT_STREQ(make().simdKernel(0, partial).name, "first");
  EXPECT_EQ(asked(), "");
}

// Other axes need code of their own, also where blocks of the likely shape have code already.
TEST_F(NativeCodeTest, TurnedLaunchesHaveCodeOfTheirOwn) {
  compiledModule("image", "simd");
  NativeCode code = make();
  code.simdKernel(0, likely);
  asked();
  simd::Variant along_y = likely, along_z = likely;
  along_y.lane_axis = 1;
  along_z.lane_axis = 2;
  const SimdKernelInfo &first = code.simdKernel(0, along_y);
  EXPECT_NE(&first, &code.simdKernel(0, likely));
  EXPECT_EQ(&first, &code.simdKernel(0, along_y));
  EXPECT_EQ(asked(), "compile simd:256:whole:y first\n");
  code.simdKernel(0, along_z);
  code.simdKernel(1, along_y);
  EXPECT_EQ(asked(), "compile simd:256:whole:z first\ncompile simd:256:whole:y second\n");
}

TEST_F(NativeCodeTest, WhatTheDriverHasMadeIsUsed) {
  compiledModule("image", "simd");
  EXPECT_EQ(asked(), "compile simd:256:whole @all\n");
  NativeCode code = make();
  EXPECT_STREQ(code.simdKernel(0, likely).name, "first");
  EXPECT_STREQ(code.simdKernel(1, likely).name, "second");
  char globals = 0;
  code.initGlobals(true)(&globals, nullptr);
  EXPECT_EQ(globals, 1);
  EXPECT_EQ(asked(), "");
  code.simdKernel(1, tiled); // it does not hold that
  EXPECT_EQ(asked(), "compile simd:16x32:full second\n");
}

// Code that does not ask for the block's size is for blocks of any; other code for one.
TEST_F(NativeCodeTest, BlocksOfOtherSizes) {
  compiledModule("image", "simd");
  asked();
  NativeCode code = make();
  EXPECT_STREQ(code.simdKernel(1, small).name, "second");
  EXPECT_STREQ(code.simdKernel(4, likely).name, "sized");
  EXPECT_EQ(asked(), "");
  EXPECT_STREQ(code.simdKernel(4, small).name, "sized");
  EXPECT_EQ(asked(), "compile simd:64:whole sized\n");
  EXPECT_STREQ(code.simdKernel(4, {128, 0, true}).name, "sized");
  EXPECT_EQ(asked(), "compile simd:128:full sized\n");
}

// Blocks of rows whose length is known have code of their own if it accesses columns, or if it has
// barriers, and a gang may be all of the block.
TEST_F(NativeCodeTest, BlocksOfRows) {
  compiledModule("image", "simd");
  asked();
  NativeCode code = make();
  const simd::Variant rows = {32, 128, true, false}, block = {32, 256, true, true};
  EXPECT_STREQ(code.simdKernel(0, rows).name, "first");
  EXPECT_EQ(asked(), "");
  EXPECT_STREQ(code.simdKernel(0, block).name, "first");
  EXPECT_EQ(asked(), "compile simd:32x256:whole first\n");
  EXPECT_STREQ(code.simdKernel(1, rows).name, "second");
  EXPECT_EQ(asked(), "compile simd:32x128:full second\n");
}

// Nor is it compiled for each.
TEST_F(NativeCodeTest, OneCodeServesAllSizes) {
  NativeCode code = make();
  code.simdKernel(0, small);
  EXPECT_EQ(asked(), "compile simd:64:whole first\n");
  code.simdKernel(0, likely);
  code.simdKernel(0, {128, 0, true});
  EXPECT_EQ(asked(), "");
  code.simdKernel(0, partial);
  EXPECT_EQ(asked(), "compile simd:32:partial first\n");
}

TEST_F(NativeCodeTest, BrokenFilesAreMadeAgain) {
  make().simdKernel(0, partial);
  asked();
  const fs::path entry = onlyEntry();
  const uint64_t whole = fs::file_size(entry);
  for (uint64_t bytes : {uint64_t(0), uint64_t(100), whole / 2, whole - 1}) {
    damage(entry, bytes, bytes);
    EXPECT_STREQ(make().simdKernel(0, partial).name, "first");
    EXPECT_EQ(asked(), "compile simd:32:partial first\n");
    EXPECT_EQ(fs::file_size(entry), whole);
  }
  damage(entry, whole / 2, whole);
  EXPECT_STREQ(make().simdKernel(0, partial).name, "first");
  EXPECT_EQ(asked(), "compile simd:32:partial first\n");
}

TEST_F(NativeCodeTest, ABrokenFileOfTheDriverIsDoneWithout) {
  damage(compiledModule("image", "simd").path, 5000, 5000);
  asked();
  EXPECT_STREQ(make().simdKernel(1, likely).name, "second");
  EXPECT_EQ(asked(), "compile simd:256:whole second\n");
}

TEST_F(NativeCodeTest, WithoutAFolderForTheCache) {
  std::ofstream(cache_) << "a file";
  EXPECT_STREQ(make().simdKernel(0, partial).name, "first");
  EXPECT_STREQ(make().simdKernel(0, partial).name, "first");
  EXPECT_EQ(asked(), "compile simd:32:partial first\ncompile simd:32:partial first\n");
}

// A program may copy to a symbol before it launches anything.
TEST_F(NativeCodeTest, InitialValuesNeedNoKernel) {
  NativeCode code = make();
  char globals = 0;
  code.initGlobals(true)(&globals, nullptr);
  EXPECT_EQ(globals, 2);
  EXPECT_EQ(asked(), "compile simd:256:whole @initial-values\n");
  code.simdKernel(0, likely);
  code.initGlobals(true);
  EXPECT_EQ(asked(), "compile simd:256:whole first\n");
}

TEST_F(NativeCodeTest, TheReferenceEngineHasAllInOneFile) {
  info_.kernels = {{"first"}, {"second"}, {"sized"}};
  NativeCode code = make();
  EXPECT_STREQ(code.referenceKernel(1).name, "second");
  EXPECT_STREQ(code.referenceKernel(0).name, "first");
  EXPECT_EQ(asked(), "compile reference @all\n");
  char globals = 0;
  code.initGlobals(true)(&globals, nullptr);
  EXPECT_EQ(globals, 1);
  EXPECT_EQ(asked(), "");
}

TEST_F(NativeCodeTest, TheCompilerIsNotAskedAgainAfterAnError) {
  NativeCode code = make();
  for (int i = 0; i < 2; ++i) {
    try {
      code.simdKernel(2, likely);
      FAIL() << "no error";
    } catch (const std::runtime_error &error) {
      EXPECT_EQ(std::string(error.what()), "compiling device code failed: error: bad is bad\n");
    }
  }
  EXPECT_EQ(asked(), "compile simd:256:whole bad\n");
  EXPECT_STREQ(code.simdKernel(0, likely).name, "first"); // the others are as good as before
}

TEST_F(NativeCodeTest, CodeForAnotherVersionIsRefused) {
  try {
    make().simdKernel(3, likely);
    FAIL() << "no error";
  } catch (const std::runtime_error &error) {
    EXPECT_NE(std::string(error.what()).find("another version of Heddle"), std::string::npos)
        << error.what();
  }
}

TEST_F(NativeCodeTest, KernelsAreExplainedWhenTheyAreUsed) {
  compiledModule("image", "simd");
  asked();
  NativeCode code = make(true);
  testing::internal::CaptureStderr();
  code.simdKernel(1, likely);
  code.simdKernel(1, likely);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "explained: second\n");
  EXPECT_EQ(asked(), "explain simd:256:whole second\n");
}

TEST_F(NativeCodeTest, ManyThreadsCompileItOnce) {
  NativeCode code = make();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { EXPECT_STREQ(code.simdKernel(0, tiled).name, "first"); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(asked(), "compile simd:16x32:full first\n");
}

} // namespace
