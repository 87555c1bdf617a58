// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libnvrtc, libnvvm and libnvJitLink say to the compiler process, and what it answers: a list
// of named byte strings. A name may come several times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::rtc {

struct Message {
  std::vector<std::pair<std::string, std::string>> fields;

  void add(std::string name, std::string value) {
    fields.emplace_back(std::move(name), std::move(value));
  }
  /// The first field of that name; empty if there is none.
  const std::string &first(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
};

/// As bytes, with a hash of them at the end.
std::string pack(const Message &message);

/// Nothing if the bytes are not those of a whole message.
std::optional<Message> unpack(std::string_view bytes);

} // namespace heddle::rtc
