// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's functions as data, for wrong_handles.cu: what each parameter's type is, and one way
// to call them all.
#pragma once

#include "handle_objects.h"

#include <utility>

namespace handles {

/// An argument's bytes, whatever its type.
struct alignas(16) Argument {
  char bytes[64];
  template <class T> void set(T value) {
    static_assert(sizeof(T) <= sizeof bytes, "a parameter of a type that is too large");
    std::memcpy(bytes, &value, sizeof value);
  }
};

enum class Kind { Handle, Pointer, Text, Function, Wide, Number, Other };

/// A parameter's type.
struct Type {
  Kind kind;
  std::type_index handle; // this handle's type, or of the handles that it points at, or void
  size_t bytes;
  unsigned char number; // a value that most functions take for this kind of number
  void *function;       // one of this type
};

template <class T> struct IsFunction : std::false_type {};
template <class R, class... A> struct IsFunction<R (*)(A...)> : std::true_type {
  static R nothing(A...) { return R(); }
};

// Handles are pointers to types that are declared and not defined.
template <class T, class = void> struct IsHandle : std::is_pointer<T> {};
template <class T>
struct IsHandle<T, std::void_t<decltype(sizeof(std::remove_pointer_t<T>))>> : std::false_type {};
template <> struct IsHandle<void *> : std::false_type {};
template <> struct IsHandle<const void *> : std::false_type {};
template <class T> constexpr bool is_handle = IsHandle<T>::value && !IsFunction<T>::value;

template <class T> Type describeType() {
  using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
  const std::type_index none = typeid(void);
  if constexpr (IsFunction<T>::value)
    return {Kind::Function, none, sizeof(T), 0, (void *)IsFunction<T>::nothing};
  else if constexpr (is_handle<T>)
    return {Kind::Handle, typeid(T), sizeof(T), 0, nullptr};
  else if constexpr (std::is_same_v<T, const char *>)
    return {Kind::Text, none, sizeof(T), 0, nullptr};
  else if constexpr (std::is_pointer_v<T>)
    return {Kind::Pointer, is_handle<Pointee> ? typeid(Pointee) : none, sizeof(T), 0, nullptr};
  else if constexpr (std::is_same_v<T, unsigned long long>)
    return {Kind::Wide, none, sizeof(T), 0, nullptr};
  else if constexpr (std::is_enum_v<T> || std::is_same_v<T, size_t>)
    return {Kind::Number, none, sizeof(T), 1, nullptr};
  else
    return {std::is_integral_v<T> ? Kind::Number : Kind::Other, none, sizeof(T), 0, nullptr};
}
template <class T> const Type *typeOf() {
  static const Type type = describeType<T>();
  return &type;
}
template <class... A> const Type *const *typesOf() {
  static const Type *const types[] = {typeOf<A>()..., nullptr};
  return types;
}

struct Function {
  const char *name;
  void *function;
  const Type *const *types; // ends with null
  CUresult (*invoke)(void *function, const Argument *arguments);

  int parameters() const {
    int count = 0;
    while (types[count])
      ++count;
    return count;
  }
};

template <class... A, size_t... index>
CUresult call(CUresult (*function)(A...), const Argument *arguments,
              std::index_sequence<index...>) {
  return function(*reinterpret_cast<const A *>(arguments[index].bytes)...);
}
template <class... A> CUresult invoke(void *function, const Argument *arguments) {
  return call(reinterpret_cast<CUresult (*)(A...)>(function), arguments,
              std::index_sequence_for<A...>());
}
template <class... A> Function describe(const char *name, CUresult (*function)(A...)) {
  return {name, reinterpret_cast<void *>(function), typesOf<A...>(), invoke<A...>};
}

/// All of them.
inline const std::vector<Function> &functions() {
#define CALL(name) describe(#name, name),
  static const std::vector<Function> all = {
#include "handle_calls.inc"
  };
#undef CALL
  return all;
}

/// What a number of this function is that the API calls unsigned long long, or that must be 0.
inline Wide wideRole(const std::string &function, int parameter) {
  struct Role {
    const char *function;
    int parameter;
    Wide role;
  };
  static const Role roles[] = {{"cuMemRelease", 0, Wide::Memory},
                               {"cuMemMap", 3, Wide::Memory},
                               {"cuMemExportToShareableHandle", 1, Wide::Memory},
                               {"cuMemGetAllocationPropertiesFromHandle", 1, Wide::Memory},
                               {"cuMulticastAddDevice", 0, Wide::Memory},
                               {"cuMulticastBindMem", 0, Wide::Memory},
                               {"cuMulticastBindMem", 2, Wide::Memory},
                               {"cuMulticastBindAddr", 0, Wide::Memory},
                               {"cuMulticastUnbind", 0, Wide::Memory},
                               {"cuMemAddressReserve", 4, Wide::Number},
                               {"cuMemCreate", 3, Wide::Number},
                               {"cuMemMap", 4, Wide::Number},
                               {"cuMemExportToShareableHandle", 3, Wide::Number},
                               {"cuMemGetHandleForAddressRange", 4, Wide::Number},
                               {"cuMulticastBindMem", 5, Wide::Number},
                               {"cuMulticastBindAddr", 4, Wide::Number},
                               {"cuMemPoolExportToShareableHandle", 3, Wide::Number},
                               {"cuMemPoolImportFromShareableHandle", 3, Wide::Number},
                               {"cuGraphInstantiate", 2, Wide::Number},
                               {"cuGetProcAddress", 3, Wide::Number},
                               {"cuStreamWaitValue64", 2, Wide::Number}};
  for (const Role &role : roles)
    if (function == role.function && parameter == role.parameter)
      return role.role;
  if (function.rfind("cuTexObject", 0) == 0)
    return Wide::Texture;
  return function.rfind("cuSurfObject", 0) == 0 ? Wide::Surface : Wide::Address;
}

} // namespace handles
