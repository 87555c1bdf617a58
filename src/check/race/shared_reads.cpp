// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/shared_reads.h"

#include <algorithm>

namespace heddle::check {

bool SharedReads::add(const engine::observe::Access &access,
                      const engine::observe::AddressRows &rows) {
  const uint32_t count = 32 / rows.length;
  const size_t at = words_.size();
  if (at + head_words + count > most_words)
    return false;
  const Head head{&access.site, &access.launch, access.base,         access.thread, rows.bytes,
                  rows.stride,  access.lanes,   access.first_thread, rows.length,   count};
  words_.resize(at + head_words + count);
  std::memcpy(&words_[at], &head, sizeof head);
  std::copy_n(rows.firsts, count, &words_[at + head_words]);
  return true;
}

} // namespace heddle::check
