// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/memcpy_async.h: the threads of a group copy memory together.
//
// A GPU copies in the background from compute capability 8.0 on; before that, as here, the copy is
// done when memcpy_async returns to the thread that did its part. Either way the data may be read
// only after wait(), which also synchronises the group.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace details {

template <size_t Width, typename Group>
__HEDDLE_CG__ void copyWords(const Group &group, void *to, const void *from, size_t bytes) {
  for (size_t i = size_t(group.thread_rank()) * Width; i < bytes; i += size_t(group.size()) * Width)
    __builtin_memcpy(__builtin_assume_aligned((char *)to + i, Width),
                     __builtin_assume_aligned((const char *)from + i, Width), Width);
}

/// Copies in the widest words that both addresses and the size are multiples of.
template <typename Group>
__HEDDLE_CG__ void copyBytes(const Group &group, void *to, const void *from, size_t bytes) {
  const size_t alignment = (size_t)to | (size_t)from | bytes;
  if (alignment % 16 == 0)
    copyWords<16>(group, to, from, bytes);
  else if (alignment % 4 == 0)
    copyWords<4>(group, to, from, bytes);
  else
    copyWords<1>(group, to, from, bytes);
}

} // namespace details

/// Copies `bytes` bytes. The count may be a number or a cuda::aligned_size_t.
template <typename Group, typename To, typename From, typename Bytes>
__HEDDLE_CG__ void memcpy_async(const Group &group, To *to, const From *from, const Bytes &bytes) {
  details::copyBytes(group, to, from, static_cast<size_t>(bytes));
}

/// Copies as many elements as both arrays have.
template <typename Group, typename T, typename ToCount, typename FromCount>
__HEDDLE_CG__ void memcpy_async(const Group &group, T *to, const ToCount &to_count, const T *from,
                                const FromCount &from_count) {
  static_assert(__is_trivially_copyable(T), "memcpy_async needs a trivially copyable type");
  const size_t room = static_cast<size_t>(to_count), have = static_cast<size_t>(from_count);
  details::copyBytes(group, to, from, (room < have ? room : have) * sizeof(T));
}

/// Waits until all copies of the group are done.
template <typename Group> __HEDDLE_CG__ void wait(const Group &group) { group.sync(); }

/// Waits until all but the newest `Stages` copies are done.
template <unsigned int Stages, typename Group> __HEDDLE_CG__ void wait_prior(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#endif
