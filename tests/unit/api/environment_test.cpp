// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the environment decides, each in a process of its own (a death test), as it is read once.
#include "program.h"

#include <cstdlib>
#include <unistd.h>

using namespace program;
using namespace heddle;

namespace {

class EnvironmentDeathTest : public testing::Test {
protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }

  /// Ends the process with the number of devices, or 100 more than the error's code.
  [[noreturn]] static void countDevices(const char *variable, const char *value) {
    setenv(variable, value, 1);
    int count = -1;
    cudaError_t error = cudaGetDeviceCount(&count);
    int again = -1;
    if (cudaGetDevice(&again) != error) // the answer stays, the message is not repeated
      _exit(99);
    _exit(error == cudaSuccess ? count : 100 + int(error));
  }
  /// A kernel that reads address 0.
  static void defineFaultyStore() {
    fake::define("store", [](const engine::Launch &) {
      return engine::Fault{cudaErrorIllegalAddress, "what happened and where"};
    });
  }
};

TEST_F(EnvironmentDeathTest, SaysHowManyDevices) {
  EXPECT_EXIT(countDevices("HEDDLE_DEVICES", "4"), testing::ExitedWithCode(4), "^$");
  EXPECT_EXIT(countDevices("HEDDLE_DEVICES", "0"), testing::ExitedWithCode(100 + cudaErrorNoDevice),
              "^$");
  for (const char *wrong : {"many", "-1", "65", "2x"})
    EXPECT_EXIT(countDevices("HEDDLE_DEVICES", wrong),
                testing::ExitedWithCode(100 + cudaErrorInitializationError),
                std::string("HEDDLE_DEVICES=") + wrong);
}

TEST_F(EnvironmentDeathTest, SaysWhichGpu) {
  EXPECT_EXIT(countDevices("HEDDLE_GPU", "abacus"),
              testing::ExitedWithCode(100 + cudaErrorInitializationError), "abacus.*t4");
  EXPECT_EXIT(
      {
        setenv("HEDDLE_GPU", "h200", 1);
        cudaDeviceProp properties = {};
        cudaGetDeviceProperties(&properties, 0);
        _exit(properties.major);
      },
      testing::ExitedWithCode(9), "^$");
}

TEST_F(EnvironmentDeathTest, MakesLaunchesBlock) {
  EXPECT_EXIT(
      {
        setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
        defineFaultyStore();
        _exit(launchStore(nullptr, 1) == cudaErrorIllegalAddress ? 7 : 8);
      },
      testing::ExitedWithCode(7), "^$");
}

TEST_F(EnvironmentDeathTest, SilencesFaults) {
  auto fault = [](const char *quiet) {
    setenv("HEDDLE_QUIET", quiet, 1);
    defineFaultyStore();
    launchStore(nullptr, 1);
    cudaDeviceSynchronize();
    _exit(0);
  };
  EXPECT_EXIT(fault("0"), testing::ExitedWithCode(0), "^what happened and where\n$");
  EXPECT_EXIT(fault("1"), testing::ExitedWithCode(0), "^$");
}

void atExit() { fprintf(stderr, "free at exit: %d", int(cudaFree(nullptr))); }

TEST_F(EnvironmentDeathTest, AnswersAfterItsEnd) {
  EXPECT_EXIT(
      {
        atexit(atExit); // registered before CUDA's own, so called after it
        cudaFree(nullptr);
        exit(0);
      },
      testing::ExitedWithCode(0), "free at exit: 4");
}

} // namespace
