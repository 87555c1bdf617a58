// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/loaded_object.h"

#include <dlfcn.h>
#include <link.h>

// glibc has it since 2.35 (glibc manual, "Dynamic Linker Introspection"). Packages are built
// against an older one and find it where they run.
#if !__GLIBC_PREREQ(2, 35)
struct dl_find_object {
  unsigned long long dlfo_flags;
  void *dlfo_map_start, *dlfo_map_end;
  struct link_map *dlfo_link_map;
  void *dlfo_eh_frame;
  unsigned long long reserved[7];
};
#endif
extern "C" __attribute__((weak)) int _dl_find_object(void *, struct dl_find_object *) noexcept;

namespace heddle::engine {

const char *loadedObject(uintptr_t code) {
  void *const address = reinterpret_cast<void *>(code);
  if (_dl_find_object) {
    struct dl_find_object found;
    return _dl_find_object(address, &found) == 0 ? found.dlfo_link_map->l_name : nullptr;
  }
  Dl_info info{};
  return dladdr(address, &info) ? info.dli_fname : nullptr;
}

} // namespace heddle::engine
