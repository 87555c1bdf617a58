// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

__device__ int divide(int a, int b);
__device__ unsigned shiftLeft(unsigned value, int by);
__device__ int shiftRight(int value, int by);
__device__ int toInt(float value);
__device__ float multiplyAdd(float a, float b, float c);
__device__ float minimum(float a, float b);
__device__ double hypotenuse(double a, double b);
