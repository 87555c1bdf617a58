// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/commands.h"

#include "engine/code/cache.h"

#include <fmt/format.h>

namespace heddle::cli {
namespace {

std::string megabytes(uint64_t bytes) {
  return fmt::format("{:.1f} MB", double(bytes) / double(1 << 20));
}

} // namespace

int cacheStatusCommand() {
  const engine::CacheStatus status = engine::cacheStatus();
  fmt::print("folder   {}\n"
             "entries  {}\n"
             "size     {}\n"
             "limit    {} (HEDDLE_CACHE_SIZE, in megabytes)\n",
             status.folder.string(), status.entries, megabytes(status.bytes),
             megabytes(status.limit_bytes));
  return 0;
}

int cacheClearCommand() {
  const engine::CacheStatus before = engine::cacheStatus();
  const uint64_t removed = engine::clearCache();
  fmt::print("removed {} {} ({}) from {}\n", removed, removed == 1 ? "entry" : "entries",
             megabytes(before.bytes), before.folder.string());
  const uint64_t left = engine::cacheStatus().entries;
  if (left)
    throw std::runtime_error(fmt::format("{} entries could not be removed", left));
  return 0;
}

} // namespace heddle::cli
