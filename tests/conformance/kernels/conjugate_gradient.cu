// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradient for a 3-D Laplace problem of hexahedral elements (27-point stencil), with
// dot products on the device: it converges to the solution that was put in.
#include "check.h"

const int edge = 12, n = edge * edge * edge;

// Trilinear hexahedra of edge 1: 1/12 of the sum of couplings by distance; Dirichlet outside.
__global__ void applyLaplace(const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
            k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= edge || j >= edge || k >= edge)
    return;
  const double coupling[4] = {32.0 / 12, 0, -2.0 / 12, -1.0 / 12};
  double sum = 0;
  for (int dk = -1; dk <= 1; ++dk)
    for (int dj = -1; dj <= 1; ++dj)
      for (int di = -1; di <= 1; ++di) {
        const int u = i + di, v = j + dj, w = k + dk;
        if (u < 0 || v < 0 || w < 0 || u >= edge || v >= edge || w >= edge)
          continue;
        sum += coupling[abs(di) + abs(dj) + abs(dk)] * x[(w * edge + v) * edge + u];
      }
  y[(k * edge + j) * edge + i] = sum;
}

__global__ void dot(const double *x, const double *y, double *out) {
  __shared__ double shared[256];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    sum += x[i] * y[i];
  shared[threadIdx.x] = sum;
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      shared[threadIdx.x] += shared[threadIdx.x + stride];
  }
  if (threadIdx.x == 0)
    *out = shared[0];
}

// y = a x + b y
__global__ void combine(double a, const double *x, double b, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + b * y[i];
}

static void apply(const double *x, double *y) {
  applyLaplace<<<dim3((edge + 7) / 8, (edge + 7) / 8, (edge + 3) / 4), dim3(8, 8, 4)>>>(x, y);
}

static double dotOf(const double *x, const double *y, DeviceBuffer<double> &scratch) {
  dot<<<1, 256>>>(x, y, scratch);
  return scratch.download()[0];
}

static void combineOn(double a, const double *x, double b, double *y) {
  combine<<<(n + 127) / 128, 128>>>(a, x, b, y);
}

int main() {
  std::vector<double> solution(n);
  for (int i = 0; i < n; ++i)
    solution[i] = std::sin(0.1 * i);
  DeviceBuffer<double> exact(solution), x(n), r(n), p(n), ap(n), scratch(1);
  apply(exact, r); // the right-hand side; x starts at 0
  combineOn(1, r, 0, p);
  double square = dotOf(r, r, scratch);
  const double start = square;
  int iterations = 0;
  for (; iterations < 200 && square > 1e-24 * start; ++iterations) {
    apply(p, ap);
    const double alpha = square / dotOf(p, ap, scratch);
    combineOn(alpha, p, 1, x);
    combineOn(-alpha, ap, 1, r);
    const double next = dotOf(r, r, scratch);
    combineOn(1, r, next / square, p);
    square = next;
  }
  CHECK(iterations > 5 && iterations < 200);
  const std::vector<double> found = x.download();
  for (int i = 0; i < n; ++i)
    CHECK_NEAR(found[i], solution[i], 1e-9);
  RETURN_RESULT();
}
