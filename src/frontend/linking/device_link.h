// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link: from the device code of several object files to one more object file, which any
// linker can link with them.
#pragma once

#include "frontend/command_line/options.h"
#include "frontend/linking/device_inputs.h"

#include <filesystem>
#include <vector>

namespace heddle::frontend {

enum class DeviceLinkResult {
  Nothing, // no device code is left to be linked; there is no output
  Linked,
  Failed // messages have been shown
};

/// Links the device code of `files`, object files and static libraries, to the object file
/// `output`. Native code for this machine goes into the cache. Throws std::runtime_error for broken
/// files.
DeviceLinkResult linkDevice(const Options &options, const std::vector<DeviceFile> &files,
                            const std::filesystem::path &output);

/// An object file with nothing in it, for a device link that has nothing to link.
void writeEmptyObject(const std::filesystem::path &output);

} // namespace heddle::frontend
