// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a person installs what Heddle needs of the system, in the words of their distribution.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// How to install a C++ compiler's standard library with its headers: a command for the
/// distribution that `os_release` (os-release(5), the text) describes, or one for each that is
/// known.
std::string howToInstallCxxLibrary(std::string_view os_release);

/// The same for this machine (/etc/os-release).
std::string howToInstallCxxLibrary();

} // namespace heddle
