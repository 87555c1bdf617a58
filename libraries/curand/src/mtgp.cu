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

// Where a sequence of runs stands: whose turn it is, and how many numbers of its run have been
// given, which is then among the words that are kept.
struct Place {
  unsigned First = 0, Given = 0;
};

// Block 0 also gives what is kept of a run that was begun. Each block keeps its run if it is the
// last one and not given in full.
template <class Rule>
__global__ void fillTurns(curandStateMtgp32_t *States, unsigned *Kept, unsigned Sequences,
                          Place From, Rule Give, typename Rule::Out *Out, size_t Count) {
  const size_t Begun = From.Given ? Run - From.Given : 0;
  if (blockIdx.x == 0 && threadIdx.x < Begun && threadIdx.x < Count)
    Out[threadIdx.x] = Give(Kept[From.Given + threadIdx.x]);
  const unsigned Turn = (blockIdx.x + Sequences - From.First) % Sequences;
  for (size_t At = Begun + (size_t)Turn * Run; At < Count; At += (size_t)Sequences * Run) {
    const unsigned Word = ::curand(&States[blockIdx.x]);
    if (At + threadIdx.x < Count)
      Out[At + threadIdx.x] = Give(Word);
    if (At + Run > Count)
      Kept[Run + threadIdx.x] = Word;
  }
}

class MtgpSequence : public Sequence {
public:
  ~MtgpSequence() override {
    cudaFree(States);
    cudaFree(Parameters);
    cudaFree(Kept);
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
    if (!Error && !Kept)
      Error = cudaMalloc(&Kept, 2 * Run * sizeof(*Kept));
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
    Next = {};
    return Status;
  }

  curandStatus_t fill(const Request &Asked) override {
    return withRule<unsigned>(Asked, [&](auto Give) {
      fillTurns<<<Sequences, Run, 0, Asked.Stream>>>(States, Kept, Sequences, Next, Give,
                                                     (typename decltype(Give)::Out *)Asked.Out,
                                                     Asked.Count);
      const size_t Begun = Next.Given ? Run - Next.Given : 0;
      if (Asked.Count < Begun) {
        Next.Given += (unsigned)Asked.Count;
        return fromRuntime(cudaGetLastError(), CURAND_STATUS_LAUNCH_FAILURE);
      }
      const size_t Rest = Asked.Count - Begun;
      Next.First = (unsigned)((Next.First + (Rest + Run - 1) / Run) % Sequences);
      Next.Given = (unsigned)(Rest % Run);
      if (Next.Given)
        cudaMemcpyAsync(Kept, Kept + Run, Run * sizeof(unsigned), cudaMemcpyDeviceToDevice,
                        Asked.Stream);
      return fromRuntime(cudaGetLastError(), CURAND_STATUS_LAUNCH_FAILURE);
    });
  }

private:
  curandStateMtgp32_t *States = nullptr;
  mtgp32_kernel_params_t *Parameters = nullptr;
  unsigned *Kept = nullptr; // words of the run that was begun, and of the last one
  unsigned Sequences = 0;
  Place Next;
};

} // namespace

std::unique_ptr<Sequence> makeMtgp() { return std::make_unique<MtgpSequence>(); }

} // namespace heddle::curand
