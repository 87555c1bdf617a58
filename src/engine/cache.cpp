// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/cache.h"

#include "engine/abi.h"
#include "support/hash.h"
#include "support/paths.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

namespace heddle::engine {
namespace fs = std::filesystem;
namespace {

constexpr const char *suffix = ".so", *draft_mark = ".tmp";

// What the code generator would look at to choose instructions.
std::string cpuIdentity() {
  std::string text;
#if defined(__x86_64__)
  for (unsigned leaf : {0u, 1u, 7u, 0x80000001u}) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, 0, &a, &b, &c, &d);
    if (leaf == 1)
      b = 0; // the number of the core that we happen to run on
    text += fmt::format("{:x}.{:x}.{:x}.{:x};", a, b, c, d);
  }
#else
  text = fmt::format("hwcap {:x}", getauxval(AT_HWCAP));
#endif
  return text;
}

// Changes whenever the compiler does.
std::string buildIdentity() {
  struct stat status = {};
  if (stat(jitProgram().c_str(), &status) != 0)
    return "none";
  return fmt::format("{}.{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

uint64_t limitBytes() {
  uint64_t megabytes = 1024;
  if (const char *text = std::getenv("HEDDLE_CACHE_SIZE"))
    megabytes = std::strtoull(text, nullptr, 10);
  return megabytes << 20;
}

struct Entry {
  fs::path path;
  uint64_t bytes;
  fs::file_time_type used;
};

struct Contents {
  std::vector<Entry> entries;
  std::vector<fs::path> drafts; // of compilations that are running, or were killed
};

Contents contents() {
  Contents found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(cacheFolder(), error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone; // another process may delete while we look
    if (it->path().filename().string().find(draft_mark) != std::string::npos) {
      found.drafts.push_back(it->path());
    } else if (it->path().extension() == suffix) {
      const uint64_t bytes = it->file_size(gone);
      const fs::file_time_type used = it->last_write_time(gone);
      if (!gone)
        found.entries.push_back({it->path(), bytes, used});
    }
  }
  return found;
}

// Makes room, but not by deleting `keep`, which is about to be loaded.
void prune(const fs::path &keep) {
  std::vector<Entry> all = contents().entries;
  uint64_t total = 0;
  for (const Entry &entry : all)
    total += entry.bytes;
  if (total <= limitBytes())
    return;
  std::sort(all.begin(), all.end(), [](const Entry &a, const Entry &b) { return a.used < b.used; });
  // Down to three quarters, so that not every new entry has to look through the folder for room.
  for (const Entry &entry : all) {
    if (total <= limitBytes() / 4 * 3)
      return;
    std::error_code ignored;
    if (entry.path != keep && fs::remove(entry.path, ignored))
      total -= entry.bytes;
  }
}

fs::path entryPath(const std::string &key) {
  return cacheFolder() / key.substr(0, 2) / (key + suffix);
}

fs::path temporaryName(const fs::path &folder, const std::string &key) {
  static std::atomic<unsigned> counter{0};
  return folder / fmt::format("{}.{}.{}{}", key, getpid(), counter++, draft_mark);
}

} // namespace

std::string cacheKey(std::string_view image, std::string_view engine) {
  static const std::string machine = cpuIdentity() + buildIdentity();
  return contentHash(fmt::format("{}|{}|{}|{}", abi_version, engine, machine, contentHash(image)));
}

CacheStatus cacheStatus() {
  CacheStatus status;
  status.folder = cacheFolder();
  status.limit_bytes = limitBytes();
  for (const Entry &entry : contents().entries) {
    ++status.entries;
    status.bytes += entry.bytes;
  }
  return status;
}

uint64_t clearCache() {
  const Contents all = contents();
  std::error_code ignored;
  for (const fs::path &draft : all.drafts)
    fs::remove(draft, ignored);
  uint64_t count = 0;
  for (const Entry &entry : all.entries)
    count += fs::remove(entry.path, ignored);
  return count;
}

fs::path findInCache(const std::string &key) {
  fs::path path = entryPath(key);
  if (access(path.c_str(), R_OK) != 0)
    return {};
  // The time of last use, for pruning.
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return path;
}

fs::path addToCache(const std::string &key, const std::function<void(const fs::path &)> &make,
                    bool &temporary) {
  fs::path path = entryPath(key);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  temporary = false;
  if (!error && access(path.parent_path().c_str(), W_OK) == 0) {
    const fs::path draft = temporaryName(path.parent_path(), key);
    std::error_code ignored;
    try {
      make(draft);
      fs::rename(draft, path, error);
      if (!error) {
        prune(path);
        return path;
      }
    } catch (const std::system_error &disk) {
      error = disk.code(); // try elsewhere
    } catch (...) {
      fs::remove(draft, ignored);
      // The compiler and the linker only say that they failed. A full disk is a reason to try
      // elsewhere; an error in the program is not.
      if (fs::space(path.parent_path(), ignored).available > (16u << 20))
        throw;
    }
    fs::remove(draft, ignored);
  }
  temporary = true;
  const fs::path draft = temporaryName(fs::temp_directory_path(), key);
  try {
    make(draft);
  } catch (...) {
    fs::remove(draft, error);
    throw;
  }
  return draft;
}

} // namespace heddle::engine
