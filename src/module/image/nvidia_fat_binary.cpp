// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/nvidia_fat_binary.h"

#include "module/image/lz4.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
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
  enum Kind : uint16_t { Ptx = 1, MachineCode = 2 };
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

struct Code {
  Entry entry;
  std::string_view bytes;
};

template <class Struct> Struct readAt(const char *at) {
  Struct result;
  std::memcpy(&result, at, sizeof result);
  return result;
}

[[noreturn]] void broken() { throw std::runtime_error("a broken fat binary of nvcc"); }

std::string unpackZstd(std::string_view packed, uint64_t size) {
  std::string text(size, '\0');
  const size_t written = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(written) || written != size)
    broken();
  return text;
}

std::string unpacked(const Code &code) {
  const Entry &entry = code.entry;
  const std::string_view packed = code.bytes.substr(0, entry.packed_bytes);
  if (entry.flags & (Entry::Lz4 | Entry::Zstd) && entry.unpacked_bytes > largest_text)
    throw std::runtime_error("a fat binary of nvcc whose PTX would take " +
                             std::to_string(entry.unpacked_bytes) + " bytes");
  std::string text(entry.flags & Entry::Lz4    ? unpackLz4(packed, entry.unpacked_bytes)
                   : entry.flags & Entry::Zstd ? unpackZstd(packed, entry.unpacked_bytes)
                                               : code.bytes);
  // Zeros fill it up.
  return text.substr(0, text.find('\0'));
}

// Of two, the one that a GPU of this capability is given.
bool isBetter(unsigned candidate, unsigned than, unsigned capability) {
  if (candidate <= capability)
    return than > capability || candidate > than;
  return than > capability && candidate < than;
}

} // namespace

bool isNvidiaFatBinary(const void *data) {
  return readAt<uint32_t>(static_cast<const char *>(data)) == Header::expected_magic;
}

std::string ptxOfFatBinary(const void *data, size_t limit, unsigned capability) {
  const char *at = static_cast<const char *>(data);
  if (limit < sizeof(Header))
    broken();
  const auto header = readAt<Header>(at);
  if (header.header_bytes < sizeof(Header) || header.header_bytes > limit ||
      header.bytes > limit - header.header_bytes)
    broken();
  at += header.header_bytes;
  std::optional<Code> best;
  for (uint64_t left = header.bytes; left >= sizeof(Entry);) {
    const auto entry = readAt<Entry>(at);
    if (entry.header_bytes < sizeof(Entry) || entry.header_bytes > left ||
        entry.bytes > left - entry.header_bytes || entry.packed_bytes > entry.bytes)
      broken();
    if (entry.kind == Entry::Ptx &&
        (!best || isBetter(entry.capability, best->entry.capability, capability)))
      best = Code{entry, {at + entry.header_bytes, entry.bytes}};
    at += entry.header_bytes + entry.bytes;
    left -= entry.header_bytes + entry.bytes;
  }
  return best ? unpacked(*best) : std::string();
}

} // namespace heddle
