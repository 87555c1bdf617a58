// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Memory: allocation, copies of every shape, fills, what is known about pointers, pools, and
// virtual memory management.
#include "driver.h"

#include <numeric>

using namespace driver;

template <class T> std::vector<T> read(CUdeviceptr from, size_t count) {
  std::vector<T> host(count);
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), from, count * sizeof(T)));
  return host;
}

std::vector<int> numbers(size_t count) {
  std::vector<int> host(count);
  std::iota(host.begin(), host.end(), 0);
  return host;
}

void linear() {
  CUdeviceptr a, b;
  size_t free = 0, total = 0, size = 0;
  const std::vector<int> host = numbers(1000);
  const size_t bytes = host.size() * sizeof(int);
  CHECK_DRIVER(cuMemGetInfo(&free, &total));
  CHECK(free > 0 && free <= total);
  CHECK_CODE(cuMemAlloc(&a, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuMemAlloc(nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuMemAlloc(&a, size_t(1) << 60), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_DRIVER(cuMemAlloc(&a, bytes));
  CHECK_DRIVER(cuMemAlloc(&b, bytes));
  CHECK_DRIVER(cuMemcpyHtoD(a, host.data(), bytes));
  CHECK_DRIVER(cuMemcpyDtoD(b, a, bytes));
  CHECK(read<int>(b, host.size()) == host);
  CHECK_DRIVER(cuMemsetD32(b, 0, host.size()));
  CHECK_DRIVER(cuMemcpy(b, a, bytes));
  CHECK(read<int>(b, host.size()) == host);
  CUdeviceptr base = 0;
  CHECK_DRIVER(cuMemGetAddressRange(&base, &size, a + 100));
  CHECK_EQ(base, a);
  CHECK_EQ(size, bytes);
  CHECK_DRIVER(cuMemFree(b));
  CHECK_CODE(cuMemGetAddressRange(&base, &size, b), CUDA_ERROR_NOT_FOUND);
  CHECK_CODE(cuMemFree(a + 4), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuMemFree(a));
  CHECK_DRIVER(cuMemFree(0));
}

template <class T, class Fill, class FillRows> void fills(Fill fill, FillRows fillRows, T value) {
  CUdeviceptr rows;
  size_t pitch = 0;
  constexpr size_t width = 10, height = 4;
  CHECK_DRIVER(cuMemAllocPitch(&rows, &pitch, width * sizeof(T), height, 16));
  CHECK_EQ(int(fill(rows, T(0), pitch / sizeof(T) * height)), 0);
  CHECK_EQ(int(fillRows(rows, pitch, value, width, height)), 0);
  const std::vector<T> host = read<T>(rows, pitch / sizeof(T) * height);
  for (size_t i = 0; i < host.size(); ++i)
    CHECK_EQ(host[i], i % (pitch / sizeof(T)) < width ? value : T(0));
  CHECK_CODE(fill(rows + 1, value, 1), sizeof(T) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuMemFree(rows));
}

void allFills() {
  fills<unsigned char>([](auto... v) { return cuMemsetD8(v...); },
                       [](auto... v) { return cuMemsetD2D8(v...); }, 0xab);
  fills<unsigned short>([](auto... v) { return cuMemsetD16(v...); },
                        [](auto... v) { return cuMemsetD2D16(v...); }, 0xabcd);
  fills<unsigned>([](auto... v) { return cuMemsetD32(v...); },
                  [](auto... v) { return cuMemsetD2D32(v...); }, 0xabcdef01);
  fills<unsigned>([](auto... v) { return cuMemsetD32Async(v..., nullptr); },
                  [](auto... v) { return cuMemsetD2D32Async(v..., nullptr); }, 5u);
}

// A part of a plane to another place in another plane, there and back through an array.
void planes() {
  const std::vector<int> host = numbers(64); // 8 × 8
  std::vector<int> back(64, -1);
  CUdeviceptr plane;
  CUarray array;
  CHECK_DRIVER(cuMemAlloc(&plane, 256));
  CHECK_DRIVER(cuMemsetD32(plane, 0, 64));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = 32;
  copy.srcXInBytes = 8;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = plane;
  copy.dstPitch = 32;
  copy.dstXInBytes = 4;
  copy.dstY = 2;
  copy.WidthInBytes = 12;
  copy.Height = 3;
  CHECK_DRIVER(cuMemcpy2D(&copy));
  const std::vector<int> found = read<int>(plane, 64);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      CHECK_EQ(found[y * 8 + x], x >= 1 && x < 4 && y >= 2 && y < 5 ? (y - 1) * 8 + x + 1 : 0);

  const CUDA_ARRAY_DESCRIPTOR shape = {8, 8, CU_AD_FORMAT_SIGNED_INT32, 1};
  CHECK_DRIVER(cuArrayCreate(&array, &shape));
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = 32;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 32;
  copy.Height = 8;
  CHECK_DRIVER(cuMemcpy2DAsync(&copy, nullptr));
  CUDA_MEMCPY3D out = {};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = back.data();
  out.dstPitch = 32;
  out.WidthInBytes = 32;
  out.Height = 8;
  out.Depth = 1;
  CHECK_DRIVER(cuMemcpy3D(&out));
  CHECK(back == host);
  out.WidthInBytes = 40;
  CHECK_CODE(cuMemcpy3D(&out), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuArrayDestroy(array));
  CHECK_DRIVER(cuMemFree(plane));
}

template <class T> T ask(CUpointer_attribute attribute, CUdeviceptr pointer) {
  T value = {};
  CHECK_DRIVER(cuPointerGetAttribute(&value, attribute, pointer));
  return value;
}

void pointers(CUcontext context) {
  CUdeviceptr device, managed;
  void *pinned = nullptr;
  CHECK_DRIVER(cuMemAlloc(&device, 1000));
  CHECK_DRIVER(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
  CHECK_DRIVER(cuMemHostAlloc(&pinned, 1000, CU_MEMHOSTALLOC_DEVICEMAP));
  CHECK_EQ(ask<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, device), context);
  CHECK_EQ(int(ask<CUmemorytype>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device)), CU_MEMORYTYPE_DEVICE);
  CHECK_EQ(int(ask<CUmemorytype>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pinned))),
           CU_MEMORYTYPE_HOST);
  CHECK_EQ(ask<CUdeviceptr>(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, device + 8), device + 8);
  CHECK_EQ(ask<void *>(CU_POINTER_ATTRIBUTE_HOST_POINTER, address(pinned)), pinned);
  CHECK_EQ(ask<bool>(CU_POINTER_ATTRIBUTE_IS_MANAGED, managed), true);
  CHECK_EQ(ask<bool>(CU_POINTER_ATTRIBUTE_IS_MANAGED, device), false);
  CHECK_EQ(ask<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, device), 0);
  CHECK_EQ(ask<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 100), device);
  CHECK_EQ(ask<size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, device + 100), size_t(1000));
  CHECK_EQ(ask<bool>(CU_POINTER_ATTRIBUTE_MAPPED, device), true);
  CHECK(ask<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, device) !=
        ask<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, managed));
  int local = 0;
  void *pointer = nullptr;
  CHECK_CODE(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, device),
             CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuPointerGetAttribute(&pointer, CU_POINTER_ATTRIBUTE_CONTEXT, address(&local)),
             CUDA_ERROR_INVALID_VALUE);
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_CONTEXT};
  CUmemorytype type = CU_MEMORYTYPE_ARRAY;
  CUcontext of = context;
  void *values[] = {&type, &of};
  CHECK_DRIVER(cuPointerGetAttributes(2, attributes, values, address(&local)));
  CHECK_EQ(int(type), 0);
  CHECK_EQ(of, CUcontext(nullptr));
  CHECK_DRIVER(cuMemFreeHost(pinned));
  CHECK_DRIVER(cuMemFree(managed));
  CHECK_DRIVER(cuMemFree(device));
}

void pools() {
  CUmemoryPool pool;
  CUdeviceptr pointer;
  CUstream stream;
  CHECK_DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_DRIVER(cuDeviceGetDefaultMemPool(&pool, 0));
  CHECK_DRIVER(cuMemAllocAsync(&pointer, 4000, stream));
  CHECK_DRIVER(cuMemsetD32Async(pointer, 9, 1000, stream));
  CHECK_DRIVER(cuStreamSynchronize(stream));
  CHECK_EQ(read<int>(pointer, 1000)[999], 9);
  CHECK_DRIVER(cuMemFreeAsync(pointer, stream));
  CHECK_DRIVER(cuMemAllocFromPoolAsync(&pointer, 4000, pool, stream));
  CHECK_DRIVER(cuMemFreeAsync(pointer, stream));
  CHECK_DRIVER(cuStreamDestroy(stream));
}

__global__ void fill(int *to, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    to[i] = i;
}

// Two pieces of physical memory side by side, used as one; the second seen at another address, too.
void mapped() {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  size_t granularity = 0;
  CHECK_DRIVER(
      cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(granularity >= 4096);
  CUmemGenericAllocationHandle pieces[2];
  CUdeviceptr whole, other;
  CHECK_CODE(cuMemAddressReserve(&whole, granularity + 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuMemAddressReserve(&whole, 2 * granularity, 0, 0, 0));
  CHECK_DRIVER(cuMemAddressReserve(&other, granularity, 0, 0, 0));
  for (int i = 0; i < 2; ++i) {
    CHECK_DRIVER(cuMemCreate(&pieces[i], granularity, &properties, 0));
    CHECK_DRIVER(cuMemMap(whole + i * granularity, granularity, 0, pieces[i], 0));
  }
  CHECK_DRIVER(cuMemMap(other, granularity, 0, pieces[1], 0));
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK_DRIVER(cuMemSetAccess(whole, 2 * granularity, &access, 1));
  CHECK_DRIVER(cuMemSetAccess(other, granularity, &access, 1));
  unsigned long long flags = 0;
  CHECK_DRIVER(cuMemGetAccess(&flags, &access.location, whole));
  CHECK_EQ(flags, 3ull);
  const int count = int(2 * granularity / sizeof(int));
  fill<<<1, 256>>>(reinterpret_cast<int *>(whole), count);
  CHECK_DRIVER(cuCtxSynchronize());
  int value = 0;
  CHECK_DRIVER(cuMemcpyDtoH(&value, other, sizeof value));
  CHECK_EQ(value, count / 2);
  CHECK_EQ(read<int>(whole, count)[count - 1], count - 1);
  CUmemGenericAllocationHandle again;
  CUmemAllocationProp told = {};
  CHECK_DRIVER(cuMemRetainAllocationHandle(&again, reinterpret_cast<void *>(other)));
  CHECK_EQ(again, pieces[1]);
  CHECK_DRIVER(cuMemGetAllocationPropertiesFromHandle(&told, again));
  CHECK_EQ(int(told.location.type), int(CU_MEM_LOCATION_TYPE_DEVICE));
  CHECK_DRIVER(cuMemRelease(again));
  for (CUmemGenericAllocationHandle piece : pieces)
    CHECK_DRIVER(cuMemRelease(piece));
  CHECK_DRIVER(cuMemUnmap(whole, 2 * granularity));
  CHECK_DRIVER(cuMemcpyDtoH(&value, other, sizeof value)); // still mapped there
  CHECK_DRIVER(cuMemUnmap(other, granularity));
  CHECK_DRIVER(cuMemAddressFree(whole, 2 * granularity));
  CHECK_DRIVER(cuMemAddressFree(other, granularity));
}

int main() {
  CUcontext context = begin();
  linear();
  allFills();
  planes();
  pointers(context);
  pools();
  mapped();
  RETURN_RESULT();
}
