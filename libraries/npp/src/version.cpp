// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which release of NPP it is: another one in each of the libraries that have this function.
#pragma GCC visibility push(default)
#include <nppcore.h>
#pragma GCC visibility pop

const NppLibraryVersion *nppGetLibVersion() {
  static const NppLibraryVersion version = {NPP_VER_MAJOR, NPP_VER_MINOR, NPP_VER_PATCH};
  return &version;
}
