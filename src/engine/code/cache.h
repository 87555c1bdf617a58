// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels on disk.
//
// The name of an entry is the hash of everything that determines its content: the device image and
// what of it is compiled, the engine, this build of Heddle and the CPU. So an entry is never wrong,
// only unused, and entries may be deleted at any time. Writers make a temporary file and rename it,
// so that concurrent processes, a crash or a full disk leave no broken entry. What a machine that
// loses power or a bad disk may leave is noticed by the hash of its content at its end, and is as
// good as not there. The oldest entries go when the folder grows over HEDDLE_CACHE_SIZE megabytes
// (default 1024).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::engine {

/// The cache key of a part of `image` (its bytes) compiled for `engine` on this machine.
std::string cacheKey(std::string_view image, std::string_view engine, std::string_view part);

/// The key of a prelude, a header that Clang has precompiled, by all that it depends on. Preludes
/// lie in a folder of their own, and are shared by all programs.
std::string preludeKey(std::string_view all);

/// Whether a prelude would find its place: where none is kept, it is not worth being made.
bool keepsPreludes();

struct CacheStatus {
  std::filesystem::path folder;
  uint64_t entries = 0, bytes = 0, limit_bytes = 0;
};
CacheStatus cacheStatus();

/// Deletes all entries; returns how many there were.
uint64_t clearCache();

/// The entry's file if it is there, and whole. One that is not is deleted.
std::filesystem::path findInCache(const std::string &key);

/// Calls make(path) to write a file and keeps it, with a hash behind it, under `key`. Where the
/// cache folder cannot be written (make throws std::system_error then), the file is made in the
/// temporary folder instead and `temporary` is set: the caller deletes it after loading.
std::filesystem::path addToCache(const std::string &key,
                                 const std::function<void(const std::filesystem::path &)> &make,
                                 bool &temporary);

/// The same for entries that are no files to load. What cannot be kept is not.
std::optional<std::string> readFromCache(const std::string &key);
void writeToCache(const std::string &key, std::string_view content);

} // namespace heddle::engine
