// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/error_log.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unistd.h>

namespace heddle {
namespace {

constexpr size_t most_bytes = 25600; // as in CUDA

/// [12:34:56.789][4711][CUDA][E][cudaMalloc]
std::string headOf(const char *call) {
  timespec now{};
  tm local{};
  clock_gettime(CLOCK_REALTIME, &now);
  localtime_r(&now.tv_sec, &local);
  char text[160];
  std::snprintf(text, sizeof text, "[%02d:%02d:%02d.%03d][%d][CUDA][E][%s] ", local.tm_hour,
                local.tm_min, local.tm_sec, int(now.tv_nsec / 1000000), int(gettid()), call);
  return text;
}

} // namespace

ErrorLog::ErrorLog() {
  if (const char *file = std::getenv("CUDA_LOG_FILE"))
    file_ = file;
}

ErrorLog &ErrorLog::instance() {
  static ErrorLog &log = *new ErrorLog; // calls may fail while the process ends
  return log;
}

void ErrorLog::write(const std::string &line) {
  if (file_.empty())
    return;
  const bool standard = file_ == "stdout" || file_ == "stderr";
  FILE *const to = file_ == "stdout"   ? stdout
                   : file_ == "stderr" ? stderr
                                       : std::fopen(file_.c_str(), "a");
  if (!to) {
    std::fprintf(stderr, "heddle: CUDA_LOG_FILE: cannot write %s\n", file_.c_str());
    file_.clear();
    return;
  }
  std::fprintf(to, "%s\n", line.c_str());
  if (!standard)
    std::fclose(to);
}

void ErrorLog::add(const char *call, const std::string &message) {
  std::string line = headOf(call) + message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::vector<Listener> listeners;
  {
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
    bytes_ += line.size() + 1;
    while (bytes_ > most_bytes && lines_.size() > 1) {
      bytes_ -= lines_.front().size() + 1;
      lines_.pop_front();
      ++first_;
    }
    write(line);
    for (const Listener *listener : listeners_)
      listeners.push_back(*listener);
  }
  for (const Listener &listener : listeners) // which may call CUDA
    listener.function(listener.data, 0, line.data(), line.size());
}

ErrorLog::Listener *ErrorLog::listen(Callback function, void *data) {
  auto *const listener = new Listener{function, data};
  const std::lock_guard lock(mutex_);
  listeners_.push_back(listener);
  return listener;
}

bool ErrorLog::stopListening(Listener *listener) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find(listeners_.begin(), listeners_.end(), listener);
  if (found == listeners_.end())
    return false;
  listeners_.erase(found);
  delete listener;
  return true;
}

uint32_t ErrorLog::next() {
  const std::lock_guard lock(mutex_);
  return first_ + uint32_t(lines_.size());
}

std::vector<std::string> ErrorLog::since(uint32_t from, bool &lost) {
  const std::lock_guard lock(mutex_);
  lost = from < first_;
  const size_t skipped = lost ? 0 : std::min<size_t>(from - first_, lines_.size());
  return {lines_.begin() + long(skipped), lines_.end()};
}

} // namespace heddle
