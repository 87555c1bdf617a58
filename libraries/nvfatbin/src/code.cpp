// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code.h"

#include <charconv>
#include <cstring>
#include <elf.h>

namespace heddle::fatbin {
namespace {

/// Files of Heddle's begin with such letters and their version (module/image/framed.h).
constexpr std::string_view own_code = "HED", to_be_linked = "HEDR";
constexpr size_t frame_header_bytes = 24;
constexpr uint16_t machine_cuda = 190;

} // namespace

std::optional<std::pair<uint16_t, uint16_t>> ptxVersion(std::string_view text) {
  constexpr std::string_view directive = ".version";
  const size_t at = text.find(directive);
  if (at == std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(at + directive.size());
  const size_t number = text.find_first_not_of(" \t");
  if (number == std::string_view::npos)
    return std::nullopt;
  text.remove_prefix(number);
  uint16_t major = 0, minor = 0;
  const char *const end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc() || dot == end || *dot != '.')
    return std::nullopt;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc())
    return std::nullopt;
  return std::pair{major, minor};
}

nvFatbinResult checkCubin(std::string_view code, const Arch &arch) {
  if (code.starts_with(own_code) && code.size() >= frame_header_bytes)
    return NVFATBIN_SUCCESS;
  Elf64_Ehdr header;
  if (code.size() < sizeof header || std::memcmp(code.data(), ELFMAG, SELFMAG) != 0)
    return NVFATBIN_ERROR_ELF_SIZE_MISMATCH;
  std::memcpy(&header, code.data(), sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64)
    return NVFATBIN_ERROR_ELF_SIZE_MISMATCH;
  // Newer machine code has it a byte further.
  const bool fits =
      (header.e_flags & 0xff) == arch.capability || (header.e_flags >> 8 & 0xff) == arch.capability;
  return header.e_machine == machine_cuda && fits ? NVFATBIN_SUCCESS
                                                  : NVFATBIN_ERROR_ELF_ARCH_MISMATCH;
}

bool isLtoIr(std::string_view code) {
  return code.starts_with(to_be_linked) && code.size() >= frame_header_bytes;
}

} // namespace heddle::fatbin
