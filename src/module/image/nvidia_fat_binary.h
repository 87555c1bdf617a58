// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fat binaries that NVIDIA's compilers put into programs: device code for several GPUs, as
// machine code and, in many, as PTX for those that came later. Heddle runs the PTX. The format is
// not documented; what is read of it here is what nvcc 9 to 13 write.
#pragma once

#include <cstddef>
#include <string>

namespace heddle {

/// Whether a fat binary of NVIDIA's begins at `data`.
bool isNvidiaFatBinary(const void *data);

/// The PTX in the fat binary at `data` for a GPU of compute capability `capability` (75: 7.5): the
/// newest that is meant for it, or else the oldest for a later one. Empty if there is none. Throws
/// std::runtime_error if the fat binary is broken, longer than `limit` bytes, or would unpack to
/// more than half a gigabyte.
std::string ptxOfFatBinary(const void *data, size_t limit, unsigned capability);

} // namespace heddle
