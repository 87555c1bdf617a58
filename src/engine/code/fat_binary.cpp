// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/code/fat_binary.h"

#include "engine/code/ptx_text.h"
#include "module/image/nvidia_fat_binary.h"

namespace heddle::engine {

bool isFatBinary(const void *data) { return isNvidiaFatBinary(data); }

std::vector<std::byte> imageOfFatBinary(const void *data, size_t limit, unsigned capability) {
  const std::string ptx = ptxOfFatBinary(data, limit, capability);
  if (ptx.empty())
    throw NoPtx("a fat binary of nvcc with machine code of GPUs only, without PTX");
  return imageOfPtx({{"PTX of a fat binary", ptx}});
}

} // namespace heddle::engine
