// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file format of device code: a header text and LLVM bitcode.
//
//   four letters | u32 version | u64 header bytes | u64 bitcode bytes | header (JSON) | bitcode
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

/// Names a kind of file, in its first bytes and in messages.
struct FrameKind {
  char letters[5];
  uint32_t version;
  const char *name;
};

/// Device code that is to be linked (linking/device_object.h).
inline constexpr FrameKind relocatable_code = {"HEDR", 1, "relocatable device code"};

struct Frame {
  std::string_view header, bitcode; // point into the bytes that were read
};

std::string writeFrame(const FrameKind &kind, std::string_view header, std::string_view bitcode);

/// Size in bytes of the frame that starts at `data`, or 0 if none of that kind does.
size_t frameBytes(const FrameKind &kind, const void *data);

/// Throws std::runtime_error with a description of what is wrong.
Frame readFrame(const FrameKind &kind, std::span<const std::byte> bytes);

} // namespace heddle
