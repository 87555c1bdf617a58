// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program as compiled by Clang for CUDA, by hand: what it registers before main, on a machine
// with two devices.
#pragma once

#include "fake_engine.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace program {

// The addresses by which host code knows the kernels and variables.
extern char store, store_bounded, heavy, reads_shared, uncompilable, unknown;
extern int device_variable[16];
extern int constant_variable[4];
extern int managed_variable[4];
extern int uninitialised_variable[16]; // its initial value cannot be had
extern int not_a_variable;

/// store<<<1, 1, 0, stream>>>(address, value)
cudaError_t launchStore(int *address, int value, cudaStream_t stream = nullptr);
/// Launches one block of any kernel that takes no arguments.
cudaError_t launch(const void *kernel, dim3 grid, dim3 block, size_t shared = 0);

/// Each test begins with fresh devices.
class Test : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;
};

} // namespace program
