// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Poisson distributions: tables of all numbers whose probability a double holds, made by the square
// histogram method (G. Marsaglia, W. W. Tsang, J. Wang, "Fast Generation of Discrete Random
// Variables", Journal of Statistical Software 11, 2004), or for large means only mean and
// deviation.
#include "poisson.h"

#include <curand_globals.h>

#include "common/handles.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

// The fields of what curand_discrete reads.
#include <curand_discrete.h>

namespace heddle::curand {
namespace {

struct Histogram {
  unsigned shift = 0;
  std::vector<double> v;
  std::vector<unsigned> k;
};

double probability(unsigned n, double mean) {
  const long double x = n;
  return static_cast<double>(
      std::exp(x * std::log(static_cast<long double>(mean)) - mean - std::lgamma(x + 1)));
}

std::vector<double> probabilities(double mean, unsigned &first) {
  const auto middle = static_cast<unsigned>(mean);
  first = middle;
  while (first > 0 && probability(first - 1, mean) > 0)
    --first;
  std::vector<double> p;
  for (unsigned n = first;; ++n) {
    const double next = probability(n, mean);
    if (next <= 0 && n > middle)
      return p;
    p.push_back(next);
  }
}

// Columns below the average are filled up, in ascending order, from the last one above it. Columns
// that have come below the average by giving have their turn when the rest is through.
Histogram histogram(double mean) {
  Histogram h;
  std::vector<double> p = probabilities(mean, h.shift);
  const size_t count = p.size();
  const double average = 1.0 / static_cast<double>(count);
  h.v.resize(count, -1);
  h.k.resize(count);
  size_t rich = count - 1;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < count; ++i) {
      if (h.v[i] >= 0 || p[i] >= average)
        continue;
      while (rich > 0 && p[rich] <= average)
        --rich;
      if (p[rich] <= average)
        break;
      h.v[i] = p[i] + static_cast<double>(i) * average;
      h.k[i] = static_cast<unsigned>(rich);
      p[rich] -= average - p[i];
      again = true;
    }
  }
  for (size_t i = 0; i < count; ++i)
    if (h.v[i] < 0) {
      h.v[i] = p[i] + static_cast<double>(i) * average;
      h.k[i] = static_cast<unsigned>(i);
    }
  return h;
}

/// All parts in one piece of memory that both sides reach, so that pointers in it hold on devices.
struct Parts {
  curandDiscreteDistribution_st distribution;
  curandDistributionM2Shift_st table;
  curandHistogramM2_st histogram;
};

cudaError_t place(const Histogram *h, double mean, Parts *&parts) {
  const size_t count = h ? h->v.size() : 0;
  char *memory = nullptr;
  const size_t numbers = (sizeof(Parts) + 15) / 16 * 16;
  if (const cudaError_t error =
          cudaMallocManaged(reinterpret_cast<void **>(&memory),
                            numbers + count * (sizeof(double) + sizeof(unsigned))))
    return error;
  parts = reinterpret_cast<Parts *>(memory);
  std::memset(parts, 0, sizeof(Parts));
  auto &d = parts->distribution;
  d.self_host_ptr = &d;
  d.method = h ? CURAND_M2 : CURAND_DISCRETE_GAUSS;
  if (!h) {
    d.mean = mean;
    d.stddev = std::sqrt(mean);
    return cudaSuccess;
  }
  auto &t = parts->table;
  auto &columns = parts->histogram;
  d.M2 = d.host_M2 = &t;
  t.histogram = t.host_histogram = &columns;
  t.shift = h->shift;
  t.length = static_cast<unsigned>(count);
  columns.V = columns.host_V = reinterpret_cast<double *>(memory + numbers);
  columns.K = columns.host_K = reinterpret_cast<unsigned *>(columns.V + count);
  std::memcpy(columns.V, h->v.data(), count * sizeof(double));
  std::memcpy(columns.K, h->k.data(), count * sizeof(unsigned));
  return cudaSuccess;
}

/// A distribution that kernels and the host can read; cudaFree destroys it.
curandStatus_t makeDistribution(double mean, curandDiscreteDistribution_t *distribution) {
  Parts *parts = nullptr;
  cudaError_t error;
  if (hasTable(mean)) {
    const Histogram h = histogram(mean);
    error = place(&h, mean, parts);
  } else {
    error = place(nullptr, mean, parts);
  }
  if (error != cudaSuccess)
    return fromRuntime(error, CURAND_STATUS_ALLOCATION_FAILED);
  *distribution = &parts->distribution;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t makeSums(double mean, PoissonTable &table) {
  const std::vector<double> p = probabilities(mean, table.first);
  table.length = static_cast<unsigned>(p.size());
  if (const cudaError_t error =
          cudaMallocManaged(reinterpret_cast<void **>(&table.sums), p.size() * sizeof(double)))
    return fromRuntime(error, CURAND_STATUS_ALLOCATION_FAILED);
  std::partial_sum(p.begin(), p.end(), table.sums);
  return CURAND_STATUS_SUCCESS;
}

} // namespace

PoissonWay wayOf(curandRngType_t type, double mean) {
  const auto until = [mean](double limit, PoissonWay below, PoissonWay above) {
    return mean < limit ? below : above;
  };
  switch (type) {
  case CURAND_RNG_PSEUDO_MTGP32:
    return until(MTGP32_M2_BINARY_DIVIDE, PoissonWay::Table, PoissonWay::Inverse);
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    return until(SOBOL_M2_BINARY_DIVIDE, PoissonWay::Table, PoissonWay::Inverse);
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return until(MIN_GAUSS_LAMBDA, PoissonWay::Inverse, PoissonWay::Rounded);
  default:
    return until(MIN_GAUSS_LAMBDA, PoissonWay::Table, PoissonWay::Rounded);
  }
}

bool hasTable(double mean) { return mean < MIN_GAUSS_LAMBDA; }

PoissonTable::~PoissonTable() {
  cudaFree(distribution);
  cudaFree(sums);
}

curandStatus_t makeTable(const char *, double mean, PoissonWay way,
                         std::shared_ptr<PoissonTable> &table) {
  auto made = std::make_shared<PoissonTable>();
  made->mean = mean;
  made->way = way;
  const curandStatus_t status = way == PoissonWay::Table
                                    ? makeDistribution(mean, &made->distribution)
                                    : makeSums(mean, *made);
  if (!status)
    table = made;
  return status;
}

} // namespace heddle::curand

using namespace heddle::curand;

extern "C" {

curandStatus_t curandCreatePoissonDistribution(double lambda,
                                               curandDiscreteDistribution_t *distribution) {
  if (!distribution)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "the distribution's address is null");
  if (!(lambda > 0) || lambda > MaxMean)
    return refuse(CURAND_STATUS_OUT_OF_RANGE, __func__, "lambda is not in (0, 400000]");
  const curandStatus_t status = heddle::curand::makeDistribution(lambda, distribution);
  if (!status)
    heddle::library::handles<curandDiscreteDistribution_st>().add(*distribution);
  return status;
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  if (!heddle::library::handles<curandDiscreteDistribution_st>().remove(distribution))
    return refuse(CURAND_STATUS_NOT_INITIALIZED, __func__,
                  "the distribution was destroyed or never created");
  return fromRuntime(cudaFree(distribution), CURAND_STATUS_PREEXISTING_FAILURE);
}

} // extern "C"
