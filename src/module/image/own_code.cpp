// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/own_code.h"

#include "module/image/framed.h"
#include "module/image/image.h"
#include "module/image/image_pair.h"
#include "module/image/nvidia_fat_binary.h"

namespace heddle {
namespace {

/// An image, a pair of them, or code that is to be linked.
bool isOwnCode(const std::string &code) {
  constexpr size_t least = 64; // of what is asked below
  return code.size() >= least &&
         (imageBytes(code.data()) != 0 || readImagePair(code.data()).has_value() ||
          frameBytes(relocatable_code, code.data()) != 0);
}

} // namespace

std::string ownCodeIn(const void *data, size_t limit, unsigned capability) {
  const std::vector<FatBinaryCode> codes = codesOfFatBinary(data, limit);
  const FatBinaryCode *best = nullptr;
  std::string own;
  // PTX is looked at last: of equals, what is compiled already is taken.
  for (const bool ptx : {false, true})
    for (const FatBinaryCode &code : codes) {
      if ((code.kind == FatBinaryCode::Ptx) != ptx || code.kind == FatBinaryCode::Other ||
          (best && !suitsBetter(code.capability, best->capability, capability)))
        continue;
      std::string content = ptx ? std::string() : contentOf(code);
      if (!ptx && !isOwnCode(content))
        continue;
      best = &code;
      own = std::move(content);
    }
  return own;
}

} // namespace heddle
