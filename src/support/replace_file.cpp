// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/replace_file.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace heddle {

std::error_code replaceFile(const std::filesystem::path &file, std::string_view content) {
  const std::string fresh = file.string() + "." + std::to_string(getpid()) + ".new";
  const auto lastError = [] { return std::error_code(errno, std::generic_category()); };
  std::FILE *stream = std::fopen(fresh.c_str(), "wb");
  if (!stream)
    return lastError();
  std::error_code error;
  if (std::fwrite(content.data(), 1, content.size(), stream) != content.size())
    error = lastError();
  if (std::fclose(stream) != 0 && !error)
    error = lastError();
  if (!error && std::rename(fresh.c_str(), file.c_str()) != 0)
    error = lastError();
  if (error)
    std::remove(fresh.c_str());
  return error;
}

} // namespace heddle
