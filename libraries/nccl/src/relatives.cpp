// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators of some ranks of another one, by color and key, and of these with new ones.
#include "comm.h"

#include <algorithm>
#include <cstring>
#include <ranges>

using namespace heddle::nccl;

void ncclComm::split(ncclComm &child) {
  if (revoked)
    return splitApart(child);
  flush();
  const std::lock_guard lock(running_);
  requireReady();
  try {
    splitLinked(child);
  } catch (...) {
    setFailed("ncclCommSplit", currentFailure());
    throw;
  }
}

void ncclComm::splitLinked(ncclComm &child) {
  auto links = place.links | std::views::filter([](const auto &link) { return bool(link); });
  child.listen();
  joinFamily(child, gather(child.member, place), [&] {
    require(std::ranges::none_of(links, [](const auto &link) { return link->gone(); }),
            ncclRemoteError, "another rank has ended during the split");
  });
}

/// The links are broken: the ranks meet as those do that go on without others.
void ncclComm::splitApart(ncclComm &child) {
  Bell &bell = *child.place.bell;
  std::vector<int> ranks(members_.size());
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    ranks[rank] = int(rank);
  child.listen();
  Meeting meeting = meet(shareId(ranks, bell), place.rank, place.count, child.member, bell);
  joinFamily(child, meeting.members, [&] {
    require(!meeting.root.hasEnded(), ncclRemoteError, "another rank has ended during the split");
  });
  leave(meeting, bell);
}

void ncclComm::joinFamily(ncclComm &child, const std::vector<Member> &all_members,
                          const std::function<void()> &check) const {
  if (child.member.color == NCCL_SPLIT_NOCOLOR) {
    child.state = ncclSuccess; // and never used
    return;
  }
  std::vector<std::pair<int, size_t>> family; // keys and ranks here
  for (size_t i = 0; i < all_members.size(); ++i)
    if (all_members[i].color == child.member.color)
      family.emplace_back(all_members[i].key, i);
  std::ranges::sort(family);
  std::vector<Member> members;
  int rank = 0;
  for (const auto &[key, parent_rank] : family) {
    if (parent_rank == size_t(place.rank))
      rank = int(members.size());
    members.push_back(all_members[parent_rank]);
  }
  child.join(members, rank, check);
}

namespace {

/// What a rank knows of a growth. Plain data.
struct Growth {
  int32_t count = 0;
  bool has_id = false;
  ncclUniqueId id = {};
};

} // namespace

void ncclComm::grow(ncclComm &child, int count, const std::optional<ncclUniqueId> &id) {
  Growth own{.count = count, .has_id = id.has_value(), .id = id.value_or(ncclUniqueId{})};
  const std::vector<Growth> all = exchange("ncclCommGrow", own);
  require(std::ranges::all_of(all, [&](const Growth &one) { return one.count == count; }),
          ncclInvalidUsage, "the ranks do not agree on how many there will be");
  require(std::ranges::count_if(all, &Growth::has_id) == 1, ncclInvalidUsage,
          "not one rank alone has given an ID (from ncclCommGetUniqueId)");
  if (id) {
    const std::lock_guard lock(tables);
    growing.reset();
  }
  child.listen();
  child.begin(std::ranges::find_if(all, &Growth::has_id)->id, count, place.rank);
}
