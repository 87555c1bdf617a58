// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy against values worked out by hand from the published rules; the arithmetic stands
// beside each case. W, B, R, S are the limits by warps, blocks, registers and shared memory.
#include "gpu/occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <ostream>

namespace {

using namespace heddle::gpu;

const Gpu &shipped(std::string_view name) { return load(name, HEDDLE_GPUS); }

struct Case {
  const char *gpu;
  int threads, registers;
  uint64_t static_shared, dynamic_shared;
  int blocks; // expected
  Limiter limiter;
};

void PrintTo(const Case &one, std::ostream *out) {
  *out << one.gpu << " threads " << one.threads << " registers " << one.registers << " shared "
       << one.static_shared << "+" << one.dynamic_shared;
}

class HandWorked : public testing::TestWithParam<Case> {};

TEST_P(HandWorked, BlocksPerMultiprocessor) {
  const Case &one = GetParam();
  KernelResources kernel;
  kernel.threads = one.threads;
  kernel.registers_per_thread = one.registers;
  kernel.static_shared = one.static_shared;
  kernel.dynamic_shared = one.dynamic_shared;
  if (one.dynamic_shared > 49152)
    kernel.max_dynamic_shared = one.dynamic_shared;
  Occupancy result = occupancy(shipped(one.gpu), kernel);
  EXPECT_EQ(result.blocks_per_sm, one.blocks);
  EXPECT_EQ(result.limiter, one.limiter);
  EXPECT_EQ(result.active_warps, one.blocks * ((one.threads + 31) / 32));
  EXPECT_EQ(result.blocks_per_sm, std::min({result.limit_warps, result.limit_blocks,
                                            result.limit_registers, result.limit_shared}));
}

constexpr auto W = Limiter::Warps, B = Limiter::Blocks, R = Limiter::Registers, S = Limiter::Shared;

// T4: 32 warps, 16 blocks, 64 KiB shared in units of 256 bytes, nothing reserved.
INSTANTIATE_TEST_SUITE_P(
    T4, HandWorked,
    testing::Values(Case{"t4", 256, 32, 0, 0, 4, W},  // 32 / 8
                    Case{"t4", 1024, 32, 0, 0, 1, W}, // 32 / 32
                    Case{"t4", 1024, 64, 0, 0, 1, W}, // 64*32 = 2048; 16384/2048 = 8 a part: 32/32
                    Case{"t4", 1024, 65, 0, 0, 0, R}, // 2080 -> 2304; 32*2304 = 73728 > 65536
                    Case{"t4", 32, 16, 0, 0, 16, B},  // W 32
                    Case{"t4", 33, 16, 0, 0, 16, W},  // 2 warps: 32 / 2, and B is 16 as well
                    Case{"t4", 96, 16, 0, 0, 10, W},  // 32 / 3
                    Case{"t4", 1025, 16, 0, 0, 0, W}, // more than a block may have
                    Case{"t4", 256, 128, 0, 0, 2, R}, // 4096; 4 a part: 16 / 8
                    Case{"t4", 128, 255, 0, 0, 2, R}, // 8160 -> 8192; 2 a part: 8 / 4
                    Case{"t4", 288, 168, 0, 0, 1,
                         R}, // 5376; 3 a part: 12 / 9; 12*5376 = 64512 fits
                    Case{"t4", 288, 176, 0, 0, 0, R},    // 5632; 9 warps count as 12: 67584 > 65536
                    Case{"t4", 256, 32, 16384, 0, 4, W}, // S 65536/16384 = 4, W 4
                    Case{"t4", 256, 32, 16385, 0, 3, S}, // 16640; 65536 / 16640
                    Case{"t4", 64, 32, 49152, 0, 1, S},  // 65536 / 49152
                    Case{"t4", 64, 32, 49153, 0, 0, S},  // more than a block may have
                    Case{"t4", 64, 32, 1024, 48128, 1, S}, // 49152 together
                    Case{"t4", 64, 32, 1024, 48129, 0, S}, // 49153 together, without asking
                    Case{"t4", 64, 32, 0, 65536, 1, S},    // asked for
                    Case{"t4", 64, 32, 0, 1, 16, W},       // 256; S 256
                    Case{"t4", 64, 32, 0, 4096, 16, W},    // S 16
                    Case{"t4", 64, 32, 0, 4097, 15, S}));  // 4352; 65536 / 4352

// V100: 64 warps, 32 blocks, 96 KiB shared in units of 256 bytes.
INSTANTIATE_TEST_SUITE_P(
    V100, HandWorked,
    testing::Values(Case{"v100", 256, 32, 0, 0, 8, W},     // 64 / 8
                    Case{"v100", 1024, 32, 0, 0, 2, W},    // 64 / 32
                    Case{"v100", 1024, 33, 0, 0, 1, R},    // 1056 -> 1280; 12 a part: 48 / 32
                    Case{"v100", 32, 8, 0, 0, 32, B},      // W 64
                    Case{"v100", 256, 40, 0, 0, 6, R},     // 1280; 12 a part: 48 / 8
                    Case{"v100", 256, 41, 0, 0, 5, R},     // 1312 -> 1536; 10 a part: 40 / 8
                    Case{"v100", 256, 16, 12288, 0, 8, W}, // S 98304/12288 = 8
                    Case{"v100", 256, 16, 12289, 0, 7, S}, // 12544; 98304 / 12544
                    Case{"v100", 256, 16, 0, 98304, 1, S}, // all of it, asked for
                    Case{"v100", 256, 16, 0, 98305, 0, S}));

// A100: 64 warps, 32 blocks, 164 KiB shared in units of 128 bytes, 1 KiB of each block reserved.
INSTANTIATE_TEST_SUITE_P(
    A100, HandWorked,
    testing::Values(Case{"a100", 256, 32, 0, 0, 8, W},      // 64 / 8; S 164
                    Case{"a100", 256, 33, 0, 0, 6, R},      // 1280; 48 / 8
                    Case{"a100", 64, 16, 0, 4096, 32, W},   // 5120; S 32, W 32
                    Case{"a100", 64, 16, 0, 4225, 31, S},   // 5376; 167936 / 5376
                    Case{"a100", 128, 32, 49152, 0, 3, S},  // 50176; 167936 / 50176
                    Case{"a100", 128, 32, 0, 82944, 2, S},  // 83968 * 2 = 167936
                    Case{"a100", 128, 32, 0, 82945, 1, S},  // 84096
                    Case{"a100", 128, 32, 0, 166912, 1, S}, // 163 KiB, asked for
                    Case{"a100", 128, 32, 0, 166913, 0, S}));

// RTX 3090: 48 warps, 16 blocks, 100 KiB shared.
INSTANTIATE_TEST_SUITE_P(
    RTX3090, HandWorked,
    testing::Values(Case{"rtx3090", 1024, 32, 0, 0, 1, W},    // 48 / 32
                    Case{"rtx3090", 512, 32, 0, 0, 3, W},     // 48 / 16
                    Case{"rtx3090", 768, 42, 0, 0, 1, R},     // 1344 -> 1536; 40 / 24
                    Case{"rtx3090", 768, 40, 0, 0, 2, W},     // 1280; 48 / 24
                    Case{"rtx3090", 64, 32, 0, 0, 16, B},     // W 24
                    Case{"rtx3090", 256, 32, 16384, 0, 5, S}, // 17408; 102400 / 17408
                    Case{"rtx3090", 256, 32, 0, 101376, 1, S}));

// RTX 4090 and L4: 48 warps, 24 blocks, 100 KiB shared.
INSTANTIATE_TEST_SUITE_P(Ada, HandWorked,
                         testing::Values(Case{"rtx4090", 64, 32, 0, 0, 24, W}, // 48 / 2
                                         Case{"rtx4090", 32, 32, 0, 0, 24, B}, // W 48
                                         Case{"rtx4090", 256, 32, 0, 0, 6, W}, // 48 / 8
                                         Case{"rtx4090", 256, 64, 0, 0, 4, R}, // 2048; 32 / 8
                                         Case{"l4", 128, 56, 0, 0, 9, R},      // 1792; 36 / 4
                                         Case{"l4", 128, 32, 0, 8192, 11, S},  // 9216
                                         Case{"l4", 1024, 32, 0, 0, 1, W}));

// B200: as Hopper. RTX 5090: 48 warps, 24 blocks, 100 KiB shared.
INSTANTIATE_TEST_SUITE_P(Blackwell, HandWorked,
                         testing::Values(Case{"b200", 256, 32, 0, 0, 8, W},     // 64 / 8
                                         Case{"b200", 32, 32, 0, 0, 32, B},     // W 64
                                         Case{"b200", 128, 32, 49152, 0, 4, S}, // 50176
                                         Case{"b200", 384, 168, 0, 0, 1, R},    // 5376; 12 / 12
                                         Case{"b200", 128, 10, 0, 232448, 1, S},
                                         Case{"b200", 128, 10, 0, 232449, 0, S},
                                         Case{"rtx5090", 256, 32, 0, 0, 6, W},     // 48 / 8
                                         Case{"rtx5090", 32, 32, 0, 0, 24, B},     // W 48
                                         Case{"rtx5090", 256, 64, 0, 0, 4, R},     // 2048; 32 / 8
                                         Case{"rtx5090", 128, 32, 0, 8192, 11, S}, // 9216
                                         Case{"rtx5090", 128, 32, 0, 101377, 0, S}));

// H100 and H200: 64 warps, 32 blocks, 228 KiB shared. The H200's cases also ran on one.
INSTANTIATE_TEST_SUITE_P(
    Hopper, HandWorked,
    testing::Values(Case{"h100", 256, 32, 0, 0, 8, W},      //
                    Case{"h100", 128, 32, 49152, 0, 4, S},  // 50176; 233472 / 50176
                    Case{"h100", 384, 168, 0, 0, 1, R},     // 5376; 12 / 12
                    Case{"h200", 128, 48, 0, 0, 10, R},     // 1536; 40 / 4
                    Case{"h200", 32, 10, 0, 8192, 25, S},   // 9216; 233472 / 9216
                    Case{"h200", 32, 10, 0, 15360, 14, S},  // 16384
                    Case{"h200", 32, 10, 0, 16385, 13, S},  // 17409 -> 17536
                    Case{"h200", 224, 96, 0, 0, 2, R},      // 3072; 5 a part: 20 / 7, not 21 / 7
                    Case{"h200", 672, 96, 0, 0, 0, R},      // 3072; 21 warps count as 24: 73728
                    Case{"h200", 640, 96, 0, 0, 1, R},      // 20 / 20
                    Case{"h200", 128, 10, 0, 232448, 1, S}, // 227 KiB, asked for
                    Case{"h200", 128, 10, 0, 232449, 0, S},
                    Case{"h200", 288, 10, 12000, 0, 7, W})); // 64 / 9

// The teaching SM of a well-known set of exercises: 2048 threads, 32 blocks, 65536 registers.
TEST(Exercises, SmOf2048Threads) {
  Gpu sm = shipped("v100");
  auto percent = [&](int blocks, int threads, int registers) {
    KernelResources kernel{.threads = threads, .registers_per_thread = registers};
    int fit = occupancy(sm, kernel).blocks_per_sm;
    return fit < blocks ? -1 : blocks * threads * 100 / sm.max_threads_per_multiprocessor;
  };
  EXPECT_EQ(percent(8, 128, 16), 50);
  EXPECT_EQ(percent(32, 32, 16), 50);
  EXPECT_EQ(percent(64, 32, 16), -1) << "only 32 blocks";
  EXPECT_EQ(percent(32, 64, 16), 100);
  EXPECT_EQ(percent(8, 128, 128), -1) << "131072 registers";
  EXPECT_EQ(percent(16, 32, 128), 25);
  EXPECT_EQ(percent(8, 64, 128), 25);
}

TEST(Exercises, SmOf1536Threads) {
  Gpu sm = shipped("rtx3090");
  sm.max_blocks_per_multiprocessor = 8;
  auto threads = [&](int block) { return occupancy(sm, {.threads = block}).blocks_per_sm * block; };
  EXPECT_EQ(threads(64), 512);
  EXPECT_EQ(threads(128), 1024);
  EXPECT_EQ(threads(512), 1536);
  EXPECT_EQ(threads(1024), 1024);
}

TEST(Occupancy, OfNothingIsNothing) {
  EXPECT_EQ(occupancy(shipped("t4"), {}).blocks_per_sm, 0);
  EXPECT_EQ(occupancy(shipped("t4"), {.threads = -32}).blocks_per_sm, 0);
}

TEST(Occupancy, UnusedResourcesDoNotLimit) {
  Occupancy result = occupancy(shipped("t4"), {.threads = 64});
  EXPECT_EQ(result.limit_registers, INT_MAX);
  EXPECT_EQ(result.limit_shared, INT_MAX);
  EXPECT_EQ(result.limit_warps, 16);
  EXPECT_EQ(result.limit_blocks, 16);
  // Where the driver reserves 1 KiB of each block, shared memory always counts.
  EXPECT_EQ(occupancy(shipped("a100"), {.threads = 64}).limit_shared, 164);
}

TEST(Occupancy, MoreRegistersThanAThreadCanHave) {
  EXPECT_EQ(occupancy(shipped("h200"), {.threads = 32, .registers_per_thread = 256}).blocks_per_sm,
            0);
}

// With one more, or with the next unit of them, the block would not run.
TEST(Occupancy, MostRegistersOfABlock) {
  for (const char *name : {"t4", "v100", "a100", "h200"})
    for (int threads : {1, 32, 33, 96, 256, 300, 512, 640, 1024}) {
      const Gpu gpu = shipped(name);
      const int most = mostRegisters(gpu, threads);
      const auto blocks = [&](int registers) {
        return occupancy(gpu, {.threads = threads, .registers_per_thread = registers})
            .blocks_per_sm;
      };
      EXPECT_GT(blocks(most), 0) << name << ' ' << threads;
      EXPECT_EQ(blocks(most + 1), 0) << name << ' ' << threads;
    }
  EXPECT_EQ(mostRegisters(shipped("t4"), 1024), 64);
  EXPECT_EQ(mostRegisters(shipped("t4"), 64), 255);
}

// Some GPUs give a block only half of the SM's registers. The check for it rounds warps up to 4.
TEST(Occupancy, RegistersOfABlock) {
  Gpu gpu = shipped("v100");
  gpu.registers_per_block = 32768;
  auto blocks = [&](int threads) {
    return occupancy(gpu, {.threads = threads, .registers_per_thread = 96}).blocks_per_sm;
  };
  EXPECT_EQ(blocks(256), 2); // 8 * 3072 = 24576; 20 / 8
  EXPECT_EQ(blocks(288), 0); // 9 count as 12: 36864
}

TEST(Occupancy, RaisingTheLimitMustCoverTheLaunch) {
  const Gpu &gpu = shipped("h200");
  KernelResources kernel{.threads = 128, .dynamic_shared = 60000};
  EXPECT_EQ(occupancy(gpu, kernel).blocks_per_sm, 0);
  kernel.max_dynamic_shared = 59999;
  EXPECT_EQ(occupancy(gpu, kernel).blocks_per_sm, 0);
  kernel.max_dynamic_shared = 65536;
  EXPECT_EQ(occupancy(gpu, kernel).blocks_per_sm, 3); // 61056; 233472 / 61056
  kernel.dynamic_shared = 48000;
  kernel.max_dynamic_shared = 0;                      // not a way to have less
  EXPECT_EQ(occupancy(gpu, kernel).blocks_per_sm, 4); // 49024
}

// The same kernel with 60000 bytes, as measured on an H200 for each preference.
TEST(Occupancy, CarveoutPreference) {
  auto blocks = [](const char *gpu, int percent, uint64_t bytes) {
    return occupancy(shipped(gpu), {.threads = 128,
                                    .dynamic_shared = bytes,
                                    .max_dynamic_shared = 65536,
                                    .shared_carveout = percent})
        .blocks_per_sm;
  };
  EXPECT_EQ(blocks("h200", -1, 60000), 3);
  EXPECT_EQ(blocks("h200", 0, 60000), 1);   // 64 KiB: the least that holds a block
  EXPECT_EQ(blocks("h200", 25, 60000), 1);  // 57 -> 64 KiB
  EXPECT_EQ(blocks("h200", 50, 60000), 2);  // 114 -> 132 KiB
  EXPECT_EQ(blocks("h200", 75, 60000), 3);  // 171 -> 196 KiB
  EXPECT_EQ(blocks("h200", 100, 60000), 3); // 228 KiB
  EXPECT_EQ(blocks("t4", 50, 8192), 4);     // 32 KiB
  EXPECT_EQ(blocks("t4", 51, 8192), 8);     // 64 KiB
  EXPECT_EQ(blocks("t4", 0, 40000), 1);     // 32 KiB do not hold it
  EXPECT_EQ(blocks("v100", 10, 4096), 4);   // 9.6 -> 16 KiB
}

// cudaFuncAttributes::maxThreadsPerBlock, as an H200 gave it for kernels of so many registers.
TEST(MaxThreadsPerBlock, FollowsRegistersAndLaunchBounds) {
  const Gpu &gpu = shipped("h200");
  auto threads = [&](int registers, int bound = 0) {
    return maxThreadsPerBlock(gpu,
                              {.registers_per_thread = registers, .max_threads_per_block = bound});
  };
  EXPECT_EQ(threads(0), 1024);
  EXPECT_EQ(threads(10), 1024);
  EXPECT_EQ(threads(48), 1024);
  EXPECT_EQ(threads(96), 640);
  EXPECT_EQ(threads(168), 384);
  EXPECT_EQ(threads(255), 256);
  EXPECT_EQ(threads(256), 0);
  EXPECT_EQ(threads(10, 256), 256);
  EXPECT_EQ(threads(96, 1000), 640);
  EXPECT_EQ(threads(10, 4096), 1024);
}

struct Potential {
  const char *gpu;
  int registers;
  uint64_t shared;
  int limit;
  int threads, grid; // expected
};

class PotentialBlockSize : public testing::TestWithParam<Potential> {};

TEST_P(PotentialBlockSize, LargestOfTheBest) {
  const Potential &one = GetParam();
  BlockSize size = maxPotentialBlockSize(
      shipped(one.gpu), {.registers_per_thread = one.registers, .dynamic_shared = one.shared},
      one.limit);
  EXPECT_EQ(size.threads, one.threads);
  EXPECT_EQ(size.min_grid, one.grid);
}

INSTANTIATE_TEST_SUITE_P(
    HandWorked, PotentialBlockSize,
    testing::Values(Potential{"t4", 32, 0, 0, 1024, 40},        // 1 block of 1024 fills the SM
                    Potential{"t4", 32, 0, 256, 256, 160},      // 4 blocks
                    Potential{"t4", 32, 0, 100, 64, 640},       // 100: 8*100, 96: 960, 64: 16*64
                    Potential{"t4", 65, 0, 0, 896, 40},         // 7 a part: 28 warps = 896 threads
                    Potential{"t4", 32, 49153, 0, 0, 0},        // no size can run
                    Potential{"v100", 32, 0, 0, 1024, 160},     // 2 blocks
                    Potential{"v100", 255, 0, 0, 256, 80},      // 8 warps
                    Potential{"a100", 32, 0, 0, 1024, 216},     //
                    Potential{"rtx3090", 32, 0, 0, 768, 164},   // 1024 and 800 leave a part idle
                    Potential{"rtx4090", 40, 0, 0, 768, 256},   //
                    Potential{"rtx5090", 32, 0, 0, 768, 340},   //
                    Potential{"b200", 32, 0, 0, 1024, 296},     //
                    Potential{"h200", 10, 0, 0, 1024, 264},     // these three ran on an H200
                    Potential{"h200", 10, 0, 100, 64, 4224},    //
                    Potential{"h200", 10, 0, 300, 256, 1056})); //

TEST(PotentialBlockSizeWithSharedMemory, AsksForEachBlockSize) {
  std::vector<int> asked;
  BlockSize size = maxPotentialBlockSize(shipped("t4"), {.registers_per_thread = 32}, 512,
                                         [&](int threads) -> size_t {
                                           asked.push_back(threads);
                                           return threads * 128;
                                         });
  // 128 bytes a thread: 64 KiB hold 512 threads, whatever the block. 512 would need 64 KiB itself,
  // more than the 48 a block has; so do all above 384. 384: one block; 256: two make 512.
  EXPECT_EQ(size.threads, 256);
  EXPECT_EQ(size.min_grid, 80);
  EXPECT_EQ(asked.front(), 512);
  EXPECT_EQ(asked.back(), 32) << "the SM never filled, so that all sizes were tried";
  EXPECT_EQ(asked.size(), 16u);
}

TEST(PotentialBlockSizeWithSharedMemory, KeepsToTheLaunchBounds) {
  BlockSize size = maxPotentialBlockSize(
      shipped("v100"), {.registers_per_thread = 32, .max_threads_per_block = 256});
  EXPECT_EQ(size.threads, 256);
  EXPECT_EQ(size.min_grid, 640);
}

TEST(AvailableDynamicShared, DividesTheSm) {
  const Gpu &t4 = shipped("t4");
  EXPECT_EQ(availableDynamicShared(t4, {.threads = 256}, 1), 49152u);
  EXPECT_EQ(availableDynamicShared(t4, {.threads = 256}, 2), 32768u);
  EXPECT_EQ(availableDynamicShared(t4, {.threads = 256}, 3), 21760u); // 21845 -> 85 * 256
  EXPECT_EQ(availableDynamicShared(t4, {.threads = 256, .static_shared = 1000}, 4), 15384u);
  EXPECT_EQ(availableDynamicShared(t4, {.threads = 256}, 5), std::nullopt) << "4 blocks by warps";
  EXPECT_EQ(availableDynamicShared(t4, {.threads = 256}, 0), std::nullopt);
}

TEST(AvailableDynamicShared, AsAnH200Answers) {
  const Gpu &gpu = shipped("h200");
  KernelResources kernel{.threads = 32, .registers_per_thread = 10};
  EXPECT_EQ(availableDynamicShared(gpu, kernel, 1), 49152u);
  EXPECT_EQ(availableDynamicShared(gpu, kernel, 7), 33280u);
  EXPECT_EQ(availableDynamicShared(gpu, kernel, 8), 29184u);
  EXPECT_EQ(availableDynamicShared(gpu, kernel, 32), 7296u);
  EXPECT_EQ(availableDynamicShared(gpu, kernel, 33), std::nullopt);
  kernel.shared_carveout = 0;
  EXPECT_EQ(availableDynamicShared(gpu, kernel, 2), 4096u); // of 8 KiB
  kernel.max_dynamic_shared = 0;
  EXPECT_EQ(availableDynamicShared(gpu, kernel, 2), 0u);
}

} // namespace
