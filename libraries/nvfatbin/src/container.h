// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fat binaries, in the format that NVIDIA's compilers put into programs. It is not documented; this
// writes what nvFatbin 13 does, and module/image/nvidia_fat_binary.h reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::fatbin {

/// A GPU: 90a is of compute capability 9.0, with what only that one has.
struct Arch {
  uint32_t capability = 0;
  char variant = 0; // 'a', 'f', or none
};

/// Digits, and a letter; nothing for what is no GPU.
std::optional<Arch> readArch(std::string_view text);

/// What a handle's options say of the entries to come.
struct Settings {
  bool is_64_bit = true, debug = false, opencl = false;
  bool compress = true, compress_all = false;
  enum class Host { Linux, Mac, Windows } host = Host::Linux;
};

enum class Kind : uint16_t { Ptx = 1, MachineCode = 2, LtoIr = 0x40, Index = 0x80 };

/// A piece of code.
struct Entry {
  Kind kind = Kind::Ptx;
  uint16_t major = 0, minor = 0; // of PTX; of machine code, its format's
  Arch arch;
  std::string_view name;                   // may be empty
  std::optional<std::string_view> options; // for ptxas; machine code has none
  std::string_view content;
};

class Container {
public:
  Container();
  void add(const Entry &entry, const Settings &settings);
  /// An entry of another fat binary, as it lies there.
  void addWhole(std::string_view entry);
  const std::string &bytes() const { return all; }

private:
  std::string all;
};

} // namespace heddle::fatbin
