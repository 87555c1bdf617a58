// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

struct Settings {
  int scale, offset;
};

extern __device__ int here, there;
extern __device__ int *to_here;
extern __device__ int table[];
extern __constant__ int coefficients[3];
extern __constant__ Settings settings;

int readThereOnItsSide();
void setTableOnItsSide(int first);
void *addressOfThereOnItsSide();
