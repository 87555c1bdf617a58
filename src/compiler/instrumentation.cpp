// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/instrumentation.h"

#include "support/paths.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::compiler {
namespace {

/// What a link needs of Clang's that is not there.
struct Missing {
  bool address = false, undefined = false, coverage = false;
  std::string other; // a file's name
};

/// Whether this word of the link's command names it.
bool isMissing(llvm::StringRef word, bool profiles, Missing &missing) {
  llvm::StringRef name = llvm::sys::path::filename(word);
  if (!name.consume_front("libclang_rt.") || llvm::sys::fs::exists(word))
    return false;
  if (name.starts_with("asan") || name.starts_with("ubsan")) {
    missing.address |= name.starts_with("asan");
    missing.undefined = true; // Clang's of the one holds the other
  } else if (name.starts_with("profile") && !profiles) {
    missing.coverage = true;
  } else {
    missing.other = llvm::sys::path::filename(word);
  }
  return true;
}

} // namespace

bool useInstalledRuntimes(clang::driver::Command &link) {
  Missing missing;
  llvm::opt::ArgStringList others;
  // Profiles of Clang's own kind (-fprofile-instr-generate) need its own library.
  const bool profiles = llvm::is_contained(
      llvm::map_range(link.getArguments(), [](const char *word) { return llvm::StringRef(word); }),
      "-u__llvm_profile_runtime");
  static const std::string coverage =
      (installRoot() / "lib" / "heddle" / "libheddle_coverage.a").string();
  for (const char *word : link.getArguments()) {
    const bool before = missing.coverage;
    if (!isMissing(word, profiles, missing))
      others.push_back(word);
    else if (missing.coverage != before) // at its place, before the C library
      others.push_back(coverage.c_str());
  }
  if (!missing.other.empty()) {
    llvm::errs() << "host-c++: error: this link needs " << missing.other
                 << " of Clang 19 (Debian package libclang-rt-19-dev)\n";
    return false;
  }
  if (!missing.undefined && !missing.coverage)
    return true;
  llvm::opt::ArgStringList arguments;
  if (missing.address) // before all others: it insists on being loaded first
    arguments.push_back("-lasan");
  arguments.append(others.begin(), others.end());
  if (missing.undefined)
    arguments.append({"--as-needed", "-lubsan"});
  link.replaceArguments(arguments);
  return true;
}

} // namespace heddle::compiler
