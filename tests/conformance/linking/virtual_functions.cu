// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes with virtual functions across files: objects that a kernel of one file makes and a kernel
// of the other one uses, base classes there and derived ones here, pure functions, destructors.
// flags: -rdc=true
// also: parts/virtual_functions_there.cu
#include "check.h"
#include "parts/virtual_functions.h"

struct Triangle : Shape {
  __device__ Triangle(int base, int height) : base(base), height(height) {}
  __device__ int area() const override { return base * height / 2; }
  int base, height;
};

__global__ void make(Shape **shapes) {
  shapes[0] = new Square(3);
  shapes[1] = new Triangle(4, 5);
  shapes[2] = makeCircle(2);
}

__global__ void look(Shape **shapes, int *out) {
  const Shape &shape = *shapes[threadIdx.x];
  out[threadIdx.x] = shape.area() * 100 + shape.corners();
}

int main() {
  DeviceBuffer<Shape *> shapes(3);
  DeviceBuffer<int> out(3);
  make<<<1, 1>>>(shapes.data());
  lookThere(shapes.data(), out, 3);
  const int expected[] = {904, 1003, 1200};
  for (int i = 0; i < 3; ++i)
    CHECK_EQ(out.download()[i], expected[i]);
  look<<<1, 3>>>(shapes.data(), out);
  for (int i = 0; i < 3; ++i)
    CHECK_EQ(out.download()[i], expected[i]);
  CHECK_EQ(destroyThere(shapes.data(), 3), 3);
  RETURN_RESULT();
}
