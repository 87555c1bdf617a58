// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles and their settings. What is asked is checked here; sequences (generator.h) only see what
// makes sense.
#include "handles.h"
#include "poisson.h"
#include "vectors.h"

#include "common/handles.h"

#include <new>

using namespace heddle::curand;

namespace {

std::unique_ptr<Sequence> sequenceOf(curandRngType_t Type) {
  switch (Type) {
  case CURAND_RNG_PSEUDO_XORWOW:
    return makeXorwow();
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return makeMrg();
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return makePhilox();
  case CURAND_RNG_PSEUDO_MTGP32:
    return makeMtgp();
  case CURAND_RNG_PSEUDO_MT19937:
    return makeMersenne();
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    return hasVectors() ? makeSobol32(Type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32) : nullptr;
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return hasVectors() ? makeSobol64(Type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64) : nullptr;
  default:
    return nullptr;
  }
}

curandStatus_t create(curandGenerator_t *Generator, curandRngType_t Type, bool OnHost,
                      const char *Function) {
  if (!Generator)
    return refuse(CURAND_STATUS_NOT_INITIALIZED, Function, "the generator's address is null");
  if (Type == CURAND_RNG_PSEUDO_DEFAULT)
    Type = CURAND_RNG_PSEUDO_XORWOW;
  if (Type == CURAND_RNG_QUASI_DEFAULT)
    Type = CURAND_RNG_QUASI_SOBOL32;
  int Device = 0;
  if (!OnHost)
    if (const cudaError_t Error = cudaGetDevice(&Device))
      return fromRuntime(Error, CURAND_STATUS_INITIALIZATION_FAILED);
  std::unique_ptr<Sequence> Numbers = sequenceOf(Type);
  if (!Numbers && isQuasi(Type) && Type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
    return refuse(CURAND_STATUS_TYPE_ERROR, Function,
                  "this build has no direction numbers: run ./dev setup and build again");
  if (!Numbers)
    return refuse(CURAND_STATUS_TYPE_ERROR, Function, "there is no generator of this type");
  auto *New = new (std::nothrow) curandGenerator_st;
  if (!New)
    return CURAND_STATUS_ALLOCATION_FAILED;
  New->From.Type = Type;
  New->From.Ordering =
      isQuasi(Type) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
  New->OnHost = OnHost;
  New->Device = Device;
  New->Numbers = std::move(Numbers);
  *Generator = heddle::library::handles<curandGenerator_st>().add(New);
  return CURAND_STATUS_SUCCESS;
}

} // namespace

// The checks that all calls with a handle begin with.
#define REQUIRE_GENERATOR(G)                                                                       \
  if (!heddle::library::handles<curandGenerator_st>().has(G))                                      \
  return refuse(CURAND_STATUS_NOT_INITIALIZED, __func__,                                           \
                "the generator was destroyed or never created")

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type) {
  return create(generator, rng_type, false, __func__);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type) {
  return create(generator, rng_type, true, __func__);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!heddle::library::handles<curandGenerator_st>().remove(generator))
    return refuse(CURAND_STATUS_NOT_INITIALIZED, __func__,
                  "the generator was destroyed or never created");
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "the address for the version is null");
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "the address for the value is null");
  switch (type) {
  case MAJOR_VERSION:
    *value = CURAND_VER_MAJOR;
    return CURAND_STATUS_SUCCESS;
  case MINOR_VERSION:
    *value = CURAND_VER_MINOR;
    return CURAND_STATUS_SUCCESS;
  case PATCH_LEVEL:
    *value = CURAND_VER_PATCH;
    return CURAND_STATUS_SUCCESS;
  }
  return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "there is no such property");
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  REQUIRE_GENERATOR(generator);
  generator->Stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  REQUIRE_GENERATOR(generator);
  if (isQuasi(generator->From.Type))
    return refuse(CURAND_STATUS_TYPE_ERROR, __func__, "quasirandom generators have no seed");
  generator->From.Seed = seed;
  generator->Begun = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  REQUIRE_GENERATOR(generator);
  if (generator->From.Type == CURAND_RNG_PSEUDO_MTGP32 ||
      generator->From.Type == CURAND_RNG_PSEUDO_MT19937)
    return refuse(CURAND_STATUS_TYPE_ERROR, __func__, "MTGP32 and MT19937 take no offset");
  generator->From.Offset = offset;
  generator->Begun = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  REQUIRE_GENERATOR(generator);
  const bool Known = isQuasi(generator->From.Type) ? order == CURAND_ORDERING_QUASI_DEFAULT
                                                   : order >= CURAND_ORDERING_PSEUDO_BEST &&
                                                         order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
  if (!Known)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__,
                  "this kind of generator has no such ordering");
  if (order == CURAND_ORDERING_PSEUDO_SEEDED && generator->From.Type != CURAND_RNG_PSEUDO_XORWOW)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "only XORWOW has seeded lanes");
  if (order == CURAND_ORDERING_PSEUDO_DYNAMIC && generator->From.Type == CURAND_RNG_PSEUDO_MT19937)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "MT19937 has no dynamic ordering");
  generator->From.Ordering = order;
  generator->Begun = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int num_dimensions) {
  REQUIRE_GENERATOR(generator);
  if (!isQuasi(generator->From.Type))
    return refuse(CURAND_STATUS_TYPE_ERROR, __func__,
                  "only quasirandom generators have dimensions");
  if (num_dimensions < 1 || num_dimensions > 20000)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "a generator has 1 to 20000 dimensions");
  generator->From.Dimensions = num_dimensions;
  generator->Begun = false;
  return CURAND_STATUS_SUCCESS;
}

} // extern "C"
