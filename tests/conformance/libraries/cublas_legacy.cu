// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcublas
//
// cublas.h: every function without a handle does what the one with a handle does.
#include "cublas_check.h"

#include <cublas.h>

namespace {

cublasHandle_t h;
const auto N = CUBLAS_OP_N, T_ = CUBLAS_OP_T;
const auto up = CUBLAS_FILL_MODE_UPPER, low = CUBLAS_FILL_MODE_LOWER;
const auto unit = CUBLAS_DIAG_UNIT, non = CUBLAS_DIAG_NON_UNIT;
const auto left = CUBLAS_SIDE_LEFT, right = CUBLAS_SIDE_RIGHT;

/// Memory for both interfaces: inputs a, b; u and v are changed by the one, w and z by the other.
template <typename T> struct Case {
  const Vector<T> a{80, 1}, b{80, 2}, u{80, 3}, v{80, 4}, w{80, 3}, z{80, 4};
  Case() {
    for (int i = 0; i < 8; ++i) // solutions stay small
      a.data[i + 8 * i] = a.data[i] = Make<T>::from({3, 1});
  }
  void same() {
    CHECK_EQ(cublasGetError(), CUBLAS_STATUS_SUCCESS);
    CHECK_NEAR(difference(u.read(), w.read()) + difference(v.read(), z.read()), 0, tolerance<T>);
  }
};

// Compares cublasPname(legacy arguments) with cublasPname_v2(h, new arguments), in which x and y
// are what the functions change.
#define LIST(...) __VA_ARGS__
#define SAME(name, legacy, modern)                                                                 \
  {                                                                                                \
    {                                                                                              \
      auto *x = c.u.data, *y = c.v.data;                                                           \
      (void)x, (void)y;                                                                            \
      cublas##name(legacy);                                                                        \
    }                                                                                              \
    {                                                                                              \
      auto *x = c.w.data, *y = c.z.data;                                                           \
      (void)x, (void)y;                                                                            \
      OK(cublas##name##_v2(h, modern));                                                            \
    }                                                                                              \
    c.same();                                                                                      \
  }
/// Compares results.
#define RESULT(R, name, ...)                                                                       \
  {                                                                                                \
    R expected{};                                                                                  \
    OK(cublas##name##_v2(h, __VA_ARGS__, &expected));                                              \
    CHECK_NEAR(std::abs(value(cublas##name(__VA_ARGS__)) - value(expected)), 0, 1e-6);             \
  }

#define EVERY(P, small, norm, T, R)                                                                \
  {                                                                                                \
    Case<T> c;                                                                                     \
    const T *a = c.a, *b = c.b, al = Make<T>::from({0.5, 0.25}), be = Make<T>::from({-1, 0.5});    \
    SAME(P##axpy, LIST(5, al, a, 2, y, -1), LIST(5, &al, a, 2, y, -1))                             \
    SAME(P##copy, LIST(5, a, 2, y, -1), LIST(5, a, 2, y, -1))                                      \
    SAME(P##swap, LIST(5, x, 2, y, -1), LIST(5, x, 2, y, -1))                                      \
    SAME(P##scal, LIST(5, al, y, 2), LIST(5, &al, y, 2))                                           \
    RESULT(R, norm##nrm2, 9, a, 2)                                                                 \
    RESULT(R, norm##asum, 9, a, 2)                                                                 \
    RESULT(int, I##small##amax, 9, a, 2)                                                           \
    RESULT(int, I##small##amin, 9, a, 2)                                                           \
    SAME(P##gemv, LIST('n', 5, 4, al, a, 8, b, 1, be, y, 2),                                       \
         LIST(N, 5, 4, &al, a, 8, b, 1, &be, y, 2))                                                \
    SAME(P##gbmv, LIST('T', 5, 4, 1, 2, al, a, 8, b, 1, be, y, 2),                                 \
         LIST(T_, 5, 4, 1, 2, &al, a, 8, b, 1, &be, y, 2))                                         \
    SAME(P##trmv, LIST('U', 'n', 'N', 5, a, 8, y, 1), LIST(up, N, non, 5, a, 8, y, 1))             \
    SAME(P##trsv, LIST('U', 'n', 'N', 5, a, 8, y, 1), LIST(up, N, non, 5, a, 8, y, 1))             \
    SAME(P##tpmv, LIST('l', 't', 'u', 5, a, y, 1), LIST(low, T_, unit, 5, a, y, 1))                \
    SAME(P##tpsv, LIST('l', 't', 'u', 5, a, y, 1), LIST(low, T_, unit, 5, a, y, 1))                \
    SAME(P##tbmv, LIST('l', 't', 'u', 5, 2, a, 8, y, 1), LIST(low, T_, unit, 5, 2, a, 8, y, 1))    \
    SAME(P##tbsv, LIST('l', 't', 'u', 5, 2, a, 8, y, 1), LIST(low, T_, unit, 5, 2, a, 8, y, 1))    \
    SAME(P##gemm, LIST('n', 'T', 5, 4, 3, al, a, 8, b, 8, be, y, 8),                               \
         LIST(N, T_, 5, 4, 3, &al, a, 8, b, 8, &be, y, 8))                                         \
    SAME(P##symm, LIST('L', 'u', 5, 4, al, a, 8, b, 8, be, y, 8),                                  \
         LIST(left, up, 5, 4, &al, a, 8, b, 8, &be, y, 8))                                         \
    SAME(P##syrk, LIST('u', 'n', 5, 4, al, a, 8, be, y, 8),                                        \
         LIST(up, N, 5, 4, &al, a, 8, &be, y, 8))                                                  \
    SAME(P##syr2k, LIST('u', 'n', 5, 4, al, a, 8, b, 8, be, y, 8),                                 \
         LIST(up, N, 5, 4, &al, a, 8, b, 8, &be, y, 8))                                            \
    SAME(P##trmm, LIST('r', 'u', 'n', 'n', 5, 4, al, a, 8, y, 8),                                  \
         LIST(right, up, N, non, 5, 4, &al, a, 8, y, 8, y, 8))                                     \
    SAME(P##trsm, LIST('r', 'u', 'n', 'n', 5, 4, al, a, 8, y, 8),                                  \
         LIST(right, up, N, non, 5, 4, &al, a, 8, y, 8))                                           \
  }

#define REAL(P, T)                                                                                 \
  {                                                                                                \
    Case<T> c;                                                                                     \
    const T *a = c.a, *b = c.b, al = T(0.5), be = T(-1), cs = T(0.6), sn = T(0.8);                 \
    const T param[5] = {-1, T(0.5), 2, -1, T(0.25)};                                               \
    RESULT(T, P##dot, 5, a, 2, b, -1)                                                              \
    SAME(P##rot, LIST(5, x, 2, y, -1, cs, sn), LIST(5, x, 2, y, -1, &cs, &sn))                     \
    SAME(P##rotm, LIST(5, x, 2, y, -1, param), LIST(5, x, 2, y, -1, param))                        \
    SAME(P##rotg, LIST(x, x + 1, x + 2, x + 3), LIST(x, x + 1, x + 2, x + 3))                      \
    SAME(P##rotmg, LIST(x, x + 1, x + 2, a, x + 3), LIST(x, x + 1, x + 2, a, x + 3))               \
    SAME(P##symv, LIST('u', 5, al, a, 8, b, 1, be, y, 2), LIST(up, 5, &al, a, 8, b, 1, &be, y, 2)) \
    SAME(P##sbmv, LIST('u', 5, 2, al, a, 8, b, 1, be, y, 2),                                       \
         LIST(up, 5, 2, &al, a, 8, b, 1, &be, y, 2))                                               \
    SAME(P##spmv, LIST('u', 5, al, a, b, 1, be, y, 2), LIST(up, 5, &al, a, b, 1, &be, y, 2))       \
    SAME(P##ger, LIST(5, 4, al, a, 1, b, 2, y, 8), LIST(5, 4, &al, a, 1, b, 2, y, 8))              \
    SAME(P##syr, LIST('l', 5, al, a, 1, y, 8), LIST(low, 5, &al, a, 1, y, 8))                      \
    SAME(P##spr, LIST('l', 5, al, a, 1, y), LIST(low, 5, &al, a, 1, y))                            \
    SAME(P##syr2, LIST('l', 5, al, a, 1, b, 2, y, 8), LIST(low, 5, &al, a, 1, b, 2, y, 8))         \
    SAME(P##spr2, LIST('l', 5, al, a, 1, b, 2, y), LIST(low, 5, &al, a, 1, b, 2, y))               \
  }

#define COMPLEX(P, mixed, T, R)                                                                    \
  {                                                                                                \
    Case<T> c;                                                                                     \
    const T *a = c.a, *b = c.b, al = Make<T>::from({0.5, 0.25}), be = Make<T>::from({-1, 0.5});    \
    const R ra = R(0.5), rb = R(-1), cs = R(0.6), sn = R(0.8);                                     \
    R c1 = 0, c2 = 0;                                                                              \
    RESULT(T, P##dotu, 5, a, 2, b, -1)                                                             \
    RESULT(T, P##dotc, 5, a, 2, b, -1)                                                             \
    SAME(P##rot, LIST(5, x, 2, y, -1, cs, al), LIST(5, x, 2, y, -1, &cs, &al))                     \
    SAME(mixed##rot, LIST(5, x, 2, y, -1, cs, sn), LIST(5, x, 2, y, -1, &cs, &sn))                 \
    SAME(mixed##scal, LIST(5, ra, y, 2), LIST(5, &ra, y, 2))                                       \
    SAME(P##rotg, LIST(x, b[0], &c1, x + 3), LIST(x, const_cast<T *>(b), &c2, x + 3))              \
    CHECK_EQ(c1, c2);                                                                              \
    SAME(P##hemv, LIST('u', 5, al, a, 8, b, 1, be, y, 2), LIST(up, 5, &al, a, 8, b, 1, &be, y, 2)) \
    SAME(P##hbmv, LIST('u', 5, 2, al, a, 8, b, 1, be, y, 2),                                       \
         LIST(up, 5, 2, &al, a, 8, b, 1, &be, y, 2))                                               \
    SAME(P##hpmv, LIST('u', 5, al, a, b, 1, be, y, 2), LIST(up, 5, &al, a, b, 1, &be, y, 2))       \
    SAME(P##geru, LIST(5, 4, al, a, 1, b, 2, y, 8), LIST(5, 4, &al, a, 1, b, 2, y, 8))             \
    SAME(P##gerc, LIST(5, 4, al, a, 1, b, 2, y, 8), LIST(5, 4, &al, a, 1, b, 2, y, 8))             \
    SAME(P##her, LIST('l', 5, ra, a, 1, y, 8), LIST(low, 5, &ra, a, 1, y, 8))                      \
    SAME(P##hpr, LIST('l', 5, ra, a, 1, y), LIST(low, 5, &ra, a, 1, y))                            \
    SAME(P##her2, LIST('l', 5, al, a, 1, b, 2, y, 8), LIST(low, 5, &al, a, 1, b, 2, y, 8))         \
    SAME(P##hpr2, LIST('l', 5, al, a, 1, b, 2, y), LIST(low, 5, &al, a, 1, b, 2, y))               \
    SAME(P##hemm, LIST('R', 'l', 5, 4, al, a, 8, b, 8, be, y, 8),                                  \
         LIST(right, low, 5, 4, &al, a, 8, b, 8, &be, y, 8))                                       \
    SAME(P##herk, LIST('u', 'c', 5, 4, ra, a, 8, rb, y, 8),                                        \
         LIST(up, CUBLAS_OP_C, 5, 4, &ra, a, 8, &rb, y, 8))                                        \
    SAME(P##her2k, LIST('u', 'c', 5, 4, al, a, 8, b, 8, rb, y, 8),                                 \
         LIST(up, CUBLAS_OP_C, 5, 4, &al, a, 8, b, 8, &rb, y, 8))                                  \
  }

void testReals() {
  EVERY(S, s, S, float, float)
  EVERY(D, d, D, double, double)
  REAL(S, float)
  REAL(D, double)
}
void testComplexes() {
  EVERY(C, c, Sc, cuComplex, float)
  EVERY(Z, z, Dz, cuDoubleComplex, double)
  COMPLEX(C, Cs, cuComplex, float)
  COMPLEX(Z, Zd, cuDoubleComplex, double)
}

void testLibrary() {
  int version = 0;
  CHECK_EQ(cublasGetVersion(&version), CUBLAS_STATUS_SUCCESS);
  CHECK(version >= 12000);
  float *memory = nullptr;
  CHECK_EQ(cublasAlloc(16, sizeof(float), reinterpret_cast<void **>(&memory)),
           CUBLAS_STATUS_SUCCESS);
  float host[16], back[16] = {};
  for (int i = 0; i < 16; ++i)
    host[i] = float(i);
  OK(cublasSetVector(16, sizeof(float), host, 1, memory, 1));
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cublasSetKernelStream(stream));
  cublasSscal(16, 2, memory, 1);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  OK(cublasGetVector(16, sizeof(float), memory, 1, back, 1));
  CHECK_EQ(back[15], 30.0f);
  OK(cublasSetKernelStream(nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_EQ(cublasFree(memory), CUBLAS_STATUS_SUCCESS);
  // An error stays until it is asked for.
  cublasSgemm('n', 'n', -1, 2, 2, 1, nullptr, 2, nullptr, 2, 0, nullptr, 2);
  CHECK_EQ(cublasGetError(), CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQ(cublasGetError(), CUBLAS_STATUS_SUCCESS);
}

} // namespace

int main() {
  CHECK_EQ(cublasInit(), CUBLAS_STATUS_SUCCESS);
  OK(cublasCreate_v2(&h));
  testReals();
  testComplexes();
  testLibrary();
  OK(cublasDestroy_v2(h));
  CHECK_EQ(cublasShutdown(), CUBLAS_STATUS_SUCCESS);
  RETURN_RESULT();
}
