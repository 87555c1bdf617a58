// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's device API gives the bits that an H200 gives: words, uniform numbers and Poisson numbers
// of all generators, seeds, subsequences, offsets and jumps. timeout: 120
#include "check.h"
#include "device_h200.h"

#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int Threads = 128, Rounds = 40, PerRound = 4;

uint64_t hashOf(const void *Data, size_t Count) {
  uint64_t Hash = 0xcbf29ce484222325ULL;
  for (size_t I = 0; I < Count; ++I)
    Hash = (Hash ^ ((const unsigned char *)Data)[I]) * 0x100000001b3ULL;
  return Hash;
}

template <class T> struct Buffer {
  T *Data = nullptr;
  size_t Count;
  explicit Buffer(size_t N) : Count(N) {
    cudaMallocManaged(&Data, N * sizeof(T));
    memset((void *)Data, 0, N * sizeof(T));
  }
  ~Buffer() { cudaFree(Data); }
};

// Every way to draw: a tag type gives its element and how it writes PerRound of them.
#define WAY(NAME, TYPE, ...)                                                                       \
  struct NAME {                                                                                    \
    using Element = TYPE;                                                                          \
    static const char *name() { return #NAME; }                                                    \
    template <class S> static __device__ void draw(S *State, TYPE *Out, double Lambda) {           \
      (void)Lambda;                                                                                \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  };
#define FOUR(CALL)                                                                                 \
  for (int I = 0; I < 4; ++I)                                                                      \
    Out[I] = CALL;
#define TWICE(VECTOR, CALL)                                                                        \
  for (int I = 0; I < 2; ++I) {                                                                    \
    VECTOR V = CALL;                                                                               \
    Out[2 * I] = V.x;                                                                              \
    Out[2 * I + 1] = V.y;                                                                          \
  }
#define ONCE(VECTOR, CALL)                                                                         \
  auto V = CALL;                                                                                   \
  Out[0] = V.x;                                                                                    \
  Out[1] = V.y;                                                                                    \
  Out[2] = V.z;                                                                                    \
  Out[3] = V.w;

WAY(bits, unsigned, FOUR(curand(State)))
WAY(bits64, unsigned long long, FOUR(curand(State)))
WAY(bits4, unsigned, ONCE(uint4, curand4(State)))
WAY(uniform, float, FOUR(curand_uniform(State)))
WAY(uniform4, float, ONCE(float4, curand_uniform4(State)))
WAY(uniform_double, double, FOUR(curand_uniform_double(State)))
WAY(uniform2_double, double, TWICE(double2, curand_uniform2_double(State)))
WAY(uniform4_double, double, ONCE(double4, curand_uniform4_double(State)))
WAY(poisson, unsigned, FOUR(curand_poisson(State, Lambda)))
WAY(poisson4, unsigned, ONCE(uint4, curand_poisson4(State, Lambda)))

template <class W, class S>
__global__ void drawAll(S *States, typename W::Element *Out, double Lambda) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  S Local = States[T];
  for (int R = 0; R < Rounds; ++R) {
    typename W::Element Four[4];
    W::draw(&Local, Four, Lambda);
    for (int I = 0; I < 4; ++I)
      Out[(R * 4 + I) * Threads + T] = Four[I];
  }
  States[T] = Local;
}

int Compared = 0;

// The recorded hash of a case, if there is one: the last bits of normal numbers are not compared.
template <class T>
void compare(const char *State, const char *Init, const char *Way, double Lambda, const T *Out,
             size_t N) {
  CHECK_CUDA(cudaDeviceSynchronize());
  char Key[100];
  int Length = snprintf(Key, sizeof(Key), "%s %s %s", State, Init, Way);
  if (Lambda)
    snprintf(Key + Length, sizeof(Key) - Length, " lambda=%g", Lambda);
  for (const RecordedCase &Case : Recorded)
    if (!strcmp(Case.Key, Key)) {
      ++Compared;
      const bool Same = hashOf(Out, N * sizeof(T)) == Case.Hash;
      CHECK(Same);
      if (!Same)
        fprintf(stderr, "%s differs from an H200\n", Key);
    }
}

template <class S>
__global__ void initAll(S *States, unsigned long long Seed, unsigned long long Sequence,
                        unsigned long long Step, unsigned long long Offset) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(Seed, Sequence + T * Step, Offset, &States[T]);
}

struct Start {
  const char *Name;
  unsigned long long Seed, Sequence, Step, Offset;
};
const Start Starts[] = {{"threads", 0, 0, 1, 0},
                        {"seed1234", 1234, 0, 1, 0},
                        {"seed64", 0xfedcba9876543210ULL, 5, 3, 1},
                        {"offset2", 7, 0, 1, 2},
                        {"offset3", 7, 0, 1, 3},
                        {"offset1000003", 7, 1, 7, 1000003},
                        {"offset40", 99, 0, 1, 1ULL << 40},
                        {"sequence40", 99, 1ULL << 40, 1ULL << 33, 12345},
                        {"sequence63", ~0ULL, 1ULL << 63, 12345678901ULL, ~0ULL >> 1}};

template <class W, class S> void way(const char *State, const Start &At, double Lambda = 0) {
  Buffer<S> States(Threads);
  Buffer<typename W::Element> Out(Threads * Rounds * 4);
  initAll<<<2, Threads / 2>>>(States.Data, At.Seed, At.Sequence, At.Step, At.Offset);
  drawAll<W><<<2, Threads / 2>>>(States.Data, Out.Data, Lambda);
  compare(State, At.Name, W::name(), Lambda, Out.Data, Out.Count);
}

const double Lambdas[] = {0.25, 3, 20, 63.5, 64, 500, 1999, 2000.5, 3999.5, 4000, 4001, 100000};

template <class S> void ways(const char *State) {
  for (const Start &At : Starts) {
    way<bits, S>(State, At);
    way<uniform, S>(State, At);
  }
  const Start &At = Starts[1];
  way<uniform_double, S>(State, At);
  for (double Lambda : Lambdas)
    way<poisson, S>(State, At, Lambda);
}

void philoxWays() {
  using S = curandStatePhilox4_32_10_t;
  const char *State = "PHILOX";
  for (const Start &At : Starts) {
    way<bits4, S>(State, At);
  }
  const Start &At = Starts[4];
  way<uniform4, S>(State, At);
  way<uniform2_double, S>(State, At);
  way<uniform4_double, S>(State, At);
  for (double Lambda : Lambdas)
    way<poisson4, S>(State, At, Lambda);
}

template <class S> __global__ void skips(S *States, unsigned *Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  S Local = States[T];
  int N = 0;
  for (unsigned long long Count :
       {1ULL, 2ULL, 3ULL, 5ULL, 1000ULL, 1ULL << 35, 0x123456789abcdefULL}) {
    skipahead(Count + T, &Local);
    Out[N++ * Threads + T] = curand(&Local);
  }
  for (unsigned long long Count : {1ULL, 4ULL, 77ULL, 1ULL << 45}) {
    skipahead_sequence(Count + T, &Local);
    Out[N++ * Threads + T] = curand(&Local);
  }
}
template <class S> __global__ void subskips(S *States, unsigned *Out) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  S Local = States[T];
  int N = 0;
  for (unsigned long long Count : {1ULL, 4ULL, 77ULL, 1ULL << 45}) {
    skipahead_subsequence(Count + T, &Local);
    Out[N++ * Threads + T] = curand(&Local);
  }
}
template <class S> void skipping(const char *Name) {
  Buffer<S> States(Threads);
  Buffer<unsigned> Out(Threads * 11);
  initAll<<<2, Threads / 2>>>(States.Data, 1234ULL, 3ULL, 1ULL, 5ULL);
  skips<<<2, Threads / 2>>>(States.Data, Out.Data);
  compare(Name, "seed1234", "skipahead", 0, Out.Data, Out.Count);
}

template <class W>
__global__ void drawMtgp(curandStateMtgp32_t *States, typename W::Element *Out, double Lambda) {
  for (int R = 0; R < 12; ++R) {
    typename W::Element V[4];
    W::draw(&States[blockIdx.x], V, Lambda);
    for (int I = 0; I < 4; ++I)
      Out[((blockIdx.x * 12 + R) * 4 + I) * 256 + threadIdx.x] = V[I];
  }
}
__global__ void drawMtgpSpecific(curandStateMtgp32_t *States, unsigned *Out) {
  for (int R = 0; R < 12; ++R)
    Out[(blockIdx.x * 12 + R) * 96 + threadIdx.x] =
        curand_mtgp32_specific(&States[blockIdx.x], threadIdx.x, 96);
}

constexpr int MtgpBlocks = 200;
struct Mtgp {
  curandStateMtgp32_t *States;
  mtgp32_kernel_params *Params;
  Mtgp(unsigned long long Seed, int N = MtgpBlocks) {
    cudaMalloc(&States, N * sizeof(*States));
    cudaMalloc(&Params, sizeof(*Params));
    const int A = curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, Params);
    const int B = curandMakeMTGP32KernelState(States, mtgp32dc_params_fast_11213, Params, N, Seed);
    CHECK_EQ(A, 0);
    CHECK_EQ(B, 0);
  }
  ~Mtgp() { cudaFree(States), cudaFree(Params); }
};
template <class W> void mtgp(unsigned long long Seed, double Lambda = 0) {
  Mtgp M(Seed);
  Buffer<typename W::Element> Out(MtgpBlocks * 12 * 4 * 256);
  drawMtgp<W><<<MtgpBlocks, 256>>>(M.States, Out.Data, Lambda);
  char Name[40];
  snprintf(Name, sizeof(Name), "seed%llx", Seed);
  compare("MTGP32", Name, W::name(), Lambda, Out.Data, Out.Count);
}
void mtgps() {
  for (unsigned long long Seed : {0ULL, 1ULL, 1234ULL, 0x100000000ULL, 0xfedcba9876543210ULL})
    mtgp<bits>(Seed);
  mtgp<uniform>(1234);
  mtgp<uniform_double>(1234);
  for (double Lambda : Lambdas)
    mtgp<poisson>(1234, Lambda);
  Mtgp M(77);
  Buffer<unsigned> Out(MtgpBlocks * 12 * 96);
  drawMtgpSpecific<<<MtgpBlocks, 96>>>(M.States, Out.Data);
  compare("MTGP32", "seed77", "specific", 0, Out.Data, Out.Count);
}

void subsequences() {
  Buffer<curandStateMRG32k3a_t> States(Threads);
  Buffer<unsigned> Out(Threads * 4);
  initAll<<<2, Threads / 2>>>(States.Data, 1234ULL, 3ULL, 1ULL, 5ULL);
  subskips<<<2, Threads / 2>>>(States.Data, Out.Data);
  compare("MRG32K3A", "seed1234", "skipahead_subsequence", 0, Out.Data, Out.Count);
}

} // namespace

int main() {
  ways<curandStateXORWOW_t>("XORWOW");
  ways<curandStateMRG32k3a_t>("MRG32K3A");
  ways<curandStatePhilox4_32_10_t>("PHILOX");
  philoxWays();
  skipping<curandStateXORWOW_t>("XORWOW");
  skipping<curandStateMRG32k3a_t>("MRG32K3A");
  skipping<curandStatePhilox4_32_10_t>("PHILOX");
  subsequences();
  mtgps();
  CHECK_EQ(Compared, (int)(sizeof(Recorded) / sizeof(Recorded[0])));
  RETURN_RESULT();
}
