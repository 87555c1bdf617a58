// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The beginning and the end of a sample program.
#include <cuda_runtime.h>

#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>

#ifdef __CUDACC__
__global__ void kernel(float4 *points, float3 light) {
  const float3 p = normalize(make_float3(points[threadIdx.x]));
  points[threadIdx.x] =
      make_float4(clamp(p * dot(p, light) + cross(p, light), 0.0f, 1.0f), length(light));
}
#endif

int main(int argc, char **argv) {
  const int device = findCudaDevice(argc, (const char **)argv);
  float4 *points = nullptr;
  checkCudaErrors(cudaMalloc((void **)&points, 32 * sizeof(float4)));
  StopWatchInterface *timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
#ifdef __CUDACC__
  kernel<<<1, 32>>>(points, make_float3(0.0f, 1.0f, 0.0f));
#endif
  getLastCudaError("kernel failed");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&timer);
  printf("%d %f %d\n", device, sdkGetTimerValue(&timer), max(1, min(2, 3)));
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaFree(points));
  return checkCudaCapabilities(3, 0) ? EXIT_SUCCESS : EXIT_WAIVED;
}
