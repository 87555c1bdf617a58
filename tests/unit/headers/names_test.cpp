// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which symbol each name stands for: the second compilation of this file, with a per-thread default
// stream, must call the variants for it.
#include <cuda_runtime_api.h>

#include <gtest/gtest.h>

#define HEDDLE_TEXT(name) HEDDLE_QUOTE(name)
#define HEDDLE_QUOTE(name) #name

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define SUITE PerThreadNames
#define PTDS "_ptds"
#define PTSZ "_ptsz"
#else
#define SUITE LegacyNames
#define PTDS ""
#define PTSZ ""
#endif

TEST(SUITE, FunctionsWithoutAStream) {
  EXPECT_STREQ(HEDDLE_TEXT(cudaMemcpy), "cudaMemcpy" PTDS);
  EXPECT_STREQ(HEDDLE_TEXT(cudaMemset), "cudaMemset" PTDS);
  EXPECT_STREQ(HEDDLE_TEXT(cudaMemcpyToSymbol), "cudaMemcpyToSymbol" PTDS);
  EXPECT_STREQ(HEDDLE_TEXT(cudaMalloc), "cudaMalloc");
  EXPECT_STREQ(HEDDLE_TEXT(cudaDeviceSynchronize), "cudaDeviceSynchronize");
}

TEST(SUITE, FunctionsWithAStream) {
  EXPECT_STREQ(HEDDLE_TEXT(cudaMemcpyAsync), "cudaMemcpyAsync" PTSZ);
  EXPECT_STREQ(HEDDLE_TEXT(cudaEventRecord), "cudaEventRecord" PTSZ);
  EXPECT_STREQ(HEDDLE_TEXT(cudaLaunchKernel), "cudaLaunchKernel" PTSZ);
  EXPECT_STREQ(HEDDLE_TEXT(cudaStreamSynchronize), "cudaStreamSynchronize" PTSZ);
  EXPECT_STREQ(HEDDLE_TEXT(cudaStreamCreate), "cudaStreamCreate");
  EXPECT_STREQ(HEDDLE_TEXT(cudaMemcpyPeerAsync), "cudaMemcpyPeerAsync");
}

TEST(SUITE, VersionedFunctions) {
  EXPECT_STREQ(HEDDLE_TEXT(cudaGetDeviceProperties), "cudaGetDeviceProperties_v2");
  EXPECT_STREQ(HEDDLE_TEXT(cudaStreamGetCaptureInfo), "cudaStreamGetCaptureInfo_v2" PTSZ);
  EXPECT_STREQ(HEDDLE_TEXT(cudaMemPrefetchAsync), "cudaMemPrefetchAsync" PTSZ);
  EXPECT_STREQ(HEDDLE_TEXT(cudaMemPrefetchAsync_v2), "cudaMemPrefetchAsync_v2" PTSZ);
}
