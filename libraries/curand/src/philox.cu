// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox: 65536 lanes in turn, each of which gives four numbers at a time. Its words depend on a
// number's place alone, so nothing is kept but how many draws there were.
#include "draws.h"
#include "lanes.h"

namespace heddle::curand {
namespace {

using State = curandStatePhilox4_32_10_t;

// How many words of its lane a row of four numbers takes.
template <class Draw> constexpr unsigned wordsOfRow() {
  return sizeof(typename Draw::Out) == 8 ? 8 : 4;
}

template <class Draw>
__device__ void giveFour(const Draw &Give, State *Lane, typename Draw::Out *Four) {
  for (int I = 0; I < 4; I += Draw::Outputs)
    Give(Lane, Four + I);
}

// Doubles take two words each, as curand_uniform4_double does.
template <> __device__ void giveFour(const UniformDoubleDraw &, State *Lane, double *Four) {
  const double4 V = curand_uniform4_double(Lane);
  Four[0] = V.x;
  Four[1] = V.y;
  Four[2] = V.z;
  Four[3] = V.w;
}

struct Place {
  unsigned long long Seed, Word; // the next word of the lanes whose turn is still to come
  unsigned Lanes, First;         // whose turn it is, and how many of its numbers have been given
  unsigned Given;
};

template <class Draw>
__global__ void fillRows(Place At, Draw Give, typename Draw::Out *Out, size_t Count) {
  const size_t Row = (size_t)blockIdx.x * blockDim.x +
                     threadIdx.x; // each thread gives four numbers, or what is left
  const size_t Begin = Row * 4;
  if (Begin >= Count + At.Given)
    return;
  const size_t Turn = At.First + Row;
  State Lane;
  curand_init(At.Seed, Turn % At.Lanes, At.Word + Turn / At.Lanes * wordsOfRow<Draw>(), &Lane);
  typename Draw::Out Four[4];
  giveFour(Give, &Lane, Four);
  for (int I = 0; I < 4; ++I)
    if (Begin + I >= At.Given && Begin + I - At.Given < Count)
      Out[Begin + I - At.Given] = Four[I];
}

class PhiloxSequence : public Sequence {
public:
  curandStatus_t begin(const Start &From, cudaStream_t) override {
    const unsigned Lanes =
        From.Ordering == CURAND_ORDERING_PSEUDO_DYNAMIC ? 512 * multiprocessors() : 65536;
    const unsigned long long Row = From.Offset / 4;
    Next = {From.Seed, Row / Lanes * 4, Lanes, (unsigned)(Row % Lanes),
            (unsigned)(From.Offset % 4)};
    return CURAND_STATUS_SUCCESS;
  }

  curandStatus_t fill(const Request &Asked) override {
    return withDraw(Asked, [&](auto Give) {
      using Draw = decltype(Give);
      const size_t Rows = (Asked.Count + Next.Given + 3) / 4;
      fillRows<<<(unsigned)((Rows + 255) / 256), 256, 0, Asked.Stream>>>(
          Next, Give, (typename Draw::Out *)Asked.Out, Asked.Count);
      const size_t Numbers = Next.Given + Asked.Count, Turn = Next.First + Numbers / 4;
      Next.Word += Turn / Next.Lanes * wordsOfRow<Draw>();
      Next.First = (unsigned)(Turn % Next.Lanes);
      Next.Given = (unsigned)(Numbers % 4);
      return fromRuntime(cudaGetLastError(), CURAND_STATUS_LAUNCH_FAILURE);
    });
  }

private:
  Place Next{};
};

} // namespace

std::unique_ptr<Sequence> makePhilox() { return std::make_unique<PhiloxSequence>(); }

} // namespace heddle::curand
