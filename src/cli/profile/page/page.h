// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle profile --html: a profile as one page for a browser, with all that it needs inside.
//
// The page's code is TypeScript (main.ts); the build makes one file of it, page.html, which is part
// of the program. Writing a page means putting a profile into that file.
#pragma once

#include "profile/data.h"

#include <string>

namespace heddle::cli {

/// Whether the build had Node.js and the packages that the page is made with.
bool hasPage();

/// Throws std::runtime_error if it cannot be written; half a page is removed.
/// `program`: what was profiled, as it was called.
void writePage(const std::string &path, const profile::Profile &profile,
               const std::string &program);

} // namespace heddle::cli
