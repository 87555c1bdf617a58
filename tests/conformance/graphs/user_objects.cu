// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user object lives until the program, all graphs and all executables have let go of it.
#include "graphs.h"

#include <atomic>
#include <thread>

std::atomic<int> destroyed;
void destroy(void *data) { destroyed += *static_cast<int *>(data); }

void expectDestroyed(int count) {
  for (int i = 0; i < 2000 && destroyed != count; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK_EQ(destroyed.load(), count);
}

int main() {
  int one = 1, ten = 10;
  cudaUserObject_t object = nullptr, moved = nullptr;
  CHECK_EQ(taken(cudaUserObjectCreate(&object, &one, destroy, 1, 0)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaUserObjectCreate(&object, &one, destroy, 0, cudaUserObjectNoDestructorSync)),
           cudaErrorInvalidValue);
  CHECK_CUDA(cudaUserObjectCreate(&object, &one, destroy, 1, cudaUserObjectNoDestructorSync));
  CHECK_CUDA(cudaUserObjectCreate(&moved, &ten, destroy, 1, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph = newGraph();
  CHECK_CUDA(cudaGraphRetainUserObject(graph, object, 1, 0));
  CHECK_CUDA(cudaGraphRetainUserObject(graph, moved, 1, cudaGraphUserObjectMove));
  CHECK_CUDA(cudaUserObjectRelease(object, 1));
  {
    Executable exec(graph);
    cudaGraph_t clone = nullptr;
    CHECK_CUDA(cudaGraphClone(&clone, graph));
    CHECK_CUDA(cudaGraphReleaseUserObject(graph, object, 1));
    CHECK_CUDA(cudaGraphDestroy(graph));
    CHECK_CUDA(cudaGraphDestroy(clone));
    exec.run();
    expectDestroyed(0);
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  expectDestroyed(11);
  RETURN_RESULT();
}
