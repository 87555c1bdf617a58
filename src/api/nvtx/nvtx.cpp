// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where NVTX's calls arrive (include/nvtx3/nvToolsExt.h): handles become texts, and what listens is
// told. Nothing is kept if nothing listens.
#define __HEDDLE_NVTX_LINKAGE HEDDLE_EXPORT

#include "api/entry.h"

#include "nvtx3/nvToolsExt.h"

#include <deque>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>

namespace heddle::api {
namespace {

using engine::observe::Annotation;
using engine::observe::AnnotationKind;

std::string utf8(const wchar_t *text) {
  std::string result;
  for (; *text; ++text) {
    const auto code = uint32_t(*text);
    const auto tail = [&](int bits) { result += char(0x80 | (code >> bits & 0x3f)); };
    if (code < 0x80) {
      result += char(code);
    } else if (code < 0x800) {
      result += char(0xc0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {
      result += char(0xe0 | code >> 12);
      tail(6);
      tail(0);
    } else {
      result += char(0xf0 | (code >> 18 & 7));
      tail(12);
      tail(6);
      tail(0);
    }
  }
  return result;
}

// Domains, strings and names of categories. Handles are looked up, as a program may have some that
// were made while nothing listened.
class Texts {
public:
  static Texts &instance() {
    static auto &all = *new Texts; // for calls at the program's end
    return all;
  }

  void *make(std::string text) {
    std::lock_guard lock(mutex_);
    void *handle = &objects_.emplace_back();
    texts_.emplace(handle, std::move(text));
    return handle;
  }
  std::string of(const void *handle) {
    std::lock_guard lock(mutex_);
    const auto found = texts_.find(handle);
    return found == texts_.end() ? std::string() : found->second;
  }
  void nameCategory(const void *domain, uint32_t category, std::string name) {
    std::lock_guard lock(mutex_);
    categories_[{domain, category}] = std::move(name);
  }
  std::string category(const void *domain, uint32_t category) {
    if (!category)
      return {};
    std::lock_guard lock(mutex_);
    const auto found = categories_.find({domain, category});
    return found == categories_.end() ? std::to_string(category) : found->second;
  }

private:
  std::mutex mutex_;
  std::deque<int> objects_; // a program may read a handle's `id`
  std::map<const void *, std::string> texts_;
  std::map<std::pair<const void *, uint32_t>, std::string> categories_;
};

std::string textOf(const nvtxEventAttributes_t &event) {
  if (event.messageType == NVTX_MESSAGE_TYPE_REGISTERED)
    return Texts::instance().of(event.message.registered);
  if (!event.message.ascii)
    return {};
  switch (event.messageType) {
  case NVTX_MESSAGE_TYPE_ASCII:
    return event.message.ascii;
  case NVTX_MESSAGE_TYPE_UNICODE:
    return utf8(event.message.unicode);
  default:
    return {};
  }
}

std::string payloadOf(const nvtxEventAttributes_t &event) {
  switch (event.payloadType) {
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
    return fmt::format("{}", event.payload.ullValue);
  case NVTX_PAYLOAD_TYPE_INT64:
    return fmt::format("{}", event.payload.llValue);
  case NVTX_PAYLOAD_TYPE_DOUBLE:
    return fmt::format("{}", event.payload.dValue);
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
    return fmt::format("{}", event.payload.uiValue);
  case NVTX_PAYLOAD_TYPE_INT32:
    return fmt::format("{}", event.payload.iValue);
  case NVTX_PAYLOAD_TYPE_FLOAT:
    return fmt::format("{}", event.payload.fValue);
  default:
    return {};
  }
}

void tell(engine::observe::HostObserver &observer, AnnotationKind kind,
          const __heddleNvtxCall &call) {
  Texts &texts = Texts::instance();
  Annotation annotation;
  annotation.kind = kind;
  annotation.id = call.value;
  annotation.domain = texts.of(call.domain);
  // A structure that is smaller than ours is no event of NVTX 2 or 3.
  if (call.event && call.event->size >= sizeof(nvtxEventAttributes_t)) {
    annotation.text = textOf(*call.event);
    annotation.payload = payloadOf(*call.event);
    annotation.category = texts.category(call.domain, call.event->category);
    if (call.event->colorType == NVTX_COLOR_ARGB)
      annotation.color = call.event->color;
  }
  if (kind == AnnotationKind::NameStream) {
    std::shared_ptr<DeviceStream> stream;
    if (platformStatus() != cudaSuccess ||
        findStream(reinterpret_cast<cudaStream_t>(call.value), stream) != cudaSuccess)
      return;
    annotation.id = reinterpret_cast<uint64_t>(stream.get());
  }
  observer.annotated(annotation);
}

std::optional<AnnotationKind> kindOf(uint32_t what) {
  switch (what) {
  case __HEDDLE_NVTX_PUSH:
    return AnnotationKind::Push;
  case __HEDDLE_NVTX_POP:
    return AnnotationKind::Pop;
  case __HEDDLE_NVTX_START:
    return AnnotationKind::Start;
  case __HEDDLE_NVTX_END:
    return AnnotationKind::End;
  case __HEDDLE_NVTX_MARK:
    return AnnotationKind::Mark;
  case __HEDDLE_NVTX_THREAD:
    return AnnotationKind::NameThread;
  case __HEDDLE_NVTX_DEVICE:
    return AnnotationKind::NameDevice;
  case __HEDDLE_NVTX_STREAM:
    return AnnotationKind::NameStream;
  default:
    return std::nullopt; // names of events and contexts: a profile shows none
  }
}

void *handle(engine::observe::HostObserver &observer, const __heddleNvtxCall &call) {
  if (call.what == __HEDDLE_NVTX_DOMAIN || call.what == __HEDDLE_NVTX_STRING)
    return Texts::instance().make(textOf(*call.event));
  if (call.what == __HEDDLE_NVTX_CATEGORY)
    Texts::instance().nameCategory(call.domain, uint32_t(call.value), textOf(*call.event));
  else if (const std::optional<AnnotationKind> kind = kindOf(call.what))
    tell(observer, *kind, call);
  return nullptr;
}

} // namespace
} // namespace heddle::api

extern "C" void *__heddle_nvtx(const __heddleNvtxCall *call) {
  heddle::engine::observe::HostObserver *observer = heddle::engine::observe::hostObserver();
  if (!observer || call->size < sizeof(*call))
    return nullptr;
  try {
    return heddle::api::handle(*observer, *call);
  } catch (...) { // no memory: the program goes on without
    return nullptr;
  }
}
