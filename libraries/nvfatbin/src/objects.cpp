// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "objects.h"

#include "container.h"

#include <cstring>
#include <elf.h>
#include <stdexcept>

namespace heddle::fatbin {
namespace {

[[noreturn]] void broken() { throw std::runtime_error("a broken object file"); }

template <class Struct> Struct readAt(std::string_view bytes, size_t offset) {
  Struct value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value)
    broken();
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    broken();
  return bytes.substr(offset, size);
}

std::string_view textAt(std::string_view texts, uint64_t offset) {
  if (offset >= texts.size())
    broken();
  return texts.substr(offset, texts.find('\0', offset) - offset);
}

/// One entry of a fat binary; returns its length.
size_t readEntry(std::string_view entries, std::vector<ObjectPtx> &found) {
  const auto kind = readAt<uint16_t>(entries, 0);
  const auto header = readAt<uint32_t>(entries, 4);
  const auto bytes = readAt<uint64_t>(entries, 8);
  if (header < 64 || bytes > entries.size())
    broken();
  const std::string_view whole = part(entries, 0, header + bytes);
  if (kind == uint16_t(Kind::Ptx)) {
    const auto name = readAt<uint32_t>(entries, 32), length = readAt<uint32_t>(entries, 36);
    found.push_back({readAt<uint32_t>(entries, 28), name ? part(whole, name, length) : "", whole});
  }
  return whole.size();
}

// A section has one fat binary behind another, with zeros between them.
void readSection(std::string_view section, std::vector<ObjectPtx> &found) {
  constexpr uint32_t magic = 0xba55ed50;
  while (section.size() >= 16) {
    if (readAt<uint32_t>(section, 0) != magic) {
      section.remove_prefix(8);
      continue;
    }
    const auto header = readAt<uint16_t>(section, 6);
    const auto bytes = readAt<uint64_t>(section, 8);
    std::string_view entries = part(section, header, bytes);
    while (entries.size() >= 64)
      entries.remove_prefix(readEntry(entries, found));
    section.remove_prefix(header + bytes);
  }
}

void readObject(std::string_view object, std::vector<ObjectPtx> &found) {
  const auto header = readAt<Elf64_Ehdr>(object, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    broken();
  const auto section = [&](size_t number) {
    return readAt<Elf64_Shdr>(object, header.e_shoff + number * sizeof(Elf64_Shdr));
  };
  if (!header.e_shnum)
    return;
  const Elf64_Shdr names = section(header.e_shstrndx);
  const std::string_view texts = part(object, names.sh_offset, names.sh_size);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr each = section(i);
    if (each.sh_type == SHT_PROGBITS && textAt(texts, each.sh_name) == "__nv_relfatbin")
      readSection(part(object, each.sh_offset, each.sh_size), found);
  }
}

} // namespace

nvFatbinResult ptxOfObject(std::string_view object, std::vector<ObjectPtx> &found) {
  try {
    readObject(object, found);
    return NVFATBIN_SUCCESS;
  } catch (const std::runtime_error &) {
    return NVFATBIN_ERROR_INTERNAL;
  }
}

} // namespace heddle::fatbin
