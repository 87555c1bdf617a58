// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rtc/common/message.h"

#include "support/hash.h"

#include <cstdint>
#include <cstring>

namespace heddle::rtc {
namespace {

void addString(std::string &bytes, std::string_view text) {
  const uint64_t length = text.size();
  bytes.append(reinterpret_cast<const char *>(&length), sizeof length);
  bytes += text;
}

bool takeString(std::string_view &bytes, std::string &text) {
  uint64_t length;
  if (bytes.size() < sizeof length)
    return false;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (bytes.size() < length)
    return false;
  text = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return true;
}

} // namespace

const std::string &Message::first(std::string_view name) const {
  static const std::string &none = *new std::string;
  for (const auto &[key, value] : fields)
    if (key == name)
      return value;
  return none;
}

std::vector<std::string> Message::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto &[key, value] : fields)
    if (key == name)
      values.push_back(value);
  return values;
}

std::string pack(const Message &message) {
  std::string bytes;
  for (const auto &[name, value] : message.fields) {
    addString(bytes, name);
    addString(bytes, value);
  }
  return bytes + contentHash(bytes);
}

std::optional<Message> unpack(std::string_view bytes) {
  static const size_t hash_size = contentHash("").size();
  if (bytes.size() < hash_size)
    return std::nullopt;
  std::string_view rest = bytes.substr(0, bytes.size() - hash_size);
  if (contentHash(rest) != bytes.substr(rest.size()))
    return std::nullopt;
  Message message;
  while (!rest.empty()) {
    std::string name, value;
    if (!takeString(rest, name) || !takeString(rest, value))
      return std::nullopt;
    message.add(std::move(name), std::move(value));
  }
  return message;
}

} // namespace heddle::rtc
