// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same update on an array of structures (stride 32 bytes and more) and on a structure of
// arrays: layouts of host and device must agree.
#include "check.h"

struct Particle {
  float x, y, z;
  char kind;
  double mass;
  float vx, vy, vz;
};

struct Arrays {
  float *x, *y, *z, *vx, *vy, *vz;
};

__global__ void moveStructures(Particle *particles, float time, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle &p = particles[i];
  p.x += time * p.vx;
  p.y += time * p.vy;
  p.z += time * p.vz;
}

__global__ void moveArrays(Arrays a, float time, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a.x[i] += time * a.vx[i];
  a.y[i] += time * a.vy[i];
  a.z[i] += time * a.vz[i];
}

__global__ void layout(int *out) {
  out[0] = sizeof(Particle);
  out[1] = offsetof(Particle, mass);
  out[2] = offsetof(Particle, vz);
}

int main() {
  const int n = 1000;
  std::vector<Particle> particles(n);
  std::vector<float> columns[6];
  for (auto &column : columns)
    column.resize(n);
  for (int i = 0; i < n; ++i) {
    particles[i] = Particle{float(i), float(-i), 0.5f * i, 'p', 1.0 * i, 1, 2, float(i % 5)};
    const float values[6] = {float(i), float(-i), 0.5f * i, 1, 2, float(i % 5)};
    for (int c = 0; c < 6; ++c)
      columns[c][i] = values[c];
  }
  DeviceBuffer<Particle> structures(particles);
  DeviceBuffer<float> x(columns[0]), y(columns[1]), z(columns[2]), vx(columns[3]), vy(columns[4]),
      vz(columns[5]);
  moveStructures<<<(n + 127) / 128, 128>>>(structures, 0.25f, n);
  moveArrays<<<(n + 127) / 128, 128>>>(Arrays{x, y, z, vx, vy, vz}, 0.25f, n);
  const std::vector<Particle> moved = structures.download();
  const std::vector<float> movedX = x.download(), movedY = y.download(), movedZ = z.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(moved[i].x, i + 0.25f);
    CHECK_EQ(moved[i].y, -i + 0.5f);
    CHECK_EQ(moved[i].z, 0.5f * i + 0.25f * (i % 5));
    CHECK_EQ(moved[i].mass, i);
    CHECK_EQ(moved[i].kind, 'p');
    CHECK(movedX[i] == moved[i].x && movedY[i] == moved[i].y && movedZ[i] == moved[i].z);
  }
  DeviceBuffer<int> sizes(3);
  layout<<<1, 1>>>(sizes);
  CHECK_EQ(sizes.download()[0], sizeof(Particle));
  CHECK_EQ(sizes.download()[1], offsetof(Particle, mass));
  CHECK_EQ(sizes.download()[2], offsetof(Particle, vz));
  RETURN_RESULT();
}
