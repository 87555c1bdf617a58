// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcuda
// Copies in batches by the driver API, in the form of each release, and by name.
#include "driver.h"

struct Batch {
  std::vector<CUdeviceptr> to, from;
  std::vector<size_t> sizes;
  size_t failed = 0; // CUDA 12 says which

  void add(const void *destination, const void *source, size_t size) {
    to.push_back(driver::address(destination));
    from.push_back(driver::address(source));
    sizes.push_back(size);
  }
  CUresult run(CUstream stream, CUmemcpySrcAccessOrder order = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM) {
    CUmemcpyAttributes attributes = {};
    attributes.srcAccessOrder = order;
    size_t first = 0;
#if CUDA_VERSION >= 13000
    return cuMemcpyBatchAsync(to.data(), from.data(), sizes.data(), to.size(), &attributes, &first,
                              1, stream);
#else
    return cuMemcpyBatchAsync(to.data(), from.data(), sizes.data(), to.size(), &attributes, &first,
                              1, &failed, stream);
#endif
  }
};

void checkBatch(CUstream stream) {
  DeviceBuffer<int> a(std::vector<int>{1, 2, 3, 4}), b(4), c(4);
  int host[2] = {};
  Batch batch;
  batch.add(b.data(), a.data(), 16);
  batch.add(c.data() + 2, a.data(), 8);
  batch.add(host, a.data() + 2, 8);
  CHECK_DRIVER(batch.run(stream));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  CHECK(b.download() == (std::vector<int>{1, 2, 3, 4}));
  CHECK(c.download() == (std::vector<int>{0, 0, 1, 2}));
  CHECK_EQ(host[1], 4);

  CHECK_CODE(batch.run(stream, CU_MEMCPY_SRC_ACCESS_ORDER_INVALID), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(batch.run(nullptr), CUDA_ERROR_INVALID_VALUE); // the legacy default stream
  CHECK_CODE(Batch().run(stream), CUDA_ERROR_INVALID_VALUE);
}

// Of one name there are two forms.
void checkNames() {
  void *of12 = nullptr, *of13 = nullptr;
  CUdriverProcAddressQueryResult found;
  CHECK_DRIVER(cuGetProcAddress("cuMemcpyBatchAsync", &of12, 12080, 0, &found));
  CHECK_DRIVER(cuGetProcAddress("cuMemcpyBatchAsync", &of13, 13000, 0, &found));
  CHECK(of12 && of13 && of12 != of13);
}

int main() {
  CHECK_CUDA(cudaFree(nullptr));
  CUstream stream;
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  checkBatch(stream);
  checkNames();
  CHECK_DRIVER(cuStreamDestroy(stream));
  RETURN_RESULT();
}
