// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors as wide as the machine's registers, and loops that write with streaming stores, for the
// omp-best variants. Clang's vector types give the operators; nothing here depends on one
// processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bench {

#if defined(__AVX512F__)
constexpr std::size_t vectorBytes = 64;
#elif defined(__AVX__)
constexpr std::size_t vectorBytes = 32;
#else
constexpr std::size_t vectorBytes = 16;
#endif

/// As many floats (ints, doubles) as a register holds.
typedef float Floats __attribute__((vector_size(vectorBytes)));
typedef std::int32_t Ints __attribute__((vector_size(vectorBytes)));
typedef double Doubles __attribute__((vector_size(vectorBytes)));
constexpr std::size_t lanes = vectorBytes / sizeof(float);

inline Floats load(const float *p) {
  Floats v;
  std::memcpy(&v, p, sizeof v); // an unaligned load
  return v;
}

inline void store(float *p, Floats v) { std::memcpy(p, &v, sizeof v); }

/// Writes past the caches; `p` must be aligned to the vector.
inline void storeStreaming(float *p, Floats v) {
  __builtin_nontemporal_store(v, reinterpret_cast<Floats *>(p));
}

inline Floats splat(float x) { return x - Floats{}; }

/// out[i] = vector(i) for whole vectors, and scalar(i) for the elements after the last, on all
/// threads. `out` must be aligned to the vector.
template <class VectorAt, class ScalarAt>
void stream(float *out, std::size_t n, VectorAt &&vector, ScalarAt &&scalar) {
  const std::size_t whole = n / lanes * lanes;
#pragma omp parallel
  {
#pragma omp for nowait
    for (std::size_t i = 0; i < whole; i += lanes)
      storeStreaming(out + i, vector(i));
    __builtin_ia32_sfence(); // streaming stores are weakly ordered; the barrier must follow them
  }
  for (std::size_t i = whole; i < n; ++i)
    out[i] = scalar(i);
}

} // namespace bench
