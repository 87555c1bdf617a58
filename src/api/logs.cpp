// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of errors, asked and listened to: cudaLogs….
#include "api/entry.h"
#include "device/error_log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace heddle;
using namespace heddle::api;

namespace {

constexpr const char *truncated = "[older messages are lost]";
constexpr const char *does_not_fit = "[older messages do not fit]";

ErrorLog &errorLog() { return ErrorLog::instance(); }

/// The lines that an iterator, or null for all, has not told yet; then it has.
std::vector<std::string> take(cudaLogIterator *iterator) {
  bool lost = false;
  const uint32_t next = errorLog().next();
  std::vector<std::string> lines = errorLog().since(iterator ? *iterator : 0, lost);
  if (lost)
    lines.insert(lines.begin(), truncated);
  if (iterator)
    *iterator = next;
  return lines;
}

/// The latest of the lines that fit, below a line that says so; nothing if none does.
std::string fit(const std::vector<std::string> &lines, size_t room) {
  size_t bytes = 0, first = lines.size();
  while (first > 0 && bytes + lines[first - 1].size() + 1 <= room)
    bytes += lines[--first].size() + 1;
  const size_t note = std::strlen(does_not_fit) + 1;
  std::string text;
  if (first > 0) {
    while (first < lines.size() && bytes + note > room)
      bytes -= lines[first++].size() + 1;
    if (first == lines.size())
      return {};
    text = std::string(does_not_fit) + "\n";
  }
  for (size_t i = first; i < lines.size(); ++i)
    text += lines[i] + "\n";
  return text;
}

} // namespace

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData,
                                     cudaLogsCallbackHandle *callback_out) {
  return call([&] {
    if (!callbackFunc)
      return cudaErrorInvalidValue;
    auto *const listener =
        errorLog().listen(reinterpret_cast<ErrorLog::Callback>(callbackFunc), userData);
    if (callback_out)
      *callback_out = reinterpret_cast<cudaLogsCallbackHandle>(listener);
    return cudaSuccess;
  });
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  return call([&] {
    return errorLog().stopListening(reinterpret_cast<ErrorLog::Listener *>(callback))
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

cudaError_t cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned int flags) {
  return call([&] {
    if (!iterator_out || flags)
      return cudaErrorInvalidValue;
    *iterator_out = errorLog().next();
    return cudaSuccess;
  });
}

cudaError_t cudaLogsDumpToFile(cudaLogIterator *iterator, const char *pathToFile,
                               unsigned int flags) {
  return call([&] {
    if (!pathToFile || flags)
      return cudaErrorInvalidValue;
    FILE *const file = std::fopen(pathToFile, "w");
    if (!file) {
      std::fprintf(stderr, "heddle: cudaLogsDumpToFile: %s: %s\n", pathToFile,
                   std::strerror(errno));
      return cudaErrorInvalidValue;
    }
    bool good = true;
    for (const std::string &line : take(iterator))
      good = std::fprintf(file, "%s\n", line.c_str()) >= 0 && good;
    good = std::fclose(file) == 0 && good;
    return good ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size,
                                 unsigned int flags) {
  return call([&] {
    if (!buffer || !size || *size == 0 || flags)
      return cudaErrorInvalidValue;
    cudaLogIterator from = iterator ? *iterator : 0;
    const std::vector<std::string> lines = take(&from);
    const std::string text = fit(lines, *size - 1);
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    *size = text.size();
    if (text.empty() && !lines.empty())
      return cudaErrorInvalidValue; // not even one fits
    if (iterator)
      *iterator = from;
    return cudaSuccess;
  });
}
