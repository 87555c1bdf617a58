// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/marks/shared_reads.h"

#include <algorithm>

namespace heddle::check {

bool SharedReads::add(const engine::observe::Access &access,
                      const engine::observe::AddressRows &rows) {
  const uint32_t count = 32 / rows.length;
  if (used_ + head_words + count > most_words)
    return false;
  if (!words_)
    words_ = std::make_unique_for_overwrite<uint64_t[]>(most_words);
  const Head head{&access.site, &access.launch, access.base,         access.thread, rows.bytes,
                  rows.stride,  access.lanes,   access.first_thread, rows.length,   count};
  std::memcpy(&words_[used_], &head, sizeof head);
  std::copy_n(rows.firsts, count, &words_[used_ + head_words]);
  used_ += head_words + count;
  return true;
}

} // namespace heddle::check
