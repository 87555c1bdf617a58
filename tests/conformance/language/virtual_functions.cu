// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects with virtual functions created on the device by new: calls dispatch by object,
// differently in the lanes of a warp, also after another kernel launch.
#include "check.h"

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};

struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};

struct Disc : Shape {
  float radius;
  __device__ explicit Disc(float radius) : radius(radius) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};

struct Cube : Square {
  using Square::Square;
  __device__ float area() const override { return 6 * Square::area(); }
};

__device__ int destroyed;

struct Counted : Disc {
  using Disc::Disc;
  __device__ ~Counted() override { atomicAdd(&destroyed, 1); }
};

__global__ void create(Shape **shapes) {
  const int t = threadIdx.x;
  if (t % 4 == 0)
    shapes[t] = new Square(t);
  else if (t % 4 == 1)
    shapes[t] = new Disc(t);
  else if (t % 4 == 2)
    shapes[t] = new Cube(t);
  else
    shapes[t] = new Counted(t);
}

__global__ void measure(Shape **shapes, float *areas, int *corners) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
  corners[threadIdx.x] = shapes[threadIdx.x]->corners();
}

__global__ void destroy(Shape **shapes) { delete shapes[threadIdx.x]; }

int main() {
  const int n = 64;
  DeviceBuffer<Shape *> shapes(n);
  DeviceBuffer<float> areas(n);
  DeviceBuffer<int> corners(n);
  create<<<1, n>>>(shapes);
  measure<<<1, n>>>(shapes, areas, corners);
  destroy<<<1, n>>>(shapes);
  const std::vector<float> a = areas.download();
  const std::vector<int> c = corners.download();
  for (int t = 0; t < n; ++t) {
    const int factors[4] = {1, 3, 6, 3}, counts[4] = {4, 0, 4, 0};
    CHECK_EQ(a[t], factors[t % 4] * float(t) * t);
    CHECK_EQ(c[t], counts[t % 4]);
  }
  int count = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&count, destroyed, sizeof count));
  CHECK_EQ(count, n / 4);
  RETURN_RESULT();
}
