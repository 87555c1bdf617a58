// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/readable_memory.h"

#include <cstdint>
#include <cstdio>
#include <memory>

namespace heddle {

size_t readableBytes(const void *address) {
  const std::unique_ptr<FILE, int (*)(FILE *)> maps(fopen("/proc/self/maps", "re"), fclose);
  if (!maps)
    return SIZE_MAX;
  const auto first = reinterpret_cast<uintptr_t>(address);
  uintptr_t end = first, from = 0, to = 0;
  char readable = 0;
  // Ranges ascend; a long name's rest is skipped with the line.
  while (fscanf(maps.get(), "%zx-%zx %c%*[^\n]", &from, &to, &readable) == 3)
    if (from <= end && end < to) {
      if (readable != 'r')
        break;
      end = to;
    } else if (from > end) {
      break;
    }
  return end - first;
}

} // namespace heddle
