// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/framed.h"

#include <cstring>
#include <stdexcept>

namespace heddle {
namespace {

struct Prefix {
  char letters[4];
  uint32_t version;
  uint64_t header_bytes;
  uint64_t bitcode_bytes;
};

bool isOf(const FrameKind &kind, const void *data) {
  return std::memcmp(kind.letters, data, sizeof Prefix::letters) == 0;
}

[[noreturn]] void fail(const FrameKind &kind, const char *why) {
  throw std::runtime_error(std::string(kind.name) + ": " + why);
}

} // namespace

std::string writeFrame(const FrameKind &kind, std::string_view header, std::string_view bitcode) {
  Prefix prefix{{}, kind.version, header.size(), bitcode.size()};
  std::memcpy(prefix.letters, kind.letters, sizeof prefix.letters);
  std::string bytes(reinterpret_cast<const char *>(&prefix), sizeof prefix);
  bytes += header;
  bytes += bitcode;
  return bytes;
}

size_t frameBytes(const FrameKind &kind, const void *data) {
  if (!isOf(kind, data))
    return 0;
  Prefix prefix;
  std::memcpy(&prefix, data, sizeof prefix);
  return sizeof prefix + prefix.header_bytes + prefix.bitcode_bytes;
}

Frame readFrame(const FrameKind &kind, std::span<const std::byte> bytes) {
  Prefix prefix;
  if (bytes.size() < sizeof prefix)
    fail(kind, "too short");
  if (!isOf(kind, bytes.data()))
    fail(kind, "not made by Heddle (was this object built by nvcc?)");
  std::memcpy(&prefix, bytes.data(), sizeof prefix);
  if (prefix.version != kind.version)
    fail(kind, "made by another version of Heddle; rebuild the program");
  if (prefix.header_bytes > bytes.size() - sizeof prefix ||
      prefix.bitcode_bytes > bytes.size() - sizeof prefix - prefix.header_bytes)
    fail(kind, "truncated");
  const char *text = reinterpret_cast<const char *>(bytes.data()) + sizeof prefix;
  return {{text, prefix.header_bytes}, {text + prefix.header_bytes, prefix.bitcode_bytes}};
}

} // namespace heddle
