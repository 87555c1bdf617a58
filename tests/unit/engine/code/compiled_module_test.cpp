// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way from a device image to the compiler and back, where the disk does not play along.
#include "engine/code/compiled_module.h"

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <system_error>

using namespace heddle::engine;
namespace fs = std::filesystem;

namespace {

// A limit on the size of files fails a write half way, as a full disk does, on any machine.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit = {bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

private:
  rlimit old_ = {};
  void (*old_handler_)(int) = nullptr;
};

TEST(CompiledModule, ADiskThatDoesNotTakeTheImageIsNamedAsTheReason) {
  char name[] = "/tmp/heddle-module-test-XXXXXX";
  const fs::path folder = mkdtemp(name);
  setenv("HEDDLE_CACHE", (folder / "cache").c_str(), 1);
  setenv("TMPDIR", folder.c_str(), 1);
  try {
    FileSizeLimit limit(10000);
    compiledModule(std::string(20000, 'x'), "reference");
    ADD_FAILURE() << "half an image went to the compiler";
  } catch (const std::system_error &error) {
    EXPECT_EQ(error.code(), std::errc::file_too_large);
    EXPECT_NE(std::string(error.what()).find("cannot write"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(folder), std::string::npos) << error.what();
  }
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    EXPECT_TRUE(entry.is_directory()) << entry.path();
  unsetenv("TMPDIR");
  fs::remove_all(folder);
}

} // namespace
