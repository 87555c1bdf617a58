// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generators whose numbers come from many lanes in turn: the nth draw is lane n mod Lanes' next
// one. A lane is a subsequence of the device API's generator.
#pragma once
#include "draws.h"

#include <algorithm>

namespace heddle::curand {

constexpr unsigned LaneThreads = 256;

// Dynamic orderings have as many lanes as fill the current device.
inline unsigned multiprocessors() {
  int Device = 0, Count = 1;
  cudaGetDevice(&Device);
  cudaDeviceGetAttribute(&Count, cudaDevAttrMultiProcessorCount, Device);
  return (unsigned)Count;
}

// In the seeded ordering, the seeds of neighbours differ by this.
constexpr unsigned long long SeedStep = 3133713;

// Lanes that come before the offset's place in the row have given one draw more.
template <class State>
__global__ void beginLanes(State *States, unsigned Lanes, bool Seeded, unsigned long long Seed,
                           unsigned long long Offset) {
  const unsigned Lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (Lane >= Lanes)
    return;
  State Mine;
  const unsigned long long Before = Offset / Lanes + (Lane < Offset % Lanes);
  curand_init(Seeded ? Seed + Lane * SeedStep : Seed, Seeded ? 0 : Lane, Before, &Mine);
  States[Lane] = Mine;
}

// Where numbers overlap, a lane that gives two normal numbers goes on by one number's words only,
// as XORWOW's lanes do in NVIDIA's dynamic ordering.
template <class State, class Draw>
__global__ void fillLanes(State *States, unsigned Lanes, bool Overlap, Draw Give,
                          typename Draw::Out *Out, unsigned First, size_t Count) {
  const unsigned Lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (Lane >= Lanes)
    return;
  State Mine = States[Lane];
  for (size_t At = Lane >= First ? Lane - First : Lane + Lanes - First; At < Count; At += Lanes)
    if (Draw::Outputs == 2 && Overlap) {
      State Ahead = Mine;
      Give(&Ahead, Out + At * Draw::Outputs);
      for (unsigned Word = 0; Word < sizeof(typename Draw::Out) / 4; ++Word)
        ::curand(&Mine);
    } else {
      Give(&Mine, Out + At * Draw::Outputs);
    }
  States[Lane] = Mine;
}

template <class State> class LaneSequence : public Sequence {
public:
  // How many lanes an ordering has; 0 if there is no such ordering.
  using Rule = unsigned (*)(curandOrdering_t Ordering);

  explicit LaneSequence(Rule LanesOf) : LanesOf(LanesOf) {}
  ~LaneSequence() override { cudaFree(States); }

  curandStatus_t begin(const Start &From, cudaStream_t Stream) override {
    if (Lanes != LanesOf(From.Ordering)) {
      cudaFree(States);
      States = nullptr;
      Lanes = LanesOf(From.Ordering);
      if (const cudaError_t Error = cudaMalloc(&States, Lanes * sizeof(State)))
        return fromRuntime(Error, CURAND_STATUS_ALLOCATION_FAILED);
    }
    beginLanes<<<blocks(), LaneThreads, 0, Stream>>>(
        States, Lanes, From.Ordering == CURAND_ORDERING_PSEUDO_SEEDED, From.Seed, From.Offset);
    Overlap = std::is_same_v<State, curandStateXORWOW_t> &&
              From.Ordering == CURAND_ORDERING_PSEUDO_DYNAMIC;
    Next = (unsigned)(From.Offset % Lanes);
    return fromRuntime(cudaGetLastError(), CURAND_STATUS_INITIALIZATION_FAILED);
  }

  curandStatus_t fill(const Request &Asked) override {
    return withDraw(Asked, [&](auto Give) {
      using Draw = decltype(Give);
      const size_t Draws = Asked.Count / Draw::Outputs;
      fillLanes<<<blocks(), LaneThreads, 0, Asked.Stream>>>(
          States, Lanes, Overlap, Give, (typename Draw::Out *)Asked.Out, Next, Draws);
      Next = (unsigned)((Next + Draws) % Lanes);
      return fromRuntime(cudaGetLastError(), CURAND_STATUS_LAUNCH_FAILURE);
    });
  }

private:
  unsigned blocks() const { return (Lanes + LaneThreads - 1) / LaneThreads; }

  State *States = nullptr;
  Rule LanesOf;
  unsigned Lanes = 0;
  bool Overlap = false;
  unsigned Next = 0; // the lane whose turn it is
};

} // namespace heddle::curand
