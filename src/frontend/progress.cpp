// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/progress.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace heddle::frontend {
namespace {

constexpr std::chrono::seconds patience{3};

} // namespace

Progress::Progress(std::string source) : source_(std::move(source)) {
  if (isatty(STDERR_FILENO))
    watcher_ = std::thread(&Progress::watch, this);
}

Progress::~Progress() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  if (watcher_.joinable())
    watcher_.join();
}

void Progress::enter(std::string what) {
  const std::scoped_lock lock(mutex_);
  phase_ = std::move(what);
  if (slow_)
    tell();
}

void Progress::watch() {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, patience, [&] { return done_; }))
    return;
  slow_ = true;
  tell();
}

void Progress::tell() const {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begun_;
  if (!phase_.empty())
    fmt::print(stderr, "heddlecc: {}: after {:.0f} s, compiling {}\n", source_, since.count(),
               phase_);
}

} // namespace heddle::frontend
