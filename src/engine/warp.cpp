// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/warp.h"

#include "engine/abi_extensions.h"
#include "engine/matrix/multiply.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::engine {
namespace {

// PTX ISA, "shfl.sync": c holds the clamp in bits 0-4 and the segment mask in bits 8-12.
ValueAndPredicate shuffle(const WarpRequest *requests, uint32_t lanes, uint32_t self) {
  const WarpRequest &request = requests[self];
  const uint32_t clamp = request.clamp & 31, segment = (request.clamp >> 8) & 31;
  const uint32_t last = (self & segment) | (clamp & ~segment);
  const uint32_t first = self & segment;
  const uint32_t operand = request.lane & 31;
  uint32_t source = self;
  bool inside = false;
  switch (ShuffleMode(request.mode)) {
  case ShuffleMode::Up:
    source = self - operand;
    inside = int32_t(source) >= int32_t(last);
    break;
  case ShuffleMode::Down:
    source = self + operand;
    inside = source <= last;
    break;
  case ShuffleMode::Xor:
    source = self ^ operand;
    inside = source <= last;
    break;
  case ShuffleMode::Index:
    source = first | (operand & ~segment);
    inside = source <= last;
    break;
  }
  if (!inside)
    source = self;
  // Reading from a lane that does not take part is undefined in CUDA; the lane keeps its own value.
  const bool present = lanes >> source & 1;
  return {uint32_t(requests[present ? source : self].value), inside};
}

uint32_t vote(const WarpRequest *requests, uint32_t lanes, VoteMode mode) {
  uint32_t ballot = 0;
  forEachLane(lanes, [&](uint32_t lane) { ballot |= uint32_t(requests[lane].value != 0) << lane; });
  switch (mode) {
  case VoteMode::All:
    return ballot == lanes;
  case VoteMode::Any:
    return ballot != 0;
  case VoteMode::Uniform:
    return ballot == lanes || ballot == 0;
  case VoteMode::Ballot:
    return ballot;
  }
  return 0;
}

uint32_t lanesEqualTo(const WarpRequest *requests, uint32_t lanes, uint64_t value) {
  uint32_t same = 0;
  forEachLane(lanes,
              [&](uint32_t lane) { same |= uint32_t(requests[lane].value == value) << lane; });
  return same;
}

uint32_t combine(ReduceOperation operation, uint32_t a, uint32_t b) {
  switch (operation) {
  case ReduceOperation::Add:
    return a + b;
  case ReduceOperation::MinSigned:
    return uint32_t(std::min(int32_t(a), int32_t(b)));
  case ReduceOperation::MinUnsigned:
    return std::min(a, b);
  case ReduceOperation::MaxSigned:
    return uint32_t(std::max(int32_t(a), int32_t(b)));
  case ReduceOperation::MaxUnsigned:
    return std::max(a, b);
  case ReduceOperation::And:
    return a & b;
  case ReduceOperation::Or:
    return a | b;
  case ReduceOperation::Xor:
    return a ^ b;
  }
  return a;
}

uint32_t reduce(const WarpRequest *requests, uint32_t lanes, ReduceOperation operation) {
  const uint32_t first = uint32_t(std::countr_zero(lanes));
  uint32_t total = uint32_t(requests[first].value);
  forEachLane(lanes & (lanes - 1), [&](uint32_t lane) {
    total = combine(operation, total, uint32_t(requests[lane].value));
  });
  return total;
}

// Lanes that do not take part have zeros.
void multiply(const WarpRequest *requests, uint32_t lanes, uint32_t code) {
  const MatrixOperation operation = MatrixOperation::decode(code);
  const uint32_t inputs = operation.inputWords(), results = operation.wordsOfD();
  alignas(64) uint32_t words[max_matrix_words * warp_size] = {};
  const auto registersOf = [&](uint32_t lane) {
    return reinterpret_cast<uint32_t *>(uintptr_t(requests[lane].value));
  };
  forEachLane(lanes, [&](uint32_t lane) {
    for (uint32_t i = 0; i < inputs; ++i)
      words[i * warp_size + lane] = registersOf(lane)[i];
  });
  multiplyMatrices(operation, registersIn(words, operation));
  forEachLane(lanes, [&](uint32_t lane) {
    for (uint32_t i = inputs; i < inputs + results; ++i)
      registersOf(lane)[i] = words[i * warp_size + lane];
  });
}

} // namespace

void evaluate(WarpRequest *requests, uint32_t lanes) {
  if (!lanes)
    return;
  const WarpRequest &first = requests[std::countr_zero(lanes)];
  const uint32_t mode = first.mode;
  if (first.operation == matrix_product)
    return multiply(requests, lanes, mode);
  std::array<ValueAndPredicate, warp_size> results{};
  forEachLane(lanes, [&](uint32_t lane) {
    switch (requests[lane].operation) {
    case WarpOperation::Sync:
      break;
    case WarpOperation::Shuffle:
      results[lane] = shuffle(requests, lanes, lane);
      break;
    case WarpOperation::MatchAny:
      results[lane] = {lanesEqualTo(requests, lanes, requests[lane].value), 1};
      break;
    case WarpOperation::MatchAll: {
      const bool all = lanesEqualTo(requests, lanes, requests[lane].value) == lanes;
      results[lane] = {all ? lanes : 0, all};
      break;
    }
    case WarpOperation::Vote:
      results[lane] = {vote(requests, lanes, VoteMode(mode)), 1};
      break;
    case WarpOperation::Reduce:
      results[lane] = {reduce(requests, lanes, ReduceOperation(mode)), 1};
      break;
    }
  });
  forEachLane(lanes, [&](uint32_t lane) { requests[lane].result = results[lane]; });
}

uint32_t evaluateMet(WarpRequest *requests, uint32_t waiting, uint32_t live) {
  uint32_t met = 0;
  for (uint32_t rest = waiting; rest;) {
    const WarpRequest &first = requests[std::countr_zero(rest)];
    uint32_t group = 0;
    forEachLane(rest, [&](uint32_t lane) {
      const WarpRequest &other = requests[lane];
      if (other.mask == first.mask && other.operation == first.operation)
        group |= 1u << lane;
    });
    rest &= ~group;
    if (first.mask & live & ~group)
      continue;
    evaluate(requests, group);
    met |= group;
  }
  return met;
}

} // namespace heddle::engine
