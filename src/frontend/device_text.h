// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the device's pass over a source reads.
//
// Code under #ifdef __CUDA_ARCH__, and headers included there, are part of an object, but the
// host's pass does not see them. Yet that pass alone writes -E's text, from which ccache tells
// whether a source has changed, and -MD's dependencies, from which make does.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class DependencyCollector;
} // namespace clang

namespace heddle::frontend {

/// Collects the files that `instance` will read. With `system`, system headers, too.
std::shared_ptr<clang::DependencyCollector> collectFiles(clang::CompilerInstance &instance,
                                                         bool system);

/// Makes what a host's pass writes as its dependencies include what the device's pass has read,
/// but the source itself.
void addDependencies(clang::CompilerInstance &host, const std::vector<std::string> &read,
                     const std::string &source);

/// To be appended to -E's text: the files that were read, as line markers, and a hash of `text`,
/// the device's.
std::string deviceTrailer(const std::string &text);

} // namespace heddle::frontend
