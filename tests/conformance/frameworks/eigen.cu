// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigen in kernels, as geometry code uses it: fixed sizes, with the results of the host.
// flags: -I/usr/include/eigen3 --expt-relaxed-constexpr
#include "../check.h"

#define EIGEN_NO_DEBUG
#include <Eigen/Dense>

using Eigen::Matrix3d;
using Eigen::Matrix3f;
using Eigen::Vector3d;
using Eigen::Vector3f;
constexpr int count = 64;

__global__ void solve(const Matrix3f *a, const Vector3f *b, Vector3f *x, float *determinant) {
  const int i = threadIdx.x;
  x[i] = a[i].inverse() * b[i];
  determinant[i] = a[i].determinant();
}

struct Results {
  Vector3f turned, crossed;
  Matrix3d factor;
  Eigen::Matrix<float, 2, 3> product;
  Eigen::Array4f mapped;
  float angle, norm;
  int largest;
};

__host__ __device__ void compute(Results &r, float x) {
  const Eigen::Quaternionf q(Eigen::AngleAxisf(x, Vector3f::UnitZ()));
  r.turned = q * Vector3f::UnitX();
  r.crossed = r.turned.cross(Vector3f(x, 1, 2)).normalized();
  Matrix3d m;
  m << 4, x, 1, x, 5, 2, 1, 2, 6;
  Matrix3d l = Matrix3d::Zero(); // Cholesky's, written with blocks
  for (int j = 0; j < 3; ++j) {
    l(j, j) = sqrt(m(j, j) - l.row(j).head(j).squaredNorm());
    for (int i = j + 1; i < 3; ++i)
      l(i, j) = (m(i, j) - l.row(i).head(j).dot(l.row(j).head(j))) / l(j, j);
  }
  r.factor = l;
  Eigen::Matrix<float, 2, 2> a;
  a << 1, 2, 3, x;
  Eigen::Matrix<float, 2, 3> b;
  b << 1, 0, 2, x, 1, 1;
  r.product = a * b;
  const float numbers[4] = {x, 1, -2, 3};
  r.mapped = Eigen::Map<const Eigen::Array4f>(numbers).abs().sqrt() + x;
  r.angle = q.angularDistance(Eigen::Quaternionf::Identity());
  r.norm = m.cast<float>().colwise().sum().lpNorm<1>();
  r.mapped.maxCoeff(&r.largest);
}

__global__ void computeAll(Results *results) { compute(results[threadIdx.x], threadIdx.x * .01f); }

void checkResults(const Results &got, const Results &expected) {
  CHECK(got.turned.isApprox(expected.turned, 1e-5f));
  CHECK(got.crossed.isApprox(expected.crossed, 1e-5f));
  CHECK(got.factor.isApprox(expected.factor, 1e-12));
  CHECK(got.product.isApprox(expected.product, 1e-5f));
  CHECK(got.mapped.isApprox(expected.mapped, 1e-5f));
  CHECK(std::abs(got.angle - expected.angle) < 1e-5f);
  CHECK(std::abs(got.norm - expected.norm) < 1e-4f);
  CHECK_EQ(got.largest, expected.largest);
}

int main() {
  Matrix3f *a;
  Vector3f *b, *x;
  float *determinant;
  Results *results;
  CHECK_CUDA(cudaMallocManaged(&a, count * sizeof *a));
  CHECK_CUDA(cudaMallocManaged(&b, count * sizeof *b));
  CHECK_CUDA(cudaMallocManaged(&x, count * sizeof *x));
  CHECK_CUDA(cudaMallocManaged(&determinant, count * sizeof *determinant));
  CHECK_CUDA(cudaMallocManaged(&results, count * sizeof *results));
  for (int i = 0; i < count; ++i) {
    a[i] = Matrix3f::Identity() * float(i + 1);
    a[i](0, 2) = 2;
    b[i] = Vector3f(1, 2, 3) * float(i + 1);
  }
  solve<<<1, count>>>(a, b, x, determinant);
  computeAll<<<1, count>>>(results);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) {
    CHECK((a[i] * x[i] - b[i]).norm() < 1e-5f * float(i + 1));
    CHECK(std::abs(determinant[i] - a[i].determinant()) < 1e-6f * a[i].determinant());
    Results expected;
    compute(expected, float(i) * .01f);
    checkResults(results[i], expected);
  }
  RETURN_RESULT();
}
