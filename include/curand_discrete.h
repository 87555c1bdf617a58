// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What curandCreatePoissonDistribution makes and curand_discrete reads.
#ifndef CURAND_DISCRETE_H_
#define CURAND_DISCRETE_H_

struct curandDistributionShift_st {
  curandDistribution_t probability;
  curandDistribution_t host_probability;
  unsigned int shift;
  unsigned int length;
  unsigned int host_gen;
};

// A histogram of equal columns, each of two values: V says where a column's second value, K,
// begins.
struct curandHistogramM2_st {
  curandHistogramM2V_t V;
  curandHistogramM2V_t host_V;
  curandHistogramM2K_t K;
  curandHistogramM2K_t host_K;
  unsigned int host_gen;
};
struct curandDistributionM2Shift_st {
  curandHistogramM2_t histogram;
  curandHistogramM2_t host_histogram;
  unsigned int shift;
  unsigned int length;
  unsigned int host_gen;
};
struct curandDiscreteDistribution_st {
  curandDiscreteDistribution_t self_host_ptr;
  curandDistributionM2Shift_t M2;
  curandDistributionM2Shift_t host_M2;
  double stddev;
  double mean;
  curandMethod_t method;
  unsigned int host_gen;
};
#endif
