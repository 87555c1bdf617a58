// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/lz4.h"

#include <stdexcept>

namespace heddle {
namespace {

class Reader {
public:
  Reader(std::string_view block, size_t size) : block(block), size(size) { text.reserve(size); }

  std::string read() {
    while (at < block.size()) {
      const unsigned token = byte();
      copyLiterals(length(token >> 4));
      if (at == block.size()) // the last sequence has no match
        break;
      const size_t low = byte(), distance = low | byte() << 8;
      repeat(distance, length(token & 15) + 4);
    }
    need(text.size() == size);
    return std::move(text);
  }

private:
  static void need(bool condition) {
    if (!condition)
      throw std::runtime_error("broken LZ4 block");
  }

  unsigned byte() {
    need(at < block.size());
    return static_cast<unsigned char>(block[at++]);
  }

  // Lengths from 15 on go on in the bytes that follow.
  size_t length(size_t first) {
    if (first < 15)
      return first;
    unsigned next;
    do
      first += next = byte();
    while (next == 255);
    return first;
  }

  void copyLiterals(size_t count) {
    need(count <= block.size() - at && count <= size - text.size());
    text.append(block, at, count);
    at += count;
  }

  // What is copied may reach into what is being written.
  void repeat(size_t distance, size_t count) {
    need(distance > 0 && distance <= text.size() && count <= size - text.size());
    for (size_t from = text.size() - distance; count > 0; --count)
      text.push_back(text[from++]);
  }

  const std::string_view block;
  const size_t size;
  size_t at = 0;
  std::string text;
};

} // namespace

std::string unpackLz4(std::string_view block, size_t size) {
  // A byte of the block stands for 255 of the text at most.
  if (size / 255 > block.size())
    throw std::runtime_error("broken LZ4 block");
  return Reader(block, size).read();
}

} // namespace heddle
