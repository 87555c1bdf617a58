// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusolverRf: the factors of one matrix tell the pattern M = L + U in which others of the same
// pattern are factored again, without pivoting. P A Q' = L U, L with ones on its diagonal. The
// library has no streams: work goes to the default one.
#include "../handle.h"
#include "cusolverRf.h"

#include <cmath>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <memory>
#include <numeric>

namespace heddle::cusolver {
namespace {

/// A device array of the library's own.
template <typename T> class Array {
public:
  bool assign(const std::vector<T> &values) {
    T *fresh = nullptr;
    if (cudaMalloc(reinterpret_cast<void **>(&fresh),
                   std::max<size_t>(1, values.size()) * sizeof(T)) != cudaSuccess)
      return false;
    data_.reset(fresh, [](T *pointer) { cudaFree(pointer); });
    std::copy(values.begin(), values.end(), fresh);
    return true;
  }
  T *data() const { return data_.get(); }

private:
  std::shared_ptr<T> data_;
};

/// What tasks use of a handle. One value array for each matrix of a batch, one behind the other.
struct Bundle {
  int n = 0, nnz = 0, batch = 1;
  Array<int> starts, indices;
  Array<double> values;
  std::vector<int> diagonal; // where each row's diagonal is
  std::vector<int> target;   // where each element of A goes
  std::vector<int> zero_pivots;
  bool boosted = false;
};

} // namespace
} // namespace heddle::cusolver

struct cusolverRfCommon {
  cudaStream_t stream = nullptr;
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  cusolverRfFactorization_t factorization = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t solution = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  cusolverRfResetValuesFastMode_t fast = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  double zero = 0, boost = 0;
  std::shared_ptr<heddle::cusolver::Bundle> bundle;
  bool analysed = false, factored = false;
};

namespace heddle::cusolver {
namespace {

using Handle = cusolverRfHandle_t;

/// A matrix in compressed rows or columns.
struct Compressed {
  int nnz;
  const int *starts, *indices;
  const double *values;

  void check(Check &c) const {
    c.that(nnz >= 0, "nnz is negative").pointer(starts, "an array of starts is null");
    c.array(indices, nnz, "an array of indices is null");
  }
  bool valid(int n) const {
    bool good = starts[0] == 0 && starts[n] == nnz;
    for (int i = 0; good && i < n; ++i)
      good = starts[i] <= starts[i + 1] && starts[i + 1] <= nnz;
    for (int k = 0; good && k < nnz; ++k)
      good = indices[k] >= 0 && indices[k] < n;
    return good;
  }
  template <typename F> void each(bool by_rows, int n, F function) const {
    for (int i = 0; i < n; ++i)
      for (int k = starts[i]; k < starts[i + 1]; ++k)
        by_rows ? function(i, indices[k], k) : function(indices[k], i, k);
  }
};

bool isPermutation(const int *p, int n) {
  std::vector<char> seen(n);
  for (int i = 0; i < n; ++i)
    if (p[i] < 0 || p[i] >= n || seen[p[i]]++)
      return false;
  return true;
}

/// The pattern of L + U with a full diagonal.
std::vector<std::vector<int>> patternOf(int n, bool by_rows, const Compressed &L,
                                        const Compressed &U) {
  std::vector<std::vector<int>> rows(n);
  for (int i = 0; i < n; ++i)
    rows[i].push_back(i);
  const auto add = [&](int row, int column, int) { rows[row].push_back(column); };
  L.each(by_rows, n, add);
  U.each(by_rows, n, add);
  for (auto &row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return rows;
}

/// Fills the bundle's pattern; false if an element of A is outside of it, or there is no memory.
bool build(Bundle &to, const std::vector<std::vector<int>> &rows, bool by_rows, const Compressed &A,
           const int *p, const int *q) {
  const int n = int(rows.size());
  std::vector<int> starts{0}, indices, row_place(n), column_place(n);
  for (int i = 0; i < n; ++i) {
    const auto at = std::lower_bound(rows[i].begin(), rows[i].end(), i) - rows[i].begin();
    to.diagonal.push_back(starts.back() + int(at));
    indices.insert(indices.end(), rows[i].begin(), rows[i].end());
    starts.push_back(int(indices.size()));
  }
  for (int i = 0; i < n; ++i) {
    row_place[p[i]] = i;
    column_place[q[i]] = i;
  }
  to.target.assign(A.nnz, -1);
  bool inside = true;
  A.each(by_rows, n, [&](int row, int column, int k) {
    const auto &list = rows[row_place[row]];
    const auto at = std::lower_bound(list.begin(), list.end(), column_place[column]);
    if (at == list.end() || *at != column_place[column])
      inside = false;
    else
      to.target[k] = starts[row_place[row]] + int(at - list.begin());
  });
  to.n = n;
  to.nnz = int(indices.size());
  to.zero_pivots.assign(to.batch, -1);
  return inside && to.starts.assign(starts) && to.indices.assign(indices) &&
         to.values.assign(std::vector<double>(size_t(to.nnz) * to.batch));
}

void scatter(const Bundle &bundle, int index, const double *values) {
  double *const to = bundle.values.data() + size_t(index) * bundle.nnz;
  std::fill_n(to, bundle.nnz, 0.0);
  for (size_t k = 0; k < bundle.target.size(); ++k)
    to[bundle.target[k]] += values[k];
}

/// Row by row (IKJ): L's elements of a row, each subtracting a multiple of an earlier row.
int factorOne(const Bundle &b, double *values, double zero, double boost, bool &boosted) {
  std::vector<int> place(b.n, -1);
  const int *const starts = b.starts.data(), *const indices = b.indices.data();
  int bad = -1;
  for (int i = 0; i < b.n; ++i) {
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      place[indices[k]] = k;
    for (int k = starts[i]; k < b.diagonal[i]; ++k) {
      const int j = indices[k];
      values[k] /= values[b.diagonal[j]];
      for (int l = b.diagonal[j] + 1; l < starts[j + 1]; ++l)
        if (place[indices[l]] >= 0)
          values[place[indices[l]]] -= values[k] * values[l];
    }
    double &pivot = values[b.diagonal[i]];
    if (boost > 0 && std::fabs(pivot) < zero) {
      pivot = std::copysign(boost, pivot);
      boosted = true;
    }
    if (pivot == 0 && bad < 0)
      bad = i;
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      place[indices[k]] = -1;
  }
  return bad;
}

void solveOne(const Bundle &b, const double *values, const int *p, const int *q, int nrhs,
              double *xf, int ldxf) {
  const int *const starts = b.starts.data(), *const indices = b.indices.data();
  std::vector<double> y(b.n);
  for (int side = 0; side < nrhs; ++side) {
    double *const x = xf + int64_t(side) * ldxf;
    for (int i = 0; i < b.n; ++i) {
      y[i] = x[p[i]];
      for (int k = starts[i]; k < b.diagonal[i]; ++k)
        y[i] -= values[k] * y[indices[k]];
    }
    for (int i = b.n; i-- > 0;) {
      for (int k = b.diagonal[i] + 1; k < starts[i + 1]; ++k)
        y[i] -= values[k] * y[indices[k]];
      y[i] /= values[b.diagonal[i]];
    }
    for (int i = 0; i < b.n; ++i)
      x[q[i]] = y[i];
  }
}

Status setup(Check c, Handle h, int batch, int n, const Compressed &A,
             const double *const *batch_values, const Compressed &L, const Compressed &U,
             const int *p, const int *q, bool on_device) {
  c.size(n).that(batch >= 1, "batchSize is less than 1");
  for (const Compressed *matrix : {&A, &L, &U})
    matrix->check(c);
  c.array(p, n, "P is null").array(q, n, "Q is null");
  if (c.bad())
    return c.status();
  if (on_device && cudaStreamSynchronize(h->stream) != cudaSuccess)
    return refuse(c.function(), CUSOLVER_STATUS_EXECUTION_FAILED, "the stream has failed");
  c.that(A.valid(n) && L.valid(n) && U.valid(n), "starts or indices are out of range");
  if (!c.bad())
    c.that(isPermutation(p, n) && isPermutation(q, n), "P or Q is no permutation");
  if (c.bad())
    return c.status();
  const bool by_rows = h->format == CUSOLVERRF_MATRIX_FORMAT_CSR;
  auto bundle = std::make_shared<Bundle>();
  bundle->batch = batch;
  if (!build(*bundle, patternOf(n, by_rows, L, U), by_rows, A, p, q))
    return refuse(c.function(), CUSOLVER_STATUS_INVALID_VALUE,
                  "A has elements outside of the pattern of L + U, or there is no memory");
  for (int i = 0; i < batch; ++i)
    if (const double *const values = batch_values ? batch_values[i] : A.values)
      scatter(*bundle, i, values);
  h->bundle = std::move(bundle);
  h->analysed = h->factored = false;
  return CUSOLVER_STATUS_SUCCESS;
}

Check &needSetup(Check &c, Handle h, bool batched) {
  if (c.bad())
    return c;
  c.that(h->bundle != nullptr, "the setup function was not called");
  if (!c.bad())
    c.that(batched || h->bundle->batch == 1, "the handle is set up for a batch");
  return c;
}

Status reset(Check c, Handle h, int batch, int n, int nnz, const double *values,
             double *const *batch_values, bool batched) {
  if (needSetup(c, h, batched).bad())
    return c.status();
  c.that(h->bundle->n == n && int(h->bundle->target.size()) == nnz && h->bundle->batch == batch,
         "the sizes are not those of the setup");
  c.pointer(batched ? static_cast<const void *>(batch_values) : values, "the values are null");
  h->factored = false;
  return c.run(nullptr, [=, bundle = h->bundle] {
    for (int i = 0; i < batch; ++i)
      scatter(*bundle, i, batched ? batch_values[i] : values);
    return 0;
  });
}

Status analyse(Check c, Handle h, bool batched) {
  if (!needSetup(c, h, batched).bad())
    h->analysed = true; // the pattern was looked at by the setup
  return c.status();
}

/// Waits: a single matrix with a zero pivot is the call's status (cuSOLVER, "cusolverRfRefactor").
Status refactor(Check c, Handle h, bool batched) {
  if (needSetup(c, h, batched).that(c.bad() || h->analysed, "the analysis was not called").bad())
    return c.status();
  h->factored = true;
  const Status status = c.run(
      nullptr,
      [bundle = h->bundle, zero = h->zero, boost = h->boost] {
        bundle->boosted = false;
        for (int i = 0; i < bundle->batch; ++i)
          bundle->zero_pivots[i] =
              factorOne(*bundle, bundle->values.data() + size_t(i) * bundle->nnz, zero, boost,
                        bundle->boosted);
        return 0;
      },
      !batched);
  if (status || batched || h->bundle->zero_pivots[0] < 0)
    return status;
  return refuse(c.function(), CUSOLVER_STATUS_ZERO_PIVOT, "a pivot is zero");
}

Status solve(Check c, Handle h, const int *p, const int *q, int nrhs, double *temp, int ldt,
             double *xf, double *const *batch_xf, int ldxf, bool batched) {
  if (needSetup(c, h, batched).that(c.bad() || h->factored, "the matrix was not factored").bad())
    return c.status();
  const int n = h->bundle->n;
  // cuSOLVER, "cusolverRfBatchSolve": one right-hand side a matrix.
  c.size(nrhs).that(!batched || nrhs == 1, "a batch takes one right-hand side (nrhs = 1)");
  c.array(p, n, "P is null").array(q, n, "Q is null").leading(ldt, n).leading(ldxf, n);
  c.array(temp, n, "Temp is null");
  c.pointer(batched ? static_cast<const void *>(batch_xf) : xf, "XF is null");
  return c.run(nullptr, [=, bundle = h->bundle] {
    for (int i = 0; i < bundle->batch; ++i)
      solveOne(*bundle, bundle->values.data() + size_t(i) * bundle->nnz, p, q, nrhs,
               batched ? batch_xf[i] : xf, ldxf);
    return 0;
  });
}

/// Copies for the program, which frees them.
template <typename T> T *copyOf(const std::vector<T> &values) {
  T *const to = static_cast<T *>(std::malloc(std::max<size_t>(1, values.size()) * sizeof(T)));
  if (to)
    std::copy(values.begin(), values.end(), to);
  return to;
}

struct HostMatrix {
  int *nnz, **starts, **indices;
  double **values;

  bool complete() const { return nnz && starts && indices && values; }
  void fill(const std::vector<int> &from_starts, const std::vector<int> &from_indices,
            const std::vector<double> &from_values) const {
    *nnz = int(from_indices.size());
    *starts = copyOf(from_starts);
    *indices = copyOf(from_indices);
    *values = copyOf(from_values);
  }
  bool filled() const { return *starts && *indices && *values; }
};

enum class Part { All, Lower, Upper };

/// L without its diagonal if that is only assumed; U with it.
void copyPart(const Bundle &b, Part part, bool unit_stored, const HostMatrix &to) {
  std::vector<int> starts{0}, indices;
  std::vector<double> values;
  for (int i = 0; i < b.n; ++i) {
    for (int k = b.starts.data()[i]; k < b.starts.data()[i + 1]; ++k)
      if (part == Part::All || (part == Part::Lower) == (k < b.diagonal[i])) {
        indices.push_back(b.indices.data()[k]);
        values.push_back(b.values.data()[k]);
      }
    if (part == Part::Lower && unit_stored) {
      indices.push_back(i);
      values.push_back(1);
    }
    starts.push_back(int(indices.size()));
  }
  to.fill(starts, indices, values);
}

Status extract(Check c, Handle h, std::initializer_list<std::pair<Part, HostMatrix>> parts) {
  if (needSetup(c, h, false).that(c.bad() || h->factored, "the matrix was not factored").bad())
    return c.status();
  for (const auto &[part, to] : parts)
    c.that(to.complete(), "a pointer to a result is null");
  if (c.bad())
    return c.status();
  if (cudaStreamSynchronize(h->stream) != cudaSuccess)
    return refuse(c.function(), CUSOLVER_STATUS_EXECUTION_FAILED, "the stream has failed");
  for (const auto &[part, to] : parts) {
    copyPart(*h->bundle, part, h->diagonal == CUSOLVERRF_UNIT_DIAGONAL_STORED_L, to);
    c.that(to.filled(), "there is no memory for it", CUSOLVER_STATUS_ALLOC_FAILED);
  }
  return c.status();
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle;
using namespace heddle::cusolver;

#define CALL Check(__func__, h), h
#define RF(name) cusolverStatus_t cusolverRf##name

RF(Create)(Handle *handle) {
  if (!handle)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "handle is null");
  if (cudaFree(nullptr) != cudaSuccess)
    return refuse(__func__, CUSOLVER_STATUS_NOT_INITIALIZED, "there is no device to use");
  *handle = library::handles<cusolverRfCommon>().add(new cusolverRfCommon);
  return CUSOLVER_STATUS_SUCCESS;
}

RF(Destroy)(Handle h) {
  if (const Check c(__func__, h); c.bad())
    return c.status();
  cudaStreamSynchronize(h->stream); // its arrays are freed with it
  library::handles<cusolverRfCommon>().remove(h);
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}

#define GET_SET(Get, Set, A, a, B, b, valid, wrong)                                                \
  RF(Get)(Handle h, A * first, B * second) {                                                       \
    Check c(__func__, h);                                                                          \
    if (c.pointer(first, "a result is null").pointer(second, "a result is null").bad())            \
      return c.status();                                                                           \
    *first = h->a;                                                                                 \
    *second = h->b;                                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  RF(Set)(Handle h, A first, B second) {                                                           \
    Check c(__func__, h);                                                                          \
    if (c.that(valid, "there is no such value", wrong).bad())                                      \
      return c.status();                                                                           \
    h->a = first;                                                                                  \
    h->b = second;                                                                                 \
    return CUSOLVER_STATUS_SUCCESS;                                                                \
  }
GET_SET(GetNumericProperties, SetNumericProperties, double, zero, double, boost, true,
        CUSOLVER_STATUS_INVALID_VALUE)
GET_SET(GetAlgs, SetAlgs, cusolverRfFactorization_t, factorization, cusolverRfTriangularSolve_t,
        solution,
        unsigned(first) <= CUSOLVERRF_FACTORIZATION_ALG2 &&
            second >= CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 &&
            second <= CUSOLVERRF_TRIANGULAR_SOLVE_ALG3,
        CUSOLVER_STATUS_INVALID_VALUE)
// Factors with ones on U's diagonal instead of L's are not supported.
GET_SET(GetMatrixFormat, SetMatrixFormat, cusolverRfMatrixFormat_t, format,
        cusolverRfUnitDiagonal_t, diagonal,
        unsigned(first) <= CUSOLVERRF_MATRIX_FORMAT_CSC &&
            (second == CUSOLVERRF_UNIT_DIAGONAL_STORED_L ||
             second == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L),
        (unsigned(second) <= CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U ? CUSOLVER_STATUS_NOT_SUPPORTED
                                                                : CUSOLVER_STATUS_INVALID_VALUE))

RF(GetResetValuesFastMode)(Handle h, cusolverRfResetValuesFastMode_t *mode) {
  Check c(__func__, h);
  if (!c.pointer(mode, "the result is null").bad())
    *mode = h->fast;
  return c.status();
}

RF(SetResetValuesFastMode)(Handle h, cusolverRfResetValuesFastMode_t mode) {
  Check c(__func__, h);
  if (!c.that(unsigned(mode) <= CUSOLVERRF_RESET_VALUES_FAST_MODE_ON, "there is no such mode")
           .bad())
    h->fast = mode;
  return c.status();
}

RF(GetNumericBoostReport)(Handle h, cusolverRfNumericBoostReport_t *report) {
  Check c(__func__, h);
  if (needSetup(c, h, true).pointer(report, "the report is null").bad())
    return c.status();
  cudaStreamSynchronize(h->stream);
  *report = h->bundle->boosted ? CUSOLVERRF_NUMERIC_BOOST_USED : CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  return CUSOLVER_STATUS_SUCCESS;
}

#define MATRIX(A) int nnz##A, int *starts##A, int *indices##A, double *values##A
#define PASS(A)                                                                                    \
  Compressed { nnz##A, starts##A, indices##A, values##A }

RF(SetupHost)(int n, MATRIX(A), MATRIX(L), MATRIX(U), int *p, int *q, Handle h) {
  return setup(CALL, 1, n, PASS(A), nullptr, PASS(L), PASS(U), p, q, false);
}
RF(SetupDevice)(int n, MATRIX(A), MATRIX(L), MATRIX(U), int *p, int *q, Handle h) {
  return setup(CALL, 1, n, PASS(A), nullptr, PASS(L), PASS(U), p, q, true);
}
RF(BatchSetupHost)
(int batch, int n, int nnzA, int *startsA, int *indicesA, double *values[], MATRIX(L), MATRIX(U),
 int *p, int *q, Handle h) {
  Check c(__func__, h);
  c.pointer(values, "the array of values is null");
  return setup(c, h, batch, n, {nnzA, startsA, indicesA, nullptr}, values, PASS(L), PASS(U), p, q,
               false);
}
RF(ResetValues)(int n, MATRIX(A), int *, int *, Handle h) {
  Check c(__func__, h);
  Compressed{nnzA, startsA, indicesA, valuesA}.check(c);
  return reset(c, h, 1, n, nnzA, valuesA, nullptr, false);
}
RF(BatchResetValues)
(int batch, int n, int nnzA, int *startsA, int *indicesA, double *values[], int *, int *,
 Handle h) {
  Check c(__func__, h);
  Compressed{nnzA, startsA, indicesA, nullptr}.check(c);
  return reset(c, h, batch, n, nnzA, nullptr, values, true);
}
RF(Analyze)(Handle h) { return analyse(CALL, false); }
RF(BatchAnalyze)(Handle h) { return analyse(CALL, true); }
RF(Refactor)(Handle h) { return refactor(CALL, false); }
RF(BatchRefactor)(Handle h) { return refactor(CALL, true); }
RF(Solve)(Handle h, int *p, int *q, int nrhs, double *temp, int ldt, double *xf, int ldxf) {
  return solve(CALL, p, q, nrhs, temp, ldt, xf, nullptr, ldxf, false);
}
RF(BatchSolve)
(Handle h, int *p, int *q, int nrhs, double *temp, int ldt, double *xf[], int ldxf) {
  return solve(CALL, p, q, nrhs, temp, ldt, nullptr, xf, ldxf, true);
}

RF(BatchZeroPivot)(Handle h, int *position) {
  Check c(__func__, h);
  if (needSetup(c, h, true).pointer(position, "position is null").bad())
    return c.status();
  c.that(h->factored, "the matrices were not factored");
  bool zero = false;
  if (c.bad() || cudaStreamSynchronize(h->stream) != cudaSuccess)
    return c.bad() ? c.status() : CUSOLVER_STATUS_EXECUTION_FAILED;
  for (int i = 0; i < h->bundle->batch; ++i) {
    position[i] = h->bundle->zero_pivots[i];
    zero = zero || position[i] >= 0;
  }
  return zero ? CUSOLVER_STATUS_ZERO_PIVOT : CUSOLVER_STATUS_SUCCESS;
}

RF(AccessBundledFactorsDevice)(Handle h, int *nnz, int **starts, int **indices, double **values) {
  Check c(__func__, h);
  if (needSetup(c, h, false)
          .that(nnz && starts && indices && values, "a pointer to a result is null")
          .bad())
    return c.status();
  *nnz = h->bundle->nnz;
  *starts = h->bundle->starts.data();
  *indices = h->bundle->indices.data();
  *values = h->bundle->values.data();
  return CUSOLVER_STATUS_SUCCESS;
}

RF(ExtractBundledFactorsHost)(Handle h, int *nnz, int **starts, int **indices, double **values) {
  return extract(CALL, {{Part::All, {nnz, starts, indices, values}}});
}

RF(ExtractSplitFactorsHost)
(Handle h, int *nnzL, int **startsL, int **indicesL, double **valuesL, int *nnzU, int **startsU,
 int **indicesU, double **valuesU) {
  return extract(CALL, {{Part::Lower, {nnzL, startsL, indicesL, valuesL}},
                        {Part::Upper, {nnzU, startsU, indicesU, valuesU}}});
}
