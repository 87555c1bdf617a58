// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp-wide operations against CUDA's description of them (CUDA guide, "Warp Shuffle Functions",
// "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions"), which speaks of widths
// and segments where the implementation follows PTX's bit fields.
#include "engine/warp.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace heddle::engine;

namespace {

using Requests = std::array<WarpRequest, warp_size>;

constexpr uint32_t some_masks[] = {~0u,        1u,          0x80000000u, 0xffffu,    0xffff0000u,
                                   0x55555555, 0xaaaaaaaau, 0x00f0ff01u, 0x12345678u};

bool has(uint32_t lanes, uint32_t lane) { return lanes >> lane & 1; }

// Every lane brings `operation` and a value of its own from `values`.
Requests ask(WarpOperation operation, uint32_t mode, uint32_t lanes,
             const std::array<uint64_t, warp_size> &values) {
  Requests requests;
  for (uint32_t lane = 0; lane < warp_size; ++lane) {
    requests[lane].operation = operation;
    requests[lane].mode = mode;
    requests[lane].mask = lanes;
    requests[lane].value = values[lane];
    requests[lane].result = {0xdead, 0xbeef};
  }
  return requests;
}

std::array<uint64_t, warp_size> randomValues(uint64_t range) {
  static std::mt19937_64 random(1);
  std::array<uint64_t, warp_size> values;
  for (uint64_t &value : values)
    value = range ? random() % range : random();
  return values;
}

void expectOthersUntouched(const Requests &requests, uint32_t lanes) {
  for (uint32_t lane = 0; lane < warp_size; ++lane)
    if (!has(lanes, lane)) {
      EXPECT_EQ(requests[lane].result.value, 0xdeadu) << lane;
      EXPECT_EQ(requests[lane].result.predicate, 0xbeefu) << lane;
    }
}

// ---- Shuffles ----------------------------------------------------------------------------------

// What CUDA's __shfl_*_sync(mask, value, operand, width) reads from; -1: from no other lane.
int sourceLane(ShuffleMode mode, int lane, int operand, int width) {
  const int start = lane / width * width, position = lane % width;
  switch (mode) {
  case ShuffleMode::Index:
    return start + operand % width;
  case ShuffleMode::Up:
    return position >= operand ? lane - operand : -1;
  case ShuffleMode::Down:
    return position + operand < width ? lane + operand : -1;
  case ShuffleMode::Xor: // lanes of earlier segments may be read, of later ones not
    return (lane ^ operand) < start + width ? (lane ^ operand) : -1;
  }
  return -1;
}

// The `c` operand that __shfl_*_sync passes for a width.
uint32_t clampFor(ShuffleMode mode, uint32_t width) {
  return (warp_size - width) << 8 | (mode == ShuffleMode::Up ? 0 : 31);
}

TEST(WarpShuffle, ReadsWhatTheGuideSays) {
  for (ShuffleMode mode :
       {ShuffleMode::Index, ShuffleMode::Up, ShuffleMode::Down, ShuffleMode::Xor})
    for (uint32_t width : {1u, 2u, 4u, 8u, 16u, 32u})
      for (uint32_t operand = 0; operand < warp_size; ++operand)
        for (uint32_t lanes : some_masks) {
          const auto values = randomValues(0);
          Requests requests = ask(WarpOperation::Shuffle, uint32_t(mode), lanes, values);
          for (WarpRequest &request : requests) {
            request.lane = operand;
            request.clamp = clampFor(mode, width);
          }
          evaluate(requests.data(), lanes);
          expectOthersUntouched(requests, lanes);
          for (uint32_t lane = 0; lane < warp_size; ++lane) {
            if (!has(lanes, lane))
              continue;
            const int source = sourceLane(mode, int(lane), int(operand), int(width));
            const bool reads = source >= 0 && has(lanes, uint32_t(source));
            EXPECT_EQ(requests[lane].result.value, uint32_t(values[reads ? source : lane]))
                << "mode " << int(mode) << " width " << width << " operand " << operand << " lane "
                << lane;
            EXPECT_EQ(requests[lane].result.predicate, uint32_t(source >= 0));
          }
        }
}

TEST(WarpShuffle, EachLaneHasItsOwnOperand) {
  const auto values = randomValues(0);
  Requests requests = ask(WarpOperation::Shuffle, uint32_t(ShuffleMode::Index), ~0u, values);
  for (uint32_t lane = 0; lane < warp_size; ++lane) {
    requests[lane].lane = 31 - lane;
    requests[lane].clamp = 31;
  }
  evaluate(requests.data(), ~0u);
  for (uint32_t lane = 0; lane < warp_size; ++lane)
    EXPECT_EQ(requests[lane].result.value, uint32_t(values[31 - lane]));
}

// PTX ISA, "shfl.sync": only bits 0-4 of b count.
TEST(WarpShuffle, OperandsBeyondTheWarpWrap) {
  for (ShuffleMode mode :
       {ShuffleMode::Index, ShuffleMode::Up, ShuffleMode::Down, ShuffleMode::Xor})
    for (uint32_t operand : {32u, 33u, 63u, 0xffffffffu, 0x80000000u}) {
      const auto values = randomValues(0);
      Requests large = ask(WarpOperation::Shuffle, uint32_t(mode), ~0u, values);
      for (WarpRequest &request : large) {
        request.lane = operand;
        request.clamp = clampFor(mode, 32);
      }
      Requests small = large;
      for (WarpRequest &request : small)
        request.lane = operand % 32;
      evaluate(large.data(), ~0u);
      evaluate(small.data(), ~0u);
      for (uint32_t lane = 0; lane < warp_size; ++lane)
        EXPECT_EQ(large[lane].result.value, small[lane].result.value);
    }
}

// ---- Votes and matches -------------------------------------------------------------------------

TEST(WarpVote, AsksOnlyTheLanesThatTakePart) {
  for (uint32_t lanes : some_masks)
    for (uint32_t truths : {0u, ~0u, lanes, ~lanes, 1u, 0x80000000u, 0x0ff0c3a5u}) {
      std::array<uint64_t, warp_size> values;
      uint32_t asked = 0, agreed = 0;
      for (uint32_t lane = 0; lane < warp_size; ++lane) {
        values[lane] = has(truths, lane) ? 1 + lane : 0; // any value but 0 is true
        asked += has(lanes, lane);
        agreed += has(lanes, lane) && has(truths, lane);
      }
      const std::pair<VoteMode, uint32_t> expected[] = {
          {VoteMode::All, agreed == asked},
          {VoteMode::Any, agreed > 0},
          {VoteMode::Uniform, agreed == asked || agreed == 0},
          {VoteMode::Ballot, truths & lanes}};
      for (auto [mode, result] : expected) {
        Requests requests = ask(WarpOperation::Vote, uint32_t(mode), lanes, values);
        evaluate(requests.data(), lanes);
        expectOthersUntouched(requests, lanes);
        for (uint32_t lane = 0; lane < warp_size; ++lane)
          if (has(lanes, lane)) {
            EXPECT_EQ(requests[lane].result.value, result) << int(mode) << " " << lanes;
          }
      }
    }
}

TEST(WarpMatch, AnyGivesEachLaneItsPeers) {
  for (uint32_t lanes : some_masks)
    for (uint64_t range : {1ull, 3ull, 100ull, 0ull}) {
      auto values = randomValues(range);
      values[5] = values[7] + (1ull << 40); // differs in the upper half only
      std::map<uint64_t, uint32_t> peers;
      for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (has(lanes, lane))
          peers[values[lane]] |= 1u << lane;
      Requests requests = ask(WarpOperation::MatchAny, 0, lanes, values);
      evaluate(requests.data(), lanes);
      expectOthersUntouched(requests, lanes);
      for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (has(lanes, lane)) {
          EXPECT_EQ(requests[lane].result.value, peers[values[lane]]);
        }
    }
}

TEST(WarpMatch, AllGivesTheMaskOrNothing) {
  for (uint32_t lanes : some_masks)
    for (bool equal : {true, false}) {
      std::array<uint64_t, warp_size> values;
      values.fill(7ull << 33);
      const bool alone = (lanes & (lanes - 1)) == 0;
      if (!equal)
        values[31 - uint32_t(__builtin_clz(lanes))] = 7;
      Requests requests = ask(WarpOperation::MatchAll, 0, lanes, values);
      evaluate(requests.data(), lanes);
      expectOthersUntouched(requests, lanes);
      for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (has(lanes, lane)) {
          EXPECT_EQ(requests[lane].result.value, equal || alone ? lanes : 0);
          EXPECT_EQ(requests[lane].result.predicate, uint32_t(equal || alone));
        }
    }
}

// ---- Reductions --------------------------------------------------------------------------------

// In 64 bits, where nothing wraps; the result's low half is what a GPU gives.
uint32_t expectedReduction(ReduceOperation operation, const std::vector<uint32_t> &values) {
  std::vector<int64_t> as_signed;
  for (uint32_t value : values)
    as_signed.push_back(int32_t(value));
  int64_t sum = 0;
  uint32_t bits_and = ~0u, bits_or = 0, bits_xor = 0;
  for (uint32_t value : values) {
    sum += value;
    bits_and &= value;
    bits_or |= value;
    bits_xor ^= value;
  }
  switch (operation) {
  case ReduceOperation::Add:
    return uint32_t(sum);
  case ReduceOperation::MinSigned:
    return uint32_t(*std::min_element(as_signed.begin(), as_signed.end()));
  case ReduceOperation::MaxSigned:
    return uint32_t(*std::max_element(as_signed.begin(), as_signed.end()));
  case ReduceOperation::MinUnsigned:
    return *std::min_element(values.begin(), values.end());
  case ReduceOperation::MaxUnsigned:
    return *std::max_element(values.begin(), values.end());
  case ReduceOperation::And:
    return bits_and;
  case ReduceOperation::Or:
    return bits_or;
  case ReduceOperation::Xor:
    return bits_xor;
  }
  return 0;
}

TEST(WarpReduce, EveryOperationOverEveryMask) {
  for (uint32_t operation = 0; operation <= uint32_t(ReduceOperation::Xor); ++operation)
    for (uint32_t lanes : some_masks)
      for (int round = 0; round < 4; ++round) {
        const auto values = randomValues(1ull << 32); // half of them negative as int
        std::vector<uint32_t> taken;
        for (uint32_t lane = 0; lane < warp_size; ++lane)
          if (has(lanes, lane))
            taken.push_back(uint32_t(values[lane]));
        Requests requests = ask(WarpOperation::Reduce, operation, lanes, values);
        evaluate(requests.data(), lanes);
        expectOthersUntouched(requests, lanes);
        for (uint32_t lane = 0; lane < warp_size; ++lane)
          if (has(lanes, lane)) {
            EXPECT_EQ(requests[lane].result.value,
                      expectedReduction(ReduceOperation(operation), taken))
                << operation << " " << lanes;
          }
      }
}

TEST(WarpSync, NoLanesIsNothingToDo) {
  Requests requests = ask(WarpOperation::Reduce, 0, 0, randomValues(0));
  evaluate(requests.data(), 0);
  expectOthersUntouched(requests, 0);
}

} // namespace
