// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvToolsExt.h: NVIDIA's annotations for profilers (NVTX C API reference, version 3), for C
// and C++. Each call goes to __heddle_nvtx, which Heddle's runtime exports and hands to heddle
// profile; without the runtime, or without a profiler, it ends here. What the program itself can
// see is kept in any case: each push and pop gives the nesting depth of the calling thread's
// ranges, each started range gets an id of its own.
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

typedef struct nvtxResourceRegistration_st {
  int id;
} nvtxResourceRegistration_t;
typedef nvtxResourceRegistration_t *nvtxResourceHandle_t;

#define NVTX_RESOURCE_CLASS_GENERIC 1
#define NVTX_RESOURCE_MAKE_TYPE(CLASS, INDEX)                                                      \
  ((((uint32_t)(NVTX_RESOURCE_CLASS_##CLASS)) << 16) | ((uint32_t)(INDEX)))

typedef enum nvtxResourceGenericType_t {
  NVTX_RESOURCE_TYPE_UNKNOWN = 0,
  NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
  NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4)
} nvtxResourceGenericType_t;

typedef struct nvtxResourceAttributes_v0 {
  uint16_t version;
  uint16_t size;
  int32_t identifierType;
  union identifier_t {
    const void *pIdentifier;
    uint64_t ullIdentifier;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef struct nvtxResourceAttributes_v0 nvtxResourceAttributes_t;

#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxResourceAttributes_t)))

// ---- The way to the profiler ------------------------------------------------------------------

typedef enum __heddleNvtxWhat {
  __HEDDLE_NVTX_PUSH = 1,
  __HEDDLE_NVTX_POP = 2,
  __HEDDLE_NVTX_START = 3,
  __HEDDLE_NVTX_END = 4,
  __HEDDLE_NVTX_MARK = 5,
  __HEDDLE_NVTX_DOMAIN = 6, // makes one and returns its handle
  __HEDDLE_NVTX_STRING = 7, // likewise
  __HEDDLE_NVTX_CATEGORY = 8,
  __HEDDLE_NVTX_THREAD = 9, // a name for a thread, and so on
  __HEDDLE_NVTX_DEVICE = 10,
  __HEDDLE_NVTX_STREAM = 11,
  __HEDDLE_NVTX_OBJECT = 12
} __heddleNvtxWhat;

typedef struct __heddleNvtxCall {
  uint32_t size; // of this structure, which may grow
  uint32_t what;
  nvtxDomainHandle_t domain;          // NULL: the default one
  uint64_t value;                     // a range, category, thread or object
  const nvtxEventAttributes_t *event; // a name is its message; or NULL
} __heddleNvtxCall;

#ifdef __cplusplus
extern "C" {
#endif
#ifndef __HEDDLE_NVTX_LINKAGE
#define __HEDDLE_NVTX_LINKAGE __attribute__((weak))
#endif
/// Returns the new handle, if the call makes one and a profiler listens; else NULL.
__HEDDLE_NVTX_LINKAGE void *__heddle_nvtx(const __heddleNvtxCall *call);
#ifdef __cplusplus
}
#endif

static inline void *__heddleNvtxTell(__heddleNvtxWhat what, nvtxDomainHandle_t domain,
                                     uint64_t value, const nvtxEventAttributes_t *event) {
#ifdef NVTX_DISABLE
  (void)what;
  (void)domain;
  (void)value;
  (void)event;
  return NULL;
#else
  __heddleNvtxCall call;
  if (!&__heddle_nvtx)
    return NULL;
  call.size = (uint32_t)sizeof(call);
  call.what = (uint32_t)what;
  call.domain = domain;
  call.value = value;
  call.event = event;
  return __heddle_nvtx(&call);
#endif
}

static inline nvtxEventAttributes_t __heddleNvtxEvent(int32_t type) {
  nvtxEventAttributes_t event;
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.category = 0;
  event.colorType = NVTX_COLOR_UNKNOWN;
  event.color = 0;
  event.payloadType = NVTX_PAYLOAD_UNKNOWN;
  event.reserved0 = 0;
  event.payload.ullValue = 0;
  event.messageType = type;
  event.message.ascii = NULL;
  return event;
}
static inline void *__heddleNvtxTellA(__heddleNvtxWhat what, nvtxDomainHandle_t domain,
                                      uint64_t value, const char *text) {
  nvtxEventAttributes_t event = __heddleNvtxEvent(NVTX_MESSAGE_TYPE_ASCII);
  event.message.ascii = text;
  return __heddleNvtxTell(what, domain, value, &event);
}
static inline void *__heddleNvtxTellW(__heddleNvtxWhat what, nvtxDomainHandle_t domain,
                                      uint64_t value, const wchar_t *text) {
  nvtxEventAttributes_t event = __heddleNvtxEvent(NVTX_MESSAGE_TYPE_UNICODE);
  event.message.unicode = text;
  return __heddleNvtxTell(what, domain, value, &event);
}

// ---- Ranges of a thread, which nest: a NULL domain is the default one --------------------------

// One object for the whole program, wherever the header is included.
__attribute__((weak)) __thread int __heddle_nvtx_depth = 0;
__attribute__((weak)) uint64_t __heddle_nvtx_ranges = 0;

/// The depth before the push; a pop gives the depth of the range that it ends.
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                        const nvtxEventAttributes_t *attributes) {
  __heddleNvtxTell(__HEDDLE_NVTX_PUSH, domain, 0, attributes);
  return __heddle_nvtx_depth++;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  __heddleNvtxTell(__HEDDLE_NVTX_POP, domain, 0, NULL);
  return __heddle_nvtx_depth > 0 ? --__heddle_nvtx_depth : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *attributes) {
  return nvtxDomainRangePushEx(NULL, attributes);
}
static inline int nvtxRangePop(void) { return nvtxDomainRangePop(NULL); }

// ---- Ranges that any thread may end ------------------------------------------------------------

static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                   const nvtxEventAttributes_t *attributes) {
  const nvtxRangeId_t range = __atomic_add_fetch(&__heddle_nvtx_ranges, 1, __ATOMIC_RELAXED);
  __heddleNvtxTell(__HEDDLE_NVTX_START, domain, range, attributes);
  return range;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  __heddleNvtxTell(__HEDDLE_NVTX_END, domain, range, NULL);
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
  return nvtxDomainRangeStartEx(NULL, attributes);
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) { nvtxDomainRangeEnd(NULL, range); }

// ---- Marks -------------------------------------------------------------------------------------

static inline void nvtxDomainMarkEx(nvtxDomainHandle_t domain,
                                    const nvtxEventAttributes_t *attributes) {
  __heddleNvtxTell(__HEDDLE_NVTX_MARK, domain, 0, attributes);
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t *attributes) {
  nvtxDomainMarkEx(NULL, attributes);
}

// ---- The same with nothing but a text, in both kinds of letters --------------------------------

#define __HEDDLE_NVTX_TEXTS(SUFFIX, LETTER, TYPE, MEMBER)                                          \
  static inline int nvtxRangePush##SUFFIX(const LETTER *text) {                                    \
    nvtxEventAttributes_t event = __heddleNvtxEvent(TYPE);                                         \
    event.message.MEMBER = text;                                                                   \
    return nvtxRangePushEx(&event);                                                                \
  }                                                                                                \
  static inline nvtxRangeId_t nvtxRangeStart##SUFFIX(const LETTER *text) {                         \
    nvtxEventAttributes_t event = __heddleNvtxEvent(TYPE);                                         \
    event.message.MEMBER = text;                                                                   \
    return nvtxRangeStartEx(&event);                                                               \
  }                                                                                                \
  static inline void nvtxMark##SUFFIX(const LETTER *text) {                                        \
    nvtxEventAttributes_t event = __heddleNvtxEvent(TYPE);                                         \
    event.message.MEMBER = text;                                                                   \
    nvtxMarkEx(&event);                                                                            \
  }                                                                                                \
  static inline nvtxDomainHandle_t nvtxDomainCreate##SUFFIX(const LETTER *name) {                  \
    void *made = __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_DOMAIN, NULL, 0, name);                    \
    return made ? (nvtxDomainHandle_t)made : &__heddle_nvtx_domain;                                \
  }                                                                                                \
  static inline nvtxStringHandle_t nvtxDomainRegisterString##SUFFIX(nvtxDomainHandle_t domain,     \
                                                                    const LETTER *text) {          \
    void *made = __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_STRING, domain, 0, text);                  \
    return made ? (nvtxStringHandle_t)made : &__heddle_nvtx_string;                                \
  }                                                                                                \
  static inline void nvtxDomainNameCategory##SUFFIX(nvtxDomainHandle_t domain, uint32_t category,  \
                                                    const LETTER *name) {                          \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_CATEGORY, domain, category, name);                      \
  }                                                                                                \
  static inline void nvtxNameCategory##SUFFIX(uint32_t category, const LETTER *name) {             \
    nvtxDomainNameCategory##SUFFIX(NULL, category, name);                                          \
  }                                                                                                \
  static inline void nvtxNameOsThread##SUFFIX(uint32_t thread, const LETTER *name) {               \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_THREAD, NULL, thread, name);                            \
  }

// Where no profiler listens.
__attribute__((weak)) nvtxDomainRegistration_t __heddle_nvtx_domain = {0};
__attribute__((weak)) nvtxStringRegistration_t __heddle_nvtx_string = {0};
__attribute__((weak)) nvtxResourceRegistration_t __heddle_nvtx_resource = {0};

__HEDDLE_NVTX_TEXTS(A, char, NVTX_MESSAGE_TYPE_ASCII, ascii)
__HEDDLE_NVTX_TEXTS(W, wchar_t, NVTX_MESSAGE_TYPE_UNICODE, unicode)

// ---- Resources: a thread's name is shown, others have no place in a profile --------------------

static inline nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t domain,
                                                            nvtxResourceAttributes_t *attributes) {
  if (attributes && attributes->identifierType == NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE) {
    nvtxEventAttributes_t event = __heddleNvtxEvent(attributes->messageType);
    event.message = attributes->message;
    __heddleNvtxTell(__HEDDLE_NVTX_THREAD, domain, attributes->identifier.ullIdentifier, &event);
  }
  return &__heddle_nvtx_resource;
}
static inline void nvtxDomainResourceDestroy(nvtxResourceHandle_t resource) { (void)resource; }

// Handles stay valid: events that have been recorded refer to them.
static inline void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
static inline void nvtxInitialize(const void *reserved) { (void)reserved; }

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif
