// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// curandGenerate… and its kin: checks, then the generator's sequence fills the memory.
#include "handles.h"
#include "poisson.h"

#include "common/handles.h"

#include <cmath>

using namespace heddle::curand;

namespace {

size_t sizeOf(Kind What, curandRngType_t Type) {
  switch (What) {
  case Kind::UniformDouble:
  case Kind::NormalDouble:
  case Kind::LogNormalDouble:
    return 8;
  case Kind::Raw:
    return is64(Type) ? 8 : 4;
  default:
    return 4;
  }
}

// Of generators whose lanes give two normal numbers at a time, the number must be even.
bool comesInPairs(Kind What, curandRngType_t Type) {
  if (Type != CURAND_RNG_PSEUDO_XORWOW && Type != CURAND_RNG_PSEUDO_MRG32K3A)
    return false;
  return What == Kind::Normal || What == Kind::NormalDouble || What == Kind::LogNormal ||
         What == Kind::LogNormalDouble;
}

// Work goes to the generator's device, whichever is current.
class OnDevice {
public:
  explicit OnDevice(int Device) {
    cudaGetDevice(&Before);
    if (Before != Device)
      cudaSetDevice(Device);
  }
  ~OnDevice() { cudaSetDevice(Before); }

private:
  int Before = 0;
};

curandStatus_t beginIfNew(curandGenerator_t G) {
  if (G->Begun)
    return CURAND_STATUS_SUCCESS;
  const curandStatus_t Status = G->Numbers->begin(G->From, G->Stream);
  G->Begun = Status == CURAND_STATUS_SUCCESS;
  return Status;
}

// Numbers for the host's memory are made on the device and copied: whatever memory it is, kernels
// need not reach it.
curandStatus_t fillHost(curandGenerator_t G, Request Asked) {
  const size_t Bytes = Asked.Count * sizeOf(Asked.What, G->From.Type);
  void *Target = Asked.Out, *Staging = nullptr;
  if (const cudaError_t Error = cudaMalloc(&Staging, Bytes))
    return fromRuntime(Error, CURAND_STATUS_ALLOCATION_FAILED);
  Asked.Out = Staging;
  curandStatus_t Status = G->Numbers->fill(Asked);
  if (!Status)
    Status =
        fromRuntime(cudaMemcpyAsync(Target, Staging, Bytes, cudaMemcpyDeviceToHost, Asked.Stream),
                    CURAND_STATUS_LAUNCH_FAILURE);
  if (!Status)
    Status = fromRuntime(cudaStreamSynchronize(Asked.Stream), CURAND_STATUS_LAUNCH_FAILURE);
  cudaFree(Staging);
  return Status;
}

curandStatus_t generate(curandGenerator_t G, Request Asked, const char *Function) {
  if (!heddle::library::handles<curandGenerator_st>().has(G))
    return refuse(CURAND_STATUS_NOT_INITIALIZED, Function,
                  "the generator was destroyed or never created");
  if (!Asked.Out && Asked.Count)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, Function, "the address for the numbers is null");
  if (Asked.Count > SIZE_MAX / 8)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, Function,
                  "so many numbers are larger than any memory");
  if (isQuasi(G->From.Type) && Asked.Count % G->From.Dimensions)
    return refuse(CURAND_STATUS_LENGTH_NOT_MULTIPLE, Function,
                  "the count is no multiple of the dimensions");
  if (comesInPairs(Asked.What, G->From.Type) && Asked.Count % 2)
    return refuse(CURAND_STATUS_LENGTH_NOT_MULTIPLE, Function,
                  "normal numbers come in pairs: the count is odd");
  Asked.Stream = G->Stream;
  const OnDevice There(G->Device);
  if (const curandStatus_t Status = beginIfNew(G))
    return Status;
  if (!Asked.Count)
    return CURAND_STATUS_SUCCESS;
  return G->OnHost ? fillHost(G, Asked) : G->Numbers->fill(Asked);
}

curandStatus_t generatePoisson(curandGenerator_t G, unsigned *Out, size_t Count, double Lambda,
                               const char *Function, const PoissonWay *Way = nullptr) {
  if (!heddle::library::handles<curandGenerator_st>().has(G))
    return refuse(CURAND_STATUS_NOT_INITIALIZED, Function,
                  "the generator was destroyed or never created");
  if (!(Lambda > 0) || Lambda > MaxMean)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, Function, "lambda is not in (0, 400000]");
  Request Asked;
  Asked.What = Kind::Poisson;
  Asked.Out = Out;
  Asked.Count = Count;
  Asked.Mean = Lambda;
  Asked.Spread = std::sqrt(Lambda);
  Asked.Way = Way ? *Way : wayOf(G->From.Type, Lambda);
  const OnDevice There(G->Device);
  if (Asked.Way == PoissonWay::Table || Asked.Way == PoissonWay::Inverse) {
    if (!G->Table || G->Table->mean != Lambda || G->Table->way != Asked.Way)
      if (const curandStatus_t Status = makeTable(Function, Lambda, Asked.Way, G->Table))
        return Status;
    Asked.Table = G->Table.get();
  }
  return generate(G, Asked, Function);
}

Request asking(Kind What, void *Out, size_t Count, double Mean = 0, double Spread = 1) {
  Request Asked;
  Asked.What = What;
  Asked.Out = Out;
  Asked.Count = Count;
  Asked.Mean = Mean;
  Asked.Spread = Spread;
  return Asked;
}

} // namespace

extern "C" {

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num) {
  if (heddle::library::handles<curandGenerator_st>().has(generator) && is64(generator->From.Type))
    return refuse(CURAND_STATUS_TYPE_ERROR, __func__,
                  "generators of 64 bits need curandGenerateLongLong");
  return generate(generator, asking(Kind::Raw, outputPtr, num), __func__);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *outputPtr,
                                      size_t num) {
  if (heddle::library::handles<curandGenerator_st>().has(generator) && !is64(generator->From.Type))
    return refuse(CURAND_STATUS_TYPE_ERROR, __func__,
                  "only the Sobol' generators of 64 bits make such numbers");
  return generate(generator, asking(Kind::Raw, outputPtr, num), __func__);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num) {
  return generate(generator, asking(Kind::Uniform, outputPtr, num), __func__);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr,
                                           size_t num) {
  return generate(generator, asking(Kind::UniformDouble, outputPtr, num), __func__);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                    float mean, float stddev) {
  return generate(generator, asking(Kind::Normal, outputPtr, n, mean, stddev), __func__);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *outputPtr, size_t n,
                                          double mean, double stddev) {
  return generate(generator, asking(Kind::NormalDouble, outputPtr, n, mean, stddev), __func__);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *outputPtr, size_t n,
                                       float mean, float stddev) {
  return generate(generator, asking(Kind::LogNormal, outputPtr, n, mean, stddev), __func__);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *outputPtr,
                                             size_t n, double mean, double stddev) {
  return generate(generator, asking(Kind::LogNormalDouble, outputPtr, n, mean, stddev), __func__);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr, size_t n,
                                     double lambda) {
  return generatePoisson(generator, outputPtr, n, lambda, __func__);
}

// NVIDIA's library has two of the methods, for all generators but MT19937.
curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int *outputPtr,
                                           size_t n, double lambda, curandMethod_t method) {
  if (!heddle::library::handles<curandGenerator_st>().has(generator))
    return refuse(CURAND_STATUS_NOT_INITIALIZED, __func__,
                  "the generator was destroyed or never created");
  const curandRngType_t Type = generator->From.Type;
  if ((method != CURAND_DEVICE_API && method != CURAND_3RD) || Type == CURAND_RNG_PSEUDO_MT19937)
    return refuse(CURAND_STATUS_INTERNAL_ERROR, __func__,
                  "the generator has no such method: only CURAND_DEVICE_API and CURAND_3RD");
  PoissonWay Way = PoissonWay::Device;
  if (method == CURAND_3RD)
    Way = isQuasi(Type) && hasTable(lambda) ? PoissonWay::Table : wayOf(Type, lambda);
  return generatePoisson(generator, outputPtr, n, lambda, __func__, &Way);
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (!heddle::library::handles<curandGenerator_st>().has(generator))
    return refuse(CURAND_STATUS_NOT_INITIALIZED, __func__,
                  "the generator was destroyed or never created");
  const OnDevice There(generator->Device);
  return beginIfNew(generator);
}

} // extern "C"
