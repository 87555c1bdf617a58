// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --keep: what lies between a source and its object, under the names that nvcc gives these files.
#pragma once

#include "frontend/command_line/options.h"
#include "frontend/diagnostics.h"

#include <filesystem>
#include <string>

namespace heddle::frontend {

/// The file of this ending that belongs to `input`.
std::filesystem::path keptFile(const Options &options, const Input &input,
                               const std::string &ending);

/// Of a .cu file: the preprocessed device side (.cpp1.ii), PTX (.ptx), and `image`, unless that is
/// empty, as .sm_75.cubin and .fatbin; of every source the preprocessed host side (.cpp4.ii). What
/// cannot be made is left out, with a message. Throws std::runtime_error if a file cannot be
/// written.
void keepFiles(const Options &options, const Input &input, const std::string &image,
               ShownMessages &shown);

} // namespace heddle::frontend
