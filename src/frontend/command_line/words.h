// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words in command lines: how nvcc takes lists and option files apart, and how commands are shown.
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

/// The parts of an option's value, as in -Xcompiler "-Wall,-DNAME='a b'": commas and spaces
/// separate, quotes hold together what is in them and go, a backslash takes the special meaning
/// from the comma, space, quote or backslash after it.
std::vector<std::string> splitAtCommas(const std::string &text);

/// The words of a response file (--options-file): the same, with white space between them.
std::vector<std::string> splitWords(const std::string &text);

/// The command as a shell would take it, each word in double quotes where it needs them.
std::string quoteCommand(const std::vector<std::string> &words);

} // namespace heddle::frontend
