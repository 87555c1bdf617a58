// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences of cuRAND's host API by name: a generator, an ordering, a distribution; what the tests
// draw and what curand_recorded.cu records on hardware.
#pragma once
#include "../check.h"

#include <cstdint>
#include <curand.h>
#include <string>

namespace curand_cases {

struct Named {
  const char *name;
  int value;
};
constexpr Named generators[] = {{"xorwow", CURAND_RNG_PSEUDO_XORWOW},
                                {"mrg32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
                                {"mtgp32", CURAND_RNG_PSEUDO_MTGP32},
                                {"mt19937", CURAND_RNG_PSEUDO_MT19937},
                                {"philox", CURAND_RNG_PSEUDO_PHILOX4_32_10},
                                {"sobol32", CURAND_RNG_QUASI_SOBOL32},
                                {"scrambled32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32},
                                {"sobol64", CURAND_RNG_QUASI_SOBOL64},
                                {"scrambled64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}};
constexpr Named orderings[] = {
    {"default", CURAND_ORDERING_PSEUDO_DEFAULT}, {"best", CURAND_ORDERING_PSEUDO_BEST},
    {"legacy", CURAND_ORDERING_PSEUDO_LEGACY},   {"seeded", CURAND_ORDERING_PSEUDO_SEEDED},
    {"dynamic", CURAND_ORDERING_PSEUDO_DYNAMIC}, {"quasi", CURAND_ORDERING_QUASI_DEFAULT}};

inline bool isQuasi(int generator) { return generator >= CURAND_RNG_QUASI_DEFAULT; }
inline bool is64(int generator) {
  return generator == CURAND_RNG_QUASI_SOBOL64 || generator == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

// Numbers of one kind. Means and deviations are such that their products are rounded.
enum class Kind { words, floats, doubles };
struct Distribution {
  const char *name;
  Kind kind;
  bool exact; // made by single operations, so that each bit is known
  curandStatus_t (*generate)(curandGenerator_t g, void *to, size_t count);
};
template <int thousandths> curandStatus_t poisson(curandGenerator_t g, void *to, size_t count) {
  return curandGeneratePoisson(g, static_cast<unsigned *>(to), count, thousandths / 1000.0);
}
constexpr Distribution distributions[] = {
    {"raw", Kind::words, true,
     [](curandGenerator_t g, void *to, size_t n) {
       return curandGenerate(g, static_cast<unsigned *>(to), n);
     }},
    {"uniform", Kind::floats, true,
     [](curandGenerator_t g, void *to, size_t n) {
       return curandGenerateUniform(g, static_cast<float *>(to), n);
     }},
    {"uniform_double", Kind::doubles, true,
     [](curandGenerator_t g, void *to, size_t n) {
       return curandGenerateUniformDouble(g, static_cast<double *>(to), n);
     }},
    {"normal", Kind::floats, false,
     [](curandGenerator_t g, void *to, size_t n) {
       return curandGenerateNormal(g, static_cast<float *>(to), n, 0.3f, 1.7f);
     }},
    {"normal_double", Kind::doubles, false,
     [](curandGenerator_t g, void *to, size_t n) {
       return curandGenerateNormalDouble(g, static_cast<double *>(to), n, 0.3, 1.7);
     }},
    {"log_normal", Kind::floats, false,
     [](curandGenerator_t g, void *to, size_t n) {
       return curandGenerateLogNormal(g, static_cast<float *>(to), n, 0.3f, 0.7f);
     }},
    {"log_normal_double", Kind::doubles, false,
     [](curandGenerator_t g, void *to, size_t n) {
       return curandGenerateLogNormalDouble(g, static_cast<double *>(to), n, 0.3, 0.7);
     }},
    {"poisson_0.5", Kind::words, true, poisson<500>},
    {"poisson_10", Kind::words, true, poisson<10000>},
    {"poisson_100", Kind::words, true, poisson<100000>},
    {"poisson_1500", Kind::words, true, poisson<1500000>},
    {"poisson_5000", Kind::words, false, poisson<5000000>},
};

/// Whether a generator makes words of 64 bits for this, by curandGenerateLongLong.
inline bool isLong(const Distribution &of, int generator) {
  return &of == distributions && is64(generator);
}
inline size_t sizeOf(const Distribution &of, int generator) {
  return of.kind == Kind::doubles || isLong(of, generator) ? 8 : 4;
}

using Bytes = std::vector<unsigned char>;

inline uint64_t hashOf(const unsigned char *data, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t word;
    memcpy(&word, data + i, 4);
    hash = (hash ^ word) * 0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

/// A generator that is destroyed at the end. Errors of its own calls are kept in `status`.
struct Generator {
  curandGenerator_t g = nullptr;
  int type;
  bool on_host;
  curandStatus_t status;
  explicit Generator(int type, bool on_host = false) : type(type), on_host(on_host) {
    const auto rng = static_cast<curandRngType_t>(type);
    status = on_host ? curandCreateGeneratorHost(&g, rng) : curandCreateGenerator(&g, rng);
  }
  Generator(const Generator &) = delete;
  ~Generator() {
    if (g)
      curandDestroyGenerator(g);
  }
  Generator &set(curandStatus_t of_call) {
    if (!status)
      status = of_call;
    return *this;
  }
  Generator &order(int ordering) {
    return set(curandSetGeneratorOrdering(g, static_cast<curandOrdering_t>(ordering)));
  }
  Generator &seed(unsigned long long value) {
    return set(curandSetPseudoRandomGeneratorSeed(g, value));
  }
  Generator &offset(unsigned long long value) { return set(curandSetGeneratorOffset(g, value)); }
  Generator &dimensions(unsigned count) {
    return set(curandSetQuasiRandomGeneratorDimensions(g, count));
  }

  /// The next numbers, as bytes; none if a call failed.
  Bytes draw(const Distribution &of, size_t count) {
    Bytes bytes(count * sizeOf(of, type));
    if (status)
      return {};
    const bool long_words = isLong(of, type);
    const auto fill = [&](void *to) {
      return long_words ? curandGenerateLongLong(g, static_cast<unsigned long long *>(to), count)
                        : of.generate(g, to, count);
    };
    if (on_host) {
      set(fill(bytes.data()));
      return status ? Bytes() : bytes;
    }
    unsigned char *device = nullptr;
    CHECK_CUDA(cudaMalloc(&device, bytes.size()));
    CHECK_CUDA(cudaMemset(device, 0xa5, bytes.size()));
    set(fill(device));
    CHECK_CUDA(cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaFree(device));
    return status ? Bytes() : bytes;
  }
};

} // namespace curand_cases
