// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What heddlecc -v says about itself, in nvcc's words.
//
// CMake learns from `nvcc -v` where the toolkit is, which folders it searches and what it links
// (Modules/CMakeDetermineCUDACompiler.cmake, Internal/CMakeNVCCParseImplicitInfo.cmake): from the
// lines "#$ NAME=value" and from the first command that has the value of LIBRARIES in it.
#pragma once

#include "frontend/command_line/options.h"

#include <filesystem>
#include <string>

namespace heddle::frontend {

/// host-c++ (compiler/host_compiler.h): Clang for the host, for compiling and linking.
std::filesystem::path hostCompiler();

/// The lines "#$ NAME=value".
std::string describeEnvironment(const Options &options);

/// How a build system that links by itself does it, with the value of LIBRARIES.
std::string describeLink(const Options &options, const std::string &output);

} // namespace heddle::frontend
