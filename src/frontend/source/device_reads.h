// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only the device's pass over a source reads.
//
// Code under #ifdef __CUDA_ARCH__, and headers included there, are part of an object, but the
// host's pass does not see them. Yet that pass alone writes -MD's dependencies, from which make
// tells whether an object is up to date, and -E's text, from which ccache does.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class DependencyCollector;
} // namespace clang

namespace heddle::frontend {

/// Collects the files that `instance` will read; with `system`, system headers, too.
std::shared_ptr<clang::DependencyCollector> collectFiles(clang::CompilerInstance &instance,
                                                         bool system);

/// Makes the dependencies that the host's pass will write name what the device's pass has read.
void addDependencies(clang::CompilerInstance &host,
                     std::shared_ptr<clang::DependencyCollector> device, const std::string &source);

/// What follows the host's text in the output of -E: the files that the device's pass has read, as
/// line markers, and a hash of its text.
std::string deviceTrailer(const clang::DependencyCollector &device, const std::string &text);

} // namespace heddle::frontend
