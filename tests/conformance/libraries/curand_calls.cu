// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's host API beside its sequences: direction vectors, discrete distributions on both sides,
// moments of Poisson numbers, streams, graphs, threads, and what wrong calls return.
// flags: -lcurand
#include "curand_cases.h"

#include <curand_kernel.h>
#include <set>
#include <thread>

using namespace curand_cases;

namespace {

// The kth point of a Sobol' sequence, by its definition.
template <typename Word, typename Row> Word point(const Row &vectors, unsigned k, Word begin) {
  for (int bit = 0; bit < int(sizeof(Word) * 8) && bit < 32; ++bit)
    if ((k ^ k >> 1) >> bit & 1)
      begin ^= vectors[bit];
  return begin;
}

template <typename Word, typename Row, typename Get, typename Constants>
void vectors(int plain_set, Get get, Constants get_constants, int plain_type, int scrambled_type) {
  Row *rows[2];
  Word *constants;
  for (int scrambled : {0, 1})
    CHECK_EQ(get(&rows[scrambled], curandDirectionVectorSet_t(plain_set + scrambled)),
             CURAND_STATUS_SUCCESS);
  CHECK_EQ(get_constants(&constants), CURAND_STATUS_SUCCESS);
  CHECK_EQ(get(&rows[0], curandDirectionVectorSet_t(plain_set == 101 ? 103 : 101)),
           CURAND_STATUS_OUT_OF_RANGE);
  constexpr int bits = sizeof(Word) * 8;
  for (int i = 0; i < bits; ++i)
    CHECK_EQ(rows[0][0][i], Word(1) << (bits - 1 - i));
  // Vector i is an odd multiple of 2^-(i + 1). Scrambling is a triangular matrix, which the first
  // dimension shows.
  for (int i = 0; i < bits; ++i) {
    const Word unit = Word(1) << (bits - 1 - i);
    CHECK_EQ(rows[1][0][i] / unit, Word(1));
    for (int d : {0, 1, 777, 19999}) {
      CHECK_EQ(rows[0][d][i] % unit, Word(0));
      CHECK(rows[0][d][i] / unit & 1);
    }
  }
  std::set<Word> different(constants, constants + 20000);
  CHECK(different.size() > 19000);
  // What generators give is what the vectors say.
  for (int scrambled : {0, 1}) {
    Generator g(scrambled ? scrambled_type : plain_type);
    const unsigned dimensions = 20000, each = 5, offset = 1234567;
    const Bytes bytes = g.dimensions(dimensions).offset(offset).draw(distributions[0], 5 * 20000);
    CHECK_EQ(g.status, CURAND_STATUS_SUCCESS);
    for (unsigned d = 0; d < dimensions && !g.status; ++d)
      for (unsigned k = 0; k < each; ++k) {
        Word word;
        memcpy(&word, &bytes[(d * each + k) * sizeof(Word)], sizeof(Word));
        CHECK_EQ(word, point<Word>(rows[scrambled][d], offset + k, scrambled ? constants[d] : 0));
      }
  }
}

__global__ void draw(curandDiscreteDistribution_t of, unsigned *to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  curandStateXORWOW_t state;
  curand_init(7, i, 0, &state);
  to[i] = curand_discrete(&state, of);
}

// Mean and variance of Poisson numbers are lambda.
void checkPoisson(const std::vector<unsigned> &numbers, double lambda) {
  double sum = 0, squares = 0;
  for (unsigned x : numbers)
    sum += x, squares += double(x) * x;
  const double n = double(numbers.size()), mean = sum / n;
  CHECK_NEAR(mean, lambda, 5 * std::sqrt(lambda / n) + 1e-9);
  CHECK_NEAR(squares / n - mean * mean, lambda, lambda * 0.1 + 10 / n);
}

void distributionsOnBothSides() {
  const int count = 20000;
  DeviceBuffer<unsigned> out(count);
  for (double lambda : {0.25, 3.0, 60.0, 1500.0, 2000.0, 300000.0}) {
    curandDiscreteDistribution_t of = nullptr;
    CHECK_EQ(curandCreatePoissonDistribution(lambda, &of), CURAND_STATUS_SUCCESS);
    draw<<<(count + 255) / 256, 256>>>(of, out, count);
    checkPoisson(out.download(), lambda);
    CHECK_EQ(curandDestroyDistribution(of), CURAND_STATUS_SUCCESS);
  }
  curandDiscreteDistribution_t none = nullptr;
  for (double lambda : {0.0, -1.0, 400001.0, double(NAN)})
    CHECK_EQ(curandCreatePoissonDistribution(lambda, &none), CURAND_STATUS_OUT_OF_RANGE);
}

// Every generator and way to Poisson numbers, also of the method call.
void poissons() {
  const int count = 30000;
  for (const Named &g : generators) {
    if (g.value == CURAND_RNG_PSEUDO_MT19937)
      continue; // curand_recorded.cu has it
    for (double lambda : {0.25, 20.0, 500.0, 40000.0}) {
      DeviceBuffer<unsigned> out(count);
      Generator made(g.value);
      CHECK_EQ(curandGeneratePoisson(made.g, out, count, lambda), CURAND_STATUS_SUCCESS);
      checkPoisson(out.download(), lambda);
      CHECK_EQ(curandGeneratePoisson(made.g, out, count, -lambda), CURAND_STATUS_OUT_OF_RANGE);
      for (curandMethod_t method : {CURAND_DEVICE_API, CURAND_3RD}) {
        CHECK_EQ(curandGeneratePoissonMethod(made.g, out, count, lambda, method),
                 CURAND_STATUS_SUCCESS);
        checkPoisson(out.download(), lambda);
      }
      CHECK_EQ(curandGeneratePoissonMethod(made.g, out, count, lambda, CURAND_KNUTH),
               CURAND_STATUS_INTERNAL_ERROR);
    }
  }
}

// A call is in its stream's order and can be captured; threads have generators of their own.
void streams() {
  const size_t count = 5000;
  const Bytes expected = Generator(CURAND_RNG_PSEUDO_MTGP32).draw(distributions[1], count);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  Generator captured(CURAND_RNG_PSEUDO_MTGP32);
  CHECK_EQ(curandSetStream(captured.g, stream), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGenerateSeeds(captured.g), CURAND_STATUS_SUCCESS);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  DeviceBuffer<float> out(count);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_EQ(curandGenerateUniform(captured.g, out, count), CURAND_STATUS_SUCCESS);
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&ready, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(ready, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK(memcmp(out.download().data(), expected.data(), expected.size()) == 0);
  CHECK_CUDA(cudaGraphExecDestroy(ready));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaStreamDestroy(stream));

  Bytes results[2];
  std::thread threads[2];
  for (int t = 0; t < 2; ++t)
    threads[t] = std::thread([&results, t] {
      results[t] = Generator(CURAND_RNG_PSEUDO_MTGP32, t == 1).draw(distributions[1], count);
    });
  for (std::thread &t : threads)
    t.join();
  CHECK(results[0] == expected);
  CHECK(results[1] == expected);
}

void errors() {
  unsigned words[4];
  CHECK_EQ(curandGetDirectionVectors32(nullptr, CURAND_DIRECTION_VECTORS_32_JOEKUO6),
           CURAND_STATUS_OUT_OF_RANGE);
  Generator mt(CURAND_RNG_PSEUDO_MT19937), sobol(CURAND_RNG_QUASI_SOBOL64);
  CHECK_EQ(curandSetGeneratorOffset(mt.g, 1), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandSetGeneratorOrdering(mt.g, CURAND_ORDERING_PSEUDO_DYNAMIC),
           CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandSetPseudoRandomGeneratorSeed(sobol.g, 1), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandGenerate(sobol.g, words, 4), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandSetQuasiRandomGeneratorDimensions(sobol.g, 20001), CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandSetQuasiRandomGeneratorDimensions(sobol.g, 3), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGenerateUniform(sobol.g, reinterpret_cast<float *>(words), 4),
           CURAND_STATUS_LENGTH_NOT_MULTIPLE);
}

} // namespace

int main() {
  vectors<unsigned, curandDirectionVectors32_t>(
      CURAND_DIRECTION_VECTORS_32_JOEKUO6, curandGetDirectionVectors32,
      curandGetScrambleConstants32, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
  vectors<unsigned long long, curandDirectionVectors64_t>(
      CURAND_DIRECTION_VECTORS_64_JOEKUO6, curandGetDirectionVectors64,
      curandGetScrambleConstants64, CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  distributionsOnBothSides();
  poissons();
  streams();
  errors();
  RETURN_RESULT();
}
