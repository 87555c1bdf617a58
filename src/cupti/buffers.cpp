// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cupti/buffers.h"

#include <cstring>
#include <utility>

namespace heddle::cupti {

Buffers &Buffers::instance() {
  static auto *buffers = new Buffers; // streams' threads may write to the program's end
  return *buffers;
}

void Buffers::setCallbacks(CUpti_BuffersCallbackRequestFunc request,
                           CUpti_BuffersCallbackCompleteFunc complete) {
  const std::lock_guard lock(mutex_);
  request_ = request;
  complete_ = complete;
}

bool Buffers::hasCallbacks() {
  const std::lock_guard lock(mutex_);
  return request_ != nullptr;
}

size_t Buffers::takeDropped() {
  const std::lock_guard lock(mutex_);
  return std::exchange(dropped_, 0);
}

void Buffers::append(const void *record, size_t bytes) {
  std::memcpy(current_.data + current_.used, record, bytes);
  current_.used += bytes;
  ++current_.records;
}

void Buffers::write(const void *record, size_t bytes) {
  Buffer full;
  {
    const std::lock_guard lock(mutex_);
    if (!request_) {
      ++dropped_;
      return;
    }
    if (!current_.hasRoom(bytes) && !spare_.empty()) {
      full = std::exchange(current_, spare_.back());
      spare_.pop_back();
    }
    if (current_.hasRoom(bytes)) {
      append(record, bytes);
      bytes = 0;
    } else if (!full.data) {
      full = std::exchange(current_, Buffer());
    }
  }
  complete(full);
  if (bytes == 0)
    return;
  complete(writeFresh(record, bytes, request()));
}

// Into the buffer that other threads have brought meanwhile, if it still has room, or else into
// `fresh`. Gives the buffer that this filled.
Buffers::Buffer Buffers::writeFresh(const void *record, size_t bytes, const Buffer &fresh) {
  const std::lock_guard lock(mutex_);
  if (current_.hasRoom(bytes)) {
    append(record, bytes);
    if (fresh.data)
      spare_.push_back(fresh);
    return {};
  }
  if (!fresh.hasRoom(bytes)) {
    ++dropped_;
    return fresh;
  }
  const Buffer full = std::exchange(current_, fresh);
  append(record, bytes);
  return full;
}

Buffers::Buffer Buffers::request() {
  CUpti_BuffersCallbackRequestFunc function;
  {
    const std::lock_guard lock(mutex_);
    function = request_;
  }
  Buffer buffer;
  function(&buffer.data, &buffer.size, &buffer.most_records);
  return buffer.size ? buffer : Buffer();
}

void Buffers::complete(const Buffer &buffer) {
  if (!buffer.data)
    return;
  CUpti_BuffersCallbackCompleteFunc function;
  {
    const std::lock_guard lock(mutex_);
    function = complete_;
  }
  function(nullptr, 0, buffer.data, buffer.size, buffer.used);
}

void Buffers::flush() {
  Buffer with_records;
  std::vector<Buffer> empty;
  {
    const std::lock_guard lock(mutex_);
    with_records = std::exchange(current_, Buffer());
    empty.swap(spare_);
  }
  complete(with_records);
  for (const Buffer &buffer : empty)
    complete(buffer);
}

} // namespace heddle::cupti
