// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of a surface are aligned; that is looked at before the boundary is. After a fault a GPU
// takes no more work of the process, so that each access has a process of its own.
#include "texture.h"

#include <sys/wait.h>
#include <unistd.h>

enum Case { ReadZero, ReadClamp, WriteClamp, ReadTrap, ReadHalfOutside, ReadPairAtEnd, Cases };

__global__ void access(cudaSurfaceObject_t s, Case which, int *out) {
  switch (which) {
  case ReadZero:
    *out = surf2Dread<int>(s, 2, 0, cudaBoundaryModeZero);
    break;
  case ReadClamp:
    *out = surf2Dread<int>(s, 2, 0, cudaBoundaryModeClamp);
    break;
  case WriteClamp:
    surf2Dwrite(1, s, 2, 0, cudaBoundaryModeClamp);
    break;
  case ReadTrap:
    *out = surf2Dread<int>(s, 2, 0);
    break;
  case ReadHalfOutside:
    *out = surf2Dread<int>(s, 14, 0, cudaBoundaryModeZero);
    break;
  default: {
    const int2 pair = surf2Dread<int2>(s, 12, 0, cudaBoundaryModeClamp);
    *out = pair.x + pair.y;
  }
  }
}

static int run(Case which) {
  printf("case %d\n", which);
  const std::vector<int> values(16, 1);
  cudaSurfaceObject_t surface = makeSurface(makeArray(values, 4, 4, 0, cudaArraySurfaceLoadStore));
  int *out = nullptr;
  CHECK_CUDA(cudaMalloc(&out, sizeof *out));
  access<<<1, 1>>>(surface, which, out);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
  RETURN_RESULT();
}

int main() {
  for (int which = 0; which < Cases; ++which) {
    const pid_t child = fork();
    if (child == 0)
      _exit(run(Case(which)));
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
  }
  RETURN_RESULT();
}
