// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "container.h"

#include <cctype>
#include <cstring>
#include <zstd.h>

namespace heddle::fatbin {
namespace {

struct Header {
  uint32_t magic = 0xba55ed50;
  uint16_t version = 1, header_bytes = 16;
  uint64_t bytes = 0; // of the entries, which follow
};

struct EntryHeader {
  uint16_t kind = 0, version = 0x0101;
  uint32_t header_bytes = 0;
  uint64_t bytes = 0;        // of the code, with zeros that fill it up
  uint32_t packed_bytes = 0; // 0: not packed
  uint32_t options = 0;      // where the reference to them lies; 0: none
  uint16_t minor = 0, major = 0;
  uint32_t capability = 0;
  uint32_t name = 0, name_bytes = 0; // where it lies; 0: none
  uint64_t flags = 0, reserved = 0;
  uint64_t unpacked_bytes = 0;
};
static_assert(sizeof(Header) == 16 && sizeof(EntryHeader) == 64);

enum Flag : uint64_t {
  is_64_bit = 0x1,
  with_debug = 0x2,
  for_opencl = 0x8,
  for_linux = 0x10,
  for_mac = 0x20,
  for_windows = 0x40,
  packed_with_zstd = 0x8000,
  variant_a = 0x100000,
  variant_f = 0x200000
};

/// Shorter code is not packed unless all is to be.
constexpr size_t least_packed = 256;

size_t filled(size_t bytes) { return (bytes + 7) / 8 * 8; }

template <class Struct> void append(std::string &to, const Struct &value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// A text and the zero behind it, filled up.
void appendText(std::string &to, std::string_view text) {
  to += text;
  to.append(filled(text.size() + 1) - text.size(), '\0');
}

uint64_t flagsOf(const Entry &entry, const Settings &settings) {
  uint64_t flags = settings.is_64_bit ? is_64_bit : 0;
  flags |= settings.debug ? with_debug : 0;
  flags |= settings.opencl ? for_opencl : 0;
  flags |= settings.host == Settings::Host::Linux ? for_linux
           : settings.host == Settings::Host::Mac ? for_mac
                                                  : for_windows;
  flags |= entry.arch.variant == 'a' ? variant_a : entry.arch.variant == 'f' ? variant_f : 0;
  return flags;
}

/// Empty where packing does not make it shorter, or is not wanted.
std::string pack(std::string_view content, const Settings &settings) {
  if (!settings.compress && !settings.compress_all)
    return {};
  if (content.size() < least_packed && !settings.compress_all)
    return {};
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const size_t bytes = ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(),
                                     ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(bytes) || bytes > UINT32_MAX)
    return {};
  packed.resize(bytes);
  return bytes < content.size() || settings.compress_all ? packed : std::string();
}

} // namespace

std::optional<Arch> readArch(std::string_view text) {
  Arch arch;
  if (text.ends_with('a') || text.ends_with('f')) {
    arch.variant = text.back();
    text.remove_suffix(1);
  }
  if (text.empty() || text.size() > 4)
    return std::nullopt;
  for (const char digit : text) {
    if (!std::isdigit(static_cast<unsigned char>(digit)))
      return std::nullopt;
    arch.capability = arch.capability * 10 + unsigned(digit - '0');
  }
  return arch;
}

Container::Container() { append(all, Header()); }

void Container::add(const Entry &entry, const Settings &settings) {
  EntryHeader header;
  std::string texts;
  if (!entry.name.empty()) {
    header.name = sizeof header;
    header.name_bytes = uint32_t(entry.name.size());
    appendText(texts, entry.name);
  }
  if (entry.options) {
    header.options = uint32_t(sizeof header + texts.size());
    append(texts, uint32_t(header.options + 8));
    append(texts, uint32_t(entry.options->size()));
    appendText(texts, *entry.options);
  }
  const std::string packed = pack(entry.content, settings);
  const std::string_view code = packed.empty() ? entry.content : packed;
  header.kind = uint16_t(entry.kind);
  header.header_bytes = uint32_t(sizeof header + texts.size());
  header.bytes = filled(code.size());
  header.minor = entry.minor;
  header.major = entry.major;
  header.capability = entry.arch.capability;
  header.flags = flagsOf(entry, settings);
  if (!packed.empty()) {
    header.packed_bytes = uint32_t(packed.size());
    header.unpacked_bytes = entry.content.size();
    header.flags |= packed_with_zstd;
  }
  std::string whole;
  append(whole, header);
  whole += texts;
  whole += code;
  whole.append(header.bytes - code.size(), '\0');
  addWhole(whole);
}

void Container::addWhole(std::string_view entry) {
  all += entry;
  Header header;
  header.bytes = all.size() - sizeof header;
  std::memcpy(all.data(), &header, sizeof header);
}

} // namespace heddle::fatbin
