// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MT19937: 8192 generators, 2^2048 steps apart, each of which gives eight numbers in turn. The
// eight are those that eight threads make that share the generator's words: after 78 turns, all of
// its 624 words have been given, in an order of their own.
#include "lanes.h"
#include "mersenne_jump.h"
#include "words.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace heddle::curand {
namespace {

constexpr unsigned Generators = MersenneGenerators, Threads = 8, Turns = MersenneWords / Threads;
constexpr size_t Turn = Generators * Threads; // numbers of a turn

__device__ unsigned nextWord(unsigned X0, unsigned X1, unsigned X397) {
  const unsigned Y = (X0 & 0x80000000u) | (X1 & 0x7fffffffu);
  return X397 ^ (Y >> 1) ^ (Y & 1 ? 0x9908b0dfu : 0);
}

__device__ unsigned temper(unsigned Y) {
  Y ^= Y >> 11;
  Y ^= (Y << 7) & 0x9d2c5680u;
  Y ^= (Y << 15) & 0xefc60000u;
  return Y ^ (Y >> 18);
}

// States are word by word, each of all generators side by side.
__global__ void advance(unsigned *States) {
  unsigned *Mine = States + blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned W = 0; W < MersenneWords; ++W)
    Mine[(size_t)W * Generators] =
        nextWord(Mine[(size_t)W * Generators], Mine[(size_t)((W + 1) % MersenneWords) * Generators],
                 Mine[(size_t)((W + 397) % MersenneWords) * Generators]);
}

// The word that a thread gives at a turn: one each to begin with, then seven in a row from eleven
// parts of the state.
__device__ unsigned wordOf(unsigned At, unsigned Thread) {
  constexpr unsigned Begin[] = {0, 113, 170, 283, 340, 397, 510, 567};
  constexpr unsigned Part[] = {1, 57, 114, 171, 227, 284, 341, 398, 454, 511, 568};
  return At == 0 ? Begin[Thread] : Part[(At - 1) / 7] + Thread * 7 + (At - 1) % 7;
}

template <class Rule>
__global__ void fillTurn(const unsigned *States, size_t From, Rule Give, typename Rule::Out *Out,
                         size_t Count) {
  const size_t I = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const unsigned At = (unsigned)((From + I) / Turn), Within = (unsigned)((From + I) % Turn);
  const unsigned Word = wordOf(At, Within % Threads);
  Out[I] = Give(temper(States[(size_t)Word * Generators + Within / Threads]));
}

// Unlike those of other generators, uniform numbers are made in double and rounded once.
struct MersenneUniform {
  using Out = float;
  __device__ Out operator()(unsigned X) const {
    return (float)fma((double)X, CURAND_2POW32_INV_DOUBLE, CURAND_2POW32_INV_DOUBLE / 2);
  }
};
struct MersenneUniformDouble {
  using Out = double;
  __device__ Out operator()(unsigned X) const {
    return fma((double)X, CURAND_2POW32_INV_DOUBLE, CURAND_2POW32_INV_DOUBLE / 2);
  }
};

constexpr size_t StateWords = (size_t)MersenneWords * Generators;

// The states of the seed that was last used, which are made by 8191 jumps.
struct Kept {
  std::mutex Mutex;
  unsigned Seed = 0;
  std::vector<unsigned> States;
};
Kept &kept() {
  static Kept &Last = *new Kept;
  return Last;
}

class MersenneSequence : public Sequence {
public:
  ~MersenneSequence() override { cudaFree(States); }

  curandStatus_t begin(const Start &From, cudaStream_t Stream) override {
    Next = 0;
    const size_t Bytes = StateWords * sizeof(unsigned);
    if (!States)
      if (const cudaError_t Error = cudaMalloc(&States, Bytes))
        return fromRuntime(Error, CURAND_STATUS_ALLOCATION_FAILED);
    const unsigned Seed = (unsigned)From.Seed;
    Kept &Last = kept();
    const std::lock_guard Lock(Last.Mutex);
    if (Last.States.empty() || Last.Seed != Seed) {
      Last.States = mersenneStates(Seed);
      Last.Seed = Seed;
    }
    cudaError_t Error =
        cudaMemcpyAsync(States, Last.States.data(), Bytes, cudaMemcpyHostToDevice, Stream);
    if (!Error)
      Error = cudaStreamSynchronize(Stream);
    return fromRuntime(Error, CURAND_STATUS_INITIALIZATION_FAILED);
  }

  curandStatus_t fill(const Request &Asked) override {
    if (Asked.What == Kind::Uniform)
      return fillBy(Asked, MersenneUniform{});
    if (Asked.What == Kind::UniformDouble)
      return fillBy(Asked, MersenneUniformDouble{});
    return withRule<unsigned>(Asked, [&](auto Give) { return fillBy(Asked, Give); });
  }

private:
  template <class Rule> curandStatus_t fillBy(const Request &Asked, Rule Give) {
    auto *Out = (typename Rule::Out *)Asked.Out;
    for (size_t Left = Asked.Count; Left;) {
      if (Next == 0)
        advance<<<Generators / 256, 256, 0, Asked.Stream>>>(States);
      const size_t Count = std::min(Left, Turn * Turns - Next);
      fillTurn<<<(unsigned)((Count + 255) / 256), 256, 0, Asked.Stream>>>(States, Next, Give, Out,
                                                                          Count);
      Next = (Next + Count) % (Turn * Turns);
      Out += Count;
      Left -= Count;
    }
    return fromRuntime(cudaGetLastError(), CURAND_STATUS_LAUNCH_FAILURE);
  }

  unsigned *States = nullptr;
  size_t Next = 0; // numbers given since the states advanced
};

} // namespace

std::unique_ptr<Sequence> makeMersenne() { return std::make_unique<MersenneSequence>(); }

} // namespace heddle::curand
