// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about a pointer: cuPointerGetAttribute and its relatives.
#include "device/memory/memory_pool.h"
#include "device/memory/virtual_memory.h"
#include "driver/entry.h"

#include <cstring>
#include <limits>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// Bytes of an attribute's value; 0 if there is no such attribute.
size_t bytesOf(CUpointer_attribute attribute) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    return 8;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return 4;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_MAPPED:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    return sizeof(bool);
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
    return sizeof(CUDA_POINTER_ATTRIBUTE_P2P_TOKENS);
  }
  return 0;
}

// As an H200 says, which has no engine for it: cudaMalloc's memory is, a pool's if it was made so.
bool isForDecompression(const Allocation &memory) {
  bool is_for = memory.kind == MemoryKind::Device && !memory.flags;
  MemoryPool::handles().forEach([&](const MemoryPool &pool) {
    is_for |=
        memory.kind == MemoryKind::Device && pool.id == memory.flags && pool.settings.decompress;
  });
  return is_for;
}

bool onHost(const Allocation &memory) { return !memory.onDevice(); }

/// Answers in 64 bits, of which the value takes the first.
CUresult valueOf(CUpointer_attribute attribute, CUdeviceptr pointer, const Allocation &memory,
                 uint64_t &value) {
  const auto base = reinterpret_cast<uintptr_t>(memory.base);
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: {
    Device &device = Platform::instance().device(memory.device);
    value = reinterpret_cast<uintptr_t>(Context::find(device, memory.context).get());
    return CUDA_SUCCESS;
  }
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    value = onHost(memory) && memory.kind != MemoryKind::Managed ? CU_MEMORYTYPE_HOST
                                                                 : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    value = pointer;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    value = pointer;
    return onHost(memory) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    value = 0;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    value = memory.id;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    value = memory.kind == MemoryKind::Managed;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    value = unsigned(memory.device);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    value = memory.kind == MemoryKind::Device;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
    value = isForDecompression(memory);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    value = base;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    value = memory.size;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    value = 1;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    value = 0;
    if (const auto found = VirtualMemory::instance().mappingAt(pointer))
      value = unsigned(found->second.physical->properties.requestedHandleTypes);
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    value = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS: // needs a kernel driver
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

std::optional<Allocation> find(CUdeviceptr pointer) {
  return Platform::instance().memory().find(at(pointer));
}

CUresult setAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return callContext([&](Context &) {
    if (!value || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !find(pointer))
      return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS; // copies with pageable memory wait anyway
  });
}

} // namespace

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return callContext([&](Context &) {
    const std::optional<Allocation> memory = find(pointer);
    const size_t bytes = bytesOf(attribute);
    uint64_t answer = 0;
    if (!value || !bytes || !memory)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = valueOf(attribute, pointer, *memory, answer))
      return error;
    memcpy(value, &answer, bytes);
    return CUDA_SUCCESS;
  });
}

// Of a pointer that CUDA does not know, the values are zeros.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values,
                                CUdeviceptr pointer) {
  return callContext([&](Context &) {
    if (count == 0 || !attributes || !values)
      return CUDA_ERROR_INVALID_VALUE;
    const std::optional<Allocation> memory = find(pointer);
    for (unsigned i = 0; i < count; ++i) {
      const size_t bytes = bytesOf(attributes[i]);
      uint64_t answer = 0;
      if (!bytes || !values[i] || attributes[i] == CU_POINTER_ATTRIBUTE_P2P_TOKENS)
        return CUDA_ERROR_INVALID_VALUE;
      if (!memory || valueOf(attributes[i], pointer, *memory, answer) != CUDA_SUCCESS)
        answer = attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL && !memory
                     ? unsigned(CU_DEVICE_INVALID)
                     : 0;
      memcpy(values[i], &answer, bytes);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr pointer) {
  return setAttribute(value, attribute, pointer);
}
