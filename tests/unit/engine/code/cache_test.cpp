// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled kernels on disk: found again, thrown away in time, safe with many writers.
#include "engine/code/cache.h"

#include "engine/part.h"

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

constexpr size_t seal_bytes = 44; // behind what was made

std::string readAll(const fs::path &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// An entry without its seal.
std::string read(const fs::path &path) {
  const std::string all = readAll(path);
  return all.substr(0, all.size() - std::min(all.size(), seal_bytes));
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
  const std::string key = cacheKey("image", "reference", "k");
  EXPECT_TRUE(findInCache(key).empty());
  const fs::path added = add(key, 10);
  EXPECT_EQ(findInCache(key), added);
  EXPECT_EQ(read(added), "xxxxxxxxxx");
  EXPECT_EQ(cacheStatus().entries, 1u);
  EXPECT_EQ(cacheStatus().bytes, 10u + seal_bytes);
  EXPECT_EQ(cacheStatus().folder, folder_ / "cache");
}

TEST_F(Cache, KeysDependOnImageEngineAndPart) {
  const std::set<std::string> keys = {
      cacheKey("a", "reference", "k"),      cacheKey("b", "reference", "k"),
      cacheKey("a", "simd", "k"),           cacheKey("", "reference", "k"),
      cacheKey("a", "simd", "l"),           cacheKey("a", "simd", whole_image),
      cacheKey("a", "simd", initial_values)};
  EXPECT_EQ(keys.size(), 7u);
  EXPECT_EQ(cacheKey("a", "simd", "k"), cacheKey("a", "simd", "k"));
}

// After a crash of the machine a file may have its size and none of its content.
TEST_F(Cache, ABrokenEntryIsAsGoodAsNone) {
  const std::string key = cacheKey("a", "e", "k");
  const auto broken = [&](const std::string &content) {
    const fs::path path = add(key, 100);
    EXPECT_EQ(findInCache(key), path);
    std::ofstream(path) << content;
    EXPECT_TRUE(findInCache(key).empty()) << content.size();
    EXPECT_FALSE(fs::exists(path)) << "it would be looked at again and again";
  };
  const std::string whole = readAll(add(key, 100));
  broken("");
  broken("x");
  broken(whole.substr(1));
  broken(whole.substr(0, 50));
  broken(whole.substr(0, whole.size() - 1));
  broken(whole + "x");
  broken(std::string(whole.size(), '\0'));
  std::string one_bit = whole;
  one_bit[70] ^= 1;
  broken(one_bit);
  EXPECT_EQ(read(add(key, 100)), std::string(100, 'x'));
  EXPECT_FALSE(findInCache(key).empty());
}

TEST_F(Cache, ClearRemovesEverything) {
  add(cacheKey("a", "e", "k"), 5);
  add(cacheKey("b", "e", "k"), 5);
  EXPECT_EQ(clearCache(), 2u);
  EXPECT_EQ(cacheStatus().entries, 0u);
  EXPECT_TRUE(findInCache(cacheKey("a", "e", "k")).empty());
  EXPECT_EQ(clearCache(), 0u);
}

TEST_F(Cache, AnEntryThatIsAddedAgainReplacesTheOld) {
  const std::string key = cacheKey("a", "e", "k");
  add(key, 5, 'a');
  EXPECT_EQ(read(add(key, 6, 'b')), "bbbbbb");
  EXPECT_EQ(cacheStatus().entries, 1u);
}

TEST_F(Cache, TheOldestGoFirst) {
  setenv("HEDDLE_CACHE_SIZE", "1", 1); // megabyte
  std::vector<std::string> keys;
  for (const char *image : {"a", "b", "c"}) {
    keys.push_back(cacheKey(image, "e", "k"));
    add(keys.back(), 300 << 10);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_FALSE(findInCache(keys[0]).empty()); // now "a" is the one used last
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  keys.push_back(cacheKey("d", "e", "k"));
  add(keys.back(), 300 << 10); // 1200 KiB in all: over the limit
  EXPECT_FALSE(findInCache(keys[0]).empty());
  EXPECT_TRUE(findInCache(keys[1]).empty());
  EXPECT_TRUE(findInCache(keys[2]).empty());
  EXPECT_FALSE(findInCache(keys[3]).empty());
}

// Most additions look at one folder only.
TEST_F(Cache, StaysBelowItsLimitWithManyEntries) {
  setenv("HEDDLE_CACHE_SIZE", "1", 1); // megabyte
  uint64_t most = 0;
  for (int image = 0; image < 500; ++image) {
    add(cacheKey(std::to_string(image), "e", "k"), 5000);
    if (image % 10 == 0)
      most = std::max(most, cacheStatus().bytes);
  }
  EXPECT_LT(most, 1100u << 10);
  EXPECT_GT(most, 900u << 10);
}

// The caller is about to load it.
TEST_F(Cache, WhatWasJustAddedIsThereHoweverSmallTheCache) {
  setenv("HEDDLE_CACHE_SIZE", "0", 1);
  add(cacheKey("old", "e", "k"), 1000);
  const fs::path path = add(cacheKey("new", "e", "k"), 1000);
  EXPECT_TRUE(fs::exists(path));
  EXPECT_TRUE(findInCache(cacheKey("old", "e", "k")).empty());
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
  EXPECT_EQ(readAll(path), "xxxx");
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
  EXPECT_EQ(readAll(path), "xxxx");
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
  EXPECT_EQ(readAll(path), "xxxx");
  fs::remove(path);
}

// Many processes compile the same kernel at once: a process that looks sees nothing or a whole
// entry.
TEST_F(Cache, ConcurrentWritersNeverShowHalfAnEntry) {
  const std::string key = cacheKey("same", "e", "k");
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
