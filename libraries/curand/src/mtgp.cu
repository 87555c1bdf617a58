// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MTGP32: sequences with parameters of their own, of which each gives 256 numbers in turn (cuRAND
// guide, "Generator Options": ordering).
#include "lanes.h"
#include "words.h"

#include <algorithm>
#include <curand_mtgp32_host.h>

namespace heddle::curand {
namespace {

constexpr unsigned Run = 256; // numbers of one sequence side by side; the threads of a block

// Runs have been given in full: First is whose turn it is.
template <class Rule>
__global__ void fillTurns(curandStateMtgp32_t *States, unsigned Sequences, unsigned First,
                          Rule Give, typename Rule::Out *Out, size_t Count) {
  const unsigned Turn = (blockIdx.x + Sequences - First) % Sequences;
  for (size_t At = (size_t)Turn * Run; At < Count; At += (size_t)Sequences * Run) {
    const unsigned Word = ::curand(&States[blockIdx.x]);
    if (At + threadIdx.x < Count)
      Out[At + threadIdx.x] = Give(Word);
  }
}

class MtgpSequence : public Sequence {
public:
  ~MtgpSequence() override {
    cudaFree(States);
    cudaFree(Parameters);
  }

  curandStatus_t begin(const Start &From, cudaStream_t Stream) override {
    Sequences = From.Ordering == CURAND_ORDERING_PSEUDO_LEGACY    ? 64
                : From.Ordering == CURAND_ORDERING_PSEUDO_DYNAMIC ? 7 * multiprocessors()
                                                                  : 192;
    cudaFree(States);
    States = nullptr;
    cudaError_t Error = cudaStreamSynchronize(Stream);
    if (!Error)
      Error = cudaMalloc(&States, Sequences * sizeof(*States));
    if (!Error && !Parameters)
      Error = cudaMalloc(&Parameters, sizeof(*Parameters));
    if (Error)
      return fromRuntime(Error, CURAND_STATUS_ALLOCATION_FAILED);
    curandStatus_t Status = curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, Parameters);
    // There are 200 sets of parameters; beyond them, sequences begin from other seeds.
    for (unsigned I = 0; !Status && I < Sequences; I += CURAND_NUM_MTGP32_PARAMS)
      Status = curandMakeMTGP32KernelState(
          States + I, mtgp32dc_params_fast_11213, Parameters,
          (int)std::min<unsigned>(CURAND_NUM_MTGP32_PARAMS, Sequences - I),
          From.Seed + I / CURAND_NUM_MTGP32_PARAMS);
    First = 0;
    return Status;
  }

  curandStatus_t fill(const Request &Asked) override {
    return withRule<unsigned>(Asked, [&](auto Give) {
      fillTurns<<<Sequences, Run, 0, Asked.Stream>>>(
          States, Sequences, First, Give, (typename decltype(Give)::Out *)Asked.Out, Asked.Count);
      First = (unsigned)((First + (Asked.Count + Run - 1) / Run) % Sequences);
      return fromRuntime(cudaGetLastError(), CURAND_STATUS_LAUNCH_FAILURE);
    });
  }

private:
  curandStateMtgp32_t *States = nullptr;
  mtgp32_kernel_params_t *Parameters = nullptr;
  unsigned Sequences = 0, First = 0;
};

} // namespace

std::unique_ptr<Sequence> makeMtgp() { return std::make_unique<MtgpSequence>(); }

} // namespace heddle::curand
