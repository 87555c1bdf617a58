// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol' sequences: all numbers of the first dimension, then those of the second, and so on (cuRAND
// guide, "Generator Options"). A number depends on its place alone, so nothing is kept but how many
// there were.
#include "vectors.h"
#include "words.h"

namespace heddle::curand {
namespace {

// Each thread gives so many numbers in a row: the first costs a step for each bit, the others one.
constexpr unsigned RunLength = 64;

template <typename Word, class Rule>
__global__ void fillRuns(const Word *Vectors, const Word *Constants, unsigned Dimensions,
                         Word Begin, Rule Give, typename Rule::Out *Out, size_t Each) {
  const size_t First = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * RunLength;
  if (First >= Each)
    return;
  const unsigned Count = (unsigned)(Each - First < RunLength ? Each - First : RunLength);
  for (unsigned D = blockIdx.y; D < Dimensions; D += gridDim.y) {
    const Word *V = Vectors + (size_t)D * sizeof(Word) * 8;
    const Word Index = Begin + (Word)First, Gray = Index ^ (Index >> 1);
    Word X = Constants ? Constants[D] : 0;
    for (int Bit = 0; Bit < (int)sizeof(Word) * 8; ++Bit)
      X ^= V[Bit] & (0 - (Gray >> Bit & 1));
    typename Rule::Out *To = Out + D * Each + First;
    for (unsigned I = 0; I < Count; ++I) {
      To[I] = Give(X);
      const int Zero = __ffsll(~(long long)(Index + I)) - 1;
      X ^= V[Zero < (int)sizeof(Word) * 8 ? Zero : (int)sizeof(Word) * 8 - 1];
    }
  }
}

template <typename Word> class SobolSequence : public Sequence {
public:
  explicit SobolSequence(bool Scrambled) : Scrambled(Scrambled) {}
  ~SobolSequence() override {
    cudaFree(Vectors);
    cudaFree(Constants);
  }

  curandStatus_t begin(const Start &From, cudaStream_t Stream) override {
    Next = (Word)From.Offset;
    if (Dimensions == From.Dimensions)
      return CURAND_STATUS_SUCCESS;
    cudaFree(Vectors);
    cudaFree(Constants);
    Vectors = Constants = nullptr;
    Dimensions = 0;
    curandStatus_t Status =
        copy(vectors<Word>(Scrambled), From.Dimensions * sizeof(Word) * 8, Stream, &Vectors);
    if (!Status && Scrambled)
      Status = copy(constants<Word>(), From.Dimensions, Stream, &Constants);
    if (!Status)
      Dimensions = From.Dimensions;
    return Status;
  }

  curandStatus_t fill(const Request &Asked) override {
    return withRule<Word>(Asked, [&](auto Give) {
      const size_t Each = Asked.Count / Dimensions, Runs = (Each + RunLength - 1) / RunLength;
      const dim3 Blocks((unsigned)((Runs + 255) / 256), Dimensions < 65535 ? Dimensions : 65535);
      fillRuns<<<Blocks, 256, 0, Asked.Stream>>>(Vectors, Constants, Dimensions, Next, Give,
                                                 (typename decltype(Give)::Out *)Asked.Out, Each);
      Next += (Word)Each;
      return fromRuntime(cudaGetLastError(), CURAND_STATUS_LAUNCH_FAILURE);
    });
  }

private:
  static curandStatus_t copy(const Word *From, size_t Count, cudaStream_t Stream, Word **To) {
    if (const cudaError_t Error = cudaMalloc(To, Count * sizeof(Word)))
      return fromRuntime(Error, CURAND_STATUS_ALLOCATION_FAILED);
    return fromRuntime(
        cudaMemcpyAsync(*To, From, Count * sizeof(Word), cudaMemcpyHostToDevice, Stream),
        CURAND_STATUS_INITIALIZATION_FAILED);
  }

  const bool Scrambled;
  Word *Vectors = nullptr, *Constants = nullptr;
  unsigned Dimensions = 0;
  Word Next = 0;
};

} // namespace

std::unique_ptr<Sequence> makeSobol32(bool Scrambled) {
  return std::make_unique<SobolSequence<unsigned>>(Scrambled);
}
std::unique_ptr<Sequence> makeSobol64(bool Scrambled) {
  return std::make_unique<SobolSequence<unsigned long long>>(Scrambled);
}

} // namespace heddle::curand
