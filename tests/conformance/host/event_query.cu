// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaEventQuery: an event never recorded is complete, one behind running work is not ready; an
// event recorded again stands for its newest place.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate first, second;
  Stream stream(cudaStreamNonBlocking);
  cudaEvent_t event;
  CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK_EQ(cudaEventQuery(event), cudaSuccess);
  CHECK_CUDA(cudaEventSynchronize(event));
  first.holdUp(stream);
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_EQ(cudaEventQuery(event), cudaErrorNotReady);
  second.holdUp(stream);
  first.open();
  CHECK_CUDA(cudaEventSynchronize(event)); // the work after the event still runs
  CHECK_EQ(cudaEventQuery(event), cudaSuccess);
  CHECK_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  CHECK_CUDA(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  CHECK_EQ(cudaEventQuery(event), cudaErrorNotReady);
  second.open();
  CHECK_CUDA(cudaEventSynchronize(event));
  CHECK_CUDA(cudaEventDestroy(event));
  RETURN_RESULT();
}
