// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds relocatable device code in object files and static libraries.
#pragma once

#include "module/linking/device_object.h"

#include <string>
#include <vector>

namespace heddle::frontend {

struct DeviceFile {
  std::string path;
  std::string name; // as messages call it
};

struct DeviceInputs {
  std::vector<DeviceObject> objects;
  std::vector<std::string> linked_ids; // of objects that an earlier device link has dealt with
};

/// Looks into each file, once. What is neither an object file nor a static library has no device
/// code. Throws std::runtime_error if a file cannot be read.
DeviceInputs readDeviceInputs(const std::vector<DeviceFile> &files);

/// The files of a linker's command line, "-lname" as the static library that the linker would take
/// from the folders of "-L"; shared libraries and libraries that are not found are left out.
std::vector<DeviceFile> findLinkedFiles(const std::vector<std::string> &linker_arguments);

} // namespace heddle::frontend
