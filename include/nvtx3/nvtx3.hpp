// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvtx3.hpp: NVTX for C++ (NVTX C++ API reference), over nvToolsExt.h.
#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_CPP_DEFINITIONS_V1_0

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 1

#include "nvToolsExt.h"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace nvtx3 {
inline namespace v1 {

// ---- Domains: a type with a member `name` stands for one -------------------------------------

class domain {
public:
  /// The default domain, which has no name.
  struct global {};

  domain(const domain &) = delete;
  domain &operator=(const domain &) = delete;

  template <class Tag = global> static const domain &get() noexcept {
    static const domain made(static_cast<const Tag *>(nullptr));
    return made;
  }
  operator nvtxDomainHandle_t() const noexcept { return handle_; }

private:
  explicit domain(const global *) noexcept : handle_(nullptr) {}
  template <class Tag> explicit domain(const Tag *) noexcept : handle_(create(Tag::name)) {}

  static nvtxDomainHandle_t create(const char *name) noexcept { return nvtxDomainCreateA(name); }
  static nvtxDomainHandle_t create(const wchar_t *name) noexcept { return nvtxDomainCreateW(name); }

  nvtxDomainHandle_t handle_;
};

// ---- What an event has ---------------------------------------------------------------------

struct rgb {
  using component_type = uint8_t;
  constexpr rgb(component_type red_, component_type green_, component_type blue_) noexcept
      : red(red_), green(green_), blue(blue_) {}
  component_type red, green, blue;
};

struct argb final : rgb {
  constexpr argb(component_type alpha_, component_type red_, component_type green_,
                 component_type blue_) noexcept
      : rgb(red_, green_, blue_), alpha(alpha_) {}
  component_type alpha;
};

class color {
public:
  using value_type = uint32_t;
  constexpr explicit color(value_type hex_code) noexcept : value_(hex_code) {}
  constexpr color(argb c) noexcept : value_(pack(c.alpha, c.red, c.green, c.blue)) {}
  constexpr color(rgb c) noexcept : value_(pack(255, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

private:
  static constexpr value_type pack(value_type a, value_type r, value_type g,
                                   value_type b) noexcept {
    return a << 24 | r << 16 | g << 8 | b;
  }
  value_type value_;
};

class category {
public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

private:
  id_type id_;
};

template <class Domain = domain::global> class named_category_in final : public category {
public:
  named_category_in(id_type id, const char *name) noexcept : category(id) {
    nvtxDomainNameCategoryA(domain::get<Domain>(), id, name);
  }
  named_category_in(id_type id, const wchar_t *name) noexcept : category(id) {
    nvtxDomainNameCategoryW(domain::get<Domain>(), id, name);
  }

  /// Of a type with the members `id` and `name`.
  template <class Tag> static const named_category_in &get() noexcept {
    static const named_category_in made(Tag::id, Tag::name);
    return made;
  }
};
using named_category = named_category_in<domain::global>;

template <class Domain = domain::global> class registered_string_in {
public:
  explicit registered_string_in(const char *text) noexcept
      : handle_(nvtxDomainRegisterStringA(domain::get<Domain>(), text)) {}
  explicit registered_string_in(const std::string &text) noexcept
      : registered_string_in(text.c_str()) {}
  explicit registered_string_in(const wchar_t *text) noexcept
      : handle_(nvtxDomainRegisterStringW(domain::get<Domain>(), text)) {}
  explicit registered_string_in(const std::wstring &text) noexcept
      : registered_string_in(text.c_str()) {}

  /// Of a type with the member `message`.
  template <class Tag> static const registered_string_in &get() noexcept {
    static const registered_string_in made(Tag::message);
    return made;
  }
  nvtxStringHandle_t get_handle() const noexcept { return handle_; }

private:
  nvtxStringHandle_t handle_;
};
using registered_string = registered_string_in<domain::global>;

class message {
public:
  using value_type = nvtxMessageValue_t;
  message(const char *text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII) { value_.ascii = text; }
  message(const wchar_t *text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE) {
    value_.unicode = text;
  }
  message(const std::string &text) noexcept : message(text.c_str()) {}
  message(const std::wstring &text) noexcept : message(text.c_str()) {}
  message(std::string &&) = delete; // the text would be gone before it is looked at
  message(std::wstring &&) = delete;
  template <class Domain>
  message(const registered_string_in<Domain> &text) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) {
    value_.registered = text.get_handle();
  }
  constexpr message(nvtxMessageType_t type, const value_type &value) noexcept
      : type_(type), value_(value) {}
  constexpr nvtxMessageType_t get_type() const noexcept { return type_; }
  constexpr value_type get_value() const noexcept { return value_; }

private:
  nvtxMessageType_t type_;
  value_type value_{};
};

class payload {
public:
  using value_type = decltype(nvtxEventAttributes_t::payload);
#define __HEDDLE_NVTX_PAYLOAD(TYPE, KIND, MEMBER)                                                  \
  explicit payload(TYPE value) noexcept : type_(KIND) { value_.MEMBER = value; }
  __HEDDLE_NVTX_PAYLOAD(int64_t, NVTX_PAYLOAD_TYPE_INT64, llValue)
  __HEDDLE_NVTX_PAYLOAD(int32_t, NVTX_PAYLOAD_TYPE_INT32, iValue)
  __HEDDLE_NVTX_PAYLOAD(uint64_t, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, ullValue)
  __HEDDLE_NVTX_PAYLOAD(uint32_t, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, uiValue)
  __HEDDLE_NVTX_PAYLOAD(float, NVTX_PAYLOAD_TYPE_FLOAT, fValue)
  __HEDDLE_NVTX_PAYLOAD(double, NVTX_PAYLOAD_TYPE_DOUBLE, dValue)
#undef __HEDDLE_NVTX_PAYLOAD
  payload(nvtxPayloadType_t type, const value_type &value) noexcept : type_(type), value_(value) {}
  nvtxPayloadType_t get_type() const noexcept { return type_; }
  value_type get_value() const noexcept { return value_; }

private:
  nvtxPayloadType_t type_;
  value_type value_{};
};

/// Message, colour, payload and category in any order; of several of a kind the first counts.
class event_attributes {
public:
  using value_type = nvtxEventAttributes_t;

  event_attributes() noexcept : attributes_() {
    attributes_.version = NVTX_VERSION;
    attributes_.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  }
  template <class... Others>
  explicit event_attributes(const category &c, const Others &...others) noexcept
      : event_attributes(others...) {
    attributes_.category = c.get_id();
  }
  template <class... Others>
  explicit event_attributes(const color &c, const Others &...others) noexcept
      : event_attributes(others...) {
    attributes_.color = c.get_value();
    attributes_.colorType = c.get_type();
  }
  template <class... Others>
  explicit event_attributes(const payload &p, const Others &...others) noexcept
      : event_attributes(others...) {
    attributes_.payload = p.get_value();
    attributes_.payloadType = p.get_type();
  }
  template <class... Others>
  explicit event_attributes(const message &m, const Others &...others) noexcept
      : event_attributes(others...) {
    attributes_.message = m.get_value();
    attributes_.messageType = m.get_type();
  }
  const value_type *get() const noexcept { return &attributes_; }

private:
  value_type attributes_;
};

// ---- Marks and ranges ----------------------------------------------------------------------

template <class... Arguments>
using __heddle_describes_event = typename std::enable_if<
    std::is_constructible<event_attributes, const Arguments &...>::value>::type;

template <class Domain = domain::global> void mark_in(const event_attributes &event) noexcept {
  nvtxDomainMarkEx(domain::get<Domain>(), event.get());
}
template <class Domain = domain::global, class... Arguments,
          class = __heddle_describes_event<Arguments...>>
void mark_in(const Arguments &...arguments) noexcept {
  mark_in<Domain>(event_attributes{arguments...});
}
inline void mark(const event_attributes &event) noexcept { mark_in<domain::global>(event); }
template <class... Arguments, class = __heddle_describes_event<Arguments...>>
void mark(const Arguments &...arguments) noexcept {
  mark_in<domain::global>(arguments...);
}

/// A range of the calling thread, as long as the object lives.
template <class Domain = domain::global> class scoped_range_in {
public:
  explicit scoped_range_in(const event_attributes &event) noexcept {
    nvtxDomainRangePushEx(domain::get<Domain>(), event.get());
  }
  template <class... Arguments, class = __heddle_describes_event<Arguments...>>
  explicit scoped_range_in(const Arguments &...arguments) noexcept
      : scoped_range_in(event_attributes{arguments...}) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes{}) {}
  ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<Domain>()); }

  // Ranges of a thread end in the order in which they began.
  void *operator new(std::size_t) = delete;
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
};
using scoped_range = scoped_range_in<domain::global>;

/// A range that was started; any thread may end it.
struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr range_handle() noexcept = default;
  constexpr explicit range_handle(value_type id) noexcept : id_(id) {}
  constexpr explicit range_handle(std::nullptr_t) noexcept {}
  constexpr explicit operator bool() const noexcept { return id_ != 0; }
  constexpr value_type get_value() const noexcept { return id_; }

private:
  value_type id_ = 0;
};
inline constexpr bool operator==(range_handle a, range_handle b) noexcept {
  return a.get_value() == b.get_value();
}
inline constexpr bool operator!=(range_handle a, range_handle b) noexcept { return !(a == b); }

template <class Domain = domain::global>
range_handle start_range_in(const event_attributes &event) noexcept {
  return range_handle(nvtxDomainRangeStartEx(domain::get<Domain>(), event.get()));
}
template <class Domain = domain::global, class... Arguments,
          class = __heddle_describes_event<Arguments...>>
range_handle start_range_in(const Arguments &...arguments) noexcept {
  return start_range_in<Domain>(event_attributes{arguments...});
}
inline range_handle start_range(const event_attributes &event) noexcept {
  return start_range_in<domain::global>(event);
}
template <class... Arguments, class = __heddle_describes_event<Arguments...>>
range_handle start_range(const Arguments &...arguments) noexcept {
  return start_range_in<domain::global>(arguments...);
}
template <class Domain = domain::global> void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<Domain>(), range.get_value());
}
inline void end_range(range_handle range) noexcept { end_range_in<domain::global>(range); }

/// A started range that ends with the object, which may be moved.
template <class Domain = domain::global> class unique_range_in {
public:
  explicit unique_range_in(const event_attributes &event) noexcept
      : range_(start_range_in<Domain>(event)) {}
  template <class... Arguments, class = __heddle_describes_event<Arguments...>>
  explicit unique_range_in(const Arguments &...arguments) noexcept
      : unique_range_in(event_attributes{arguments...}) {}
  unique_range_in() noexcept : unique_range_in(event_attributes{}) {}
  unique_range_in(unique_range_in &&other) noexcept : range_(other.range_) {
    other.range_ = range_handle();
  }
  unique_range_in &operator=(unique_range_in &&other) noexcept {
    std::swap(range_, other.range_);
    return *this;
  }
  ~unique_range_in() noexcept {
    if (range_)
      end_range_in<Domain>(range_);
  }

private:
  range_handle range_;
};
using unique_range = unique_range_in<domain::global>;

} // namespace v1
} // namespace nvtx3

// A range for the rest of the function, which has its name.
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                                  \
  static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__(__func__);                   \
  const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__(nvtx3_func_name__)
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, CONDITION)                                                    \
  const ::std::unique_ptr<::nvtx3::v1::unique_range_in<D>> nvtx3_range__(                          \
      (CONDITION) ? new ::nvtx3::v1::unique_range_in<D>(__func__) : nullptr)
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(CONDITION)                                                          \
  NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, CONDITION)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

#endif
