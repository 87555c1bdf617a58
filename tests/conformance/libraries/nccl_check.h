// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of NCCL share: buffers of any data type, filled by formula, and the ranks of one
// process.
#pragma once

#include "../check.h"

#include <algorithm>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <nccl.h>
#include <string>

#define OK(call) CHECK_EQ(call, ncclSuccess)

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 24, 0)
#include <cuda_fp8.h>
constexpr int type_count = 12;
#else
constexpr int type_count = 10;
#endif

inline size_t sizeOf(ncclDataType_t type) {
  const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return sizes[type];
}

inline bool isFloating(ncclDataType_t type) { return type >= ncclFloat16; }
inline bool isSigned(ncclDataType_t type) {
  return type != ncclUint8 && type != ncclUint32 && type != ncclUint64;
}

/// Calls function(T()) with the C++ type of a data type.
template <class Function> void withType(ncclDataType_t type, Function function) {
  switch (int(type)) {
  case ncclInt8:
    return function(int8_t());
  case ncclUint8:
    return function(uint8_t());
  case ncclInt32:
    return function(int32_t());
  case ncclUint32:
    return function(uint32_t());
  case ncclInt64:
    return function(int64_t());
  case ncclUint64:
    return function(uint64_t());
  case ncclFloat16:
    return function(__half());
  case ncclFloat32:
    return function(float());
  case ncclFloat64:
    return function(double());
  case ncclBfloat16:
    return function(__nv_bfloat16());
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 24, 0)
  case ncclFloat8e4m3:
    return function(__nv_fp8_e4m3());
  case ncclFloat8e5m2:
    return function(__nv_fp8_e5m2());
#endif
  }
}

template <class T> double toDouble(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(value);
  else
    return double(float(value));
}

/// Numbers as bytes of a data type, and back.
inline std::vector<char> encode(ncclDataType_t type, const std::vector<double> &values) {
  std::vector<char> bytes(values.size() * sizeOf(type));
  withType(type, [&](auto example) {
    using T = decltype(example);
    for (size_t i = 0; i < values.size(); ++i) {
      T value;
      if constexpr (std::is_arithmetic_v<T>)
        value = T(values[i]);
      else
        value = T(float(values[i]));
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
  });
  return bytes;
}
inline std::vector<double> decode(ncclDataType_t type, const std::vector<char> &bytes) {
  std::vector<double> values(bytes.size() / sizeOf(type));
  withType(type, [&](auto example) {
    for (size_t i = 0; i < values.size(); ++i) {
      std::memcpy(&example, bytes.data() + i * sizeof example, sizeof example);
      values[i] = toDouble(example);
    }
  });
  return values;
}

/// Element i of what a rank gives: numbers so small that their sums and products are exact in each
/// type.
inline double element(ncclDataType_t type, int rank, size_t i) {
  const int value = int((i * 7 + size_t(rank) * 5 + i / 100) % 4);
  return isSigned(type) ? value - 1 : value % 3;
}
inline std::vector<double> elements(ncclDataType_t type, int rank, size_t count) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = element(type, rank, i);
  return values;
}

inline double reduced(ncclRedOp_t op, double a, double b) {
  return op == ncclProd  ? a * b
         : op == ncclMax ? std::max(a, b)
         : op == ncclMin ? std::min(a, b)
                         : a + b;
}

/// Element i of the reduction of what all ranks give.
inline double expected(ncclDataType_t type, ncclRedOp_t op, int ranks, size_t i) {
  double result = element(type, 0, i);
  for (int rank = 1; rank < ranks; ++rank)
    result = reduced(op, result, element(type, rank, i));
  if (op != ncclAvg)
    return result;
  return isFloating(type) ? result / ranks : std::trunc(result / ranks);
}

inline void compare(const std::vector<double> &actual, const std::vector<double> &wanted,
                    const std::string &what, double allowed = 0) {
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!(std::fabs(actual[i] - wanted[i]) <= allowed * std::max(1.0, std::fabs(wanted[i]))) &&
        ++wrong == 1)
      first = i;
  CHECK_EQ(wrong, 0u);
  if (wrong)
    std::fprintf(stderr, "  %s: element %zu is %g, expected %g\n", what.c_str(), first,
                 actual[first], wanted[first]);
}

/// Device memory of one device, as bytes of a data type.
class Buffer {
public:
  Buffer(int device, ncclDataType_t type, size_t count)
      : device_(device), type_(type), bytes_(count * sizeOf(type)) {
    CHECK_CUDA(cudaSetDevice(device_));
    CHECK_CUDA(cudaMalloc(&data_, bytes_ + 1));
    CHECK_CUDA(cudaMemset(data_, 0x55, bytes_));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  Buffer(int device, ncclDataType_t type, const std::vector<double> &values)
      : Buffer(device, type, values.size()) {
    write(values);
  }
  Buffer(Buffer &&other) noexcept
      : device_(other.device_), type_(other.type_), bytes_(other.bytes_), data_(other.data_) {
    other.data_ = nullptr;
  }
  ~Buffer() {
    if (data_)
      cudaFree(data_);
  }
  void write(const std::vector<double> &values) {
    const auto bytes = encode(type_, values);
    CHECK_CUDA(cudaSetDevice(device_));
    CHECK_CUDA(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  /// Once all work of the device is done.
  std::vector<double> read() const {
    std::vector<char> bytes(bytes_);
    CHECK_CUDA(cudaSetDevice(device_));
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(bytes.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    return decode(type_, bytes);
  }
  char *at(size_t index) const { return static_cast<char *>(data_) + index * sizeOf(type_); }
  operator void *() const { return data_; }

private:
  int device_;
  ncclDataType_t type_;
  size_t bytes_;
  void *data_ = nullptr;
};

/// A rank for each device, at most four, in this process; each with a stream.
struct Ranks {
  int count = 0;
  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;

  Ranks() {
    CHECK_CUDA(cudaGetDeviceCount(&count));
    count = std::min(count, 4);
    comms.resize(size_t(count));
    streams.resize(size_t(count));
    for (int i = 0; i < count; ++i) {
      CHECK_CUDA(cudaSetDevice(i));
      CHECK_CUDA(cudaStreamCreate(&streams[size_t(i)]));
    }
    OK(ncclCommInitAll(comms.data(), count, nullptr));
  }
  ~Ranks() {
    for (int i = 0; i < count; ++i) {
      OK(ncclCommDestroy(comms[size_t(i)]));
      CHECK_CUDA(cudaStreamDestroy(streams[size_t(i)]));
    }
  }
  /// Calls function(rank, communicator, stream) for each rank, in one group.
  template <class Function> void group(Function function) const {
    OK(ncclGroupStart());
    for (int i = 0; i < count; ++i)
      function(i, comms[size_t(i)], streams[size_t(i)]);
    OK(ncclGroupEnd());
  }
  std::vector<Buffer> buffers(ncclDataType_t type, size_t size) const {
    std::vector<Buffer> all;
    for (int i = 0; i < count; ++i)
      all.emplace_back(i, type, size);
    return all;
  }
  /// What the ranks give.
  std::vector<Buffer> inputs(ncclDataType_t type, size_t size) const {
    std::vector<Buffer> all;
    for (int i = 0; i < count; ++i)
      all.emplace_back(i, type, elements(type, i, size));
    return all;
  }
};
