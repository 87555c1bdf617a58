// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "virtual_functions.h"

#include <cuda_runtime.h>

__device__ int destroyed = 0;

__device__ int Shape::corners() const { return 3; }

__device__ int Square::area() const { return side * side; }
__device__ int Square::corners() const { return 4; }

namespace {

struct Circle : Shape {
  __device__ explicit Circle(int radius) : radius(radius) {}
  __device__ int area() const override { return 3 * radius * radius; }
  __device__ int corners() const override { return 0; }
  int radius;
};

__global__ void look(Shape **shapes, int *out) {
  const Shape &shape = *shapes[threadIdx.x];
  out[threadIdx.x] = shape.area() * 100 + shape.corners();
}

__global__ void destroy(Shape **shapes) { delete shapes[threadIdx.x]; }

} // namespace

__device__ Shape *makeCircle(int radius) { return new Circle(radius); }

void lookThere(Shape **shapes, int *out, int count) { look<<<1, count>>>(shapes, out); }

int destroyThere(Shape **shapes, int count) {
  destroy<<<1, count>>>(shapes);
  int value = 0;
  cudaMemcpyFromSymbol(&value, destroyed, sizeof value);
  return value;
}
