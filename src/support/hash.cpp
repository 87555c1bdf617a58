// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace heddle {

std::string contentHash(std::string_view bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace heddle
