// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's host API: words and uniform numbers have the bits that an H200 gives, in every ordering,
// from any seed and offset, through several calls; wrong calls get the status that an H200 gives.
// flags: -lcurand
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cstdint>
#include <cuda_runtime.h>
#include <curand.h>
#include <string>

namespace {

struct RecordedSequence {
  const char *Type, *Ordering, *Kind;
  int Count;
  uint64_t Hash;
};
const RecordedSequence Sequences[] = {
    {"XORWOW", "default", "raw", 12000, 0xa31582aa567df6f3ULL},
    {"XORWOW", "default", "uniform", 12000, 0x566370264092f1a4ULL},
    {"XORWOW", "default", "uniformD", 12000, 0xd6b191e068e2abf6ULL},
    {"MRG32K3A", "default", "raw", 12000, 0x17b8980aa1420376ULL},
    {"MRG32K3A", "default", "uniform", 12000, 0x579d7bc0fce847d3ULL},
    {"MRG32K3A", "default", "uniformD", 12000, 0x87fb53172a62d3f4ULL},
    {"PHILOX", "default", "raw", 12000, 0x63d90f78184cee07ULL},
    {"PHILOX", "default", "uniform", 12000, 0x4940c20a305ae185ULL},
    {"PHILOX", "default", "uniformD", 12000, 0xf332fcc6538834e2ULL},
    {"XORWOW", "default", "raw", 1000000, 0x09f32ae80fa6cd00ULL},
    {"XORWOW", "best", "raw", 1000000, 0x09f32ae80fa6cd00ULL},
    {"XORWOW", "legacy", "raw", 1000000, 0x09f32ae80fa6cd00ULL},
    {"MRG32K3A", "default", "raw", 1000000, 0x258114f4782356adULL},
    {"MRG32K3A", "best", "raw", 1000000, 0x258114f4782356adULL},
    {"MRG32K3A", "legacy", "raw", 1000000, 0x7072da3cc17a8b9aULL},
    {"MRG32K3A", "dynamic", "raw", 1000000, 0x503110a071007660ULL},
    {"PHILOX", "default", "raw", 1000000, 0xcd8e27858fea867eULL},
    {"PHILOX", "best", "raw", 1000000, 0xcd8e27858fea867eULL},
    {"PHILOX", "legacy", "raw", 1000000, 0xcd8e27858fea867eULL},
    {"PHILOX", "dynamic", "raw", 1000000, 0x25b4ee9d9266083aULL},
};
struct RecordedStart {
  unsigned long long Seed, Offset;
  uint64_t Raw, Uniform, UniformDouble; // of the first 10000
};
const RecordedStart Starts[] = {
    {0x0ULL, 0x0ULL, 0x600aa88dc901faf3ULL, 0x0ULL, 0x0ULL},
    {0x1ULL, 0x0ULL, 0x5e8c9f7a26462b15ULL, 0x0ULL, 0x0ULL},
    {0x123456789abcdefULL, 0x0ULL, 0x54596779ea2e845aULL, 0x0ULL, 0x0ULL},
    {0xffffffffffffffffULL, 0x0ULL, 0x51adeb119b38f169ULL, 0x0ULL, 0x0ULL},
    {0x2aULL, 0x1ULL, 0xbd5688db43423cf9ULL, 0xcacb23a14c2dbb37ULL, 0x1c90fefce7f5e49fULL},
    {0x2aULL, 0x2ULL, 0x58292bee763e800cULL, 0xddbd511a35cb91bdULL, 0x0a184da003df97e4ULL},
    {0x2aULL, 0x3ULL, 0x4ae1f56e340a105bULL, 0x1a7478d4646d91a4ULL, 0xa8fd452b7362a432ULL},
    {0x2aULL, 0x4ULL, 0x2bd8d5d0c3f255d2ULL, 0xea2da87e161a8567ULL, 0x5e39a2d868ca658eULL},
    {0x2aULL, 0x7ULL, 0x8c4f59f16103fb4bULL, 0x6e8e552e1b637885ULL, 0xb3b147710cec0c88ULL},
    {0x2aULL, 0xfffULL, 0x8c6197129a1096a3ULL, 0x7a7d67a64ae5dcd1ULL, 0x540ef164ee98d8c6ULL},
    {0x2aULL, 0x1000ULL, 0x5a05c5e3ada2676fULL, 0xf1d642406951ace8ULL, 0x42f4bed721eb0e4eULL},
    {0x2aULL, 0x186a1ULL, 0x7748a9b2430793a2ULL, 0xbec20ef7172695fbULL, 0x58bc7cfb37060a48ULL},
    {0x2aULL, 0x200000005ULL, 0xc2401307edfd4c55ULL, 0x63ed28c2d8d4e556ULL, 0xf6ae488942b88782ULL},
};

uint64_t hashOf(const void *Data, size_t Count) {
  uint64_t Hash = 0xcbf29ce484222325ULL;
  for (size_t I = 0; I < Count; ++I)
    Hash = (Hash ^ ((const unsigned char *)Data)[I]) * 0x100000001b3ULL;
  return Hash;
}

curandRngType_t typeOf(const std::string &Name) {
  return Name == "XORWOW"     ? CURAND_RNG_PSEUDO_XORWOW
         : Name == "MRG32K3A" ? CURAND_RNG_PSEUDO_MRG32K3A
                              : CURAND_RNG_PSEUDO_PHILOX4_32_10;
}
curandOrdering_t orderingOf(const std::string &Name) {
  return Name == "default"  ? CURAND_ORDERING_PSEUDO_DEFAULT
         : Name == "best"   ? CURAND_ORDERING_PSEUDO_BEST
         : Name == "legacy" ? CURAND_ORDERING_PSEUDO_LEGACY
                            : CURAND_ORDERING_PSEUDO_DYNAMIC;
}

struct Generator {
  curandGenerator_t G = nullptr;
  bool OnHost;
  explicit Generator(curandRngType_t Type, bool OnHost = false) : OnHost(OnHost) {
    CHECK_EQ(OnHost ? curandCreateGeneratorHost(&G, Type) : curandCreateGenerator(&G, Type),
             CURAND_STATUS_SUCCESS);
  }
  ~Generator() { CHECK_EQ(curandDestroyGenerator(G), CURAND_STATUS_SUCCESS); }

  template <class T, class Call> std::vector<T> draw(size_t Count, Call Generate) {
    std::vector<T> Numbers(Count);
    if (OnHost) {
      CHECK_EQ(Generate(Numbers.data()), CURAND_STATUS_SUCCESS);
      return Numbers;
    }
    T *Device = nullptr;
    CHECK_CUDA(cudaMalloc(&Device, Count * sizeof(T)));
    CHECK_EQ(Generate(Device), CURAND_STATUS_SUCCESS);
    CHECK_CUDA(cudaMemcpy(Numbers.data(), Device, Count * sizeof(T), cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaFree(Device));
    return Numbers;
  }
  std::vector<unsigned> raw(size_t N) {
    return draw<unsigned>(N, [&](unsigned *To) { return curandGenerate(G, To, N); });
  }
  std::vector<float> uniform(size_t N) {
    return draw<float>(N, [&](float *To) { return curandGenerateUniform(G, To, N); });
  }
  std::vector<double> uniformDouble(size_t N) {
    return draw<double>(N, [&](double *To) { return curandGenerateUniformDouble(G, To, N); });
  }
  std::vector<float> normal(size_t N, float Mean, float Spread, bool Log) {
    return draw<float>(N, [&](float *To) {
      return Log ? curandGenerateLogNormal(G, To, N, Mean, Spread)
                 : curandGenerateNormal(G, To, N, Mean, Spread);
    });
  }
  std::vector<double> normalDouble(size_t N, double Mean, double Spread, bool Log) {
    return draw<double>(N, [&](double *To) {
      return Log ? curandGenerateLogNormalDouble(G, To, N, Mean, Spread)
                 : curandGenerateNormalDouble(G, To, N, Mean, Spread);
    });
  }
};

template <class T> uint64_t hashOf(const std::vector<T> &Numbers) {
  return hashOf(Numbers.data(), Numbers.size() * sizeof(T));
}

void sequences(bool OnHost) {
  for (const RecordedSequence &Case : Sequences) {
    Generator G(typeOf(Case.Type), OnHost);
    CHECK_EQ(curandSetGeneratorOrdering(G.G, orderingOf(Case.Ordering)), CURAND_STATUS_SUCCESS);
    const std::string Kind = Case.Kind;
    const uint64_t Hash = Kind == "raw"       ? hashOf(G.raw(Case.Count))
                          : Kind == "uniform" ? hashOf(G.uniform(Case.Count))
                                              : hashOf(G.uniformDouble(Case.Count));
    if (Hash != Case.Hash)
      fprintf(stderr, "%s %s %s differs from an H200\n", Case.Type, Case.Ordering, Case.Kind);
    CHECK_EQ(Hash, Case.Hash);
  }
}

void starts() {
  for (const RecordedStart &Case : Starts)
    for (int Kind = 0; Kind < 3; ++Kind) {
      if (Kind && !Case.Uniform)
        continue;
      Generator G(CURAND_RNG_PSEUDO_XORWOW);
      CHECK_EQ(curandSetPseudoRandomGeneratorSeed(G.G, Case.Seed), CURAND_STATUS_SUCCESS);
      CHECK_EQ(curandSetGeneratorOffset(G.G, Case.Offset), CURAND_STATUS_SUCCESS);
      CHECK_EQ(curandGenerateSeeds(G.G), CURAND_STATUS_SUCCESS);
      CHECK_EQ(Kind == 0   ? hashOf(G.raw(10000))
               : Kind == 1 ? hashOf(G.uniform(10000))
                           : hashOf(G.uniformDouble(10000)),
               Kind == 0   ? Case.Raw
               : Kind == 1 ? Case.Uniform
                           : Case.UniformDouble);
    }
}

// What one call gives, several give, too; and a generator goes on after an offset as if it had come
// there.
void parts(curandRngType_t Type) {
  Generator Whole(Type), Split(Type), Later(Type);
  const std::vector<unsigned> All = Whole.raw(300000);
  std::vector<unsigned> Parts;
  for (size_t Count : {1, 10001, 7, 150003, 2, 50, 139936}) {
    const std::vector<unsigned> Part = Split.raw(Count);
    Parts.insert(Parts.end(), Part.begin(), Part.end());
  }
  CHECK(All == Parts);
  CHECK_EQ(curandSetGeneratorOffset(Later.G, 100001), CURAND_STATUS_SUCCESS);
  CHECK(std::vector<unsigned>(All.begin() + 100001, All.begin() + 200001) == Later.raw(100000));
}

template <class T> void checkMoments(const std::vector<T> &Numbers, double Mean, double Spread) {
  double Sum = 0, Squares = 0;
  for (T X : Numbers)
    Sum += X, Squares += (double)X * X;
  const double N = Numbers.size();
  CHECK_NEAR(Sum / N, Mean, 5 * Spread / std::sqrt(N));
  CHECK_NEAR(std::sqrt(Squares / N - Sum / N * Sum / N), Spread, 0.02 * Spread);
}

void normals(curandRngType_t Type) {
  const size_t N = 200000;
  for (bool Log : {false, true}) {
    const double Mean = Log ? std::exp(0.25 + 0.125) : 0.25,
                 Spread = Log ? Mean * std::sqrt(std::exp(0.25) - 1) : 0.5;
    Generator G(Type), D(Type);
    checkMoments(G.normal(N, 0.25f, 0.5f, Log), Mean, Spread);
    checkMoments(D.normalDouble(N, 0.25, 0.5, Log), Mean, Spread);
  }
}

// The first numbers that an H200 gives with mean 0.5 and deviation 2; last bits may differ.
void firstNormals() {
  struct {
    unsigned long long Seed;
    uint64_t First;
  } Cases[] = {
      {0, 0x400522e78d14180c}, {1, 0x3ff58b7859b27b09}, {0x123456789abcdef, 0xbff2fae5ce4dea30}};
  for (const auto &Case : Cases) {
    Generator G(CURAND_RNG_PSEUDO_XORWOW);
    CHECK_EQ(curandSetPseudoRandomGeneratorSeed(G.G, Case.Seed), CURAND_STATUS_SUCCESS);
    double Wanted;
    memcpy(&Wanted, &Case.First, sizeof(Wanted));
    CHECK_NEAR(G.normalDouble(2, 0.5, 2, false)[0], Wanted, 1e-14);
  }
}

void errors() {
  curandGenerator_t G = nullptr;
  for (int Type : {1, 99, 102, 131, 143, 162, 205, 300, -1})
    CHECK_EQ(curandCreateGenerator(&G, (curandRngType_t)Type), CURAND_STATUS_TYPE_ERROR);
  unsigned *Words = nullptr;
  float *Floats = nullptr;
  double *Doubles = nullptr;
  CHECK_CUDA(cudaMalloc(&Words, 1 << 20));
  CHECK_CUDA(cudaMalloc(&Floats, 1 << 20));
  CHECK_CUDA(cudaMalloc(&Doubles, 1 << 20));
  CHECK_EQ(curandGenerate(nullptr, Words, 10), CURAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(curandDestroyGenerator(nullptr), CURAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(curandCreateGenerator(&G, CURAND_RNG_PSEUDO_XORWOW), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGenerate(G, Words, 0), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGenerate(G, nullptr, 10), CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandGenerateLongLong(G, (unsigned long long *)Doubles, 10), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandGenerateNormal(G, Floats, 101, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(curandGenerateNormalDouble(G, Doubles, 101, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(curandGenerateLogNormal(G, Floats, 101, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(curandGenerateLogNormalDouble(G, Doubles, 101, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(curandGenerateNormal(G, Floats, 100, 0, -1), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandSetQuasiRandomGeneratorDimensions(G, 10), CURAND_STATUS_TYPE_ERROR);
  for (int Order : {0, 99, 105, 200, 201, 202})
    CHECK_EQ(curandSetGeneratorOrdering(G, (curandOrdering_t)Order), CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandDestroyGenerator(G), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandDestroyGenerator(G), CURAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(curandGenerate(G, Words, 10), CURAND_STATUS_NOT_INITIALIZED);
  Generator Mrg(CURAND_RNG_PSEUDO_MRG32K3A);
  CHECK_EQ(curandSetGeneratorOrdering(Mrg.G, CURAND_ORDERING_PSEUDO_SEEDED),
           CURAND_STATUS_OUT_OF_RANGE);
  int Value = 0;
  CHECK_EQ(curandGetProperty(MAJOR_VERSION, &Value), CURAND_STATUS_SUCCESS);
  CHECK_EQ(Value, 10);
  CHECK_EQ(curandGetVersion(&Value), CURAND_STATUS_SUCCESS);
  CHECK_EQ(Value, CURAND_VERSION);
}

// A captured call runs when its graph does, and carries the sequence on each time.
void captured() {
  cudaStream_t Stream;
  CHECK_CUDA(cudaStreamCreate(&Stream));
  const size_t N = 8192;
  DeviceBuffer<unsigned> Out(N);
  Generator G(CURAND_RNG_PSEUDO_XORWOW), Plain(CURAND_RNG_PSEUDO_XORWOW);
  CHECK_EQ(curandSetStream(G.G, Stream), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGenerateSeeds(G.G), CURAND_STATUS_SUCCESS);
  CHECK_CUDA(cudaStreamSynchronize(Stream));
  cudaGraph_t Graph;
  cudaGraphExec_t Ready;
  CHECK_CUDA(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  CHECK_EQ(curandGenerate(G.G, Out.data(), N), CURAND_STATUS_SUCCESS);
  CHECK_CUDA(cudaStreamEndCapture(Stream, &Graph));
  CHECK_CUDA(cudaGraphInstantiate(&Ready, Graph, 0));
  for (int Time = 0; Time < 3; ++Time) {
    CHECK_CUDA(cudaGraphLaunch(Ready, Stream));
    CHECK_CUDA(cudaStreamSynchronize(Stream));
    std::vector<unsigned> Got(N);
    CHECK_CUDA(cudaMemcpy(Got.data(), Out.data(), N * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(Got == Plain.raw(N));
  }
}

} // namespace

int main() {
  sequences(false);
  sequences(true);
  starts();
  firstNormals();
  for (curandRngType_t Type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    parts(Type);
    normals(Type);
  }
  errors();
  captured();
  RETURN_RESULT();
}
