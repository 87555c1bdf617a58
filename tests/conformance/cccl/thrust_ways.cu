// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -Wno-deprecated-declarations
// How Thrust is asked: iterators that compute, execution policies and streams, other vectors,
// errors as exceptions, calls from device code.
// flags: --extended-lambda
#include "../check.h"

#include <algorithm>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <thrust/version.h>
#if THRUST_VERSION < 300000 // CCCL 3 has no futures
#include <thrust/async/reduce.h>
#endif
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>

struct Product {
  __host__ __device__ int operator()(const thrust::tuple<int, int> &pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

void iterators() {
  const int n = 5000;
  const auto numbers = thrust::make_counting_iterator(0);
  const auto squares = thrust::make_transform_iterator(
      numbers, [] __host__ __device__(int x) { return x * x % 1000; });
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += i * i % 1000;
  CHECK_EQ(thrust::reduce(thrust::device, squares, squares + n), expected);

  thrust::device_vector<int> a(n), b(n, 3), map(n), out(n);
  thrust::sequence(a.begin(), a.end(), 7);
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::transform(zipped, zipped + n, out.begin(), Product());
  CHECK_EQ(int(out[n - 1]), (n + 6) * 3);

  thrust::sequence(map.begin(), map.end(), 0, 2);
  const auto even = thrust::make_permutation_iterator(a.begin(), map.begin());
  expected = 0;
  for (int i = 0; i < n / 2; ++i)
    expected += 7 + 2 * i;
  CHECK_EQ(thrust::reduce(even, even + n / 2), expected);
  thrust::copy(thrust::make_reverse_iterator(a.end()), thrust::make_reverse_iterator(a.begin()),
               out.begin());
  CHECK_EQ(int(out[0]), n + 6);
  const auto ends = thrust::reduce_by_key(b.begin(), b.end(), thrust::make_constant_iterator(1),
                                          thrust::make_discard_iterator(), out.begin());
  CHECK_EQ(ends.second - out.begin(), 1);
  CHECK_EQ(int(out[0]), n);
}

void policies() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  const int n = 3000;
  thrust::device_vector<int> values(n, 2);
  thrust::for_each(thrust::cuda::par_nosync.on(stream), values.begin(), values.end(),
                   [] __device__(int &x) { x *= 5; });
  CHECK_EQ(thrust::reduce(thrust::cuda::par.on(stream), values.begin(), values.end()), 10 * n);
#if THRUST_VERSION < 300000
  { // the future waits for its stream when it ends
    auto sum = thrust::async::reduce(thrust::device.on(stream), values.begin(), values.end(), 1,
                                     thrust::plus<int>());
    CHECK_EQ(sum.get(), 10 * n + 1);
  }
#endif
  CHECK_CUDA(cudaStreamDestroy(stream));

  // Memory that both sides see, raw pointers, and the host's own back end.
  thrust::universal_vector<int> both(n);
  thrust::sequence(thrust::device, both.begin(), both.end());
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(both[n - 1], n - 1);
  int *raw = thrust::raw_pointer_cast(values.data());
  thrust::transform(thrust::device, raw, raw + n, raw, thrust::negate<int>());
  thrust::host_vector<int> here = values;
  CHECK_EQ(thrust::reduce(thrust::host, here.begin(), here.end()), -10 * n);
  CHECK_EQ(thrust::reduce(here.begin(), here.end()), -10 * n);
}

__global__ void inKernel(const int *values, int n, int *out) {
  *out = thrust::reduce(thrust::seq, values, values + n);
  const cuda::std::tuple<int, int> pair(4, 5);
  out[1] = cuda::std::get<0>(pair) * cuda::std::get<1>(pair);
}

void errors() {
  thrust::device_vector<int> values(100, 3), out(2);
  inKernel<<<1, 1>>>(thrust::raw_pointer_cast(values.data()), 100,
                     thrust::raw_pointer_cast(out.data()));
  CHECK_EQ(int(out[0]), 300);
  CHECK_EQ(int(out[1]), 20);
  bool thrown = false;
  try {
    thrust::device_vector<char> too_much(size_t(1) << 60);
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  CHECK(thrown);
  cudaGetLastError();
  const thrust::system_error error(cudaErrorInvalidValue, thrust::cuda_category(), "wrong");
  CHECK_EQ(error.code().value(), int(cudaErrorInvalidValue));
  CHECK(std::strstr(error.what(), "invalid argument") != nullptr);
}

int main() {
  iterators();
  policies();
  errors();
  RETURN_RESULT();
}
