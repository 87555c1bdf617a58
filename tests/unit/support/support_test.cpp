// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/hash.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/switches.h"
#include "support/system_packages.h"
#include "support/toolkit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

using namespace heddle;
namespace fs = std::filesystem;

namespace {

struct ScratchFolder {
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "heddle-test-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~ScratchFolder() { fs::remove_all(path); }
  fs::path path;
};

TEST(ContentHash, Is32HexadecimalDigits) {
  const std::string hash = contentHash("some bytes");
  EXPECT_EQ(hash.size(), 32u);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(hash, contentHash("some bytes"));
  // XXH3, 128 bits, of nothing: its published test value.
  EXPECT_EQ(contentHash(""), "99aa06d3014798d86001c324468d497f");
}

TEST(ContentHash, TellsContentsApart) {
  std::set<std::string> hashes;
  for (int length = 0; length < 300; ++length)
    hashes.insert(contentHash(std::string(size_t(length), '\0')));
  EXPECT_EQ(hashes.size(), 300u);
}

TEST(RunProcess, GivesTheExitCode) {
  EXPECT_EQ(runProcess({"true"}, Capture::None).exit_code, 0);
  EXPECT_EQ(runProcess({"sh", "-c", "exit 42"}, Capture::None).exit_code, 42);
  EXPECT_EQ(runProcess({"sh", "-c", "kill -9 $$"}, Capture::None).exit_code, 128 + 9);
  EXPECT_EQ(runProcess({"/nonexistent/program"}, Capture::Output).exit_code, 127);
}

TEST(RunProcess, CapturesWhatIsAsked) {
  const std::vector<std::string> talk = {"sh", "-c", "echo out; echo err >&2"};
  EXPECT_EQ(runProcess(talk, Capture::OutputAndErrors).output, "out\nerr\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(runProcess(talk, Capture::Output).output, "out\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "err\n");
}

TEST(RunProcess, PassesArgumentsUnchanged) {
  EXPECT_EQ(runProcess({"printf", "%s|", "a b", "", "$x", "'\""}, Capture::Output).output,
            "a b||$x|'\"|");
}

TEST(RunProcess, OutputMayBeLong) {
  const ProcessResult result =
      runProcess({"sh", "-c", "head -c 1000000 /dev/zero"}, Capture::Output);
  EXPECT_EQ(result.output.size(), 1000000u);
}

class Folders : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {"HEDDLE_HOME", "TMPDIR", "HEDDLE_CACHE", "XDG_CACHE_HOME", "HOME"})
      unsetenv(name);
  }
};

TEST_F(Folders, TheCacheIsWhereTheUserSays) {
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(cacheFolder(), "/home/someone/.cache/heddle");
  setenv("XDG_CACHE_HOME", "/var/cache/user", 1);
  EXPECT_EQ(cacheFolder(), "/var/cache/user/heddle");
  setenv("HEDDLE_CACHE", "/scratch/kernels", 1);
  EXPECT_EQ(cacheFolder(), "/scratch/kernels");
  setenv("HEDDLE_CACHE", "", 1); // as if not set
  EXPECT_EQ(cacheFolder(), "/var/cache/user/heddle");
}

TEST_F(Folders, WithoutAHomeTheCacheIsTemporary) {
  const ScratchFolder scratch;
  setenv("TMPDIR", scratch.path.c_str(), 1);
  const fs::path folder = cacheFolder();
  EXPECT_EQ(folder, scratch.path / ("heddle-cache-" + std::to_string(getuid())));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  EXPECT_EQ(cacheFolder(), folder);
  // Others could have put code there.
  fs::permissions(folder, fs::perms::all);
  EXPECT_EQ(cacheFolder(), "/proc/self/no-heddle-cache");
  fs::remove(folder);
  fs::create_symlink("/tmp", folder);
  EXPECT_EQ(cacheFolder(), "/proc/self/no-heddle-cache");
}

// The parts of a wheel that toolkitFolder needs.
TEST_F(Folders, AWheelsToolkitIsMadeFromItsList) {
  const ScratchFolder scratch;
  const fs::path root = scratch.path / "wheel's tree";
  fs::create_directories(root / "share/heddle");
  fs::create_directories(root / "lib");
  std::ofstream(root / "lib/libcudart.so.12") << "library";
  std::ofstream(root / "share/heddle/version.json") << "Heddle";
  std::ofstream(root / "share/heddle/toolkit.links")
      << "lib64/libcudart.so\tlib/libcudart.so.12\ntargets/x86_64-linux/lib\t../../lib64\n"
         "version.json\tshare/heddle/version.json\n";
  setenv("HEDDLE_HOME", root.c_str(), 1);
  setenv("HEDDLE_CACHE", (scratch.path / "cache").c_str(), 1);
  const fs::path folder = toolkitFolder(13);
  EXPECT_EQ(fs::canonical(folder / "targets/x86_64-linux/lib/libcudart.so"),
            fs::canonical(root / "lib/libcudart.so.12"));
  EXPECT_EQ(toolkitFolder(13), folder);
  // No half of one is left where none can be made.
  fs::create_directories(scratch.path / "full/toolkit");
  setenv("HEDDLE_CACHE", (scratch.path / "full").c_str(), 1);
  std::ofstream(scratch.path / "full/toolkit" / folder.filename()) << "in the way";
  EXPECT_THROW(toolkitFolder(13), std::runtime_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path / "full/toolkit"), {}), 1);
}

TEST(HowToInstall, NamesTheCommandOfTheDistribution) {
  EXPECT_EQ(howToInstallCxxLibrary("ID=fedora\n"), "install it: sudo dnf install gcc-c++");
  EXPECT_EQ(howToInstallCxxLibrary("NAME=x\nID=ubuntu\nID_LIKE=debian\n"),
            "install it: sudo apt-get install g++");
  EXPECT_EQ(howToInstallCxxLibrary("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n"),
            "install it: sudo zypper install gcc-c++");
  EXPECT_EQ(howToInstallCxxLibrary("ID=manjaro\nID_LIKE=arch\n"), "install it: sudo pacman -S gcc");
  for (const char *command : {"apt-get install g++", "dnf", "pacman", "zypper"})
    EXPECT_NE(howToInstallCxxLibrary("ID=unknown\n").find(command), std::string::npos);
}

// Only the first call looks, so each test has a process of its own (CTest sees to that).
TEST(InstallRoot, IsFoundFromTheProgramItself) {
  unsetenv("HEDDLE_HOME");
  EXPECT_TRUE(std::filesystem::exists(installRoot() / "share" / "heddle")) << installRoot();
  EXPECT_EQ(jitProgram(), installRoot() / "libexec" / "heddle" / "heddle-jit");
}

TEST(SwitchedOn, MeansSetToOne) {
  unsetenv("HEDDLE_SWITCH");
  EXPECT_FALSE(switchedOn("HEDDLE_SWITCH"));
  for (const char *off : {"", "0", "10", "yes"}) {
    setenv("HEDDLE_SWITCH", off, 1);
    EXPECT_FALSE(switchedOn("HEDDLE_SWITCH")) << off;
  }
  setenv("HEDDLE_SWITCH", "1", 1);
  EXPECT_TRUE(switchedOn("HEDDLE_SWITCH"));
}

} // namespace
