// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random short histories: what check/race says of them, by all its ways to keep and look at less
// than everything, beside a judge that keeps everything.
//
// Each history has a few variables and places in the code (sites), each of which accesses one
// variable. A variable is told if a finding names it or one of its sites. What is told must race,
// and what certainly races must be told.
#include "check/race/race_checker.h"
#include "engine/abi_extensions.h"
#include "engine/warp.h"
#include "race_judge.h"

#include <deque>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace heddle::check {
namespace {

using engine::forEachLane;
using engine::observe::Access;
using engine::observe::AccessKind;
using engine::observe::AddressRows;
using engine::observe::Frame;
using engine::observe::Scope;
using engine::observe::Site;
using engine::observe::StreamPoint;

class NoProgram final : public engine::Program {
public:
  NoProgram() { info_.kernels.push_back({.display_name = "kernel"}); }
  const ImageInfo &info() const override { return info_; }
  int findKernel(std::string_view) const override { return 0; }
  void ensureCompiled(int, const engine::Dim3 &, const engine::Dim3 &) override {}
  void initGlobals(void *, engine::ManagedPlace (*)(void *, const char *), void *) override {}

private:
  ImageInfo info_;
};

/// What a history may hold.
struct Mixture {
  uint32_t streams, blocks;
  bool parts;  // threads of a block that meet without the others, fences and messages
  bool strong; // atomic and volatile accesses
  bool transfers;
};

struct Variable {
  uint64_t base, bytes;
  bool shared;
};

/// How a site's accesses lie in its variable.
struct Pattern {
  Site site;
  Frame frame;
  uint32_t variable;
  uint64_t bytes;
  int64_t stride;
  uint64_t offset;
};

class History {
public:
  History(uint32_t seed, const Mixture &mixture) : random_(seed), mixture_(mixture) {}

  void run() {
    makeVariables();
    makeSites();
    const bool all_streams = mixture_.streams == 1 || chance(70);
    last_.resize(mixture_.streams, 0);
    if (all_streams)
      for (uint32_t stream = 0; stream < mixture_.streams; ++stream)
        issue(stream);
    for (uint32_t i = 2 + upTo(4); i-- > 0;)
      hostStep();
  }

  std::set<uint32_t> told() {
    std::set<uint32_t> variables;
    for (const Finding &finding : checker_.findings(ToldMemory(memory_))) {
      if (groupOf(finding.kind) != Group::Race)
        continue;
      for (const std::vector<Place> *places : {&finding.places, &finding.other.places})
        if (!places->empty())
          variables.insert(sites_[places->front().line - 1].variable);
      if (const size_t name = finding.object.rfind("called v"); name != std::string::npos)
        variables.insert(uint32_t(finding.object[name + 8] - '0'));
    }
    return variables;
  }
  const Judge &judge() const { return judge_; }
  /// What has happened, line by line, if it is wanted before run.
  void wantText() { wants_text_ = true; }
  const std::string &text() const { return text_; }
  std::string findings() {
    std::string text;
    const auto line = [](const std::vector<Place> &places) {
      return places.empty() ? 0 : places.front().line;
    };
    for (const Finding &finding : checker_.findings(ToldMemory(memory_)))
      if (groupOf(finding.kind) == Group::Race)
        text += fmt::format("site {} of block {} thread {}: {}; site {} of block {} thread {}\n",
                            line(finding.places), finding.block[0], finding.thread[0], finding.what,
                            line(finding.other.places), finding.other.block[0],
                            finding.other.thread[0]);
    return text;
  }

private:
  struct Block {
    engine::ExtendedBlockContext *context;
    uint32_t number; // the judge's
    uint32_t threads;
    uint32_t warps() const { return (threads + 31) / 32; }
    uint32_t lanes(uint32_t warp) const {
      const uint32_t left = threads - 32 * warp;
      return left >= 32 ? ~0u : (1u << left) - 1;
    }
  };
  struct Work {
    StreamPoint point;
    std::set<uint32_t> before; // launches of the judge's
  };

  uint32_t upTo(uint32_t most) { return std::uniform_int_distribution<uint32_t>(0, most)(random_); }
  bool chance(uint32_t percent) { return upTo(99) < percent; }
  template <typename T> T oneOf(std::initializer_list<T> all) {
    return all.begin()[upTo(uint32_t(all.size()) - 1)];
  }

  void makeVariables() {
    uint64_t global = uint64_t(1) << 40, shared = 1 << 16;
    for (uint32_t i = 0; i < 5; ++i) {
      const bool is_shared = i >= 3;
      uint64_t &next = is_shared ? shared : global;
      variables_.push_back({next, oneOf<uint64_t>({4, 16, 128, 320, 512}), is_shared});
      next += is_shared ? 512 : oneOf<uint64_t>({512, 512 + 64, 512 + 4});
      if (is_shared)
        continue;
      checker_.allocated(variables_[i].base, variables_[i].bytes);
      memory_.add(variables_[i].base, variables_[i].bytes, false);
      memory_.change(variables_[i].base,
                     [&](heddle::check::Block &block) { block.name = "v" + std::to_string(i); });
    }
  }

  void makeSites() {
    for (uint32_t i = 0; i < 12; ++i) {
      Pattern &pattern = sites_.emplace_back();
      pattern.frame = {"kernel", "kernel.cu", i + 1, 1, nullptr};
      pattern.variable = upTo(uint32_t(variables_.size()) - 1);
      Site &site = pattern.site;
      site = {};
      site.frame = &pattern.frame;
      site.kind = chance(60) ? AccessKind::Load : AccessKind::Store;
      site.space = 0;
      site.variable_bytes = engine::observe::unknown_bytes;
      site.slot = engine::observe::no_slot;
      site.scope = Scope::System;
      pattern.bytes = oneOf<uint64_t>({4, 4, 4, 4, 8, 16, 1, 2});
      pattern.stride = oneOf<int64_t>(
          {int64_t(pattern.bytes), int64_t(pattern.bytes), 0, 4, 8, 16, -int64_t(pattern.bytes)});
      pattern.offset = chance(70) ? 0 : pattern.bytes * upTo(12);
      if (mixture_.strong && chance(35))
        makeStrong(pattern);
      site.alignment = uint32_t(pattern.bytes);
    }
  }

  void makeStrong(Pattern &pattern) {
    Site &site = pattern.site;
    pattern.bytes = 4;
    pattern.stride = oneOf<int64_t>({0, 4});
    pattern.offset = 0;
    if (chance(30)) {
      site.is_volatile = 1;
      return;
    }
    site.kind = oneOf({AccessKind::Atomic, AccessKind::Load, AccessKind::Store});
    site.scope = oneOf({Scope::Block, Scope::Device, Scope::System});
    if (site.kind == AccessKind::Atomic && chance(25))
      site.flags |= engine::observe::only_reads;
    // Loads of different scopes become one mark, of the narrowest.
    if (site.kind == AccessKind::Load)
      site.scope = Scope::Device;
    site.order = 2;
    if (mixture_.parts && chance(60))
      site.order = site.kind == AccessKind::Load ? 4 : site.kind == AccessKind::Store ? 5 : 6;
  }

  template <typename... Parts>
  void note(fmt::format_string<const Parts &...> format, const Parts &...parts) {
    if (wants_text_)
      text_ += fmt::format(format, parts...);
  }

  // The host.

  Work issue(uint32_t stream) {
    Work work{{&last_[stream], ++tickets_}, host_};
    std::vector<StreamPoint> after;
    const auto follow = [&](uint32_t launch) {
      work.before.insert(launch);
      work.before.insert(works_[launch].before.begin(), works_[launch].before.end());
    };
    if (last_launch_.contains(stream))
      follow(last_launch_[stream]);
    if (!works_.empty() && chance(25)) {
      const uint32_t other = upTo(uint32_t(works_.size()) - 1);
      after.push_back(works_[other].point);
      follow(other);
    }
    checker_.issued(work.point, after);
    started_.insert(stream);
    const uint32_t number = judge_.launch(work.before, started_.size() < 2);
    last_launch_[stream] = number;
    note("work {} in stream {}", number, stream);
    for (const uint32_t launch : work.before)
      note(" after {}", launch);
    note("\n");
    works_.push_back(work);
    return work;
  }

  void hostStep() {
    const uint32_t choice = upTo(9);
    if (choice < 7)
      return launch();
    if (choice == 7 && mixture_.transfers)
      return transfer();
    if (choice == 8 && !works_.empty()) {
      const uint32_t done = upTo(uint32_t(works_.size()) - 1);
      checker_.hostWaited(works_[done].point);
      note("host waits for {}\n", done);
      host_.insert(done);
      host_.insert(works_[done].before.begin(), works_[done].before.end());
      return;
    }
    const uint32_t variable = upTo(2);
    const Variable &v = variables_[variable];
    note("variable {} freed and allocated\n", variable);
    checker_.freed(v.base);
    ++engine::observe::memory_changes;
    checker_.allocated(v.base, v.bytes);
    ++engine::observe::memory_changes;
    judge_.forget(v.base, v.bytes);
  }

  void transfer() {
    const Work work = issue(upTo(mixture_.streams - 1));
    const auto launch = uint32_t(works_.size() - 1);
    RaceChecker::workBegin(work.point);
    const uint32_t variable = upTo(2);
    const Variable &v = variables_[variable];
    const bool writes = chance(60);
    note("copy {} variable {}\n", writes ? "writes" : "reads", variable);
    checker_.transfer(v.base, v.bytes, writes);
    Site site{};
    site.kind = writes ? AccessKind::Store : AccessKind::Load;
    judge_.access(judge_.block(launch, 1), 0, site, v.base, v.bytes, variable, false);
  }

  void launch() {
    const Work work = issue(upTo(mixture_.streams - 1));
    const auto number = uint32_t(works_.size() - 1);
    engine::Launch launch;
    launch.program = &program_;
    launch.block = {oneOf<uint32_t>({32, 64, 40, 96}), 1, 1};
    launch.number = number + 1;
    RaceChecker::workBegin(work.point);
    checker_.kernelBegin(launch, {});
    const uint32_t count = 1 + upTo(mixture_.blocks - 1);
    if (chance(30)) { // side by side
      std::vector<Block> blocks;
      for (uint32_t i = 0; i < count; ++i)
        blocks.push_back(begin(launch, number, i, i));
      for (uint32_t phase = upTo(2);; --phase) {
        someSteps(launch, blocks);
        if (!phase)
          break;
        if (chance(50))
          meetGrid(launch, blocks);
        else
          for (Block &block : blocks)
            meetBlock(launch, block);
      }
      for (Block &block : blocks)
        end(launch, block);
    } else {
      for (uint32_t i = 0; i < count; ++i) {
        std::vector<Block> blocks{begin(launch, number, 0, i)};
        for (uint32_t phase = upTo(3);; --phase) {
          someSteps(launch, blocks);
          if (!phase)
            break;
          meetBlock(launch, blocks[0]);
        }
        end(launch, blocks[0]);
      }
    }
    checker_.kernelEnd(launch);
  }

  // Threads.

  Block begin(const engine::Launch &launch, uint32_t number, uint32_t context, uint32_t index) {
    engine::ExtendedBlockContext &place = contexts_[context];
    place.block_index[0] = index;
    checker_.blockBegin(launch, place);
    const auto threads = uint32_t(launch.block.count());
    note("block {} begins, {} threads\n", index, threads);
    return {&place, judge_.block(number, threads), threads};
  }

  void end(const engine::Launch &launch, Block &block) {
    for (uint32_t warp = 0; warp < block.warps(); ++warp)
      tell(launch, block, exit_, warp, block.lanes(warp));
  }

  void tell(const engine::Launch &launch, Block &block, const Site &site, uint32_t warp,
            uint32_t lanes, uint64_t first = 0, uint64_t second = 0) {
    uint64_t firsts[32], seconds[32];
    std::fill_n(firsts, 32, first);
    std::fill_n(seconds, 32, second);
    note("block {} warp {}: event {} of lanes {:08x} ({:x} {:x})\n", block.context->block_index[0],
         warp, unsigned(site.kind), lanes, first, second);
    checker_.synchronise(accessOf(launch, block, site, warp, lanes, firsts, seconds));
  }

  static Access accessOf(const engine::Launch &launch, const Block &block, const Site &site,
                         uint32_t warp, uint32_t lanes, const uint64_t *addresses,
                         const uint64_t *bytes) {
    return {site,  launch,  *block.context, lanes,   32 * warp, addresses,
            bytes, nullptr, nullptr,        nullptr, nullptr,   nullptr};
  }

  void someSteps(const engine::Launch &launch, std::vector<Block> &blocks) {
    for (uint32_t i = 1 + upTo(5) * uint32_t(blocks.size()); i-- > 0;) {
      Block &block = blocks[upTo(uint32_t(blocks.size()) - 1)];
      const uint32_t warp = upTo(block.warps() - 1), choice = upTo(99);
      if (choice < 75)
        access(launch, block, warp);
      else if (choice < 83 || !mixture_.parts)
        meetWarp(launch, block, warp, block.lanes(warp));
      else if (choice < 88)
        meetWarp(launch, block, warp, someLanes(block, warp));
      else if (choice < 95)
        fence(launch, block, warp);
      else
        meetSome(launch, block);
    }
  }

  uint32_t someLanes(const Block &block, uint32_t warp) {
    const uint32_t lanes =
        oneOf<uint32_t>({~0u, ~0u, ~0u, 0xff, 0xff00, 1, 2, 1u << upTo(31), uint32_t(random_())}) &
        block.lanes(warp);
    return lanes ? lanes : 1;
  }

  void access(const engine::Launch &launch, Block &block, uint32_t warp) {
    const Pattern &pattern = sites_[upTo(uint32_t(sites_.size()) - 1)];
    const Variable &variable = variables_[pattern.variable];
    // Blocks beside each other have shared memory of their own.
    const uint64_t base =
        variable.base + (variable.shared ? uint64_t(block.context - contexts_) * 4096 : 0);
    uint32_t lanes = someLanes(block, warp);
    const bool apart = chance(20); // warps of a block access other parts
    const int64_t before = pattern.stride < 0 ? -31 * pattern.stride : 0;
    const int64_t first =
        before + int64_t(pattern.offset) + (apart ? 32 * warp * pattern.stride : 0);
    uint64_t addresses[32], bytes[32];
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const int64_t at = first + pattern.stride * lane;
      addresses[lane] = base + uint64_t(at);
      bytes[lane] = pattern.bytes;
      if (at < 0 || uint64_t(at) + pattern.bytes > variable.bytes)
        lanes &= ~(1u << lane);
    }
    if (!lanes)
      return;
    note("block {} warp {}: site {} accesses variable {}: kind {} volatile {} order {} scope {}, "
         "lanes {:08x} at {} bytes {} stride {}\n",
         block.context->block_index[0], warp, pattern.frame.line, pattern.variable,
         unsigned(pattern.site.kind), pattern.site.is_volatile, pattern.site.order,
         unsigned(pattern.site.scope), lanes, unsigned(first), unsigned(pattern.bytes),
         int(pattern.stride));
    forEachLane(lanes, [&](uint32_t lane) {
      judge_.access(block.number, 32 * warp + lane, pattern.site, addresses[lane], pattern.bytes,
                    pattern.variable, variable.shared);
    });
    tellAccess(accessOf(launch, block, pattern.site, warp, lanes, addresses, bytes), pattern,
               variable.shared);
  }

  // As Checker does.
  void tellAccess(const Access &access, const Pattern &pattern, bool shared) {
    if (chance(60)) {
      const uint32_t length = oneOf<uint32_t>({32, 16, 8, 1});
      uint64_t firsts[32];
      for (uint32_t row = 0; row < 32 / length; ++row)
        firsts[row] = access.addresses[row * length];
      const AddressRows rows{firsts, pattern.bytes, pattern.stride, length};
      Access in_rows = access;
      in_rows.addresses = in_rows.bytes = nullptr;
      if (shared || !checker_.seen(in_rows, &rows))
        checker_.accessRows(in_rows, rows);
      return;
    }
    const uint32_t seen = shared ? 0 : checker_.seen(access, nullptr);
    checker_.access(access, access.lanes & ~seen, true);
  }

  void fence(const engine::Launch &launch, Block &block, uint32_t warp) {
    const auto scope = oneOf({Scope::Block, Scope::Device, Scope::System});
    const uint32_t lanes = someLanes(block, warp);
    tell(launch, block, fence_, warp, lanes, uint64_t(scope));
    forEachLane(lanes, [&](uint32_t lane) { judge_.fence(block.number, 32 * warp + lane, scope); });
  }

  void meetWarp(const engine::Launch &launch, Block &block, uint32_t warp, uint32_t lanes) {
    const bool all = lanes == block.lanes(warp);
    tell(launch, block, warp_arrive_, warp, lanes, all && chance(50) ? ~0u : lanes);
    tell(launch, block, warp_depart_, warp, lanes);
    judge_.joinLanes(block.number, warp, lanes, all);
  }

  void come(const engine::Launch &launch, Block &block, uint32_t warp, uint64_t id,
            uint64_t count) {
    const uint32_t lanes = block.lanes(warp);
    if (chance(80))
      return tell(launch, block, block_arrive_, warp, lanes, id, count);
    tell(launch, block, block_arrive_, warp, lanes & 0xf, id, count);
    tell(launch, block, block_arrive_, warp, lanes & ~0xfu, id, count);
  }

  void meetBlock(const engine::Launch &launch, Block &block) {
    std::vector<std::pair<uint32_t, uint32_t>> all;
    for (uint32_t warp = 0; warp < block.warps(); ++warp)
      come(launch, block, warp, 0, 0);
    for (uint32_t warp = 0; warp < block.warps(); ++warp)
      tell(launch, block, block_depart_, warp, block.lanes(warp));
    for (uint32_t thread = 0; thread < block.threads; ++thread)
      all.emplace_back(block.number, thread);
    judge_.join(all, true);
  }

  // bar.sync with a count, and bar.arrive.
  void meetSome(const engine::Launch &launch, Block &block) {
    std::vector<uint32_t> threads;
    std::vector<Judge::Clock> signals;
    std::vector<uint32_t> warps;
    for (uint32_t warp = 0; warp < block.warps(); ++warp) {
      const uint32_t choice = upTo(2);
      if (choice == 0) {
        tell(launch, block, signal_, warp, block.lanes(warp), 1, block.threads);
        forEachLane(block.lanes(warp), [&](uint32_t lane) {
          signals.push_back(judge_.signal(block.number, 32 * warp + lane));
        });
      } else if (choice == 1 || (warps.empty() && warp + 1 == block.warps())) {
        warps.push_back(warp);
        come(launch, block, warp, 1, block.threads);
        forEachLane(block.lanes(warp), [&](uint32_t lane) { threads.push_back(32 * warp + lane); });
      }
    }
    if (warps.empty()) { // the signals wait for one that comes
      return meetLast(launch, block, signals);
    }
    for (const uint32_t warp : warps)
      tell(launch, block, block_depart_, warp, block.lanes(warp));
    judge_.joinSome(block.number, threads, signals);
  }

  void meetLast(const engine::Launch &launch, Block &block,
                const std::vector<Judge::Clock> &signals) {
    std::vector<uint32_t> threads;
    forEachLane(block.lanes(0), [&](uint32_t lane) { threads.push_back(lane); });
    come(launch, block, 0, 1, block.threads);
    tell(launch, block, block_depart_, 0, block.lanes(0));
    judge_.joinSome(block.number, threads, signals);
  }

  void meetGrid(const engine::Launch &launch, std::vector<Block> &blocks) {
    std::vector<std::pair<uint32_t, uint32_t>> all;
    for (const Site *site : {&grid_arrive_, &grid_depart_})
      for (Block &block : blocks)
        for (uint32_t warp = 0; warp < block.warps(); ++warp)
          tell(launch, block, *site, warp, block.lanes(warp));
    for (const Block &block : blocks)
      for (uint32_t thread = 0; thread < block.threads; ++thread)
        all.emplace_back(block.number, thread);
    judge_.join(all, true);
  }

  static Site siteOf(AccessKind kind, uint32_t order = 0) {
    Site site{};
    site.kind = kind;
    site.order = order;
    return site;
  }

  bool wants_text_ = false;
  std::string text_;
  std::mt19937 random_;
  const Mixture mixture_;
  MemoryMap memory_;
  NoProgram program_;
  RaceChecker checker_;
  Judge judge_;
  std::vector<Variable> variables_;
  std::deque<Pattern> sites_;
  engine::ExtendedBlockContext contexts_[4] = {};
  const Site exit_ = siteOf(AccessKind::Exit), fence_ = siteOf(AccessKind::Fence),
             block_arrive_ = siteOf(AccessKind::BlockArrive),
             block_depart_ = siteOf(AccessKind::BlockDepart),
             signal_ = siteOf(AccessKind::BlockSignal),
             warp_arrive_ =
                 siteOf(AccessKind::WarpArrive, uint32_t(engine::WarpOperation::Sync) * 16),
             warp_depart_ =
                 siteOf(AccessKind::WarpDepart, uint32_t(engine::WarpOperation::Sync) * 16),
             grid_arrive_ = siteOf(AccessKind::GridArrive),
             grid_depart_ = siteOf(AccessKind::GridDepart);
  std::vector<char> last_; // its elements tell streams apart
  uint64_t tickets_ = 0;
  std::vector<Work> works_;                  // by launch of the judge's
  std::map<uint32_t, uint32_t> last_launch_; // by stream
  std::set<uint32_t> started_;               // streams
  std::set<uint32_t> host_;                  // launches that the host knows to be done
};

struct Count {
  uint32_t racing = 0, certain = 0, clean = 0;
};

Count compare(uint32_t first_seed, uint32_t histories, const Mixture &mixture) {
  Count count;
  uint32_t wrong = 0;
  for (uint32_t seed = first_seed; seed < first_seed + histories && wrong < 5; ++seed) {
    History history(seed, mixture);
    history.run();
    const std::set<uint32_t> told = history.told();
    const Judge &judge = history.judge();
    const auto text = [&] {
      History again(seed, mixture);
      again.wantText();
      again.run();
      return again.text() + again.findings();
    };
    for (const uint32_t variable : told)
      if (!judge.racing.contains(variable)) {
        ADD_FAILURE() << "history " << seed << ": a false alarm about variable " << variable << "\n"
                      << text();
        ++wrong;
      }
    for (const uint32_t variable : judge.certain)
      if (!told.contains(variable)) {
        ADD_FAILURE() << "history " << seed << ": a race in variable " << variable << " is missed\n"
                      << text();
        ++wrong;
      }
    count.racing += !judge.racing.empty();
    count.certain += !judge.certain.empty();
    count.clean += judge.racing.empty();
  }
  // Else the comparison would say little.
  EXPECT_GT(count.certain, histories / 10);
  EXPECT_GT(count.clean, histories / 50);
  return count;
}

TEST(RandomRaces, PlainAccessesOfBlocks) { compare(1, 1000, {1, 3, false, false, false}); }
TEST(RandomRaces, AtomicsOfBlocks) { compare(10001, 1000, {1, 3, false, true, false}); }
TEST(RandomRaces, Streams) { compare(20001, 1000, {3, 2, false, false, true}); }
TEST(RandomRaces, AtomicsOfStreams) { compare(30001, 1000, {2, 2, false, true, true}); }
TEST(RandomRaces, MessagesOfBlocks) { compare(40001, 1000, {1, 3, true, true, false}); }
TEST(RandomRaces, MessagesOfStreams) { compare(50001, 1000, {2, 2, true, true, true}); }

} // namespace
} // namespace heddle::check
