// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/gpu_codes.h"

#include <gtest/gtest.h>
#include <vector>

namespace heddle {
namespace {

bool runs(std::vector<std::string> codes, unsigned capability, bool only_ptx = false) {
  return runsOnGpu(codes, capability, only_ptx);
}

TEST(GpuCodes, MachineCodeIsForOneMajorVersion) {
  EXPECT_TRUE(runs({"sm_80"}, 80));
  EXPECT_TRUE(runs({"sm_80"}, 86));
  EXPECT_TRUE(runs({"sm_80"}, 89));
  EXPECT_FALSE(runs({"sm_86"}, 80));
  EXPECT_FALSE(runs({"sm_80"}, 90));
  EXPECT_FALSE(runs({"sm_80"}, 75));
  EXPECT_FALSE(runs({"sm_100"}, 120));
}

TEST(GpuCodes, PtxIsForLaterGpusToo) {
  EXPECT_TRUE(runs({"compute_80"}, 80));
  EXPECT_TRUE(runs({"compute_80"}, 120));
  EXPECT_FALSE(runs({"compute_80"}, 75));
  EXPECT_TRUE(runs({"sm_75", "sm_80", "compute_80"}, 90));
}

TEST(GpuCodes, SuffixesNarrow) {
  EXPECT_TRUE(runs({"sm_90a"}, 90));
  EXPECT_TRUE(runs({"compute_90a"}, 90));
  EXPECT_FALSE(runs({"compute_90a"}, 100));
  EXPECT_FALSE(runs({"sm_100a"}, 103));
  EXPECT_TRUE(runs({"sm_100f"}, 103));
  EXPECT_TRUE(runs({"compute_100f"}, 103));
  EXPECT_FALSE(runs({"compute_100f"}, 120));
}

TEST(GpuCodes, OnlyPtxMayCount) {
  EXPECT_FALSE(runs({"sm_90"}, 90, true));
  EXPECT_TRUE(runs({"sm_90", "compute_90"}, 90, true));
}

TEST(GpuCodes, NoneIsForAll) { EXPECT_TRUE(runs({}, 60, true)); }

} // namespace
} // namespace heddle
