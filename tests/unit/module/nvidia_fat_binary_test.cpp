// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fat binaries of nvcc, as it writes them: which PTX is taken out of them, and what is refused.
#include "module/image/lz4.h"
#include "module/image/nvidia_fat_binary.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>
#include <zstd.h>

using namespace heddle;
using namespace std::string_literals;

namespace {

enum Kind : uint16_t { Ptx = 1, MachineCode = 2 };
constexpr uint64_t lz4_flag = 0x2000, zstd_flag = 0x8000;

template <class T> void append(std::string &to, T value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

std::string entry(Kind kind, uint32_t capability, const std::string &code, uint64_t flags = 0,
                  uint64_t unpacked = 0) {
  std::string text;
  const size_t filled = (code.size() + 7) / 8 * 8;
  append<uint16_t>(text, kind);
  append<uint16_t>(text, 0x101);
  append<uint32_t>(text, 64);
  append<uint64_t>(text, filled);
  append<uint32_t>(text, flags ? code.size() : 0);
  append<uint32_t>(text, 0);
  append<uint32_t>(text, 0x80000);
  append<uint32_t>(text, capability);
  append<uint64_t>(text, 0);
  append<uint64_t>(text, flags | 0x11);
  append<uint64_t>(text, 0);
  append<uint64_t>(text, unpacked);
  return text + code + std::string(filled - code.size(), '\0');
}

std::string fatBinary(const std::string &entries) {
  std::string text;
  append<uint32_t>(text, 0xba55ed50);
  append<uint16_t>(text, 1);
  append<uint16_t>(text, 16);
  append<uint64_t>(text, entries.size());
  return text + entries;
}

std::string ptxOf(const std::string &binary, unsigned capability = 75) {
  return ptxOfFatBinary(binary.data(), binary.size(), capability);
}

} // namespace

TEST(FatBinary, IsRecognised) {
  EXPECT_TRUE(isNvidiaFatBinary(fatBinary("").data()));
  EXPECT_FALSE(isNvidiaFatBinary(".version 8.0"));
}

TEST(FatBinary, GivesPtxForTheGpu) {
  const std::string binary =
      fatBinary(entry(MachineCode, 75, "code") + entry(Ptx, 52, "old") + entry(Ptx, 70, "fits") +
                entry(Ptx, 120, "newest") + entry(Ptx, 90, "newer"));
  EXPECT_EQ(ptxOf(binary, 75), "fits");
  EXPECT_EQ(ptxOf(binary, 60), "old");
  EXPECT_EQ(ptxOf(binary, 90), "newer");
  EXPECT_EQ(ptxOf(binary, 50), "old"); // the oldest of those that came later
}

TEST(FatBinary, WithoutPtxGivesNone) {
  EXPECT_EQ(ptxOf(fatBinary(entry(MachineCode, 75, "code"))), "");
  EXPECT_EQ(ptxOf(fatBinary("")), "");
}

TEST(FatBinary, UnpacksLz4) {
  const std::string block = "\x35"
                            "abc\x03\x00"
                            "\x10"
                            "!"s; // abc, nine letters from three before, an exclamation mark
  EXPECT_EQ(ptxOf(fatBinary(entry(Ptx, 75, block, lz4_flag, 13))), "abcabcabcabc!");
}

TEST(FatBinary, UnpacksZstandard) {
  const std::string text = "// a text\n" + std::string(100'000, 'x');
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 19));
  EXPECT_EQ(ptxOf(fatBinary(entry(Ptx, 75, packed, zstd_flag, text.size()))), text);
  for (const uint64_t size : {uint64_t(0), text.size() - 1, text.size() + 1, uint64_t(1) << 40})
    EXPECT_THROW(ptxOf(fatBinary(entry(Ptx, 75, packed, zstd_flag, size))), std::runtime_error)
        << size;
  for (size_t size = 0; size < packed.size(); ++size)
    EXPECT_THROW(ptxOf(fatBinary(entry(Ptx, 75, packed.substr(0, size), zstd_flag, text.size()))),
                 std::runtime_error)
        << size;
}

TEST(FatBinary, RefusesBombs) {
  for (const size_t size : {size_t(1) << 20, size_t(64) << 20}) {
    const std::string text(size, '.');
    std::string packed(ZSTD_compressBound(size), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), size, 3));
    const std::string binary = fatBinary(entry(Ptx, 75, packed, zstd_flag, size));
    if (size < size_t(16) << 20)
      EXPECT_EQ(ptxOf(binary).size(), size);
    else
      EXPECT_THROW(ptxOf(binary), std::runtime_error);
  }
  // What the frame itself says is more than the fat binary does.
  std::string packed(1000, '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), packed.data(), 1000, 3));
  EXPECT_THROW(ptxOf(fatBinary(entry(Ptx, 75, packed, zstd_flag, 999))), std::runtime_error);
}

TEST(FatBinary, ListsItsCodes) {
  const std::string binary =
      fatBinary(entry(MachineCode, 80, "code") + entry(Ptx, 75, "a text")) + "more";
  EXPECT_EQ(fatBinaryBytes(binary.data(), binary.size()), binary.size() - 4);
  const auto codes = codesOfFatBinary(binary.data(), binary.size());
  ASSERT_EQ(codes.size(), 2u);
  EXPECT_EQ(codes[0].kind, FatBinaryCode::MachineCode);
  EXPECT_EQ(codes[0].capability, 80u);
  EXPECT_EQ(codes[1].kind, FatBinaryCode::Ptx);
  EXPECT_EQ(textOf(codes[1]), "a text");
  EXPECT_EQ(codes[1].name, "");
}

TEST(FatBinary, IsRefusedIfBroken) {
  const std::string good = fatBinary(entry(Ptx, 75, "some text"));
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_THROW(ptxOfFatBinary(good.data(), size, 75), std::runtime_error) << size;
  for (const size_t place : {6, 20, 24, 32}) { // sizes of headers and codes
    std::string bad = good;
    std::memset(&bad[place], 0xff, 2);
    EXPECT_THROW(ptxOf(bad), std::runtime_error) << place;
  }
}

TEST(Lz4, ReadsLongLengths) {
  const std::string letters(15 + 255 + 3, 'x'); // as a token's 15, then 255, then 3
  EXPECT_EQ(unpackLz4("\xf0\xff\x03" + letters, letters.size()), letters);
  // One letter, then 4 + 15 + 255 + 0 copies of it, then one more.
  EXPECT_EQ(unpackLz4("\x1f"
                      "a\x01\x00\xff\x00\x10"
                      "b"s,
                      276),
            std::string(275, 'a') + "b");
}

TEST(Lz4, RefusesWhatIsBroken) {
  const std::string good = "\x35"
                           "abc\x03\x00"
                           "\x10"
                           "!"s;
  EXPECT_EQ(unpackLz4(good, 13), "abcabcabcabc!");
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_THROW(unpackLz4(std::string_view(good).substr(0, size), 13), std::runtime_error) << size;
  for (const size_t size : {size_t(0), size_t(12), size_t(14), SIZE_MAX})
    EXPECT_THROW(unpackLz4(good, size), std::runtime_error) << size;
  EXPECT_THROW(unpackLz4("\x35"
                         "abc\x04\x00"
                         "\x10"
                         "!"s,
                         13),
               std::runtime_error); // before the beginning
  EXPECT_THROW(unpackLz4("\x35"
                         "abc\x00\x00"
                         "\x10"
                         "!"s,
                         13),
               std::runtime_error);
}
