// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arithmetic.h"

__device__ int divide(int a, int b) { return a / b; }
__device__ unsigned shiftLeft(unsigned value, int by) { return value << by; }
__device__ int shiftRight(int value, int by) { return value >> by; }
__device__ int toInt(float value) { return int(value); }
__device__ float multiplyAdd(float a, float b, float c) { return a * b + c; }
__device__ float minimum(float a, float b) { return fminf(a, b); }
__device__ double hypotenuse(double a, double b) { return hypot(a, b); }
