// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvToolsExt.h: NVIDIA's annotations for profilers, for C and C++. No
// profiler listens here, as when a program runs on a GPU outside one: marks,
// names and attributes are dropped. What the program itself can see is kept:
// each push and pop gives the nesting depth of the calling thread's ranges,
// each started range gets an id of its own.
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))
#define NVTX_INITIALIZATION_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxInitializationAttributes_t)))

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxStringRegistration_st {
  int id;
} nvtxStringRegistration_t;
typedef nvtxStringRegistration_t *nvtxStringHandle_t;
typedef struct nvtxDomainRegistration_st {
  int id;
} nvtxDomainRegistration_t;
typedef nvtxDomainRegistration_t *nvtxDomainHandle_t;

typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;

typedef struct nvtxInitializationAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t initMode;
  const char *filename;
  uint32_t lineno;
  const void *configData;
} nvtxInitializationAttributes_v2;
typedef struct nvtxInitializationAttributes_v2 nvtxInitializationAttributes_t;

// ---- What a program can see
// -------------------------------------------------------------------

// One object for the whole program, wherever the header is included.
__attribute__((weak)) __thread int __heddle_nvtx_depth = 0;
__attribute__((weak)) uint64_t __heddle_nvtx_ranges = 0;

/// The depth before the push; a pop gives the depth of the range that it ends.
static inline int __heddleNvtxPush(int *depth) { return (*depth)++; }
static inline int __heddleNvtxPop(int *depth) {
  return *depth > 0 ? --*depth : NVTX_NO_PUSH_POP_TRACKING;
}
static inline nvtxRangeId_t __heddleNvtxRange(void) {
  return __atomic_add_fetch(&__heddle_nvtx_ranges, 1, __ATOMIC_RELAXED);
}

static inline int nvtxRangePushA(const char *message) {
  (void)message;
  return __heddleNvtxPush(&__heddle_nvtx_depth);
}
static inline int nvtxRangePushW(const wchar_t *message) {
  (void)message;
  return __heddleNvtxPush(&__heddle_nvtx_depth);
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *attributes) {
  (void)attributes;
  return __heddleNvtxPush(&__heddle_nvtx_depth);
}
static inline int nvtxRangePop(void) { return __heddleNvtxPop(&__heddle_nvtx_depth); }

static inline nvtxRangeId_t nvtxRangeStartA(const char *message) {
  (void)message;
  return __heddleNvtxRange();
}
static inline nvtxRangeId_t nvtxRangeStartW(const wchar_t *message) {
  (void)message;
  return __heddleNvtxRange();
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
  (void)attributes;
  return __heddleNvtxRange();
}

// ---- Domains: a NULL domain is the default one
// ------------------------------------------------

__attribute__((weak)) nvtxDomainRegistration_t __heddle_nvtx_domain = {0};

static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
  (void)name;
  return &__heddle_nvtx_domain;
}
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name) {
  (void)name;
  return &__heddle_nvtx_domain;
}
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                        const nvtxEventAttributes_t *attributes) {
  (void)domain;
  (void)attributes;
  return __heddleNvtxPush(&__heddle_nvtx_depth);
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  (void)domain;
  return __heddleNvtxPop(&__heddle_nvtx_depth);
}
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                   const nvtxEventAttributes_t *attributes) {
  (void)domain;
  (void)attributes;
  return __heddleNvtxRange();
}
__attribute__((weak)) nvtxStringRegistration_t __heddle_nvtx_string = {0};

static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                                           const char *text) {
  (void)domain;
  (void)text;
  return &__heddle_nvtx_string;
}

// ---- What only a profiler would see
// -----------------------------------------------------------

#define __HEDDLE_NVTX_IGNORED1(name, A)                                                            \
  static inline void name(A a) { (void)a; }
#define __HEDDLE_NVTX_IGNORED2(name, A, B)                                                         \
  static inline void name(A a, B b) {                                                              \
    (void)a;                                                                                       \
    (void)b;                                                                                       \
  }
__HEDDLE_NVTX_IGNORED1(nvtxMarkA, const char *)
__HEDDLE_NVTX_IGNORED1(nvtxMarkW, const wchar_t *)
__HEDDLE_NVTX_IGNORED1(nvtxMarkEx, const nvtxEventAttributes_t *)
__HEDDLE_NVTX_IGNORED1(nvtxRangeEnd, nvtxRangeId_t)
__HEDDLE_NVTX_IGNORED1(nvtxInitialize, const void *)
__HEDDLE_NVTX_IGNORED1(nvtxDomainDestroy, nvtxDomainHandle_t)
__HEDDLE_NVTX_IGNORED2(nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
__HEDDLE_NVTX_IGNORED2(nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)
__HEDDLE_NVTX_IGNORED2(nvtxNameCategoryA, uint32_t, const char *)
__HEDDLE_NVTX_IGNORED2(nvtxNameCategoryW, uint32_t, const wchar_t *)
__HEDDLE_NVTX_IGNORED2(nvtxNameOsThreadA, uint32_t, const char *)
__HEDDLE_NVTX_IGNORED2(nvtxNameOsThreadW, uint32_t, const wchar_t *)

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif

#endif
