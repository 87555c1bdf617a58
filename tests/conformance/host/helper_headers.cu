// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The helper headers that NVIDIA's samples include: device choice, error check, timer, command
// line, vector mathematics.
// args: --size=300 -verbose
// hardware: skip the headers come with the samples, not with the toolkit
#include <cstdio>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <helper_string.h>
#include <helper_timer.h>

// check.h's namespace would meet helper_cuda.h's function `check`.
static int failures = 0;
#define EXPECT(condition)                                                                          \
  ((condition) ? (void)0                                                                           \
               : (void)(++failures, fprintf(stderr, "line %d: %s\n", __LINE__, #condition)))

__global__ void blend(float3 *data, float3 other) {
  float3 v = data[threadIdx.x];
  v += make_float3(1.0f);
  data[threadIdx.x] = lerp(v, other, 0.5f) * dot(v, v);
}

int main(int argc, char **argv) {
  const int device = findCudaDevice(argc, (const char **)argv);
  EXPECT(device == 0);
  EXPECT(checkCmdLineFlag(argc, (const char **)argv, "verbose"));
  EXPECT(!checkCmdLineFlag(argc, (const char **)argv, "quiet"));
  const int n = getCmdLineArgumentInt(argc, (const char **)argv, "size");
  EXPECT(n == 300);
  StopWatchInterface *timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  float3 *data;
  checkCudaErrors(cudaMallocManaged(&data, n * sizeof(float3)));
  for (int i = 0; i < n; ++i)
    data[i] = make_float3(float(i), 0, 1);
  blend<<<1, n>>>(data, make_float3(2, 2, 2));
  getLastCudaError("blend");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&timer);
  EXPECT(sdkGetTimerValue(&timer) > 0);
  sdkDeleteTimer(&timer);
  for (int i = 0; i < n; ++i) {
    const float square = (i + 1.0f) * (i + 1.0f) + 1 + 4;
    EXPECT(data[i].x == (i + 1 + 0.5f * (2 - (i + 1))) * square);
    EXPECT(data[i].z == 2 * square);
  }
  checkCudaErrors(cudaFree(data));
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
