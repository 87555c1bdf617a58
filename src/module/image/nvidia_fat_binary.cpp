// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/nvidia_fat_binary.h"

#include "module/image/lz4.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <zstd.h>

namespace heddle {
namespace {

struct Header {
  static constexpr uint32_t expected_magic = 0xba55ed50;
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes; // of the entries, which follow
};

/// A piece of code for one GPU.
struct Entry {
  enum Kind : uint16_t { Ptx = 1, MachineCode = 2, LtoIr = 0x40 };
  enum Flag : uint64_t { Lz4 = 0x2000, Zstd = 0x8000 };
  uint16_t kind, version;
  uint32_t header_bytes;
  uint64_t bytes;        // of the code, with what fills it up
  uint32_t packed_bytes; // 0: not packed
  uint32_t options;
  uint16_t minor, major;
  uint32_t capability; // 75: 7.5
  uint32_t name, name_bytes;
  uint64_t flags, reserved;
  uint64_t unpacked_bytes;
};

/// A text that claims to be longer is not unpacked: the longest seen, of a library's, has 36 MB.
constexpr uint64_t largest_text = uint64_t(1) << 29;
/// Nor is a large one that claims to be so many times as long as what it is packed in: PTX does not
/// get so small, but a few bytes that were made to fill the memory do.
constexpr uint64_t large_text = uint64_t(1) << 24, largest_ratio = 1000;

template <class Struct> Struct readAt(const char *at) {
  Struct result;
  std::memcpy(&result, at, sizeof result);
  return result;
}

[[noreturn]] void broken() { throw std::runtime_error("a broken fat binary of nvcc"); }

void refuseBombs(const FatBinaryCode &code) {
  if (code.unpacked_bytes > largest_text ||
      (code.unpacked_bytes > large_text && code.unpacked_bytes / largest_ratio > code.bytes.size()))
    throw std::runtime_error("a fat binary of nvcc whose PTX would take " +
                             std::to_string(code.unpacked_bytes) + " bytes, from " +
                             std::to_string(code.bytes.size()));
}

std::string unpackZstd(std::string_view packed, uint64_t size) {
  // What the frame says costs nothing to ask, the text's memory does.
  const uint64_t said = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (said == ZSTD_CONTENTSIZE_ERROR || (said != ZSTD_CONTENTSIZE_UNKNOWN && said > size))
    broken();
  std::string text(size, '\0');
  const size_t written = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(written) || written != size)
    broken();
  return text;
}

FatBinaryCode::Kind kindOf(const Entry &entry) {
  return entry.kind == Entry::Ptx           ? FatBinaryCode::Ptx
         : entry.kind == Entry::MachineCode ? FatBinaryCode::MachineCode
         : entry.kind == Entry::LtoIr       ? FatBinaryCode::LtoIr
                                            : FatBinaryCode::Other;
}

// The entry at `at`, where `left` bytes are left.
FatBinaryCode codeAt(const char *at, const Entry &entry, uint64_t left) {
  if (entry.header_bytes < sizeof(Entry) || entry.header_bytes > left ||
      entry.bytes > left - entry.header_bytes || entry.packed_bytes > entry.bytes)
    broken();
  FatBinaryCode code;
  code.kind = kindOf(entry);
  code.capability = entry.capability;
  code.entry = {at, entry.header_bytes + entry.bytes};
  if (entry.name >= sizeof(Entry) && uint64_t(entry.name) + entry.name_bytes <= entry.header_bytes)
    code.name = std::string_view(at + entry.name, entry.name_bytes);
  code.name = code.name.substr(0, code.name.find('\0'));
  const bool packed = entry.flags & (Entry::Lz4 | Entry::Zstd);
  code.bytes = {at + entry.header_bytes, packed ? entry.packed_bytes : entry.bytes};
  code.flags = entry.flags;
  code.unpacked_bytes = packed ? entry.unpacked_bytes : entry.bytes;
  return code;
}

} // namespace

bool suitsBetter(unsigned candidate, unsigned than, unsigned capability) {
  if (candidate <= capability)
    return than > capability || candidate > than;
  return than > capability && candidate < than;
}

bool isNvidiaFatBinary(const void *data) {
  return readAt<uint32_t>(static_cast<const char *>(data)) == Header::expected_magic;
}

size_t fatBinaryBytes(const void *data, size_t limit) {
  if (limit < sizeof(Header))
    broken();
  const auto header = readAt<Header>(static_cast<const char *>(data));
  if (header.magic != Header::expected_magic || header.header_bytes < sizeof(Header) ||
      header.header_bytes > limit || header.bytes > limit - header.header_bytes)
    broken();
  return header.header_bytes + header.bytes;
}

std::vector<FatBinaryCode> codesOfFatBinary(const void *data, size_t limit) {
  const char *at = static_cast<const char *>(data), *end = at + fatBinaryBytes(data, limit);
  std::vector<FatBinaryCode> codes;
  for (at += readAt<Header>(at).header_bytes; size_t(end - at) >= sizeof(Entry);) {
    const auto entry = readAt<Entry>(at);
    codes.push_back(codeAt(at, entry, uint64_t(end - at)));
    at += entry.header_bytes + entry.bytes;
  }
  return codes;
}

size_t pruneFatBinary(char *data, size_t limit,
                      const std::function<bool(const FatBinaryCode &)> &keeps) {
  const size_t size = fatBinaryBytes(data, limit);
  std::string kept;
  size_t count = 0;
  for (const FatBinaryCode &code : codesOfFatBinary(data, limit))
    if (keeps(code)) {
      kept += code.entry;
      ++count;
    }
  auto header = readAt<Header>(data);
  header.bytes = kept.size();
  std::memcpy(data, &header, sizeof header);
  kept.resize(size - header.header_bytes);
  std::memcpy(data + header.header_bytes, kept.data(), kept.size());
  return count;
}

std::string contentOf(const FatBinaryCode &code) {
  if (code.flags & (Entry::Lz4 | Entry::Zstd))
    refuseBombs(code);
  return std::string(code.flags & Entry::Lz4    ? unpackLz4(code.bytes, code.unpacked_bytes)
                     : code.flags & Entry::Zstd ? unpackZstd(code.bytes, code.unpacked_bytes)
                                                : code.bytes);
}

std::string textOf(const FatBinaryCode &code) {
  std::string text = contentOf(code);
  text.resize(std::min(text.size(), text.find('\0'))); // zeros fill it up
  return text;
}

std::string ptxOfFatBinary(const void *data, size_t limit, unsigned capability) {
  const std::vector<FatBinaryCode> codes = codesOfFatBinary(data, limit);
  const FatBinaryCode *best = nullptr;
  for (const FatBinaryCode &code : codes)
    if (code.kind == FatBinaryCode::Ptx &&
        (!best || suitsBetter(code.capability, best->capability, capability)))
      best = &code;
  return best ? textOf(*best) : std::string();
}

bool isDeviceRuntime(const std::string &ptx) {
  return ptx.find("__CNPRT_VERSION_NUMBER__") != std::string::npos;
}

} // namespace heddle
