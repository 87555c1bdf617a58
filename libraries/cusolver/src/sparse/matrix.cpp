// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matrix.h"

#include "common/refuse.h"

#include <Eigen/OrderingMethods>
#include <cuda_runtime_api.h>
#include <memory>
#include <new>
#include <numeric>

namespace heddle::cusolver {

Status runSparse(const Check &c, cusolverSpHandle_t handle, Where where,
                 std::function<void()> work) {
  if (c.bad())
    return c.status();
  const auto guarded = [function = c.function(), work = std::move(work)] {
    try {
      work();
    } catch (const std::bad_alloc &) {
      return refuse(function, CUSOLVER_STATUS_ALLOC_FAILED, "there is no memory for it");
    } catch (const std::invalid_argument &error) {
      return refuse(function, CUSOLVER_STATUS_INVALID_VALUE, error.what());
    }
    return CUSOLVER_STATUS_SUCCESS;
  };
  if (where == Where::Host)
    return guarded();
  const bool wait = where == Where::StreamAndWait;
  const auto outcome = std::make_shared<Status>(CUSOLVER_STATUS_SUCCESS);
  const cudaError_t error = library::submit(
      c.function(), handle->stream, [guarded, outcome] { *outcome = guarded(); }, wait);
  if (error != cudaSuccess)
    return refuse(c.function(), CUSOLVER_STATUS_EXECUTION_FAILED, cudaGetErrorString(error));
  return wait ? *outcome : CUSOLVER_STATUS_SUCCESS;
}

void Pattern::check(Check &c) const {
  c.size(rows).size(columns).size(nnz, "nnz is negative");
  c.pointer(description, "the matrix's descriptor is null");
  c.pointer(starts, "the array of row starts is null");
  c.array(indices, nnz, "the array of column indices is null");
  if (!c.bad())
    c.that(cusparseGetMatType(description) == CUSPARSE_MATRIX_TYPE_GENERAL,
           "the matrix's type must be CUSPARSE_MATRIX_TYPE_GENERAL",
           CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

void Pattern::validate(const int *ends) const {
  const int first = base();
  bool good = ends || (starts[0] == first && starts[rows] - first == nnz);
  for (int row = 0; good && row < rows; ++row) {
    const int from = starts[row] - first, to = (ends ? ends[row] : starts[row + 1]) - first;
    good = 0 <= from && from <= to && to <= nnz;
    for (int k = from; good && k < to; ++k)
      good = indices[k] >= first && indices[k] - first < columns;
  }
  if (!good)
    throw std::invalid_argument("the row starts or column indices are out of range");
}

namespace {

/// The pattern of A + A' without its diagonal.
std::vector<std::vector<int>> neighbours(const Pattern &pattern) {
  std::vector<std::vector<int>> result(pattern.rows);
  pattern.each([&](int row, int column, int) {
    if (row != column) {
      result[row].push_back(column);
      result[column].push_back(row);
    }
  });
  for (auto &list : result) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return result;
}

using Graph = std::vector<std::vector<int>>;

/// Whether a node has the lower degree, or the lower number at equal degrees.
struct Lower {
  const Graph &graph;
  bool operator()(int a, int b) const {
    return std::pair(graph[a].size(), a) < std::pair(graph[b].size(), b);
  }
};

/// Appends what can be reached from `start`, breadth first, nodes of low degree first.
void visit(const Graph &graph, int start, std::vector<char> &seen, std::vector<int> &to) {
  size_t next = to.size();
  to.push_back(start);
  seen[start] = 1;
  while (next < to.size()) {
    const int node = to[next++];
    const auto first = std::ptrdiff_t(to.size());
    for (const int other : graph[node])
      if (!seen[other]) {
        seen[other] = 1;
        to.push_back(other);
      }
    std::sort(to.begin() + first, to.end(), Lower{graph});
  }
}

/// Reverse Cuthill-McKee: each component from a node far from its node of lowest degree.
std::vector<int> reverseCuthillMcKee(const Graph &graph) {
  const int n = int(graph.size());
  std::vector<int> by_degree(n), result;
  std::iota(by_degree.begin(), by_degree.end(), 0);
  std::sort(by_degree.begin(), by_degree.end(), Lower{graph});
  std::vector<char> seen(n), probe_seen(n);
  for (const int start : by_degree) {
    if (seen[start])
      continue;
    std::vector<int> probe;
    visit(graph, start, probe_seen, probe);
    visit(graph, probe.back(), seen, result);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<int> minimumDegree(const Graph &graph) {
  const int n = int(graph.size());
  std::vector<Eigen::Triplet<double, int>> elements;
  for (int i = 0; i < n; ++i) {
    elements.emplace_back(i, i, 1.0);
    for (const int j : graph[i])
      elements.emplace_back(i, j, 1.0);
  }
  Matrix<double> A(n, n);
  A.setFromTriplets(elements.begin(), elements.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(A.selfadjointView<Eigen::Lower>(), permutation);
  // Eigen's answer is the inverse permutation: element i says which row comes at place i.
  return {permutation.indices().data(), permutation.indices().data() + n};
}

} // namespace

std::vector<int> order(const Pattern &pattern, Order kind) {
  pattern.validate();
  if (kind == Order::None || pattern.rows == 0)
    return {};
  const Graph graph = neighbours(pattern);
  return kind == Order::Rcm ? reverseCuthillMcKee(graph) : minimumDegree(graph);
}

} // namespace heddle::cusolver
