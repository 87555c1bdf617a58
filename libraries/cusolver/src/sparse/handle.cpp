// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of the sparse part, and functions of patterns: orders, permutations, symmetry.
#include "matrix.h"

#include <cuda_runtime_api.h>
#include <numeric>

namespace heddle::cusolver {
namespace {

Status reorder(Check c, cusolverSpHandle_t h, const Pattern &pattern, Order kind, int *p) {
  pattern.check(c);
  c.array(p, pattern.rows, "p is null");
  return runSparse(c, h, Where::Host, [=] {
    const auto result = order(pattern, kind);
    std::copy(result.begin(), result.end(), p);
  });
}

Status isSymmetric(Check c, cusolverSpHandle_t h, const Pattern &pattern, const int *ends,
                   int *result) {
  pattern.check(c);
  c.array(ends, pattern.rows, "csrEndPtrA is null").pointer(result, "issym is null");
  return runSparse(c, h, Where::Host, [=] {
    pattern.validate(ends);
    const int base = pattern.base();
    std::vector<std::pair<int, int>> places, mirrored;
    for (int row = 0; row < pattern.rows; ++row)
      for (int k = pattern.starts[row] - base; k < ends[row] - base; ++k) {
        places.emplace_back(row, pattern.indices[k] - base);
        mirrored.emplace_back(pattern.indices[k] - base, row);
      }
    std::sort(places.begin(), places.end());
    std::sort(mirrored.begin(), mirrored.end());
    *result = places == mirrored;
  });
}

bool isPermutation(const int *p, int n) {
  std::vector<char> seen(n);
  for (int i = 0; i < n; ++i)
    if (p[i] < 0 || p[i] >= n || seen[p[i]]++)
      return false;
  return true;
}

/// B(i, j) = A(p[i], q[j]) in A's place; `map` goes the way of the elements.
Status permute(Check c, cusolverSpHandle_t h, const Pattern &A, int *starts, int *indices,
               const int *p, const int *q, int *map) {
  A.check(c);
  c.array(p, A.rows, "p is null").array(q, A.columns, "q is null").array(map, A.nnz, "map is null");
  return runSparse(c, h, Where::Host, [=] {
    A.validate();
    if (!isPermutation(p, A.rows) || !isPermutation(q, A.columns))
      throw std::invalid_argument("p or q is no permutation");
    const int base = A.base();
    std::vector<int> place(A.columns), new_starts{0}, new_indices, new_map;
    for (int j = 0; j < A.columns; ++j)
      place[q[j]] = j;
    std::vector<std::pair<int, int>> row;
    for (int i = 0; i < A.rows; ++i) {
      row.clear();
      for (int k = starts[p[i]] - base; k < starts[p[i] + 1] - base; ++k)
        row.emplace_back(place[indices[k] - base], map[k]);
      std::sort(row.begin(), row.end(),
                [](const auto &a, const auto &b) { return a.first < b.first; });
      for (const auto &[column, from] : row) {
        new_indices.push_back(column + base);
        new_map.push_back(from);
      }
      new_starts.push_back(int(new_indices.size()));
    }
    std::transform(new_starts.begin(), new_starts.end(), starts, [=](int v) { return v + base; });
    std::copy(new_indices.begin(), new_indices.end(), indices);
    std::copy(new_map.begin(), new_map.end(), map);
  });
}

/// Rows for columns, as many as there can be: grows a matching by augmenting paths.
class Matching {
public:
  explicit Matching(const Pattern &pattern)
      : pattern_(pattern), row_of_(pattern.columns, -1), seen_(pattern.rows, -1),
        next_(pattern.rows), column_to_(pattern.rows, -1) {}
  /// Which row each column gets; the rows that are left fill the rest.
  int find(int *rows) {
    int found = 0;
    for (int row = 0; row < pattern_.rows; ++row)
      found += augment(row);
    std::vector<char> used(pattern_.rows);
    for (const int row : row_of_)
      if (row >= 0)
        used[row] = 1;
    int spare = 0;
    for (int column = 0; column < pattern_.columns; ++column) {
      if (row_of_[column] < 0) {
        while (used[spare])
          ++spare;
        used[spare] = 1;
        row_of_[column] = spare;
      }
      rows[column] = row_of_[column];
    }
    return found;
  }

private:
  bool augment(int start) {
    const int base = pattern_.base();
    std::vector<int> path{start};
    seen_[start] = start;
    next_[start] = pattern_.starts[start] - base;
    while (!path.empty()) {
      const int row = path.back();
      if (next_[row] == pattern_.starts[row + 1] - base) {
        path.pop_back();
        continue;
      }
      const int column = pattern_.indices[next_[row]++] - base, other = row_of_[column];
      if (other >= 0 && seen_[other] == start)
        continue;
      column_to_[row] = column;
      if (other < 0) {
        for (const int at : path)
          row_of_[column_to_[at]] = at;
        return true;
      }
      seen_[other] = start;
      next_[other] = pattern_.starts[other] - base;
      path.push_back(other);
    }
    return false;
  }

  const Pattern &pattern_;
  std::vector<int> row_of_, seen_, next_, column_to_;
};

Status zeroFreeDiagonal(Check c, cusolverSpHandle_t h, const Pattern &pattern, int *p, int *count) {
  pattern.check(c);
  c.array(p, pattern.rows, "P is null").pointer(count, "numnz is null");
  return runSparse(c, h, Where::Host, [=] {
    pattern.validate();
    *count = Matching(pattern).find(p);
  });
}

} // namespace
} // namespace heddle::cusolver

using namespace heddle;
using namespace heddle::cusolver;

#define H cusolverSpHandle_t h
#define CALL Check(__func__, h), h
#define SP(name) cusolverStatus_t cusolverSp##name
#define PATTERN int nnz, const cusparseMatDescr_t d, const int *starts, const int *indices

SP(Create)(cusolverSpHandle_t *handle) {
  if (!handle)
    return refuse(__func__, CUSOLVER_STATUS_INVALID_VALUE, "handle is null");
  if (cudaFree(nullptr) != cudaSuccess)
    return refuse(__func__, CUSOLVER_STATUS_NOT_INITIALIZED, "there is no device to use");
  *handle = library::handles<cusolverSpContext>().add(new cusolverSpContext);
  return CUSOLVER_STATUS_SUCCESS;
}

SP(Destroy)(H) {
  if (const Check c(__func__, h); c.bad())
    return c.status();
  library::handles<cusolverSpContext>().remove(h);
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}

SP(SetStream)(H, cudaStream_t stream) {
  const Check c(__func__, h);
  if (!c.bad())
    h->stream = stream;
  return c.status();
}

SP(GetStream)(H, cudaStream_t *stream) {
  Check c(__func__, h);
  if (!c.pointer(stream, "the pointer to the stream is null").bad())
    *stream = h->stream;
  return c.status();
}

#define ORDER(Name, kind)                                                                          \
  SP(Name)(H, int n, PATTERN, int *p) {                                                            \
    return reorder(CALL, {n, n, nnz, d, starts, indices}, kind, p);                                \
  }
ORDER(XcsrsymrcmHost, Order::Rcm)
ORDER(XcsrsymmdqHost, Order::Amd)
ORDER(XcsrsymamdHost, Order::Amd)

SP(XcsrmetisndHost)(H, int n, PATTERN, const int64_t *, int *p) {
  return reorder(CALL, {n, n, nnz, d, starts, indices}, Order::Metis, p);
}

SP(XcsrissymHost)(H, int m, int nnz, const cusparseMatDescr_t d, const int *starts, const int *ends,
                  const int *indices, int *result) {
  return isSymmetric(CALL, {m, m, nnz, d, starts, indices}, ends, result);
}

SP(Xcsrperm_bufferSizeHost)
(H, int m, int n, PATTERN, const int *, const int *, size_t *bytes) {
  Check c(__func__, h);
  Pattern{m, n, nnz, d, starts, indices}.check(c);
  return c.answer(bytes, int64_t(sizeof(int)) * (2 * int64_t(nnz) + m + n + 1));
}

SP(XcsrpermHost)
(H, int m, int n, int nnz, const cusparseMatDescr_t d, int *starts, int *indices, const int *p,
 const int *q, int *map, void *) {
  return permute(CALL, {m, n, nnz, d, starts, indices}, starts, indices, p, q, map);
}

#define DIAGONAL(P, T)                                                                             \
  SP(P##csrzfdHost)                                                                                \
  (H, int n, int nnz, const cusparseMatDescr_t d, const T *, const int *starts,                    \
   const int *indices, int *p, int *count) {                                                       \
    return zeroFreeDiagonal(CALL, {n, n, nnz, d, starts, indices}, p, count);                      \
  }
DIAGONAL(S, float)
DIAGONAL(D, double)
DIAGONAL(C, cuComplex)
DIAGONAL(Z, cuDoubleComplex)
