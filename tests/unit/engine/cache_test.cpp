// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels on disk: found again, thrown away in time, safe with many writers.
#include "engine/cache.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace heddle::engine;
namespace fs = std::filesystem;

namespace {

void write(const fs::path &path, size_t bytes, char letter = 'x') {
  std::ofstream(path) << std::string(bytes, letter);
}

std::string read(const fs::path &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Cache : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/heddle-cache-test-XXXXXX";
    folder_ = mkdtemp(name);
    setenv("HEDDLE_CACHE", (folder_ / "cache").c_str(), 1);
    unsetenv("HEDDLE_CACHE_SIZE");
  }
  void TearDown() override {
    chmod((folder_ / "cache").c_str(), 0755);
    fs::remove_all(folder_);
  }
  fs::path add(const std::string &key, size_t bytes, char letter = 'x') {
    bool temporary = true;
    fs::path path =
        addToCache(key, [&](const fs::path &out) { write(out, bytes, letter); }, temporary);
    EXPECT_FALSE(temporary);
    return path;
  }
  fs::path folder_;
};

TEST_F(Cache, FindsWhatWasAdded) {
  const std::string key = cacheKey("image", "reference");
  EXPECT_TRUE(findInCache(key).empty());
  const fs::path added = add(key, 10);
  EXPECT_EQ(findInCache(key), added);
  EXPECT_EQ(read(added), "xxxxxxxxxx");
  EXPECT_EQ(cacheStatus().entries, 1u);
  EXPECT_EQ(cacheStatus().bytes, 10u);
  EXPECT_EQ(cacheStatus().folder, folder_ / "cache");
}

TEST_F(Cache, KeysDependOnImageAndEngine) {
  const std::set<std::string> keys = {cacheKey("a", "reference"), cacheKey("b", "reference"),
                                      cacheKey("a", "simd"), cacheKey("", "reference")};
  EXPECT_EQ(keys.size(), 4u);
  EXPECT_EQ(cacheKey("a", "reference"), cacheKey("a", "reference"));
}

TEST_F(Cache, ClearRemovesEverything) {
  add(cacheKey("a", "e"), 5);
  add(cacheKey("b", "e"), 5);
  EXPECT_EQ(clearCache(), 2u);
  EXPECT_EQ(cacheStatus().entries, 0u);
  EXPECT_TRUE(findInCache(cacheKey("a", "e")).empty());
  EXPECT_EQ(clearCache(), 0u);
}

TEST_F(Cache, AnEntryThatIsAddedAgainReplacesTheOld) {
  const std::string key = cacheKey("a", "e");
  add(key, 5, 'a');
  EXPECT_EQ(read(add(key, 6, 'b')), "bbbbbb");
  EXPECT_EQ(cacheStatus().entries, 1u);
}

TEST_F(Cache, TheOldestGoFirst) {
  setenv("HEDDLE_CACHE_SIZE", "1", 1); // megabyte
  std::vector<std::string> keys;
  for (const char *image : {"a", "b", "c"}) {
    keys.push_back(cacheKey(image, "e"));
    add(keys.back(), 300 << 10);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_FALSE(findInCache(keys[0]).empty()); // now "a" is the one used last
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  keys.push_back(cacheKey("d", "e"));
  add(keys.back(), 300 << 10); // 1200 KiB in all: over the limit
  EXPECT_FALSE(findInCache(keys[0]).empty());
  EXPECT_TRUE(findInCache(keys[1]).empty());
  EXPECT_TRUE(findInCache(keys[2]).empty());
  EXPECT_FALSE(findInCache(keys[3]).empty());
}

// The caller is about to load it.
TEST_F(Cache, WhatWasJustAddedIsThereHoweverSmallTheCache) {
  setenv("HEDDLE_CACHE_SIZE", "0", 1);
  add(cacheKey("old", "e"), 1000);
  const fs::path path = add(cacheKey("new", "e"), 1000);
  EXPECT_TRUE(fs::exists(path));
  EXPECT_TRUE(findInCache(cacheKey("old", "e")).empty());
}

TEST_F(Cache, AFailedCompilationLeavesNothing) {
  bool temporary = false;
  EXPECT_THROW(addToCache(
                   "abcd",
                   [](const fs::path &out) {
                     write(out, 3);
                     throw std::runtime_error("does not compile");
                   },
                   temporary),
               std::runtime_error);
  for (const auto &entry : fs::recursive_directory_iterator(folder_))
    EXPECT_TRUE(entry.is_directory()) << entry.path();
}

TEST_F(Cache, AFolderThatCannotBeWrittenMeansATemporaryFile) {
  write(folder_ / "cache", 1); // a file where the folder should be: not even root can write into it
  bool temporary = false;
  const fs::path path = addToCache("abcd", [](const fs::path &out) { write(out, 4); }, temporary);
  EXPECT_TRUE(temporary);
  EXPECT_EQ(read(path), "xxxx");
  EXPECT_TRUE(findInCache("abcd").empty());
  EXPECT_EQ(cacheStatus().entries, 0u);
  fs::remove(path);
}

// A quota, say: df still shows room.
TEST_F(Cache, ADiskThatDoesNotTakeItMeansATemporaryFile) {
  int calls = 0;
  bool temporary = false;
  const fs::path path = addToCache(
      "abcd",
      [&](const fs::path &out) {
        write(out, 4);
        if (calls++ == 0)
          throw std::system_error(EDQUOT, std::generic_category());
      },
      temporary);
  EXPECT_TRUE(temporary);
  EXPECT_EQ(read(path), "xxxx");
  EXPECT_TRUE(findInCache("abcd").empty());
  fs::remove(path);
  for (const auto &entry : fs::recursive_directory_iterator(folder_))
    EXPECT_TRUE(entry.is_directory()) << entry.path();
}

TEST_F(Cache, ReadOnlyFoldersToo) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write anywhere";
  fs::create_directory(folder_ / "cache");
  chmod((folder_ / "cache").c_str(), 0555);
  bool temporary = false;
  const fs::path path = addToCache("abcd", [](const fs::path &out) { write(out, 4); }, temporary);
  EXPECT_TRUE(temporary);
  EXPECT_EQ(read(path), "xxxx");
  fs::remove(path);
}

// Many processes compile the same kernel at once: whoever looks sees nothing or a whole entry.
TEST_F(Cache, ConcurrentWritersNeverShowHalfAnEntry) {
  const std::string key = cacheKey("same", "e");
  std::vector<pid_t> children;
  for (int child = 0; child < 6; ++child) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      int broken = 0;
      for (int round = 0; round < 30; ++round) {
        bool temporary = false;
        addToCache(
            key,
            [&](const fs::path &out) {
              std::ofstream file(out);
              for (int part = 0; part < 10; ++part)
                file << std::string(1000, char('a' + child)) << std::flush;
            },
            temporary);
        const std::string seen = read(findInCache(key));
        broken += seen.size() != 10000 || seen != std::string(10000, seen[0]);
      }
      _exit(broken);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(cacheStatus().entries, 1u);
}

} // namespace
