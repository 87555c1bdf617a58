// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all functions of cuSOLVER share: the handle, checks of arguments, and tasks that write a
// device `info`.
#pragma once

#include "common/handles.h"
#include "common/task.h"
#include "cusolverDn.h"

#include <algorithm>
#include <climits>
#include <complex>
#include <functional>
#include <utility>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t deterministic = CUSOLVER_DETERMINISTIC_RESULTS;
};

namespace heddle::cusolver {

using Status = cusolverStatus_t;

/// Says on stderr, and to the logger, why a call is refused; returns the status.
Status refuse(const char *function, Status status, const char *why);

/// Tells the logger about a call (level 5).
void logCall(const char *function);

/// The numeric work of a call; what it returns goes to `info`, unless that is null. A task that
/// gets no memory says so on stderr and leaves `OutOfMemory` in `info`.
using Work = std::function<int()>;
constexpr int OutOfMemory = INT_MIN;
Status submitWork(const char *function, cudaStream_t stream, int *info, Work work,
                  bool wait = false);

/// Collects what is wrong with a call's arguments; the first fault is the one that is told.
class Check {
public:
  template <typename Handle> Check(const char *function, Handle *handle) : function_(function) {
    if (!library::handles<Handle>().has(handle))
      fault(CUSOLVER_STATUS_NOT_INITIALIZED, "the handle was not created, or destroyed");
    else {
      stream_ = handle->stream;
      logCall(function);
    }
  }
  Check &that(bool holds, const char *why, Status status = CUSOLVER_STATUS_INVALID_VALUE) {
    if (!holds)
      fault(status, why);
    return *this;
  }
  Check &pointer(const void *pointer, const char *why) { return that(pointer != nullptr, why); }
  /// An array of `count` elements, which may be null where it is empty.
  Check &array(const void *pointer, int64_t count, const char *why) {
    return that(pointer != nullptr || count <= 0, why);
  }
  /// A size: not negative, and of those that OpenBLAS, which counts in int, can take.
  Check &size(int64_t value, const char *why = "a size is negative") {
    that(value >= 0, why);
    return that(value <= INT_MAX, "a size of 2^31 or more is not supported",
                CUSOLVER_STATUS_NOT_SUPPORTED);
  }
  /// A matrix of `rows` rows and `columns` columns.
  Check &matrix(const void *A, int64_t rows, int64_t columns, int64_t ld) {
    return leading(ld, rows).array(A, std::min(rows, columns), "a matrix is null");
  }
  Check &leading(int64_t ld, int64_t rows) {
    that(ld >= std::max<int64_t>(1, rows), "a leading dimension is less than the matrix's rows");
    return that(ld <= INT_MAX, "a leading dimension of 2^31 or more is not supported",
                CUSOLVER_STATUS_NOT_SUPPORTED);
  }
  Check &work(int64_t given, int64_t needed) {
    return that(given >= needed, "the work area is smaller than the bufferSize function says");
  }
  Check &uplo(cublasFillMode_t value) {
    return that(unsigned(value) <= CUBLAS_FILL_MODE_UPPER, "the fill mode is neither of the two");
  }
  Check &jobz(cusolverEigMode_t value) {
    return that(unsigned(value) <= CUSOLVER_EIG_MODE_VECTOR, "jobz is neither of the two");
  }
  Check &side(cublasSideMode_t value) {
    return that(unsigned(value) <= CUBLAS_SIDE_RIGHT, "the side is neither of the two");
  }
  Check &operation(cublasOperation_t value) {
    return that(unsigned(value) <= CUBLAS_OP_C, "the operation is none of N, T and C");
  }
  bool bad() const { return status_ != CUSOLVER_STATUS_SUCCESS; }
  Status status() const { return status_; }
  const char *function() const { return function_; }

  /// If nothing is wrong, puts the work on the handle's stream; `wait` until it is done if a result
  /// goes to the host's memory.
  Status run(int *info, Work work, bool wait = false) const {
    return bad() ? status_ : submitWork(function_, stream_, info, std::move(work), wait);
  }
  /// The end of a bufferSize function.
  template <typename Size> Status answer(Size *to, int64_t value) {
    pointer(to, "the pointer to the size is null");
    if constexpr (sizeof(Size) == sizeof(int))
      that(value <= INT_MAX, "the work area does not fit an int");
    if (!bad())
      *to = Size(value);
    return status_;
  }

private:
  void fault(Status status, const char *why) {
    if (!bad())
      status_ = refuse(function_, status, why);
  }
  const char *function_;
  cudaStream_t stream_ = nullptr;
  Status status_ = CUSOLVER_STATUS_SUCCESS;
};

/// How many elements of work area a function asks for: room for blocks of rows and columns. The
/// functions need none of it, because what LAPACK needs has more types than one, but a program that
/// gives less than the bufferSize function says is wrong.
inline int64_t area(int64_t m, int64_t n = 0) { return std::max<int64_t>(1, 32 * (m + n)); }

// The types of the interface as C++ computes with them; both have the same layout.
inline float *num(float *p) { return p; }
inline double *num(double *p) { return p; }
inline const float *num(const float *p) { return p; }
inline const double *num(const double *p) { return p; }
inline auto *num(cuComplex *p) { return reinterpret_cast<std::complex<float> *>(p); }
inline auto *num(cuDoubleComplex *p) { return reinterpret_cast<std::complex<double> *>(p); }
inline auto *num(const cuComplex *p) { return reinterpret_cast<const std::complex<float> *>(p); }
inline auto *num(const cuDoubleComplex *p) {
  return reinterpret_cast<const std::complex<double> *>(p);
}
/// The C++ type of an interface type.
template <typename T> using Number = std::remove_pointer_t<decltype(num(std::declval<T *>()))>;
template <typename T> auto **num(T **p) { return reinterpret_cast<Number<T> **>(p); }

inline char letter(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L'; }
inline char letter(cublasSideMode_t side) { return side == CUBLAS_SIDE_RIGHT ? 'R' : 'L'; }
inline char letter(cusolverEigMode_t jobz) { return jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N'; }
inline char letter(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? 'N' : (op == CUBLAS_OP_T ? 'T' : 'C');
}

} // namespace heddle::cusolver
