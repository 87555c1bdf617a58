// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

extern __device__ int destroyed;

struct Shape {
  __device__ virtual ~Shape() { atomicAdd(&destroyed, 1); }
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const; // there
};

struct Square : Shape {
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override;
  __device__ int corners() const override;
  int side;
};

__device__ Shape *makeCircle(int radius);

void lookThere(Shape **shapes, int *out, int count);
int destroyThere(Shape **shapes, int count);
