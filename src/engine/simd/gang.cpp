// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/gang.h"

#include "engine/warp.h"

#include <bit>
#include <cstring>

namespace heddle::engine::simd {
namespace {

bool sameValues(const GroupRecord &a, const GroupRecord &b, uint32_t record_bytes) {
  return std::memcmp(&a + 1, &b + 1, record_bytes - sizeof(GroupRecord)) == 0;
}

} // namespace

const GroupRecord &Gang::keep(const GroupRecord &record) {
  const uint32_t free = uint32_t(std::countr_one(used));
  std::memcpy(&slot(free), &record, record_bytes);
  used |= 1u << free;
  return slot(free);
}

void Gang::take(uint32_t candidates, GroupRecord &group) {
  const GroupRecord *first = nullptr;
  forEachLane(used, [&](uint32_t index) {
    const GroupRecord &record = slot(index);
    if (record.lanes & candidates && (!first || record.state < first->state))
      first = &record;
  });
  std::memcpy(&group, first, record_bytes);
  group.lanes = 0;
  forEachLane(used, [&](uint32_t index) {
    GroupRecord &record = slot(index);
    const uint32_t able = record.lanes & candidates;
    if (!able || record.state != group.state || !sameValues(record, group, record_bytes))
      return;
    group.lanes |= able;
    record.lanes &= ~able;
    if (!record.lanes)
      used &= ~(1u << index);
  });
}

} // namespace heddle::engine::simd
