// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusolverMg: the blocks of columns of a matrix are dealt to devices in turn. Devices share memory
// here, so a call waits for all of them, puts the matrix together, lets LAPACK work on it, and
// deals it out again. NVIDIA's calls are not asynchronous either ("cuSolverMG", "blocking").
#include "../lapack.h"
#include "../typeless.h"
#include "common/refuse.h"
#include "cusolverMg.h"

#include <cuda_runtime_api.h>
#include <new>

struct cusolverMgContext {
  cudaStream_t stream = nullptr;
  std::vector<int> devices;
};

namespace heddle::cusolver {
namespace {

using Handle = cusolverMgHandle_t;

struct Grid {
  std::vector<int> devices;
};

struct Desc {
  int64_t rows, columns, block;
  cudaDataType type;
  int devices;
};

/// A part of a matrix, as an argument says it.
struct Part {
  void **blocks;
  int row, column; // from 1
  Desc *desc;

  void check(Check &c, int64_t rows, int64_t columns) const {
    c.size(rows).size(columns).pointer(blocks, "an array of device pointers is null");
    c.that(library::handles<Desc>().has(desc), "a matrix descriptor was not created, or destroyed");
    if (!c.bad())
      c.that(row >= 1 && column >= 1 && row - 1 + rows <= desc->rows &&
                 column - 1 + columns <= desc->columns,
             "the part lies outside of the matrix");
  }
  /// Where an element is: block-cyclic by columns; each device has its columns side by side.
  template <typename T> T *columnStart(int64_t j) const {
    const int64_t at = column - 1 + j, block = at / desc->block, device = block % desc->devices;
    const int64_t local = block / desc->devices * desc->block + at % desc->block;
    return static_cast<T *>(blocks[device]) + local * desc->rows + (row - 1);
  }
  template <typename T> std::vector<T> gather(int64_t rows, int64_t columns) const {
    std::vector<T> whole(rows * columns);
    for (int64_t j = 0; j < columns; ++j)
      std::copy_n(columnStart<T>(j), rows, whole.data() + j * rows);
    return whole;
  }
  template <typename T> void scatter(const std::vector<T> &whole, int64_t rows) const {
    for (int64_t j = 0; rows > 0 && j < int64_t(whole.size()) / rows; ++j)
      std::copy_n(whole.data() + j * rows, rows, columnStart<T>(j));
  }
};

/// Pivots are dealt as the columns are.
struct Pivots {
  int **arrays;
  Part part;
  int &at(int64_t j) const {
    const int64_t place = part.column - 1 + j, block = place / part.desc->block;
    return arrays[block % part.desc->devices]
                 [block / part.desc->devices * part.desc->block + place % part.desc->block];
  }
};

/// Waits for the handle's devices.
Status finish(const Check &c, Handle h) {
  int before = 0;
  cudaError_t error = cudaGetDevice(&before);
  for (const int device : h->devices)
    if (!error && !(error = cudaSetDevice(device)))
      error = cudaDeviceSynchronize();
  cudaSetDevice(before);
  return error ? refuse(c.function(), CUSOLVER_STATUS_EXECUTION_FAILED, cudaGetErrorString(error))
               : CUSOLVER_STATUS_SUCCESS;
}

/// The end of a call: `work` gets a value of the type and returns info.
template <typename F>
Status perform(Check c, Handle h, cudaDataType type, cudaDataType compute, int64_t lwork, int *info,
               F work) {
  c.pointer(info, "the pointer to info is null").that(compute == type, "the data types differ");
  c.work(lwork, 1);
  return dispatch(c, type, [&](auto t) -> Status {
    if (const Status status = finish(c, h))
      return status;
    try {
      *info = work(t);
    } catch (const std::bad_alloc &) {
      return refuse(c.function(), CUSOLVER_STATUS_ALLOC_FAILED, "there is no memory for it");
    }
    return CUSOLVER_STATUS_SUCCESS;
  });
}

Status size(Check c, int64_t *lwork, int64_t n) { return c.answer(lwork, area(n)); }

Check begin(const char *function, Handle h) {
  Check c(function, h);
  if (!c.bad())
    c.that(!h->devices.empty(), "DeviceSelect was not called");
  return c;
}

cudaDataType typeOf(const Check &c, const Part &A) { return c.bad() ? CUDA_R_64F : A.desc->type; }

template <typename T>
int eigen(cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, Part A, void *W) {
  auto a = A.gather<T>(n, n);
  const int ld = std::max(n, 1);
  std::vector<Real<T>> reals(size_t(2) * n * n + 5 * n + 1);
  std::vector<int> ints(5 * n + 3);
  auto *const values = static_cast<Real<T> *>(W);
  const int info = withWork<T>([&](T *work, int lwork) {
    const int liwork = lwork < 0 ? -1 : int(ints.size());
    [[maybe_unused]] const int lrwork = lwork < 0 ? -1 : int(reals.size());
    if constexpr (is_complex<T>)
      return lapack(Lapack<T>::syevd, letter(jobz), letter(uplo), n, a.data(), ld, values, work,
                    lwork, reals.data(), lrwork, ints.data(), liwork);
    else
      return lapack(Lapack<T>::syevd, letter(jobz), letter(uplo), n, a.data(), ld, values, work,
                    lwork, ints.data(), liwork);
  });
  A.scatter(a, n);
  return info;
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle;
using namespace heddle::cusolver;

#define MG(name) cusolverStatus_t cusolverMg##name
#define PART(A) void *blocks##A[], int I##A, int J##A, cudaLibMgMatrixDesc_t desc##A
#define AS_PART(A)                                                                                 \
  Part { blocks##A, I##A, J##A, static_cast<Desc *>(desc##A) }
#define SIZE cudaDataType, int64_t *lwork
#define WORK cudaDataType compute, void *[], int64_t lwork, int *info
#define BEGIN Check c = begin(__func__, h)

MG(Create)(Handle *handle) {
  if (!handle)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "handle is null");
  *handle = library::handles<cusolverMgContext>().add(new cusolverMgContext);
  return CUSOLVER_STATUS_SUCCESS;
}

MG(Destroy)(Handle h) {
  if (const Check c(__func__, h); c.bad())
    return c.status();
  library::handles<cusolverMgContext>().remove(h);
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}

MG(DeviceSelect)(Handle h, int count, int devices[]) {
  Check c(__func__, h);
  int there = 0;
  cudaGetDeviceCount(&there);
  c.that(count >= 1, "there are no devices").pointer(devices, "the list of devices is null");
  for (int i = 0; !c.bad() && i < count; ++i)
    c.that(devices[i] >= 0 && devices[i] < there, "there is no such device");
  if (!c.bad())
    h->devices.assign(devices, devices + count);
  return c.status();
}

MG(CreateDeviceGrid)
(cudaLibMgGrid_t *grid, int32_t rows, int32_t columns, const int32_t devices[],
 cusolverMgGridMapping_t) {
  if (!grid || !devices || rows < 1 || columns < 1)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "an argument is null or not positive");
  if (rows != 1)
    return refuse(__func__, CUSOLVER_STATUS_NOT_SUPPORTED, "grids have one row of devices");
  *grid = library::handles<Grid>().add(new Grid{{devices, devices + columns}});
  return CUSOLVER_STATUS_SUCCESS;
}

MG(DestroyGrid)(cudaLibMgGrid_t grid) {
  if (!library::handles<Grid>().remove(static_cast<Grid *>(grid)))
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE,
                  "the grid was not created, or destroyed");
  delete static_cast<Grid *>(grid);
  return CUSOLVER_STATUS_SUCCESS;
}

MG(CreateMatrixDesc)
(cudaLibMgMatrixDesc_t *desc, int64_t rows, int64_t columns, int64_t row_block,
 int64_t column_block, cudaDataType type, const cudaLibMgGrid_t grid) {
  const auto *devices = static_cast<const Grid *>(grid);
  if (!desc || rows < 0 || columns < 0 || column_block < 1 || row_block != rows ||
      !library::handles<Grid>().has(devices))
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE,
                  "the grid or a size is wrong, or blocks have less rows than the matrix");
  *desc = library::handles<Desc>().add(
      new Desc{rows, columns, column_block, type, int(devices->devices.size())});
  return CUSOLVER_STATUS_SUCCESS;
}

MG(DestroyMatrixDesc)(cudaLibMgMatrixDesc_t desc) {
  if (!library::handles<Desc>().remove(static_cast<Desc *>(desc)))
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE,
                  "the descriptor was not created, or destroyed");
  delete static_cast<Desc *>(desc);
  return CUSOLVER_STATUS_SUCCESS;
}

MG(Syevd_bufferSize)
(Handle h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, PART(A), void *, cudaDataType,
 SIZE) {
  BEGIN;
  AS_PART(A).check(c.jobz(jobz).uplo(uplo), n, n);
  return size(c, lwork, n);
}
MG(Syevd)
(Handle h, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, PART(A), void *W,
 cudaDataType type_w, WORK) {
  BEGIN;
  const Part A = AS_PART(A);
  A.check(c.jobz(jobz).uplo(uplo).array(W, n, "W is null"), n, n);
  const cudaDataType type = typeOf(c, A);
  c.that(type_w == realOf(type), "W has not the matrix's precision");
  return perform(c, h, type, compute, lwork, info,
                 [&](auto t) { return eigen<decltype(t)>(jobz, uplo, n, A, W); });
}

MG(Getrf_bufferSize)(Handle h, int m, int n, PART(A), int *[], SIZE) {
  BEGIN;
  AS_PART(A).check(c, m, n);
  return size(c, lwork, n);
}
MG(Getrf)(Handle h, int m, int n, PART(A), int *pivots[], WORK) {
  BEGIN;
  const Part A = AS_PART(A);
  A.check(c.pointer(pivots, "the array of pivots is null"), m, n);
  return perform(c, h, typeOf(c, A), compute, lwork, info, [&](auto t) {
    using T = decltype(t);
    auto a = A.gather<T>(m, n);
    std::vector<int> p(std::min(m, n));
    const int result = lapack(Lapack<T>::getrf, m, n, a.data(), std::max(m, 1), p.data());
    A.scatter(a, m);
    for (size_t j = 0; j < p.size(); ++j)
      Pivots{pivots, A}.at(int64_t(j)) = p[j];
    return result;
  });
}

MG(Getrs_bufferSize)
(Handle h, cublasOperation_t op, int n, int nrhs, PART(A), int *[], PART(B), SIZE) {
  BEGIN;
  AS_PART(A).check(c.operation(op), n, n);
  AS_PART(B).check(c, n, nrhs);
  return size(c, lwork, n);
}
MG(Getrs)
(Handle h, cublasOperation_t op, int n, int nrhs, PART(A), int *pivots[], PART(B), WORK) {
  BEGIN;
  const Part A = AS_PART(A), B = AS_PART(B);
  A.check(c.operation(op).pointer(pivots, "the array of pivots is null"), n, n);
  B.check(c, n, nrhs);
  c.that(c.bad() || A.desc->type == B.desc->type, "the data types differ");
  return perform(c, h, typeOf(c, A), compute, lwork, info, [&](auto t) {
    using T = decltype(t);
    const auto a = A.gather<T>(n, n);
    auto b = B.gather<T>(n, nrhs);
    std::vector<int> p(n);
    for (int j = 0; j < n; ++j)
      p[j] = Pivots{pivots, A}.at(j);
    const int ld = std::max(n, 1), result = lapack(Lapack<T>::getrs, letter(op), n, nrhs, a.data(),
                                                   ld, p.data(), b.data(), ld);
    B.scatter(b, n);
    return result;
  });
}

#define TRIANGLE(Name, routine)                                                                    \
  MG(Name##_bufferSize)(Handle h, cublasFillMode_t uplo, int n, PART(A), SIZE) {                   \
    BEGIN;                                                                                         \
    AS_PART(A).check(c.uplo(uplo), n, n);                                                          \
    return size(c, lwork, n);                                                                      \
  }                                                                                                \
  MG(Name)(Handle h, cublasFillMode_t uplo, int n, PART(A), WORK) {                                \
    BEGIN;                                                                                         \
    const Part A = AS_PART(A);                                                                     \
    A.check(c.uplo(uplo), n, n);                                                                   \
    return perform(c, h, typeOf(c, A), compute, lwork, info, [&](auto t) {                         \
      using T = decltype(t);                                                                       \
      auto a = A.gather<T>(n, n);                                                                  \
      const int result = lapack(Lapack<T>::routine, letter(uplo), n, a.data(), std::max(n, 1));    \
      A.scatter(a, n);                                                                             \
      return result;                                                                               \
    });                                                                                            \
  }
TRIANGLE(Potrf, potrf)
TRIANGLE(Potri, potri)

MG(Potrs_bufferSize)(Handle h, cublasFillMode_t uplo, int n, int nrhs, PART(A), PART(B), SIZE) {
  BEGIN;
  AS_PART(A).check(c.uplo(uplo), n, n);
  AS_PART(B).check(c, n, nrhs);
  return size(c, lwork, n);
}
MG(Potrs)(Handle h, cublasFillMode_t uplo, int n, int nrhs, PART(A), PART(B), WORK) {
  BEGIN;
  const Part A = AS_PART(A), B = AS_PART(B);
  A.check(c.uplo(uplo), n, n);
  B.check(c, n, nrhs);
  c.that(c.bad() || A.desc->type == B.desc->type, "the data types differ");
  return perform(c, h, typeOf(c, A), compute, lwork, info, [&](auto t) {
    using T = decltype(t);
    const auto a = A.gather<T>(n, n);
    auto b = B.gather<T>(n, nrhs);
    const int ld = std::max(n, 1),
              result = lapack(Lapack<T>::potrs, letter(uplo), n, nrhs, a.data(), ld, b.data(), ld);
    B.scatter(b, n);
    return result;
  });
}
