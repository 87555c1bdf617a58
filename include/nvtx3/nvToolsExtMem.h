// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvToolsExtMem.h: NVTX's memory extension, version 1 (NVTX C API, "Memory"): a program tells
// tools that it gives out an allocation in pieces itself, what these are called, and what kernels
// may do with them. heddle check listens, through __heddle_nvtx_memory, which Heddle's runtime
// exports; without the runtime, or without heddle check, a call ends here, and what returns a
// handle returns the one that stands for no tool.
//
// Permissions are those of the whole process. Objects of permissions of a program's own
// (nvtxMemPermissionsCreate), and memory that is no range of addresses, are not supported: no tool
// seems to listen.
#ifndef NVTOOLSEXTV3_MEM_V1
#define NVTOOLSEXTV3_MEM_V1

#include "nvToolsExt.h"

#define NVTX_EXT_COMPATID_MEM 0x0102

#define NVTX_MEM_HEAP_HANDLE_NO_TOOL ((nvtxMemHeapHandle_t)(intptr_t)-1)
#define NVTX_MEM_REGION_HANDLE_NO_TOOL ((nvtxMemRegionHandle_t)(intptr_t)-1)
#define NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL ((nvtxMemPermissionsHandle_t)(intptr_t)-1)

#define NVTX_MEM_HEAP_HANDLE_PROCESS_WIDE ((nvtxMemHeapHandle_t)0)
#define NVTX_MEM_HEAP_USAGE_UNKNOWN 0x0
#define NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR 0x1
#define NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT 0x2
#define NVTX_MEM_TYPE_UNKNOWN 0x0
#define NVTX_MEM_TYPE_VIRTUAL_ADDRESS 0x1

#define NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE ((nvtxMemPermissionsHandle_t)0)
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_READ 0x1
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ 0x1
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET 0x8
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_NONE 0x0
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_READ 0x1
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_WRITE 0x2
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_UNKNOWN 0x0
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD 0x1
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CUDA_STREAM 0x2

#define NVTX_MEM_REGION_REF_TYPE_UNKNOWN 0x0
#define NVTX_MEM_REGION_REF_TYPE_POINTER 0x1
#define NVTX_MEM_REGION_REF_TYPE_HANDLE 0x2

typedef struct nvtxMemHeap_v1 nvtxMemHeap_t;
typedef nvtxMemHeap_t *nvtxMemHeapHandle_t;
typedef struct nvtxMemRegion_v1 nvtxMemRegion_t;
typedef nvtxMemRegion_t *nvtxMemRegionHandle_t;
typedef struct nvtxMemPermissions_v1 nvtxMemPermissions_t;
typedef nvtxMemPermissions_t *nvtxMemPermissionsHandle_t;

typedef union nvtxMemRegionRef_t {
  void const *pointer;
  nvtxMemRegionHandle_t handle;
} nvtxMemRegionRef_t;

typedef struct nvtxMemVirtualRangeDesc_v1 {
  size_t size;
  void const *ptr;
} nvtxMemVirtualRangeDesc_v1;
typedef nvtxMemVirtualRangeDesc_v1 nvtxMemVirtualRangeDesc_t;

typedef struct nvtxMemHeapDesc_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t reserved0;
  uint32_t usage;
  uint32_t type;
  size_t typeSpecificDescSize;
  void const *typeSpecificDesc;
  uint32_t category;
  uint32_t messageType;
  nvtxMessageValue_t message;
} nvtxMemHeapDesc_v1;
typedef nvtxMemHeapDesc_v1 nvtxMemHeapDesc_t;

typedef struct nvtxMemRegionsRegisterBatch_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t regionType;
  nvtxMemHeapHandle_t heap;
  size_t regionCount;
  size_t regionDescElementSize;
  void const *regionDescElements;
  nvtxMemRegionHandle_t *regionHandleElementsOut;
} nvtxMemRegionsRegisterBatch_v1;
typedef nvtxMemRegionsRegisterBatch_v1 nvtxMemRegionsRegisterBatch_t;

typedef struct nvtxMemRegionsResizeBatch_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t regionType;
  size_t regionDescCount;
  size_t regionDescElementSize;
  void const *regionDescElements;
} nvtxMemRegionsResizeBatch_v1;
typedef nvtxMemRegionsResizeBatch_v1 nvtxMemRegionsResizeBatch_t;

typedef struct nvtxMemRegionsUnregisterBatch_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t refType;
  size_t refCount;
  size_t refElementSize;
  nvtxMemRegionRef_t const *refElements;
} nvtxMemRegionsUnregisterBatch_v1;
typedef nvtxMemRegionsUnregisterBatch_v1 nvtxMemRegionsUnregisterBatch_t;

typedef struct nvtxMemRegionNameDesc_v1 {
  uint32_t regionRefType;
  uint32_t nameType;
  nvtxMemRegionRef_t region;
  nvtxMessageValue_t name;
  uint32_t category;
  uint32_t reserved0;
} nvtxMemRegionNameDesc_v1;
typedef nvtxMemRegionNameDesc_v1 nvtxMemRegionNameDesc_t;

typedef struct nvtxMemRegionsNameBatch_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t reserved0;
  size_t regionCount;
  size_t regionElementSize;
  nvtxMemRegionNameDesc_t const *regionElements;
  size_t reserved1;
} nvtxMemRegionsNameBatch_v1;
typedef nvtxMemRegionsNameBatch_v1 nvtxMemRegionsNameBatch_t;

typedef struct nvtxMemPermissionsAssignRegionDesc_v1 {
  uint32_t flags;
  uint32_t regionRefType;
  nvtxMemRegionRef_t region;
} nvtxMemPermissionsAssignRegionDesc_v1;
typedef nvtxMemPermissionsAssignRegionDesc_v1 nvtxMemPermissionsAssignRegionDesc_t;

typedef struct nvtxMemPermissionsAssignBatch_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t reserved0;
  nvtxMemPermissionsHandle_t permissions;
  size_t regionCount;
  size_t regionElementSize;
  nvtxMemPermissionsAssignRegionDesc_t const *regionElements;
  size_t reserved1;
} nvtxMemPermissionsAssignBatch_v1;
typedef nvtxMemPermissionsAssignBatch_v1 nvtxMemPermissionsAssignBatch_t;

// ---- The way to heddle check ------------------------------------------------------------------

// As MemoryNote in src/engine/observe/observer.h.
typedef enum __heddleNvtxMemoryWhat {
  __HEDDLE_NVTX_MEMORY_POOL = 0,
  __HEDDLE_NVTX_MEMORY_RESET = 1,
  __HEDDLE_NVTX_MEMORY_END = 2,
  __HEDDLE_NVTX_MEMORY_PIECE = 3,
  __HEDDLE_NVTX_MEMORY_RESIZE = 4,
  __HEDDLE_NVTX_MEMORY_FREE = 5,
  __HEDDLE_NVTX_MEMORY_NAME = 6,
  __HEDDLE_NVTX_MEMORY_PERMISSIONS = 7
} __heddleNvtxMemoryWhat;

#ifdef __cplusplus
extern "C" {
#endif
/// `value`: bytes or permissions. Returns whether a tool listens.
__attribute__((weak)) int __heddle_nvtx_memory(uint32_t what, const void *base, uint64_t value,
                                               const char *name);
#ifdef __cplusplus
}
#endif

static inline int __heddleNvtxMemory(__heddleNvtxMemoryWhat what, const void *base, uint64_t value,
                                     const char *name) {
#ifdef NVTX_DISABLE
  (void)what;
  (void)base;
  (void)value;
  (void)name;
  return 0;
#else
  return &__heddle_nvtx_memory ? __heddle_nvtx_memory((uint32_t)what, base, value, name) : 0;
#endif
}

/// Of an array whose elements may be larger than this header knows.
static inline const void *__heddleNvtxElement(const void *elements, size_t size, size_t index) {
  return (const char *)elements + size * index;
}

// ---- Heaps and regions ------------------------------------------------------------------------

static inline nvtxMemHeapHandle_t nvtxMemHeapRegister(nvtxDomainHandle_t domain,
                                                      nvtxMemHeapDesc_t const *desc) {
  const nvtxMemVirtualRangeDesc_t *range;
  (void)domain;
  if (!desc || desc->type != NVTX_MEM_TYPE_VIRTUAL_ADDRESS || !desc->typeSpecificDesc)
    return NVTX_MEM_HEAP_HANDLE_NO_TOOL;
  range = (const nvtxMemVirtualRangeDesc_t *)desc->typeSpecificDesc;
  // A heap of another usage is accessible without regions.
  if (desc->usage != NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR ||
      !__heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_POOL, range->ptr, range->size, NULL))
    return NVTX_MEM_HEAP_HANDLE_NO_TOOL;
  return (nvtxMemHeapHandle_t)(uintptr_t)range->ptr;
}

static inline void nvtxMemHeapUnregister(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap) {
  (void)domain;
  __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_END, heap, 0, NULL);
}

static inline void nvtxMemHeapReset(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap) {
  (void)domain;
  __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_RESET, heap, 0, NULL);
}

static inline void nvtxMemRegionsRegister(nvtxDomainHandle_t domain,
                                          nvtxMemRegionsRegisterBatch_t const *desc) {
  size_t i;
  (void)domain;
  if (!desc || desc->regionType != NVTX_MEM_TYPE_VIRTUAL_ADDRESS)
    return;
  for (i = 0; i < desc->regionCount; ++i) {
    const nvtxMemVirtualRangeDesc_t *range = (const nvtxMemVirtualRangeDesc_t *)__heddleNvtxElement(
        desc->regionDescElements, desc->regionDescElementSize, i);
    if (desc->regionHandleElementsOut)
      desc->regionHandleElementsOut[i] = (nvtxMemRegionHandle_t)(uintptr_t)range->ptr;
    __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_PIECE, range->ptr, range->size, NULL);
  }
}

static inline void nvtxMemRegionsResize(nvtxDomainHandle_t domain,
                                        nvtxMemRegionsResizeBatch_t const *desc) {
  size_t i;
  (void)domain;
  if (!desc || desc->regionType != NVTX_MEM_TYPE_VIRTUAL_ADDRESS)
    return;
  for (i = 0; i < desc->regionDescCount; ++i) {
    const nvtxMemVirtualRangeDesc_t *range = (const nvtxMemVirtualRangeDesc_t *)__heddleNvtxElement(
        desc->regionDescElements, desc->regionDescElementSize, i);
    __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_RESIZE, range->ptr, range->size, NULL);
  }
}

// A region's handle is its address.
static inline void nvtxMemRegionsUnregister(nvtxDomainHandle_t domain,
                                            nvtxMemRegionsUnregisterBatch_t const *desc) {
  size_t i;
  (void)domain;
  for (i = 0; desc && i < desc->refCount; ++i)
    __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_FREE,
                       ((const nvtxMemRegionRef_t *)__heddleNvtxElement(desc->refElements,
                                                                        desc->refElementSize, i))
                           ->pointer,
                       0, NULL);
}

static inline void nvtxMemRegionsName(nvtxDomainHandle_t domain,
                                      nvtxMemRegionsNameBatch_t const *desc) {
  size_t i;
  (void)domain;
  for (i = 0; desc && i < desc->regionCount; ++i) {
    const nvtxMemRegionNameDesc_t *name = (const nvtxMemRegionNameDesc_t *)__heddleNvtxElement(
        desc->regionElements, desc->regionElementSize, i);
    if (name->nameType == NVTX_MESSAGE_TYPE_ASCII)
      __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_NAME, name->region.pointer, 0, name->name.ascii);
  }
}

// ---- Permissions ------------------------------------------------------------------------------

static inline void nvtxMemPermissionsAssign(nvtxDomainHandle_t domain,
                                            nvtxMemPermissionsAssignBatch_t const *desc) {
  size_t i;
  (void)domain;
  if (!desc || desc->permissions == NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL)
    return;
  for (i = 0; i < desc->regionCount; ++i) {
    const nvtxMemPermissionsAssignRegionDesc_t *region =
        (const nvtxMemPermissionsAssignRegionDesc_t *)__heddleNvtxElement(
            desc->regionElements, desc->regionElementSize, i);
    __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_PERMISSIONS, region->region.pointer, region->flags,
                       NULL);
  }
}

static inline nvtxMemPermissionsHandle_t nvtxMemPermissionsCreate(nvtxDomainHandle_t domain,
                                                                  int32_t creationflags) {
  (void)domain;
  (void)creationflags;
  return NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL;
}

static inline void nvtxMemPermissionsDestroy(nvtxDomainHandle_t domain,
                                             nvtxMemPermissionsHandle_t permissionsHandle) {
  (void)domain;
  (void)permissionsHandle;
}

/// All that has been assigned.
static inline void nvtxMemPermissionsReset(nvtxDomainHandle_t domain,
                                           nvtxMemPermissionsHandle_t permissionsHandle) {
  (void)domain;
  if (permissionsHandle != NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL)
    __heddleNvtxMemory(__HEDDLE_NVTX_MEMORY_PERMISSIONS, NULL,
                       NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET, NULL);
}

static inline void nvtxMemPermissionsBind(nvtxDomainHandle_t domain,
                                          nvtxMemPermissionsHandle_t permissions,
                                          uint32_t bindScope, uint32_t bindFlags) {
  (void)domain;
  (void)permissions;
  (void)bindScope;
  (void)bindFlags;
}

static inline void nvtxMemPermissionsUnbind(nvtxDomainHandle_t domain, uint32_t bindScope) {
  (void)domain;
  (void)bindScope;
}

#endif
