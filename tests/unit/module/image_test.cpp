// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The image format: what is written is read again, and what is broken is refused with a reason.
#include "module/image/image.h"
#include "module/image/image_pair.h"

#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace heddle;

namespace {

ImageInfo someInfo() {
  ImageInfo info;
  info.source = "dir/add \"x\".cu";
  info.arch = 800;
  info.debug = true;
  info.globals_bytes = 5'000'000'000;
  info.globals_align = 16;
  info.shared_bytes = 4096;
  KernelInfo kernel;
  kernel.name = "_Z3addPf";
  kernel.display_name = "add(float*)";
  kernel.parameters = {{0, 8}, {8, 4}, {16, 24}};
  kernel.parameter_bytes = 40;
  kernel.static_shared_bytes = 128;
  kernel.constant_bytes = 64;
  kernel.local_bytes = 96;
  kernel.registers = 32;
  kernel.max_threads_per_block = 256;
  kernel.min_blocks_per_sm = 2;
  info.kernels = {kernel, KernelInfo{}};
  info.variables = {{"table", 0, 4'999'999'000, false, false},
                    {"coefficients", 4'999'999'008, 64, true, false},
                    {"shared_with_host", 0, 8, false, true}};
  return info;
}

Image read(const std::string &bytes) {
  return readImage({reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()});
}

std::string errorOf(const std::string &bytes) {
  try {
    read(bytes);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "no error";
}

void expectError(const std::string &bytes, const char *part) {
  EXPECT_NE(errorOf(bytes).find(part), std::string::npos) << errorOf(bytes);
}

TEST(Image, WhatIsWrittenIsRead) {
  const ImageInfo info = someInfo();
  const std::string bitcode("BC\0binary\xff", 10);
  const std::string bytes = writeImage(info, bitcode);
  const Image image = read(bytes);
  EXPECT_EQ(image.bitcode, bitcode);
  EXPECT_EQ(image.info.source, info.source);
  EXPECT_EQ(image.info.arch, 800u);
  EXPECT_TRUE(image.info.debug);
  EXPECT_EQ(image.info.globals_bytes, info.globals_bytes);
  EXPECT_EQ(image.info.globals_align, 16u);
  EXPECT_EQ(image.info.shared_bytes, 4096u);
  ASSERT_EQ(image.info.kernels.size(), 2u);
  const KernelInfo &kernel = image.info.kernels[0];
  EXPECT_EQ(kernel.name, "_Z3addPf");
  EXPECT_EQ(kernel.display_name, "add(float*)");
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_EQ(kernel.parameters[2].offset, 16u);
  EXPECT_EQ(kernel.parameters[2].size, 24u);
  EXPECT_EQ(kernel.parameter_bytes, 40u);
  EXPECT_EQ(kernel.static_shared_bytes, 128u);
  EXPECT_EQ(kernel.constant_bytes, 64u);
  EXPECT_EQ(kernel.local_bytes, 96u);
  EXPECT_EQ(kernel.registers, 32u);
  EXPECT_EQ(kernel.max_threads_per_block, 256u);
  EXPECT_EQ(kernel.min_blocks_per_sm, 2u);
  ASSERT_EQ(image.info.variables.size(), 3u);
  EXPECT_EQ(image.info.variables[1].offset, 4'999'999'008u);
  EXPECT_TRUE(image.info.variables[1].constant);
  EXPECT_TRUE(image.info.variables[2].managed);
}

TEST(Image, TheBitcodeIsAView) {
  const std::string bytes = writeImage({}, "bits");
  const Image image = read(bytes);
  EXPECT_EQ(image.bitcode.data(), bytes.data() + bytes.size() - 4);
  EXPECT_TRUE(read(writeImage({}, "")).bitcode.empty());
}

TEST(Image, KnowsItsLength) {
  const std::string bytes = writeImage(someInfo(), "some bitcode");
  EXPECT_EQ(imageBytes(bytes.data()), bytes.size());
  const std::string longer = bytes + "what follows in the object file";
  EXPECT_EQ(imageBytes(longer.data()), bytes.size());
  EXPECT_EQ(read(longer).bitcode, "some bitcode");
  EXPECT_EQ(imageBytes("\x50\xed\x55\xba is how nvcc's begin"), 0u);
}

// File names are bytes; they need not be UTF-8.
TEST(Image, AFileNameMayBeAnything) {
  ImageInfo info;
  info.source = "caf\xe9.cu";
  const std::string bytes = writeImage(info, "x");
  const Image image = read(bytes);
  EXPECT_EQ(image.info.source.substr(0, 3), "caf");
  EXPECT_EQ(image.bitcode, "x");
}

TEST(BrokenImage, SaysWhatIsWrong) {
  const std::string good = writeImage(someInfo(), "bitcode");
  expectError("", "too short");
  expectError(good.substr(0, 23), "too short");
  expectError("\x50\xed\x55\xba" + good.substr(4), "not made by Heddle");
  std::string other = good;
  ++other[4];
  expectError(other, "another version");
  expectError(good.substr(0, good.size() - 1), "truncated");
  expectError(good.substr(0, 24), "truncated");
  std::string header = good;
  header[24] = '[';
  expectError(header, "broken header");
}

TEST(BrokenImage, HugeLengthsDoNotOverflow) {
  const std::string good = writeImage({}, "bitcode");
  for (size_t field : {8u, 16u})
    for (uint64_t length : {UINT64_MAX, UINT64_MAX - 24, uint64_t(1) << 63}) {
      std::string bytes = good;
      std::memcpy(bytes.data() + field, &length, sizeof length);
      expectError(bytes, "truncated");
    }
}

TEST(BrokenImage, AHeaderWithoutItsFields) {
  std::string header = "{}";
  std::string bytes = writeImage({}, "");
  const uint64_t length = header.size();
  bytes = bytes.substr(0, 24) + header;
  std::memcpy(bytes.data() + 8, &length, sizeof length);
  expectError(bytes, "broken header");
}

TEST(ImagePair, WhatIsWrittenIsRead) {
  const std::string pair = writeImagePair({"optimised", "as written"});
  ASSERT_TRUE(readImagePair(pair.data()));
  EXPECT_EQ(readImagePair(pair.data())->optimised, "optimised");
  EXPECT_EQ(readImagePair(pair.data())->as_written, "as written");
  EXPECT_EQ(imageBytes(pair.data()), 0u); // it is no image
  EXPECT_FALSE(readImagePair(writeImage(someInfo(), "").data()));
}

} // namespace
