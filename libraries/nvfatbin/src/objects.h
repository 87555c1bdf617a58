// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object files of hosts: the PTX that nvcc -rdc=true has put into them.
#pragma once

#include "api.h"

#include <string_view>
#include <vector>

namespace heddle::fatbin {

/// An entry with PTX, as it lies in the object.
struct ObjectPtx {
  unsigned capability = 0;
  std::string_view name, entry;
};

/// NVFATBIN_ERROR_INTERNAL for what is no object file, or a broken one.
nvFatbinResult ptxOfObject(std::string_view object, std::vector<ObjectPtx> &found);

} // namespace heddle::fatbin
