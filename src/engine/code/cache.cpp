// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/code/cache.h"

#include "engine/abi.h"
#include "support/hash.h"
#include "support/paths.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
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

constexpr const char *suffix = ".so", *prelude_suffix = ".pch", *draft_mark = ".tmp";
constexpr const char *prelude_folder = "preludes";
constexpr unsigned folders = 256; // by the key's first two digits

// At the end of each entry, where the loader of shared objects does not look.
constexpr std::string_view seal_mark = "HEDDLE-SEAL-";

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
  if (stat(compilerProgram().c_str(), &status) != 0)
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

Contents contents(const fs::path &folder) {
  Contents found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone; // another process may delete while we look
    if (it->path().filename().string().find(draft_mark) != std::string::npos) {
      found.drafts.push_back(it->path());
    } else if (it->path().extension() == suffix || it->path().extension() == prelude_suffix) {
      const uint64_t bytes = it->file_size(gone);
      const fs::file_time_type used = it->last_write_time(gone);
      if (!gone)
        found.entries.push_back({it->path(), bytes, used});
    }
  }
  return found;
}

uint64_t sizeOf(const std::vector<Entry> &entries) {
  uint64_t total = 0;
  for (const Entry &entry : entries)
    total += entry.bytes;
  return total;
}

// Makes room, but not by deleting `keep`, which is about to be loaded.
void prune(const fs::path &keep) {
  // Keys are hashes, so entries spread evenly over the folders: while that of `keep` holds no more
  // than its share, the others need not be looked through.
  if (sizeOf(contents(keep.parent_path()).entries) <= limitBytes() / folders)
    return;
  std::vector<Entry> all = contents(cacheFolder()).entries;
  uint64_t total = sizeOf(all);
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

bool readFile(const fs::path &path, std::string &content) {
  std::error_code error;
  const uint64_t bytes = fs::file_size(path, error);
  if (error)
    return false;
  content.resize(bytes);
  std::ifstream file(path, std::ios::binary);
  return bool(file.read(content.data(), std::streamsize(content.size())));
}

std::string sealOf(std::string_view content) {
  return std::string(seal_mark) + contentHash(content);
}

void seal(const fs::path &path) {
  std::string content;
  if (!readFile(path, content))
    throw std::system_error(errno, std::generic_category(), "cannot read " + path.string());
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file << sealOf(content);
  file.close();
  if (!file)
    throw std::system_error(errno, std::generic_category(), "cannot write " + path.string());
}

// The bytes of an entry before its seal; nothing if it is not whole.
std::optional<std::string> sealedContent(const fs::path &path) {
  std::string content;
  const size_t length = seal_mark.size() + contentHash("").size();
  if (!readFile(path, content) || content.size() < length)
    return std::nullopt;
  const std::string seal = content.substr(content.size() - length);
  content.resize(content.size() - length);
  if (seal != sealOf(content))
    return std::nullopt;
  return content;
}

fs::path entryPath(const std::string &key) {
  if (key.starts_with(prelude_folder))
    return cacheFolder() / (key + prelude_suffix);
  return cacheFolder() / key.substr(0, 2) / (key + suffix);
}

fs::path temporaryName(const fs::path &folder, const fs::path &entry) {
  static std::atomic<unsigned> counter{0};
  return folder / fmt::format("{}.{}.{}{}", entry.stem().string(), getpid(), counter++, draft_mark);
}

} // namespace

std::string cacheKey(std::string_view image, std::string_view engine, std::string_view part) {
  const char *cpu = std::getenv("HEDDLE_CPU"), *skipped = std::getenv("HEDDLE_SIMD_SKIP");
  static const std::string machine =
      cpuIdentity() + (cpu ? cpu : "") + buildIdentity() + (skipped ? skipped : "");
  return contentHash(
      fmt::format("{}|{}|{}|{}|{}", abi_version, engine, part, machine, contentHash(image)));
}

std::string preludeKey(std::string_view all) {
  return fmt::format("{}/{}", prelude_folder, cacheKey(all, "clang", "prelude"));
}

bool keepsPreludes() {
  constexpr uint64_t few = 64 << 20; // megabytes for some preludes and more compiled code
  const fs::path folder = cacheFolder() / prelude_folder;
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && limitBytes() >= few && access(folder.c_str(), W_OK) == 0 &&
         fs::space(folder, error).available >= few && !error;
}

CacheStatus cacheStatus() {
  CacheStatus status;
  status.folder = cacheFolder();
  status.limit_bytes = limitBytes();
  for (const Entry &entry : contents(cacheFolder()).entries) {
    ++status.entries;
    status.bytes += entry.bytes;
  }
  return status;
}

uint64_t clearCache() {
  const Contents all = contents(cacheFolder());
  std::error_code ignored;
  for (const fs::path &draft : all.drafts)
    fs::remove(draft, ignored);
  uint64_t count = 0;
  for (const Entry &entry : all.entries)
    count += fs::remove(entry.path, ignored);
  return count;
}

namespace {

// The path is empty if there is no such entry, or a broken one.
std::optional<std::string> find(const std::string &key, fs::path &path) {
  path = entryPath(key);
  if (access(path.c_str(), R_OK) != 0)
    return std::nullopt;
  std::optional<std::string> content = sealedContent(path);
  if (!content) {
    std::error_code ignored;
    fs::remove(path, ignored);
    return std::nullopt;
  }
  // The time of last use, for pruning.
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return content;
}

} // namespace

fs::path findInCache(const std::string &key) {
  fs::path path;
  return find(key, path) ? path : fs::path();
}

std::optional<std::string> readFromCache(const std::string &key) {
  fs::path path;
  return find(key, path);
}

void writeToCache(const std::string &key, std::string_view content) {
  bool temporary = false;
  try {
    const fs::path file = addToCache(
        key,
        [&](const fs::path &path) {
          std::ofstream stream(path, std::ios::binary);
          stream << content;
          stream.close();
          if (!stream)
            throw std::system_error(errno, std::generic_category(), "cannot write");
        },
        temporary);
    std::error_code ignored;
    if (temporary)
      fs::remove(file, ignored);
  } catch (const std::system_error &) { // the disk is full: next time it is made again
  }
}

fs::path addToCache(const std::string &key, const std::function<void(const fs::path &)> &make,
                    bool &temporary) {
  fs::path path = entryPath(key);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  temporary = false;
  if (!error && access(path.parent_path().c_str(), W_OK) == 0) {
    const fs::path draft = temporaryName(path.parent_path(), path);
    std::error_code ignored;
    try {
      make(draft);
      seal(draft);
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
  const fs::path draft = temporaryName(fs::temp_directory_path(), path);
  try {
    make(draft);
  } catch (...) {
    fs::remove(draft, error);
    throw;
  }
  return draft;
}

} // namespace heddle::engine
