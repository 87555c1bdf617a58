// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of streams are kept, copied and checked.
#include "check.h"

int main() {
  cudaStream_t stream, other;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaStreamCreate(&other));
  cudaStreamAttrValue value = {};

  value.syncPolicy = cudaSyncPolicyYield;
  CHECK_CUDA(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
  value.syncPolicy = cudaSyncPolicyAuto;
  CHECK_CUDA(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value));
  CHECK_EQ(value.syncPolicy, cudaSyncPolicyYield);

  int least, greatest, priority;
  CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  value = {};
  value.priority = greatest;
  CHECK_CUDA(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value));
  CHECK_CUDA(cudaStreamGetPriority(stream, &priority));
  CHECK_EQ(priority, greatest);

  CHECK_CUDA(cudaStreamCopyAttributes(other, stream));
  value = {};
  CHECK_CUDA(cudaStreamGetAttribute(other, cudaStreamAttributeSynchronizationPolicy, &value));
  CHECK_EQ(value.syncPolicy, cudaSyncPolicyYield);

  CHECK_EQ(cudaStreamGetAttribute(stream, static_cast<cudaStreamAttrID>(99), &value),
           cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK_CUDA(cudaCtxResetPersistingL2Cache());
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaStreamDestroy(other));
  RETURN_RESULT();
}
