// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cxx_library.h"

#include "support/system_packages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <stdexcept>
#include <string>

namespace heddle::frontend {

void requireCxxLibrary(llvm::ArrayRef<const char *> arguments) {
  const auto given = [&](llvm::StringRef option) {
    return llvm::any_of(arguments, [&](const char *one) { return option == one; });
  };
  if (given("-nostdinc++") || given("-nostdinc") || given("-nostdsysteminc"))
    return;
  bool c = false, cxx = false;
  for (llvm::StringRef folder : arguments) {
    cxx |= llvm::sys::fs::exists((folder + "/cstdlib").str());
    c |= llvm::sys::fs::exists((folder + "/stdlib.h").str()) &&
         llvm::sys::fs::exists((folder + "/features.h").str());
  }
  if (!c || !cxx)
    throw std::runtime_error(
        std::string(cxx ? "the C library's" : "the C++ standard library's") +
        " headers are not on this system, and no C++ can be compiled without them; " +
        howToInstallCxxLibrary());
}

} // namespace heddle::frontend
