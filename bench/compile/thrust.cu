// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Twenty algorithms of Thrust: 164 kernels, of which a run launches 36.
#include <cstdio>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/unique.h>
struct odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct sq {
  __host__ __device__ int operator()(int x) const { return x * x % 1000; }
};
int main() {
  int n = 5000;
  thrust::device_vector<int> a(n), b(n), c(2 * n), d(n), k(n);
  thrust::sequence(a.begin(), a.end());
  thrust::transform(a.begin(), a.end(), b.begin(), sq());
  thrust::sort(b.begin(), b.end());
  thrust::copy(b.begin(), b.end(), k.begin());
  thrust::sort_by_key(k.begin(), k.end(), a.begin());
  long s = thrust::reduce(b.begin(), b.end(), 0L);
  long t = thrust::transform_reduce(b.begin(), b.end(), sq(), 0L, thrust::plus<long>());
  thrust::inclusive_scan(b.begin(), b.end(), d.begin());
  thrust::exclusive_scan(b.begin(), b.end(), d.begin());
  auto e = thrust::unique(k.begin(), k.end());
  auto f = thrust::copy_if(b.begin(), b.end(), c.begin(), odd());
  auto g = thrust::remove_if(d.begin(), d.end(), odd());
  auto h = thrust::partition(a.begin(), a.end(), odd());
  thrust::merge(b.begin(), b.end(), b.begin(), b.end(), c.begin());
  auto u = thrust::set_intersection(b.begin(), b.end(), k.begin(), e, c.begin());
  long ip = thrust::inner_product(b.begin(), b.end(), b.begin(), 0L);
  thrust::adjacent_difference(b.begin(), b.end(), d.begin());
  thrust::lower_bound(b.begin(), b.end(), a.begin(), a.end(), d.begin());
  int mx = *thrust::max_element(b.begin(), b.end());
  int mn = *thrust::min_element(b.begin(), b.end());
  int ct = thrust::count_if(b.begin(), b.end(), odd());
  auto rk = thrust::reduce_by_key(k.begin(), e, b.begin(), c.begin(), d.begin());
  thrust::gather(b.begin(), b.end(), a.begin(), d.begin());
  printf("%ld %ld %ld %ld %ld %ld %ld %ld %d %d %d %ld\n", s, t, (long)(e - k.begin()),
         (long)(f - c.begin()), (long)(g - d.begin()), (long)(h - a.begin()), (long)(u - c.begin()),
         ip, mx, mn, ct, (long)(rk.first - c.begin()));
}
