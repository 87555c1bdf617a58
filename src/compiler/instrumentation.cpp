// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/instrumentation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::compiler {
namespace {

enum class Place { Elsewhere, Gcc, Nowhere };

/// Where to find what this word of a link's command names.
Place placeOf(llvm::StringRef word, bool &address, bool &undefined) {
  llvm::StringRef name = llvm::sys::path::filename(word);
  if (!name.consume_front("libclang_rt.") || llvm::sys::fs::exists(word))
    return Place::Elsewhere;
  address |= name.starts_with("asan");
  undefined |= name.starts_with("asan") || name.starts_with("ubsan"); // the one holds the other
  return name.starts_with("asan") || name.starts_with("ubsan") ? Place::Gcc : Place::Nowhere;
}

} // namespace

bool useInstalledRuntimes(clang::driver::Command &link) {
  bool address = false, undefined = false;
  llvm::opt::ArgStringList others;
  for (const char *word : link.getArguments()) {
    const Place place = placeOf(word, address, undefined);
    if (place == Place::Nowhere) {
      llvm::errs() << "host-c++: error: this link needs " << llvm::sys::path::filename(word)
                   << " of Clang 19 (Debian package libclang-rt-19-dev)\n";
      return false;
    }
    if (place == Place::Elsewhere)
      others.push_back(word);
  }
  if (!address && !undefined)
    return true;
  llvm::opt::ArgStringList arguments;
  if (address) // before all others: it insists on being loaded first
    arguments.push_back("-lasan");
  arguments.append(others.begin(), others.end());
  arguments.append({"--as-needed", "-lubsan"});
  link.replaceArguments(arguments);
  return true;
}

} // namespace heddle::compiler
