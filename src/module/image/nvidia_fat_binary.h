// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fat binaries that NVIDIA's compilers put into programs: device code for several GPUs, as
// machine code and, in many, as PTX for those that came later. Heddle runs the PTX. The format is
// not documented; what is read of it here is what nvcc 9 to 13 write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// A piece of code in a fat binary, as it lies there.
struct FatBinaryCode {
  enum Kind { Ptx, MachineCode, LtoIr, Other };
  Kind kind = Other;
  unsigned capability = 0;     // 75: 7.5
  std::string_view name;       // of the source; mostly empty
  std::string_view entry;      // all of it, with its header
  std::string_view bytes;      // packed, as `flags` say
  uint64_t flags = 0;          // nvidia_fat_binary.cpp names those that are read
  uint64_t unpacked_bytes = 0; // as the fat binary claims
};

/// Whether a fat binary of NVIDIA's begins at `data`.
bool isNvidiaFatBinary(const void *data);

/// The fat binary's length, `limit` at most. Throws std::runtime_error if it is broken or longer.
size_t fatBinaryBytes(const void *data, size_t limit);

/// What is in the fat binary at `data`, which has `limit` bytes at most, in its order. Throws
/// std::runtime_error if it is broken or longer.
std::vector<FatBinaryCode> codesOfFatBinary(const void *data, size_t limit);

/// Takes those codes out of the fat binary at `data` that `keeps` says no to. It becomes shorter;
/// zeros fill up what was its length. Says how many are left. Throws like codesOfFatBinary.
size_t pruneFatBinary(char *data, size_t limit,
                      const std::function<bool(const FatBinaryCode &)> &keeps);

/// What the code is, unpacked. Throws std::runtime_error if it is broken, or would unpack to more
/// than textOf takes.
std::string contentOf(const FatBinaryCode &code);

/// The text of a piece of PTX. Throws std::runtime_error if it is broken, would unpack to more than
/// half a gigabyte, or to more than 16 MB and a thousand times its length.
std::string textOf(const FatBinaryCode &code);

/// The PTX in the fat binary at `data` for a GPU of compute capability `capability` (75: 7.5): the
/// newest that is meant for it, or else the oldest for a later one. Empty if there is none. Throws
/// like codesOfFatBinary and textOf.
std::string ptxOfFatBinary(const void *data, size_t limit, unsigned capability);

/// Of two capabilities that there is code for, the one that a GPU of this one is given.
bool suitsBetter(unsigned candidate, unsigned than, unsigned capability);

/// Whether the text is NVIDIA's device runtime, a part of each program with -rdc=true. It calls
/// what only NVIDIA's driver has; Heddle's own is in the device library.
bool isDeviceRuntime(const std::string &ptx);

} // namespace heddle
